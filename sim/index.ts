/**
 * `orrery/sim`: runs of the simulator in a program, such as a test. A run is a pure function of its seed: two runs with one fingerprint
 * were the same, byte for byte. During a run the platform's time and entropy are trapped, so a run is alone in its thread.
 */
import { scenarios } from "../scenarios/index.ts";
import { runPlan } from "./run.ts";
import { describeResult, type RunResult } from "./result.ts";
import { planOf } from "./subject.ts";

export { callNode, serveCalls } from "./library/calls.ts";
export { describeWorldFault, type WorldFault, type WorldFaultKind, type WorldFaultTimes } from "./library/faults.ts";
export type { ClockSkew, LinkOptions, NodePorts, NodeProgram, WorldCheck, WorldOptions, WorldView } from "./library/options.ts";
export {
  type Clock,
  type Headers,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  type MonotonicNanos,
  type Network,
  NetworkError,
  type NetworkErrorKind,
  type Random,
  type RandomStream,
  type RequestContext,
  type RequestHandler,
  type RequestOptions,
  sleep,
  type Storage,
  type StorageEntry,
  StorageError,
  type StorageErrorKind,
  type Timer,
  type WallMillis,
} from "./library/ports.ts";
export { drawPlan, type FastCheck, type FaultPlanOptions, type WorldPlan, worldPlans } from "./library/plans.ts";
export { type ShrinkWorldOptions, type ShrunkWorld, shrinkWorld } from "./library/shrink.ts";
export { describeWorldResult, viewHtml } from "./library/view.ts";
export { createWorld, type RunWorldOptions, type SimulatedWorld, type WorldResult, type WorldViolation } from "./library/world.ts";
export type { MessageFate } from "./world/fates.ts";
export type { TraceEntry } from "./world/world.ts";

export interface SimulationOptions {
  /** The same seed gives the same run. */
  readonly seed: number | string;
  /** Name of a story, of which the seed varies the timing; see `scenarioNames`. Without it the seed draws the whole plan. */
  readonly scenario?: string;
  /** Ends the run after this many events. */
  readonly eventsMax?: number;
}

/** An invariant that did not hold. */
export interface SimulationViolation {
  readonly kind: "crash" | "safety" | "wrong-result" | "liveness" | "leak" | "nondeterminism" | "vacuous";
  /** Name of the checker that found it. */
  readonly checker: string;
  readonly sentence: string;
  /** Simulated time since the start of the run, in milliseconds. */
  readonly atMillis: number;
}

export interface SimulationResult {
  /** True if no invariant was violated. */
  readonly passed: boolean;
  readonly violations: readonly SimulationViolation[];
  /** Hash of everything that happened. */
  readonly fingerprint: string;
  readonly events: number;
  readonly simulatedMillis: number;
  readonly statements: { readonly submitted: number; readonly finished: number; readonly canceled: number };
  /** Declared errors by name: correct results of a cluster with faults. */
  readonly failures: Readonly<Record<string, number>>;
  /** What `orrery sim` prints. */
  readonly report: string;
}

/** Throws if there is no such scenario. */
export async function simulate({ seed, scenario, eventsMax }: SimulationOptions): Promise<SimulationResult> {
  const text = String(seed);
  const subject =
    scenario === undefined ? { kind: "seed" as const, seed: text } : { kind: "scenario" as const, name: scenario, seed: text };
  return resultOf(await runPlan(planOf(subject, scenarios), { eventsMax }));
}

/** Names of all scenarios, sorted as `orrery sim` lists them. */
export function scenarioNames(): readonly string[] {
  return scenarios.names();
}

function resultOf(result: RunResult): SimulationResult {
  const { work, violations } = result;
  return {
    passed: violations.length === 0,
    violations: violations.map(({ kind, oracle, sentence, atNanos }) => ({ kind, checker: oracle, sentence, atMillis: atNanos / 1e6 })),
    fingerprint: result.fingerprint,
    events: result.events,
    simulatedMillis: result.simulatedNanos / 1e6,
    statements: { submitted: work.submitted, finished: work.finished, canceled: work.canceled },
    failures: { ...work.failed },
    report: describeResult(result),
  };
}
