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
    const all = heartbeats.filter((beat) => beat.uri === node.uri.replace(/\/$/, ""));
    const kept = this.#sinceListed(all);
    if (kept === "unclear") {
      return;
    }
    const beats = kept;
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
