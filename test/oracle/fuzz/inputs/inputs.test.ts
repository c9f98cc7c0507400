/** Bounded runs of the fuzzers of inputs, their judges and their shrinker. */
import { expect, it } from "vitest";
import type { Random } from "../random.ts";
import { fuzzInputs } from "./runner.ts";
import type { FuzzTarget } from "./target.ts";
import { targets, type TargetEntry } from "./targets.ts";
import { judge } from "./targets/http.ts";
import { judgeError } from "./targets/sql.ts";

it.each([
  ["http", 100, ["200", "400", "404"]],
  ["sql", 60, ["SYNTAX_ERROR", "COLUMN_NOT_FOUND", "TYPE_MISMATCH", "answered"]],
  ["parquet", 40, ["rows", "FILE_BAD_DATA"]],
  ["csv", 30, ["rows"]],
  ["json", 30, ["rows", "FILE_BAD_DATA"]],
  ["sqlite", 20, ["rows", "FILE_BAD_DATA"]],
  ["delta", 15, ["rows", "FILE_BAD_DATA"]],
  ["iceberg", 15, ["rows", "FILE_BAD_DATA"]],
  ["postgresql", 10, ["rows", "JDBC_ERROR"]],
  ["mysql", 10, ["rows", "JDBC_ERROR"]],
  ["cluster", 8, ["rows", "JDBC_ERROR"]],
  ["stores", 40, ["rows", "CONNECTOR_ERROR"]],
  ["rest", 30, ["rows", "CONNECTOR_ERROR"]],
  ["frames", 400, ["read as sent", "read, sealed again", "Page is corrupt: its checksum does not match"]],
  ["tape", 100, ["read", "it does not begin with a recording's header"]],
  ["properties", 200, ["read", "refused"]],
] as const)("finds nothing in some %s", { timeout: 120_000 }, async (name, count, expected) => {
  const target = await (targets.get(name) as TargetEntry).open();
  try {
    const { failures, outcomes } = await fuzzInputs(target, { seed: 85, from: 0, count });
    // The differences that a failed comparison shows are cut short.
    expect(failures, JSON.stringify(failures, undefined, 1)).toEqual([]);
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining([...expected]));
  } finally {
    await target.close?.();
  }
});

it.each([
  [undefined, "no answer"],
  ["garbage", "not HTTP"],
  ["HTTP/1.1 500 Internal Server Error\r\n\r\nbad", "status 500"],
  ['HTTP/1.1 200 OK\r\n\r\n{"errorName":"GENERIC_INTERNAL_ERROR"}', "an internal error"],
  ["HTTP/1.1 400 Bad Request\r\n\r\nno file /tmp/a/b.csv", "tells of the program"],
  ["HTTP/1.1 400 Bad Request\r\n\r\n    at parse (file.js:10:3)", "tells of the program"],
])("judges %j", (answer, expected) => {
  expect(judge(answer)?.kind).toBe(expected);
});

it("has nothing against a refusal", () => {
  expect(judge("HTTP/1.1 404 Not Found\r\n\r\nQuery not found")).toBeUndefined();
});

it.each([
  ["GENERIC_INTERNAL_ERROR", "bad", "GENERIC_INTERNAL_ERROR"],
  ["SYNTAX_ERROR", "mismatched input", "no place"],
  ["DIVISION_BY_ZERO", "x is not a function", "message"],
  ["DIVISION_BY_ZERO", "Division by zero", undefined],
])("judges %s: %s", (errorName, message, expected) => {
  expect(judgeError("SELECT 1", { errorName, message })?.kind).toBe(expected);
});

/** Lists of numbers that fail if they hold the last digit 7. */
const sevens: FuzzTarget<readonly number[]> = {
  draw: (random: Random) => Array.from({ length: 1 + random.below(20) }, () => random.below(1000)),
  run: (input) => (input.some((one) => one % 10 === 7) ? { outcome: "bad", fault: { kind: "seven", detail: "7" } } : { outcome: "good" }),
  smaller: (input) => input.map((_, index) => input.filter((_one, at) => at !== index)),
  show: (input) => input.join(" "),
};

it("makes failing inputs small, counts those like them, and draws the same from a seed", async () => {
  const first = await fuzzInputs(sevens, { seed: 3, from: 0, count: 50 });
  expect(first.failures.map(({ input }) => /^\d*7$/.test(input))).toEqual([true]);
  expect(first.repeated).toBe((first.outcomes.get("bad") as number) - 1);
  const second = await fuzzInputs(sevens, { seed: 3, from: first.failures[0]?.number as number, count: 1 });
  expect(second.failures).toEqual(first.failures);
});
