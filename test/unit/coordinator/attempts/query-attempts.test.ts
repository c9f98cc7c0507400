import { describe, expect, test } from "vitest";
import type { CoordinatorConfig } from "../../../../src/coordinator/context.ts";
import { failureDocument } from "../../../../src/protocol/documents/fields.ts";
import { settle } from "../../../support/manual-clock.ts";
import { start, threeStages } from "../fake-workers.ts";
import { nextUri, type Reply, stateOf } from "../fakes.ts";

const retry: CoordinatorConfig["retry"] = {
  policy: "QUERY",
  attemptsMax: 2,
  taskAttemptsMax: 4,
  initialDelayMs: 100,
  delayMsMax: 150,
  delayScaleFactor: 2,
};

async function begin(config: Partial<CoordinatorConfig> = {}) {
  const run = await start(threeStages(), { retry, ...config });
  const { world, workers } = run;
  const lose = async (number: number): Promise<void> => {
    world.cluster.workers = world.cluster.workers.filter(({ nodeId }) => nodeId !== `worker-${number}`);
    world.cluster.gone.add(`http://worker-${number}:1`);
    world.cluster.changed();
    await settle();
  };
  const created = (): readonly string[] =>
    workers.log.filter((line) => line.startsWith("create ")).map((line) => line.slice(line.indexOf(".") + 1));
  return { ...run, lose, created };
}

/** A query whose client has the rows of the first frame, and that runs again after a lost worker. `third`: its next request. */
async function runAgain(
  frames: readonly (readonly string[])[],
  between: (run: Awaited<ReturnType<typeof begin>>) => Promise<void> = async () => {},
) {
  const run = await begin();
  const { world, lose, first } = run;
  for (const frame of frames) {
    world.root.push(world.frame(frame));
  }
  const reply = world.ask("GET", nextUri(first));
  await world.clock.advance(100);
  const second = await reply;
  await lose(2);
  await world.clock.advance(100);
  await settle();
  await between(run);
  return { ...run, third: world.ask("GET", nextUri(second)) };
}

function rowsOf(reply: Reply): readonly unknown[] {
  return ((reply.json["data"] ?? []) as readonly (readonly unknown[])[]).map(([cell]) => cell);
}

describe("a query that loses a worker", () => {
  test("runs again with the same tasks on the worker that is left, and skips the rows that its client has", async () => {
    const { world, workers, lose, created, first, id } = await begin();
    world.root.push(world.frame(["a", "b"]));
    world.root.push(world.frame(["c"]));
    const reply = world.ask("GET", nextUri(first));
    await world.clock.advance(100);
    const second = await reply;
    // The last page waits for the end.
    expect(rowsOf(second)).toEqual(["a", "b"]);
    await lose(2);
    expect(stateOf(second)).toBe("RUNNING");
    // Nothing runs before the delay is over, and the tasks of the attempt are gone by then.
    expect(created()).toHaveLength(3);
    expect([...workers.states.keys()].filter((taskId) => taskId.startsWith(id) && !taskId.endsWith("1.1"))).toEqual([]);
    await world.clock.advance(100);
    await settle();
    expect(created().slice(3)).toEqual(["2.1", "1.2", "1.3"]);
    expect(workers.bodies.get(`${id}.1.3`)).toMatchObject({
      partition: 1,
      sources: [{ splits: [{ split: { location: `http://worker-1:1/v1/task/${id}.2.1/results/1` } }] }],
    });
    expect(workers.bodies.get(`${id}.1.1`)).not.toHaveProperty("partition");
    const third = world.ask("GET", nextUri(second));
    // Other pages, the same rows.
    world.root.push(world.frame(["a"]));
    world.root.push(world.frame(["b", "c", "d"]));
    world.root.finishOutput();
    await settle();
    for (const task of ["2.1", "1.2", "1.3"]) {
      workers.set(`${id}.${task}`, "FINISHED");
    }
    await world.clock.advance(100);
    const last = await third;
    expect([rowsOf(last), stateOf(last), last.json["error"]]).toEqual([["c", "d"], "FINISHED", undefined]);
    expect(world.cluster.listenerCount).toBe(0);
    expect(world.memory.root.reservedBytes).toBe(0);
  });

  test("fails with the loss if its rows are others than before", async () => {
    const { world, third } = await runAgain([["a"], ["b"]]);
    world.root.push(world.frame(["x", "b"]));
    await world.clock.advance(100);
    expect((await third).json["error"]).toMatchObject({
      errorName: "REMOTE_HOST_GONE",
      message: expect.stringContaining("what it reads has changed since its first rows were returned") as string,
    });
    expect(world.memory.root.reservedBytes).toBe(0);
  });

  test("fails with the loss if it has fewer rows than before", async () => {
    const { world, third } = await runAgain([["a", "b"], ["c"]]);
    world.root.push(world.frame(["a"]));
    world.root.finishOutput();
    await world.clock.advance(100);
    expect((await third).json["error"]).toMatchObject({ errorName: "REMOTE_HOST_GONE" });
  });

  test("ends with the rows that its client has if a stage is cancelled while it runs again, and fails if its rows are others", async () => {
    const cutShort = async (rows: readonly string[]) => {
      const { world, workers, id, third } = await runAgain([["a", "b"], ["c"]], async (run) => {
        await run.world.ask("DELETE", `/v1/stage/${run.id}.2`);
      });
      world.root.push(world.frame(rows));
      world.root.finishOutput();
      await settle();
      for (const task of ["2.1", "1.2", "1.3"]) {
        workers.set(`${id}.${task}`, "FINISHED");
      }
      await world.clock.advance(100);
      const last = await third;
      expect(world.memory.root.reservedBytes).toBe(0);
      return last;
    };
    const last = await cutShort(["a"]);
    expect([rowsOf(last), stateOf(last), last.json["error"]]).toEqual([[], "FINISHED", undefined]);
    expect(last.json["warnings"]).toMatchObject([{ message: expect.stringContaining("rows may be missing from the result") as string }]);
    expect((await cutShort(["x", "b"])).json["error"]).toMatchObject({
      errorName: "REMOTE_HOST_GONE",
      message: expect.stringContaining("a stage was canceled while it ran again") as string,
    });
  });

  test("runs again as often as it may, and fails with its first loss", async () => {
    const { world, workers, lose, created, first, id } = await begin();
    const reply = world.ask("GET", nextUri(first));
    await lose(2);
    await world.clock.advance(100);
    await settle();
    workers.set(`${id}.2.1`, "FAILED", { failures: [failureDocument({ errorName: "ABANDONED_TASK", message: "no news" })] });
    await settle();
    // The second delay is twice the first one, and bounded.
    await world.clock.advance(149);
    expect(created()).toHaveLength(6);
    await world.clock.advance(1);
    await settle();
    expect(created().slice(6)).toEqual(["2.2", "1.4", "1.5"]);
    workers.set(`${id}.2.2`, "FAILED", { failures: [failureDocument({ errorName: "ABANDONED_TASK", message: "no news" })] });
    await settle();
    expect((await reply).json["error"]).toMatchObject({ errorName: "REMOTE_HOST_GONE" });
    await world.clock.advance(1000);
    expect(created()).toHaveLength(9);
  });

  test("does not run again for an error of the statement, a cancelled stage, or a session that says NONE", async () => {
    const failed = await begin();
    const reply = failed.world.ask("GET", nextUri(failed.first));
    failed.workers.set(`${failed.id}.1.0`, "FAILED", {
      failures: [failureDocument({ errorName: "DIVISION_BY_ZERO", message: "Division by zero" })],
    });
    expect((await reply).json["error"]).toMatchObject({ errorName: "DIVISION_BY_ZERO" });

    const cut = await begin();
    await cut.world.ask("DELETE", `/v1/stage/${cut.id}.2`);
    const cutReply = cut.world.ask("GET", nextUri(cut.first));
    await cut.lose(2);
    expect((await cutReply).json["error"]).toMatchObject({ errorName: "REMOTE_HOST_GONE" });

    const none = await start(threeStages(), { retry }, { "x-engine-session": "retry_policy=NONE" });
    const noneReply = none.world.ask("GET", nextUri(none.first));
    await settle();
    none.world.cluster.gone.add("http://worker-2:1");
    none.world.cluster.changed();
    expect((await noneReply).json["error"]).toMatchObject({ errorName: "REMOTE_HOST_GONE" });
  });

  test("runs only lost tasks again with retry-policy TASK, and fails if a stage is cancelled while they wait for that", async () => {
    const tasks = { retry: { ...retry, policy: "TASK" } } as const;
    const kept = await begin(tasks);
    await kept.lose(2);
    expect(kept.created()).toHaveLength(3);
    // The node is known to be gone, so nothing is gained by a delay.
    await kept.world.clock.advance(1);
    await settle();
    // Pages of the source were taken, so it runs again too. The task that is not lost goes on, and hears where.
    expect(kept.created().slice(3)).toEqual(["1.3", "2.1", "1.0"]);
    expect(kept.workers.bodies.get(`${kept.id}.1.0`)).toMatchObject({
      replacedSources: [{ to: `http://worker-1:1/v1/task/${kept.id}.2.1/results/0` }],
    });
    await kept.world.ask("DELETE", nextUri(kept.first));

    const cut = await begin(tasks);
    const reply = cut.world.ask("GET", nextUri(cut.first));
    await cut.lose(2);
    await cut.world.ask("DELETE", `/v1/stage/${cut.id}.2`);
    await cut.world.clock.advance(100);
    await settle();
    expect((await reply).json["error"]).toMatchObject({ errorName: "REMOTE_HOST_GONE" });
    expect(cut.created()).toHaveLength(3);
    expect([kept, cut].map(({ world }) => [world.memory.root.reservedBytes, world.cluster.listenerCount])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  test("waits for a worker when none is left, and then ends with its loss", async () => {
    const { world, lose, created, first } = await begin({ noWorkersMaxWaitMs: 400 });
    const { workers } = world.cluster;
    const reply = world.ask("GET", nextUri(first));
    await lose(2);
    await lose(1);
    await world.clock.advance(300);
    world.cluster.workers = workers.slice(0, 1).map((worker) => ({ ...worker, incarnation: "life-3" }));
    world.cluster.gone.clear();
    world.cluster.changed();
    await settle();
    expect(created()).toHaveLength(6);
    await lose(1);
    await world.clock.advance(1000);
    expect((await reply).json["error"]).toMatchObject({ errorName: "REMOTE_HOST_GONE" });
    expect(created()).toHaveLength(6);
    expect(world.clock.labels).not.toContain("query-retry-workers");
  });

  test("leaves nothing when it is cancelled while it waits to run again", async () => {
    const { world, lose, created, first } = await begin();
    await lose(2);
    expect((await world.ask("DELETE", nextUri(first))).status).toBe(204);
    await world.clock.advance(1000);
    expect(created()).toHaveLength(3);
    expect(world.cluster.listenerCount).toBe(0);
    expect(world.memory.root.reservedBytes).toBe(0);
  });
});
