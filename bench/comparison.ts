/**
 * The same queries on Orrery and on DuckDB, in turns. The rows of both are compared before anything is measured.
 */
import { StatusLine } from "../sim/status-line.ts";
import { differenceInOrder } from "../test/oracle/compare.ts";
import type { Oracle } from "../test/support/oracle/duckdb.ts";
import { cpuMsOf, ownCpuMs } from "./cpu.ts";
import { median, say, table } from "./figures.ts";
import { describeShares, type Share, sharesOf } from "./shares.ts";
import type { BenchClient } from "./statement.ts";

/** A query in the dialects of both sides. */
export interface ComparedQuery {
  readonly name: string;
  readonly sql: string;
  /** `sql` if absent. */
  readonly duckdb?: string;
  /** Absent for queries whose rows are not determined, such as LIMIT without a total order: only their number is compared. */
  readonly comparesRows: boolean;
}

export interface Sides {
  readonly client: BenchClient;
  readonly serverProcessId: number;
  readonly duckdb: Oracle;
  readonly threads: number;
}

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

export interface Compared {
  readonly name: string;
  readonly ours: Cost;
  readonly theirs: Cost;
  /** Median of Orrery / DuckDB over the runs. */
  readonly ratio: Cost;
  readonly firstMs: number;
  readonly shares: readonly Share[];
}

export interface Repetitions {
  readonly runs: number;
  /** Runs of each query before those that are measured, besides the first. */
  readonly warmUpRuns: number;
}

/** Prints a table and the shares of each query. Throws if the sides disagree. */
export async function compareQueries(
  queries: readonly ComparedQuery[],
  sides: Sides,
  repetitions: Repetitions,
): Promise<readonly Compared[]> {
  const status = new StatusLine();
  const compared: Compared[] = [];
  for (const query of queries) {
    status.show(() => `${query.name} (${compared.length + 1} of ${queries.length}) ...`);
    compared.push(await compareQuery(query, sides, repetitions));
  }
  status.clear();
  say(table([headings, ...compared.map(rowOf), sumOf(compared)]));
  say(`\nwhere Orrery's time goes\n${compared.map(({ name, shares }) => `${name}  ${describeShares(shares)}`).join("\n")}`);
  return compared;
}

/** Sum of our wall times by the sum of theirs. */
export function sumRatio(compared: readonly Compared[]): number {
  return total(compared, ({ ours }) => ours.wallMs) / total(compared, ({ theirs }) => theirs.wallMs);
}

const headings = ["query", "Orrery ms", "DuckDB ms", "ratio", "Orrery CPU ms", "DuckDB CPU ms", "CPU ratio", "first run ms", ""];

function rowOf({ name, ours, theirs, ratio, firstMs }: Compared): readonly string[] {
  const figures = [ours.wallMs, theirs.wallMs, ours.cpuMs, theirs.cpuMs, firstMs].map((ms) => ms.toFixed(1));
  const [our = "", their = "", ourCpu = "", theirCpu = "", first = ""] = figures;
  return [name, our, their, ratio.wallMs.toFixed(2), ourCpu, theirCpu, ratio.cpuMs.toFixed(2), first, bar(ratio.cpuMs)];
}

function sumOf(compared: readonly Compared[]): readonly string[] {
  const [our, their] = [total(compared, ({ ours }) => ours.wallMs), total(compared, ({ theirs }) => theirs.wallMs)];
  const [ourCpu, theirCpu] = [total(compared, ({ ours }) => ours.cpuMs), total(compared, ({ theirs }) => theirs.cpuMs)];
  const ratio = (ourCpu / theirCpu).toFixed(2);
  return [
    "sum",
    our.toFixed(1),
    their.toFixed(1),
    (our / their).toFixed(2),
    ourCpu.toFixed(1),
    theirCpu.toFixed(1),
    ratio,
    "",
    bar(Number(ratio)),
  ];
}

function total(compared: readonly Compared[], figure: (one: Compared) => number): number {
  return compared.reduce((sum, one) => sum + figure(one), 0);
}

/** One mark per tenth of DuckDB's CPU time, with `|` after ten: a line that ends before it needs less than DuckDB. */
function bar(ratio: number): string {
  const tenths = Math.min(40, Math.max(1, Math.round(ratio * 10)));
  return `${"#".repeat(Math.min(tenths, 10)).padEnd(10, ".")}|${"#".repeat(Math.max(0, tenths - 10))}`.padEnd(41);
}

async function measured<T>(cpu: () => number, work: () => Promise<T>): Promise<{ readonly result: T; readonly cost: Cost }> {
  const [cpuBefore, started] = [cpu(), performance.now()];
  const result = await work();
  return { result, cost: { wallMs: performance.now() - started, cpuMs: cpu() - cpuBefore } };
}

async function compareQuery(query: ComparedQuery, sides: Sides, { runs, warmUpRuns }: Repetitions): Promise<Compared> {
  const { client, duckdb, serverProcessId, threads } = sides;
  const runOurs = () =>
    measured(
      () => cpuMsOf(serverProcessId),
      () => client.run(query.sql),
    );
  const runTheirs = () => measured(ownCpuMs, () => duckdb.rows(query.duckdb ?? query.sql));
  const first = await runOurs();
  requireSameRows(query, first.result, (await runTheirs()).result);
  const ours: Cost[] = [];
  const theirs: Cost[] = [];
  let id = first.result.id;
  for (let run = 0; run < warmUpRuns; run++) {
    await runOurs();
    await runTheirs();
  }
  for (let run = 0; run < runs; run++) {
    const our = await runOurs();
    id = our.result.id;
    ours.push(our.cost);
    theirs.push((await runTheirs()).cost);
  }
  return {
    name: query.name,
    ours: medianCost(ours),
    theirs: medianCost(theirs),
    ratio: medianCost(ours.map((our, run) => ratioOf(our, theirs[run] as Cost))),
    firstMs: first.cost.wallMs,
    shares: sharesOf(await client.details(id), threads),
  };
}

function requireSameRows(
  query: ComparedQuery,
  ours: Awaited<ReturnType<BenchClient["run"]>>,
  theirs: readonly (readonly unknown[])[],
): void {
  if (!query.comparesRows && ours.rows.length === theirs.length) {
    return;
  }
  const found = differenceInOrder(query.sql, ours.rows, theirs, ours);
  if (found !== undefined) {
    throw new Error(`${query.name}: ${found}`);
  }
}

function ratioOf(our: Cost, their: Cost): Cost {
  return { wallMs: our.wallMs / their.wallMs, cpuMs: our.cpuMs / their.cpuMs };
}

function medianCost(costs: readonly Cost[]): Cost {
  return { wallMs: median(costs.map(({ wallMs }) => wallMs)), cpuMs: median(costs.map(({ cpuMs }) => cpuMs)) };
}
