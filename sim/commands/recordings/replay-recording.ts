/**
 * `npm run sim -- replay FILE`: replays a fixture or a recording of a real cluster, or a trace of the simulator, and compares every output.
 */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { RecordingError } from "../../../src/recording/file.ts";
import { StatusLine } from "../../status-line.ts";
import { replayTape } from "../../replay/replay.ts";
import { describeReplay } from "../../replay/report.ts";
import { survey } from "../../replay/survey.ts";
import { checkRest, describeRest } from "../../replay/rest.ts";
import { readTape } from "../../replay/tape.ts";
import { exitCodes } from "../../checkers/violation.ts";
import { replayTrace } from "../run.ts";

export function addReplayCommand(program: Command): void {
  program
    .command("replay")
    .description("replay a fixture, a folder of recordings or a simulator trace, and compare every output")
    .argument("<file>", "fixture, folder of recordings, or trace")
    .action(async (file: string) => {
      try {
        process.exitCode = isTrace(file) ? await replayTrace(file) : await replayField(file);
      } catch (error) {
        if (!(error instanceof RecordingError)) {
          throw error;
        }
        process.stderr.write(`Cannot replay: ${error.message}\n`);
        process.exitCode = exitCodes.usage;
      }
    });
}

function isTrace(file: string): boolean {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts?.isFile() === true && readFileSync(file).subarray(0, 15).toString("latin1").startsWith('{"orreryTrace"');
}

async function replayField(file: string): Promise<number> {
  const tape = readTape(resolve(file));
  const surveyed = survey(tape);
  const status = new StatusLine();
  const result = await replayTape(tape, { surveyed, onProgress: status.showCount("inputs") });
  status.clear();
  const rests = checkRest(tape);
  const lines = [...(tape.story === "" ? [] : [tape.story]), ...describeReplay(result, surveyed), ...describeRest(rests)];
  process.stdout.write(`${lines.join("\n")}\n`);
  if (result.difference !== undefined) {
    return exitCodes.nondeterminism;
  }
  return rests.some(({ wrong }) => wrong.length > 0) ? exitCodes.safety : exitCodes.pass;
}
