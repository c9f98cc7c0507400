/**
 * Compares the counters of the node resource with their formula: each heartbeat that crossed the network adds one, and all decay by a
 * factor of e per minute. The expected values are computed from the requests that the network carried, independent of the monitor's code.
 */
import type { Verdict } from "../violation.ts";

const oracle = "decay";
/** Speed of a clock that a fault drives, and the longest interval between two heartbeats. */
const graceShare = 0.8;
const graceSlackNanos = 5e9;

/** One heartbeat of the coordinator to a node, as the network carried it. */
export interface Heartbeat {
  readonly uri: string;
  readonly sentNanos: number;
  /** Absent while in flight. */
  endedNanos?: number;
  success?: boolean;
  /** The node restarted while the heartbeat was in flight, or just before. The monitor need not count its outcome. */
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
  readonly #graceNanos: number;

  /** `graceNanos`: how long a node without an announcement is still listed. */
  constructor(verdict: Verdict, graceNanos: number) {
    this.#verdict = verdict;
    this.#graceNanos = graceNanos;
  }

  /** Compares a document of /v1/node, read at `nowNanos`, with the observed heartbeats. */
  check(node: NodeDocument, heartbeats: readonly Heartbeat[], nowNanos: number): void {
    const uri = node.uri.replace(/\/$/, "");
    const beats = this.#sinceListed(heartbeats.filter((beat) => beat.uri === uri));
    if (beats === "unclear") {
      return;
    }
    const sums = { requests: 0, failures: 0, successes: 0, slack: 0 };
    for (const { sentNanos, endedNanos, success, restarted } of beats) {
      sums.requests += faded(sentNanos, nowNanos);
      if (endedNanos !== undefined) {
        const weight = faded(endedNanos, nowNanos);
        sums.failures += success === false ? weight : 0;
        sums.successes += success === true ? weight : 0;
        sums.slack += restarted === true ? weight : 0;
      }
    }
    const { requests, failures, successes, slack } = sums;
    this.#compare(node.uri, "recentRequests", { found: node.recentRequests, expected: requests, slack: 0 });
    this.#compare(node.uri, "recentFailures", { found: node.recentFailures, expected: failures, slack });
    this.#compare(node.uri, "recentSuccesses", { found: node.recentSuccesses, expected: successes, slack });
  }

  /**
   * A node that has no announcement gets no heartbeats, and is forgotten with its counters after the grace period. `unclear` if clocks that
   * drift decide whether that was so.
   */
  #sinceListed(beats: readonly Heartbeat[]): readonly Heartbeat[] | "unclear" {
    let first = 0;
    for (const [index, { sentNanos }] of beats.entries()) {
      const gap = sentNanos - (beats[index - 1]?.sentNanos ?? sentNanos);
      if (gap >= this.#graceNanos / graceShare + graceSlackNanos) {
        first = index;
      } else if (gap >= this.#graceNanos * graceShare) {
        return "unclear";
      }
    }
    return beats.slice(first);
  }

  #compare(uri: string, name: string, values: { readonly found: number; readonly expected: number; readonly slack: number }): void {
    const { found, expected, slack } = values;
    // The monitor counts in whole seconds. A heartbeat may be off by one second of decay, 1/60 of its weight, and some are in flight.
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

/** What is left of an event's weight: the counters of the monitor decay by e in a minute. */
function faded(atNanos: number, nowNanos: number): number {
  return Math.exp((atNanos - nowNanos) / 60e9);
}
