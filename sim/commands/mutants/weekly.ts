/**
 * `npm run sim -- mutants --weekly` measures the generated mutants of the week's record again; `--roll` writes the record of a new week.
 */
import { writeFileSync } from "node:fs";
import { exitCodes } from "../../checkers/violation.ts";
import type { GeneratedCommandOptions } from "./generated.ts";
import { measureDrawn } from "./generated.ts";
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
  const { reason: _, ...sample } = now;
  const again = await measureWeek(sample, options);
  if (again === undefined) {
    return 130;
  }
  process.stdout.write(
    `${now.week}: found ${again.found} of ${again.mutants} mutants, ${again.changed} of them changed a run; the record has ${now.found}\n`,
  );
  if (!options.roll) {
    if (again.found < now.found) {
      process.stdout.write(
        "fewer mutants are found than when the record was written: an oracle or the drawing has lost power, or the sources\n",
      );
      process.stdout.write(
        "changed so much that other mutants are drawn; list them with --generated, and write a new record with --roll\n",
      );
    }
    return again.found < now.found ? exitCodes.vacuous : exitCodes.pass;
  }
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
  };
}
