/**
 * The examples of the window functions, on a whole cluster.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { windowDefinitions } from "../../../src/functions/registry/windows.ts";
import type { JsonValue } from "../../../src/protocol/json.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../../support/loopback-cluster.ts";
import { Asker } from "../../support/service.ts";

let cluster: LoopbackCluster;

beforeAll(async () => {
  cluster = await startLoopbackCluster();
});

afterAll(() => cluster.stop());

async function ask(sql: string): Promise<readonly JsonValue[][]> {
  const engine = new Asker(cluster, { "x-engine-user": "examples" });
  const responses = await engine.chain(sql);
  expect((responses.at(-1)?.["error"] as { message: string } | undefined)?.message, sql).toBeUndefined();
  return responses.flatMap((response) => (response["data"] ?? []) as JsonValue[][]);
}

describe("examples of window functions", () => {
  const examples = windowDefinitions.flatMap(({ example }) => (example === undefined ? [] : [example]));

  it.each(examples.map(({ sql, result }) => [sql, result] as const))("%s", async (sql, result) => {
    const from = "FROM (VALUES (1, 10), (2, NULL), (2, 30), (4, 40)) t(k, v)";
    const rows = await ask(`SELECT CAST(x AS varchar) FROM (SELECT k, v, ${sql} x ${from}) t ORDER BY k, v`);
    // Among the peers with k = 2 the NULL comes last, as in the example.
    expect(rows.map(([cell]) => cell)).toEqual(result);
  });

  it("exist for every function", () => {
    const named = new Set(windowDefinitions.flatMap(({ name, example }) => (example === undefined ? [] : [name])));
    expect(windowDefinitions.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  });

  it("are listed with their kind", async () => {
    const rows = await ask("SHOW FUNCTIONS LIKE 'dense_rank'");
    expect(rows.map(([name, , , kind]) => [name, kind])).toEqual([["dense_rank", "window"]]);
  });
});
