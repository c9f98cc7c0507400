/** What stories are told with: a calm cluster, users, their statements, moments that the seed shifts. */
import type { Fault, PlannedStatement, PlannedUser, RunPlan } from "../sim/plan.ts";
import type { StoreProtocol } from "../sim/store/store.ts";
import { type TableStep, tableStatement } from "../sim/workload/user-tables.ts";
import { calmLink } from "../sim/world/fates.ts";
import { workloadSchema } from "../sim/workload/workload.ts";

export type { Scenario } from "../sim/scenario.ts";

export const ms = 1_000_000;
export const second = 1_000_000_000;

/** Three workers, calm links, no users, no faults: a scenario states only its differences. */
export function calmCluster(seed: string, changes: Partial<RunPlan>): RunPlan {
  return {
    seed,
    coordinator: { name: "c", clockOffsetMs: 0, clockDriftPpm: 0 },
    workers: ["w1", "w2", "w3"].map((name) => ({ name, clockOffsetMs: 0, clockDriftPpm: 0 })),
    link: calmLink,
    properties: {},
    schema: workloadSchema,
    splitsPerNode: 16,
    nanosPerWorkUnit: 2_000,
    users: [],
    faults: [],
    healNanos: 10 * second,
    livenessNanos: 420 * second,
    ...changes,
  };
}

/** A number in [0, bound) derived from the seed's digits, for scenarios whose timing depends on the seed. */
export function fromSeed(seed: string, bound: number): number {
  let hash = 7;
  for (let index = 0; index < seed.length; index++) {
    hash = (Math.imul(hash, 31) + seed.charCodeAt(index)) >>> 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % bound;
}

/** Seeds take turns. */
export function protocolFrom(seed: string): StoreProtocol {
  return seed.charCodeAt(seed.length - 1) % 2 === 0 ? "azure" : "s3";
}

/** Each worker of a calm cluster is slowed once, for two seconds, while the others starve: one a second, each only once it has work. */
export function eachFallsBehind(seed: string): readonly Fault[] {
  return ["w1", "w2", "w3"].map((node, index) => ({
    kind: "slow-node",
    node,
    factor: 40,
    atNanos: index * second,
    untilNanos: (index + 2) * second,
    afterWorkNanos: fromSeed(`${seed}${node}`, 30) * ms,
  }));
}

export function reads(sql: string, thinkNanos = 0): PlannedStatement {
  return { sql, behaviour: { kind: "reads-all" }, thinkNanos };
}

/** A user's statements on a table of its own, one by one. `readAs`: the name by which reads know the table, if it is another one. */
export function stepsOn(
  table: string,
  { behaviour = { kind: "reads-all" }, readAs }: { readonly behaviour?: PlannedStatement["behaviour"]; readonly readAs?: string } = {},
): (operation: TableStep["operation"], query?: string, thinkNanos?: number) => PlannedStatement {
  return (operation, query = "", thinkNanos = 0) => {
    const step: TableStep = { table, operation, query, ...(operation === "read" && readAs !== undefined && { readAs }) };
    return { sql: tableStatement(step), behaviour, thinkNanos, step };
  };
}

export function user(name: string, statements: readonly PlannedStatement[], startNanos = 0): PlannedUser {
  return { name, startNanos, statements };
}

/** A join and an aggregation over hash exchanges: four stages, and every worker sends pages to every other. */
export const wideStatement =
  "SELECT c.name, count(*), sum(l.quantity) FROM tpch.tiny.customer c JOIN tpch.tiny.orders o ON c.custkey = o.custkey JOIN tpch.tiny.lineitem l ON l.orderkey = o.orderkey GROUP BY c.name ORDER BY 3 DESC, 1 LIMIT 50";
/** Half of lineitem, streamed to the client page by page. */
export const streamedStatement =
  "SELECT orderkey, linenumber, shipinstruct, shipmode, extendedprice FROM tpch.tiny.lineitem WHERE quantity <= 25";
