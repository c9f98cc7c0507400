/**
 * Totals of a sweep or of a hunt, as their `--json` option writes them and `sim report` reads them.
 */
import * as z from "zod";

const count = z.number().int().min(0);

const failureGroup = z.object({
  kind: z.string(),
  oracle: z.string(),
  shape: z.string(),
  sentence: z.string(),
  seeds: z.array(z.string()).readonly(),
});

const savedSweep = z.object({
  /** Version of the format. */
  orrerySweep: z.literal(1),
  program: z.object({ commit: z.string().nullable(), dirty: z.boolean(), hash: z.string() }),
  from: count,
  to: count,
  /** Number of seeds that ran. */
  seeds: count,
  failed: count,
  /** Number of processes. */
  jobs: count,
  realMs: count,
  fingerprint: z.string(),
  failures: z.array(failureGroup).readonly(),
  /** Sums over the seeds, by name: `statements`, `landed crash`, `covered GOAL`. */
  tally: z.record(z.string(), z.number()),
});

export type SavedSweep = z.infer<typeof savedSweep>;

/** Throws an Error that says what is wrong with the text. */
export function readSavedSweep(text: string): SavedSweep {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
  const parsed = savedSweep.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`it does not hold the totals of a sweep: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  }
  return parsed.data;
}
