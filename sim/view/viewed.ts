/**
 * The data that the page shows of a run, from a plan that is run now, or from a trace.
 */
import type { TraceEntry, TraceSink } from "../world/world.ts";
import type { RunPlan } from "../plan.ts";
import { describeResult } from "../result.ts";
import { type RunOptions, runPlan } from "../run.ts";
import { readTrace } from "../trace/trace-file.ts";
import { factsOf, type ViewedRun } from "./facts.ts";

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

/** Throws with the file's name and the reason. */
export function traceToView(file: string): ViewedRun {
  const { plan, entries, footer } = readTrace(file);
  return { facts: factsOf(plan, { name: `trace ${file} of seed ${plan.seed}`, resultText: "", ...footer }), entries };
}
