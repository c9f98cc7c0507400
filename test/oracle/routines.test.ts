/**
 * SQL functions: the same rows in the interpreter and in WebAssembly, resolution by path, EXPLAIN, and cancellation of endless loops.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker, type StatementAnswer, textOf } from "../support/service.ts";
import { parseStatements } from "./statements.ts";

const headers = { "x-engine-user": "routines", "x-engine-catalog": "tpch", "x-engine-schema": "tiny" };
const folder = join(dirname(fileURLToPath(import.meta.url)), "statements");

/** Large integers are bigint. */
function rowText(row: readonly unknown[]): string {
  return JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}

/** Long loops, in a tenth of their rounds: both sides run the same, and the interpreter is slow. oracle.test.ts has them whole. */
function shortened(sql: string): string {
  return sql.replaceAll(/\b([1-9]\d)0(0\d)\b/g, "$1$2");
}

let compiled: LoopbackCluster;
let engine: Asker;

beforeAll(async () => {
  compiled = await startLoopbackCluster();
  engine = new Asker(compiled, headers);
});

afterAll(() => compiled.stop());

describe("the interpreter", () => {
  let interpreted: LoopbackCluster;
  beforeAll(async () => {
    interpreted = await startLoopbackCluster({ properties: { "node.kernel-backend": "interpreter", "task.max-slice-rows": "500" } });
  });
  afterAll(() => interpreted.stop());

  const statements = ["routines.sql", "routines-control.sql", "routines-examples.sql", "routines-for.sql"].flatMap((file) =>
    parseStatements(file, readFileSync(join(folder, file), "utf8")),
  );
  it.each(statements.map(({ place, sql }) => ({ place, sql: shortened(sql) })))("agrees: $place", async ({ sql }) => {
    const sorted = ({ error, rows }: StatementAnswer) => ({ error: error?.message, rows: rows.map(rowText).toSorted() });
    const [left, right] = [await engine.answer(sql), await new Asker(interpreted, headers).answer(sql)];
    expect(sorted(right)).toEqual(sorted(left));
  });
});

describe("names", () => {
  it("finds functions of the path behind those of the engine, and keeps the path with a function", async () => {
    await engine.rows("CREATE SCHEMA memory.first");
    await engine.rows("CREATE SCHEMA memory.second");
    await engine.rows("CREATE FUNCTION memory.first.one() RETURNS bigint RETURN 1");
    await engine.rows("CREATE FUNCTION memory.second.one() RETURNS bigint RETURN 2");
    await engine.rows("CREATE FUNCTION memory.second.abs(x bigint) RETURNS bigint RETURN 7");
    await engine.rows("CREATE FUNCTION memory.second.abs(x varchar) RETURNS bigint RETURN 8");
    const first = engine.with({ "x-engine-path": "memory.first, memory.second" });
    const second = engine.with({ "x-engine-path": "MEMORY.second,memory.first" });
    expect(await first.rows("SELECT one(), abs(-1), abs('a')")).toEqual([[1, 1, 8]]);
    expect(await second.rows("SELECT one(), abs(-1), abs('a')")).toEqual([[2, 1, 8]]);
    await second.rows("CREATE FUNCTION memory.first.indirect() RETURNS bigint RETURN one() * 10");
    expect(await engine.rows("SELECT memory.first.indirect()")).toEqual([[20]]);
    expect(await first.rows("SELECT indirect()")).toEqual([[20]]);
    expect(await first.rows("SHOW FUNCTIONS LIKE 'one'")).toEqual([
      ["one", "bigint", "", "scalar", true, ""],
      ["one", "bigint", "", "scalar", true, ""],
    ]);
    expect((await engine.answer("SELECT one()")).error?.message).toBe("line 1:8: Function 'one' not registered");
    const broken = engine.with({ "x-engine-path": "memory..first" });
    expect((await broken.answer("SELECT one()")).error?.errorName).toBe("FUNCTION_NOT_FOUND");
    expect(await engine.with({ "x-engine-catalog": "memory" }).rows("SELECT first.one()")).toEqual([[1]]);
  });

  it("asks the schemas of the path one after the other", async () => {
    await engine.rows("CREATE FUNCTION memory.first.typed(x double) RETURNS varchar RETURN 'first'");
    await engine.rows("CREATE FUNCTION memory.second.typed(x bigint) RETURNS varchar RETURN 'second'");
    expect(await engine.with({ "x-engine-path": "memory.first, memory.second" }).rows("SELECT typed(1), typed(1e0)")).toEqual([
      ["first", "first"],
    ]);
    expect(await engine.with({ "x-engine-path": "memory.second, memory.first" }).rows("SELECT typed(1), typed(1e0)")).toEqual([
      ["second", "first"],
    ]);
  });

  it("runs a function as its owner, unless it is declared otherwise", async () => {
    await engine.rows("CREATE FUNCTION memory.default.definer() RETURNS varchar RETURN current_user");
    await engine.rows("CREATE FUNCTION memory.default.invoker() RETURNS varchar SECURITY INVOKER RETURN current_user");
    const other = engine.with({ "x-engine-user": "other" });
    expect(await other.rows("SELECT memory.default.definer(), memory.default.invoker()")).toEqual([["routines", "other"]]);
  });

  it("prepares and explains statements with functions", async () => {
    const sql = "WITH FUNCTION f(x bigint) RETURNS bigint RETURN x + 1 SELECT f(regionkey) FROM region WHERE f(regionkey) = ?";
    const prepared = engine.with({ "x-engine-prepared-statement": `p=${encodeURIComponent(sql)}` });
    expect(await prepared.rows("EXECUTE p USING 3")).toEqual([[3]]);
    const inlined = textOf((await engine.rows(`EXPLAIN ${sql.replace("?", "3")}`))[0]?.[0]);
    expect(inlined).toMatch(/regionkey.*\+/);
    const loop =
      "WITH FUNCTION loops(x bigint) RETURNS bigint BEGIN WHILE x > 3 DO SET x = x - 3; END WHILE; RETURN x; END SELECT loops(regionkey + 1) FROM region";
    expect(textOf((await engine.rows(`EXPLAIN ${loop}`))[0]?.[0])).toContain("loops((");
    expect(textOf((await engine.rows(`EXPLAIN CREATE FUNCTION memory.default.f() RETURNS bigint RETURN 1`))[0]?.[0])).toContain(
      "CREATE FUNCTION",
    );
  });
});

describe("what never ends", () => {
  const forever =
    "WITH FUNCTION forever(x bigint) RETURNS bigint BEGIN LOOP SET x = x + 1; IF x < 0 THEN SET x = 0; END IF; END LOOP; RETURN x; END";
  const statements = [
    "SELECT forever(regionkey) FROM region",
    "SELECT count(*) FROM nation WHERE forever(nationkey) = 1",
    "SELECT forever(1)",
    "VALUES forever(1)",
    "SELECT transform(ARRAY[1, 2], x -> forever(x))",
    "SELECT TRY(forever(custkey)), count(*) FROM orders GROUP BY 1",
    "SELECT sum(forever(sum_of)) FROM (SELECT custkey, sum(orderkey) AS sum_of FROM orders GROUP BY custkey)",
    "SELECT custkey, max_by(orderkey, forever(orderkey)) FROM orders GROUP BY custkey",
    "SELECT count(*) FILTER (WHERE forever(nationkey) = 1) FROM nation",
    "SELECT * FROM nation n JOIN region r ON forever(n.regionkey + r.regionkey) = 1",
    "SELECT * FROM nation n LEFT JOIN region r ON n.regionkey = r.regionkey AND forever(n.nationkey + r.regionkey) = 1",
    "SELECT * FROM nation n FULL JOIN region r ON n.regionkey = r.regionkey AND forever(n.nationkey + r.regionkey) = 1",
    "SELECT * FROM nation n WHERE EXISTS (SELECT 1 FROM region r WHERE r.regionkey < forever(n.nationkey))",
    "SELECT sum(nationkey) OVER (ORDER BY forever(regionkey)) FROM nation",
    "SELECT array_agg(name ORDER BY forever(nationkey)) FROM nation",
    "SELECT * FROM nation CROSS JOIN UNNEST(sequence(1, forever(nationkey)))",
    "SELECT reduce_agg(nationkey, 0, (a, b) -> forever(a + b), (a, b) -> a + b) FROM nation",
  ];

  it.each(statements)("is ended by the limit of its time: %s", async (sql) => {
    const limited = engine.with({ "x-engine-session": "query_max_execution_time=400ms" });
    expect((await limited.answer(`${forever} ${sql}`)).error?.errorName).toBe("EXCEEDED_TIME_LIMIT");
  });

  it("is cancelled", async () => {
    let last = await engine.object("POST", "/v1/statement", `${forever} ${statements[0]}`);
    for (let round = 0; round < 3 && typeof last["nextUri"] === "string"; round++) {
      last = await engine.object("GET", last["nextUri"]);
    }
    const next = textOf(last["nextUri"]);
    expect((await engine.ask("DELETE", next)).status).toBe(204);
    const leftovers = (): readonly number[] => compiled.nodes.flatMap((node) => Object.values(node.leftovers()));
    for (let round = 0; round < 500 && leftovers().some((left) => left !== 0); round++) {
      await compiled.wait(10);
    }
    expect(leftovers().every((left) => left === 0)).toBe(true);
  });

  it("is an error where nothing can be cut", async () => {
    const limit = await engine.answer(`${forever} SELECT name FROM region LIMIT forever(1)`);
    expect(limit.error?.message).toContain("Expression takes too long to be computed while the query is planned");
  });
});

describe("the schema of functions", () => {
  let configured: LoopbackCluster;
  beforeAll(async () => {
    const properties = { "sql.path": "memory.default", "sql.default-function-catalog": "memory", "sql.default-function-schema": "Default" };
    configured = await startLoopbackCluster({ properties });
  });
  afterAll(() => configured.stop());

  it("takes functions without a schema, as in the examples of Trino's documentation", async () => {
    const user = new Asker(configured, headers);
    await user.rows("CREATE FUNCTION answer() RETURNS BIGINT RETURN 42");
    expect(await user.rows("SELECT answer() + 5")).toEqual([[47]]);
    expect(await user.rows("SHOW FUNCTIONS LIKE 'answer'")).toEqual([["answer", "bigint", "", "scalar", true, ""]]);
    expect(await user.rows("SHOW CREATE FUNCTION answer")).toEqual([
      ["CREATE FUNCTION memory.default.answer()\nRETURNS bigint\nRETURN 42"],
    ]);
    const elsewhere = user.with({ "x-engine-path": "memory.other" });
    expect((await elsewhere.answer("SELECT answer()")).error?.message).toBe("line 1:8: Function 'answer' not registered");
    expect((await user.answer("CREATE FUNCTION default.answer() RETURNS BIGINT RETURN 42")).error?.message).toBe(
      "line 1:1: Function name must be unqualified or fully qualified with catalog and schema",
    );
    await user.rows("DROP FUNCTION answer()");
    expect((await user.answer("DROP FUNCTION answer()")).error?.errorName).toBe("NOT_FOUND");
  });

  it("is set with its catalog", async () => {
    await expect(startLoopbackCluster({ properties: { "sql.default-function-catalog": "memory" } })).rejects.toThrow(
      "must be set together",
    );
  });
});

describe("what is too large", () => {
  it("is told as such: functions that call each other twice, and deep", async () => {
    const names = Array.from({ length: 40 }, (_, index) => index);
    const doubling = names.map((n) => `FUNCTION f${n}(x bigint) RETURNS bigint RETURN ${n === 0 ? "x" : `f${n - 1}(x) + f${n - 1}(x)`}`);
    expect((await engine.answer(`WITH ${doubling.join(", ")} SELECT f39(1)`)).error?.errorName).toBe("COMPILER_ERROR");
    const deep = Array.from(
      { length: 150 },
      (_, n) => `FUNCTION f${n}(x bigint) RETURNS bigint RETURN ${n === 0 ? "x" : `f${n - 1}(x) + 1`}`,
    );
    expect((await engine.answer(`WITH ${deep.join(", ")} SELECT f149(1)`)).error?.errorName).toBe("COMPILER_ERROR");
    const steps = Array.from({ length: 200 }, (_, n) => `SET x = x + ${n};`);
    const long = `WITH FUNCTION f(x bigint) RETURNS bigint BEGIN ${steps.join(" ")} RETURN x; END SELECT f(1)`;
    expect((await engine.answer(long)).error?.errorName ?? "none").toBe("COMPILER_ERROR");
  });
});
