/**
 * Compares two commits: a server of each, the same statements in turns, and which of them changed beyond noise.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { StatusLine } from "../sim/status-line.ts";
import { projectRoot, type RunningServer, startServer, stopServer } from "../test/support/programs/server-process.ts";
import { cpuMsOf } from "./cpu.ts";
import { median, say, table } from "./figures.ts";
import { type Interval, medianInterval, valuesMin } from "./interval.ts";
import { tpchQueries } from "./queries.ts";
import { BenchClient } from "./statement.ts";
import { createTableStatements } from "./tables.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface RegressOptions {
  /** Anything that git resolves to a commit. */
  readonly commits: readonly [string, string];
  readonly scale: string;
  readonly runs: number;
  readonly threads: number;
}

/** A change of the median below this is of no interest, however sure it is. */
const smallestChange = 0.03;
/** The first runs compile and fill caches. */
const warmUpRuns = 3;

interface Side {
  readonly server: RunningServer;
  readonly client: BenchClient;
}

interface Work {
  readonly name: string;
  readonly sql: string;
  /** Repetitions in one run, for statements that are too short to measure alone. */
  readonly times: number;
}

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const smallStatements: readonly Work[] = [
  { name: "SELECT 1", sql: "SELECT 1", times: 200 },
  { name: "nation by key", sql: "SELECT n_name FROM nation WHERE n_nationkey = 7", times: 60 },
  {
    name: "three joined",
    sql: "SELECT s_name, n_name, r_name FROM supplier JOIN nation ON s_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey WHERE s_suppkey < 5",
    times: 30,
  },
];

export async function measureRegress({ commits, scale, runs, threads }: RegressOptions): Promise<void> {
  if (runs < valuesMin) {
    throw new Error(`--runs ${runs} is too few to tell a change from noise; ${valuesMin} are the least`);
  }
  const folder = temporaryFolder();
  process.once("exit", () => git("worktree", "prune"));
  const sides: Side[] = [];
  try {
    const roots = commits.map((commit, index) => checkOut(commit, join(folder, String(index))));
    say(`${commits.join(" against ")}: TPC-H scale ${scale} and small statements, ${runs} runs, ${threads} workers; loading ...`);
    for (const root of roots) {
      sides.push(await startSide(root, scale, threads));
    }
    await compareSides(sides as [Side, Side], runs);
  } finally {
    for (const { client, server } of sides) {
      await client.close();
      await stopServer(server);
    }
  }
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: projectRoot, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

/** A work tree of the commit with the installed packages of this one, or its own if its lockfile differs. */
function checkOut(commit: string, root: string): string {
  git("worktree", "add", "--detach", "--quiet", root, commit);
  const lockfile = (folder: string): string => readFileSync(join(folder, "package-lock.json"), "utf8");
  if (lockfile(root) === lockfile(projectRoot)) {
    symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"));
  } else {
    say(`${commit} has other packages; npm ci ...`);
    execFileSync("npm", ["ci"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  }
  return root;
}

async function startSide(root: string, scale: string, threads: number): Promise<Side> {
  const server = await startServer(["--workers", String(threads)], { root });
  const client = new BenchClient(server.uri, { catalog: "memory", schema: "default" });
  for (const sql of createTableStatements(scale)) {
    await client.rows(sql);
  }
  return { server, client };
}

async function costOf({ server, client }: Side, { sql, times }: Work): Promise<Cost> {
  const processId = server.process.pid as number;
  const [cpuBefore, started] = [cpuMsOf(processId), performance.now()];
  for (let time = 0; time < times; time++) {
    await client.rows(sql);
  }
  return { wallMs: (performance.now() - started) / times, cpuMs: (cpuMsOf(processId) - cpuBefore) / times };
}

async function compareSides([before, after]: readonly [Side, Side], runs: number): Promise<void> {
  const works = [...smallStatements, ...[...tpchQueries()].map(([name, sql]) => ({ name, sql, times: 1 }))];
  const rows: (readonly string[])[] = [
    ["statement", "CPU ms before", "after", "ratio", "99 % interval", "wall ratio", "99 % interval", ""],
  ];
  const status = new StatusLine();
  for (const work of works) {
    const costs: (readonly [Cost, Cost])[] = [];
    for (let run = 0; run < warmUpRuns + runs; run++) {
      status.show(() => `${work.name}: run ${run + 1} of ${warmUpRuns + runs} ...`);
      costs.push(await costsOf(work, [before, after], run));
    }
    rows.push(describe(work, costs.slice(warmUpRuns)));
  }
  status.clear();
  say(table(rows));
}

/** The sides take turns in who begins, because the first one of a pair finds colder caches of the machine. */
async function costsOf(work: Work, [before, after]: readonly [Side, Side], run: number): Promise<readonly [Cost, Cost]> {
  if (run % 2 === 0) {
    const first = await costOf(before, work);
    return [first, await costOf(after, work)];
  }
  const second = await costOf(after, work);
  return [await costOf(before, work), second];
}

function describe({ name }: Work, costs: readonly (readonly [Cost, Cost])[]): readonly string[] {
  const cpu = medianInterval(costs.map(([one, other]) => other.cpuMs / one.cpuMs));
  const wall = medianInterval(costs.map(([one, other]) => other.wallMs / one.wallMs));
  const medians = [median(costs.map(([one]) => one.cpuMs)), median(costs.map(([, other]) => other.cpuMs))].map((ms) => ms.toFixed(2));
  return [name, ...medians, cpu.median.toFixed(2), range(cpu), wall.median.toFixed(2), range(wall), verdict(cpu)];
}

function range({ low, high }: Interval): string {
  return `${low.toFixed(2)}..${high.toFixed(2)}`;
}

/** By CPU time, because wall time depends on what else the machine does. */
function verdict(ratio: Interval): string {
  if (Math.abs(ratio.median - 1) < smallestChange) {
    return "";
  }
  return ratio.low > 1 ? "SLOWER" : ratio.high < 1 ? "faster" : "";
}
