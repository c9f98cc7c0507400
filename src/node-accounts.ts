/**
 * What a node holds at a moment, for checkers and tests: the simulator compares it with the bounds and with what must be left.
 */
import type { NodeConfig } from "./config.ts";
import type { Coordinator } from "./coordinator/coordinator.ts";
import type { KeptQueries } from "./coordinator/query/query-tracker.ts";
import type { OutputBufferSnapshot, TaskState, TaskStatsSnapshot } from "./execution/task/api.ts";
import type { NodeMemory } from "./memory/allocator.ts";
import type { MemoryContext } from "./memory/memory.ts";
import type { FramePool } from "./page/frame-pool.ts";
import type { Catalogs } from "./worker/catalogs.ts";
import type { QueryMemories, QueryMemoryUse } from "./worker/query-memories.ts";
import type { TaskRegistry } from "./worker/task-registry.ts";

/** The parts of a node that hold something. */
export interface Holdings {
  readonly config: NodeConfig;
  readonly memory: NodeMemory;
  readonly queryMemory: MemoryContext;
  readonly memories: QueryMemories;
  readonly frames: FramePool;
  readonly registry: TaskRegistry;
  readonly catalogs: Catalogs;
  /** Undefined on a worker. */
  readonly coordinator: Coordinator | undefined;
}

/** Resources that a node still holds; all zero on an idle node. */
export interface Leftovers {
  /** Queries that have not ended. */
  readonly queries: number;
  /** Registered tasks, including ended ones. */
  readonly tasks: number;
  readonly liveTasks: number;
  /** Pages in the output buffers of tasks. */
  readonly bufferedPages: number;
  /** Bytes of result segments that clients have not fetched. */
  readonly spooledBytes: number;
  /** Queries that have memory on this node. */
  readonly queryMemories: number;
  readonly reservedBytes: number;
  /** Timers that exist because of queries or tasks. */
  readonly timers: number;
  /** Bytes of frames in the pool that are not freed. */
  readonly frameBytes: number;
  /** On the coordinator: parts of tables that have too few copies on the workers. */
  readonly partsToCopy: number;
}

/** Resource accounting of a node, for consistency checks. */
export interface Accounts {
  readonly sizeBytes: number;
  /** Reserved by everything on the node. */
  readonly reservedBytes: number;
  /** Linear memory: blocks in use with their slabs, and what has been touched, in steps of 1 MiB. */
  readonly usedBytes: number;
  readonly residentBytes: number;
  /** Reserved by all queries. */
  readonly queryBytes: number;
  readonly queryBytesMax: number;
  readonly outputBufferBytesMax: number;
  readonly queries: readonly QueryMemoryUse[];
  /** Undefined on a worker. */
  readonly keptQueries: KeptQueries | undefined;
  readonly tasks: readonly TaskAccount[];
}

export interface TaskAccount {
  readonly taskId: string;
  readonly state: TaskState;
  readonly output: OutputBufferSnapshot;
  /** Takes a snapshot of all operators, of the moment of the call. */
  readonly stats: () => TaskStatsSnapshot;
}

export function leftoversOf({ catalogs, coordinator, frames, memories, queryMemory, registry }: Holdings): Leftovers {
  const buffers = registry.list().flatMap((task) => task.execution.outputBuffer.buffers);
  return {
    queries: coordinator?.activeQueryCount() ?? 0,
    tasks: registry.taskCount,
    liveTasks: registry.liveCount,
    bufferedPages: buffers.reduce((sum, buffer) => sum + buffer.bufferedPages, 0),
    spooledBytes: coordinator?.spooledBytes() ?? 0,
    queryMemories: memories.count,
    reservedBytes: queryMemory.reservedBytes,
    timers: registry.hasTimer ? 1 : 0,
    frameBytes: frames.measures().usedBytes,
    partsToCopy: catalogs.partsToCopy(),
  };
}

export function accountsOf({ config, coordinator, memories, memory, queryMemory, registry }: Holdings): Accounts {
  return {
    sizeBytes: memory.linear.sizeBytes,
    reservedBytes: memory.root.reservedBytes,
    usedBytes: memory.usedBytes,
    residentBytes: memory.residentBytes,
    queryBytes: queryMemory.reservedBytes,
    queryBytesMax: config.queryMemoryPerNodeBytesMax,
    outputBufferBytesMax: config.execution.outputBufferBytesMax,
    queries: memories.uses(),
    keptQueries: coordinator?.keptQueries(),
    tasks: registry.list().map(({ taskId, execution }) => ({
      taskId,
      state: execution.state,
      output: execution.outputBuffer,
      stats: () => execution.stats(),
    })),
  };
}
