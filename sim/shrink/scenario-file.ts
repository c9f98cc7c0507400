/**
 * Writes a shrunk plan as a JSON file of scenarios/found, with a test that fails until the bug is fixed and prevents a regression
 * afterwards.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import type { PlanSource } from "../commands/plan-source.ts";
import { foundFolder, type FoundScenario } from "../found.ts";
import { summarizePlan } from "./report.ts";
import type { Shrunk } from "./shrink.ts";

type Found = Extract<Shrunk, { kind: "shrunk" }>;

export interface ScenarioFileOptions {
  readonly from: PlanSource;
  /** Defaults to `scenarios/found/NAME.json`. */
  readonly file?: string;
  /** Root folder of the project; defaults to the current folder. */
  readonly root?: string;
}

/** Returns lines that describe the written files. */
export function writeScenario(shrunk: Found, { from, file, root = "." }: ScenarioFileOptions): readonly string[] {
  const path = resolve(root, file ?? `${foundFolder}/${nameOf(shrunk)}.json`);
  const name = basename(path, ".json");
  mkdirSync(dirname(path), { recursive: true });
  const again = existsSync(path);
  writeFileSync(path, scenarioText(name, shrunk, from));
  const test = resolve(root, `test/sim/found/${name}.test.ts`);
  mkdirSync(dirname(test), { recursive: true });
  writeFileSync(
    test,
    testText({
      found: moduleFrom(test, resolve(root, "sim/found.ts")),
      run: moduleFrom(test, resolve(root, "sim/run.ts")),
      from: from.title,
      file: relative(resolve(root), path),
    }),
  );
  const shown = (one: string): string => relative(resolve(root), one);
  return [
    `${again ? "rewrote" : "wrote"} ${shown(path)} and the regression test ${shown(test)}, which fails until the bug is fixed`,
    `  npx vitest run ${shown(test)}`,
  ];
}

/** Generated name, `results-1x4k2f`: the oracle, and a hash of the plan. */
function nameOf({ signature, plan }: Found): string {
  let hash = 7;
  for (const character of JSON.stringify([plan.users, plan.faults, plan.fates])) {
    hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
  }
  return `${signature.oracle}-${hash.toString(36)}`;
}

function moduleFrom(file: string, target: string): string {
  const path = relative(dirname(file), target);
  return path.startsWith(".") ? path : `./${path}`;
}

function scenarioText(name: string, { plan, violation }: Found, from: PlanSource): string {
  const story = `${summarizePlan(plan).join(". ")}. Then ${violation.kind}: ${violation.sentence.split("\n")[0] ?? ""}`;
  const scenario: FoundScenario = { name, story, shrunkFrom: from.title, plan };
  return `${JSON.stringify(scenario, undefined, 2)}\n`;
}

/** `found` and `run` are modules as the test imports them; `file` is below the project's folder, in which tests run. */
function testText({ found, run, from, file }: Readonly<Record<"found" | "run" | "from" | "file", string>>): string {
  return [
    `/** Regression test of a failure that the simulator found and shrank from ${from}. */`,
    `import { expect, it } from "vitest";`,
    `import { readFoundScenario } from "${found}";`,
    `import { runPlan } from "${run}";`,
    "",
    `const { story, plan } = readFoundScenario(${JSON.stringify(file)});`,
    "",
    "it(story, async () => {",
    `  const { violations } = await runPlan(plan("1"), {});`,
    "  // A run this small may be vacuous.",
    `  expect(violations.filter(({ kind }) => kind !== "vacuous")).toEqual([]);`,
    "});",
    "",
  ].join("\n");
}
