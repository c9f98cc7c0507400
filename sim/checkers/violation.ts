/**
 * A violation of an oracle: one sentence and the kind of failure.
 */

/** The kinds of failure with their exit codes. */
export const exitCodes = {
  pass: 0,
  usage: 2,
  crash: 10,
  safety: 11,
  "wrong-result": 12,
  liveness: 13,
  leak: 14,
  nondeterminism: 15,
  vacuous: 16,
} as const;

export type FailureKind = Exclude<keyof typeof exitCodes, "pass" | "usage">;

export interface Invariant {
  readonly name: string;
  readonly sentence: string;
  /** Usual kind of a violation. */
  readonly kind: FailureKind;
  /** File of its check. */
  readonly checkedIn: string;
}

export interface Violation {
  readonly kind: FailureKind;
  /** Name of the oracle. */
  readonly oracle: string;
  readonly sentence: string;
  readonly atNanos: number;
  /** Number of the event in which it was detected. */
  readonly event?: number;
  /** Stack of the error. It differs between machines, so only people may use it. */
  readonly stack?: string;
}

/** Collects violations; the first one decides the run's verdict. */
export interface Verdict {
  violate(kind: FailureKind, oracle: string, sentence: string, stack?: string): void;
  /** Counts an evaluation of an invariant that held. */
  held(oracle: string): void;
}

/** Evaluates an invariant: counts it if it holds, otherwise reports a violation. */
export function check(verdict: Verdict, kind: FailureKind, oracle: string, holds: boolean, sentence: () => string): void {
  if (holds) {
    verdict.held(oracle);
  } else {
    verdict.violate(kind, oracle, sentence());
  }
}

/**
 * Oracles that count the requests, polls and heartbeats of the one process of a coordinator. A coordinator that another one has replaced
 * goes on sending some for a while, so these do not judge a run with a coordinator on stand-by.
 */
export const ofOneCoordinator: ReadonlySet<string> = new Set(["conservation", "decay", "node-monitor", "readers", "time-outs", "timers"]);
