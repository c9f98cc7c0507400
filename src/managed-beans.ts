/**
 * The managed beans of a node, made of its measures: with Trino's names where Trino has the same value. A worker has no beans of the
 * coordinator.
 */
import type { AttributeType, Bean, BeanProvider, BeanValues } from "./connectors/jmx/beans.ts";
import type { QueryState } from "./coordinator/query/states.ts";
import type { CoordinatorMeasures, NodeMeasures } from "./measures.ts";

export interface ManagedNode {
  readonly config: { readonly nodeId: string; readonly nodeVersion: string };
  readonly measures: () => NodeMeasures;
  readonly uptimeNanos: () => number;
  readonly wallMillis: () => number;
}

interface Facts extends NodeMeasures {
  readonly nodeId: string;
  readonly nodeVersion: string;
  readonly uptimeMs: number;
  readonly startTimeMs: number;
}

interface CoordinatorFacts extends Facts {
  readonly coordinator: CoordinatorMeasures;
}

type Attributes<F> = Readonly<Record<string, readonly [type: AttributeType, value: (facts: F) => number | string]>>;

const waiting: readonly QueryState[] = ["QUEUED", "WAITING_FOR_RESOURCES"];

function queriesIn({ coordinator: { queryStates } }: CoordinatorFacts, isWaiting: boolean): number {
  return [...queryStates].reduce((sum, [state, count]) => (waiting.includes(state) === isWaiting ? sum + count : sum), 0);
}

const ofNodes: Readonly<Record<string, Attributes<Facts>>> = {
  "java.lang:type=runtime": {
    name: ["varchar", ({ nodeId }) => nodeId],
    starttime: ["bigint", ({ startTimeMs }) => startTimeMs],
    uptime: ["bigint", ({ uptimeMs }) => uptimeMs],
    vmname: ["varchar", () => "Orrery"],
    vmversion: ["varchar", ({ nodeVersion }) => nodeVersion],
  },
  "orrery.page:name=framepool": {
    residentbytes: ["bigint", ({ frames }) => frames.residentBytes],
    usedbytes: ["bigint", ({ frames }) => frames.usedBytes],
  },
  "trino.execution.executor:name=taskexecutor": {
    blockedsplits: ["bigint", ({ tasks }) => tasks.blockedDrivers],
    runningsplits: ["bigint", ({ tasks }) => tasks.sums.runningDrivers - tasks.blockedDrivers],
    tasks: ["bigint", ({ tasks }) => [...tasks.live.values()].reduce((sum, count) => sum + count, 0)],
    totalsplits: ["bigint", ({ tasks }) => tasks.sums.runningDrivers + tasks.sums.queuedDrivers],
    waitingsplits: ["bigint", ({ tasks }) => tasks.sums.queuedDrivers],
  },
  "trino.execution:name=sqltaskmanager": {
    "failedtasks.totalcount": ["bigint", ({ tasks }) => tasks.ended.get("FAILED") ?? 0],
    "inputdatasize.totalcount": ["bigint", ({ tasks }) => tasks.sums.rawInputBytes],
    "inputpositions.totalcount": ["bigint", ({ tasks }) => tasks.sums.rawInputPositions],
    "outputdatasize.totalcount": ["bigint", ({ tasks }) => tasks.sums.outputBytes],
    "outputpositions.totalcount": ["bigint", ({ tasks }) => tasks.sums.outputPositions],
    "taskcputime.totalseconds": ["double", ({ tasks }) => tasks.sums.cpuNanos / 1e9],
  },
  "trino.memory:name=general,type=memorypool": {
    freebytes: ["bigint", ({ memory }) => memory.capacityBytes - memory.reservedBytes],
    maxbytes: ["bigint", ({ memory }) => memory.capacityBytes],
    queries: ["bigint", ({ queries }) => queries],
    queryreservedbytes: ["bigint", ({ memory }) => memory.queryBytes],
    reservedbytes: ["bigint", ({ memory }) => memory.reservedBytes],
    residentbytes: ["bigint", ({ memory }) => memory.residentBytes],
  },
};

const ofCoordinators: Readonly<Record<string, Attributes<CoordinatorFacts>>> = {
  "trino.execution:name=clustersizemonitor": {
    requiredworkers: ["bigint", ({ coordinator }) => coordinator.requiredWorkers],
  },
  "trino.execution:name=querymanager": {
    "completedqueries.totalcount": ["bigint", ({ coordinator: { counts } }) => counts.finishedQueries + counts.failedQueries],
    "consumedinputbytes.totalcount": ["bigint", ({ coordinator: { counts } }) => counts.processedBytes],
    "consumedinputrows.totalcount": ["bigint", ({ coordinator: { counts } }) => counts.processedRows],
    "failedqueries.totalcount": ["bigint", ({ coordinator: { counts } }) => counts.failedQueries],
    queuedqueries: ["bigint", (facts) => queriesIn(facts, true)],
    runningqueries: ["bigint", (facts) => queriesIn(facts, false)],
    "submittedqueries.totalcount": [
      "bigint",
      (facts) =>
        facts.coordinator.counts.finishedQueries +
        facts.coordinator.counts.failedQueries +
        queriesIn(facts, true) +
        queriesIn(facts, false),
    ],
  },
};

function beanOf([objectName, attributes]: readonly [string, Attributes<never>]): Bean {
  return { objectName, attributes: Object.fromEntries(Object.entries(attributes).map(([name, [type]]) => [name, type])) };
}

/** Sorted by name. */
const beans: readonly Bean[] = [...Object.entries(ofNodes), ...Object.entries(ofCoordinators)]
  .map(beanOf)
  .sort((one, other) => (one.objectName < other.objectName ? -1 : 1));

function valuesOf<F>(all: Readonly<Record<string, Attributes<F>>>, facts: F): readonly (readonly [string, BeanValues])[] {
  return Object.entries(all).map(([objectName, attributes]) => {
    return [objectName, Object.fromEntries(Object.entries(attributes).map(([name, [, value]]) => [name, value(facts)]))];
  });
}

export function managedBeans({ config, measures, uptimeNanos, wallMillis }: ManagedNode): BeanProvider {
  return {
    beans,
    read: () => {
      const uptimeMs = Math.floor(uptimeNanos() / 1e6);
      const { nodeId, nodeVersion } = config;
      const { coordinator, ...node } = measures();
      const facts: Facts = { ...node, nodeId, nodeVersion, uptimeMs, startTimeMs: Math.floor(wallMillis()) - uptimeMs };
      return new Map([
        ...valuesOf(ofNodes, facts),
        ...(coordinator === undefined ? [] : valuesOf(ofCoordinators, { ...facts, coordinator })),
      ]);
    },
  };
}
