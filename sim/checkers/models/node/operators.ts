/**
 * The numbers of operators and pipelines in a task's document, written from section 2.5 of the interface and section 8.2 of the reference:
 * - A page is got from one operator, counted there as output, and is the input of the next one, with the same bytes.
 * - Times add up: operators compute within the time of their pipeline, a pipeline blocks within its task's life, and tasks have the sums of
 *   their pipelines. CPU time is never more than wall time.
 * - A scan has read the rows that it gives and those that its dynamic filters drop, and further ones only if it filters by itself.
 * - Drivers have ids of their own, and begin and end in order. A driver of a scan is a split; their rows are those of the pipeline.
 * - A task's memory is in proportion to what it reads.
 * - An exchange takes pages of its sources in turn, in an order that does not depend on time. It tells the requests that it sent. It holds
 *   what it buffers, and one page that it gives.
 */
import { parseDataSize, parseDuration } from "../../../../src/protocol/units.ts";
import type { Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

/** Sizes and times are written with two decimal places. */
const roundingShare = 0.006;
/** The time of a slice is shared out to operators in whole nanoseconds. */
const sharedNanos = 20_000;
/** A slice whose end no clock has shown yet. */
const sliceNanos = 20_000_000;
const driversMax = 32;
const ends: ReadonlySet<string> = new Set(["FINISHED", "CANCELED", "ABORTED", "FAILED"]);
const firstDocuments = 12;
const documentEvery = 4;
const headerBytes = 24;
/** A page that an exchange gives may take more than its frame, by headers and padding. */
const decodedShare = 2;
const decodedBytes = 16_384;
/** What an operator holds before its first row: 1,024 rows of each column, a hash table, pages that it builds. */
const firstBytes = 2 ** 21;
const grownShare = 16;

/** Operators that read what comes from outside the task. A pipeline that begins with one is an input pipeline. */
const outsideSources: ReadonlySet<string> = new Set([
  "TableScanOperator",
  "ScanFilterAndProjectOperator",
  "ExchangeOperator",
  "MergeOperator",
]);

interface Operator {
  readonly operatorType: string;
  readonly addInputCalls: number;
  readonly getOutputCalls: number;
  readonly finishCalls: number;
  readonly addInputWall: string;
  readonly addInputCpu: string;
  readonly getOutputWall: string;
  readonly getOutputCpu: string;
  readonly finishWall: string;
  readonly finishCpu: string;
  readonly blockedWall: string;
  readonly inputDataSize: string;
  readonly outputDataSize: string;
  readonly inputPositions: number;
  readonly outputPositions: number;
  /** Rows that a scan has read and its dynamic filters have dropped. */
  readonly dynamicFilteredPositions?: number;
  readonly memoryReservation: string;
  readonly info?: Exchange;
}

interface Exchange {
  readonly bufferedBytes: number;
  readonly bufferedPages: number;
  readonly pageBufferClientStatuses: readonly {
    readonly uri: string;
    readonly state: string;
    readonly pagesReceived: number;
    readonly requestsScheduled: number;
    readonly requestsCompleted: number;
    readonly requestsFailed?: number;
  }[];
}

interface Times {
  readonly totalScheduledTime: string;
  readonly totalCpuTime: string;
  readonly totalBlockedTime: string;
  readonly rawInputDataSize: string;
  readonly rawInputPositions: number;
  readonly processedInputDataSize: string;
  readonly processedInputPositions: number;
  readonly outputDataSize: string;
  readonly outputPositions: number;
  readonly totalDrivers: number;
  readonly completedDrivers: number;
}

interface Pipeline extends Times {
  readonly inputPipeline: boolean;
  readonly outputPipeline: boolean;
  readonly operatorSummaries: readonly Operator[];
  readonly drivers: readonly {
    readonly driverId?: string;
    readonly createTime?: string;
    readonly startTime?: string;
    readonly endTime?: string;
    readonly rawInputPositions?: number;
  }[];
}

interface Info {
  readonly taskId: string;
  readonly state: string;
  readonly stats: Times & {
    readonly elapsedTime: string;
    readonly peakMemoryReservation?: string;
    readonly pipelines: readonly Pipeline[];
  };
}

const summed = ["totalScheduledTime", "totalCpuTime", "totalBlockedTime", "rawInputDataSize", "processedInputDataSize"] as const;

class OperatorModel implements Model {
  readonly notes = ["request", "start"];
  readonly #context: Judged;
  /** Requests that a place sent to the exchange's address, by `place address`. */
  readonly #asked = new Map<string, number>();
  /** Bytes of the largest page that was given to a place. */
  readonly #largest = new Map<string, number>();
  readonly #hasSteps: boolean;
  #documents = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#hasSteps = context.plan.faults.some(({ kind }) => kind.startsWith("clock"));
  }

  note({ place, kind, detail }: Note): void {
    if (kind === "start") {
      this.#largest.delete(place);
      for (const key of this.#asked.keys()) {
        if (key.startsWith(`${place} `)) {
          this.#asked.delete(key);
        }
      }
    } else if (detail.includes(" exchange-")) {
      const [, link = "", , , path = ""] = detail.split(" ", 5);
      const [, , , taskId = "", , buffer = ""] = path.split("/");
      const key = `${place} ${link.split(">")[1] ?? ""} ${taskId} ${buffer}`;
      this.#asked.set(key, (this.#asked.get(key) ?? 0) + 1);
    }
  }

  observe({ task, from, to, request, response, json }: Observed): void {
    if (task?.what === "results" && response.status === 200) {
      this.#largest.set(from, largestFrame(response.body, this.#largest.get(from) ?? 0));
    } else if (task?.what === "task" && response.status === 200 && request.method !== "POST" && this.#isChosen()) {
      this.#task(to, json() as Info);
    }
  }

  /** The first documents, and then one in some: what is wrong in one is wrong in many. */
  #isChosen(): boolean {
    this.#documents++;
    return this.#documents <= firstDocuments || this.#documents % documentEvery === 0;
  }

  #task(place: string, { taskId, state, stats }: Info): void {
    this.#memory(taskId, stats);
    const isWhole = state !== "FAILED" && state !== "ABORTED";
    for (const name of summed) {
      this.#near(
        `${name} of ${taskId}`,
        stats[name],
        stats.pipelines.map((pipeline) => pipeline[name]),
      );
    }
    const output = stats.pipelines.find(({ outputPipeline }) => outputPipeline);
    if (output !== undefined) {
      this.#near(`outputDataSize of ${taskId}`, stats.outputDataSize, [output.outputDataSize]);
    }
    const processed = stats.pipelines.reduce((sum, { processedInputPositions }) => sum + processedInputPositions, 0);
    this.#check(
      processed === stats.processedInputPositions,
      () => `${taskId} processed ${stats.processedInputPositions} rows, its pipelines ${processed}`,
    );
    const elapsed = amount(stats.elapsedTime);
    for (const [index, pipeline] of stats.pipelines.entries()) {
      const who = `pipeline ${index} of ${taskId}`;
      this.#times(who, pipeline, elapsed);
      this.#scheduled(who, pipeline, elapsed);
      this.#drivers(who, pipeline, { taskId, index, state });
      this.#flow(who, pipeline, isWhole);
      for (const operator of pipeline.operatorSummaries) {
        if (operator.info !== undefined) {
          this.#exchange(place, { who: `${operator.operatorType} of ${taskId}`, state }, operator, operator.info);
        }
      }
    }
  }

  /** Arrays are as large as what they hold, and grow by a factor. An operator's first arrays are there before its first row. */
  #memory(taskId: string, { peakMemoryReservation, pipelines }: Info["stats"]): void {
    const all = pipelines.flatMap(({ operatorSummaries }) => operatorSummaries);
    const moved = all.reduce((sum, { inputDataSize, outputDataSize }) => sum + amount(inputDataSize) + amount(outputDataSize), 0);
    const read = pipelines.reduce((sum, { rawInputDataSize }) => sum + amount(rawInputDataSize), 0);
    const most = all.length * firstBytes + (moved + read) * grownShare;
    this.#check(
      // Older builds do not tell the peak. A task that failed while its operators were made has none.
      peakMemoryReservation === undefined || all.length === 0 || amount(peakMemoryReservation) <= most,
      () => `${taskId} has held ${String(peakMemoryReservation)} for ${all.length} operators, ${moved} bytes between them and ${read} read`,
    );
  }

  /** A driver is scheduled for no longer than its task has existed, so what a slice is charged cannot be more than the slice. */
  #scheduled(who: string, { totalScheduledTime, totalDrivers }: Pipeline, elapsed: number): void {
    const most = Math.max(1, totalDrivers) * (elapsed * (1 + roundingShare) + sliceNanos);
    this.#check(
      this.#hasSteps || amount(totalScheduledTime) <= most,
      () => `${totalDrivers} drivers of ${who} were scheduled for ${totalScheduledTime}, within ${elapsed} ns`,
    );
  }

  #times(who: string, { totalScheduledTime, totalCpuTime, totalBlockedTime, operatorSummaries }: Pipeline, elapsed: number): void {
    const [scheduled, cpu, blocked] = [totalScheduledTime, totalCpuTime, totalBlockedTime].map(amount) as [number, number, number];
    const more = 1 + roundingShare;
    this.#check(
      cpu <= scheduled * more && blocked <= elapsed * more + sharedNanos,
      () => `${who} computed for ${totalCpuTime} of ${totalScheduledTime}, and was blocked for ${totalBlockedTime} of ${elapsed} ns`,
    );
    let [cpuOfAll, blockedOfAll] = [0, 0];
    for (const operator of operatorSummaries) {
      const { addInputCpu, addInputWall, getOutputCpu, getOutputWall, finishCpu, finishWall, blockedWall } = operator;
      const own = [addInputCpu, getOutputCpu, finishCpu].map(amount);
      const wall = [addInputWall, getOutputWall, finishWall].map(amount);
      this.#check(
        own.every((nanos, index) => nanos <= (wall[index] ?? 0) * more + 1),
        () => `${operator.operatorType} in ${who} computed for ${own.join(" ")} ns of ${wall.join(" ")} ns`,
      );
      cpuOfAll += own.reduce((sum, nanos) => sum + nanos, 0);
      blockedOfAll += amount(blockedWall);
    }
    this.#check(
      cpuOfAll <= cpu * (more + roundingShare) + sharedNanos && blockedOfAll <= blocked * (more + roundingShare) + sharedNanos,
      () => `the operators of ${who} computed for ${cpuOfAll} of ${cpu} ns, and were blocked for ${blockedOfAll} of ${blocked} ns`,
    );
  }

  /** Each page passes from one operator to the next. */
  #flow(who: string, pipeline: Pipeline, isWhole: boolean): void {
    const { operatorSummaries, inputPipeline } = pipeline;
    operatorSummaries.forEach((operator, index) => {
      const { operatorType, addInputCalls, getOutputCalls, finishCalls, inputPositions, outputPositions } = operator;
      this.#check(
        finishCalls <= 1 && (outputPositions > 0 || amount(operator.outputDataSize) === 0) && (inputPositions > 0 || addInputCalls === 0),
        () =>
          `${operatorType} in ${who} took ${inputPositions} rows in ${addInputCalls} pages, gave ${operator.outputDataSize} in ` +
          `${outputPositions} rows, and was finished ${finishCalls} times`,
      );
      const next = operatorSummaries[index + 1];
      if (next !== undefined && isWhole) {
        this.#check(
          operator.outputDataSize === next.inputDataSize && getOutputCalls >= next.addInputCalls,
          () =>
            `in ${who} ${operatorType} gave ${operator.outputDataSize} in ${getOutputCalls} calls, and ${next.operatorType} took ` +
            `${next.inputDataSize} in ${next.addInputCalls} pages`,
        );
      }
      this.#check(
        !isWhole || addInputCalls > 0 === inputPositions > 0,
        () => `${operatorType} in ${who} took ${inputPositions} rows in ${addInputCalls} calls`,
      );
    });
    const [first] = operatorSummaries;
    const readsFromOutside = first !== undefined && outsideSources.has(first.operatorType);
    this.#check(
      first === undefined || inputPipeline === readsFromOutside,
      () => `${who} begins with ${first?.operatorType ?? ""}, and says of itself that it is ${inputPipeline ? "an" : "no"} input pipeline`,
    );
    this.#check(
      pipeline.processedInputPositions === (inputPipeline ? (first?.outputPositions ?? 0) : 0) &&
        (inputPipeline || pipeline.rawInputPositions === 0),
      () => `${who} read ${pipeline.rawInputPositions} and processed ${pipeline.processedInputPositions} rows`,
    );
    this.#check(
      pipeline.outputDataSize === operatorSummaries.at(-1)?.inputDataSize,
      () => `${who} gave ${pipeline.outputDataSize}; its last operator took ${String(operatorSummaries.at(-1)?.inputDataSize)}`,
    );
  }

  #drivers(
    who: string,
    { drivers, totalDrivers, completedDrivers, rawInputPositions, operatorSummaries }: Pipeline,
    { taskId, index, state }: { readonly taskId: string; readonly index: number; readonly state: string },
  ): void {
    const ids = new Set(drivers.map(({ driverId }) => driverId));
    this.#check(
      ids.size === drivers.length && drivers.length <= driversMax && drivers.length <= Math.max(1, totalDrivers),
      () => `${who} has ${drivers.length} drivers of ${totalDrivers} with ${ids.size} ids`,
    );
    for (const { driverId, createTime, startTime, endTime } of drivers) {
      const times = [createTime, startTime, endTime].filter((text) => text !== undefined).map(Date.parse);
      this.#check(driverId === undefined || driverId.startsWith(`${taskId}.${index}.`), () => `${who} has a driver ${String(driverId)}`);
      this.#check(
        this.#hasSteps || times.every((time, at) => at === 0 || time >= (times[at - 1] ?? 0)),
        () =>
          `driver ${String(driverId)} was created, started and ended at ${String(createTime)}, ${String(startTime)}, ${String(endTime)}`,
      );
    }
    const rows = drivers.reduce((sum, driver) => sum + (driver.rawInputPositions ?? 0), 0);
    const isAll = state === "FINISHED" && completedDrivers === totalDrivers && drivers.length === totalDrivers;
    // The split that a task was in when its readers left tells no rows.
    const isCut = drivers.some((driver) => driver.rawInputPositions === 0);
    const [source] = operatorSummaries;
    const isPlainScan = source?.operatorType === "TableScanOperator";
    const readsSplits = isPlainScan || source?.operatorType === "ScanFilterAndProjectOperator";
    this.#check(
      !isAll || drivers.every((driver) => driver.endTime !== undefined && (!readsSplits || driver.rawInputPositions !== undefined)),
      () => `${who} has FINISHED, and one of its ${drivers.length} drivers tells no end or no rows: ${JSON.stringify(drivers)}`,
    );
    const [given, dropped] = [source?.outputPositions ?? 0, source?.dynamicFilteredPositions ?? 0];
    this.#check(
      !readsSplits || (isPlainScan ? given + dropped === rawInputPositions : given + dropped <= rawInputPositions),
      () => `${who} read ${rawInputPositions} rows, gives ${given}, and has dropped ${dropped} by dynamic filters`,
    );
    const isScan = isPlainScan && drivers.some((one) => one.rawInputPositions !== undefined);
    this.#check(
      rows <= rawInputPositions && (!isAll || !isScan || isCut || rows === rawInputPositions),
      () => `${who} read ${rawInputPositions} rows, and its ${drivers.length} drivers ${rows}`,
    );
  }

  #exchange(
    place: string,
    { who, state }: { readonly who: string; readonly state: string },
    { memoryReservation, operatorType }: Operator,
    info: Exchange,
  ): void {
    // The numbers of a task that has ended stay; its exchange may close a buffer later.
    const isOver = ends.has(state);
    const { bufferedBytes, bufferedPages, pageBufferClientStatuses: clients } = info;
    const hasReruns = this.#context.facts.hasReruns(clients[0]?.uri.split("/")[5] ?? "");
    const received = clients.reduce((sum, { pagesReceived }) => sum + pagesReceived, 0);
    this.#check(
      (bufferedPages <= received || hasReruns) && bufferedPages > 0 === bufferedBytes > 0,
      () => `${who} buffers ${bufferedPages} pages of ${bufferedBytes} bytes, of ${received} that it received`,
    );
    const held = amount(memoryReservation);
    const most = bufferedBytes + decodedShare * (this.#largest.get(place) ?? 0) + decodedBytes;
    this.#check(
      held * (1 + roundingShare) >= bufferedBytes && (operatorType !== "ExchangeOperator" || held * (1 - roundingShare) <= most),
      () => `${who} holds ${memoryReservation}, and buffers ${bufferedBytes} bytes`,
    );
    const stages = clients.map(({ uri }) => Number(/\.(\d+)\.\d+\/results\//.exec(uri)?.[1]));
    this.#check(
      stages.every((stage, index) => index === 0 || stage >= (stages[index - 1] ?? 0)),
      () => `${who} reads the stages ${stages.join()} in turn, an order that depends on which source it was told first`,
    );
    for (const { uri, requestsScheduled, requestsCompleted, requestsFailed = 0, pagesReceived } of clients) {
      const [host = "", path = ""] = uri.replace("http://", "").split("/v1/task/", 2);
      const [taskId = "", , buffer = ""] = path.split("/");
      const sent = this.#asked.get(`${place} ${host.split(":")[0] ?? ""} ${taskId} ${buffer}`) ?? 0;
      this.#check(
        // Two runs of a task on one node ask for the same buffers.
        (isOver || hasReruns ? requestsScheduled <= sent : requestsScheduled === sent) &&
          requestsCompleted + requestsFailed <= sent &&
          (pagesReceived === 0 || requestsCompleted > 0),
        () =>
          `${who} says that it sent ${requestsScheduled} requests to ${uri}, of which ${requestsCompleted} succeeded and ` +
          `${requestsFailed} failed; it sent ${sent}`,
      );
    }
  }

  #near(name: string, found: string, parts: readonly string[]): void {
    const sum = parts.reduce((total, part) => total + amount(part), 0);
    const slack = (amount(found) + sum) * roundingShare + parts.length;
    this.#check(Math.abs(amount(found) - sum) <= slack, () => `${name} is ${found}; the sum of its parts is ${sum}: ${parts.join(" ")}`);
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

/** Bytes or nanoseconds. */
function amount(text: string): number {
  return (text.endsWith("B") ? parseDataSize(text) : parseDuration(text)) ?? Number.NaN;
}

function largestFrame(body: Uint8Array, largest: number): number {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let most = largest;
  for (let at = 0; at + headerBytes <= body.length; ) {
    const bytes = headerBytes + view.getUint32(at + 12, true);
    most = Math.max(most, bytes);
    at += bytes;
  }
  return most;
}

export const operators: ModelKind = {
  invariant: {
    name: "operator-statistics",
    sentence:
      "Within a task, pages and bytes pass from operator to operator, times add up and fit into each other, drivers begin and end in order, memory is in proportion to what is read, and an exchange tells the requests that it sent and holds what it buffers.",
    kind: "safety",
    checkedIn: "checkers/models/node/operators.ts",
  },
  create: (context) => new OperatorModel(context),
};
