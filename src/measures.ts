/**
 * Measures of a node at a moment, for its metrics. They change nothing and cost what the live tasks and queries cost to count.
 */
import type { NodeConfig } from "./config.ts";
import type { Coordinator } from "./coordinator/coordinator.ts";
import type { KeptQueries, QueryCounts } from "./coordinator/query/query-tracker.ts";
import type { QueryState } from "./coordinator/query/states.ts";
import type { NodeMemory } from "./memory/allocator.ts";
import type { MemoryContext } from "./memory/memory.ts";
import type { FramePool, FramePoolMeasures } from "./page/frame-pool.ts";
import type { CatalogFileCache, Catalogs } from "./worker/catalogs.ts";
import type { NodeTaskTotals, TaskTotals } from "./worker/task-totals.ts";

export interface NodeMeasures {
  readonly tasks: NodeTaskTotals;
  readonly memory: {
    readonly capacityBytes: number;
    readonly reservedBytes: number;
    /** Part of the reserved bytes that belongs to queries. */
    readonly queryBytes: number;
    /** Upper bound of the machine's memory that the linear memory occupies. */
    readonly residentBytes: number;
  };
  /** The memory of page frames that nodes of the process share. */
  readonly frames: FramePoolMeasures;
  /** Queries that have memory on this node. */
  readonly queries: number;
  readonly fileCaches: readonly CatalogFileCache[];
  /** Absent on a worker. */
  readonly coordinator?: CoordinatorMeasures;
}

export interface CoordinatorMeasures {
  /** Number of queries that have not ended, by state. */
  readonly queryStates: ReadonlyMap<QueryState, number>;
  readonly requiredWorkers: number;
  readonly counts: QueryCounts;
  /** Ended queries. */
  readonly keptQueries: KeptQueries;
  /** Bytes of result segments that clients have not fetched. */
  readonly spooledBytes: number;
}

export interface MeasuredNode {
  readonly config: NodeConfig;
  readonly memory: NodeMemory;
  readonly frames: FramePool;
  readonly queryMemory: MemoryContext;
  readonly queries: number;
  readonly tasks: TaskTotals;
  readonly catalogs: Catalogs;
  readonly coordinator: Coordinator | undefined;
}

export function nodeMeasures({ catalogs, config, coordinator, frames, memory, queries, queryMemory, tasks }: MeasuredNode): NodeMeasures {
  return {
    tasks: tasks.read(),
    memory: {
      capacityBytes: memory.linear.sizeBytes,
      reservedBytes: memory.root.reservedBytes,
      queryBytes: queryMemory.reservedBytes,
      residentBytes: memory.residentBytes,
    },
    frames: frames.measures(),
    queries,
    fileCaches: catalogs.fileCaches(),
    ...(coordinator === undefined ? {} : { coordinator: coordinatorMeasures(coordinator, config) }),
  };
}

function coordinatorMeasures(coordinator: Coordinator, { coordinator: { requiredWorkers } }: NodeConfig): CoordinatorMeasures {
  return {
    queryStates: coordinator.activeQueryStates(),
    requiredWorkers,
    counts: coordinator.queryCounts(),
    keptQueries: coordinator.keptQueries(),
    spooledBytes: coordinator.spooledBytes(),
  };
}
