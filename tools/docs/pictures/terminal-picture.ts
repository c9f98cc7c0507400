/**
 * A picture of the shell: a story of keys is typed into the shell's own editor, on an emulated terminal and against a cluster in this
 * process; the cells of the screen become an SVG. The same sources give the same picture: ids, times and rates of queries are fixed.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import stringWidth from "string-width";
import { Completion } from "../../../src/cli/completion/completion.ts";
import { Metadata } from "../../../src/cli/completion/metadata.ts";
import { Suggestions } from "../../../src/cli/completion/suggestions.ts";
import { Connection } from "../../../src/cli/connection.ts";
import { type Entry, TerminalReader } from "../../../src/cli/editor/reader.ts";
import { painter } from "../../../src/cli/formats/style.ts";
import { Runner } from "../../../src/cli/runner.ts";
import { Shell, shellSettings } from "../../../src/cli/shell.ts";
import { clientSession } from "../../../src/client/session.ts";
import { type Clock, sleep } from "../../../src/ports/clock.ts";
import { TerminalEmulator } from "../../../test/support/terminal/emulator.ts";
import { DocsCluster } from "../cluster.ts";
import { terminalSvg } from "./terminal-svg.ts";

const size = { columns: 96, rows: 36 };
const waitMs = 5;

/** Keys of the story. `wait` lets the shell finish what it does: run a statement, or show what the text says. */
const story: readonly (string | { readonly wait: "prompt" | { readonly text: string } })[] = [
  "select n.name as nation, count(*) as orders,\r",
  "  cast(sum(totalprice) as decimal(14, 2)) as total\r",
  "from orders join customer using (custkey) join nation n using (nationkey)\r",
  "where orderdate >= date '1995-01-01' -- two years and a half\r",
  "group by rollup (n.name) order by orders desc limit 5;\r",
  { wait: "prompt" },
  "select nme from nation;\r",
  { wait: "prompt" },
  "select l.orderkey, l.extendedprice * (1 - l.discount) from lineitem l\r",
  "where l.ship\t",
  { wait: { text: "shipdate" } },
  "\t\t",
];

export async function takeTerminalPicture(root: string): Promise<void> {
  writeFileSync(join(root, "docs/images/shell.svg"), await terminalPicture());
}

/** The picture as SVG. */
export async function terminalPicture(): Promise<string> {
  const cluster = await DocsCluster.start();
  const emulator = new TerminalEmulator(size.columns, size.rows);
  try {
    await play(cluster, emulator);
    return terminalSvg(emulator, { title: "orrery cli", label: "The shell of Orrery: a query, a misspelt column, and completion" });
  } finally {
    await cluster.close();
  }
}

async function play(cluster: DocsCluster, emulator: TerminalEmulator): Promise<void> {
  const stopped = stoppedClock();
  const write = (text: string): void => emulator.write(text.replaceAll(/\d{8}_\d{6}_\d{5}_[a-z0-9]{5}/g, "20260101_120000_00001_orrery"));
  const stdout = {
    isTerminal: true,
    width: size.columns,
    height: size.rows,
    write: (text: string) => Promise.resolve(write(text)),
  };
  const session = clientSession("docs", { catalog: "tpch", schema: "tiny", timeZone: "UTC" });
  const connection = new Connection(cluster.endpoint, session, { clock: cluster.clock, submitRetryMsMax: 0 });
  const metadata = new Metadata(connection, cluster.clock);
  const suggestions = new Suggestions(metadata, () => connection.session);
  const completion = new Completion(metadata, () => connection.session);
  const paint = painter(true);
  const runner = new Runner({
    connection,
    clock: stopped,
    stdout,
    stderr: stdout,
    interactive: true,
    progress: "off",
    debug: false,
    suggest: (sql, error) => suggestions.suggest(sql, error),
  });
  const entries: string[] = [];
  const shell = new Shell({
    connection,
    runner,
    clock: stopped,
    stdout,
    paint,
    settings: shellSettings(undefined, false),
    history: { entries, add: (entry) => void entries.push(entry) },
    host: hostOfNothing,
    onNamesChanged: () => undefined,
  });
  let type: (keys: string) => void = () => undefined;
  const reader = new TerminalReader({
    input: {
      setRawMode: () => undefined,
      setEncoding: () => undefined,
      on: (event: "data" | "end", listener: (text: string) => void) => {
        type = event === "data" ? listener : type;
      },
      resume: () => undefined,
      pause: () => undefined,
    },
    output: { ...size, write, on: () => undefined },
    clock: cluster.clock,
    hasColors: true,
    textWidth: stringWidth,
    history: () => entries,
    isComplete: (text) => shell.isComplete(text),
    complete: (text, cursor) => completion.complete(text, cursor),
    edit: () => Promise.resolve(undefined),
    suspend: () => Promise.resolve(),
    onBusyKey: () => undefined,
  });
  reader.take();
  await tell({ type: (keys) => type(keys), shell, reader, emulator, clock: cluster.clock });
}

interface Told {
  readonly type: (keys: string) => void;
  readonly shell: Shell;
  readonly reader: TerminalReader;
  readonly emulator: TerminalEmulator;
  readonly clock: Clock;
}

async function tell({ type, shell, reader, emulator, clock }: Told): Promise<void> {
  const read = (): Promise<Entry> => reader.read({ prompt: shell.prompt, continuation: shell.continuation, text: "" });
  let reading = read();
  for (const step of story) {
    if (typeof step === "string") {
      type(step);
    } else if (step.wait === "prompt") {
      const entry = await reading;
      await shell.submit(entry.kind === "text" ? entry.text : "");
      reading = read();
    } else {
      const { text } = step.wait;
      while (!emulator.lines.some((line) => line.includes(text))) {
        await sleep(clock, "picture", waitMs);
      }
    }
  }
}

/** Time does not pass, so that the summary of a query is always the same. */
function stoppedClock(): Clock {
  return {
    monotonicNanos: () => 0 as never,
    wallMillis: () => 0 as never,
    cpuNanos: () => 0,
    timer: () => ({ cancel: () => undefined }),
    turn: () => Promise.resolve(),
  };
}

const hostOfNothing = {
  readFile: () => Promise.reject(new Error("no files")),
  openOutput: () => Promise.reject(new Error("no files")),
  edit: () => Promise.resolve(undefined),
  open: () => Promise.reject(new Error("no servers")),
};
