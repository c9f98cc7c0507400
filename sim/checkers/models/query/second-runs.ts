/**
 * Second runs of stragglers, written from docs/deployment.md (Stragglers) and decision 136:
 * - A task gets one only if it is asked for, reads no other task and writes nothing; it has one at a time, on another worker.
 * - The second run takes the place of the first one only when it has all its output.
 * - The run that is not kept is deleted: the first one when the second takes its place, the second one when the first has its output. A
 *   deletion that overtook the request that creates the task would not delete it, so it follows the fate of that request.
 */
import { runsStragglersTwice } from "../../../properties.ts";
import { nanosPerMs } from "../../../world/world.ts";
import { readBody } from "../../protocol/bodies.ts";
import type { Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

/** A task that is deleted late by a fault point, and the rest before the next poll tells of the output. */
const deletedNanos = 2_000 * nanosPerMs;

interface Pair {
  readonly first: string;
  readonly second: string;
  /** The loser, since the coordinator's local time at which it should have been deleted. */
  loser: string | undefined;
  sinceNanos: number;
  /** The coordinator has said so. Otherwise the worker has, and its answer may be lost. */
  isSaid: boolean;
}

class SecondRuns implements Model {
  readonly notes = ["start", "request", "answer", "network-error", "log-info"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #isOn: boolean;
  /** Open pairs by the first run. */
  readonly #pairs = new Map<string, Pair>();
  /** Tasks that have told of it. */
  readonly #hasOutput = new Set<string>();
  /** Tasks whose creation has been neither answered nor given up, by the message. */
  readonly #creations = new Map<string, string>();
  /** Tasks whose creation was not refused each time. */
  readonly #mayExist = new Set<string>();
  /** Place of each task. */
  readonly #workers = new Map<string, string>();

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
    this.#isOn = runsStragglersTwice(context.plan.properties);
  }

  note({ place, kind, detail }: Note): void {
    if (place !== this.#coordinator) {
      return;
    }
    if (kind === "start") {
      this.#pairs.clear();
      this.#hasOutput.clear();
      this.#creations.clear();
    } else if (kind === "request") {
      this.#requested(detail);
    } else if (kind === "log-info") {
      this.#told(detail);
    } else {
      this.#created(detail);
    }
  }

  observe({ request, response, task, text, to }: Observed): void {
    if (!this.#isOn || task === undefined || response.status !== 200) {
      return;
    }
    const { taskId } = task;
    if (task.what === "task" && request.method === "POST") {
      this.#workers.set(taskId, to);
      this.#mayExist.add(taskId);
    }
    const pair = [...this.#pairs.values()].find(({ second }) => second === taskId);
    if (pair !== undefined && task.what === "task" && request.method === "POST") {
      const body = readBody(request.body).text();
      this.#context.check(!/"kind":"(?:TableWriter|TableFinish)"/.test(body), () => `${taskId} is a second run of a task that writes`);
      this.#context.check(!body.includes('"kind":"RemoteSource"'), () => `${taskId} is a second run of a task that reads other tasks`);
      this.#context.check(this.#workers.get(pair.first) !== to, () => `${taskId} runs beside ${pair.first} on the same worker, ${to}`);
    }
    if ((task.what === "task" || task.what === "status") && /"state":"(?:FLUSHING|FINISHED)"/.test(text())) {
      this.#hasOutput.add(taskId);
      const beside = this.#pairs.get(taskId);
      if (beside !== undefined && request.method === "GET") {
        this.#lost(beside, beside.second, false);
      }
    }
  }

  look(): void {
    const nowNanos = this.#context.localNanos(this.#coordinator);
    const creating = new Set(this.#creations.values());
    for (const [first, pair] of this.#pairs) {
      if (pair.loser !== undefined && !creating.has(pair.loser) && nowNanos - pair.sinceNanos > deletedNanos) {
        this.#pairs.delete(first);
        this.#context.check(
          this.#isExcused(pair, this.#context.nowNanos() - 2 * (nowNanos - pair.sinceNanos)),
          () => `${pair.loser ?? ""} is not deleted, although the other run of its task was kept`,
        );
      }
    }
  }

  /** The coordinator is late, has not heard of the output, or knows that nothing is left to delete. */
  #isExcused({ first, isSaid, loser = "" }: Pair, sinceNanos: number): boolean {
    const { facts, node } = this.#context;
    const [place, told] = [this.#workers.get(loser), this.#workers.get(first)];
    const isGone = place !== undefined && node(this.#coordinator)?.cluster?.isGone(`http://${place}:8080`) === true;
    const mayBeLost = !isSaid && (told === undefined || facts.troubledSince(this.#coordinator, told, sinceNanos));
    return !this.#mayExist.has(loser) || isGone || mayBeLost || facts.hitSince(this.#coordinator, sinceNanos);
  }

  #told(detail: string): void {
    const [, event = "", fields = ""] = /^(task-runs-again|task-replaced) (\{.*\})$/.exec(detail) ?? [];
    if (event === "") {
      return;
    }
    const { former, speculative, taskId } = JSON.parse(fields) as {
      readonly former: string;
      readonly speculative?: boolean;
      readonly taskId: string;
    };
    if (event === "task-replaced") {
      const pair = this.#pairs.get(former);
      this.#context.check(pair?.second === taskId, () => `${taskId} takes the place of ${former}, and is not its second run`);
      this.#context.check(this.#hasOutput.has(taskId), () => `${taskId} takes the place of ${former} before it has all its output`);
      if (pair !== undefined) {
        this.#lost(pair, former, true);
      }
    } else if (speculative === true) {
      this.#context.check(this.#isOn, () => `${taskId} is a second run, and nobody has asked for any`);
      this.#context.check(!this.#pairs.has(former), () => `${former} gets a second run, ${taskId}, and has one`);
      this.#pairs.set(former, { first: former, second: taskId, loser: undefined, sinceNanos: 0, isSaid: false });
    }
  }

  #lost(pair: Pair, loser: string, isSaid: boolean): void {
    if (pair.loser === undefined) {
      pair.loser = loser;
      pair.sinceNanos = this.#context.localNanos(this.#coordinator);
      pair.isSaid = isSaid;
    }
  }

  /** A creation is over: from now on there is something to delete. */
  #created(detail: string): void {
    const message = detail.slice(0, detail.indexOf(" "));
    const taskId = this.#creations.get(message);
    if (taskId === undefined) {
      return;
    }
    this.#creations.delete(message);
    if (!detail.endsWith(" CONNECTION_REFUSED")) {
      this.#mayExist.add(taskId);
    }
    for (const pair of this.#pairs.values()) {
      if (pair.loser === taskId) {
        pair.sinceNanos = this.#context.localNanos(this.#coordinator);
      }
    }
  }

  #requested(detail: string): void {
    const [, message, created] = /^(m\d+) .* task-update POST \/v1\/task\/([^?]+)/.exec(detail) ?? [];
    if (message !== undefined && created !== undefined) {
      this.#creations.set(message, created);
    }
    const [, deleted] = / task-delete DELETE \/v1\/task\/([^?]+)/.exec(detail) ?? [];
    if (deleted === undefined) {
      return;
    }
    for (const [first, pair] of this.#pairs) {
      // If none was kept, the query is over, and the other one is deleted too.
      if (deleted === pair.loser || (pair.loser === undefined && (deleted === pair.first || deleted === pair.second))) {
        this.#pairs.delete(first);
      }
    }
  }
}

export const secondRuns: ModelKind = {
  invariant: {
    name: "second-runs",
    sentence:
      "A straggler has at most one second run, on another worker, and only if it reads no other task and writes nothing; the second run is kept only with all its output, and the run that is not kept is deleted.",
    kind: "safety",
    checkedIn: "checkers/models/query/second-runs.ts",
  },
  create: (context) => new SecondRuns(context),
};
