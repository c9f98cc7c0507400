/** Planted violations of the model of statement documents. */
import { describe, expect, it } from "vitest";
import { documents } from "../../../../../sim/checkers/models/statement/documents.ts";
import { FabricatedRun } from "../fabricated.ts";

const id = "20260101_000000_00000_aaaaa";
const uri = (token: number): string => `/v1/statement/${id}/${token}?slug=s1`;
const headers = { "content-type": "application/json" };
const counters = { totalSplits: 0, queuedSplits: 0, runningSplits: 0, completedSplits: 0, processedRows: 0, elapsedTimeMillis: 5 };
const stage = (state: string, done: boolean): object => ({ stageId: "0", state, done, subStages: [] });
const columns = [{ name: "a", type: "bigint" }];

type Doc = Readonly<Record<string, unknown>> & { readonly stats: object };

function doc(state: string, token: number | undefined, more: object = {}, stats: object = {}): Doc {
  const nextUri = token === undefined ? {} : { nextUri: `http://c:8080${uri(token)}` };
  return { id, infoUri: `http://c:8080/v1/query/${id}`, ...nextUri, stats: { state, ...counters, ...stats }, ...more };
}

const error = {
  message: "no",
  errorCode: 1,
  errorName: "SYNTAX_ERROR",
  errorType: "USER_ERROR",
  failureInfo: { type: "SYNTAX_ERROR", message: "no", stack: [], suppressed: [] },
};
const planned = { columns, partialCancelUri: `http://c:8080/v1/stage/${id}.0` };
const running = doc("RUNNING", 1, planned, { rootStage: stage("SCHEDULED", false) });
const rows = doc("RUNNING", 2, { columns, data: [[1], [2]] }, { rootStage: stage("RUNNING", false) });
const ended = doc("FINISHED", undefined, { columns, data: [[3]] }, { rootStage: stage("FINISHED", true) });
const failed = doc("FAILED", undefined, { error }, {});
const queued = doc("QUEUED", 1);

class Chain {
  readonly run = new FabricatedRun(documents);
  #ms = 0;

  constructor(
    readonly family: string,
    readonly sql = "SELECT a FROM t",
  ) {}

  first(body: unknown): this {
    const sentHeaders = { [`x-${this.family}-user`]: "u1" };
    this.run.answer(++this.#ms, "/v1/statement", { method: "POST", sent: this.sql, sentHeaders, headers, body });
    return this;
  }

  next(token: number, body: unknown, more: object = {}): this {
    this.run.answer(++this.#ms, uri(token), { headers, body, ...more });
    return this;
  }

  cancel(): this {
    this.run.answer(++this.#ms, uri(1), { method: "DELETE", status: 204 });
    return this;
  }

  get said(): readonly string[] {
    return this.run.said;
  }
}

const engine = (first: unknown = running): Chain => new Chain("engine").first(first);
const last = (body: unknown): Chain => engine().next(1, rows).next(2, body);

describe("the model of statement documents", () => {
  it("accepts the chain of each family, with success, failure and cancel", () => {
    expect(engine().next(1, rows).next(2, ended).said).toEqual([]);
    expect(engine(failed).said).toEqual([]);
    expect(engine().cancel().next(1, failed).said).toEqual([]);
    const { data: _, ...withoutRows } = ended;
    const trino = new Chain("trino").first(queued).next(1, rows).next(2, withoutRows);
    expect(trino.said).toEqual([]);
    expect(new Chain("presto").first(queued).next(1, rows).next(2, ended).said).toEqual([]);
  });

  const broken: readonly (readonly [string, () => Chain])[] = [
    ["a first response that is FINISHED", () => engine(ended)],
    ["a RUNNING first response without columns", () => engine({ ...running, columns: undefined })],
    ["one without partialCancelUri", () => engine({ ...running, partialCancelUri: undefined })],
    ["one with counters", () => engine({ ...running, stats: { ...running.stats, processedRows: 3 } })],
    ["one whose root stage runs already", () => engine({ ...running, stats: { ...running.stats, rootStage: stage("RUNNING", false) } })],
    ["columns at once for X-Presto", () => new Chain("presto").first({ ...queued, columns })],
    ["a failure at once for X-Trino", () => new Chain("trino").first(failed)],
    ["a state that goes back", () => engine().next(1, doc("PLANNING", 2, { columns }))],
    ["columns that go", () => engine().next(1, doc("RUNNING", 2))],
    ["columns that change", () => engine().next(1, { ...rows, columns: [{ name: "b", type: "bigint" }] })],
    ["rows while STARTING", () => engine(doc("QUEUED", 1)).next(1, doc("STARTING", 2, { columns, data: [[1]] }))],
    ["rows without columns", () => engine(doc("QUEUED", 1)).next(1, doc("RUNNING", 2, { data: [[1]] }))],
    ["an empty data array", () => engine().next(1, { ...rows, data: [] })],
    ["a row that is too wide", () => engine().next(1, { ...rows, data: [[1, 2]] })],
    ["null members", () => engine().next(1, { ...rows, error: null })],
    ["null statistics", () => engine().next(1, { ...rows, stats: { ...rows.stats, wallTimeMillis: null } })],
    ["no nextUri while it runs", () => engine().next(1, { ...rows, nextUri: undefined })],
    ["a nextUri at the end", () => last({ ...ended, nextUri: `http://c:8080${uri(3)}` })],
    ["an end without the rows that were held back", () => last({ ...ended, data: undefined })],
    ["an end with rows for X-Trino", () => new Chain("trino").first(queued).next(1, rows).next(2, ended)],
    ["a failure without error", () => last({ ...failed, error: undefined })],
    ["an error of another state", () => engine().next(1, { ...rows, error })],
    ["an error code of another type", () => last({ ...failed, error: { ...error, errorCode: 65_536 } })],
    ["an error without failureInfo", () => last({ ...failed, error: { ...error, failureInfo: undefined } })],
    [
      "an error's class for X-Engine",
      () => last({ ...failed, error: { ...error, failureInfo: { ...error.failureInfo, type: "java.lang.X" } } }),
    ],
    ["an error's name for X-Trino", () => new Chain("trino").first(queued).next(1, failed)],
    ["another id", () => engine().next(1, { ...rows, id: "x" })],
    ["another infoUri", () => engine().next(1, { ...rows, infoUri: "http://c:8080/v1/query/x" })],
    ["splits that do not add up", () => engine().next(1, { ...rows, stats: { ...rows.stats, totalSplits: 4 } })],
    ["time that goes back", () => engine().next(1, { ...rows, stats: { ...rows.stats, elapsedTimeMillis: 2 } })],
    ["a stage that is done and runs", () => engine().next(1, { ...rows, stats: { ...rows.stats, rootStage: stage("RUNNING", true) } })],
    [
      "another root stage",
      () => engine().next(1, { ...rows, stats: { ...rows.stats, rootStage: { ...stage("RUNNING", false), stageId: "1" } } }),
    ],
    ["a partialCancelUri of another query", () => engine().next(1, { ...rows, partialCancelUri: "http://c:8080/v1/stage/x.0" })],
    ["an update that is a query", () => engine().next(1, { ...rows, updateType: "INSERT" })],
    [
      "an update without its row",
      () => new Chain("presto", "USE a.b").first(queued).next(1, doc("FINISHED", undefined, { columns, updateType: "USE" })),
    ],
    [
      "an updateType that comes late",
      () =>
        new Chain("presto", "USE a.b")
          .first(queued)
          .next(1, rows)
          .next(2, { ...ended, updateType: "USE" }),
    ],
    ["rows after a cancel", () => engine().cancel().next(1, rows)],
    ["a success after a cancel", () => engine().cancel().next(1, ended)],
    ["a content type with a charset", () => engine().next(1, rows, { headers: { "content-type": "application/json; charset=utf-8" } })],
    ["an error page as JSON", () => engine().next(7, "gone", { status: 404, headers })],
  ];

  it.each(broken)("reports %s", (_, plant) => {
    expect(plant().said).not.toEqual([]);
  });
});
