/**
 * The data that the page shows of a run, from a plan that is run now, or from a file.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { TraceEntry, TraceSink } from "../world/world.ts";
import type { RunPlan } from "../plan.ts";
import { describeResult } from "../result.ts";
import { type RunOptions, runPlan } from "../run.ts";
import { factsOf, type ViewedRun } from "./facts.ts";
import { openRuns } from "./opened.ts";

export async function runToView(
  plan: RunPlan,
  options: { readonly name: string; readonly onEntry?: (count: number) => void } & Pick<RunOptions, "sabotage" | "shared">,
): Promise<ViewedRun> {
  const entries: TraceEntry[] = [];
  const trace: TraceSink = (entry) => {
    entries.push(entry);
    options.onEntry?.(entries.length);
  };
  const { name, onEntry: _, ...rest } = options;
  const result = await runPlan(plan, { ...rest, trace });
  return {
    facts: factsOf(plan, { name, resultText: describeResult(result), fingerprint: result.fingerprint, events: result.events }),
    entries,
  };
}

/** A trace, a fixture or the recording of a node. Throws with the file's name and the reason. */
export function fileToView(file: string): ViewedRun {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new Error(`Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  const [run] = openRuns([{ name: basename(file), bytes }]);
  if (run === undefined) {
    throw new Error(`${file} contains no run`);
  }
  return run;
}
