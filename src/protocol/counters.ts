/**
 * The counters of operators, pipelines and tasks. Types of snapshots, sums (counter-sums.ts), schemas and the members of documents
 * (counter-documents.ts) follow from these tables. A new counter is a line in its table, a line for each level that shows it, one among the
 * members that older builds omit, and the place that counts it (execution/driver/pipeline-snapshot.ts, execution/task/task.ts). The order
 * within a level is the order on the wire.
 */
export type Unit = "count" | "bytes" | "nanos";

export interface TaskCounter {
  readonly unit: Unit;
  /**
   * From the pipelines to their task: their sum, the value of the output pipeline, or a value that only the task has. Tasks add up to
   * stages.
   */
  readonly ofTask: "sum" | "output" | "own";
  /** From the stages to their query: that of the stages that scan tables, or that of the root stage. Absent: the sum of all. */
  readonly ofQuery?: "input" | "output";
  /** A task never reports less than before. */
  readonly grows?: true;
}

/** Of a task: exact integers. */
export const taskCounters = {
  totalDrivers: { unit: "count", ofTask: "sum" },
  queuedDrivers: { unit: "count", ofTask: "sum" },
  runningDrivers: { unit: "count", ofTask: "sum" },
  blockedDrivers: { unit: "count", ofTask: "sum" },
  completedDrivers: { unit: "count", ofTask: "sum" },
  memoryReservationBytes: { unit: "bytes", ofTask: "own" },
  /** The part of the memory that holds pages on their way between tasks: Presto's system memory. The rest is user memory. */
  systemMemoryBytes: { unit: "bytes", ofTask: "own" },
  peakMemoryBytes: { unit: "bytes", ofTask: "own", grows: true },
  scheduledNanos: { unit: "nanos", ofTask: "sum", grows: true },
  cpuNanos: { unit: "nanos", ofTask: "sum", grows: true },
  blockedNanos: { unit: "nanos", ofTask: "sum", grows: true },
  /** Bytes that scans read. Raw input also includes what exchanges read. */
  physicalInputBytes: { unit: "bytes", ofTask: "sum", grows: true },
  rawInputBytes: { unit: "bytes", ofTask: "sum", ofQuery: "input", grows: true },
  rawInputPositions: { unit: "count", ofTask: "sum", ofQuery: "input", grows: true },
  processedInputBytes: { unit: "bytes", ofTask: "sum", ofQuery: "input", grows: true },
  processedInputPositions: { unit: "count", ofTask: "sum", ofQuery: "input", grows: true },
  outputBytes: { unit: "bytes", ofTask: "output", ofQuery: "output", grows: true },
  outputPositions: { unit: "count", ofTask: "output", ofQuery: "output", grows: true },
  spilledBytes: { unit: "bytes", ofTask: "own", grows: true },
} as const satisfies Readonly<Record<string, TaskCounter>>;

export type TaskCounterName = keyof typeof taskCounters;

/** A level: which counters a document shows, and its name for each. */
export type Level = Readonly<Partial<Record<TaskCounterName, string>>>;

/** Of a pipeline in the task document. Sizes and times are texts there, with two digits after the point. */
export const pipelineLevel = {
  totalDrivers: "totalDrivers",
  queuedDrivers: "queuedDrivers",
  runningDrivers: "runningDrivers",
  blockedDrivers: "blockedDrivers",
  completedDrivers: "completedDrivers",
  memoryReservationBytes: "memoryReservation",
  scheduledNanos: "totalScheduledTime",
  cpuNanos: "totalCpuTime",
  blockedNanos: "totalBlockedTime",
  physicalInputBytes: "physicalInputDataSize",
  rawInputBytes: "rawInputDataSize",
  rawInputPositions: "rawInputPositions",
  processedInputBytes: "processedInputDataSize",
  processedInputPositions: "processedInputPositions",
  outputBytes: "outputDataSize",
  outputPositions: "outputPositions",
} as const satisfies Level;

/** Of a task in the task document. */
export const taskLevel = {
  ...pipelineLevel,
  systemMemoryBytes: "systemMemoryReservation",
  peakMemoryBytes: "peakMemoryReservation",
  spilledBytes: "spilledDataSize",
} as const satisfies Level;

/** Members of pipelines and tasks that older builds omit. */
export type OmittedMember =
  | "blockedDrivers"
  | "physicalInputDataSize"
  | "systemMemoryReservation"
  | "peakMemoryReservation"
  | "spilledDataSize";
export const omittedMembers: ReadonlySet<string> = new Set<OmittedMember>([
  "blockedDrivers",
  "physicalInputDataSize",
  "systemMemoryReservation",
  "peakMemoryReservation",
  "spilledDataSize",
]);

/** Of the short form of a task: exact numbers, so that a coordinator can add them up. */
export const statusLevel = {
  memoryReservationBytes: "memoryReservationBytes",
  systemMemoryBytes: "systemMemoryReservationBytes",
  totalDrivers: "totalDrivers",
  queuedDrivers: "queuedDrivers",
  runningDrivers: "runningDrivers",
  blockedDrivers: "blockedDrivers",
  completedDrivers: "completedDrivers",
  cpuNanos: "cpuTimeNanos",
  scheduledNanos: "scheduledTimeNanos",
  physicalInputBytes: "physicalInputBytes",
  rawInputPositions: "rawInputPositions",
  rawInputBytes: "rawInputBytes",
  outputPositions: "outputPositions",
  outputBytes: "outputBytes",
} as const satisfies Level;

/** Members of the short form that older builds omit. */
export type OmittedStatusMember = "physicalInputBytes" | "systemMemoryReservationBytes";
export const omittedStatusMembers: ReadonlySet<string> = new Set<OmittedStatusMember>([
  "physicalInputBytes",
  "systemMemoryReservationBytes",
]);

/** Of a query in the query document. Blocked drivers count as running. */
export const queryLevel = {
  totalDrivers: "totalDrivers",
  queuedDrivers: "queuedDrivers",
  runningDrivers: "runningDrivers",
  completedDrivers: "completedDrivers",
  memoryReservationBytes: "totalMemoryReservation",
  peakMemoryBytes: "peakMemoryReservation",
  scheduledNanos: "totalScheduledTime",
  cpuNanos: "totalCpuTime",
  blockedNanos: "totalBlockedTime",
  rawInputBytes: "rawInputDataSize",
  rawInputPositions: "rawInputPositions",
  processedInputBytes: "processedInputDataSize",
  processedInputPositions: "processedInputPositions",
  outputBytes: "outputDataSize",
  outputPositions: "outputPositions",
} as const satisfies Level;

/** Of a stage in the query document. */
const { peakMemoryBytes: _, ...members } = queryLevel;
export const stageLevel: Omit<typeof queryLevel, "peakMemoryBytes"> = members;

/** Of a stage or a query in the statement response: splits are drivers, wall time is scheduled time. */
export const statementLevel = {
  totalDrivers: "totalSplits",
  queuedDrivers: "queuedSplits",
  runningDrivers: "runningSplits",
  completedDrivers: "completedSplits",
  cpuNanos: "cpuTimeMillis",
  scheduledNanos: "wallTimeMillis",
  rawInputPositions: "processedRows",
  rawInputBytes: "processedBytes",
} as const satisfies Level;

export type Values<Name extends string> = { readonly [N in Name]: number };

export type PipelineCounters = Values<keyof typeof pipelineLevel>;
export type TaskCounterValues = Values<TaskCounterName>;
export type NamesOf<Kind extends TaskCounter["ofTask"]> = {
  [N in TaskCounterName]: (typeof taskCounters)[N]["ofTask"] extends Kind ? N : never;
}[TaskCounterName];

export interface OperatorCounter {
  readonly unit: Unit;
  /** In the summary of the operator, which says some of them twice. */
  readonly members: readonly string[];
  /** Of some operators only. */
  readonly optional?: true;
}

/**
 * Of an operator. The time of calls is wall time; their CPU time counts as user time, as the system does not say how much of it was the
 * system's own.
 */
export const operatorCounters = {
  addInputCalls: { unit: "count", members: ["addInputCalls"] },
  addInputNanos: { unit: "nanos", members: ["addInputWall"] },
  addInputCpuNanos: { unit: "nanos", members: ["addInputCpu", "addInputUser"] },
  inputBytes: { unit: "bytes", members: ["inputDataSize"] },
  inputPositions: { unit: "count", members: ["inputPositions"] },
  getOutputCalls: { unit: "count", members: ["getOutputCalls"] },
  getOutputNanos: { unit: "nanos", members: ["getOutputWall"] },
  getOutputCpuNanos: { unit: "nanos", members: ["getOutputCpu", "getOutputUser"] },
  outputBytes: { unit: "bytes", members: ["outputDataSize"] },
  outputPositions: { unit: "count", members: ["outputPositions"] },
  blockedNanos: { unit: "nanos", members: ["blockedWall"] },
  finishCalls: { unit: "count", members: ["finishCalls"] },
  finishNanos: { unit: "nanos", members: ["finishWall"] },
  finishCpuNanos: { unit: "nanos", members: ["finishCpu", "finishUser"] },
  memoryReservationBytes: { unit: "bytes", members: ["memoryReservation"] },
  /** Of a scan with dynamic filters: rows that it read and left out. */
  dynamicFilteredPositions: { unit: "count", members: ["dynamicFilteredPositions"], optional: true },
} as const satisfies Readonly<Record<string, OperatorCounter>>;

type OptionalOf<T> = { [N in keyof T]: T[N] extends { readonly optional: true } ? N : never }[keyof T];
export type OptionalOperatorCounter = OptionalOf<typeof operatorCounters>;
export type OperatorCounters = Values<Exclude<keyof typeof operatorCounters, OptionalOperatorCounter>> &
  Partial<Values<OptionalOperatorCounter>>;

/** With the keys that the table has. */
export const entriesOf = Object.entries as <Key extends string, Value>(table: Readonly<Partial<Record<Key, Value>>>) => [Key, Value][];
