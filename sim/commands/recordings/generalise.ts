/**
 * `npm run sim -- generalise FIXTURE`: variants of a recorded incident.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { RecordingError } from "../../../src/recording/file.ts";
import { describeGeneralised, describeSiblings, planOf, runNeighbours, smallest } from "../../replay/generalise.ts";
import { StatusLine } from "../../status-line.ts";
import { survey } from "../../replay/survey.ts";
import { readTape } from "../../replay/tape.ts";
import { exitCodes } from "../../checkers/violation.ts";
import { exitCodeOf } from "../../result.ts";
import { SharedState } from "../../shared.ts";

interface Options {
  readonly n: number;
  readonly out?: string;
}

export function addGeneraliseCommand(program: Command): void {
  program
    .command("generalise")
    .description(
      "convert a recorded incident to a plan, vary its timing and faults in the simulator, and report how many variants have the same outcome",
    )
    .argument("<fixture>", "fixture, or folder with recordings")
    .option("--n <runs>", "number of variants to run", parseRuns, 50)
    .option("--out <file>", "write the plan of the smallest variant with the same outcome as JSON, for `act` or a scenario")
    .action(async (fixture: string, options: Options) => {
      try {
        process.exitCode = await generalise(fixture, options);
      } catch (error) {
        if (!(error instanceof RecordingError)) {
          throw error;
        }
        process.stderr.write(`Cannot generalise: ${error.message}\n`);
        process.exitCode = exitCodes.usage;
      }
    });
}

function parseRuns(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) {
    throw new InvalidArgumentError("expected a whole number from 1 on");
  }
  return Number(text);
}

function say(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

async function generalise(fixture: string, options: Options): Promise<number> {
  const tape = readTape(resolve(fixture));
  const generalised = planOf(tape, survey(tape));
  say(describeGeneralised(generalised));
  if (generalised.plan.users.length === 0) {
    process.stderr.write("Cannot generalise: the tape contains no statement that the simulator can run\n");
    return exitCodes.usage;
  }
  const shared = new SharedState();
  const status = new StatusLine();
  const siblings = await runNeighbours(generalised, { runs: options.n, shared, onProgress: status.showCount("neighbours") });
  status.clear();
  say(describeSiblings(siblings, generalised.incident.ends));
  const worst = siblings.violating[0] ?? siblings.same[0];
  const end = worst?.ends.find((one) => one.startsWith("violation") || generalised.incident.ends.includes(one));
  if (worst !== undefined && end !== undefined) {
    const { plan, runs } = await smallest(worst, end, shared);
    say([
      `smallest variant, after ${runs} runs: ${end} with ${plan.workers.length} workers, ${plan.users.reduce((sum, user) => sum + user.statements.length, 0)} statements`,
      ...describeGeneralised({ ...generalised, plan, leftOut: [] }).slice(1, -1),
    ]);
    if (options.out !== undefined) {
      writeFileSync(options.out, `${JSON.stringify(plan, undefined, 2)}\n`);
      say([`written to ${options.out}; npm run sim -- act ${options.out}`]);
    }
  }
  return siblings.violating[0] === undefined ? exitCodes.pass : exitCodeOf(siblings.violating[0].result);
}
