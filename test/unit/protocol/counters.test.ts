/** What follows from the tables of counters: sums, and members of documents whose names and order clients and older builds know. */
import { describe, expect, it } from "vitest";
import {
  operatorMembers,
  operatorShape,
  pipelineMembers,
  queryMembers,
  readStatus,
  readTask,
  stageMembers,
  statementMembers,
  statusMembers,
  statusShape,
  taskMembers,
  taskShape,
} from "../../../src/protocol/documents/counter-documents.ts";
import { addSums, type CounterSums, noSums, ofPipelines, ofQuery, sumsOfTask, withoutFalls } from "../../../src/protocol/counter-sums.ts";
import { operatorCounters, type OperatorCounters, taskCounters, type TaskCounterValues } from "../../../src/protocol/counters.ts";

/** Each counter another number, which its text says exactly. */
function numbered<Name extends string>(names: readonly Name[], factor = 1): Record<Name, number> {
  return Object.fromEntries(names.map((name, index) => [name, (index + 1) * factor])) as Record<Name, number>;
}

const taskNames = Object.keys(taskCounters) as (keyof TaskCounterValues)[];
const task: TaskCounterValues = numbered(taskNames);
const sums = sumsOfTask(task);

describe("members of documents", () => {
  it("have the names and the order that they have always had", () => {
    const drivers = ["totalDrivers", "queuedDrivers", "runningDrivers", "blockedDrivers", "completedDrivers"];
    const times = ["totalScheduledTime", "totalCpuTime", "totalBlockedTime"];
    const rows = [
      "rawInputDataSize",
      "rawInputPositions",
      "processedInputDataSize",
      "processedInputPositions",
      "outputDataSize",
      "outputPositions",
    ];
    const pipeline = [...drivers, "memoryReservation", ...times, "physicalInputDataSize", ...rows];
    expect(Object.keys(pipelineMembers(task))).toEqual(pipeline);
    expect(Object.keys(taskMembers(task))).toEqual([...pipeline, "systemMemoryReservation", "peakMemoryReservation", "spilledDataSize"]);
    const splits = drivers.filter((name) => name !== "blockedDrivers");
    expect(Object.keys(stageMembers(sums))).toEqual([...splits, "totalMemoryReservation", ...times, ...rows]);
    expect(Object.keys(queryMembers(sums))).toEqual([...splits, "totalMemoryReservation", "peakMemoryReservation", ...times, ...rows]);
    expect(Object.keys(statusMembers(task))).toEqual([
      "memoryReservationBytes",
      "systemMemoryReservationBytes",
      ...drivers,
      "cpuTimeNanos",
      "scheduledTimeNanos",
      "physicalInputBytes",
      "rawInputPositions",
      "rawInputBytes",
      "outputPositions",
      "outputBytes",
    ]);
    expect(Object.keys(statementMembers(sums))).toEqual([
      "totalSplits",
      "queuedSplits",
      "runningSplits",
      "completedSplits",
      "cpuTimeMillis",
      "wallTimeMillis",
      "processedRows",
      "processedBytes",
    ]);
    const calls = (method: string): readonly string[] => ["Calls", "Wall", "Cpu", "User"].map((ending) => method + ending);
    expect(Object.keys(operatorMembers(numbered(Object.keys(operatorCounters)) as unknown as OperatorCounters))).toEqual([
      ...calls("addInput"),
      "inputDataSize",
      "inputPositions",
      ...calls("getOutput"),
      "outputDataSize",
      "outputPositions",
      "blockedWall",
      ...calls("finish"),
      "memoryReservation",
      "dynamicFilteredPositions",
    ]);
  });

  it("are those of the schemas, which let older builds omit some", () => {
    expect(Object.keys(taskShape)).toEqual(Object.keys(taskMembers(task)));
    expect(Object.keys(statusShape)).toEqual(Object.keys(statusMembers(task)));
    const optional = (shape: object): readonly string[] =>
      Object.entries(shape).flatMap(([name, schema]) => ((schema as { type: string }).type === "optional" ? [name] : []));
    expect(optional(taskShape)).toEqual([
      "blockedDrivers",
      "physicalInputDataSize",
      "systemMemoryReservation",
      "peakMemoryReservation",
      "spilledDataSize",
    ]);
    expect(optional(statusShape)).toEqual(["systemMemoryReservationBytes", "physicalInputBytes"]);
    expect(optional(operatorShape)).toEqual(["dynamicFilteredPositions"]);
  });

  it("say their unit", () => {
    const members = taskMembers({ ...task, rawInputBytes: 1536, cpuNanos: 1_500_000, rawInputPositions: 1536 });
    expect(members).toMatchObject({ rawInputDataSize: "1.50kB", totalCpuTime: "1.50ms", rawInputPositions: 1536 });
    const times = { ...sums, cpuNanos: 2_999_999, scheduledNanos: 3_000_000 };
    expect(statementMembers(times)).toMatchObject({ cpuTimeMillis: 2, wallTimeMillis: 3 });
  });

  it("are read back", () => {
    // A document does not say how many drivers run; those that neither wait nor have completed do, blocked or not.
    const told = { ...task, runningDrivers: task.totalDrivers - task.queuedDrivers - task.completedDrivers - task.blockedDrivers };
    expect(readTask(taskMembers(told))).toEqual(sumsOfTask(told));
    const status = readStatus(statusMembers(task));
    // A status tells no peak: it is at least what the task holds.
    expect({ ...sums, peakMemoryBytes: task.memoryReservationBytes }).toMatchObject(status);
    expect(Object.keys(status)).toHaveLength(Object.keys(statusMembers(task)).length);
  });

  it("may be fewer from an older build", () => {
    const { blockedDrivers: _b, physicalInputDataSize: _p, peakMemoryReservation: _m, spilledDataSize: _s, ...older } = taskMembers(task);
    const { memoryReservationBytes } = task;
    expect(readTask(older)).toMatchObject({ physicalInputBytes: 0, spilledBytes: 0, peakMemoryBytes: memoryReservationBytes });
    const { physicalInputBytes: _, ...olderStatus } = statusMembers(task);
    expect(readStatus(olderStatus)).toMatchObject({ physicalInputBytes: 0, rawInputBytes: task.rawInputBytes });
  });
});

describe("sums", () => {
  it("of pipelines: the output is that of the output pipeline", () => {
    const pipeline = (factor: number, outputPipeline: boolean) => ({ ...numbered(taskNames, factor), outputPipeline });
    const sum = ofPipelines([pipeline(1, false), pipeline(10, true), pipeline(100, false)]);
    const { memoryReservationBytes: _r, systemMemoryBytes: _y, peakMemoryBytes: _p, spilledBytes: _s, ...added } = numbered(taskNames, 111);
    expect(sum).toEqual({ ...added, outputBytes: task.outputBytes * 10, outputPositions: task.outputPositions * 10 });
  });

  it("of tasks: blocked drivers run, and who has not reported counts nothing", () => {
    expect(sums.runningDrivers).toBe(task.runningDrivers + task.blockedDrivers);
    expect(addSums([])).toEqual(noSums);
    const twice = Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, 2 * value]));
    expect(addSums([sums, undefined, sums])).toEqual(twice);
  });

  it("of a query: input of the stages that scan, output of the root stage", () => {
    const part = (value: number): CounterSums => Object.fromEntries(Object.keys(noSums).map((name) => [name, value])) as CounterSums;
    expect(ofQuery({ all: part(1), input: part(2), output: part(3) })).toEqual({
      ...part(1),
      rawInputBytes: 2,
      rawInputPositions: 2,
      processedInputBytes: 2,
      processedInputPositions: 2,
      outputBytes: 3,
      outputPositions: 3,
    });
  });

  it("never fall where a counter only grows", () => {
    const later = withoutFalls(sums, { cpuNanos: 0, memoryReservationBytes: 0, outputBytes: sums.outputBytes + 1 });
    expect(later).toEqual({ ...sums, memoryReservationBytes: 0, outputBytes: sums.outputBytes + 1 });
  });
});
