/**
 * Deletions are retried. If the request that ends a task on its worker was not answered, or was rejected with 503, the coordinator sends it
 * again: at least three times, and for as long as it tolerates failures of a worker that is not gone. Observed on the wire. A task that is
 * not deleted computes and holds its memory until it times out.
 */
import { nanosPerSecond, type World } from "../../world/world.ts";
import type { Facts } from "../facts.ts";
import { check, type Verdict } from "../violation.ts";

const oracle = "deletions";
const label = " task-delete ";
const overloaded = "503";
/** The coordinator retries at least until this many consecutive failures. */
const failuresMin = 3;
/** Longest backoff before the next attempt, with a margin. */
const repeatedNanos = 2 * nanosPerSecond;

interface Deletion {
  attempts: number;
  failures: number;
}

/** A failed deletion that must be repeated. */
interface Pending {
  readonly worker: string;
  /** Whether the coordinator has considered the worker gone since then. */
  wasGone: boolean;
}

export interface DeletionOptions {
  readonly verdict: Verdict;
  readonly world: World;
  readonly facts: Facts;
  readonly coordinator: string;
  /** Whether the coordinator knows that the worker is gone. */
  readonly isGone: (worker: string) => boolean;
}

export class DeletionOracle {
  readonly #options: DeletionOptions;
  /** Deletions by the coordinator's incarnation and the address. */
  readonly #deletions = new Map<string, Deletion>();
  readonly #pending = new Set<Pending>();
  /** Address by message. */
  readonly #asked = new Map<string, string>();

  constructor(options: DeletionOptions) {
    this.#options = options;
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string): void {
    if (place !== this.#options.coordinator) {
      return;
    }
    if (kind === "log-info" && detail.startsWith("node-state ")) {
      this.#lookForGone();
    }
    if (!detail.includes(label)) {
      return;
    }
    const [message = "", link = "", , rest = "", path = ""] = detail.split(" ");
    const worker = link.split(">")[1] ?? "";
    if (kind === "request") {
      const address = `${this.#incarnation} ${worker} ${path}`;
      this.#asked.set(message, address);
      const deletion = this.#deletions.get(address) ?? { attempts: 0, failures: 0 };
      this.#deletions.set(address, deletion);
      deletion.attempts++;
    } else if ((kind === "network-error" && rest !== "ABORTED") || (kind === "answer" && rest === overloaded)) {
      this.#failed(this.#asked.get(message) ?? "", worker);
    }
  }

  get #incarnation(): number {
    return this.#options.facts.livesOf(this.#options.coordinator);
  }

  #failed(address: string, worker: string): void {
    const { world, facts, isGone } = this.#options;
    const deletion = this.#deletions.get(address);
    if (deletion === undefined || ++deletion.failures >= failuresMin || isGone(worker)) {
      return;
    }
    const { attempts } = deletion;
    const [incarnation, workerIncarnation] = [this.#incarnation, facts.livesOf(worker)];
    const failedNanos = world.nowNanos;
    const pending: Pending = { worker, wasGone: false };
    this.#pending.add(pending);
    world.at(failedNanos + repeatedNanos, "deletion-repeated", () => {
      this.#pending.delete(pending);
      const wasGone = pending.wasGone || isGone(worker);
      const excused =
        this.#incarnation !== incarnation || facts.livesOf(worker) !== workerIncarnation || wasGone || this.#hasEnded(failedNanos);
      if (!excused) {
        this.#check(
          deletion.attempts > attempts,
          () => `${address.slice(address.indexOf(" ") + 1)} was not deleted, and nobody tries again`,
        );
      }
    });
  }

  /** Deletions on a worker that was gone for a moment are abandoned, even if it counts as merely silent when they are checked. */
  #lookForGone(): void {
    for (const pending of this.#pending) {
      pending.wasGone ||= this.#options.isGone(pending.worker);
    }
  }

  /** Whether the coordinator has crashed or was told to shut down. */
  #hasEnded(nanos: number): boolean {
    const { facts, coordinator } = this.#options;
    return facts.hasEnded(coordinator) && facts.hitSince(coordinator, nanos);
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#options.verdict, "liveness", oracle, holds, sentence);
  }
}
