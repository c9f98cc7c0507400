/**
 * Where the wall time of TPC-H's queries goes: the fastest of some runs of each, by what coordinator and workers did meanwhile.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer, stopServer } from "../../test/support/programs/server-process.ts";
import { say, table } from "../figures.ts";
import { tpchQueries } from "../queries.ts";
import { BenchClient } from "../statement.ts";
import { createTableStatements } from "../tables.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { tpchNames } from "../tpch.ts";
import { buildInstrumented, notesVariable } from "./instruments.ts";
import { type Note, parseNotes, sharesOf } from "./spans.ts";

export interface TimelineOptions {
  readonly scale: string;
  readonly runs: number;
  readonly threads: number;
  /** Names such as q06; all if empty. */
  readonly queries: readonly string[];
  /** Where the notes of each query's fastest run are written, as timeline-q06.txt. */
  readonly folder: string;
}

interface Run {
  readonly id: string;
  /** In microseconds of the system's monotonic clock. */
  readonly zero: number;
  readonly wallMs: number;
}

/** The first runs compile. */
const warmUpRuns = 3;
/** The threads write their notes when they are idle. */
const writeMs = 1000;
/** Pipelines that are named, and the least time of one. */
const namedMax = 3;
const namedMsMin = 0.5;

export async function measureTimeline({ folder, queries, runs, scale, threads }: TimelineOptions): Promise<void> {
  const notes = temporaryFolder();
  const script = await buildInstrumented();
  say(`TPC-H scale ${scale}, tables in memory, ${threads} workers, the fastest of ${runs} runs; loading ...`);
  const server = await startServer(["--workers", String(threads)], { script, environment: { [notesVariable]: notes } });
  const client = new BenchClient(server.uri, { catalog: "memory", schema: "default" });
  const fastest = new Map<string, Run>();
  for (const sql of createTableStatements(scale)) {
    await client.rows(sql);
  }
  for (const name of tpchNames(queries)) {
    const sql = tpchQueries().get(name) as string;
    for (let run = 0; run < warmUpRuns + runs; run++) {
      const one = await runOnce(client, sql);
      if (run >= warmUpRuns && one.wallMs < (fastest.get(name)?.wallMs ?? Number.POSITIVE_INFINITY)) {
        fastest.set(name, one);
      }
    }
  }
  await new Promise((resolve) => setTimeout(resolve, writeMs));
  await client.close();
  await stopServer(server);
  mkdirSync(folder, { recursive: true });
  const rows = [["query", "wall ms", "start", "together", "alone", "messages", "idle", "end"]];
  const lines: string[] = [];
  for (const [name, run] of fastest) {
    const all = notesOf(notes, run);
    writeFileSync(join(folder, `timeline-${name}.txt`), textOf(all, run));
    const { alone, aloneMs, endMs, idleMs, messagesMs, startMs, togetherMs } = sharesOf(all, run.wallMs);
    const figures = [run.wallMs, startMs, togetherMs, aloneMs, messagesMs, idleMs, endMs].map((ms) => ms.toFixed(1));
    const named = alone.slice(0, namedMax).filter(([, ms]) => ms >= namedMsMin);
    rows.push([name, ...figures]);
    lines.push(...named.map(([label, ms]) => `${name}  ${ms.toFixed(1).padStart(5)} ms alone  ${shortOf(label, run.id)}`));
  }
  say(table(rows));
  say(`\npipelines that ran while no other worker was in operators\n${lines.join("\n")}`);
  say(`\nall notes: ${join(folder, "timeline-q*.txt")}`);
}

async function runOnce(client: BenchClient, sql: string): Promise<Run> {
  const zero = Number(process.hrtime.bigint() / 1000n);
  const { id } = await client.run(sql);
  return { id, zero, wallMs: Number(process.hrtime.bigint() / 1000n - BigInt(zero)) / 1000 };
}

/** Of all threads, while the query ran, by their start. */
function notesOf(folder: string, { wallMs, zero }: Run): readonly Note[] {
  return readdirSync(folder)
    .flatMap((thread) => parseNotes(Number(thread), readFileSync(join(folder, thread), "utf8"), zero))
    .filter(({ end, start }) => end >= 0 && start <= wallMs)
    .sort((one, two) => one.start - two.start || one.thread - two.thread);
}

/** A line a note: start, end and length in milliseconds, thread, what it did. */
function textOf(notes: readonly Note[], { id }: Run): string {
  const figure = (ms: number): string => ms.toFixed(2).padStart(8);
  return notes
    .map(({ end, kind, label, start, thread }) => {
      return `${figure(start)}${figure(end)}${figure(end - start)}  ${thread}  ${kind.padEnd(10)} ${shortOf(label, id)}\n`;
    })
    .join("");
}

/** Without the query's id. */
function shortOf(label: string, id: string): string {
  return label.replaceAll(`${id}.`, "").replaceAll(id, "");
}
