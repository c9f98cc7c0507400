/**
 * Statistics add up: within a task (drivers, times, memory), along an exchange (the output of one task is the input of the next), and
 * within a query (the sums of its stages' splits and rows). No counter decreases. Checked on the documents that nodes send and that clients
 * receive.
 */
import { growingStatementMembers, growingStatusMembers } from "../../../src/protocol/documents/counter-documents.ts";
import { parseDataSize, parseDuration } from "../../../src/protocol/units.ts";
import type { DeliveryOracle } from "../protocol/delivery.ts";
import { check, type Verdict } from "../violation.ts";
import { isTaskDocument, type Observed } from "../protocol/wire.ts";

const oracle = "statistics";

type Counters = Readonly<Record<string, number>>;

interface DriverCounters {
  readonly totalDrivers: number;
  readonly queuedDrivers: number;
  readonly runningDrivers: number;
  readonly blockedDrivers?: number;
  readonly completedDrivers: number;
}

interface Operator {
  readonly operatorType: string;
  readonly inputPositions: number;
  readonly outputPositions: number;
  readonly info?: { readonly pageBufferClientStatuses: readonly { readonly uri: string; readonly pagesReceived: number }[] };
}

interface TaskInfo {
  readonly taskId: string;
  readonly taskInstanceId?: string;
  readonly version: number;
  readonly state: string;
  readonly outputBuffers?: {
    readonly pagesAdded: number;
    readonly buffers: readonly { readonly bufferId: string; readonly bufferedPages: number; readonly pagesSent: number }[];
  };
  readonly stats?: DriverCounters & {
    readonly memoryReservation: string;
    readonly peakMemoryReservation: string;
    readonly totalScheduledTime: string;
    readonly totalCpuTime: string;
    readonly outputPositions: number;
    readonly pipelines: readonly (DriverCounters & { readonly operatorSummaries: readonly Operator[] })[];
  };
  readonly taskStatus?: TaskStatus;
}

type TaskStatus = DriverCounters &
  Counters & { readonly taskId: string; readonly taskInstanceId: string; readonly state: string; readonly version: number };

interface StageStats {
  readonly totalSplits: number;
  readonly queuedSplits: number;
  readonly runningSplits: number;
  readonly completedSplits: number;
  readonly cpuTimeMillis: number;
  readonly wallTimeMillis: number;
  readonly processedRows: number;
  readonly processedBytes: number;
  readonly subStages?: readonly StageStats[];
}

type QueryStats = StageStats & { readonly rootStage?: StageStats; readonly peakMemoryBytes?: number; readonly elapsedTimeMillis?: number };

/** Counters of a task that never decrease. */
const growing: readonly string[] = [...growingStatusMembers, "completedDrivers", "version"];
/** Counters of a query that never decrease. */
const growingOfQuery = [...growingStatementMembers, "completedSplits", "elapsedTimeMillis"] as const;
const taskOrder: Readonly<Record<string, number>> = {
  PLANNED: 0,
  RUNNING: 1,
  FLUSHING: 2,
  FINISHED: 3,
  CANCELED: 3,
  ABORTED: 3,
  FAILED: 3,
};
/**
 * Operators that read all their input before they end. The build of a join does not: the join may end earlier if its other side is empty.
 */
const readsAll =
  /^(Exchange|Merge|FilterAndProject|HashAggregation|Aggregation|OrderBy|TopN|TaskOutput|PartitionedOutput|MarkDistinct)Operator$/;

const locationParts = /^http:\/\/([^:/]+):\d+\/v1\/task\/([^/]+)\/results\/(\d+)$/;

export class StatisticsOracle {
  readonly #verdict: Verdict;
  readonly #delivery: DeliveryOracle;
  /** Last status by instance id. */
  readonly #statuses = new Map<string, TaskStatus>();
  /** Last counters by the coordinator's incarnation and the query. */
  readonly #queries = new Map<string, QueryStats>();

  constructor(verdict: Verdict, delivery: DeliveryOracle) {
    this.#verdict = verdict;
    this.#delivery = delivery;
  }

  observe(answer: Observed): void {
    const { task, request, response, to } = answer;
    if (task === undefined || response.status !== 200) {
      return;
    }
    if (isTaskDocument(answer)) {
      const info = answer.json() as TaskInfo;
      if (info.taskStatus !== undefined) {
        this.#status(info.taskStatus);
      }
      this.#info(info);
      if (request.method === "DELETE" && info.state === "FINISHED") {
        this.#finished(to, info);
      }
    } else if (task.what === "task" || task.what === "status") {
      this.#status(answer.json() as TaskStatus);
    }
  }

  #status(status: TaskStatus): void {
    const { taskId, taskInstanceId } = status;
    this.#drivers(taskId, status);
    this.#check(
      Number(status["cpuTimeNanos"]) <= Number(status["scheduledTimeNanos"]),
      () => `${taskId} computed for longer than it was scheduled`,
    );
    const before = this.#statuses.get(taskInstanceId);
    if (before !== undefined) {
      for (const name of growing) {
        this.#check(
          Number(status[name] ?? 0) >= Number(before[name] ?? 0),
          () => `${name} of ${taskId} fell from ${String(before[name])} to ${String(status[name])}`,
        );
      }
      const [from, to] = [taskOrder[before.state] ?? 0, taskOrder[status.state] ?? 0];
      this.#check(to > from || before.state === status.state, () => `${taskId} went from ${before.state} to ${status.state}`);
    }
    this.#statuses.set(taskInstanceId, status);
  }

  #info({ taskId, stats, outputBuffers }: TaskInfo): void {
    if (stats === undefined || outputBuffers === undefined) {
      return;
    }
    this.#drivers(taskId, stats);
    const inPipelines = stats.pipelines.reduce((sum, pipeline) => sum + pipeline.totalDrivers, 0);
    this.#check(inPipelines === stats.totalDrivers, () => `${taskId} has ${stats.totalDrivers} drivers and its pipelines ${inPipelines}`);
    for (const pipeline of stats.pipelines) {
      this.#drivers(`a pipeline of ${taskId}`, pipeline);
    }
    const size = (text: string): number => parseDataSize(text) ?? -1;
    this.#check(size(stats.memoryReservation) >= 0 && size(stats.peakMemoryReservation) >= size(stats.memoryReservation), () => {
      return `${taskId} holds ${stats.memoryReservation} and its peak is ${stats.peakMemoryReservation}`;
    });
    this.#check((parseDuration(stats.totalCpuTime) ?? 0) <= (parseDuration(stats.totalScheduledTime) ?? 0), () => {
      return `${taskId} computed for ${stats.totalCpuTime} and was scheduled for ${stats.totalScheduledTime}`;
    });
    for (const { bufferId, bufferedPages, pagesSent } of outputBuffers.buffers) {
      this.#check(
        bufferedPages >= 0 && pagesSent >= 0 && bufferedPages + pagesSent <= outputBuffers.pagesAdded,
        () =>
          `buffer ${bufferId} of ${taskId} holds ${bufferedPages} pages and gave ${pagesSent}, of ${outputBuffers.pagesAdded} that were added`,
      );
    }
  }

  #drivers(who: string, counters: DriverCounters): void {
    const { totalDrivers, queuedDrivers, runningDrivers, blockedDrivers = 0, completedDrivers } = counters;
    const sum = queuedDrivers + runningDrivers + blockedDrivers + completedDrivers;
    this.#check(
      sum === totalDrivers && Math.min(queuedDrivers, runningDrivers, blockedDrivers, completedDrivers) >= 0,
      () =>
        `${who} has ${totalDrivers} drivers: ${queuedDrivers} queued, ${runningDrivers} running, ${blockedDrivers} blocked, ${completedDrivers} completed`,
    );
  }

  /** Compares the last document of a successful task with its input and output on the wire. */
  #finished(place: string, { taskId, stats, outputBuffers }: TaskInfo): void {
    if (stats === undefined || outputBuffers === undefined || stats.completedDrivers !== stats.totalDrivers) {
      return;
    }
    const buffers = outputBuffers.buffers.map(({ bufferId }) => this.#delivery.delivered(place, taskId, Number(bufferId)));
    // A task whose consumers have left may stop at any point and still be FINISHED.
    if (buffers.some((buffer) => buffer?.isWhole !== true)) {
      return;
    }
    for (const { operatorSummaries } of stats.pipelines) {
      const all = operatorSummaries.every(({ operatorType }) => readsAll.test(operatorType));
      for (const operator of operatorSummaries) {
        this.#exchanged(taskId, operator, all);
      }
    }
    if (outputBuffers.buffers.length === 1 && buffers[0] !== undefined) {
      const { rows } = buffers[0];
      this.#check(rows === stats.outputPositions, () => `${taskId} says it gave ${stats.outputPositions} rows; its pages had ${rows}`);
    }
  }

  #exchanged(taskId: string, { operatorType, outputPositions, info }: Operator, readsEverything: boolean): void {
    const clients = info?.pageBufferClientStatuses ?? [];
    let rows = 0;
    let isWhole = clients.length > 0;
    for (const { uri, pagesReceived } of clients) {
      const [, place = "", producer = "", bufferId = ""] = locationParts.exec(uri) ?? [];
      const given = this.#delivery.delivered(place, producer, Number(bufferId));
      if (given === undefined) {
        isWhole = false;
        continue;
      }
      rows += given.rows;
      isWhole &&= given.isWhole;
      this.#check(pagesReceived <= given.frames, () => `${taskId} received ${pagesReceived} pages of ${uri}, which gave ${given.frames}`);
    }
    if (isWhole && readsEverything) {
      this.#check(outputPositions === rows, () => `${operatorType} of ${taskId} read ${outputPositions} rows; its sources gave ${rows}`);
    }
  }

  /**
   * Handles statistics as a client receives them, response by response. Another incarnation of the coordinator may run the same query id
   * again. A query that runs again shows the counters of its new attempt.
   */
  observeClient(
    queryId: string,
    stats: QueryStats,
    { incarnation, runsAgain }: { readonly incarnation: number; readonly runsAgain: boolean } = { incarnation: 1, runsAgain: false },
  ): void {
    const stages: StageStats[] = stats.rootStage === undefined ? [] : [stats.rootStage];
    for (const stage of stages) {
      stages.push(...(stage.subStages ?? []));
    }
    for (const one of [stats, ...stages]) {
      const { totalSplits, queuedSplits, runningSplits, completedSplits } = one;
      this.#check(
        queuedSplits + runningSplits + completedSplits === totalSplits && Math.min(queuedSplits, runningSplits, completedSplits) >= 0,
        () => `${queryId} has ${totalSplits} splits: ${queuedSplits} queued, ${runningSplits} running, ${completedSplits} completed`,
      );
      this.#check(one.cpuTimeMillis <= one.wallTimeMillis, () => `${queryId} computed for longer than it was scheduled`);
    }
    if (stages.length > 0) {
      for (const name of ["totalSplits", "completedSplits"] as const) {
        const sum = stages.reduce((total, stage) => total + stage[name], 0);
        this.#check(sum === stats[name], () => `${name} of ${queryId} is ${stats[name]}, of its stages ${sum}`);
      }
    }
    const before = this.#queries.get(`${incarnation} ${queryId}`);
    const growing = runsAgain ? (["elapsedTimeMillis"] as const) : growingOfQuery;
    for (const name of before === undefined ? [] : growing) {
      this.#check(
        (stats[name] ?? 0) >= (before?.[name] ?? 0),
        () => `${name} of ${queryId} fell from ${String(before?.[name])} to ${String(stats[name])}`,
      );
    }
    this.#queries.set(`${incarnation} ${queryId}`, stats);
  }

  /** Checks the query resource of a query whose client has read all rows. */
  observeEnd(queryId: string, outputPositions: number, received: number): void {
    this.#check(outputPositions === received, () => `${queryId} says it gave ${outputPositions} rows; its client received ${received}`);
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#verdict, "safety", oracle, holds, sentence);
  }
}
