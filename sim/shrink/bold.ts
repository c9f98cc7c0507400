/**
 * One thing at a time for the whole plan: calm links, clocks that agree, users in no hurry to wait, faults at once, no properties. Each is a run or two, most
 * failures need none of it, and what is left is short enough for the stages that look at single things.
 */
import type { Fault, PlannedNode, PlannedUser, RunPlan } from "../plan.ts";
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

/** Workers are announced by then. */
const startNanos = second / 4;

function hasty(user: PlannedUser): PlannedUser {
  return {
    ...user,
    startNanos: Math.min(user.startNanos, startNanos),
    statements: user.statements.map((one) => ({ ...one, thinkNanos: 0 })),
  };
}

/** Those that wait for work or for a moment find it as soon as it comes. */
function early(fault: Fault): Fault {
  const isAimed = fault.atMoment !== undefined || fault.afterWorkNanos !== undefined || fault.afterWorkEvents !== undefined;
  return isAimed ? { ...fault, atNanos: 0, untilNanos: fault.untilNanos - fault.atNanos } : fault;
}

function sooner(plan: RunPlan, healNanos: number): RunPlan {
  const faults = plan.faults.map((fault) => ({ ...fault, untilNanos: Math.min(fault.untilNanos, healNanos) }));
  return { ...plan, healNanos, faults };
}

/** In their order; of each the first that fails the same way is kept. */
const changes: readonly (readonly Change[])[] = [
  [
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
      // Simpler to tell, and a longer story.
      search.best = best;
      search.trial = trial;
    }
  }
}

/** Which points of the engine still fire. */
export async function reducePoints(search: Search): Promise<void> {
  await search.reduce(Object.entries(search.best.points ?? {}), (best, kept) =>
    kept.length === 0 ? withoutKeys(best, ["points"]) : { ...best, points: Object.fromEntries(kept) },
  );
}
