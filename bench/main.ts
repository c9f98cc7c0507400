/**
 * `npm run bench`: Orrery and DuckDB on this machine. Runs are interleaved, figures are medians, comparisons are ratios. Absolute times
 * depend on the machine.
 */
import { join } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { measureCompression } from "./compression.ts";
import { measureAttacks } from "./attack/attack.ts";
import { measureCrowds } from "./attack/crowd.ts";
import { measureFunctions } from "./attack/functions.ts";
import { h2oGroups, h2oJoins } from "./generated/h2o.ts";
import { clickBench } from "./generated/hits.ts";
import { type Generated, measureGenerated } from "./generated/tables.ts";
import { type Disturbance, disturbances, measureKills } from "./kills/kills.ts";
import { measureOperators } from "./operators.ts";
import { measureLatency, measureStart } from "./service.ts";
import { measureRecording } from "./recording.ts";
import { measurePlanning } from "./planning.ts";
import { describeStore, parquetCompressions, type ParquetCompression, type TableStore } from "./table-store.ts";
import { measureRegress } from "./regress.ts";
import { measureScale } from "./clusters/scale.ts";
import { measureTesting } from "./clusters/testing.ts";
import { measureNodeMemory } from "./memory/node-memory.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { measureTimeline } from "./timeline/timeline.ts";
import { measureTpch, tpchNames } from "./tpch.ts";

interface Options {
  readonly scale: readonly string[];
  readonly runs: number;
  readonly warmUp: number;
  readonly threads: readonly number[];
  readonly rows: number;
  readonly parquet?: ParquetCompression;
  readonly files?: "csv" | "jsonl";
  readonly queries: readonly string[];
  readonly pictures: string;
  readonly nodeMemory?: string;
  readonly tables?: string;
  readonly only?: string;
  readonly seed: number;
  readonly policy: "NONE" | "QUERY" | "TASK";
  readonly times: number;
  readonly what: Disturbance;
}

/** A cluster for tests is started in a moment, so many runs cost little. */
const testingRuns = 50;

/** Statements of kills run for about a second each, so that a kill lands in them. */
const killScale = "0.3";
const killTries = 40;

const parts = [
  "start",
  "latency",
  "planning",
  "tpch",
  "clickbench",
  "h2o",
  "scale",
  "recording",
  "compression",
  "testing",
  "regress",
  "operators",
  "functions",
  "attack",
  "crowd",
  "kills",
  "timeline",
] as const;
type Part = (typeof parts)[number];
const usualParts: readonly Part[] = ["start", "latency", "planning", "tpch"];
const otherParts = parts.filter((part) => !usualParts.includes(part));

async function main(): Promise<void> {
  const command = new Command("npm run bench --")
    .description("Measures start-up, idle memory, latency, planning and the queries of TPC-H against DuckDB at the same number of threads.")
    .argument("[part]", `${usualParts.join(", ")} (these otherwise), ${otherParts.join(", ")}`)
    .argument("[commits...]", "the two commits that regress compares; HEAD~1 and HEAD otherwise")
    .option("--scale <list>", "TPC-H scale factors, as in 0.1,1", listOf, ["0.1", "1"])
    .option("--runs <n>", "runs of each query on each side", positiveInteger, 9)
    .option("--warm-up <n>", "runs of each query before those of tpch, clickbench and h2o that are measured", wholeNumber, 0)
    .option(
      "--threads <list>",
      "workers of Orrery and threads of DuckDB, as in 1,2",
      (text: string) => listOf(text).map(positiveInteger),
      [2],
    )
    .addOption(
      new Option("--parquet <compression>", "tpch, clickbench and h2o read Parquet files instead of memory").choices(parquetCompressions),
    )
    .addOption(
      new Option("--files <format>", "tpch, clickbench and h2o read text files instead of memory")
        .choices(["csv", "jsonl"])
        .conflicts("parquet"),
    )
    .option("--rows <n>", "rows of the generated table of clickbench and h2o", positiveInteger, 1_000_000)
    .option(
      "--queries <list>",
      "queries of tpch, timeline, clickbench or h2o, as in q06,q21, statements of kills, functions, or words of attacks; otherwise all",
      listOf,
      [],
    )
    .option("--pictures <folder>", "where tpch writes its picture, tpch-sf<scale>.svg, and timeline its notes", ".")
    .option(
      "--node-memory <size>",
      "tpch runs once on a server with this memory, as in 2GB, over Parquet files: says which rows are DuckDB's, with peaks of memory",
    )
    .option("--tables <folder>", "with --node-memory: keeps the files of each scale there, and uses those that are there")
    .option("--seed <n>", "draws the processes and moments of kills", positiveInteger, 1)
    .option("--times <n>", "tries of kills", positiveInteger, killTries)
    .addOption(
      new Option(
        "--what <disturbance>",
        "kills: a process to kill (standby: the active one of two coordinators), a worker to stop for a while, or a rolling restart of the workers",
      )
        .choices(disturbances)
        .default("worker"),
    )
    .addOption(new Option("--policy <policy>", "retry-policy of kills").choices(["NONE", "QUERY", "TASK"]).default("TASK"))
    .option("--only <part>", "the same as the argument")
    .parse();
  const options = command.opts<Options>();
  const runsGiven = command.getOptionValueSource("runs") !== "default";
  const scaleGiven = command.getOptionValueSource("scale") !== "default";
  const [name, ...commits] = command.args;
  for (const part of wantedParts(name ?? options.only)) {
    await measure(part, options, { runsGiven, scaleGiven, commits });
  }
}

function wantedParts(name: string | undefined): readonly Part[] {
  if (name === undefined) {
    return usualParts;
  }
  const part = parts.find((one) => one === name);
  if (part === undefined) {
    throw new Error(`No part ${name}; there are ${parts.join(", ")}`);
  }
  return part === "latency" ? ["latency", "planning"] : [part];
}

interface Given {
  readonly runsGiven: boolean;
  readonly scaleGiven: boolean;
  readonly commits: readonly string[];
}

async function measure(part: Part, options: Options, { runsGiven, scaleGiven, commits }: Given): Promise<void> {
  switch (part) {
    case "start":
      return measureStart();
    case "latency":
      return measureLatency();
    case "planning":
      return measurePlanning();
    case "recording":
      return measureRecording(options.runs);
    case "compression":
      return measureCompression(options.runs);
    case "testing":
      return measureTesting(runsGiven ? options.runs : testingRuns);
    case "operators":
      return measureOperators({ scale: options.scale[0] as string, runs: options.runs, threads: options.threads[0] as number });
    case "functions":
      return measureFunctions(options.queries);
    case "attack":
      return measureAttacks(options.queries);
    case "crowd":
      return measureCrowds();
    case "kills":
      return measureKills({
        what: options.what,
        tries: options.times,
        scale: scaleGiven ? (options.scale[0] as string) : killScale,
        seed: options.seed,
        policy: options.policy,
        statements: options.queries,
      });
    case "regress":
      return measureRegressOf(options, commits);
    case "tpch":
      return measureTpchOf(options);
    case "clickbench":
      return measureGeneratedOf(options, [clickBench]);
    case "scale":
      return measureScale(options.runs);
    case "timeline":
      return measureTimeline({
        scale: scaleGiven ? (options.scale[0] as string) : "1",
        runs: options.runs,
        threads: options.threads[0] as number,
        queries: options.queries,
        folder: options.pictures,
      });
    case "h2o":
      return measureGeneratedOf(options, [h2oGroups, h2oJoins]);
  }
}

async function measureGeneratedOf(options: Options, benchmarks: readonly ((rows: number) => Generated)[]): Promise<void> {
  const { rows, runs, warmUp, queries } = options;
  for (const threads of options.threads) {
    for (const generated of benchmarks.map((benchmark) => benchmark(rows))) {
      const wanted = generated.queries.filter(({ name }) => queries.includes(name)).map(({ name }) => name);
      if (queries.length === 0 || wanted.length > 0) {
        await measureGenerated(generated, { rows, runs, warmUpRuns: warmUp, threads, store: storeOf(options), queries: wanted });
      }
    }
  }
}

async function measureRegressOf({ scale, runs, threads }: Options, commits: readonly string[]): Promise<void> {
  const [before = "HEAD~1", after = "HEAD", ...more] = commits;
  if (more.length > 0) {
    throw new Error(`regress compares two commits, not ${commits.length}`);
  }
  await measureRegress({ commits: [before, after], scale: scale[0] as string, runs, threads: threads[0] as number });
}

async function measureTpchOf(options: Options): Promise<void> {
  const { runs, warmUp, queries, pictures, nodeMemory } = options;
  const store = storeOf(options);
  for (const scale of options.scale) {
    for (const threads of options.threads) {
      if (nodeMemory !== undefined) {
        const compression = options.parquet ?? "snappy";
        const folder = join(options.tables ?? temporaryFolder(), `sf${scale}-${compression}`);
        await measureNodeMemory({ scale, nodeMemory, threads, queries: tpchNames(queries), compression, folder });
        continue;
      }
      const kind =
        store.kind === "memory"
          ? ""
          : `-${describeStore(store)
              .replaceAll(/[^a-z]+/gi, "-")
              .toLowerCase()
              .replace(/-$/, "")}`;
      const picture = join(pictures, `tpch-sf${scale}${kind}${threads === 2 ? "" : `-${threads}-thread`}.svg`);
      await measureTpch({ scale, runs, warmUpRuns: warmUp, threads, store, queries, picture });
    }
  }
}

function storeOf({ parquet, files }: Options): TableStore {
  return parquet === undefined ? { kind: files ?? "memory" } : { kind: "parquet", compression: parquet };
}

function listOf(text: string): readonly string[] {
  return text.split(",");
}

function wholeNumber(text: string): number {
  return text === "0" ? 0 : positiveInteger(text);
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError(`${text} is not a positive integer.`);
  }
  return value;
}

// Ends the servers and removes what a benchmark has written.
process.once("SIGINT", () => process.exit(130));
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
