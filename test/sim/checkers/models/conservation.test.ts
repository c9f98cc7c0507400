/** Planted violations of the conservation of statistics: one number of a recorded run is changed at a time. */
import { beforeAll, describe, expect, it } from "vitest";
import { calmCluster, reads, user, wideStatement } from "../../../../scenarios/scenario.ts";
import type { Judged } from "../../../../sim/checkers/models/model.ts";
import { conservation } from "../../../../sim/checkers/models/node/conservation.ts";
import { encodeUtf8 } from "../../../../src/types/utf8.ts";
import { inResponse, type Planted, type Recording, recordWithDocuments, show } from "./recorded.ts";

let recording: Recording;
/** The detail of the query, as the coordinator showed it to the model, and the last totals of the cluster. */
let documents: ReadonlyMap<string, string>;

beforeAll(async () => {
  const calm = calmCluster("1", { users: [user("u1", [reads(wideStatement)])] });
  ({ documents, recording } = await recordWithDocuments(calm, (id) => ["/v1/cluster", `/v1/query/${id}`]));
});

/** Shows the recording to the model, with a coordinator that answers with changed documents. */
async function told(planted: Planted | undefined, change: (path: string, text: string) => string = (_, text) => text): Promise<string> {
  const handle = ({ url }: { readonly url: string }): Promise<unknown> => {
    const text = documents.get(url);
    // The totals were kept at the end of the last statement; before that the model need not see any.
    const isEarly = url === "/v1/cluster";
    return Promise.resolve({ status: text === undefined || isEarly ? 404 : 200, body: encodeUtf8(change(url, text ?? "")) });
  };
  const { said } = show(recording, conservation, planted, { node: (() => ({ handle })) as unknown as Judged["node"] });
  await new Promise((resolve) => setImmediate(resolve));
  return said.join("\n");
}

/** Adds one to the n-th number with this name. */
function oneMore(text: string, name: string, skip = 0): string {
  let seen = 0;
  return text.replaceAll(new RegExp(`"${name}":(\\d+)`, "g"), (whole, digits: string) => {
    return seen++ === skip ? `"${name}":${Number(digits) + 1}` : whole;
  });
}

const deletion = /^DELETE \/v1\/task\/[^/]+$/;

describe("the model of conservation", () => {
  it("says nothing about what happened", async () => {
    expect(await told(undefined)).toBe("");
    expect([...documents.keys()].some((path) => path.startsWith("/v1/query/"))).toBe(true);
  });

  it.each<[string, string, RegExp, string]>([
    [
      "rows lost between two operators",
      '"TableScanOperator"$1"outputPositions":77,',
      /"TableScanOperator"(.*?)"outputPositions":\d+,/,
      "gave 77 rows",
    ],
    [
      "a task with more output than its pipeline",
      '"processedInputPositions":$1,"outputDataSize":"$2","outputPositions":9999999,',
      /"processedInputPositions":(\d+),"outputDataSize":"([^"]+)","outputPositions":\d+,/,
      "outputPositions of",
    ],
    ["a task with more input than its pipelines", '"rawInputPositions":8888888,', /"rawInputPositions":\d+,/, "rawInputPositions of"],
    [
      "memory of pipelines that the task does not have",
      '"completedDrivers":$1,"memoryReservation":"7MB",',
      /"completedDrivers":(\d+),"memoryReservation":"[^"]*",(?=.*?"inputPipeline")/,
      "MB",
    ],
    ["a task that was queued longer than it exists", '"queuedTime":"1.00d"', /"queuedTime":"[^"]*"/, "was queued for"],
    ["quantiles that fall", '"p50":0,"p75":$1,', /"p50":[1-9]\d*,"p75":(\d+),/, "values of"],
    [
      "more values than drivers",
      '"elapsedTime":{"maxError":0,"count":500,',
      /"elapsedTime":\{"maxError":0,"count":\d+,/,
      "has 500 values of",
    ],
    ["pages without rows", '"outputPositions":0,"system', /"outputPositions":[1-9]\d*,"system/, "gave 0 rows in"],
  ])("speaks of %s", async (_, to, from, sentence) => {
    expect(await told(inResponse(deletion, from, to))).toContain(sentence);
  });

  it.each<[string, (text: string) => string, string]>([
    ["a query with a task more", (text) => oneMore(text, "totalTasks"), "totalTasks of"],
    ["a query with a driver more", (text) => oneMore(text, "totalDrivers"), "totalDrivers of"],
    ["a query that scanned a row more", (text) => oneMore(text, "rawInputPositions"), "rawInputPositions of"],
    ["a query that gave a row more", (text) => oneMore(text, "outputPositions"), "outputPositions of"],
    ["a stage with a row more than its tasks", (text) => oneMore(text, "outputPositions", 1), "the sum of its parts is"],
    ["another elapsed time than the client's", (text) => text.replace(/"elapsedTime":"[^"]*"/, '"elapsedTime":"55.00s"'), "took 55.00s"],
    ["CPU time that no stage used", (text) => text.replace(/"totalCpuTime":"[^"]*"/, '"totalCpuTime":"9.00h"'), "totalCpuTime of"],
    ["rows lost between two stages", lostBetweenStages, "and read"],
  ])("speaks of %s", async (_, change, sentence) => {
    expect(await told(undefined, (path, text) => (path.startsWith("/v1/query/") ? change(text) : text))).toContain(sentence);
  });
});

interface ShownStage {
  plan: { root: unknown };
  tasks: { stats: { pipelines: { operatorSummaries: { operatorType: string; outputPositions: number; inputPositions: number }[] }[] } }[];
  subStages?: ShownStage[];
}

/** The exchange of the root stage, and what follows it there, saw one row less than the stage below gave. */
function lostBetweenStages(text: string): string {
  const detail = JSON.parse(text) as { outputStage: ShownStage };
  loseRow(detail.outputStage);
  return JSON.stringify(detail);
}

function loseRow(stage: ShownStage | undefined): boolean {
  for (const { operatorSummaries } of stage?.tasks.flatMap(({ stats }) => stats.pipelines) ?? []) {
    const [exchange, next] = operatorSummaries;
    if (exchange?.operatorType === "ExchangeOperator" && exchange.outputPositions > 0 && next !== undefined) {
      exchange.outputPositions--;
      next.inputPositions--;
      return true;
    }
  }
  return false;
}

describe("a stage that reads less than the one below gave", () => {
  const query = (change: (root: ShownStage) => void) => (path: string, text: string) => {
    if (!path.startsWith("/v1/query/")) {
      return text;
    }
    const detail = JSON.parse(text) as { outputStage: ShownStage };
    change(detail.outputStage);
    return JSON.stringify(detail);
  };
  const loseBelow = (root: ShownStage): void => {
    expect((root.subStages ?? []).some((stage) => stage.subStages !== undefined && loseRow(stage))).toBe(true);
  };

  it("is spoken of, unless the stage that reads it needs no more rows", async () => {
    expect(await told(undefined, query(loseBelow))).toContain("and read");
    const limited = query((root) => {
      loseBelow(root);
      root.plan.root = { kind: "Limit", source: root.plan.root };
    });
    expect(await told(undefined, limited)).not.toContain("and read");
  });
});

describe("the totals of the cluster", () => {
  it.each(["finishedQueries", "failedQueries", "runningQueries"])("speak of one more in %s", async (name) => {
    const totals = { finishedQueries: 1, failedQueries: 0, runningQueries: 0, queuedQueries: 0, activeWorkers: 3 } as Record<
      string,
      number
    >;
    const saying = async (document: Record<string, number>): Promise<readonly string[]> => {
      const handle = (): Promise<unknown> => Promise.resolve({ status: 200, body: encodeUtf8(JSON.stringify(document)) });
      const said: string[] = [];
      const model = conservation.create({
        plan: recording.plan,
        node: () => ({ handle }),
        check: (holds: boolean, sentence: () => string) => (holds ? undefined : said.push(sentence())),
        facts: { livesOf: () => 1 },
      } as unknown as Judged);
      model.note?.({ place: "c", kind: "serve", detail: "m1 u1>c statement-submit POST /v1/statement", nowNanos: 0 });
      model.observeTransition?.({ place: "c", incarnation: 1, kind: "query", id: "q", from: "RUNNING", to: "FINISHED", nowNanos: 0 });
      model.look?.();
      await new Promise((resolve) => setImmediate(resolve));
      return said;
    };
    expect(await saying(totals)).toEqual([]);
    expect((await saying({ ...totals, [name]: (totals[name] ?? 0) + 1 })).join()).toContain(name);
  });
});
