/** Planted violations of the model of the query list: a fabricated coordinator, which answers one address wrongly at a time. */
import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../../sim/checkers/models/model.ts";
import { queryList } from "../../../../../sim/checkers/models/query/query-list.ts";
import { encodeUtf8 } from "../../../../../src/types/utf8.ts";
import { FabricatedRun } from "../fabricated.ts";

interface Row {
  readonly queryId: string;
  readonly state: string;
  readonly query: string;
  readonly session: { readonly user: string; readonly source?: string };
  readonly errorType?: string;
  readonly waitReason?: string;
  readonly waitMessage?: string;
  readonly queryStats: Readonly<Record<string, number | string>>;
}

const rows: readonly Row[] = ["FINISHED", "FAILED", "RUNNING", "QUEUED", "FINISHED"].map((state, index) => ({
  queryId: `20260101_000000_0000${index}_aaaaa`,
  state,
  query: "SELECT name FROM tpch.tiny.nation",
  session: { user: `u${index % 2}`, ...(index > 1 ? { source: "shell" } : {}) },
  ...(state === "FAILED" ? { errorType: "USER_ERROR" } : {}),
  ...(state === "RUNNING" ? { waitReason: "NONE", waitMessage: "Stage 1 is working" } : {}),
  ...(state === "QUEUED" ? { waitReason: "ADMISSION", waitMessage: "Waiting for a slot: number 1 of 1 in the queue" } : {}),
  queryStats: {
    createTime: `2026-01-01T00:00:0${index}.000Z`,
    elapsedTime: `${10 - index}.00ms`,
    queuedTime: "1.00ms",
    totalCpuTime: `${index}.00us`,
    rawInputPositions: 100 * (index % 3),
  },
}));

const states = ["QUEUED", "RUNNING", "FINISHED", "FAILED"];

/** A right answer, in the plainest way. */
function answer(url: string): { readonly rows: readonly Row[]; readonly total: number } {
  const { searchParams: asked } = new URL(url, "http://c");
  const text = (name: string): string | undefined => asked.get(name) ?? undefined;
  const keyOf = (column: string, row: Row): number | string =>
    column === "state" ? states.indexOf(row.state) : column === "user" ? row.session.user : (row.queryStats[column] ?? "");
  const numeric = (value: number | string): number | string =>
    typeof value === "string" && /^[\d.]+[a-z]+$/.test(value) ? Number.parseFloat(value) : value;
  const found = rows.filter(
    (row) =>
      (text("state")?.toUpperCase().split(",").includes(row.state) ?? true) &&
      (text("user") ?? row.session.user) === row.session.user &&
      (text("source") === undefined || text("source") === row.session.source) &&
      (text("errorType") === undefined || text("errorType") === row.errorType) &&
      row.queryId.toUpperCase().includes(text("search")?.toUpperCase() ?? ""),
  );
  const sort = text("sort");
  const [sign, column] = sort?.startsWith("-") === true ? [-1, sort.slice(1)] : [1, sort];
  if (column !== undefined) {
    found.sort((one, other) => {
      const [a, b] = [numeric(keyOf(column, one)), numeric(keyOf(column, other))];
      return a === b ? (one.queryId < other.queryId ? -1 : 1) : (a < b ? -1 : 1) * sign;
    });
  }
  const after = found.findIndex(({ queryId }) => queryId === text("after"));
  const page = found.slice(after + 1, after + 1 + Number(text("limit") ?? 100));
  return { rows: page.map((row) => ({ ...row, query: row.query.slice(0, Number(text("preview") ?? 100)) })), total: found.length };
}

interface Given {
  readonly rows: readonly Row[];
  readonly total?: number;
  readonly status?: number;
}

type Change = (rows: readonly Row[], total: number) => Given;

async function said(address: RegExp, change: Change): Promise<string> {
  const handle = ({ url }: { readonly url: string }): Promise<unknown> => {
    const right = answer(url);
    const other: Given = address.test(url) ? change(right.rows, right.total) : right;
    const { rows: given, total = right.total, status = 200 } = other;
    return Promise.resolve({ status, body: encodeUtf8(JSON.stringify(given)), headers: { "x-total-count": String(total) } });
  };
  // Pages after a query are compared only if no query lives; times of live ones grow.
  const run = new FabricatedRun(queryList, {}, { node: (() => ({ handle })) as unknown as Judged["node"] });
  for (let look = 0; look < 500; look++) {
    run.look(look + 1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(run.held + run.said.length).toBeGreaterThan(100);
  return run.said.join("\n");
}

describe("the model of the query list", () => {
  it("says nothing about a list that is right", async () => {
    expect(await said(/^$/, (all) => ({ rows: all }))).toBe("");
  });

  it("compares only lists of one moment", async () => {
    let hasEnded = false;
    const { waitMessage: _message, waitReason: _reason, ...running } = rows[2] as Row;
    const now = (): readonly Row[] => (hasEnded ? rows.with(2, { ...running, state: "FINISHED" }) : rows);
    const ends: Change = (found) => {
      if (found.length === rows.length) {
        return { rows: now() };
      }
      // A query ends, or begins anew, while a filter by state is asked for.
      hasEnded = !hasEnded;
      return { rows: found.slice(1) };
    };
    expect(await said(/query$|state=/, ends)).toBe("");
  });

  it.each<[string, RegExp, Change, string]>([
    ["a count of one more", /query$/, (all, total) => ({ rows: all, total: total + 1 }), "and says 6"],
    ["a query that is listed twice", /query$/, (all, total) => ({ rows: [...all, ...all.slice(0, 1)], total: total + 1 }), "and says 6"],
    ["another order than that of creation", /query$/, (all) => ({ rows: all.toReversed() }), "order of creation"],
    [
      "a query that waits after its end",
      /query$/,
      (all) => ({ rows: [{ ...(all[0] as Row), waitReason: "CLIENT", waitMessage: "x" }, ...all.slice(1)] }),
      "waits for CLIENT",
    ],
    [
      "a wait of another state",
      /query$/,
      (all) => ({ rows: [...all.slice(0, 2), { ...(all[2] as Row), waitReason: "ADMISSION" }, ...all.slice(3)] }),
      "waits for ADMISSION",
    ],
    [
      "a sentence about no stage",
      /query$/,
      (all) => ({
        rows: all.map((row) => (row.state === "RUNNING" ? { ...row, waitMessage: "Stages wait for the filters of a join" } : row)),
      }),
      "and says: Stages wait",
    ],
    ["a refused list", /state=/, () => ({ rows: [], status: 400 }), "answered with 400"],
    ["a filter that is ignored", /state=/, () => answer("/v1/query"), "?state="],
    ["a filter that leaves out too much", /user=/, (all) => ({ rows: all.slice(1) }), "?user="],
    ["a search that finds nothing", /search=/, () => ({ rows: [], total: 0 }), "?search="],
    ["errors of another type", /errorType=/, () => ({ rows: rows.slice(0, 1), total: 1 }), "?errorType="],
    ["another source", /source=/, () => ({ rows: rows.slice(0, 1), total: 1 }), "?source="],
    ["a text that is not cut", /preview=/, () => answer("/v1/query"), "preview gives"],
    ["the wrong direction", /sort=[^&]*$/, (all) => ({ rows: all.toReversed() }), "too late"],
    ["a page that is too long", /limit=/, () => ({ rows }), "a page of 3 has 5"],
    [
      "an order whose first page is another",
      /sort=.*limit=/,
      () => ({ rows: rows.slice(2), total: rows.length }),
      "and the list begins with",
    ],
    ["the end instead of the beginning", /limit=/, () => ({ rows: rows.slice(2) }), "the first 3 queries are"],
  ])("speaks of %s", async (_, address, change, sentence) => {
    expect(await said(address, change)).toContain(sentence);
  });
});
