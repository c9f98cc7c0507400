/**
 * A deletion is repeated: when the request that ends a task on its worker was not answered, or turned away with 503, the coordinator asks again, three times at
 * least and for as long as it is patient with a worker that is still there. Followed on the wire: a task that nobody deletes computes and holds its memory until it
 * finds out by itself.
 */
import { nanosPerSecond, type World } from "../../world/world.ts";
import type { Facts } from "../facts.ts";
import { check, type Verdict } from "../violation.ts";

const oracle = "deletions";
const label = " task-delete ";
const overloaded = "503";
/** Before so many failures in a row nobody gives up. */
const failuresMin = 3;
/** The longest pause before the next try, and more. */
const repeatedNanos = 2 * nanosPerSecond;

interface Deletion {
  attempts: number;
  failures: number;
}

/** A deletion that has failed and ought to be repeated. */
interface Pending {
  readonly worker: string;
  /** The coordinator took the worker for gone since then. */
  wasGone: boolean;
}

export interface DeletionOptions {
  readonly verdict: Verdict;
  readonly world: World;
  readonly facts: Facts;
  readonly coordinator: string;
  /** The coordinator knows that the worker is gone. */
  readonly isGone: (worker: string) => boolean;
}

export class DeletionOracle {
  readonly #options: DeletionOptions;
  /** By the coordinator's life and the address. */
  readonly #deletions = new Map<string, Deletion>();
  readonly #pending = new Set<Pending>();
  /** Address by message. */
  readonly #asked = new Map<string, string>();

  constructor(options: DeletionOptions) {
    this.#options = options;
  }

  /** Every note of the world. */
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

  /** Whoever was gone for a moment had its deletions given up, even when it is only silent again by the time that they are looked for. */
  #lookForGone(): void {
    for (const pending of this.#pending) {
      pending.wasGone ||= this.#options.isGone(pending.worker);
    }
  }

  /** The coordinator has crashed or was told to leave. */
  #hasEnded(nanos: number): boolean {
    const { facts, coordinator } = this.#options;
    return facts.hasEnded(coordinator) && facts.hitSince(coordinator, nanos);
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#options.verdict, "liveness", oracle, holds, sentence);
  }
}
