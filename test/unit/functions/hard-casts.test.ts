/**
 * Casts of large values between all types: a value or a declared error, and pieces of some milliseconds between two turns.
 */
import { expect, it } from "vitest";
import { QueryError } from "../../../src/protocol/errors.ts";
import { prepareHardExpression } from "../../support/functions/hard-calls.ts";
import { makeShortSlices } from "../../support/functions/short-slices.ts";

const sliceSteps = 500;
const pieceStepsMax = 4_000;
const elements = 7_500;

const numbers = `sequence(1, ${elements})`;
const texts = `transform(${numbers}, i -> CAST(i AS varchar))`;

const sources: readonly string[] = [
  numbers,
  texts,
  `transform(${numbers}, i -> ARRAY[i, NULL])`,
  `transform(${numbers}, i -> ROW(i, CAST(i AS varchar)))`,
  `transform(${numbers}, i -> CAST(i AS json))`,
  `MAP(${texts}, ${numbers})`,
  `MAP(${numbers}, transform(${numbers}, i -> ARRAY[i]))`,
  `ROW(${numbers}, rpad('', 100000, 'ab'))`,
  "rpad('', 1200000, 'ab1 /.')",
  "rpad('', 1200000, '1')",
  "to_utf8(rpad('', 1200000, 'ab1 /.'))",
  `CAST(MAP(${texts}, ${numbers}) AS json)`,
  `CAST(${numbers} AS json)`,
  "json_parse('\"' || rpad('', 1200000, '1') || '\"')",
  "DOUBLE '1.5'",
];

const targets = [
  "varchar, char(10), varbinary, json, boolean, bigint, double, decimal(38;10), date, timestamp with time zone, interval day to second",
  "uuid, ipaddress, array(varchar), array(double), array(json), array(array(varchar)), array(row(a varchar; b varchar))",
  "map(varchar; varchar), map(varchar; json), map(bigint; array(varchar)), row(a array(varchar); b varchar), row(a json; b json)",
].flatMap((line) => line.split(", ").map((target) => target.replaceAll(";", ",")));

it("casts large values in pieces", { timeout: 120_000 }, async () => {
  const hard = { world: makeShortSlices(sliceSteps), sizes: { text: 0, elements: 0 }, made: new Map() };
  const used = hard.world.memory.reservedBytes;
  const failures: string[] = [];
  let cast = 0;
  for (const source of sources) {
    for (const target of targets) {
      let longest = 0;
      let errorName: string | undefined;
      try {
        const prepared = await prepareHardExpression(hard, [source], `CAST(c0 AS ${target})`);
        cast++;
        errorName = prepared.run((steps) => {
          longest = Math.max(longest, steps ?? 0);
        });
      } catch (error) {
        errorName = error instanceof QueryError ? error.errorName : String(error);
      }
      if (longest > sliceSteps + pieceStepsMax || !["TYPE_MISMATCH", "INVALID_CAST_ARGUMENT", undefined].includes(errorName)) {
        failures.push(`${source} as ${target}: ${longest} steps without a turn, ${errorName}`);
      }
    }
  }
  expect(failures).toEqual([]);
  expect(cast).toBeGreaterThan(60);
  expect(hard.world.memory.reservedBytes).toBe(used);
});
