/**
 * A worker knows when somebody last asked for a task: what the task's document says of it is the last update, or the last question for its state or its document, and
 * not an older one. Whoever forgets a question takes a task for abandoned that is followed all the time; only tasks that run for long would show it. Held against the
 * requests that reached the worker.
 */
import { nanosPerMs } from "../kernel/world.ts";
import type { Facts } from "./facts.ts";
import type { Verdict } from "./violation.ts";
import type { Observed } from "./wire.ts";

const oracle = "last-asked";
const said = /"lastHeartbeat":"([^"]+)"/;
const stepped = /^clock-step (\S+) /;
/** A clock that a fault drives counts a fifth less, and two faults may drive it at a time. */
const clockShareMin = 0.6;
const roundingMs = 2;

interface Asked {
  /** What the first document said, and when it was made. */
  readonly firstMs: number;
  readonly firstNanos: number;
  /** When the last question arrived that was answered. */
  lastNanos: number;
}

export class LastAskedOracle {
  readonly #verdict: Verdict;
  readonly #facts: Facts;
  /** By `place#life taskId`. */
  readonly #tasks = new Map<string, Asked>();
  /** Whose wall clock jumped: what it says is no measure. */
  readonly #stepped = new Set<string>();

  constructor(verdict: Verdict, facts: Facts) {
    this.#verdict = verdict;
    this.#facts = facts;
  }

  /** Every note of the world. */
  note(kind: string, detail: string): void {
    const place = kind === "fault" ? stepped.exec(detail)?.[1] : undefined;
    if (place !== undefined) {
      this.#stepped.add(place);
    }
  }

  observe({ to, request, response, task, arrivedNanos, nowNanos, ...answer }: Observed): void {
    if (response.status !== 200 || (task?.what !== "task" && task?.what !== "status")) {
      return;
    }
    const key = `${to}#${this.#facts.livesOf(to)} ${task.taskId}`;
    const known = this.#tasks.get(key);
    // To delete a task is not to ask for it.
    if (known !== undefined && request.method !== "DELETE") {
      known.lastNanos = Math.max(known.lastNanos, arrivedNanos);
    }
    const text = task.what === "task" ? said.exec(answer.text())?.[1] : undefined;
    if (text === undefined) {
      return;
    }
    const ms = Date.parse(text);
    if (known === undefined) {
      this.#tasks.set(key, { firstMs: ms, firstNanos: nowNanos, lastNanos: arrivedNanos });
    } else if (!this.#stepped.has(to)) {
      this.#check(task.taskId, to, known, ms - known.firstMs);
    }
  }

  #check(taskId: string, place: string, { firstNanos, lastNanos }: Asked, saidMs: number): void {
    const askedMs = (lastNanos - firstNanos) / nanosPerMs;
    if (saidMs >= askedMs * clockShareMin - roundingMs) {
      this.#verdict.held(oracle);
    } else {
      this.#verdict.violate(
        "safety",
        oracle,
        `${place} was asked for ${taskId} ${askedMs.toFixed(0)} ms after its creation, and says that the last time was ${saidMs} ms after it`,
      );
    }
  }
}
