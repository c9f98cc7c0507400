/**
 * Admission: slots for running queries and a first-come, first-served queue. Every end of a query releases its slot. Corresponds to a
 * single global resource group in Presto.
 */
import { QueryError } from "../../protocol/errors.ts";

export interface AdmissionOptions {
  /** Value of query.max-concurrent-queries. */
  readonly runningMax: number;
  /** query.max-queued-queries */
  readonly queuedMax: number;
}

/** Bytes that the texts of all queued queries may take together. */
const queuedBytesMax: number = 256 * 1024 * 1024;

/** A query that asks for a slot. */
export interface Candidate {
  readonly id: string;
  /** Bytes that the query holds while it is queued. */
  readonly bytes: number;
  /** Called when the query gets a slot. */
  readonly admitted: () => void;
}

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #running = new Set<string>();
  /** Queued queries by id, in admission order. */
  readonly #queue = new Map<string, Candidate>();
  #queuedBytes = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  get queuedCount(): number {
    return this.#queue.size;
  }

  /** Places in the queue by id, from 1 on. */
  get places(): ReadonlyMap<string, number> {
    return new Map([...this.#queue.keys()].map((id, index) => [id, index + 1]));
  }

  /** Throws QUERY_QUEUE_FULL. */
  enter(candidate: Candidate): void {
    if (this.#running.size < this.#options.runningMax) {
      this.#admit(candidate);
    } else if (this.#queue.size >= this.#options.queuedMax || this.#queuedBytes + candidate.bytes > queuedBytesMax) {
      throw new QueryError("QUERY_QUEUE_FULL", 'Too many queued queries for "global"');
    } else {
      this.#queue.set(candidate.id, candidate);
      this.#queuedBytes += candidate.bytes;
    }
  }

  /** Releases the slot or the queue entry of an ended query. No effect if it never entered. */
  leave(id: string): void {
    this.#unqueue(this.#queue.get(id));
    if (!this.#running.delete(id)) {
      return;
    }
    const [next] = this.#queue.values();
    if (next !== undefined) {
      this.#unqueue(next);
      this.#admit(next);
    }
  }

  #unqueue(candidate: Candidate | undefined): void {
    if (candidate !== undefined) {
      this.#queue.delete(candidate.id);
      this.#queuedBytes -= candidate.bytes;
    }
  }

  #admit(candidate: Candidate): void {
    this.#running.add(candidate.id);
    candidate.admitted();
  }
}
