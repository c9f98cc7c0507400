/**
 * Fault plans from numbers: drawn by a seed, or by a property-testing library whose shrinking then makes the list shorter and the numbers
 * smaller.
 */
import { StreamTree } from "../world/streams.ts";
import type { WorldFault, WorldFaultKind } from "./faults.ts";

export interface FaultPlanOptions {
  readonly nodes: readonly string[];
  /** Every fault begins and ends before this time. */
  readonly untilMs: number;
  /** Number of faults at most; 6 if absent. */
  readonly faultsMax?: number;
  /** Kinds that may be drawn, simplest first; all if absent. */
  readonly kinds?: readonly WorldFaultKind[];
}

/** The part of a run that is drawn. */
export interface WorldPlan {
  readonly seed: number;
  readonly faults: readonly WorldFault[];
}

/** From simple to strange; the numbers of a fault choose from it by position. */
const allKinds: readonly WorldFaultKind[] = [
  "crash",
  "partition",
  "one-way-partition",
  "pause",
  "slow-link",
  "clogged-link",
  "slow-node",
  "never-answers",
  "flapping-partition",
  "clock-step",
  "clock-drift",
  "slow-disk",
  "disk-errors",
  "full-disk",
  "corrupt-reads",
];

/** Kind, place, other place, start, duration, size. */
type Choices = readonly [number, number, number, number, number, number];
const choicesPerFault = 6;
const choiceMax = 0x7fff_ffff;
const faultsMaxDefault = 6;
const seedMax = 0x7fff_ffff;

/** The same numbers always give the same fault. Smaller numbers give earlier, shorter and simpler faults. */
function faultFrom([kind, place, other, start, duration, size]: Choices, options: FaultPlanOptions): WorldFault {
  const { nodes, untilMs, kinds = allKinds } = options;
  const pick = <T>(items: readonly T[], choice: number): T => {
    const item = items[choice % items.length];
    if (item === undefined) {
      throw new Error("a plan needs at least one node and one kind of fault");
    }
    return item;
  };
  const node = pick(nodes, place);
  const others = nodes.filter((name) => name !== node);
  const atMs = start % Math.max(1, untilMs);
  const times = { atMs, untilMs: atMs + 1 + (duration % Math.max(1, untilMs - atMs)) };
  const link = { from: node, to: others.length === 0 ? node : pick(others, other) };
  const chosen = pick(kinds, kind);
  switch (chosen) {
    case "crash":
      return { kind: chosen, ...times, node, disk: pick(["synced", "kept", "torn"] as const, size) };
    case "partition":
      return { kind: chosen, ...times, nodes: [node] };
    case "pause":
    case "never-answers":
      return { kind: chosen, ...times, node };
    case "one-way-partition":
    case "clogged-link":
      return { kind: chosen, ...times, ...link };
    case "slow-link":
      return { kind: chosen, ...times, ...link, extraMs: 1 + (size % 1_000) };
    case "flapping-partition":
      return { kind: chosen, ...times, ...link, downMs: 1 + (size % 500), upMs: 1 + (size % 300) };
    case "slow-node":
      return { kind: chosen, ...times, node, factor: 2 + (size % 60) };
    case "slow-disk":
      return { kind: chosen, ...times, node, factor: 2 + (size % 1_000) };
    case "disk-errors":
    case "corrupt-reads":
      return { kind: chosen, ...times, node, percent: 1 + (size % 100) };
    case "full-disk":
      return { kind: chosen, ...times, node, bytesMax: size % 65_536 };
    case "clock-step":
      return { kind: chosen, ...times, node, byMs: (size % 7_200_000) - 3_600_000 };
    case "clock-drift":
      return { kind: chosen, ...times, node, byPpm: (size % 400_000) - 200_000 };
  }
}

/** Draws a plan from a seed, for loops over seeds. */
export function drawPlan(seed: number, options: FaultPlanOptions): WorldPlan {
  const stream = StreamTree.root(String(seed)).stream("plan");
  const count = stream.nextInt((options.faultsMax ?? faultsMaxDefault) + 1);
  const faults = Array.from({ length: count }, () => {
    const choices = Array.from({ length: choicesPerFault }, () => stream.nextInt(choiceMax));
    return faultFrom(choices as unknown as Choices, options);
  });
  return { seed, faults };
}

/** What is used of fast-check; the module itself fits. */
export interface FastCheck {
  nat(max: number): unknown;
  tuple(...arbitraries: never[]): unknown;
  array(arbitrary: never, limits: { readonly maxLength: number }): unknown;
}

interface Mapped {
  map(change: (value: never) => unknown): unknown;
}

/**
 * An arbitrary of fast-check for plans. It shrinks to fewer faults first, then to earlier and shorter ones. The second argument tells the
 * compiler the type of your fast-check's arbitraries: `worldPlans(fc, fc.constant, { nodes, untilMs })`.
 */
export function worldPlans<A>(fc: FastCheck, _constant: (plan: WorldPlan) => A, options: FaultPlanOptions): A {
  const choice = fc.nat(choiceMax) as never;
  const fault = fc.tuple(choice, choice, choice, choice, choice, choice) as never;
  const faults = fc.array(fault, { maxLength: options.faultsMax ?? faultsMaxDefault }) as never;
  const pairs = fc.tuple(faults, fc.nat(seedMax) as never) as Mapped;
  return pairs.map(([list, seed]: readonly [readonly Choices[], number]) => ({
    seed,
    faults: list.map((choices) => faultFrom(choices, options)),
  })) as A;
}
