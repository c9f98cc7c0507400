/**
 * `npm run bench`: Orrery and DuckDB on this machine. Runs are interleaved, figures are medians, comparisons are ratios. Absolute times
 * depend on the machine.
 */
import { join } from "node:path";
import { Command } from "commander";
import { measureCompression } from "./compression.ts";
import { measureLatency, measureStart } from "./service.ts";
import { measureRecording } from "./recording.ts";
import { measurePlanning } from "./planning.ts";
import { measureTesting } from "./testing.ts";
import { measureTpch } from "./tpch.ts";

interface Options {
  readonly scale: readonly string[];
  readonly runs: number;
  readonly pictures: string;
  readonly only?: string;
}

/** A cluster for tests is started in a moment, so many runs cost little. */
const testingRuns = 50;

async function main(): Promise<void> {
  const command = new Command("npm run bench --")
    .description("Measures start-up, idle memory, latency, planning and the queries of TPC-H against DuckDB at the same number of threads.")
    .argument("[part]", "start, latency, planning, tpch (these otherwise), recording, compression or testing")
    .option("--scale <list>", "TPC-H scale factors, as in 0.1,1", (text: string) => text.split(","), ["0.1", "1"])
    .option("--runs <n>", "runs of each query on each side", Number, 9)
    .option("--pictures <folder>", "where tpch writes its picture, tpch-sf<scale>.svg", ".")
    .option("--only <part>", "start, latency, planning or tpch")
    .parse();
  const options = command.opts<Options>();
  const only = command.args[0] ?? options.only;
  if (only === "recording") {
    await measureRecording(options.runs);
    return;
  }
  if (only === "testing") {
    await measureTesting(command.getOptionValueSource("runs") === "default" ? testingRuns : options.runs);
    return;
  }
  if (only === "compression") {
    await measureCompression(options.runs);
    return;
  }
  if (only === undefined || only === "start") {
    await measureStart();
  }
  if (only === undefined || only === "latency") {
    await measureLatency();
  }
  if (only === undefined || only === "latency" || only === "planning") {
    await measurePlanning();
  }
  if (only === undefined || only === "tpch") {
    for (const scale of options.scale) {
      await measureTpch(scale, options.runs, join(options.pictures, `tpch-sf${scale}.svg`));
    }
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
