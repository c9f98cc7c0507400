/**
 * Deleted tasks are gone: to a request that arrives after a node has answered a DELETE of a task, the node never again shows it, lists it or
 * serves its pages. A long poll that was there before may still be told how the task ended.
 */
import type { Verdict } from "./violation.ts";
import type { Observed } from "./wire.ts";

const oracle = "deleted-tasks";

export class TaskOracle {
  readonly #verdict: Verdict;
  /** When `place taskId` was deleted. */
  readonly #deleted = new Map<string, number>();
  readonly #seen = new Set<string>();
  /** Frames served, by answers with pages. */
  pages = 0;

  constructor(verdict: Verdict) {
    this.#verdict = verdict;
  }

  get tasks(): number {
    return this.#seen.size;
  }

  observe(answer: Observed): void {
    const { to: place, path, request, response, task, arrivedNanos, nowNanos } = answer;
    if (path === "/v1/task" && response.status === 200) {
      this.#checkList(place, answer.text(), arrivedNanos);
    }
    if (task === undefined || response.status !== 200) {
      return;
    }
    const key = `${place} ${task.taskId}`;
    if (task.what === "results" && request.method === "GET") {
      this.pages++;
    }
    if (request.method === "DELETE" && task.what === "task") {
      this.#deleted.set(key, nowNanos);
      return;
    }
    this.#seen.add(task.taskId);
    this.#check(!this.#isGone(key, arrivedNanos), () => `${place} answered ${request.method} ${path} for a task that it had deleted`);
  }

  #isGone(key: string, arrivedNanos: number): boolean {
    const deleted = this.#deleted.get(key);
    return deleted !== undefined && deleted < arrivedNanos;
  }

  #checkList(place: string, text: string, arrivedNanos: number): void {
    for (const match of text.matchAll(/"taskId":"([^"]+)"/g)) {
      this.#check(!this.#isGone(`${place} ${match[1]}`, arrivedNanos), () => `${place} lists task ${match[1]} that it had deleted`);
    }
  }

  #check(holds: boolean, sentence: () => string): void {
    if (holds) {
      this.#verdict.held(oracle);
    } else {
      this.#verdict.violate("safety", oracle, sentence());
    }
  }
}
