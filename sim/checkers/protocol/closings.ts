/**
 * Closing of inputs: when a task has ended, in any way, it has closed every source that it read from, whether it read to the end or stopped
 * early. A source that is not closed keeps its pages and continues to produce. Observed on the wire, at the reader.
 */
import { readBody } from "./bodies.ts";
import { nanosPerSecond } from "../../world/world.ts";
import type { Facts } from "../facts.ts";
import type { Verdict } from "../violation.ts";
import type { Observed } from "./wire.ts";

const oracle = "closings";
const locationPattern = /"location":"(http:\/\/[^"]+\/results\/\d+)"/g;
const replacedPattern = /"from":"(http:\/\/[^"]+\/results\/\d+)","to":"(http:\/\/[^"]+\/results\/\d+)"/g;
const exchanged = /^m\d+ \S+ exchange-(fetch|close) \S+ (\/v1\/task\/[^/]+\/results\/\d+)/;
/** Time within which a running slice ends. */
const closedNanos = 2 * nanosPerSecond;

interface Ended {
  readonly place: string;
  readonly incarnation: number;
  readonly taskId: string;
  readonly nanos: number;
}

export class ClosingOracle {
  readonly #verdict: Verdict;
  readonly #facts: Facts;
  /** Paths of the buffers that `place#incarnation taskId` reads. */
  readonly #inputs = new Map<string, Set<string>>();
  /** Paths of buffers by `place#life`: those that were read, and those that were closed. */
  readonly #fetched = new Map<string, Set<string>>();
  readonly #closed = new Map<string, Set<string>>();
  readonly #seen = new Set<string>();
  /** Tasks that are run again when they are lost. */
  readonly #retried = new Set<string>();
  #ended: Ended[] = [];

  constructor(verdict: Verdict, facts: Facts) {
    this.#verdict = verdict;
    this.#facts = facts;
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string): void {
    const match = kind === "request" ? exchanged.exec(detail) : null;
    if (match !== null) {
      const sets = match[1] === "fetch" ? this.#fetched : this.#closed;
      add(sets, `${place}#${this.#facts.livesOf(place)}`, match[2] ?? "");
    } else if (kind === "crash" || kind === "stopped") {
      this.#ended = this.#ended.filter((one) => one.place !== place);
    }
  }

  observe(answer: Observed): void {
    const { to, request, response, task, nowNanos } = answer;
    this.#check(nowNanos);
    if (response.status !== 200 || (task?.what !== "task" && task?.what !== "status")) {
      return;
    }
    const incarnation = this.#facts.livesOf(to);
    const key = `${to}#${incarnation} ${task.taskId}`;
    if (request.method === "POST") {
      const text = readBody(request.body).text();
      for (const [, location = ""] of text.matchAll(locationPattern)) {
        add(this.#inputs, key, pathOf(location));
      }
      for (const [, from = "", to = ""] of text.matchAll(replacedPattern)) {
        // The former run of a source is ended by the coordinator.
        this.#inputs.get(key)?.delete(pathOf(from));
        add(this.#inputs, key, pathOf(to));
      }
      if (text.includes('"retryPolicy":"TASK"')) {
        this.#retried.add(key);
      }
    }
    const end = /"version":\d+,"state":"(FINISHED|CANCELED|ABORTED|FAILED)"/.exec(answer.text())?.[1];
    // The next run of a task reads what this one had still to read when it failed.
    const leavesInputs = this.#retried.has(key) && (end === "FAILED" || end === "ABORTED");
    if (this.#inputs.has(key) && !this.#seen.has(key) && end !== undefined && !leavesInputs) {
      this.#seen.add(key);
      this.#ended.push({ place: to, incarnation, taskId: task.taskId, nanos: nowNanos });
    }
  }

  #check(nowNanos: number): void {
    while (nowNanos - (this.#ended[0]?.nanos ?? nowNanos) > closedNanos) {
      const { place, incarnation, taskId, nanos } = this.#ended.shift() as Ended;
      if (this.#facts.hitSince(place, nanos)) {
        continue;
      }
      const [fetched, closed] = [this.#fetched.get(`${place}#${incarnation}`), this.#closed.get(`${place}#${incarnation}`)];
      for (const path of this.#inputs.get(`${place}#${incarnation} ${taskId}`) ?? []) {
        if (fetched?.has(path) !== true || closed?.has(path) === true) {
          this.#verdict.held(oracle);
        } else {
          this.#verdict.violate("leak", oracle, `${taskId} on ${place} has ended, and has not told ${path} that it reads no more of it`);
        }
      }
    }
  }
}

function pathOf(location: string): string {
  return location.replace(/^http:\/\/[^/]+/, "");
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) {
    sets.set(key, new Set([value]));
  } else {
    set.add(value);
  }
}
