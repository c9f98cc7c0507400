/**
 * The weekly record of generated mutants (`test/mutants/weekly.json`): CI measures the mutants of the week's seed again and fails when it
 * finds fewer than the record says. A new week has a new seed, so that nobody tunes for one sample.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const weeklyFile = "test/mutants/weekly.json";

const week = z.strictObject({
  /** ISO week. */
  week: z.string().regex(/^\d{4}-W\d{2}$/),
  mutationSeed: z.int().positive(),
  mutants: z.int().positive(),
  /** Seeds for each mutant; the fuzzer is not used. */
  seeds: z.int().positive(),
  changed: z.int().nonnegative(),
  found: z.int().nonnegative(),
  /** The seed that found a mutant, by the key of its site: CI begins with these. */
  places: z.record(z.string(), z.int().positive()).optional(),
  /** Why fewer were accepted than the week before. */
  reason: z.string().min(10).optional(),
});

const record = z.strictObject({ now: week, before: week.optional() });

export type Week = z.infer<typeof week>;
export type WeeklyRecord = z.infer<typeof record>;

export function weeklyPath(root: string): string {
  return join(root, weeklyFile);
}

/** Throws an Error that names the file. */
export function readWeekly(root: string): WeeklyRecord {
  try {
    return parseWeekly(readFileSync(weeklyPath(root), "utf8"));
  } catch (error) {
    throw new Error(`${weeklyFile}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

export function parseWeekly(text: string): WeeklyRecord {
  const parsed = record.safeParse(JSON.parse(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  return parsed.data;
}

const dayMs = 86_400_000;

/** ISO week of a day: the week of its Thursday. */
export function weekOf(day: Date): string {
  const midnight = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate());
  const thursday = new Date(midnight + (4 - (new Date(midnight).getUTCDay() || 7)) * dayMs);
  const number = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * dayMs)) + 1;
  return `${thursday.getUTCFullYear()}-W${String(number).padStart(2, "0")}`;
}

/** Nobody chooses the seed: `2026-W48` has 202648. */
export function seedOfWeek(name: string): number {
  return Number(name.replace("-W", ""));
}

/**
 * The next record, or why there is none. `again` is the sample of the record's week, measured now; `next` is that of a new week. Within a
 * week the record is only brought up to date, after changes of the sources by which other mutants are drawn.
 */
export function rolled(
  { now, before }: WeeklyRecord,
  { again, next }: { readonly again: Week; readonly next?: Week | undefined },
): { readonly record: WeeklyRecord } | { readonly refusal: string } {
  if (again.found < now.found && (next !== undefined || again.reason === undefined)) {
    return { refusal: `of the mutants of ${now.week}, ${again.found} are found now, and ${now.found} were found then` };
  }
  if (next === undefined) {
    return { record: { now: again, ...(before === undefined ? {} : { before }) } };
  }
  if (next.found < now.found && next.reason === undefined) {
    return {
      refusal:
        `of the mutants of ${next.week}, ${next.found} are found, and ${now.found} of those of ${now.week} were: ` +
        "find more, or say with --reason why the record may fall",
    };
  }
  return { record: { now: next, before: again } };
}
