/**
 * The counters of the node resource against the formula: each heartbeat that crossed the network adds one, and all fade by e over one minute
 * of the coordinator's clock. The expected value is computed from the requests that the network truly carried, independent of the monitor's code.
 */
import type { Verdict } from "./violation.ts";

const oracle = "decay";

interface Heartbeat {
  readonly atSeconds: number;
}

interface NodeDocument {
  readonly uri: string;
  readonly recentRequests: number;
  readonly recentFailures: number;
  readonly recentSuccesses: number;
}

export class DecayOracle {
  readonly #verdict: Verdict;
  readonly #requests = new Map<string, Heartbeat[]>();
  readonly #failures = new Map<string, Heartbeat[]>();
  readonly #successes = new Map<string, Heartbeat[]>();

  constructor(verdict: Verdict) {
    this.#verdict = verdict;
  }

  /** A node that announces itself anew begins with new counters. */
  forget(uri: string): void {
    for (const beats of [this.#requests, this.#failures, this.#successes]) {
      beats.delete(uri);
    }
  }

  sent(uri: string, atSeconds: number): void {
    push(this.#requests, uri, atSeconds);
  }

  ended(uri: string, atSeconds: number, success: boolean): void {
    push(success ? this.#successes : this.#failures, uri, atSeconds);
  }

  /** Holds a document of /v1/node, read at `atSeconds` of the coordinator's clock, against what was seen. */
  check(node: NodeDocument, atSeconds: number): void {
    const uri = node.uri.replace(/\/$/, "");
    this.#compare(uri, "recentRequests", node.recentRequests, sum(this.#requests.get(uri), atSeconds));
    this.#compare(uri, "recentFailures", node.recentFailures, sum(this.#failures.get(uri), atSeconds));
    this.#compare(uri, "recentSuccesses", node.recentSuccesses, sum(this.#successes.get(uri), atSeconds));
  }

  #compare(uri: string, name: string, found: number, expected: number): void {
    // Whole seconds on both sides: each beat may be off by one second, 1 - e^(-1/60) of its weight, and one beat may be under way.
    const tolerance = 2.5 + expected * 0.04;
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

function push(beats: Map<string, Heartbeat[]>, uri: string, atSeconds: number): void {
  const known = beats.get(uri);
  if (known === undefined) {
    beats.set(uri, [{ atSeconds }]);
  } else {
    known.push({ atSeconds });
  }
}

function sum(beats: readonly Heartbeat[] | undefined, atSeconds: number): number {
  return (beats ?? []).reduce((total, beat) => total + Math.exp((beat.atSeconds - atSeconds) / 60), 0);
}
