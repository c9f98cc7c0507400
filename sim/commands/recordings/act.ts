/**
 * `npm run sim -- act PLAN`: acts out a scenario, a field story, or the plan of a trace on real processes, and records them.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { actPlan, type Acted } from "../../replay/act/act.ts";
import { importTape } from "../../replay/import.ts";
import { inferIncident } from "../../replay/incident.ts";
import { describeReplay, describeSurvey } from "../../replay/report.ts";
import { type FieldStory, fieldStories } from "../../replay/stories.ts";
import { survey } from "../../replay/survey.ts";
import { fixtureEnding, readTape, writeFixture } from "../../replay/tape.ts";
import { exitCodes } from "../../checkers/violation.ts";
import type { RunPlan } from "../../plan.ts";
import type { ScenarioRegistry } from "../../scenario.ts";

interface Options {
  readonly record?: string;
  readonly seed: string;
  readonly seconds: number;
  readonly list?: boolean;
  readonly fixtures?: boolean;
}

export function addActCommand(program: Command, scenarios: ScenarioRegistry): void {
  program
    .command("act")
    .description("run a plan on a real cluster of processes, proxies, signals and slow disks, check its rows and record it")
    .argument("[plan]", "name of a scenario or field story, or a file with a plan as JSON or a trace")
    .option("--record <dir>", "folder for the recordings (default: a new temporary folder)")
    .option("--seed <seed>", "seed of a scenario; varies its timing", "1")
    .option("--seconds <n>", "time limit in seconds; statements that have not ended by then are abandoned", parseSeconds, 120)
    .option("--fixtures", "run the named field story, or all of them, and import the recordings into fixtures/field")
    .option("--list", "list the field stories")
    .action(async (name: string | undefined, options: Options) => {
      if (options.fixtures === true) {
        process.exitCode = await recordFixtures(name, options);
        return;
      }
      if (options.list === true || name === undefined) {
        process.stdout.write(fieldStories.map((story) => `${story.name}\n  ${story.story}\n`).join(""));
        process.exitCode = options.list === true ? exitCodes.pass : exitCodes.usage;
        return;
      }
      process.exitCode = await act(name, options, scenarios);
    });
}

const attemptsMax = 4;

/** Faults on real clusters do not always work; an incident that did not happen is acted out again. */
async function recordFixtures(name: string | undefined, options: Options): Promise<number> {
  const stories = fieldStories.filter((story) => name === undefined || story.name === name);
  if (stories.length === 0) {
    process.stderr.write(`Cannot act: there is no field story '${name}'; one of: ${fieldStories.map((one) => one.name).join(", ")}\n`);
    return exitCodes.usage;
  }
  for (const story of stories) {
    if (!(await recordFixture(story, options))) {
      process.stderr.write(`${story.name} did not happen in ${attemptsMax} attempts; is the machine too busy?\n`);
      return exitCodes.vacuous;
    }
  }
  return exitCodes.pass;
}

async function recordFixture(story: FieldStory, options: Options): Promise<boolean> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const folder = mkdtempSync(join(tmpdir(), "orrery-recorded-"));
    try {
      process.stderr.write(`${story.name}\n`);
      const onNote = (text: string): void => void process.stderr.write(`  ${text}\n`);
      await actPlan(story.plan, { recordFolder: folder, secondsMax: options.seconds, onNote });
      const tape = readTape(folder);
      const surveyed = survey(tape);
      const imported = await importTape(tape, { name: story.name, story: story.story });
      if (story.happened(inferIncident(tape, surveyed)) && imported.replayed.difference === undefined) {
        const out = join("fixtures", "field", `${story.name}${fixtureEnding}`);
        mkdirSync(dirname(out), { recursive: true });
        const bytes = writeFixture(out, imported.fixture);
        process.stdout.write(`${describeReplay(imported.replayed, surveyed).join("\n")}\n${out}: ${(bytes / 1024).toFixed(1)} kB\n`);
        return true;
      }
      process.stdout.write(
        `${[...describeSurvey(tape, surveyed), ...describeReplay(imported.replayed, surveyed)].join("\n")}\nthe incident did not happen\n`,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return false;
}

function parseSeconds(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) {
    throw new InvalidArgumentError("expected a whole number of seconds");
  }
  return Number(text);
}

function findPlan(name: string, seed: string, scenarios: ScenarioRegistry): RunPlan | string {
  const story = fieldStories.find((one) => one.name === name);
  if (story !== undefined) {
    return story.plan;
  }
  const scenario = scenarios.find(name);
  if (scenario !== undefined) {
    return scenario.plan(seed);
  }
  if (!existsSync(name)) {
    return `there is no scenario, story or file '${name}'; stories: ${fieldStories.map((one) => one.name).join(", ")}; scenarios: ${scenarios.names().join(", ")}`;
  }
  try {
    const value = JSON.parse(readFileSync(name, "utf8").split("\n", 1)[0] ?? "") as { readonly plan?: RunPlan };
    if (value.plan !== undefined) {
      return value.plan;
    }
  } catch {
    // Not a trace; possibly a plan over several lines.
  }
  try {
    const value = JSON.parse(readFileSync(name, "utf8")) as Partial<RunPlan> & { readonly plan?: RunPlan };
    const plan = value.plan ?? value;
    return plan.coordinator === undefined || plan.users === undefined ? `${name} contains no plan` : (plan as RunPlan);
  } catch (error) {
    return `${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function act(name: string, options: Options, scenarios: ScenarioRegistry): Promise<number> {
  const plan = findPlan(name, options.seed, scenarios);
  if (typeof plan === "string") {
    process.stderr.write(`Cannot act: ${plan}\n`);
    return exitCodes.usage;
  }
  const folder = options.record === undefined ? mkdtempSync(join(tmpdir(), "orrery-recorded-")) : resolve(options.record);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    process.stderr.write(`Cannot act: the folder ${folder} is not empty; it may contain recordings of another cluster\n`);
    return exitCodes.usage;
  }
  const acted = await actPlan(plan, {
    recordFolder: folder,
    secondsMax: options.seconds,
    onNote: (text) => process.stderr.write(`  ${text}\n`),
  });
  process.stdout.write(`${describeActed(plan, acted).join("\n")}\n`);
  process.stdout.write(`recorded in ${folder}; npm run sim -- import ${folder}\n`);
  return acted.statements.some(({ wrong }) => wrong !== undefined) ? exitCodes["wrong-result"] : exitCodes.pass;
}

function describeActed(plan: RunPlan, acted: Acted): string[] {
  const planned = plan.users.reduce((sum, { statements }) => sum + statements.length, 0);
  const called = acted.faults.reduce((sum, { fault }) => sum + (fault.kind === "crowd" ? fault.users : 0), 0);
  const wrong = acted.statements.filter((statement) => statement.wrong !== undefined).length;
  return [
    `acted on ${plan.workers.length + 1} processes in ${acted.seconds.toFixed(1)} s: ${acted.statements.length} of ${planned + called} statements ended, ${acted.faults.length} faults started, ${acted.faults.filter(({ landed }) => landed).length} while there was work, ${acted.fates.length} message fates applied, ${acted.turnedAway} requests rejected`,
    ...acted.statements.map(
      ({ user, sql, ending, wrong: reason }) => `  ${user}: ${ending}${reason === undefined ? "" : `, WRONG: ${reason}`}\n    ${sql}`,
    ),
    ...acted.notActed.map((left) => `not acted: ${left}`),
    wrong === 0 ? "PASS: every result was correct or an error" : `FAIL: ${wrong} wrong results`,
  ];
}
