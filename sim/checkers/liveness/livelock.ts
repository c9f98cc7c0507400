/**
 * Livelock: no client sends the same request to the same node again and again without a pause. Such a run would never end, and would look
 * busy.
 */
import { nanosPerSecond, type World } from "../../world/world.ts";
import type { Verdict } from "../violation.ts";

const oracle = "livelock";
/** Maximum number of requests from one place to one address within a simulated second. A long poll returns only a few times. */
const repeatsMax = 2_000;

export class LivelockOracle {
  readonly #verdict: Verdict;
  readonly #world: World;
  #secondStartNanos = 0;
  readonly #counts = new Map<string, number>();

  constructor(verdict: Verdict, world: World) {
    this.#verdict = verdict;
    this.#world = world;
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string): void {
    if (kind !== "request") {
      return;
    }
    const now = this.#world.nowNanos;
    if (now - this.#secondStartNanos >= nanosPerSecond) {
      this.#secondStartNanos = now;
      this.#counts.clear();
    }
    const question = detail.slice(detail.indexOf(" "));
    const count = (this.#counts.get(question) ?? 0) + 1;
    this.#counts.set(question, count);
    if (count === repeatsMax) {
      const sentence = `${place} asks${question} ${count} times within a second`;
      this.#verdict.violate("liveness", oracle, sentence);
      // The run would never end.
      this.#world.failure ??= new Error(sentence);
    }
  }
}
