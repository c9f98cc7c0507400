/**
 * `npm run sim`: simulated clusters from seeds, scenarios or recordings, and what helps to understand them. The exit code tells the kinds
 * of failure apart. The one file of sim/ that imports scenarios/: it hands the list to what finds a scenario by name.
 */
import { setFlagsFromString } from "node:v8";
import { Command } from "commander";
import { scenarios as known } from "../scenarios/index.ts";
import { branchWorkerFlag, serveBranch } from "./branch.ts";
import { addBranchCommand } from "./commands/branch.ts";
import { addCoverageCommand } from "./commands/coverage.ts";
import { addGapCommand } from "./commands/gap.ts";
import { addMutantsCommand } from "./commands/mutants/mutants.ts";
import { addActCommand } from "./commands/recordings/act.ts";
import { addGeneraliseCommand } from "./commands/recordings/generalise.ts";
import { addImportCommand } from "./commands/recordings/import.ts";
import { addReplayCommand } from "./commands/recordings/replay-recording.ts";
import { addProfileCommand } from "./commands/measure/profile.ts";
import { addReportCommand } from "./commands/measure/report.ts";
import { addRunCommand } from "./commands/run.ts";
import { addServeCommand } from "./serve/command.ts";
import { addJudgeCommand } from "./judge/command.ts";
import { addScaleCommand } from "./commands/measure/scale.ts";
import { addViewCommand } from "./commands/view.ts";
import { addVerifyCommand } from "./commands/verify.ts";
import { addExplainCommand } from "./commands/explain.ts";
import { addHuntCommand } from "./hunt/command.ts";
import { addShrinkCommand } from "./commands/shrink.ts";
import { exitCodes } from "./checkers/violation.ts";
import { foundFolder, withFound } from "./found.ts";
import { profileWorkerFlag, serveProfile } from "./profile/child.ts";
import { serveTrials, trialWorkerFlag } from "./shrink/trial.ts";
import { serveSweep, sweepWorkerFlag } from "./sweep.ts";
import { endWithReader } from "./terminal/closed-pipe.ts";
import { serveVerify, verifyChildFlag } from "./verify/child.ts";

// As in the server (src/server/start/load.ts): much code runs for a short time, and each process compiles its own.
setFlagsFromString("--max-inlined-bytecode-size-cumulative=400");
setFlagsFromString("--max-inlined-bytecode-size=200");

const scenarios = withFound(known, foundFolder, (sentence) => process.stderr.write(`${sentence}\n`));

/** Modes in which this program starts itself as a child process. */
const children: Readonly<Record<string, () => Promise<void>>> = {
  [sweepWorkerFlag]: serveSweep,
  [trialWorkerFlag]: serveTrials,
  [branchWorkerFlag]: () => serveBranch(scenarios),
  [profileWorkerFlag]: serveProfile,
  [verifyChildFlag]: () => serveVerify(scenarios),
};

async function main(): Promise<void> {
  const serve = children[process.argv[2] ?? ""];
  if (serve !== undefined) {
    await serve();
    return;
  }
  endWithReader();
  const program = new Command("npm run sim --")
    // Options before a command's name belong to the program, options after it to the command.
    .enablePositionalOptions()
    .description("Runs whole clusters in a deterministic simulator. The same seed gives the same run, byte for byte.")
    .addHelpText(
      "after",
      `\nExit codes: ${Object.entries(exitCodes)
        .map(([name, code]) => `${code} ${name}`)
        .join(", ")}`,
    )
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : exitCodes.usage));
  addRunCommand(program, scenarios);
  addShrinkCommand(program, scenarios);
  addExplainCommand(program, scenarios);
  addActCommand(program, scenarios);
  addGeneraliseCommand(program);
  addImportCommand(program);
  addReplayCommand(program);
  addGapCommand(program);
  addMutantsCommand(program);
  addCoverageCommand(program);
  addProfileCommand(program);
  addHuntCommand(program);
  addReportCommand(program);
  addScaleCommand(program);
  addViewCommand(program, scenarios);
  addVerifyCommand(program, scenarios);
  addBranchCommand(program, scenarios);
  addServeCommand(program, scenarios);
  addJudgeCommand(program);
  await program.parseAsync();
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = exitCodes.crash;
});
