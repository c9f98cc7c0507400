/**
 * The list of queries, written from the table of its parameters in docs/interface.md (Query and cluster):
 * - It is in the order of creation; `sort` orders it by a column, ties by id; `limit` and `after` cut pages out of an order.
 * - `state`, `user`, `source`, `errorType` and `search` leave out what does not match, in any case; `preview` cuts texts.
 * - The header X-Total-Count has the number of matches. A value that cannot be understood is 400.
 * - A live query says what it waits for, by its state; one that has ended does not. `/ui/api/query` lists the same queries.
 */
import { parseDataSize, parseDuration } from "../../../../src/protocol/units.ts";
import { askInside } from "../inside.ts";
import type { Judged, Model, ModelKind } from "../model.ts";

/** One in this many looks is at the list. */
const lookEvery = 10;
const limit = 3;
const previewLength = 12;
/** Times are told with two decimal places. */
const roundingShare = 0.011;
const order = ["QUEUED", "WAITING_FOR_RESOURCES", "PLANNING", "STARTING", "RUNNING", "FINISHING", "FINISHED", "FAILED"];
const waits: Readonly<Record<string, readonly string[]>> = {
  QUEUED: ["NONE", "ADMISSION"],
  WAITING_FOR_RESOURCES: ["WORKERS", "ADMISSION"],
  PLANNING: ["SPLITS", "PLANNING"],
  STARTING: ["NONE", "SPLITS", "EXCHANGE", "CLIENT", "WORKERS"],
  RUNNING: ["MEMORY", "NONE", "SPLITS", "EXCHANGE", "CLIENT", "WORKERS"],
  FINISHING: ["NONE", "WORKERS"],
};

const badSentence = /undefined|NaN| {2}|\.$|[Ss]tages? (?!\d)/;

interface Row {
  readonly queryId: string;
  readonly state: string;
  readonly query: string;
  readonly session: { readonly user: string; readonly source?: string };
  readonly errorType?: string;
  readonly waitReason?: string;
  readonly waitMessage?: string;
  readonly queryStats: Readonly<Record<string, unknown>>;
}

type Matches = (row: Row) => boolean;

class QueryListModel implements Model {
  readonly #context: Judged;
  readonly #coordinator: string;
  #looks = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
  }

  look(): void {
    if (this.#looks++ % lookEvery !== lookEvery / 2) {
      return;
    }
    const turn = Math.floor(this.#looks / lookEvery);
    // All are asked in one event, in which queries may still begin and end.
    this.#ask("", (all, total) => {
      this.#all(all, total);
      const some = all[turn % Math.max(1, all.length)];
      if (some !== undefined) {
        this.#filters(all, some, turn);
        this.#orders(all, some, turn);
      }
    });
  }

  #ask(parameters: string, then: (rows: readonly Row[], total: number) => void): void {
    const url = `/v1/query${parameters}`;
    void askInside(this.#context.node(this.#coordinator), url).then((told) => {
      if (told !== undefined) {
        this.#check(told.status === 200 || told.status === 503, () => `GET ${url} is answered with ${told.status}`);
      }
      if (told?.status === 200) {
        then(told.json() as readonly Row[], Number(told.header("x-total-count")));
      }
    });
  }

  /** Only if the queries are afterwards what they were before. */
  #askBeside(all: readonly Row[], parameters: string, then: (rows: readonly Row[], total: number) => void): void {
    this.#ask(parameters, (rows, total) =>
      this.#ask("", (now) => {
        if (momentOf(now) === momentOf(all)) {
          then(rows, total);
        }
      }),
    );
  }

  #all(all: readonly Row[], total: number): void {
    this.#check(
      total === all.length && new Set(all.map(({ queryId }) => queryId)).size === total,
      () => `the list has ${all.length} queries, and says ${total}`,
    );
    const times = all.map(({ queryStats }) => String(queryStats["createTime"]));
    const isOrdered = this.#hasSteps || times.every((time, index) => index === 0 || time >= (times[index - 1] ?? ""));
    this.#check(isOrdered, () => `the list is not in the order of creation: ${times.join(" ")}`);
    for (const { queryId, state, waitReason, waitMessage } of all) {
      const isRight = waits[state]?.includes(waitReason ?? "") ?? waitReason === undefined;
      // A sentence without its full stop; stages have numbers.
      const isSentence = waitMessage === undefined || (/^[A-Z]/.test(waitMessage) && !badSentence.test(waitMessage));
      this.#check(isSentence, () => `${queryId} is ${state} and says: ${String(waitMessage)}`);
      this.#check(
        isRight && (waitReason === undefined) === (waitMessage === undefined),
        () => `${queryId} is ${state} and waits for ${String(waitReason)}: ${String(waitMessage)}`,
      );
    }
  }

  get #hasSteps(): boolean {
    return this.#context.plan.faults.some(({ kind }) => kind.startsWith("clock"));
  }

  #filters(all: readonly Row[], { state, session, queryId, errorType }: Row, turn: number): void {
    const { user, source } = session;
    const filters: readonly (readonly [string, Matches])[] = [
      [`?state=${state.toLowerCase()},queued`, (row) => row.state === state || row.state === "QUEUED"],
      [`?user=${encodeURIComponent(user)}`, (row) => row.session.user === user],
      [`?search=${queryId.slice(-9).toUpperCase()}`, (row) => row.queryId.endsWith(queryId.slice(-9))],
      [`?errorType=${errorType ?? "USER_ERROR"}`, (row) => row.errorType === (errorType ?? "USER_ERROR")],
      [`?source=${encodeURIComponent(source ?? "none")}`, (row) => row.session.source === (source ?? "none")],
    ];
    const [parameters, matches] = filters[turn % filters.length] ?? ["", (): boolean => true];
    const expected = all.filter(matches).map((row) => row.queryId);
    this.#askBeside(all, parameters, (rows, total) => {
      // A search also finds the letters of an id in a text.
      const found = rows.map((row) => row.queryId).filter((id) => !parameters.startsWith("?search") || expected.includes(id));
      this.#check(
        found.join() === expected.join() && total === rows.length,
        () => `${parameters} gives ${found.join()} of ${total}; what matches is ${expected.join()}`,
      );
    });
    this.#askBeside(all, `?preview=${previewLength}`, (rows) => {
      const long = rows.find(({ query }) => query.length > previewLength);
      this.#check(
        long === undefined && rows.length === all.length,
        () => `preview gives ${rows.length} of ${all.length} queries, one as ${String(long?.query)}`,
      );
    });
  }

  /** A page is a piece of its order. Pages with a limit also have queries of the history. */
  #orders(all: readonly Row[], some: Row, turn: number): void {
    const columns = ["createTime", "elapsedTime", "queuedTime", "totalCpuTime", "rawInputPositions", "state", "user"];
    const column = columns[turn % columns.length] ?? "state";
    const sign = turn % 2 === 0 ? 1 : -1;
    const sort = `sort=${sign < 0 ? "-" : ""}${column}`;
    this.#askBeside(all, `?${sort}`, (rows, total) => {
      const wrong = rows.findIndex((row, index) => {
        const before = rows[index - 1];
        return before !== undefined && !follows(column, sign, { before, row });
      });
      this.#check(
        wrong < 0 && total === all.length && rows.length === all.length,
        () => `?${sort} gives ${rows.length} of ${all.length} queries, and ${String(rows[wrong]?.queryId)} too late`,
      );
      const hasLive = rows.some(({ state }) => !/^(?:FINISHED|FAILED)$/.test(state));
      this.#ask(`?${sort}&limit=${limit}`, (page, inAll) => {
        const [found, first] = [page, rows.slice(0, limit)].map((some) => some.map(({ queryId }) => queryId).join()) as [string, string];
        this.#check(
          (hasLive && column !== "user" && column !== "createTime") || inAll !== rows.length || found === first,
          () => `?${sort}&limit=${limit} gives ${found}, and the list begins with ${first}`,
        );
      });
      const at = rows.findIndex(({ queryId }) => queryId === some.queryId);
      const rest = rows.slice(at + 1).map(({ queryId }) => queryId);
      this.#ask(`?${sort}&after=${some.queryId}`, (page) => {
        // Times of live queries grow, and with them their places; their order among each other stays.
        const found = page.map(({ queryId }) => queryId);
        this.#check(
          hasLive || found.join() === rest.join(),
          () => `?${sort}&after=${some.queryId} gives ${found.join()}; the rest of the list is ${rest.join()}`,
        );
      });
    });
    this.#askBeside(all, `?limit=${limit}`, (rows, total) => {
      this.#check(
        rows.length === Math.min(limit, total) && total >= all.length,
        () => `a page of ${limit} has ${rows.length} queries of ${total}, and the list ${all.length}`,
      );
      const first = all.slice(0, limit).map(({ queryId }) => queryId);
      const found = rows.map(({ queryId }) => queryId);
      this.#check(
        total > all.length || found.join() === first.join(),
        () => `the first ${limit} queries are ${found.join()}, of the list ${first.join()}`,
      );
    });
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

function momentOf(rows: readonly Row[]): string {
  return rows.map(({ queryId, state, errorType = "" }) => `${queryId} ${state} ${errorType}`).join();
}

/** Equal keys are in the order of the ids. Rounded times may be equal, and are not. */
function follows(column: string, sign: number, { before, row }: { readonly before: Row; readonly row: Row }): boolean {
  if (column === "state" || column === "user" || column === "createTime" || column === "rawInputPositions") {
    const [a, b] = [before, row].map((one): number | string => {
      const value = one.queryStats[column];
      return column === "state" ? order.indexOf(one.state) : column === "user" ? one.session.user : (value as number | string);
    }) as [number | string, number | string];
    return a === b ? before.queryId < row.queryId : sign > 0 ? a < b : a > b;
  }
  const [a, b] = [before, row].map(({ queryStats }) => amount(queryStats[column])) as [number, number];
  return sign * (b - a) >= -Math.max(a, b) * roundingShare;
}

function amount(value: unknown): number {
  return parseDuration(String(value)) ?? parseDataSize(String(value)) ?? Number(value);
}

export const queryList: ModelKind = {
  invariant: {
    name: "query-list",
    sentence:
      "The list of queries has all of them in the order that is asked for, and of those what the parameters ask for; a live query says what it waits for.",
    kind: "safety",
    checkedIn: "checkers/models/query/query-list.ts",
  },
  create: (context) => new QueryListModel(context),
};
