/**
 * Writes a shrunk plan as a file of scenarios/, with a test that fails until the bug is fixed and prevents a regression afterwards.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import type { PlanSource } from "../commands/plan-source.ts";
import { summarizePlan } from "./report.ts";
import type { Shrunk } from "./shrink.ts";

const lineWidth = 140;

type Found = Extract<Shrunk, { kind: "shrunk" }>;

export interface ScenarioFileOptions {
  readonly from: PlanSource;
  /** Defaults to `scenarios/found/NAME.ts`. */
  readonly file?: string;
  /** Root folder of the project; defaults to the current folder. */
  readonly root?: string;
}

/** Returns lines that describe the written files. */
export function writeScenario(shrunk: Found, { from, file, root = "." }: ScenarioFileOptions): readonly string[] {
  const path = resolve(root, file ?? `scenarios/found/${nameOf(shrunk)}.ts`);
  const name = basename(path, ".ts");
  mkdirSync(dirname(path), { recursive: true });
  const again = existsSync(path);
  writeFileSync(path, scenarioText({ name, shrunk, from, scenarioModule: moduleFrom(path, resolve(root, "scenarios/scenario.ts")) }));
  const list = resolve(root, "scenarios/found");
  if (dirname(path) === list) {
    keepList(list);
  }
  const test = resolve(root, `test/sim/found/${name}.test.ts`);
  mkdirSync(dirname(test), { recursive: true });
  writeFileSync(
    test,
    testText(name, (module) => moduleFrom(test, resolve(root, module)), moduleFrom(test, path)),
  );
  const shown = (one: string): string => relative(resolve(root), one);
  return [
    `${again ? "rewrote" : "wrote"} ${shown(path)} and the regression test ${shown(test)}, which fails until the bug is fixed`,
    `  npx vitest run ${shown(test)}`,
  ];
}

/** Updates the folder's index, from which `--scenario NAME` finds the scenario. */
function keepList(folder: string): void {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && name !== "index.ts")
    .map((name) => basename(name, ".ts"))
    .sort();
  const list = `export const found: readonly Scenario[] = [${names.map(constantOf).join(", ")}];`;
  const lines = [
    "/** Failures written by `npm run sim -- shrink`, which maintains this list. Once a bug is fixed, its file moves to bugs/ with a description. */",
    'import type { Scenario } from "../scenario.ts";',
    ...names.map((name) => `import { ${constantOf(name)} } from "./${name}.ts";`),
    "",
    ...(list.length <= lineWidth
      ? [list]
      : ["export const found: readonly Scenario[] = [", ...names.map((name) => `  ${constantOf(name)},`), "];"]),
    "",
  ];
  writeFileSync(resolve(folder, "index.ts"), lines.join("\n"));
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

function constantOf(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word, index) => (index === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join("");
}

function scenarioText(options: {
  readonly name: string;
  readonly shrunk: Found;
  readonly from: PlanSource;
  readonly scenarioModule: string;
}): string {
  const { name, shrunk, from, scenarioModule } = options;
  const { plan, violation } = shrunk;
  const story = `${summarizePlan(plan).join(". ")}. Then ${violation.kind}: ${violation.sentence.split("\n")[0] ?? ""}`;
  return [
    `import type { Scenario } from "${scenarioModule}";`,
    "",
    `/** Shrunk from ${from.title}. */`,
    `export const ${constantOf(name)}: Scenario = {`,
    `  name: ${JSON.stringify(name)},`,
    ...property("story", story, 1),
    `  plan: () => (${literal(plan, 1)}),`,
    "};",
    "",
  ].join("\n");
}

function testText(name: string, module: (path: string) => string, scenario: string): string {
  const constant = constantOf(name);
  return [
    `/** Regression test of a failure that the simulator found and shrank. */`,
    `import { expect, it } from "vitest";`,
    `import { ${constant} } from "${scenario}";`,
    `import { runPlan } from "${module("sim/run.ts")}";`,
    "",
    `it(${constant}.story, async () => {`,
    `  const { violations } = await runPlan(${constant}.plan("1"), {});`,
    "  // A run this small may be vacuous.",
    `  expect(violations.filter(({ kind }) => kind !== "vacuous")).toEqual([]);`,
    "});",
    "",
  ].join("\n");
}

/** Prints a member on one line if it fits, as the formatter does. */
function property(name: string, value: unknown, depth: number): readonly string[] {
  const indent = "  ".repeat(depth);
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const text = literal(value, depth);
  const line = `${indent}${key}: ${text},`;
  // The formatter keeps a text on the line of a short name.
  if (typeof value === "string" && line.length > lineWidth && key.length >= 5) {
    return [`${indent}${key}:`, `${indent}  ${text},`];
  }
  return [line];
}

/** Prints plain data like the formatter: objects of more than one line stay so; arrays of short items go on one line. */
function literal(value: unknown, depth: number): string {
  const indent = "  ".repeat(depth);
  const inner = "  ".repeat(depth + 1);
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, depth + 1));
    const line = `[${items.join(", ")}]`;
    if (value.length === 0 || (!line.includes("\n") && indent.length + line.length < lineWidth - 30)) {
      return line;
    }
    return `[\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value);
    if (members.length === 0) {
      return "{}";
    }
    return `{\n${members.flatMap(([name, member]) => property(name, member, depth + 1)).join("\n")}\n${indent}}`;
  }
  return typeof value === "number" ? numberText(value) : JSON.stringify(value);
}

function numberText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) >= 10_000 ? value.toString().replaceAll(/\B(?=(\d{3})+$)/g, "_") : String(value);
}
