/**
 * The report on a shrunk failure: its size before and after, and its story.
 */
import { describeStory, storyOf } from "../explain/story.ts";
import type { TraceEntry } from "../world/world.ts";
import type { RunPlan } from "../plan.ts";
import { runPlan } from "../run.ts";
import { describeFault } from "../faults/faults.ts";
import type { Shrunk, Size } from "./shrink.ts";
import { isSame, type Signature } from "./signature.ts";

type Found = Extract<Shrunk, { kind: "shrunk" }>;

export function describeShrunk(
  { before, after, runs, violation, cutOff }: Found,
  { seconds, budgetSeconds }: { readonly seconds: number; readonly budgetSeconds: number },
): string {
  const parts = sizes.map(([name, of]) => `${of(before).toLocaleString("en-US")} ${name} -> ${of(after).toLocaleString("en-US")}`);
  return [
    `${parts.join(", ")}   (${runs} runs, ${seconds.toFixed(0)} s of ${budgetSeconds}${cutOff ? ", cut off" : ""})`,
    `VIOLATION ${violation.kind} at ${(violation.atNanos / 1e9).toFixed(3)} s [${violation.oracle}]: ${violation.sentence.split("\n")[0] ?? ""}`,
  ].join("\n");
}

const sizes: readonly (readonly [string, (size: Size) => number])[] = [
  ["events", (size) => size.events],
  ["nodes", (size) => size.nodes],
  ["statements", (size) => size.statements],
  ["faults", (size) => size.faults],
  ["message fates", (size) => size.fates],
  ["characters of SQL", (size) => size.sqlChars],
];

/** Runs the plan again up to the violation and returns the story. */
export async function tellStory(plan: RunPlan, signature: Signature): Promise<readonly string[]> {
  const entries: TraceEntry[] = [];
  await runPlan(plan, { trace: (entry) => entries.push(entry), stopAt: (violation) => isSame(signature, violation) });
  const story = storyOf(entries, signature.oracle);
  return story === undefined ? [] : [`The story (${story.events} events of the run):`, ...describeStory(story)];
}

/** The particulars of a plan in a few sentences. */
export function summarizePlan(plan: RunPlan): readonly string[] {
  const fates = (plan.fates ?? []).map(
    ({ message, kind, extraNanos }) => `${message} is ${kind}${extraNanos === undefined ? "" : ` by ${(extraNanos / 1e6).toFixed(0)} ms`}`,
  );
  const statements = plan.users.flatMap(({ name, statements }) => statements.map(({ sql }) => `${name}: ${sql}`));
  return [...statements, ...plan.faults.map(describeFault), ...fates];
}
