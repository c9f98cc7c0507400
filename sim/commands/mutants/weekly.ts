/**
 * `npm run sim -- mutants --weekly` finds as many of the generated mutants of the week as the record has; `--roll` measures all of them and
 * writes the record of a new week.
 */
import { writeFileSync } from "node:fs";
import { exitCodes } from "../../checkers/violation.ts";
import type { GeneratedCommandOptions } from "./generated.ts";
import { measureDrawn } from "./generated.ts";
import { StatusLine } from "../../status-line.ts";
import { listenForInterruption } from "./interruption.ts";
import { readWeekly, rolled, seedOfWeek, type Week, weeklyPath, weekOf } from "../../mutants/generated/weekly.ts";

interface WeeklyOptions extends Pick<GeneratedCommandOptions, "root" | "jobs"> {
  readonly roll: boolean;
  readonly reason?: string;
  /** The day of the new week. */
  readonly today: Date;
}

export async function runWeekly(options: WeeklyOptions): Promise<number> {
  const record = readWeekly(options.root);
  const { now } = record;
  if (!options.roll) {
    return compare(now, options);
  }
  const { reason: _, ...sample } = now;
  const again = await measureWeek(sample, options);
  if (again === undefined) {
    return 130;
  }
  process.stdout.write(
    `${now.week}: found ${again.found} of ${again.mutants} mutants, ${again.changed} of them changed a run; the record has ${now.found}\n`,
  );
  const reason = options.reason === undefined ? {} : { reason: options.reason };
  const name = weekOf(options.today);
  let next: Week | undefined;
  if (name !== now.week) {
    next = await measureWeek({ ...now, week: name, mutationSeed: seedOfWeek(name), ...reason }, options);
    if (next === undefined) {
      return 130;
    }
    process.stdout.write(`${next.week}: found ${next.found} of ${next.mutants} mutants, ${next.changed} of them changed a run\n`);
  }
  const result = rolled(record, { again: { ...again, ...(next === undefined ? reason : {}) }, next });
  if ("refusal" in result) {
    process.stderr.write(`${result.refusal}\n`);
    return exitCodes.vacuous;
  }
  writeFileSync(weeklyPath(options.root), `${JSON.stringify(result.record, null, 2)}\n`);
  return exitCodes.pass;
}

/** Ends as soon as the record's number is found. */
async function compare(
  { week: name, mutationSeed, mutants: count, seeds: seedsMax, found, places = {} }: Week,
  options: WeeklyOptions,
): Promise<number> {
  // The compiler is loaded only here: other commands, and the installed package, do without.
  const { drawSample } = await import("../../mutants/generated/generate.ts");
  const { findEnough } = await import("../../mutants/generated/find-enough.ts");
  const { root, jobs } = options;
  const interruption = listenForInterruption();
  const status = new StatusLine();
  const moved: string[] = [];
  try {
    const again = await findEnough(drawSample({ root, mutationSeed, count, rooms: [] }), {
      root,
      jobs,
      seedsMax,
      places,
      enough: found,
      isStopped: interruption.isStopped,
      onMeasured: (already, mutants) => status.show(() => `${already} of ${mutants} mutants found`),
      onFound: (key, seed) => {
        if (places[key] !== seed) {
          moved.push(`${JSON.stringify(key)}: ${seed}`);
        }
      },
    });
    status.clear();
    if (interruption.isStopped()) {
      return 130;
    }
    const isEnough = again >= found;
    process.stdout.write(`${name}: found ${isEnough ? "at least " : ""}${again} of ${count} mutants; the record has ${found}\n`);
    if (isEnough && moved.length > 0) {
      process.stdout.write(`it takes longer than it need: the record does not have these seeds, which find their mutants\n`);
      process.stdout.write(`${moved.join("\n")}\n`);
    }
    if (!isEnough) {
      process.stdout.write(
        "fewer mutants are found than when the record was written: an oracle or the drawing has lost power, or the sources\n",
      );
      process.stdout.write(
        "changed so much that other mutants are drawn; list them with --generated, and write a new record with --roll\n",
      );
    }
    return isEnough ? exitCodes.pass : exitCodes.vacuous;
  } finally {
    interruption.close();
  }
}

/** Returns undefined if it was interrupted. */
async function measureWeek(week: Week, { root, jobs }: WeeklyOptions): Promise<Week | undefined> {
  const { mutationSeed, mutants: count, seeds: seedsMax } = week;
  const measured = await measureDrawn({ root, jobs, mutationSeed, count, seedsMax, rooms: [], firstSeed: 1, fuzz: 0, list: false });
  if (measured === undefined) {
    return undefined;
  }
  const isFound = ({ detections }: { readonly detections: readonly unknown[] }): boolean => detections.length > 0;
  return {
    ...week,
    found: measured.measurements.filter(isFound).length,
    changed: measured.measurements.filter((one) => isFound(one) || one.triggered > 0).length,
    places: Object.fromEntries(
      measured.measurements.flatMap(({ mutant, detections: [first] }) =>
        first === undefined ? [] : [[mutant.site.key, Number(first.seed)]],
      ),
    ),
  };
}
