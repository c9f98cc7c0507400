/**
 * The counters of the node resource against the formula: each heartbeat that crossed the network adds one, and all fade by e over one minute
 * The expected values are computed from the requests that the network truly carried, independent of the monitor's code.
 */
import type { Verdict } from "../violation.ts";

const oracle = "decay";

/** One heartbeat of the coordinator to a node, as the network saw it. */
export interface Heartbeat {
  readonly uri: string;
  readonly sentNanos: number;
  /** Absent while under way. */
  endedNanos?: number;
  success?: boolean;
  /** The node was started anew while it was under way, or just before: the monitor may rightly not count how it ended. */
  restarted?: boolean;
}

export interface NodeDocument {
  readonly uri: string;
  readonly recentRequests: number;
  readonly recentFailures: number;
  readonly recentSuccesses: number;
}

export class DecayOracle {
  readonly #verdict: Verdict;

  constructor(verdict: Verdict) {
    this.#verdict = verdict;
  }

  /** Holds a document of /v1/node, read at `nowNanos`, against what was seen. */
  check(node: NodeDocument, heartbeats: readonly Heartbeat[], nowNanos: number): void {
    const beats = heartbeats.filter((beat) => beat.uri === node.uri.replace(/\/$/, ""));
    const faded = (nanos: number | undefined): number => (nanos === undefined ? 0 : Math.exp((nanos - nowNanos) / 60e9));
    const sum = (weight: (beat: Heartbeat) => number): number => beats.reduce((total, beat) => total + weight(beat), 0);
    const ended = (beat: Heartbeat, holds: boolean): number => (holds ? faded(beat.endedNanos) : 0);
    const open = sum((beat) => ended(beat, beat.restarted === true));
    const check = (name: string, found: number, expected: number, slack: number): void =>
      this.#compare(node.uri, name, { found, expected, slack });
    check(
      "recentRequests",
      node.recentRequests,
      sum((beat) => faded(beat.sentNanos)),
      0,
    );
    check(
      "recentFailures",
      node.recentFailures,
      sum((beat) => ended(beat, beat.success === false)),
      open,
    );
    check(
      "recentSuccesses",
      node.recentSuccesses,
      sum((beat) => ended(beat, beat.success === true)),
      open,
    );
  }

  #compare(uri: string, name: string, values: { readonly found: number; readonly expected: number; readonly slack: number }): void {
    const { found, expected, slack } = values;
    // The monitor counts in whole seconds: a beat may be off by one second of fading, 1/60 of its weight, and some are under way.
    const tolerance = 3 + expected * 0.04 + slack;
    if (Math.abs(found - expected) <= tolerance) {
      this.#verdict.held(oracle);
    } else {
      this.#verdict.violate(
        "safety",
        oracle,
        `${name} of ${uri} is ${found.toFixed(2)}; the heartbeats that were sent give ${expected.toFixed(2)}`,
      );
    }
  }
}
