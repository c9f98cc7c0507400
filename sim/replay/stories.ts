/**
 * Incidents that are acted out on real clusters to record fixtures: small, short, each with one fault.
 */
import { calmLink } from "../world/fates.ts";
import type { Incident, IncidentFault } from "./incident.ts";
import type { PlannedStatement, PlannedUser, RunPlan } from "../plan.ts";

export interface FieldStory {
  readonly name: string;
  readonly story: string;
  readonly plan: RunPlan;
  /** Whether the tape shows that the incident happened, because faults on real clusters do not always work. */
  readonly happened: (incident: Incident) => boolean;
}

function met(kind: IncidentFault["kind"]): (incident: Incident) => boolean {
  return ({ faults }) => faults.some((fault) => fault.kind === kind);
}

const ms = 1_000_000;
const second = 1000 * ms;

function cluster(changes: Partial<RunPlan>): RunPlan {
  return {
    seed: "field",
    coordinator: { name: "c", clockOffsetMs: 0, clockDriftPpm: 0 },
    workers: ["w1", "w2"].map((name) => ({ name, clockOffsetMs: 0, clockDriftPpm: 0 })),
    link: calmLink,
    schema: "tiny",
    splitsPerNode: 4,
    nanosPerWorkUnit: 500,
    users: [],
    faults: [],
    fates: [],
    healNanos: 10 * second,
    livenessNanos: 120 * second,
    ...changes,
    // The tables are small, and both workers should have tasks.
    properties: { "optimizer.min-input-rows-per-task": "1", "query.hash-partition-count": "2", ...changes.properties },
  };
}

function reads(sql: string): PlannedStatement {
  return { sql, behaviour: { kind: "reads-all" }, thinkNanos: 0 };
}

function readsSlowly(sql: string, pauseMs: number): PlannedStatement {
  return { sql, behaviour: { kind: "slow", pauseNanos: pauseMs * ms }, thinkNanos: 0 };
}

function user(name: string, statements: readonly PlannedStatement[], targetResultSize?: string): PlannedUser {
  return { name, startNanos: 0, statements, ...(targetResultSize === undefined ? {} : { targetResultSize }) };
}

/** Small buffers: with a slow client, the workers stay in the middle of their output. */
const smallBuffers = { "sink.max-buffer-size": "32kB", "exchange.max-buffer-size": "32kB", "exchange.max-response-size": "16kB" };
const streamed = 'SELECT orderkey, custkey, totalprice, orderdate, clerk, orderpriority FROM tpch."sf0.1".orders';
const streamedPart =
  'SELECT orderkey, custkey, totalprice, orderdate, clerk, orderpriority FROM tpch."sf0.1".orders WHERE orderkey < 100000';
const grouped = "SELECT orderpriority, count(*), sum(totalprice) FROM orders GROUP BY orderpriority ORDER BY 1";
/** Short time-outs and no second attempt, so that losses show within seconds. */
const impatient = {
  "retry-policy": "NONE",
  "query.remote-task.max-error-duration": "2s",
  "exchange.max-error-duration": "2s",
  "failure-detector.heartbeat-timeout": "500ms",
  "http.request-timeout": "1s",
};

export const fieldStories: readonly FieldStory[] = [
  {
    name: "worker-killed-while-producing",
    story:
      "A worker is killed in the middle of its output, while the client reads the rows slowly. The query must fail with the loss named, never end short.",
    happened: ({ faults, ends }) => ends.length > 0 && faults.some(({ kind, nodeId }) => kind === "died" && nodeId === "w2"),
    plan: cluster({
      properties: { ...smallBuffers, ...impatient },
      users: [user("u1", [readsSlowly(streamed, 400), reads(grouped)], "64kB")],
      faults: [{ kind: "crash", atNanos: 0, untilNanos: 4 * second, afterWorkNanos: 1200 * ms, node: "w2" }],
    }),
  },
  {
    name: "worker-frozen",
    story:
      "A worker stops in the middle of a query, as if held by a hand, and wakes up seconds later: too late for its query. The next one runs on the worker that is left, or waits for it.",
    happened: (incident) => incident.ends.length > 0 && met("froze")(incident),
    plan: cluster({
      properties: { ...smallBuffers, ...impatient },
      users: [user("u1", [readsSlowly(streamed, 400), reads(grouped)], "64kB")],
      faults: [{ kind: "pause", atNanos: 0, untilNanos: 9 * second, afterWorkNanos: 800 * ms, node: "w1" }],
    }),
  },
  {
    name: "connection-reset-in-mid-page",
    story: "A connection is reset in the middle of a page, twice. The page is asked for again by its token, and the rows are whole.",
    happened: ({ fates }) => fates.some(({ kind }) => kind === "truncated"),
    plan: cluster({
      properties: smallBuffers,
      users: [user("u1", [readsSlowly(streamedPart, 50), reads(grouped)], "64kB")],
      fates: [
        { message: "c>w1 exchange-fetch #3 answer", kind: "truncated" },
        { message: "c>w2 exchange-fetch #2 answer", kind: "truncated" },
      ],
    }),
  },
  {
    name: "client-vanished",
    story:
      "A client reads two pages of a large result and never comes back. Its query is failed as abandoned and frees what it held; another client is served.",
    happened: ({ ends }) => ends.includes("vanished"),
    plan: cluster({
      properties: { ...smallBuffers, "query.client.timeout": "3s" },
      users: [
        user("u1", [{ sql: streamed, behaviour: { kind: "vanishes", afterPolls: 2 }, thinkNanos: 0 }], "64kB"),
        user("u2", [{ sql: grouped, behaviour: { kind: "reads-all" }, thinkNanos: 500 * ms }]),
      ],
    }),
  },
  {
    name: "coordinator-restarted",
    story:
      "The coordinator is killed while a client reads, and started again at the same address. The old query is unknown to it, the workers join again, the next query is answered.",
    happened: (incident) => incident.ends.includes("unanswered") && met("died")(incident),
    plan: cluster({
      properties: { ...smallBuffers, ...impatient, "task.client.timeout": "3s" },
      users: [
        user("u1", [readsSlowly(streamed, 400)], "64kB"),
        user("u2", [{ sql: grouped, behaviour: { kind: "reads-all" }, thinkNanos: 4500 * ms }]),
      ],
      faults: [{ kind: "coordinator-crash", atNanos: 0, untilNanos: 1 * second, afterWorkNanos: 1000 * ms, node: "c" }],
    }),
  },
  {
    name: "slow-disk",
    story:
      "A worker's disk needs a fifth of a second for every write while its output has to be spilled, because one consumer starves. All rows come, late.",
    happened: met("slow disk"),
    plan: cluster({
      properties: { ...smallBuffers, "task.max-slice-rows": "1024" },
      users: [
        user("u1", [
          reads(
            'SELECT count(DISTINCT custkey), count(DISTINCT CASE WHEN orderkey % 97 = 0 THEN orderkey ELSE 1 END) FROM tpch."sf0.1".orders',
          ),
          reads(grouped),
        ]),
      ],
      faults: [
        { kind: "slow-disk", atNanos: 0, untilNanos: 60 * second, node: "w1", factor: 2000 },
        { kind: "slow-disk", atNanos: 0, untilNanos: 60 * second, node: "w2", factor: 2000 },
      ],
      healNanos: 60 * second,
    }),
  },
];
