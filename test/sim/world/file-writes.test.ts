/**
 * Writes of the files connector on a simulated disk that ends after every single operation, in each way that a disk can end: a table is
 * there with all of its rows or without any of the write, what was reported as done stays done, and leftovers are swept.
 */
import { expect, it } from "vitest";
import { type AfterCrash, calmDisk, SimulatedDisk } from "../../../sim/world/disk.ts";
import { StreamTree } from "../../../sim/world/streams.ts";
import { epochMillis } from "../../../sim/world/clock.ts";
import { Incarnation, World } from "../../../sim/world/world.ts";
import { filesConnectorFactory } from "../../../src/connectors/files/files.ts";
import type { ColumnMetadata, Json } from "../../../src/connectors/spi.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { type Storage, StorageError } from "../../../src/ports/storage.ts";
import { BIGINT, VARCHAR } from "../../../src/types/type.ts";
import { type Instance, pagesOf, readTable, type Rows, World as Nodes, writeTasks } from "../../unit/connectors/world.ts";

const columns: readonly ColumnMetadata[] = [
  { name: "id", type: BIGINT },
  { name: "k", type: VARCHAR },
];
const forever = { untilNanos: Number.MAX_SAFE_INTEGER, eventsMax: 1_000_000, done: (): boolean => false };
const dayMillis = 86_400_000;
const memory = createNodeMemory({ sizeBytes: 64 * 1024 * 1024 }).root;

function rowsOf(first: number): Rows {
  return [0, 1, 2, 3].map((index) => [BigInt(first + index), new TextEncoder().encode(`k${index % 2}`)]);
}

/** A disk, and nodes that use it until it has done `operationsMax` more operations. */
class Rig {
  readonly world = new World({ streams: StreamTree.root("writes") });
  readonly disk = new SimulatedDisk(this.world, { stream: this.world.streams.stream("disk"), conditions: calmDisk });
  operations = 0;
  operationsMax = Number.MAX_SAFE_INTEGER;
  #lives = 0;

  start(wallMillis = epochMillis): { readonly nodes: Nodes; readonly node: Instance } {
    const nodes = new Nodes({
      factory: filesConnectorFactory,
      properties: { "files.directory": "/shared", "files.writes-enabled": "true", "files.leftovers-retention": "1d" },
      memory: memory.child(`life ${this.#lives}`),
      folder: () => this.#storage(this.disk.open(new Incarnation("n", this.#lives))),
      lives: this.#lives++,
    });
    nodes.wallMillis = wallMillis;
    return { nodes, node: nodes.start("n") };
  }

  /** Lets the disk work until the promise is settled. */
  async done<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const watched = work.finally(() => {
      settled = true;
    });
    watched.catch(() => undefined);
    while (!settled) {
      await this.world.run(forever);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return watched;
  }

  #storage(inner: Storage): Storage {
    const counted =
      <A extends readonly unknown[], T>(work: (...given: A) => Promise<T>) =>
      (...given: A): Promise<T> => {
        if (this.operations >= this.operationsMax) {
          return Promise.reject(new StorageError("IO", String(given[0]), "the node has ended"));
        }
        this.operations++;
        return work(...given);
      };
    return {
      list: counted(inner.list),
      stat: counted(inner.stat),
      read: counted(inner.read),
      write: counted(inner.write),
      append: counted(inner.append),
      rename: counted(inner.rename),
      remove: counted(inner.remove),
      sync: counted(inner.sync),
    };
  }
}

async function table(node: Instance): Promise<Awaited<ReturnType<Instance["connector"]["metadata"]["getTable"]>>> {
  return node.connector.metadata.getTable({ schema: "default", table: "t" });
}

async function write(node: Instance, handle: Json, first: number): Promise<readonly Json[]> {
  const task = (rows: Rows) => ({ node, columns, pages: pagesOf({ columns, rows, memory: node.memory, pageRows: 3 }) });
  return writeTasks(handle, [task(rowsOf(first).slice(0, 3)), task(rowsOf(first).slice(3))]);
}

type Step = "create" | "insert" | "retry" | "drop";

/** Names the steps that were reported as done. */
async function run(rig: Rig, node: Instance, reported: Step[]): Promise<void> {
  const { metadata } = node.connector;
  const name = { schema: "default", table: "t" };
  const create = async (): Promise<void> => {
    const handle = (await metadata.beginCreate?.(name, columns, { properties: { partitioned_by: ["k"] } })) as Json;
    await metadata.finishCreate?.(handle, await write(node, handle, 0));
  };
  const insert = async (): Promise<void> => {
    const found = await table(node);
    const handle = found === undefined ? null : ((await metadata.beginInsert?.(found)) as Json);
    await metadata.finishInsert?.(handle, await write(node, handle, 10));
  };
  const retry = async (): Promise<void> => {
    const found = await table(node);
    const first = found === undefined ? null : ((await metadata.beginInsert?.(found)) as Json);
    const lost = await write(node, first, 20);
    const handle = (await metadata.restartWrite?.(first)) as Json;
    // The lost attempt goes on.
    await write(node, first, 20);
    expect(lost.length).toBe(2);
    await metadata.finishInsert?.(handle, await write(node, handle, 20));
  };
  const drop = async (): Promise<void> => {
    const found = await table(node);
    if (found !== undefined) {
      await metadata.dropTable?.(found);
    }
  };
  for (const [step, work] of Object.entries({ create, insert, retry, drop }) as [Step, () => Promise<void>][]) {
    await rig.done(work());
    reported.push(step);
  }
}

async function ids(rig: Rig, { nodes, node }: ReturnType<Rig["start"]>): Promise<readonly number[] | undefined> {
  const found = await rig.done(table(node));
  if (found === undefined) {
    return undefined;
  }
  const rows = await rig.done(readTable(nodes, node, found, found.columns.slice(0, 1)));
  return rows.map(([id]) => Number(id)).toSorted((a, b) => a - b);
}

/** What the table may hold after the steps that were reported, and perhaps the next one. */
const states: readonly (readonly number[] | undefined)[] = [
  undefined,
  [0, 1, 2, 3],
  [0, 1, 2, 3, 10, 11, 12, 13],
  [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23],
  undefined,
];

const ways: readonly AfterCrash[] = ["kept", "synced", "torn"];

it("ends after every operation, one way or another", async () => {
  const whole = new Rig();
  const all: Step[] = [];
  await run(whole, whole.start().node, all);
  expect(all.length).toBe(4);
  expect(whole.operations).toBeGreaterThan(100);
  // Only the lost attempt, which wrote after the write had begun again.
  expect(whole.disk.paths().filter((path) => !path.startsWith(".orrery/writes/"))).toEqual([]);
  const seen = new Set<string>();
  for (let end = 0; end < whole.operations; end++) {
    const rig = new Rig();
    const first = rig.start();
    rig.operationsMax = end;
    const reported: Step[] = [];
    await run(rig, first.node, reported).catch(() => undefined);
    await rig.world.run(forever);
    rig.disk.crash(ways[end % ways.length]);
    rig.operationsMax = Number.MAX_SAFE_INTEGER;
    const found = await ids(rig, rig.start());
    const allowed = states.slice(reported.length, reported.length + 2);
    expect(allowed, `after ${end} operations: ${reported.join()}`).toContainEqual(found);
    seen.add(JSON.stringify(found ?? null));
    // Two days later, the next write removes what is left.
    const later = rig.start(epochMillis + 2 * dayMillis);
    const handle = (await rig.done(
      later.node.connector.metadata.beginCreate?.({ schema: "default", table: "other" }, columns) as Promise<Json>,
    )) as Json;
    await rig.done(later.node.connector.metadata.abortWrite?.(handle) as Promise<void>);
    expect(rig.disk.paths().filter((path) => path.startsWith(".orrery/"))).toEqual([]);
    expect(await ids(rig, later)).toEqual(found);
  }
  expect(seen.size).toBe(4);
});

it("a table is created once, and rows of a dropped table go nowhere", async () => {
  const rig = new Rig();
  const { node } = rig.start();
  const other = rig.start();
  const { metadata } = node.connector;
  const name = { schema: "default", table: "t" };
  const begin = (of: Instance): Promise<Json> => rig.done(of.connector.metadata.beginCreate?.(name, columns) as Promise<Json>);
  const [a, b] = [await begin(node), await begin(other.node)];
  await rig.done(metadata.finishCreate?.(a, await rig.done(write(node, a, 0))) as Promise<void>);
  const second = rig
    .done(write(other.node, b, 100))
    .then((fragments) => other.node.connector.metadata.finishCreate?.(b, fragments) as Promise<void>);
  await expect(rig.done(second)).rejects.toThrow("Destination table 'cat.default.t' already exists");
  const found = (await rig.done(table(node))) as NonNullable<Awaited<ReturnType<typeof table>>>;
  const begun = (ifUnchanged: boolean): Promise<Json> => rig.done(metadata.beginInsert?.(found, { ifUnchanged }) as Promise<Json>);
  const [careful, late] = [await begun(true), await begun(false)];
  const plain = await begun(false);
  await rig.done(metadata.finishInsert?.(plain, await rig.done(write(node, plain, 10))) as Promise<void>);
  await expect(rig.done(metadata.finishInsert?.(careful, []) as Promise<void>)).rejects.toMatchObject({
    errorName: "TRANSACTION_CONFLICT",
  });
  await rig.done(other.node.connector.metadata.dropTable?.(found) as Promise<void>);
  const fragments = await rig.done(write(node, late, 20));
  await expect(rig.done(metadata.finishInsert?.(late, fragments) as Promise<void>)).rejects.toMatchObject({ errorName: "TABLE_NOT_FOUND" });
  expect(rig.disk.paths()).toEqual([]);
});

it("a file that is not as its sink wrote it fails the write", async () => {
  const rig = new Rig();
  const { node } = rig.start();
  const { metadata } = node.connector;
  const handle = await rig.done(metadata.beginCreate?.({ schema: "default", table: "t" }, columns) as Promise<Json>);
  const fragments = await rig.done(write(node, handle, 0));
  const staged = rig.disk.paths().find((path) => path.endsWith(".parquet")) as string;
  await rig.done(rig.disk.open(new Incarnation("n", 9)).remove(staged));
  const finish = rig.done(metadata.finishCreate?.(handle, fragments) as Promise<void>);
  await expect(finish).rejects.toThrow(/of node n does not exist: all nodes need the same folder to write to/);
  expect(rig.disk.paths()).toEqual([]);
});
