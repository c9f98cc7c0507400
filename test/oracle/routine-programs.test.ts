/**
 * Random bodies of SQL functions give the same results in WebAssembly, in the interpreter and in a reference
 * (routine-programs.ts): sixty of them, and twice as many with ORRERY_TEST_ALL=1.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { runsAll } from "../support/programs/rotation.ts";
import { Asker } from "../support/service.ts";
import { functionText, evaluateProgram, programs, type Value } from "./routine-programs.ts";

const headers = { "x-engine-user": "programs", "x-engine-catalog": "tpch", "x-engine-schema": "tiny" };

let clusters: readonly LoopbackCluster[];

beforeAll(async () => {
  clusters = await Promise.all([
    startLoopbackCluster(),
    startLoopbackCluster({ properties: { "node.kernel-backend": "interpreter", "task.max-slice-rows": "7" } }),
  ]);
});

afterAll(() => Promise.all(clusters.map((cluster) => cluster.stop())));

const argumentsOf = (nation: bigint): readonly [Value, Value] => [(nation % 5n) - 2n, nation % 7n === 3n ? null : nation % 7n];

// A slice has 50,000 steps, so with this much work the page of 25 rows is split several times.
const work = fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 3000);

it("runs statements, loops and labels as they are written", async () => {
  const property = fc.asyncProperty(programs, work, async (program, more) => {
    const sql = `WITH ${functionText(program, more)} SELECT nationkey, TRY(f(nationkey % 5 - 2, nullif(nationkey % 7, 3))) FROM nation ORDER BY 1`;
    const expected = Array.from({ length: 25 }, (_, row) => [row, numberOf(evaluateProgram(program, ...argumentsOf(BigInt(row))))]);
    for (const cluster of clusters) {
      expect(await new Asker(cluster, headers).rows(sql), sql).toEqual(expected);
    }
  });
  await fc.assert(property, { numRuns: runsAll ? 120 : 60, seed: 15 });
});

function numberOf(value: Value): number | null {
  return value === null ? null : Number(value);
}
