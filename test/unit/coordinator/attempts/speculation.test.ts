import { describe, expect, test } from "vitest";
import type { CoordinatorConfig } from "../../../../src/coordinator/context.ts";
import { failureDocument } from "../../../../src/protocol/documents/fields.ts";
import type { PlanFragment } from "../../../../src/planner/fragmenter/fragment.ts";
import { settle } from "../../../support/manual-clock.ts";
import { leaf, start, threeStages } from "../fake-workers.ts";
import { nextUri, rootFragment, stateOf } from "../fakes.ts";

const retry: CoordinatorConfig["retry"] = {
  policy: "TASK",
  attemptsMax: 2,
  taskAttemptsMax: 4,
  speculates: true,
  initialDelayMs: 100,
  delayMsMax: 150,
  delayScaleFactor: 2,
};

const scan: PlanFragment["root"] = {
  kind: "TableScan",
  id: "scan",
  table: { catalog: "t", name: { schema: "s", table: "t" }, handle: null, coordinatorOnly: false },
  outputs: [],
  columns: [],
};

/** Stage 0 reads stage 1, which scans a table of two splits with a task on each of two workers. */
function twoStages(root: PlanFragment["root"] = scan): PlanFragment[] {
  return [
    { ...rootFragment(), root: { kind: "RemoteSource", id: "r1", fragmentIds: [1], outputs: [] } },
    { ...leaf(1, "SOURCE"), root, scanIds: ["scan"] },
  ];
}

async function begin(fragments = twoStages(), config: Partial<CoordinatorConfig["retry"]> = {}) {
  const run = await start(fragments, { retry: { ...retry, ...config } });
  const { id, workers } = run;
  const told = (kind: string): readonly string[] =>
    workers.log.filter((line) => line.startsWith(kind)).map((line) => line.slice(line.indexOf(".") + 1));
  const set = async (
    task: string,
    ...[state, more]: [Parameters<typeof workers.set>[1], Parameters<typeof workers.set>[2]?]
  ): Promise<void> => {
    workers.set(`${id}.${task}`, state, more);
    await settle();
  };
  return { ...run, told, set };
}

/** The first task has its output after 300 ms. The other one has twice that time, and a second at least. */
async function withStraggler() {
  const run = await begin();
  await run.world.clock.advance(300);
  await run.set("1.0", "FLUSHING");
  await run.world.clock.advance(699);
  expect(run.told("create")).toEqual(["1.0", "1.1"]);
  await run.world.clock.advance(1);
  await settle();
  expect(run.told("create")).toEqual(["1.0", "1.1", "1.3"]);
  return run;
}

describe("a straggler", () => {
  test("runs a second time on another worker, and that run is kept if it has its output first", async () => {
    const { world, workers, told, set, first, id } = await withStraggler();
    expect(workers.bodies.get(`${id}.1.3`)).toMatchObject({ partition: 1 });
    const reply = world.ask("GET", nextUri(first));
    await set("1.3", "FLUSHING");
    expect(told("delete")).toEqual(["1.1?abort=true"]);
    world.root.push(world.frame(["a"]));
    world.root.finishOutput();
    await settle();
    await set("1.0", "FINISHED");
    await set("1.3", "FINISHED");
    await world.clock.advance(100);
    const last = await reply;
    expect([stateOf(last), last.json["data"]]).toEqual(["FINISHED", [["a"]]]);
    await world.clock.advance(10_000);
    expect(told("create")).toHaveLength(3);
    expect([world.memory.root.reservedBytes, world.cluster.listenerCount, world.clock.labels]).toEqual([0, 0, []]);
  });

  test("is kept if it has its output before its second run, which is ended", async () => {
    const { world, told, set, first } = await withStraggler();
    await set("1.1", "FLUSHING");
    expect(told("delete")).toEqual(["1.3?abort=true"]);
    await world.clock.advance(10_000);
    expect(told("create")).toHaveLength(3);
    await world.ask("DELETE", nextUri(first));
  });

  test("goes on alone if its second run fails, and runs again with the others if it is lost", async () => {
    const { world, told, set, first } = await withStraggler();
    await set("1.3", "FAILED", { failures: [failureDocument({ errorName: "EXCEEDED_LOCAL_MEMORY_LIMIT", message: "full" })] });
    expect(told("delete")).toEqual(["1.3?abort=true"]);
    await set("1.1", "FAILED", { failures: [failureDocument({ errorName: "ABANDONED_TASK", message: "no news" })] });
    await world.clock.advance(100);
    await settle();
    expect(told("create").slice(3)).toEqual(["1.5"]);
    await world.ask("DELETE", nextUri(first));
  });

  test("takes its second run with it when its query ends", async () => {
    const { world, told, first } = await withStraggler();
    await world.ask("DELETE", nextUri(first));
    await world.clock.advance(1000);
    expect([...told("delete")].sort()).toEqual(["1.0?abort=true", "1.1?abort=true", "1.3?abort=true"]);
    expect([world.memory.root.reservedBytes, world.cluster.listenerCount]).toEqual([0, 0]);
  });

  test("runs once if it writes, if it reads other tasks, with another policy, and if nobody has asked for more", async () => {
    const writer = {
      kind: "TableWriter",
      id: "w",
      source: scan,
      target: { catalog: "t" },
      inputs: [],
      outputs: [],
    } as unknown as PlanFragment["root"];
    for (const run of [
      await begin(twoStages(writer)),
      await begin(threeStages()),
      await begin(twoStages(), { policy: "QUERY" }),
      await begin(twoStages(), { speculates: false }),
    ]) {
      const before = run.told("create").length;
      await run.set("1.0", "FLUSHING");
      await run.world.clock.advance(5000);
      expect(run.told("create")).toHaveLength(before);
      await run.world.ask("DELETE", nextUri(run.first));
    }
  });
});
