/**
 * A worker tracks the last request about each task. The task's document must report the time of the last update, or of the last request for
 * its status or document, and no older time. A worker that misses a request would consider a task abandoned although it is polled; only
 * long-running tasks would show it. A task is failed as abandoned after task.client.timeout without a request, by the worker's monotonic
 * clock, and not earlier. Compared with the requests that reached the worker.
 */
import { nanosPerMs } from "../../world/world.ts";
import type { Facts } from "../facts.ts";
import { check, type Verdict } from "../violation.ts";
import type { Observed } from "./wire.ts";

const oracle = "last-asked";
const said = /"lastHeartbeat":"([^"]+)"/;
const givenUp = /"Task (\S+) has not been accessed since /;
const failed = /^(\S+) \S+ -> FAILED$/;
const stepped = /^clock-step (\S+) /;
/** A clock that a fault drives may be a fifth slower, and two faults may drive it at the same time. */
const clockShareMin = 0.6;
const roundingMs = 2;

interface Asked {
  /** Time in the first document, undefined before it, and the arrival of the request that it tells. */
  firstMs: number | undefined;
  firstNanos: number;
  /** Arrival time of the last answered request. */
  lastNanos: number;
  /** The same, of requests that arrived before the task failed; and the time of the failure. */
  aliveNanos: number;
  failedNanos: number;
}

export interface LastAskedOptions {
  readonly verdict: Verdict;
  readonly facts: Facts;
  /** Value of task.client.timeout, in milliseconds. */
  readonly clientTimeoutMs: number;
}

export class LastAskedOracle {
  readonly #verdict: Verdict;
  readonly #facts: Facts;
  readonly #clientTimeoutMs: number;
  /** Tasks by `place#life taskId`. */
  readonly #tasks = new Map<string, Asked>();
  /** Places whose wall clock jumped; their times cannot be compared. */
  readonly #stepped = new Set<string>();

  constructor({ verdict, facts, clientTimeoutMs }: LastAskedOptions) {
    this.#verdict = verdict;
    this.#facts = facts;
    this.#clientTimeoutMs = clientTimeoutMs;
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string, nowNanos: number): void {
    if (kind === "fault") {
      const jumped = stepped.exec(detail)?.[1];
      if (jumped !== undefined) {
        this.#stepped.add(jumped);
      }
    } else if (kind === "task") {
      const known = this.#tasks.get(this.#key(place, failed.exec(detail)?.[1] ?? ""));
      if (known !== undefined) {
        known.failedNanos = nowNanos;
      }
    }
  }

  observe(answer: Observed): void {
    const { to, request, response, task, arrivedNanos, nowNanos } = answer;
    if (response.status !== 200 || (task?.what !== "task" && task?.what !== "status")) {
      return;
    }
    const key = this.#key(to, task.taskId);
    const known = this.#tasks.get(key);
    // A DELETE does not count as a request for the task.
    if (known !== undefined && request.method !== "DELETE") {
      known.lastNanos = Math.max(known.lastNanos, arrivedNanos);
      if (arrivedNanos <= known.failedNanos) {
        known.aliveNanos = Math.max(known.aliveNanos, arrivedNanos);
      }
    }
    if (known !== undefined && givenUp.exec(answer.text())?.[1] === task.taskId) {
      this.#checkGivenUp(task.taskId, to, known);
    }
    const text = said.exec(answer.text())?.[1];
    const ms = text === undefined ? undefined : Date.parse(text);
    if (known === undefined) {
      const never = Number.POSITIVE_INFINITY;
      this.#tasks.set(key, { firstMs: ms, firstNanos: nowNanos, lastNanos: arrivedNanos, aliveNanos: arrivedNanos, failedNanos: never });
    } else if (known.firstMs === undefined) {
      known.firstMs = ms;
      known.firstNanos = known.lastNanos;
    } else if (ms !== undefined && !this.#stepped.has(to)) {
      this.#check(task.taskId, to, known, ms - known.firstMs);
    }
  }

  #key(place: string, taskId: string): string {
    return `${place}#${this.#facts.livesOf(place)} ${taskId}`;
  }

  #checkGivenUp(taskId: string, place: string, { aliveNanos, failedNanos }: Asked): void {
    const silentMs = (failedNanos - aliveNanos) / nanosPerMs;
    check(
      this.#verdict,
      "safety",
      oracle,
      silentMs >= this.#clientTimeoutMs * clockShareMin,
      () =>
        `${place} gave ${taskId} up as abandoned ${silentMs.toFixed(0)} ms after it had been asked for it, not ${this.#clientTimeoutMs}`,
    );
  }

  #check(taskId: string, place: string, { firstNanos, lastNanos }: Asked, saidMs: number): void {
    const askedMs = (lastNanos - firstNanos) / nanosPerMs;
    check(
      this.#verdict,
      "safety",
      oracle,
      saidMs >= askedMs * clockShareMin - roundingMs,
      () =>
        `${place} was asked for ${taskId} ${askedMs.toFixed(0)} ms after its creation, and says that the last time was ${saidMs} ms after it`,
    );
  }
}
