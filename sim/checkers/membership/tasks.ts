/**
 * A task belongs to one life of its node: what a former life took of its input is not there for the next one.
 * Deleted tasks are gone: to a request that arrives after a node has answered a DELETE of a task, the node never again shows it, lists it or
 * serves its pages. A long poll that was there before may still be told how the task ended.
 * Whatever changes a task's state raises its version: who waits for a higher one is told of the change, and who compares versions does not miss it.
 */
import { check, type Verdict } from "../violation.ts";
import type { Observed } from "../protocol/wire.ts";

const oracle = "deleted-tasks";
const versions = "task-versions";
/** `m25 c>w1 task-update POST /v1/task/20140115_170528_00004_dk5x2.2.0` */
const updateRequest = /^(m\d+) \S+>(\S+) task-update POST \/v1\/task\/([^/?]+)/;
const versionAndState = /"version":(\d+),"state":"([A-Z]+)"/;

export class TaskOracle {
  readonly #verdict: Verdict;
  readonly #livesOf: (place: string) => number;
  /** When `place#life taskId` was deleted. */
  readonly #deleted = new Map<string, number>();
  readonly #seen = new Set<string>();
  /** The last that `place#life taskId` has told. */
  readonly #told = new Map<string, { readonly version: number; readonly state: string }>();
  /** Which life of a place has created a task, by `asker#life place taskId`. */
  readonly #creators = new Map<string, number>();
  /** The task that an update is for, by the message's name. */
  readonly #updates = new Map<string, string>();
  /** Tasks of which one update was given to a place twice, by `asker#life place taskId`. */
  readonly #repeated = new Set<string>();
  /** Frames served, by answers with pages. */
  pages = 0;

  /** `livesOf`: how often a place has been started. A node that was started anew cannot know what its former life deleted. */
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
   * A client may give the same query to the next life of the coordinator: its tasks are others of the same names. Where the network gives one request to two lives, and loses
   * the answer of the first, nobody can know; what the first took of its input is then missed by its producers, which say so.
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
