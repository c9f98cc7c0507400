/**
 * Model of the documents of a statement: which members each response has, and what may change from one to the next. Written from section
 * 2.2 of the interface, from docs/interface.md ("Statement", "What differs between the header families") and from the published protocol
 * of Presto and Trino: members are absent and never null; states only go forward; columns stay once they are there; rows come with columns
 * and never before the query runs; nextUri is present until the end; an error has its code, name, type and failure; the last rows of a
 * success are held back for X-Engine and X-Presto, and come before the last response for X-Trino; a cancelled query fails without rows.
 */
import type { Judged, Model, ModelKind, Note } from "../model.ts";
import { type Family, familyOf, type StatementAnswer, type StatementDocument, type StatementStage, statementAnswer } from "./answer.ts";

const order = ["QUEUED", "WAITING_FOR_RESOURCES", "PLANNING", "STARTING", "RUNNING", "FINISHING", "FINISHED", "FAILED"];
const stageStates = ["PLANNED", "SCHEDULING", "SCHEDULED", "RUNNING", "FINISHED", "CANCELED", "ABORTED", "FAILED"];
const stageEnds: ReadonlySet<unknown> = new Set(["FINISHED", "CANCELED", "ABORTED", "FAILED"]);
/** Clients drop the rows of a response in one of these states. */
const rowlessStates: ReadonlySet<unknown> = new Set(["QUEUED", "WAITING_FOR_RESOURCES", "PLANNING", "STARTING"]);
/** Lowest error code of each type. */
const errorTypes: readonly (readonly [string, number])[] = [
  ["EXTERNAL", 0x1_00_00_00],
  ["INSUFFICIENT_RESOURCES", 0x2_00_00],
  ["INTERNAL_ERROR", 0x1_00_00],
  ["USER_ERROR", 0],
];
const neverLess = ["elapsedTimeMillis", "queuedTimeMillis", "peakMemoryBytes"] as const;

interface Chain {
  readonly family: Family;
  readonly isQuery: boolean;
  readonly tokens: Set<number>;
  last: StatementDocument;
  columns: string | undefined;
  update: string | undefined;
  hadRows: boolean;
  /** Whether a cancel was answered while the query was live. */
  isCanceled: boolean;
}

class Documents implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #chains = new Map<string, Chain>();
  /** Queries that have ended. */
  readonly #ended = new Set<string>();

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
  }

  note({ place }: Note): void {
    if (place === this.#coordinator) {
      this.#chains.clear();
      this.#ended.clear();
    }
  }

  observeTransition({ kind, id, to }: { readonly kind: string; readonly id: string; readonly to: string }): void {
    if (kind === "query" && (to === "FINISHED" || to === "FAILED")) {
      this.#ended.add(id);
    }
  }

  observe(answer: Parameters<typeof statementAnswer>[0]): void {
    const said = statementAnswer(answer);
    if (said === undefined || answer.to !== this.#coordinator) {
      return;
    }
    this.#headers(said);
    const chain = this.#chains.get(said.id);
    if (answer.request.method === "DELETE" && chain !== undefined && said.status === 204) {
      chain.isCanceled ||= !this.#ended.has(said.id);
    }
    if (said.document === undefined || this.#hasNull(said, said.document)) {
      return;
    }
    if (said.isSubmission) {
      if (chain === undefined) {
        this.#first(said, said.document);
      }
    } else if (chain !== undefined && said.token !== undefined && !chain.tokens.has(said.token)) {
      chain.tokens.add(said.token);
      this.#next(said, chain, said.document);
    }
  }

  /** Clients compare the content type for equality, and read the text of an error only if it is plain. */
  #headers(said: StatementAnswer): void {
    const type = said.answer.response.headers["content-type"];
    if (said.document !== undefined) {
      this.#check(said, type === "application/json", "has the content type", type);
    } else if (said.status >= 400 && said.answer.response.body.length > 0) {
      this.#check(said, type === "text/plain", "has the content type", type);
    }
  }

  #first(said: StatementAnswer, document: StatementDocument): void {
    const family = familyOf(said.answer.request) ?? "engine";
    const sql = new TextDecoder().decode(said.answer.request.body);
    const chain: Chain = {
      family,
      isQuery: /^\s*(?:SELECT|VALUES|TABLE|SHOW|EXPLAIN|DESCRIBE)\b/i.test(sql),
      tokens: new Set(),
      last: document,
      columns: undefined,
      update: undefined,
      hadRows: false,
      isCanceled: false,
    };
    this.#chains.set(said.id, chain);
    const { stats, columns, data, error, nextUri } = document;
    const state = stats?.state;
    this.#check(said, data === undefined && state !== "FINISHED" && state !== "FINISHING", "is a first response that ends", state);
    if (family === "engine") {
      if (state === "RUNNING") {
        const { rootStage } = stats ?? {};
        this.#check(said, columns !== undefined, "is RUNNING without", "columns");
        this.#check(said, rootStage === undefined || document.partialCancelUri !== undefined, "is RUNNING without", "partialCancelUri");
        this.#check(said, rootStage === undefined || rootStage.state === "SCHEDULED", "begins with a root stage that is", rootStage?.state);
        const counted = Object.entries(stats ?? {}).filter(([name, value]) => isCount(name) && value !== 0);
        this.#check(said, counted.length === 0, "begins with counters that are not 0:", counted.join(" "));
      }
    } else {
      this.#check(said, state === "QUEUED" && nextUri !== undefined, "is no QUEUED query that goes on, but", state);
      this.#check(said, columns === undefined && error === undefined, "has columns or an error for a client of", family);
    }
    this.#any(said, chain, document);
  }

  #next(said: StatementAnswer, chain: Chain, document: StatementDocument): void {
    const { last, family } = chain;
    const { stats = {}, columns, data } = document;
    const { state } = stats;
    this.#check(said, order.indexOf(state ?? "") >= order.indexOf(last.stats?.state ?? ""), "goes back to", state);
    this.#check(said, document.infoUri === last.infoUri, "changes its infoUri to", document.infoUri);
    for (const name of neverLess) {
      this.#check(said, Number(stats[name] ?? 0) >= Number(last.stats?.[name] ?? 0), `has less ${name} than before:`, stats[name]);
    }
    const hasColumns = columns !== undefined || chain.columns === undefined || state === "FAILED";
    this.#check(said, hasColumns, "has lost its", "columns");
    chain.hadRows ||= data !== undefined;
    if (state === "FINISHED") {
      const isHeldBack = family === "trino" ? data === undefined : data !== undefined || !chain.hadRows;
      this.#check(said, isHeldBack, `ends ${data === undefined ? "without" : "with"} rows for a client of`, family);
      this.#check(said, columns !== undefined, "is FINISHED without", "columns");
      this.#check(
        said,
        (document.updateType ?? chain.update) === undefined || chain.hadRows,
        "is FINISHED without the row of its",
        chain.update,
      );
    }
    const { isCanceled } = chain;
    this.#check(said, !isCanceled || (state === "FAILED" && data === undefined), "goes on after its cancel, in state", state);
    this.#any(said, chain, document);
    chain.last = document;
  }

  #hasNull(said: StatementAnswer, document: StatementDocument): boolean {
    const members = [...Object.entries(document), ...Object.entries(document.stats ?? {})];
    const empty = members.filter(([, value]) => value === null).map(([name]) => name);
    this.#check(said, empty.length === 0, "has members that are null:", empty.join(" "));
    return empty.length > 0;
  }

  /** Rules of every document. */
  #any(said: StatementAnswer, chain: Chain, document: StatementDocument): void {
    const { stats = {}, columns, data, error, nextUri, infoUri, updateType } = document;
    const { state } = stats;
    const isOver = state === "FINISHED" || state === "FAILED";
    this.#check(said, document.id === said.id && order.includes(String(state)), "says", `${String(document.id)} ${String(state)}`);
    this.#check(said, infoUri === `http://${this.#coordinator}:8080/v1/query/${said.id}`, "has the infoUri", infoUri);
    this.#check(said, (nextUri === undefined) === isOver, `is ${String(state)} with the nextUri`, nextUri);
    this.#check(said, (error !== undefined) === (state === "FAILED"), `is ${String(state)} with the error`, error?.["errorName"]);
    const { partialCancelUri } = document;
    const isStage =
      typeof partialCancelUri === "string" && partialCancelUri.startsWith(`http://${this.#coordinator}:8080/v1/stage/${said.id}.`);
    this.#check(said, partialCancelUri === undefined || (isStage && !isOver), "has the partialCancelUri", partialCancelUri);
    this.#rows(said, document);
    this.#update(said, chain, updateType);
    if (columns !== undefined) {
      const text = JSON.stringify(columns);
      this.#check(said, chain.columns === undefined || chain.columns === text, "changes its columns to", text);
      chain.columns = text;
    }
    this.#check(said, data === undefined || !rowlessStates.has(state), "has rows in state", state);
    const waiting = Number(stats["queuedSplits"]) + Number(stats["runningSplits"]) + Number(stats["completedSplits"]);
    this.#check(
      said,
      waiting === Number(stats["totalSplits"]),
      "has splits that do not add up:",
      `${waiting} of ${String(stats["totalSplits"])}`,
    );
    if (stats.rootStage !== undefined) {
      this.#check(said, stats.rootStage.stageId === "0", "has the root stage", stats.rootStage.stageId);
      this.#stage(said, stats.rootStage);
    }
    if (error !== undefined) {
      this.#error(said, chain, error);
    }
  }

  #rows(said: StatementAnswer, { columns, data }: StatementDocument): void {
    if (data === undefined) {
      return;
    }
    this.#check(said, columns !== undefined, "has rows without", "columns");
    if ("segments" in data) {
      this.#check(said, data.segments.length > 0, "has no segments of", data.encoding);
    } else {
      const odd = (data as readonly (readonly unknown[])[]).find((row) => row.length !== columns?.length);
      this.#check(said, data.length > 0 && odd === undefined, "has no rows, or a row of other width:", odd?.length);
    }
  }

  /** A client decides by the response with the first columns whether it has a query or an update. */
  #update(said: StatementAnswer, chain: Chain, text: string | undefined): void {
    this.#check(said, text === undefined || !chain.isQuery, "is a query, and has the updateType", text);
    this.#check(
      said,
      chain.columns === undefined || chain.update === text || said.document?.columns === undefined,
      "changes its updateType to",
      text,
    );
    chain.update = text ?? chain.update;
  }

  #stage(said: StatementAnswer, { stageId, state, done, subStages }: StatementStage): void {
    this.#check(said, stageStates.includes(String(state)), `has stage ${String(stageId)} in state`, state);
    this.#check(said, done === stageEnds.has(state), `has stage ${String(stageId)}, ${String(state)}, with done`, done);
    this.#check(said, Array.isArray(subStages), `has stage ${String(stageId)} without`, "subStages");
    for (const stage of subStages ?? []) {
      this.#stage(said, stage);
    }
  }

  #error(
    said: StatementAnswer,
    { family }: Chain,
    { message, errorCode, errorName, errorType, failureInfo }: Readonly<Record<string, unknown>>,
  ): void {
    const texts = [message, errorName].every((text) => typeof text === "string" && text !== "");
    const typeOfCode = errorTypes.find(([, code]) => Number(errorCode) >= code)?.[0];
    this.#check(
      said,
      texts && errorType === typeOfCode,
      "has an error that is not whole:",
      `${String(errorName)} ${String(errorCode)} ${String(errorType)}`,
    );
    const { type, stack, suppressed, message: again } = (failureInfo ?? {}) as Readonly<Record<string, unknown>>;
    this.#check(
      said,
      Array.isArray(stack) && Array.isArray(suppressed) && again === message,
      "has the failureInfo",
      JSON.stringify(failureInfo),
    );
    const isClass = family === "engine" ? type === errorName : /^[a-z]+(?:\.[a-z]+)+\.[A-Z]\w*$/.test(String(type));
    this.#check(said, isClass, `has, for a client of ${family}, a failure of type`, type);
  }

  #check({ answer, id, token }: StatementAnswer, holds: boolean, what: string, value: unknown): void {
    this.#context.check(holds, () => `${id}/${token ?? answer.request.method} of ${answer.from} ${what} ${String(value)}`);
  }
}

function isCount(name: string): boolean {
  return /Splits$|^processed|^cpu|^wall/.test(name);
}

export const documents: ModelKind = {
  invariant: {
    name: "statement-documents",
    sentence:
      "Each document of a statement has the members that its state and its header family require, in their form, and follows from the one before: states go forward, columns stay, rows end as the family expects, errors are whole, and a cancelled query gives no more rows.",
    kind: "safety",
    checkedIn: "checkers/models/statement/documents.ts",
  },
  create: (context) => new Documents(context),
};
