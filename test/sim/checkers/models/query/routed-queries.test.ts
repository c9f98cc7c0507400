/** Planted violations of the model of queries that another cluster runs: a fabricated cluster in which a query goes on. */
import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../../sim/checkers/models/model.ts";
import { routedQueries } from "../../../../../sim/checkers/models/query/routed-queries.ts";
import { encodeUtf8 } from "../../../../../src/types/utf8.ts";
import { FabricatedRun } from "../fabricated.ts";

const remote = { name: "far", clockOffsetMs: 0, clockDriftPpm: 0, errorDuration: "1s", rules: [] };

/** A query ends after a second; the other cluster has its run in this state, and somebody looks at `lookMs`. */
async function told(state: string, lookMs: number, act: (run: FabricatedRun) => unknown = () => undefined): Promise<FabricatedRun> {
  const documents: Readonly<Record<string, object>> = {
    "/v1/query/here": { state: "FAILED", routedTo: { cluster: "far", queryId: "there" } },
    "/v1/query/local": { state: "FINISHED" },
    "/v1/query/there": { state },
  };
  const handle = ({ url }: { readonly url: string }): Promise<unknown> => {
    const document = documents[url];
    return Promise.resolve({ status: document === undefined ? 404 : 200, headers: {}, body: encodeUtf8(JSON.stringify(document ?? {})) });
  };
  const run = new FabricatedRun(routedQueries, { remote }, { node: (() => ({ handle })) as unknown as Judged["node"] });
  run.transition(900, "query", "local", "RUNNING -> FINISHED").transition(950, "query", "unknown", "RUNNING -> FINISHED");
  run.transition(1_000, "query", "here", "RUNNING -> FAILED");
  act(run);
  run.look(lookMs).look(lookMs + 1);
  await new Promise((resolve) => setImmediate(resolve));
  return run;
}

describe("the model of queries that another cluster runs", () => {
  it("says nothing of one that has ended there, once for each query", async () => {
    expect(await told("FAILED", 5_000)).toMatchObject({ said: [], held: 1 });
    expect(await told("FINISHED", 5_000)).toMatchObject({ said: [], held: 1 });
  });

  it("waits until the other cluster has been told", async () => {
    expect(await told("RUNNING", 3_000)).toMatchObject({ said: [], held: 0 });
    expect(await told("RUNNING", 9_000, (run) => run.note(2_000, "c", "start", "life 2"))).toMatchObject({ said: [], held: 0 });
  });

  it("speaks of one that goes on, also while other queries run here", async () => {
    const { said } = await told("RUNNING", 5_000, (run) => run.transition(2_000, "query", "other", "QUEUED -> PLANNING"));
    expect(said.join()).toContain("far still has there as RUNNING, seconds after here");
  });
});
