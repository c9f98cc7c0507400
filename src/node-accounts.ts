/**
 * What a node holds at a moment, for checkers and tests: the simulator compares it with the bounds and with what must be left.
 */
import type { KeptQueries } from "./coordinator/query/query-tracker.ts";
import type { OutputBufferSnapshot, TaskState } from "./execution/task/api.ts";
import type { QueryMemoryUse } from "./worker/query-memories.ts";

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
  readonly tasks: readonly { readonly taskId: string; readonly state: TaskState; readonly output: OutputBufferSnapshot }[];
}
