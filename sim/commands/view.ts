/**
 * `npm run sim -- view`: shows one run, or two side by side, as an HTML page.
 */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import { drawRun } from "../draw/draw.ts";
import { exitCodes } from "../checkers/violation.ts";
import { type ScenarioRegistry, unknownScenario } from "../scenario.ts";
import type { ViewedRun } from "../view/facts.ts";
import { pageOf } from "../view/html.ts";
import { runToView, fileToView } from "../view/viewed.ts";
import { StatusLine } from "../status-line.ts";

interface Options {
  readonly out?: string;
  readonly diff?: string;
  readonly trace?: string;
  readonly scenario?: string;
  readonly open?: boolean;
}

class UsageError extends Error {}

export function addViewCommand(program: Command, scenarios: ScenarioRegistry): void {
  program
    .command("view")
    .description("write one self-contained HTML page with the lanes, messages, faults and states of a run")
    .argument("[seed]", "seed to run; with --scenario, it varies the timing")
    .option("--out <file>", "file of the page (default: orrery-SEED.html)")
    .option("--diff <seed|file>", "second run to compare with: another seed, or a file as for --trace")
    .option("--trace <file>", "show a file instead of a new run: a trace, a fixture, or the recording of a node")
    .option("--scenario <name>", "run a scenario from scenarios/")
    .option("--open", "open the page in the browser")
    .action(async (seed: string | undefined, options: Options) => {
      try {
        await view(seed, options, scenarios);
      } catch (error) {
        if (!(error instanceof UsageError)) {
          throw error;
        }
        process.stderr.write(`${error.message}\n`);
        process.exitCode = exitCodes.usage;
      }
    });
}

async function view(seed: string | undefined, options: Options, scenarios: ScenarioRegistry): Promise<void> {
  if (seed === undefined && options.trace === undefined && options.scenario === undefined) {
    throw new UsageError("Nothing to show: give a seed, --scenario or --trace (see view --help)");
  }
  if (seed !== undefined && options.trace !== undefined) {
    throw new UsageError("A trace has its own seed: give either SEED or --trace (use --diff for a second run)");
  }
  const out =
    options.out ??
    `orrery-${[options.scenario, seed ?? options.trace?.replace(/^.*\//, "").replace(/\.\w+$/, "")].filter((part) => part !== undefined).join("-")}.html`;
  // Checked before anything runs for long.
  if (!existsSync(dirname(out))) {
    throw new UsageError(`Cannot write ${out}: there is no folder ${dirname(out)}`);
  }
  const first = options.trace !== undefined ? viewFile(options.trace) : await runNow(seed ?? "1", options.scenario, scenarios);
  const runs = [first];
  if (options.diff !== undefined) {
    // An existing file takes precedence over a seed with the same name.
    runs.push(existsSync(options.diff) ? viewFile(options.diff) : await runNow(options.diff, options.scenario, scenarios));
  }
  const page = await pageOf(runs);
  try {
    writeFileSync(out, page);
  } catch (error) {
    throw new UsageError(`Cannot write ${out}: ${error instanceof Error ? error.message : String(error)}`);
  }
  for (const { facts, entries } of runs) {
    const violations = entries.filter(({ kind }) => kind === "violation");
    process.stdout.write(
      `${facts.name}: ${entries.length} entries, ${violations.length === 0 ? "PASS" : `FAIL ${violations[0]?.detail ?? ""}`}\n`,
    );
  }
  process.stdout.write(`wrote ${out} (${Math.ceil(page.length / 1024)} kB): open it in a browser\n`);
  if (options.open === true) {
    open(out);
  }
}

function viewFile(file: string): ViewedRun {
  try {
    return fileToView(file);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function runNow(seed: string, scenarioName: string | undefined, scenarios: ScenarioRegistry): Promise<ViewedRun> {
  const scenario = scenarioName === undefined ? undefined : scenarios.find(scenarioName);
  if (scenarioName !== undefined && scenario === undefined) {
    throw new UsageError(unknownScenario(scenarioName, scenarios));
  }
  const name = scenario === undefined ? `seed ${seed}` : `${scenario.name}, seed ${seed}`;
  const status = new StatusLine();
  const viewed = await runToView(scenario?.plan(seed) ?? drawRun(seed), {
    name,
    onEntry: (count) => {
      if (count % 2000 === 0) {
        status.show(() => `${name}: ${count} entries`);
      }
    },
  });
  status.clear();
  return viewed;
}

function open(file: string): void {
  const [program = "xdg-open", ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  const child = spawn(program, [...args, file], { stdio: "ignore", detached: true });
  child.on("error", () => process.stderr.write(`Cannot open ${file}; open it in a browser\n`));
  child.unref();
}
