/**
 * Compares the counters of the node resource with their formula: each heartbeat that crossed the network adds one, and all decay by a
 * factor of e per minute. The expected values are computed from the requests that the network carried, independent of the monitor's code.
 */
import type { Verdict } from "../violation.ts";

const oracle = "decay";

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

/** The monitor meets a node that it does not know, or does not know any more. */
const met = /^node-state .*"uri":"([^"]+)".*"from":"UNKNOWN /;

export class DecayOracle {
  readonly #verdict: Verdict;
  /** How often the monitor has met the node at an address. */
  readonly #meetings = new Map<string, number>();

  constructor(verdict: Verdict) {
    this.#verdict = verdict;
  }

  /** Receives the coordinator's notes. */
  note(kind: string, detail: string): void {
    if (kind === "start") {
      this.#meetings.clear();
    }
    const uri = kind === "log-info" ? met.exec(detail)?.[1] : undefined;
    if (uri !== undefined) {
      this.#meetings.set(uri, (this.#meetings.get(uri) ?? 0) + 1);
    }
  }

  /** Compares a document of /v1/node, read at `nowNanos`, with the observed heartbeats. */
  check(node: NodeDocument, heartbeats: readonly Heartbeat[], nowNanos: number): void {
    if ((this.#meetings.get(node.uri.replace(/\/$/, "")) ?? 0) > 1) {
      // A node that was silent for long is forgotten, and its counters begin anew.
      return;
    }
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
