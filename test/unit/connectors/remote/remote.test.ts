/** Connections, snapshots and pages of databases, with a store that fails. The server itself is tested in test/databases. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RemoteDialect, payloadOf } from "../../../../src/connectors/shared/remote/dialect.ts";
import { RemotePageSource } from "../../../../src/connectors/shared/remote/page-source.ts";
import { ConnectionPool, QueryConnections } from "../../../../src/connectors/shared/remote/pool.ts";
import { RemoteSink } from "../../../../src/connectors/shared/remote/sink.ts";
import { Snapshots } from "../../../../src/connectors/shared/remote/snapshots.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import type { Page } from "../../../../src/page/page.ts";
import type { DatabaseAddress } from "../../../../src/ports/databases.ts";
import { INTEGER } from "../../../../src/types/type.ts";
import { ManualClock } from "../../../support/manual-clock.ts";
import { readRow } from "../../../support/pages.ts";
import { type Fault, Store } from "./store.ts";

const address: DatabaseAddress = { kind: "postgresql", host: "h", port: 1, database: "d", tls: { mode: "disable" }, connectTimeoutMs: 1 };

function poolOf(store: Store, clock = new ManualClock(), connectionsMax = 2): ConnectionPool {
  return new ConnectionPool({ databases: store, address, clock, connectionsMax, waitMs: 1000, answerMs: 5000, settings: "settings" });
}

const dialect = {
  appender: () => (builder, text) => {
    builder.appendInt(0, Number(text));
    return text.length;
  },
  exportSnapshot: async (connection) => String((await connection.query("export"))[0]?.[0]),
  beginRead: (snapshot) => `begin ${snapshot}`,
  readSettings: () => "",
  endRead: "rollback",
} as Partial<RemoteDialect> as RemoteDialect;

const columns = [{ name: "a", remoteName: "a", type: INTEGER, remoteType: "int4" }];

function rowsOf(count: number): readonly (readonly string[])[] {
  return Array.from({ length: count }, (_, index) => [String(index)]);
}

function faultAt(request: number, fault: Fault): ReadonlyMap<number, Fault> {
  return new Map([[request, fault]]);
}

function sourceOf(store: Store, fetchSize?: number): { readonly source: RemotePageSource; readonly read: () => Promise<number[][]> } {
  const { root } = createNodeMemory({ sizeBytes: 16 * 1024 * 1024 });
  const source = new RemotePageSource({
    pool: poolOf(store),
    dialect,
    sql: "select",
    columns,
    split: payloadOf({ snapshot: "s" }),
    fetchSize,
    memory: root.child("scan"),
  });
  const read = async (): Promise<number[][]> => {
    const pages: number[][] = [];
    try {
      while (!source.finished) {
        await source.blocked();
        const page = source.nextPage();
        if (page !== undefined) {
          pages.push(Array.from({ length: page.positionCount }, (_, position) => readRow(root.linear, page, position)[0] as number));
        }
      }
    } finally {
      source.close();
    }
    expect(root.reservedBytes).toBe(0);
    return pages;
  };
  return { source, read };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a pool", () => {
  it("lends at most its connections, in the order of the requests, and uses them again", async () => {
    const store = new Store({ rows: [] });
    const pool = poolOf(store);
    const order: number[] = [];
    const works = [0, 1, 2, 3, 4].map((work) =>
      pool.use(async (connection) => {
        await connection.query(`work ${work}`);
        order.push(work);
      }),
    );
    await Promise.all(works);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect([store.openMax, store.connections.length]).toEqual([2, 2]);
    pool.close();
    expect(store.open).toBe(0);
  });

  it("gives up waiting, and passes room on that a failed connection leaves", async () => {
    const clock = new ManualClock();
    const store = new Store({ rows: [], faults: faultAt(2, "connect") });
    const pool = poolOf(store, clock, 1);
    const first = await pool.acquire();
    const late = pool.acquire();
    const failure = expect(late).rejects.toThrow("No connection became free within 1000ms (at most 1 are open)");
    await clock.advance(1000);
    await failure;
    const [second, third] = [pool.acquire(), pool.acquire()];
    first.close();
    pool.release(first);
    await expect(second).rejects.toMatchObject({ errorName: "JDBC_ERROR", message: "fault: connect" });
    pool.release(await third);
    expect(clock.labels).toEqual(["database-pool-idle"]);
    // Idle for a whole interval after its last use.
    await clock.advance(120_000);
    expect([store.open, clock.labels]).toEqual([0, []]);
  });

  it("fails those who wait when it is closed", async () => {
    const clock = new ManualClock();
    const pool = poolOf(new Store({ rows: [] }), clock, 1);
    const first = await pool.acquire();
    const failure = expect(pool.acquire()).rejects.toThrow("The catalog is closed");
    pool.close();
    await failure;
    pool.release(first);
    expect([first.isUsable, clock.labels]).toEqual([false, []]);
  });
});

describe("a pool whose server is silent", () => {
  const silence = new Promise<void>(() => undefined);

  it("gives up a question, and lends the room to the next one", async () => {
    const clock = new ManualClock();
    const store = new Store({ rows: [] });
    const pool = poolOf(store, clock, 1);
    const asked = pool.ask(async (connection) => {
      store.gate = silence;
      return connection.query("describe");
    });
    const failure = expect(asked).rejects.toMatchObject({ errorName: "JDBC_ERROR", message: "No answer about metadata within 5000ms" });
    await settled();
    await clock.advance(4999);
    expect(store.connections).toEqual([["settings", "describe"]]);
    await clock.advance(1);
    await failure;
    store.gate = undefined;
    expect(await pool.ask((connection) => connection.query("again"))).toEqual([["again"]]);
    expect(store.connections).toEqual([
      ["settings", "describe", "cancel", "close"],
      ["settings", "again"],
    ]);
    expect(clock.labels).toEqual(["database-pool-idle"]);
  });

  it("gives up a new connection, whose reader cannot stop it", async () => {
    const clock = new ManualClock();
    const store = new Store({ rows: [] });
    const pool = poolOf(store, clock, 1);
    const asked = pool.acquire();
    store.gate = silence;
    const failure = expect(asked).rejects.toMatchObject({ errorName: "JDBC_ERROR", message: "No answer of a new connection within 1ms" });
    await settled();
    await clock.advance(1);
    await failure;
    expect([store.connections, store.open, clock.labels]).toEqual([[["settings", "cancel", "close"]], 0, []]);
    store.gate = undefined;
    expect((await pool.acquire()).isUsable).toBe(true);
  });

  it("gives up what a query asks and changes when it ends, and removes what it has left", async () => {
    const clock = new ManualClock();
    const store = new Store({ rows: [] });
    const pool = poolOf(store, clock, 3);
    let end = (): void => undefined;
    const own = new QueryConnections(pool, { onEnd: (callback) => void (end = callback) });
    await own.ask((connection) => connection.query("answered"));
    const all = await Promise.all([pool.acquire(), pool.acquire(), pool.acquire()]);
    all.forEach((connection) => pool.release(connection));
    store.gate = silence;
    const stopped = [own.ask((connection) => connection.query("question")), own.use((connection) => connection.query("change"))].map(
      (one) => expect(one).rejects.toMatchObject({ errorName: "JDBC_ERROR", message: "it was closed" }),
    );
    const other = pool.ask((connection) => connection.query("of another query"));
    const waiting = expect(own.use((connection) => connection.query("late"))).rejects.toMatchObject({ errorName: "USER_CANCELED" });
    await settled();
    store.gate = undefined;
    end();
    await Promise.all([...stopped, waiting]);
    await own.cleanUp((connection) => connection.query("drop"));
    const logs = store.connections.map((log) => log.join());
    expect(logs).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/question,cancel,close$/),
        expect.stringMatching(/change,cancel,close$/),
        expect.stringMatching(/of another query$/),
        "settings,drop",
      ]),
    );
    expect(logs.join()).not.toContain("late");
    void other;
  });

  it("is given up by a sink that is aborted", async () => {
    const clock = new ManualClock();
    const store = new Store({ rows: [] });
    const pool = poolOf(store, clock, 1);
    const { root } = createNodeMemory({ sizeBytes: 16 * 1024 * 1024 });
    const form = { value: () => "1", row: () => "(1)", statement: (rows: readonly string[]) => `insert ${rows.length}` };
    const sink = new RemoteSink({ pool, form, id: "'s'", columns: [], rowsMax: 1, linear: root.linear });
    await pool.use((connection) => connection.query("first"));
    store.gate = silence;
    sink.append({ positionCount: 1, columns: [] } as unknown as Page);
    sink.append({ positionCount: 1, columns: [] } as unknown as Page);
    await settled();
    sink.abort();
    await settled();
    store.gate = undefined;
    expect(await pool.use((connection) => connection.query("next"))).toEqual([["next"]]);
    expect(store.connections).toEqual([
      ["settings", "first", "insert 1", "cancel", "close"],
      ["settings", "next"],
    ]);
  });

  it("gives up the end of a transaction", async () => {
    const clock = new ManualClock();
    const store = new Store({ rows: [] });
    const pool = poolOf(store, clock, 1);
    const connection = await pool.acquire();
    store.gate = silence;
    pool.giveBack(connection, () => connection.query("rollback"));
    await clock.advance(4999);
    expect(store.connections).toEqual([["settings", "rollback"]]);
    await clock.advance(1);
    await settled();
    expect([store.connections, store.open, clock.labels]).toEqual([[["settings", "rollback", "close"]], 0, []]);
    store.gate = undefined;
    expect((await pool.acquire()).isUsable).toBe(true);
  });

  it("gives up a change when its query ends", async () => {
    const clock = new ManualClock();
    const store = new Store({ rows: [] });
    const pool = poolOf(store, clock, 1);
    let end = (): void => undefined;
    const query = { id: "q", onEnd: (callback: () => void) => void (end = callback) };
    const changed = pool.useFor(query, async (connection) => {
      store.gate = silence;
      return connection.query("change");
    });
    const failure = expect(changed).rejects.toMatchObject({ errorName: "JDBC_ERROR", message: "it was closed" });
    await settled();
    end();
    await failure;
    expect([store.connections, store.open]).toEqual([[["settings", "change", "cancel", "close"]], 0]);
  });
});

describe("the pages of a statement", () => {
  it("end where the rows say, whatever the batches", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 35_000 }), fc.integer({ min: 50, max: 20_000 }), async (count, fetchSize) => {
        const pages = await sourceOf(new Store({ rows: rowsOf(count) }), fetchSize).read();
        expect(pages.flat()).toEqual(Array.from({ length: count }, (_, index) => index));
        expect(pages.slice(0, -1).every((page) => page.length === 16_384)).toBe(true);
      }),
      { numRuns: 5 },
    );
  });

  it("end with the transaction, and the connection is kept", async () => {
    const store = new Store({ rows: rowsOf(300) });
    await sourceOf(store).read();
    await settled();
    expect(store.connections).toEqual([["settings", "begin s", "select", "close cursor", "rollback"]]);
  });

  it("fail with the store's error, and never look like the end of the rows", async () => {
    // Connection, settings, begin, and four reads: 256 rows, the others, none.
    for (let request = 0; request < 6; request++) {
      for (const fault of ["lost", "error"] as const) {
        const store = new Store({ rows: rowsOf(500), faults: faultAt(request, fault) });
        await expect(sourceOf(store, 300).read(), `${fault} at ${request}`).rejects.toThrow(`fault: ${fault}`);
        await settled();
        expect(store.open, `${fault} at ${request}`).toBe(fault === "error" && request > 1 ? 1 : 0);
      }
    }
  });

  it("are given up between two batches: the connection is kept", async () => {
    const store = new Store({ rows: rowsOf(100_000) });
    const { source } = sourceOf(store);
    while (source.nextPage() === undefined) {
      await source.blocked();
    }
    await settled();
    source.close();
    source.close();
    await settled();
    expect(store.connections[0]?.slice(-2)).toEqual(["close cursor", "rollback"]);
    expect([store.open, source.finished]).toEqual([1, true]);
  });

  it("are given up while the store works: the statement is cancelled, and the connection is not used again", async () => {
    const store = new Store({ rows: rowsOf(100_000) });
    const { source } = sourceOf(store);
    let release = (): void => undefined;
    void source.blocked();
    await settled();
    store.gate = new Promise((resolve) => (release = resolve));
    while (source.nextPage() === undefined && store.connections[0]?.includes("select") !== true) {
      await settled();
    }
    source.nextPage();
    source.close();
    release();
    await settled();
    expect(store.connections[0]?.filter((one) => one === "cancel" || one === "close")).toEqual(["cancel", "close"]);
    expect(store.open).toBe(0);
  });
});

describe("a snapshot", () => {
  it("is one for a query, until it ends", async () => {
    const store = new Store({ rows: [] });
    const snapshots = new Snapshots(poolOf(store), dialect);
    const ends: (() => void)[] = [];
    const query = { id: "q", onEnd: (callback: () => void) => void ends.push(callback) };
    const [one, other] = await Promise.all([snapshots.of(query), snapshots.of(query)]);
    expect([one === other, one?.name, ends.length]).toEqual([true, "export", 1]);
    ends[0]?.();
    await settled();
    expect(store.connections).toEqual([["settings", "export", "rollback"]]);
    expect((await snapshots.of(query)) === one).toBe(false);
  });

  it("leaves nothing behind if it cannot be taken, or if the query has ended before", async () => {
    const store = new Store({ rows: [], faults: faultAt(2, "error") });
    const snapshots = new Snapshots(poolOf(store), dialect);
    const ended = { id: "q", onEnd: (callback: () => void) => callback() };
    await expect(snapshots.of(ended)).rejects.toMatchObject({ errorName: "JDBC_ERROR" });
    await settled();
    await snapshots.of(ended);
    await settled();
    expect(store.connections).toEqual([["settings", "export", "rollback", "export", "rollback"]]);
  });
});
