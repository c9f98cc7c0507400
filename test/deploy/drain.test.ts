/** A worker with running tasks that gets SIGTERM, as from an orchestrator without a preStop hook. */
import { afterEach, describe, expect, it } from "vitest";
import { RealClock } from "../../src/server/ports/clock.ts";
import { RealNetwork } from "../../src/server/transport/network.ts";
import { runQuery, type Sender } from "../../src/testing/query.ts";
import { type Program, startProgram, startServer } from "../support/programs/server-process.ts";

const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) {
    await close();
  }
});

function stopped(program: Program): void {
  closers.push(async () => {
    program.kill("SIGKILL");
    await program.ended;
  });
}

function senderTo(server: string): Sender {
  const clock = new RealClock();
  const network = new RealNetwork({ host: "127.0.0.1", port: 0, bodyBytesMax: 1, eventLoopDelayMsMax: 60_000, processForwarded: false });
  closers.push(async () => {
    await network.close();
    clock.close();
  });
  return { network, clock, server };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("SIGTERM without a preStop hook", () => {
  it("lets a worker finish its tasks: the query succeeds, the process ends with 0, and new queries go to the others", async () => {
    const coordinator = await startServer(["--workers", "0"], { environment: { ORRERY_NODE_SCHEDULER_INCLUDE_COORDINATOR: "false" } });
    stopped(coordinator);
    const workers = await Promise.all(
      ["one", "two"].map(async (id) => {
        const worker = startProgram("worker", ["--coordinator", coordinator.uri, "--node-id", id]);
        stopped(worker);
        const [, uri = ""] = await worker.waitFor(/listens on (\S+)/);
        return { worker, uri };
      }),
    );
    const sender = senderTo(coordinator.uri);
    const [leaving] = workers as [{ readonly worker: Program; readonly uri: string }];
    await until(async () => {
      const nodes = await runQuery("SELECT node_id FROM system.runtime.nodes WHERE state = 'active' AND NOT coordinator", {}, sender);
      return nodes.rows.length === workers.length;
    });
    const running = runQuery("SELECT count(*), sum(totalprice) > 0 FROM tpch.sf1.orders", {}, sender);
    await until(async () => {
      const tasks = (await (await fetch(`${leaving.uri}/v1/task`)).json()) as readonly { readonly state?: string }[];
      return tasks.length > 0;
    });
    leaving.worker.kill("SIGTERM");
    expect((await running).rows).toEqual([[1_500_000n, true]]);
    expect(await leaving.worker.ended).toBe(0);
    expect(leaving.worker.errors()).toContain("SIGTERM: finishing running tasks");
    const { rows } = await runQuery("SELECT count(*) FROM tpch.tiny.lineitem", {}, sender);
    expect(rows).toEqual([[60_175n]]);
    const nodes = await runQuery("SELECT node_id FROM system.runtime.nodes WHERE state = 'active' AND NOT coordinator", {}, sender);
    expect(nodes.rows).toEqual([["two"]]);
  });
});
