/**
 * The counters of the node resource against the formula: each heartbeat that crossed the network adds one, and all fade by e over one minute
 * The expected values are computed from the requests that the network truly carried, independent of the monitor's code.
 */
import type { Verdict } from "./violation.ts";

const oracle = "decay";

/** One heartbeat of the coordinator to a node, as the network saw it. */
export interface Heartbeat {
  readonly uri: string;
  readonly sentNanos: number;
  /** Absent while under way. */
  endedNanos?: number;
  success?: boolean;
}

interface NodeDocument {
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
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    this.#compare(node.uri, "recentRequests", node.recentRequests, sum(beats.map((beat) => faded(beat.sentNanos))));
    this.#compare(
      node.uri,
      "recentFailures",
      node.recentFailures,
      sum(beats.map((beat) => (beat.success === false ? faded(beat.endedNanos) : 0))),
    );
    this.#compare(
      node.uri,
      "recentSuccesses",
      node.recentSuccesses,
      sum(beats.map((beat) => (beat.success === true ? faded(beat.endedNanos) : 0))),
    );
  }

  #compare(uri: string, name: string, found: number, expected: number): void {
    // The monitor counts in whole seconds: a beat may be off by one second of fading, 1/60 of its weight, and some are under way.
    const tolerance = 3 + expected * 0.04;
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
