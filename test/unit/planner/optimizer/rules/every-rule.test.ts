import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { distributedRules, optimizerRules } from "../../../../../src/planner/optimizer/optimizer.ts";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, "../../../../../src/planner/optimizer/rules");

test("every rule of the optimizer has a test", () => {
  const tests = readdirSync(here)
    .filter((file) => file.endsWith(".test.ts") && file !== "every-rule.test.ts")
    .map((file) => readFileSync(join(here, file), "utf8"));
  const rules = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && /: Rule = \{/.test(readFileSync(join(folder, file), "utf8")),
  );
  const untested = rules.filter((file) => {
    const name = /export const (\w+): Rule = /.exec(readFileSync(join(folder, file), "utf8"))?.[1] ?? "";
    return !tests.some((text) => text.includes(`rules/${file}"`) && text.includes(`after(${name}, `));
  });
  expect(untested).toEqual([]);
  expect(new Set([...optimizerRules, ...distributedRules]).size).toBe(rules.length);
});
