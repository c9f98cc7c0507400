/**
 * `judge`: runs a client's program in every situation of the statement protocol and writes a report.
 */
import { writeFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { exitCodes } from "../checkers/violation.ts";
import { cannotCode } from "./client-process.ts";
import { judge, type Judgement } from "./judge.ts";
import { reportPage } from "./report.ts";
import { describeScore, scoreOf } from "./score.ts";
import { situations } from "./situations/all.ts";
import { StatusLine } from "../status-line.ts";

interface Options {
  readonly report: string;
  readonly json?: string;
  readonly only?: readonly string[];
  readonly seed: string;
  readonly minScore?: number;
  readonly list?: boolean;
}

/** Exit code if the client fails what it must pass. */
const failedCode = 1;
/** Exit code after an interrupt. */
const interruptedCode = 130;

const contract = `
The client's program runs once in each situation. Its environment:
  ORRERY_URL, ORRERY_HOST, ORRERY_PORT   address of the server
  ORRERY_USER, ORRERY_CATALOG, ORRERY_SCHEMA
  ORRERY_SETUP    JSON array of statements to run first, in the same session; their rows are not printed
  ORRERY_SQL      the statement
  ORRERY_ACTION   read; cancel (cancel the statement after its first row, with the client's own means, and exit with 0);
                  interrupt (read; SIGINT arrives on the way)
It prints each row as a line of JSON, an array or an object with the columns in order.
Exit codes: 0 success, ${cannotCode} the client cannot do that, anything else a failure of the statement.`;

function parsePercent(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 100)) {
    throw new InvalidArgumentError("expected a number from 0 to 100");
  }
  return value;
}

export function addJudgeCommand(program: Command): void {
  program
    .command("judge")
    .description("judge a client of the statement protocol in every situation that servers and networks make")
    .argument("[command...]", "command that runs the client, after --")
    .option("--report <file>", "file of the report", "judge.html")
    .option("--json <file>", "write the verdicts as JSON too")
    .option("--only <name...>", "only these situations or groups")
    .option("--seed <seed>", "decides draws of the clusters and of faults", "1")
    .option("--min-score <percent>", "fail below this score, instead of for each situation that a client must pass", parsePercent)
    .option("--list", "list the situations")
    .addHelpText("after", `${contract}\n\nExit codes of this command: 0 good enough, ${failedCode} not, ${exitCodes.usage} wrong usage`)
    .action(async (command: readonly string[], options: Options) => {
      process.exitCode = await act(command, options);
    });
}

async function act(command: readonly string[], { json, list, minScore, only, report, seed }: Options): Promise<number> {
  const chosen = situations.filter(({ group, name }) => only === undefined || only.includes(name) || only.includes(group));
  if (chosen.length === 0) {
    process.stderr.write(`No situation or group is called ${only?.join(", ") ?? ""}; --list shows them\n`);
    return exitCodes.usage;
  }
  if (list === true) {
    process.stdout.write(chosen.map(({ group, must, name, story }) => `${group}/${name}${must ? " *" : ""}\n  ${story}\n`).join(""));
    return exitCodes.pass;
  }
  if (command.length === 0) {
    process.stderr.write("No client: give its command after --, as in: judge -- node my-client.mjs\n");
    return exitCodes.usage;
  }
  const judgements = await judgeAll(command, { chosen, seed });
  writeFileSync(report, reportPage(judgements, { command: command.join(" "), seed, date: new Date().toISOString().slice(0, 10) }));
  if (json !== undefined) {
    writeFileSync(json, `${JSON.stringify(verdicts(judgements), undefined, 2)}\n`);
  }
  const score = scoreOf(judgements);
  process.stdout.write(`${describeScore(score)}\nreport written to ${report}\n`);
  if (judgements.length < chosen.length) {
    return interruptedCode;
  }
  const isGood = minScore === undefined ? score.failedMust === 0 : score.percent >= minScore;
  return isGood ? exitCodes.pass : failedCode;
}

async function judgeAll(
  command: readonly string[],
  { chosen, seed }: { readonly chosen: typeof situations; readonly seed: string },
): Promise<readonly Judgement[]> {
  const status = new StatusLine();
  let stopped = false;
  const stop = (): void => {
    stopped = true;
  };
  process.once("SIGINT", stop);
  try {
    return await judge({
      command,
      situations: chosen,
      seed,
      isStopped: () => stopped,
      onJudged: ({ situation, verdict, violations }, done) => {
        status.clear();
        if (verdict === "fail") {
          const [first] = violations;
          process.stdout.write(`${situation.name}: ${first?.rule ?? ""}: ${first?.sentence ?? ""}\n`);
        }
        status.show(() => `${done}/${chosen.length} situations`);
      },
    });
  } finally {
    status.clear();
    process.off("SIGINT", stop);
  }
}

function verdicts(judgements: readonly Judgement[]): object {
  return {
    score: scoreOf(judgements),
    situations: judgements.map(({ situation, verdict, violations }) => ({
      name: situation.name,
      group: situation.group,
      must: situation.must,
      verdict,
      violations,
    })),
  };
}
