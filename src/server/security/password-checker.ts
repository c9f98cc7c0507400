/**
 * Compares passwords with hashes on a thread of its own, which starts with the first comparison. The number of waiting comparisons is
 * bounded.
 */
import { Worker } from "node:worker_threads";
import { RefusedRequest } from "../edge/intake.ts";

export interface PasswordChecker {
  /** Rejects with RefusedRequest 503 if too many comparisons wait. */
  matches(hash: string, password: string): Promise<boolean>;
  close(): void;
}

export interface ToPasswordThread {
  readonly id: number;
  readonly hash: string;
  readonly password: string;
}

export interface FromPasswordThread {
  readonly id: number;
  readonly matches: boolean;
}

interface Waiting {
  readonly resolve: (matches: boolean) => void;
  readonly reject: (error: Error) => void;
}

const waitingMax = 200;

export class ThreadPasswordChecker implements PasswordChecker {
  readonly #entry: URL;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #count = 0;

  /** `entry` is the built program of password-thread.ts. */
  constructor(entry: URL) {
    this.#entry = entry;
  }

  matches(hash: string, password: string): Promise<boolean> {
    if (this.#waiting.size >= waitingMax) {
      return Promise.reject(new RefusedRequest(503, "Too many logins at the same time, try again"));
    }
    const id = this.#count++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const message: ToPasswordThread = { id, hash, password };
      this.#running().postMessage(message);
    });
  }

  close(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.terminate();
    this.#failAll();
  }

  #running(): Worker {
    if (this.#thread !== undefined) {
      return this.#thread;
    }
    const thread = new Worker(this.#entry);
    this.#thread = thread;
    thread.unref();
    thread.on("message", ({ id, matches }: FromPasswordThread) => {
      this.#waiting.get(id)?.resolve(matches);
      this.#waiting.delete(id);
    });
    // The next comparison starts another thread.
    const ended = (): void => {
      if (this.#thread === thread) {
        this.#thread = undefined;
        this.#failAll();
      }
    };
    thread.on("error", ended);
    thread.on("exit", ended);
    return thread;
  }

  #failAll(): void {
    for (const { reject } of this.#waiting.values()) {
      reject(new RefusedRequest(503, "Passwords cannot be checked now, try again"));
    }
    this.#waiting.clear();
  }
}
