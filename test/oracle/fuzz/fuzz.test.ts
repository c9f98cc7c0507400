/**
 * A short fixed run of generated statements, half of them in turn (all with ORRERY_TEST_ALL=1); `npm run fuzz` is the long one.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { drawCase } from "./run/cases.ts";
import { normalAnswer, normalRows } from "./run/normal.ts";
import { isInTurn, runsAll } from "../../support/programs/rotation.ts";
import { Random } from "./random.ts";
import { LoadedTables, oracleLines, runFuzz } from "./run/run.ts";
import { shrinkChoices, shrinkTables } from "./run/shrink.ts";
import { drawTables } from "./tables.ts";
import { Worlds } from "./run/worlds.ts";

let worlds: Worlds;

beforeAll(async () => {
  worlds = await Worlds.open();
});

afterAll(async () => {
  await worlds.close();
});

it("generated statements agree everywhere", async () => {
  const reports: string[] = [];
  const { statements, skipped } = await runFuzz(new LoadedTables(worlds), {
    seed: 1,
    from: runsAll || isInTurn(0) ? 0 : 75,
    count: runsAll ? 150 : 75,
    shrink: false,
    everyRule: false,
    failuresMax: 20,
    stopped: () => false,
    onFailure: ({ report }) => reports.push(report),
  });
  expect(reports.join("\n\n")).toBe("");
  // Most statements are compared.
  expect([...skipped.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(statements / 4);
});

it("a seed determines the statements, and so does the list of its decisions", () => {
  for (let seed = 0; seed < 50; seed++) {
    const tables = drawTables(new Random(seed));
    const random = new Random(seed, 7);
    const made = drawCase(random, tables);
    expect(drawCase(new Random(seed, 7), drawTables(new Random(seed)))).toEqual(made);
    expect(drawCase(Random.replay(random.choices), tables)).toEqual(made);
  }
});

it("what fails shrinks to little: of statements with LIKE the shortest, of tables the row that matters", async () => {
  const tables = drawTables(new Random(3));
  for (let stream = 0, shrunk = 0; shrunk < 3; stream++) {
    const random = new Random(3, stream);
    const made = drawCase(random, tables);
    if (!/ LIKE /.test(made.query.text.engine)) {
      continue;
    }
    shrunk++;
    const small = await shrinkChoices(
      { made, choices: random.choices, spans: random.spans },
      {
        make: (drawn) => drawCase(drawn, tables),
        size: ({ query }) => query.text.engine.length,
        fails: ({ query }) => Promise.resolve(/ LIKE /.test(query.text.engine)),
        trialsMax: 5000,
      },
    );
    expect(small.made.query.text.engine.length).toBeLessThanOrEqual(Math.min(160, made.query.text.engine.length));
  }
  const wanted = tables[1]?.rows[3];
  const left = await shrinkTables(tables, {
    fails: (candidate) => Promise.resolve(candidate.some(({ rows }) => rows.some((row) => row[0] === wanted?.[0]))),
    trialsMax: 5000,
  });
  expect(left.map(({ rows, columns }) => [rows.length, columns.length])).toEqual([
    [0, 1],
    [1, 1],
    [0, 1],
    [0, 1],
  ]);
});

it("a failure becomes a statement of the oracle's file that needs no tables", () => {
  const tables = drawTables(new Random(4)).slice(0, 1);
  const made = {
    changes: [],
    query: { text: { engine: "SELECT k FROM t0", duckdb: "SELECT k FROM t0" }, ordered: false },
    same: [],
    session: {},
    far: false,
    withoutRules: [],
  };
  const lines = oracleLines({ index: 5, verdict: { wrong: "rows", asked: [] }, made, tables, report: "" }, 4).split("\n");
  expect(lines[0]).toBe("-- Seed 4, statement 5: rows");
  expect(lines[1]).toMatch(/^WITH t0 AS \(SELECT CAST\(.*\) SELECT k FROM t0;$/);
  expect(lines[2]).toMatch(/^duckdb: WITH t0 AS /);
});

it("cells of types that DuckDB has not are compared as what stands for them there", () => {
  const types = [
    "interval day to second",
    "interval year to month",
    "varbinary",
    "time",
    "timestamp(3) with time zone",
    "map(varchar, bigint)",
    "array(bigint)",
  ];
  const engine = ["-1 01:00:00.001", "-0-3", "YWI=", "12:00:00.000", "2024-03-10 12:00:00.500 America/New_York", { b: 2, a: "1" }, [1, 2]];
  const duckdb = [-90_000_001n, -3, "6162", "12:00:00", "2024-03-10 16:00:00.5+00", { a: 1n, b: 2n }, [1n, 2n]];
  const { rows } = normalAnswer({ types, rows: [engine] });
  expect(rows[0]?.map(String)).toEqual(normalRows(types, [duckdb], "duckdb")[0]?.map(String));
  // Equal instants in different zones are equal; all others differ.
  const moments = ["2024-03-10 11:00:00.500 America/Chicago", "2024-03-10 12:00:00.500 America/Chicago"].map((cell) => [cell]);
  const [same, later] = normalRows(types.slice(4, 5), moments, "engine");
  expect(same?.[0]).toBe(rows[0]?.[4]);
  expect(later?.[0]).not.toBe(rows[0]?.[4]);
});
