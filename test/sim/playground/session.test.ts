/** The run of the playground: a function of its script, whatever the pieces in which time passes. */
import { describe, expect, it } from "vitest";
import type { ShownStatement } from "../../../sim/playground/clients.ts";
import { type Act, defaultCluster, type PlaygroundCluster, readyNanos } from "../../../sim/playground/script.ts";
import { Session } from "../../../sim/playground/session.ts";
import { SharedState } from "../../../sim/shared.ts";
import type { TraceEntry } from "../../../sim/world/world.ts";

const shared = new SharedState();
const ms = 1_000_000;
const join =
  "SELECT n.name, count(*) FROM orders o JOIN customer c ON o.custkey = c.custkey JOIN nation n ON c.nationkey = n.nationkey GROUP BY n.name";

interface Played {
  readonly statements: readonly ShownStatement[];
  readonly entries: readonly TraceEntry[];
  readonly digests: readonly string[];
  readonly session: Session;
}

/** Runs the acts; time passes in pieces of this size. */
async function play(
  acts: readonly Act[],
  options: { readonly pieceNanos?: number; readonly lastsNanos?: number; readonly cluster?: PlaygroundCluster } = {},
): Promise<Played> {
  const { pieceNanos = Number.POSITIVE_INFINITY, lastsNanos = 2_000 * ms, cluster = defaultCluster } = options;
  const statements = new Map<number, ShownStatement>();
  const entries: TraceEntry[] = [];
  const digests: string[] = [];
  const session = new Session(cluster, {
    shared,
    hooks: {
      onEntry: (entry) => entries.push(entry),
      onStatement: (statement) => statements.set(statement.number, statement),
      onDigest: (event, digest) => {
        digests[event] = digest;
      },
    },
  });
  const pass = async (untilNanos: number): Promise<void> => {
    while (session.reachedNanos < untilNanos) {
      await session.advance(Math.min(untilNanos, session.reachedNanos + pieceNanos));
    }
  };
  for (const act of acts) {
    await pass(act.atNanos);
    await session.act(act);
  }
  await pass(readyNanos + lastsNanos);
  session.close();
  return { statements: [...statements.values()], entries, digests, session };
}

const at = (afterMs: number): number => readyNanos + afterMs * ms;

describe("a session", () => {
  it("answers statements in order, with one session for all, and stops a script at its first error", async () => {
    const { statements } = await play([
      {
        kind: "sql",
        atNanos: at(0),
        sql: "USE memory.default; CREATE TABLE t (a bigint); INSERT INTO t VALUES 1, 2; SELECT sum(a), NULL FROM t; SELECT nme FROM t; SELECT 1",
      },
    ]);
    expect(statements.map(({ state }) => state)).toEqual(["FINISHED", "FINISHED", "FINISHED", "FINISHED", "FAILED"]);
    expect(statements[3]).toMatchObject({ rows: [["3", null]], rowCount: 1, isOver: true });
    expect(statements[4]?.failure).toEqual({
      errorName: "COLUMN_NOT_FOUND",
      errorCode: 47,
      errorType: "USER_ERROR",
      message: "line 1:8: Column 'nme' cannot be resolved",
      line: 1,
      column: 8,
    });
  });

  it("is the same run in one piece, in pieces and event by event", async () => {
    const acts: readonly Act[] = [
      { kind: "sql", atNanos: at(0), sql: join },
      { kind: "slow", atNanos: at(5), from: "w2", to: "c" },
      { kind: "cut", atNanos: at(20), from: "w1", to: "w2" },
      { kind: "join", atNanos: at(400), from: "w2", to: "w1" },
      { kind: "kill", atNanos: at(500), node: "w3" },
      { kind: "restart", atNanos: at(700), node: "w3" },
      { kind: "sql", atNanos: at(701), sql: join },
      { kind: "cancel", atNanos: at(720), client: "you" },
    ];
    const whole = await play(acts);
    expect(whole.entries.filter(({ kind }) => kind === "fault").map(({ detail }) => detail)).toEqual([
      "slow w2<->c",
      "cut w1<->w2",
      "kill w3",
    ]);
    expect(whole.entries.filter(({ kind }) => kind === "heal").map(({ detail }) => detail)).toEqual(["cut w1<->w2", "kill w3"]);
    for (const pieceNanos of [ms, 37_777_777]) {
      const inPieces = await play(acts, { pieceNanos });
      expect(inPieces.digests).toEqual(whole.digests);
      expect(inPieces.statements).toEqual(whole.statements);
    }
  });

  it("has another run with another seed", async () => {
    const one = await play([], { lastsNanos: 0 });
    const other = await play([], { lastsNanos: 0, cluster: { ...defaultCluster, seed: "8" } });
    expect(one.session.fingerprint).not.toBe(other.session.fingerprint);
  });

  it("runs the tasks again whose worker is killed, and answers the next one with the workers that are left", async () => {
    const { statements, entries } = await play(
      [
        { kind: "sql", atNanos: at(0), sql: join },
        { kind: "kill", atNanos: at(60), node: "w1" },
        { kind: "sql", atNanos: at(30_000), sql: join },
      ],
      { lastsNanos: 40_000 * ms },
    );
    const [first, second] = statements;
    expect(first).toMatchObject({ state: "FINISHED", isOver: true, rowCount: 25 });
    expect(entries.some(({ detail }) => detail.startsWith("tasks-run-again "))).toBe(true);
    expect(second).toMatchObject({ state: "FINISHED", rowCount: 25 });
    expect(entries.some(({ kind, place }) => kind === "crash" && place === "w1")).toBe(true);
  });

  it("cancels, and runs a second client beside a busy one", async () => {
    const { statements } = await play([
      { kind: "sql", atNanos: at(0), sql: join },
      { kind: "sql", atNanos: at(1), sql: "SELECT 1" },
      { kind: "cancel", atNanos: at(30), client: "you" },
      { kind: "cancel", atNanos: at(900), client: "nobody" },
    ]);
    expect(statements.map(({ client, state }) => [client, state])).toEqual([
      ["you", "CANCELED"],
      ["you2", "FINISHED"],
    ]);
  });

  it("tells a client that gets no answer", async () => {
    const { statements, session } = await play(
      [
        { kind: "sql", atNanos: at(0), sql: join },
        { kind: "kill", atNanos: at(20), node: "c" },
        { kind: "kill", atNanos: at(21), node: "c" },
      ],
      { lastsNanos: 60_000 * ms },
    );
    expect(statements).toMatchObject([{ state: "UNANSWERED", isOver: true, failure: { errorName: "" } }]);
    expect(session.nodes[0]).toEqual({ name: "c", isUp: false });
  });
});
