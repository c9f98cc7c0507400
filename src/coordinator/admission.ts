/**
 * Slots for running queries and the queue before them, first come first served. A slot is given back however its query ends. Presto's single global
 * resource group.
 */
import { QueryError } from "../protocol/errors.ts";

export interface AdmissionOptions {
  /** query.max-concurrent-queries */
  readonly runningMax: number;
  /** query.max-queued-queries */
  readonly queuedMax: number;
}

/** Who wants a slot. */
export interface Candidate {
  readonly id: string;
  /** Called once it has a slot. */
  readonly admitted: () => void;
}

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #running = new Set<string>();
  #queue: Candidate[] = [];

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  get queuedCount(): number {
    return this.#queue.length;
  }

  /** Throws QUERY_QUEUE_FULL. */
  enter(candidate: Candidate): void {
    if (this.#running.size < this.#options.runningMax) {
      this.#admit(candidate);
    } else if (this.#queue.length >= this.#options.queuedMax) {
      throw new QueryError("QUERY_QUEUE_FULL", 'Too many queued queries for "global"');
    } else {
      this.#queue.push(candidate);
    }
  }

  /** The query has ended, running or queued or never entered. */
  leave(id: string): void {
    this.#queue = this.#queue.filter((candidate) => candidate.id !== id);
    if (!this.#running.delete(id)) {
      return;
    }
    const next = this.#queue.shift();
    if (next !== undefined) {
      this.#admit(next);
    }
  }

  #admit(candidate: Candidate): void {
    this.#running.add(candidate.id);
    candidate.admitted();
  }
}
