/**
 * Bold simplifications, each applied to the whole plan at once: calm links, equal clocks, users without pauses, early faults, no
 * properties. Each costs a run or two. Most failures need none of the removed things, and the rest is short enough for the stages that try
 * single items.
 */
import type { Fault, PlannedNode, PlannedUser, RunPlan } from "../plan.ts";
import { type KnobName, knobs } from "../../src/ports/knobs.ts";
import { calmLink } from "../world/fates.ts";
import type { Search } from "./search.ts";

const second = 1_000_000_000;

type Change = (plan: RunPlan) => RunPlan;

function withoutKeys(plan: RunPlan, names: readonly string[]): RunPlan {
  return Object.fromEntries(Object.entries(plan).filter(([name]) => !names.includes(name))) as unknown as RunPlan;
}

function still(node: PlannedNode): PlannedNode {
  return { ...node, clockOffsetMs: 0, clockDriftPpm: 0 };
}

function atOnce({ session: _session, targetResultSize: _size, ...user }: PlannedUser): PlannedUser {
  return { ...hasty(user), statements: user.statements.map((one) => ({ ...one, thinkNanos: 0, behaviour: { kind: "reads-all" } })) };
}

/** Time by which workers have announced themselves. */
const startNanos = second / 4;

function hasty(user: PlannedUser): PlannedUser {
  return {
    ...user,
    startNanos: Math.min(user.startNanos, startNanos),
    statements: user.statements.map((one) => ({ ...one, thinkNanos: 0 })),
  };
}

/** Aimed faults start as soon as there is work or the moment comes. */
function early(fault: Fault): Fault {
  const isAimed = fault.atMoment !== undefined || fault.afterWorkNanos !== undefined || fault.afterWorkEvents !== undefined;
  return isAimed ? { ...fault, atNanos: 0, untilNanos: fault.untilNanos - fault.atNanos } : fault;
}

function sooner(plan: RunPlan, healNanos: number): RunPlan {
  const faults = plan.faults.map((fault) => ({ ...fault, untilNanos: Math.min(fault.untilNanos, healNanos) }));
  return { ...plan, healNanos, faults };
}

/** Groups of alternative changes, in order. Of each group, the first change that fails in the same way is kept. */
const changes: readonly (readonly Change[])[] = [
  [
    (plan) => withoutKeys(plan, ["points", "knobs", "core", "goodput", "silenceNanos", "expect"]),
    (plan) => withoutKeys(plan, ["knobs", "core", "goodput", "silenceNanos", "expect"]),
    (plan) => withoutKeys(plan, ["points", "core", "goodput", "silenceNanos", "expect"]),
    (plan) => withoutKeys(plan, ["core", "goodput", "silenceNanos", "expect"]),
    (plan) => withoutKeys(plan, ["goodput", "silenceNanos", "expect"]),
  ],
  [
    (plan) => ({ ...plan, users: plan.users.map(atOnce), faults: plan.faults.map(early) }),
    (plan) => ({ ...plan, users: plan.users.map(hasty), faults: plan.faults.map(early) }),
    (plan) => ({ ...plan, users: plan.users.map(atOnce) }),
    (plan) => ({ ...plan, users: plan.users.map(hasty) }),
  ],
  [
    (plan) => ({ ...plan, link: { ...calmLink, latencyNanosMin: 200_000, latencyNanosMax: 200_000 } }),
    (plan) => ({ ...plan, link: calmLink }),
  ],
  [(plan) => ({ ...plan, coordinator: still(plan.coordinator), workers: plan.workers.map(still) })],
  [(plan) => ({ ...plan, properties: {} })],
  [(plan) => sooner(plan, second), (plan) => sooner(plan, 3 * second)],
];

export async function simplifyBoldly(search: Search): Promise<void> {
  for (const alternatives of changes) {
    const { best, trial } = search;
    await search.first(alternatives.map((change) => change(best)));
    if (search.trial.events > trial.events) {
      // The plan is simpler, but its run is longer, so the change is discarded.
      search.best = best;
      search.trial = trial;
    }
  }
}

/** Removes fault points that the failure does not need. */
export async function reducePoints(search: Search): Promise<void> {
  await search.reduce(Object.entries(search.best.points ?? {}), (best, kept) =>
    kept.length === 0 ? withoutKeys(best, ["points"]) : { ...best, points: Object.fromEntries(kept) },
  );
}

/** Removes knobs that the failure does not need, then moves each of the others as close to its default as the failure allows. */
export async function reduceKnobs(search: Search): Promise<void> {
  await search.reduce(Object.entries(search.best.knobs ?? {}), (best, kept) =>
    kept.length === 0 ? withoutKeys(best, ["knobs"]) : { ...best, knobs: Object.fromEntries(kept) },
  );
  for (const [name, value] of Object.entries(search.best.knobs ?? {})) {
    const { values } = knobs[name as KnobName];
    const larger = values.filter((one) => one > value).reverse();
    await search.first(larger.map((one) => ({ ...search.best, knobs: { ...search.best.knobs, [name]: one } })));
  }
}
