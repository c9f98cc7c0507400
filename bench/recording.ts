/**
 * Cost of recording: the same statements against a server that records and one that does not, alternately, on one machine.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StatusLine } from "../sim/status-line.ts";
import { type RunningServer, startServer, stopServer } from "../test/support/programs/server-process.ts";
import { median, say } from "./figures.ts";
import { BenchClient } from "./statement.ts";

/** Short and long queries, many and few rows, one and several stages. `times` is the number of runs per round. */
const mix: readonly { readonly name: string; readonly sql: string; readonly times: number }[] = [
  { name: "SELECT 1", sql: "SELECT 1", times: 60 },
  { name: "nation by key", sql: "SELECT name FROM nation WHERE nationkey = 7", times: 40 },
  {
    name: "join of two",
    sql: "SELECT n.name, count(*) FROM nation n JOIN customer c ON n.nationkey = c.nationkey GROUP BY 1 ORDER BY 1",
    times: 10,
  },
  {
    name: "aggregation",
    sql: "SELECT returnflag, linestatus, sum(quantity), avg(extendedprice), count(*) FROM lineitem GROUP BY 1, 2 ORDER BY 1, 2",
    times: 6,
  },
  {
    name: "repartitioned",
    sql: "SELECT custkey, count(*), sum(totalprice) FROM orders GROUP BY custkey ORDER BY 3 DESC LIMIT 10",
    times: 6,
  },
  { name: "rows out", sql: "SELECT * FROM orders", times: 4 },
];

interface Side {
  readonly server: RunningServer;
  readonly client: BenchClient;
}

async function startSide(args: readonly string[]): Promise<Side> {
  const server = await startServer(["--workers", "2", ...args]);
  return { server, client: new BenchClient(server.uri, { catalog: "tpch", schema: "tiny" }) };
}

/** Total milliseconds of each statement of the mix. */
async function round(side: Side): Promise<number[]> {
  const times: number[] = [];
  for (const { sql, times: count } of mix) {
    const started = performance.now();
    for (let index = 0; index < count; index++) {
      await side.client.rows(sql);
    }
    times.push(performance.now() - started);
  }
  return times;
}

/** CPU time of the server's process in seconds; independent of other programs on the machine. */
function cpuSeconds({ server }: Side): number {
  const fields = readFileSync(`/proc/${server.process.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const warmUpRounds = 8;

export async function measureRecording(runs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-recording-"));
  try {
    const plain = await startSide([]);
    const recording = await startSide(["--record", folder]);
    const sides = [plain, recording] as const;
    for (let index = 0; index < warmUpRounds; index++) {
      await round(plain);
      await round(recording);
    }
    const status = new StatusLine();
    const ratios: number[] = [];
    const cpuRatios: number[] = [];
    let cpu = sides.map(cpuSeconds);
    const perStatement: number[][] = mix.map(() => []);
    for (let run = 0; run < runs; run++) {
      // The order of the sides alternates from round to round, because the second one meets a warmer machine.
      const first = run % 2;
      const one = await round(sides[first] as Side);
      const other = await round(sides[1 - first] as Side);
      const [without, withIt] = first === 0 ? [one, other] : [other, one];
      ratios.push(sum(withIt) / sum(without));
      const later = sides.map(cpuSeconds);
      const [plainCpu, recordingCpu] = later.map((seconds, index) => seconds - (cpu[index] as number)) as [number, number];
      cpuRatios.push(recordingCpu / plainCpu);
      cpu = later;
      mix.forEach((_, place) => perStatement[place]?.push((withIt[place] as number) / (without[place] as number)));
      status.show(() => `${run + 1}/${runs} rounds`);
    }
    status.clear();
    const bytes = readdirSync(folder).reduce((total, name) => total + statSync(join(folder, name)).size, 0);
    for (const side of sides) {
      await side.client.close();
      await stopServer(side.server);
    }
    mix.forEach(({ name }, place) => say(`recording, ${name}: ${percent(median(perStatement[place] ?? []))}`));
    say(
      `recording, the whole mix: ${percent(median(ratios))} of time (median of ${runs} interleaved rounds, ${percent(Math.min(...ratios))} to ${percent(Math.max(...ratios))}); ${(bytes / 2 ** 20).toFixed(1)} MB recorded by three nodes`,
    );
    say(
      `recording, processor time of the server: ${percent(median(cpuRatios))} (median of the same rounds, ${percent(Math.min(...cpuRatios))} to ${percent(Math.max(...cpuRatios))})`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function percent(ratio: number): string {
  return `${ratio >= 1 ? "+" : ""}${((ratio - 1) * 100).toFixed(1)} %`;
}
