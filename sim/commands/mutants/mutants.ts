/**
 * `npm run sim -- mutants`: plants the bugs of the mutant bank one at a time and measures how soon the simulator finds them.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError } from "commander";
import { familyTitles, loadBank, type Mutant, projectRoot, requireSources } from "../../mutants/bank.ts";
import { type RoomName, roomNames } from "../../mutants/generated/rooms.ts";
import { measureAll } from "../../mutants/measure.ts";
import { describeReport, reportData } from "../../mutants/report.ts";
import { exitCodes } from "../../checkers/violation.ts";
import { parseRooms, runGenerated } from "./generated.ts";
import { runWeekly } from "./weekly.ts";
import { listenForInterruption } from "./interruption.ts";
import { StatusLine } from "../../status-line.ts";

interface MutantsOptions {
  readonly only?: string;
  readonly heldOut?: boolean;
  readonly limit: number;
  readonly detections: number;
  readonly from: number;
  readonly jobs: number;
  readonly json?: string;
  readonly list?: boolean;
  readonly generated?: number;
  readonly mutationSeed: number;
  readonly rooms?: readonly RoomName[];
  readonly seeds: number;
  readonly fuzz: number;
  readonly minutes?: number;
  readonly weekly?: boolean;
  readonly roll?: boolean;
  readonly reason?: string;
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) {
    throw new InvalidArgumentError("expected a whole number from 1 on");
  }
  return Number(text);
}

function parseFuzz(text: string): number {
  return text === "0" ? 0 : parseCount(text);
}

export function addMutantsCommand(program: Command): void {
  program
    .command("mutants")
    .description("plant known bugs one at a time in a copy of the engine and measure how many seeds it takes to detect each")
    .option("--only <text>", "only mutants whose name contains the text (a family, or a mutant)")
    .option("--no-held-out", "leave out the held-out mutants")
    .option("--limit <seeds>", "maximum seeds for each mutant", parseCount, 1000)
    .option("--detections <count>", "stop a mutant after this many detections", parseCount, 5)
    .option("--from <seed>", "first seed", parseCount, 1)
    .option("--jobs <count>", "number of mutants measured in parallel, one process each", parseCount, availableParallelism())
    .option("--json <file>", "write all measurements as JSON")
    .option("--list", "list the mutants with their descriptions")
    .option("--generated <count>", "instead of known bugs, this many drawn from the engine's syntax trees", parseCount)
    .option("--mutation-seed <seed>", "with --generated: which bugs are drawn", parseCount, 1)
    .option("--rooms <names>", `with --generated: only these rooms (${roomNames.join(", ")})`, parseRooms)
    .option("--seeds <count>", "with --generated: maximum seeds for each mutant", parseCount, 300)
    .option(
      "--fuzz <statements>",
      "with --generated: generated statements for a mutant of operators and planner, after operators alone, rules and known answers; 0: seeds only",
      parseFuzz,
      300,
    )
    .option("--minutes <count>", "with --generated: stop after this time and report what is known", parseCount)
    .option("--weekly", "find as many of the generated mutants of the week as its record has; fail if fewer are found")
    .option("--roll", "the same, then measure this week's mutants and write the new record")
    .option("--reason <text>", "with --roll: why fewer found than the week before are accepted")
    .action(async (options: MutantsOptions) => {
      process.exitCode = await runMutants(options);
    });
}

async function runMutants(options: MutantsOptions): Promise<number> {
  const root = projectRoot();
  if (options.generated !== undefined || options.weekly === true || options.roll === true) {
    return runDrawn(root, options);
  }
  let mutants: readonly Mutant[];
  try {
    mutants = loadBank(root).filter(({ name, heldOut }) => name.includes(options.only ?? "") && (options.heldOut !== false || !heldOut));
  } catch (error) {
    return refuse(error);
  }
  if (mutants.length === 0) {
    process.stderr.write(`No mutant's name contains '${options.only ?? ""}' (see --list)\n`);
    return exitCodes.usage;
  }
  if (options.list === true) {
    process.stdout.write(`${mutants.map(describeMutant).join("\n")}\n`);
    return exitCodes.pass;
  }
  return measureMutants(root, mutants, options);
}

async function runDrawn(root: string, options: MutantsOptions): Promise<number> {
  const { generated: count, mutationSeed, rooms = [], from, seeds, list = false, jobs, roll = false, reason } = options;
  try {
    requireSources(root);
    if (count === undefined || options.weekly === true || roll) {
      return await runWeekly({ root, jobs, roll, today: new Date(), ...(reason === undefined ? {} : { reason }) });
    }
    return await runGenerated({ ...options, root, count, mutationSeed, rooms, firstSeed: from, seedsMax: seeds, list });
  } catch (error) {
    return refuse(error);
  }
}

async function measureMutants(root: string, mutants: readonly Mutant[], options: MutantsOptions): Promise<number> {
  const settings = { firstSeed: options.from, seedsMax: options.limit, detectionsMax: options.detections };
  const interruption = listenForInterruption();
  const status = new StatusLine();
  let measured = 0;
  let missed = 0;
  const progress = (text: string): void => {
    status.show(() => `${measured}/${mutants.length} mutants, ${missed} missed; ${text}`);
  };
  try {
    const { measurements, unusableSeeds } = await measureAll(mutants, {
      root,
      ...settings,
      jobs: options.jobs,
      isStopped: interruption.isStopped,
      onSeed: (mutant, seeds) => progress(`${mutant.name}: seed ${seeds} of ${options.limit}`),
      onMeasured: ({ detections }, done) => {
        measured = done;
        missed += detections.length === 0 ? 1 : 0;
        progress("");
      },
    });
    status.clear();
    process.stdout.write(`${describeReport({ measurements, unusableSeeds, seedsMax: options.limit })}\n`);
    if (options.json !== undefined) {
      writeFileSync(options.json, `${JSON.stringify(reportData({ measurements, unusableSeeds, ...settings }), null, 2)}\n`);
    }
    return interruption.isStopped() ? 130 : exitCodes.pass;
  } catch (error) {
    return refuse(error);
  } finally {
    interruption.close();
  }
}

function refuse(error: unknown): number {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return exitCodes.usage;
}

function describeMutant({ name, family, title, story, imitates, symptom, difficulty, heldOut }: Mutant): string {
  return [
    `${name}${heldOut ? " *" : ""}  ${title}  [${familyTitles[family]}, ${difficulty}]`,
    `  ${story}`,
    `  imitates: ${imitates}`,
    `  expected: ${symptom}`,
  ].join("\n");
}
