/** Planted violations of the model of queries that another cluster runs: a fabricated cluster in which a query goes on. */
import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../../sim/checkers/models/model.ts";
import { routedQueries } from "../../../../../sim/checkers/models/query/routed-queries.ts";
import { encodeUtf8 } from "../../../../../src/types/utf8.ts";
import { FabricatedRun } from "../fabricated.ts";

const remote = { name: "far", clockOffsetMs: 0, clockDriftPpm: 0, errorDuration: "1s", rules: [] };

/** A query ends after a second; the other cluster says that its query is in this state, and somebody looks at `lookMs`. */
async function told(state: string, lookMs: number, act: (run: FabricatedRun) => unknown = () => undefined): Promise<FabricatedRun> {
  const handle = (): Promise<unknown> =>
    Promise.resolve({ status: 200, headers: {}, body: encodeUtf8(JSON.stringify([{ queryId: "there", state }])) });
  const run = new FabricatedRun(routedQueries, { remote }, { node: (() => ({ handle })) as unknown as Judged["node"] });
  run.transition(1, "query", "here", "QUEUED -> PLANNING").transition(1_000, "query", "here", "RUNNING -> FAILED");
  act(run);
  run.look(lookMs).look(lookMs + 1);
  await new Promise((resolve) => setImmediate(resolve));
  return run;
}

describe("the model of queries that another cluster runs", () => {
  it("says nothing of one that has ended there, once for each time without queries", async () => {
    expect(await told("FAILED", 5_000)).toMatchObject({ said: [], held: 1 });
    expect(await told("FINISHED", 5_000)).toMatchObject({ said: [], held: 1 });
  });

  it("waits until the other cluster has been told, and for queries that still run here", async () => {
    expect(await told("RUNNING", 3_000)).toMatchObject({ said: [], held: 0 });
    expect(await told("RUNNING", 9_000, (run) => run.transition(2_000, "query", "other", "QUEUED -> PLANNING"))).toMatchObject({
      said: [],
    });
    expect(await told("RUNNING", 9_000, (run) => run.note(2_000, "c", "start", "life 2"))).toMatchObject({ said: [] });
  });

  it("speaks of one that goes on", async () => {
    const { said } = await told("RUNNING", 5_000);
    expect(said.join()).toContain("far still has there as RUNNING");
  });
});
