/** What an oracle says when it is hurt: one sentence for a person, and which kind of failure it is. */

/** The classes of failure and the exit codes that tell them apart. */
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

export interface Violation {
  readonly kind: FailureKind;
  /** Name of the oracle. */
  readonly oracle: string;
  readonly sentence: string;
  readonly atNanos: number;
  /** Number of the event in which it was seen. */
  readonly event?: number;
  /** Where in the program an error came from; differs between machines, so nothing but people may look at it. */
  readonly stack?: string;
}

/** Takes violations; the first one is the run's verdict. */
export interface Verdict {
  violate(kind: FailureKind, oracle: string, sentence: string, stack?: string): void;
  /** Counts an evaluation of an invariant that held. */
  held(oracle: string): void;
}

/** One evaluation of an invariant: counted where it holds, said where it does not. */
export function check(verdict: Verdict, kind: FailureKind, oracle: string, holds: boolean, sentence: () => string): void {
  if (holds) {
    verdict.held(oracle);
  } else {
    verdict.violate(kind, oracle, sentence());
  }
}
