/**
 * `npm run sim -- scale`: the cost of clusters of several sizes, each measured in a process of its own to measure its memory.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Command, InvalidArgumentError, Option } from "commander";
import { exitCodes } from "../../checkers/violation.ts";
import { type Measurement, measureScale } from "../../scale/measure.ts";
import { type Workload, workloads } from "../../scale/plans.ts";
import { describeScale } from "../../scale/report.ts";
import { StatusLine } from "../../status-line.ts";

interface ScaleOptions {
  readonly nodes: readonly number[];
  readonly workload?: Workload;
  readonly seed: string;
  readonly json?: boolean;
}

const nodesMax = 2000;
/** Limit for the output of a child. A measurement is a short line of JSON; an error may be longer. */
const outputBytesMax = 2 ** 20;

function parseNodes(text: string): readonly number[] {
  const sizes = text.split(",").map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 1 || size > nodesMax)) {
    throw new InvalidArgumentError(`expected numbers of workers from 1 to ${nodesMax}, as in 3,10,100`);
  }
  return [...new Set(sizes)].toSorted((a, b) => a - b);
}

export function addScaleCommand(program: Command): void {
  program
    .command("scale")
    .description("measure clusters of several sizes: events, queries, memory, and the growth of cost with the number of workers")
    .option("--nodes <sizes>", "comma-separated numbers of workers", parseNodes, [3, 10, 100, 1000])
    .addOption(new Option("--workload <name>", "measure only this workload").choices(workloads))
    .option("--seed <seed>", "seed; varies latencies", "1")
    .option("--json", "write the measurements as JSON lines; a single size and workload is measured in this process")
    .action(async (options: ScaleOptions) => {
      process.exitCode = await scale(options);
    });
}

async function scale({ nodes, workload, seed, json }: ScaleOptions): Promise<number> {
  const wanted = workload === undefined ? workloads : [workload];
  const measured: Measurement[] = [];
  const status = new StatusLine();
  for (const name of wanted) {
    const rows: Measurement[] = [];
    for (const count of nodes) {
      status.show(() => `${name}, ${count} workers`);
      const request = { nodes: count, workload: name, seed };
      const alone = json === true && wanted.length * nodes.length === 1;
      rows.push(alone ? await measureScale(request) : await measureApart(request));
    }
    status.clear();
    measured.push(...rows);
    const lines = json === true ? rows.map((row) => JSON.stringify(row)).join("\n") : `${describeScale(rows)}\n`;
    process.stdout.write(`${lines}\n`);
  }
  const failed = measured.filter(({ violation }) => violation !== undefined);
  for (const { nodes: count, workload: name, violation } of failed) {
    process.stderr.write(`FAIL ${name}, ${count} workers: ${violation}\n`);
  }
  return failed.length === 0 ? exitCodes.pass : exitCodes.safety;
}

/** Measures in a new process of this command. */
async function measureApart({ nodes, workload, seed }: { nodes: number; workload: Workload; seed: string }): Promise<Measurement> {
  const flags = ["scale", "--nodes", String(nodes), "--workload", workload, "--seed", seed, "--json"];
  const child = promisify(execFile)(process.execPath, [...process.execArgv, process.argv[1] ?? "", ...flags], {
    maxBuffer: outputBytesMax,
  });
  const output = await child.catch((error: unknown) => {
    // A child with a violation exits with an error code, but its measurement is valid.
    const stdout = (error as { readonly stdout?: string }).stdout ?? "";
    if (stdout === "") {
      throw error;
    }
    return { stdout };
  });
  return JSON.parse(output.stdout) as Measurement;
}
