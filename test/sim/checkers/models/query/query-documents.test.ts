/** Planted violations of the model of query documents: one member of the documents of a recorded run is changed at a time. */
import { beforeAll, describe, expect, it } from "vitest";
import { calmCluster, reads, user, wideStatement } from "../../../../../scenarios/scenario.ts";
import type { Judged } from "../../../../../sim/checkers/models/model.ts";
import { queryDocuments } from "../../../../../sim/checkers/models/query/query-documents.ts";
import { encodeUtf8 } from "../../../../../src/types/utf8.ts";
import { type Planted, type Recording, recordWithDocuments, show } from "../recorded.ts";

let recording: Recording;
/** What the coordinator told the model of the ended query, by address. */
let documents: ReadonlyMap<string, string>;

beforeAll(async () => {
  const calm = calmCluster("1", { users: [user("u1", [reads(wideStatement)])] });
  // A recording is shown with the world's clock.
  const exact = { ...calm, coordinator: { ...calm.coordinator, clockOffsetMs: 0, clockDriftPpm: 0 } };
  ({ documents, recording } = await recordWithDocuments(exact, (id) => [`/v1/query/${id}`, `/v1/query?search=${id}`]));
});

/** Shows the recording to the model, with a coordinator that answers with changed documents and logs a line after each submission. */
async function told(
  change: (path: string, text: string) => string,
  headers: Readonly<Record<string, string>> = {},
  logged?: { readonly kind: string; readonly detail: string },
): Promise<string> {
  const handle = ({ url }: { readonly url: string }): Promise<unknown> =>
    Promise.resolve({ status: 200, body: encodeUtf8(change(url, documents.get(url) ?? "")) });
  const withHeaders: Planted = (step) => {
    if ("note" in step && step.note.detail.includes(" statement-submit ") && logged !== undefined) {
      return [step, { note: { ...step.note, ...logged } }];
    }
    if (!("client" in step)) {
      return undefined;
    }
    const { response } = step.client;
    return [{ client: { ...step.client, response: { ...response, headers: { ...response.headers, ...headers } } } }];
  };
  const { said } = show(recording, queryDocuments, withHeaders, { node: (() => ({ handle })) as unknown as Judged["node"] });
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  return said.join("\n");
}

const stats = '"queryStats":{';

describe("the model of query documents", () => {
  it("says nothing about what happened", async () => {
    expect(await told((_, text) => text)).toBe("");
    expect([...documents.values()].every((text) => text.length > 1000)).toBe(true);
  });

  it("does not compare times with the arrival of a statement that waited for an active coordinator", async () => {
    const saidAfter = (detail: string): Promise<string> =>
      told((_, text) => text.replace(/("queryStats":.*?)"queuedTime":"[^"]*"/, '$1"queuedTime":"9.00s"'), {}, { kind: "log-info", detail });
    expect(await saidAfter("started {}")).toContain("by the clock of its coordinator");
    expect(await saidAfter('lease-acquired {"epoch":3}')).not.toContain("by the clock of its coordinator");
  });

  it.each<[string, RegExp | string, string, string]>([
    ["another text", '"query":"', '"query":"SELECT 1; ', "with the text SELECT 1"],
    ["another address", /"self":"[^"]*"/, '"self":"http://c:8080/v1/query/other"', "calls itself"],
    ["another user", /"user":"[^"]*"/, '"user":"somebody"', "has user somebody"],
    ["another schema", /"schema":"[^"]*"/, '"schema":"elsewhere"', "has schema elsewhere"],
    [
      "prepared statements that it keeps",
      /"preparedStatements":\{\}/,
      '"preparedStatements":{"p":"SELECT 1"}',
      "keeps prepared statements",
    ],
    ["other columns", /"fieldNames":\["/, '"fieldNames":["x","', "has the columns x"],
    ["an error that nobody was told", stats, `"errorCode":{"code":1,"name":"NOT_FOUND","type":"USER_ERROR"},${stats}`, "with NOT_FOUND"],
    ["a wait after its end", stats, `"waitReason":"CLIENT",${stats}`, "waits for CLIENT"],
    ["a catalog that its client was not told", stats, `"setCatalog":"memory",${stats}`, "has setCatalog"],
    ["a transaction that its client was not told", stats, `"startedTransactionId":"t",${stats}`, "has startedTransactionId"],
    [
      "a property that its client was not told",
      /"setSessionProperties":\{\}/,
      '"setSessionProperties":{"p":"1"}',
      "has setSessionProperties",
    ],
    [
      "the end of a transaction that its client was not told",
      /"clearTransactionId":false/,
      '"clearTransactionId":true',
      "has clearTransactionId",
    ],
    ["a longer life", /"elapsedTime":"[^"]*"/, '"elapsedTime":"8.00h"', "took 8.00h"],
    ["a longer queue", /"queuedTime":"[^"]*"/, '"queuedTime":"8.00h"', "8.00h of it queued"],
    ["a longer planning", /"analysisTime":"[^"]*"/, '"analysisTime":"8.00h"', "8.00h planning"],
    ["an execution that does not fit", /"executionTime":"[^"]*"/, '"executionTime":"8.00h"', "executed for 8.00h"],
    ["an end at another time", /"endTime":"2026-01-01T00/, '"endTime":"2026-01-01T05', "it says"],
    ["less CPU time than its client was told", /("queryStats".*?)"totalCpuTime":"[^"]*"/, '$1"totalCpuTime":"0.00ns"', "cpuTimeMillis of"],
    [
      "less memory than its client was told",
      /"peakTotalMemoryReservation":"[^"]*"/,
      '"peakTotalMemoryReservation":"0B"',
      "peakMemoryBytes of",
    ],
    [
      "blocked time that no stage has",
      /("queryStats".*?)"totalBlockedTime":"[^"]*"/,
      '$1"totalBlockedTime":"9.00h"',
      "totalBlockedTime of",
    ],
    [
      "rows that no stage processed",
      /("queryStats".*?)"processedInputPositions":\d+/,
      '$1"processedInputPositions":98765',
      "processedInputPositions of",
    ],
    ["a task that runs", /("queryStats".*?)"runningTasks":0/, '$1"runningTasks":1', "with runningTasks"],
    [
      "memory that it holds",
      /("queryStats".*?)"totalMemoryReservation":"0B"/,
      '$1"totalMemoryReservation":"5kB"',
      "with totalMemoryReservation",
    ],
    ["a task that has not ended", /("queryStats".*?)"completedTasks":\d+/, '$1"completedTasks":0', "0 ended tasks"],
    [
      "a task with another last version",
      /("taskId":"[^"]*\.1\.0","taskInstanceId":"[^"]*","nodeId":"[^"]*","version":)\d+/,
      "$11",
      "in the detail; it told",
    ],
    ["half of its progress", /"progressPercentage":[\d.]+/, '"progressPercentage":50', "has done 50 %"],
    ["bytes that its root stage did not give", /("queryStats".*?)"outputDataSize":"[^"]*"/, '$1"outputDataSize":"7MB"', "gave 7MB"],
    ["a stage of another plan", /("plan":\{"id":)"\d+"/, '$1"77"', "is that of plan 77"],
    [
      "a stage that failed of nothing",
      /("outputStage":\{"stageId":"[^"]*","state":)"FINISHED"/,
      '$1"FAILED"',
      "with the failure undefined",
    ],
    ["a stage that runs on", /("outputStage":\{"stageId":"[^"]*","state":)"FINISHED"/, '$1"RUNNING"', "is RUNNING"],
  ])("speaks of %s", async (_, from, to, sentence) => {
    expect(await told((path, text) => (path.includes("search") ? text : text.replace(from, to)))).toContain(sentence);
  });

  it.each<[string, (text: string) => string, string]>([
    ["a query that is not listed", () => "[]", "has a detail and is not in the list"],
    ["another state in the list", (text) => text.replace('"state":"FINISHED"', '"state":"FAILED"'), "differ in state"],
    ["other statistics in the list", (text) => text.replace(/"totalCpuTime":"[^"]*"/, '"totalCpuTime":"1.00d"'), "differ in totalCpuTime"],
    ["another user in the list", (text) => text.replace(/"user":"[^"]*"/, '"user":"x"'), "differ in user"],
    ["another text in the list", (text) => text.replace('"query":"', '"query":"x'), "differ in query"],
  ])("speaks of %s", async (_, change, sentence) => {
    expect(await told((path, text) => (path.includes("search") ? change(text) : text))).toContain(sentence);
  });

  it.each(["set-catalog", "clear-session", "started-transaction-id", "added-prepare"])(
    "speaks of %s that only the client was told",
    async (header) => {
      expect(await told((_, text) => text, { [`x-engine-${header}`]: "other" })).toContain(`its client was told ${header} other`);
    },
  );
});
