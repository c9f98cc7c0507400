/** Planted violations of the model of operators: one number of a recorded document is changed at a time. */
import { beforeAll, describe, expect, it } from "vitest";
import { calmCluster, reads, user, wideStatement } from "../../../../../scenarios/scenario.ts";
import { operators } from "../../../../../sim/checkers/models/node/operators.ts";
import { inResponse, type Recording, record, show } from "../recorded.ts";

let recording: Recording;

beforeAll(async () => {
  recording = await record(calmCluster("1", { users: [user("u1", [reads(wideStatement)])] }));
});

const deletion = /^DELETE \/v1\/task\/[^/]+$/;

describe("the model of operators", () => {
  it("says nothing about what happened", () => {
    const { said, held } = show(recording, operators);
    expect(said).toEqual([]);
    expect(held).toBeGreaterThan(50);
  });

  it.each<[string, RegExp, string, string]>([
    ["memory out of all proportion", /"peakMemoryReservation":"[^"]*"/, '"peakMemoryReservation":"900MB"', "has held 900MB"],
    ["CPU time that no pipeline used", /"totalCpuTime":"[^"]*"/, '"totalCpuTime":"4.00h"', "totalCpuTime of"],
    ["blocked time that no pipeline has", /"totalBlockedTime":"[^"]*"/, '"totalBlockedTime":"4.00h"', "totalBlockedTime of"],
    ["bytes that no pipeline read", /"rawInputDataSize":"[^"]*"/, '"rawInputDataSize":"4GB"', "rawInputDataSize of"],
    ["bytes that the output did not get", /"outputDataSize":"[^"]*"/, '"outputDataSize":"4GB"', "outputDataSize of"],
    ["rows that no pipeline processed", /"processedInputPositions":\d+/, '"processedInputPositions":4444', "processed 4444 rows"],
    [
      "a pipeline that computed for longer than it was scheduled",
      /("inputPipeline".*?)"totalScheduledTime":"[^"]*"/,
      '$1"totalScheduledTime":"0.00ns"',
      "computed for",
    ],
    [
      "drivers that were scheduled for longer than their task",
      /"totalScheduledTime":"[^"]*"/g,
      '"totalScheduledTime":"9.00h"',
      "were scheduled for",
    ],
    ["an operator with more CPU time than wall time", /"getOutputCpu":"[^"]*"/, '"getOutputCpu":"9.00s"', "in pipeline"],
    [
      "operators with more CPU time than their pipeline",
      /"addInputWall":"[^"]*","addInputCpu":"[^"]*"/,
      '"addInputWall":"9.00s","addInputCpu":"9.00s"',
      "the operators of",
    ],
    ["operators that were blocked for longer than their pipeline", /"blockedWall":"[^"]*"/, '"blockedWall":"9.00h"', "were blocked for"],
    ["an operator that was finished twice", /"finishCalls":\d/, '"finishCalls":2', "was finished 2 times"],
    ["bytes lost between operators", /"inputDataSize":"[1-9][^"]*"/, '"inputDataSize":"1B"', "and"],
    ["pages that came from nowhere", /"addInputCalls":[1-9]\d*/, '"addInputCalls":9999', "in 9999 pages"],
    ["rows that came in no page", /"addInputCalls":[1-9]\d*/, '"addInputCalls":0', "in 0 calls"],
    [
      "bytes without rows",
      /"outputDataSize":"[1-9][^"]*","outputPositions":[1-9]\d*,"blocked/,
      '"outputDataSize":"5kB","outputPositions":0,"blocked',
      "in 0 rows",
    ],
    ["a driver of another task", /"driverId":"[^"]*"/, '"driverId":"other.0.0"', "has a driver other"],
    [
      "a driver that ended before it began",
      /("driverId":"[^"]*","createTime":"[^"]*","startTime":")2026/,
      "$12027",
      "was created, started and ended",
    ],
    [
      "rows that a scan gives and has not read",
      /("rawInputPositions":)\d+(,[^[]*?"operatorSummaries":\[\{[^}]*?"operatorType":"(?:TableScan|ScanFilterAndProject)Operator")/,
      "$12$2",
      "by dynamic filters",
    ],
    ["a driver without an end", /("driverId":[^}]*),"endTime":"[^"]*"/, "$1", "tells no end or no rows"],
    ["a split without its rows", /("driverId":[^}]*),"rawInputPositions":\d+/, "$1", "tells no end or no rows"],
    ["drivers that read more than their pipeline", /("driverId":[^}]*"rawInputPositions":)\d+/, "$1987654", "drivers 987654"],
    [
      "pages that were buffered and not received",
      /("averageBytesPerRequest":\d+,)"bufferedPages":0/,
      '$1"bufferedPages":9999',
      "buffers 9999 pages",
    ],
    ["sources in another order", /("pageBufferClientStatuses":\[\{"uri":"[^"]*)\.(\d+)(\.\d+\/results)/, "$1.99$3", "in turn, an order"],
    ["requests that nobody saw", /"requestsScheduled":\d+/, '"requestsScheduled":500', "sent 500 requests"],
    ["more answers than requests", /"requestsCompleted":\d+/, '"requestsCompleted":500', "of which 500 succeeded"],
    [
      "memory of an exchange that buffers nothing",
      /("operatorType":"ExchangeOperator".*?)"memoryReservation":"[^"]*"/,
      '$1"memoryReservation":"5MB"',
      "holds 5MB",
    ],
  ])("speaks of %s", (_, from, to, sentence) => {
    const heard = [0, 1, 2, 3].map((skip) => show(recording, operators, inResponse(deletion, from, to, skip)));
    expect(heard.some(({ planted }) => planted > 0)).toBe(true);
    expect(heard.flatMap(({ said }) => said).join("\n")).toContain(sentence);
  });
});
