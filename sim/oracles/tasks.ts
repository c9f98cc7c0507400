/**
 * Deleted tasks are gone: to a request that arrives after a node has answered a DELETE of a task, the node never again shows it, lists it or
 * serves its pages. A long poll that was there before may still be told how the task ended.
 */
import type { HttpRequest, HttpResponse } from "../../src/ports/network.ts";
import { decodeUtf8 } from "../../src/types/utf8.ts";
import type { Verdict } from "./violation.ts";

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

  observe(
    place: string,
    request: HttpRequest,
    response: HttpResponse,
    times: { readonly arrivedNanos: number; readonly nowNanos: number },
  ): void {
    const path = request.url.split("?")[0] ?? "";
    if (!path.startsWith("/v1/task")) {
      return;
    }
    const parts = path.split("/");
    const taskId = parts[3];
    if (taskId === undefined || taskId === "") {
      if (response.status === 200) {
        this.#checkList(place, decodeUtf8(response.body), times.arrivedNanos);
      }
      return;
    }
    const key = `${place} ${taskId}`;
    if (parts[4] === "results" && request.method === "GET" && response.status === 200) {
      this.pages++;
    }
    if (request.method === "DELETE" && parts.length === 4 && response.status === 200) {
      this.#deleted.set(key, times.nowNanos);
      return;
    }
    if (response.status === 200) {
      this.#seen.add(taskId);
      this.#check(!this.#isGone(key, times.arrivedNanos), `${place} answered ${request.method} ${path} for a task that it had deleted`);
    }
  }

  #isGone(key: string, arrivedNanos: number): boolean {
    const deleted = this.#deleted.get(key);
    return deleted !== undefined && deleted < arrivedNanos;
  }

  #checkList(place: string, text: string, arrivedNanos: number): void {
    for (const match of text.matchAll(/"taskId":"([^"]+)"/g)) {
      this.#check(!this.#isGone(`${place} ${match[1]}`, arrivedNanos), `${place} lists task ${match[1]} that it had deleted`);
    }
  }

  #check(holds: boolean, sentence: string): void {
    if (holds) {
      this.#verdict.held(oracle);
    } else {
      this.#verdict.violate("safety", oracle, sentence);
    }
  }
}
