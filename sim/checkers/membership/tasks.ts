/**
 * Checks of tasks:
 * - A task belongs to one incarnation of its node. Input that an earlier incarnation consumed is not available to the next one.
 * - After a node has answered a DELETE of a task, later requests never show the task, list it or serve its pages. A long poll that began
 *   earlier may still return how the task ended.
 * - Every state transition raises the task's version, so that a client which waits for a higher version, or compares versions, does not
 *   miss it.
 */
import { check, type Verdict } from "../violation.ts";
import type { Observed } from "../protocol/wire.ts";

const oracle = "deleted-tasks";
const versions = "task-versions";
/** Matches `m25 c>w1 task-update POST /v1/task/20140115_170528_00004_dk5x2.2.0`. */
const updateRequest = /^(m\d+) \S+>(\S+) task-update POST \/v1\/task\/([^/?]+)/;
const versionAndState = /"version":(\d+),"state":"([A-Z]+)"/;

export class TaskOracle {
  readonly #verdict: Verdict;
  readonly #livesOf: (place: string) => number;
  /** Time of deletion, by `place#life taskId`. */
  readonly #deleted = new Map<string, number>();
  readonly #seen = new Set<string>();
  /** Last reported version and state, by `place#life taskId`. */
  readonly #told = new Map<string, { readonly version: number; readonly state: string }>();
  /** Incarnation of the place that created a task, by `asker#life place taskId`. */
  readonly #creators = new Map<string, number>();
  /** Key of the task that an update is for, by the message's name. */
  readonly #updates = new Map<string, string>();
  /** Tasks with an update that the network delivered twice, by `asker#life place taskId`. */
  readonly #repeated = new Set<string>();
  /** Number of responses with pages. */
  pages = 0;

  /** `livesOf` returns the number of incarnations of a place. A restarted node cannot know what an earlier incarnation deleted. */
  constructor(verdict: Verdict, livesOf: (place: string) => number) {
    this.#verdict = verdict;
    this.#livesOf = livesOf;
  }

  get tasks(): number {
    return this.#seen.size;
  }

  note(place: string, kind: string, detail: string): void {
    if (kind === "request") {
      const [, message, to, taskId] = updateRequest.exec(detail) ?? [];
      if (message !== undefined) {
        this.#updates.set(message, this.#creationOf(place, to ?? "", taskId ?? ""));
      }
    } else if (kind === "duplicated") {
      const key = this.#updates.get(detail.split(" ", 1)[0] ?? "");
      if (key !== undefined) {
        this.#repeated.add(key);
      }
    }
  }

  observe(answer: Observed): void {
    const { from, to: place, path, request, response, task, arrivedNanos, nowNanos } = answer;
    if (path === "/v1/task" && response.status === 200) {
      this.#checkList(place, answer.text(), arrivedNanos);
    }
    if (task === undefined || response.status !== 200) {
      return;
    }
    const key = this.#keyOf(place, task.taskId);
    if (task.what === "results" && request.method === "GET") {
      this.pages++;
    }
    if (task.what === "task" || task.what === "status") {
      this.#checkVersion(key, answer);
    }
    if (request.method === "DELETE" && task.what === "task") {
      this.#deleted.set(key, nowNanos);
      return;
    }
    this.#seen.add(task.taskId);
    if (request.method === "POST" && task.what === "task") {
      this.#checkCreator(from, place, task.taskId);
    }
    this.#check(!this.#isGone(key, arrivedNanos), () => `${place} answered ${request.method} ${path} for a task that it had deleted`);
  }

  #checkVersion(key: string, answer: Observed): void {
    const [, digits, state] = versionAndState.exec(answer.text()) ?? [];
    if (state === undefined) {
      return;
    }
    const version = Number(digits);
    const told = this.#told.get(key);
    this.#told.set(key, { version, state });
    if (told === undefined || version > told.version || (version === told.version && state === told.state)) {
      this.#verdict.held(versions);
    } else {
      this.#verdict.violate(
        "safety",
        versions,
        `${key} was ${told.state} in version ${told.version} and is ${state} in version ${version}: who waits for a higher one misses it`,
      );
    }
  }

  /**
   * A client may submit the same query to the next incarnation of the coordinator; its tasks are different tasks with the same names. The
   * network may also deliver one request to two incarnations and lose the first response, which no client can detect. Producers then report
   * the input that the first incarnation consumed as missing.
   */
  #checkCreator(asker: string, place: string, taskId: string): void {
    const key = this.#creationOf(asker, place, taskId);
    const incarnation = this.#livesOf(place);
    const creator = this.#creators.get(key) ?? incarnation;
    this.#creators.set(key, creator);
    if (creator === incarnation || this.#repeated.has(key)) {
      this.#verdict.held("one-life");
    } else {
      this.#verdict.violate(
        "safety",
        "one-life",
        `${place} created ${taskId} in its life ${incarnation}, which life ${creator} of it had done before`,
      );
    }
  }

  #creationOf(asker: string, place: string, taskId: string): string {
    return `${asker}#${this.#livesOf(asker)} ${place} ${taskId}`;
  }

  #keyOf(place: string, taskId: string): string {
    return `${place}#${this.#livesOf(place)} ${taskId}`;
  }

  #isGone(key: string, arrivedNanos: number): boolean {
    const deleted = this.#deleted.get(key);
    return deleted !== undefined && deleted < arrivedNanos;
  }

  #checkList(place: string, text: string, arrivedNanos: number): void {
    for (const match of text.matchAll(/"taskId":"([^"]+)"/g)) {
      this.#check(
        !this.#isGone(this.#keyOf(place, match[1] ?? ""), arrivedNanos),
        () => `${place} lists task ${match[1]} that it had deleted`,
      );
    }
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#verdict, "safety", oracle, holds, sentence);
  }
}
