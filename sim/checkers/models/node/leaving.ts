/**
 * A node that leaves, and what it writes while it lives. Written from docs/interface.md (Overload and shutdown), docs/operations.md
 * (Shutting down), decision 42 and src/ports/storage.ts:
 * - A node that has refused a task because it is shutting down creates none any more. One that has withdrawn its announcement does not
 *   announce itself again.
 * - Changes of one file follow each other, because the storage orders nothing: no write, removal or sync of a path begins while another one
 *   of that path has not ended.
 * - A line of the query history has its detail: there is no file of lines without a file of details.
 */
import type { Observed } from "../../protocol/wire.ts";
import { headerOf } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

/** One in this many looks is at the coordinator's files. */
const lookEvery = 8;
const history = /^(.*)\.index$/;

class LeavingModel implements Model {
  readonly notes = ["request", "start", "disk-overlap"];
  readonly #context: Judged;
  /** Tasks that the current life of a place has created and not deleted, as `place task`. */
  readonly #tasks = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #withdrawn = new Set<string>();
  #looks = 0;

  constructor(context: Judged) {
    this.#context = context;
  }

  note({ place, kind, detail }: Note): void {
    if (kind === "start") {
      this.#refused.delete(place);
      this.#withdrawn.delete(place);
      for (const key of this.#tasks) {
        if (key.startsWith(`${place} `)) {
          this.#tasks.delete(key);
        }
      }
    } else if (kind === "disk-overlap") {
      this.#check(false, () => `${place} begins ${detail}`);
    } else if (detail.includes(" withdrawal ")) {
      this.#withdrawn.add(place);
    } else if (detail.includes(" announcement ")) {
      this.#check(!this.#withdrawn.has(place), () => `${place} announces itself, and had withdrawn its announcement`);
    }
  }

  observe({ task, to, request, response }: Observed): void {
    if (task?.what !== "task") {
      return;
    }
    const key = `${to} ${task.taskId}`;
    if (request.method === "DELETE") {
      this.#tasks.delete(key);
    } else if (request.method === "POST" && response.status === 200) {
      this.#check(
        !this.#refused.has(to) || this.#tasks.has(key),
        () => `${to} creates ${task.taskId}, and had refused a task because it is shutting down`,
      );
      this.#tasks.add(key);
    } else if (response.status === 503 && headerOf(response.headers, "x-engine-node-state") === "SHUTTING_DOWN") {
      this.#refused.add(to);
    }
  }

  look(): void {
    if (this.#looks++ % lookEvery !== 0) {
      return;
    }
    const { plan, files } = this.#context;
    const { name } = plan.coordinator;
    const paths = new Set(files(name));
    for (const path of paths) {
      const [, segment] = history.exec(path) ?? [];
      if (segment !== undefined) {
        this.#check(paths.has(`${segment}.detail`), () => `${name} has the lines ${path} of its history and not their details`);
      }
    }
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

export const leaving: ModelKind = {
  invariant: {
    name: "leaving",
    sentence:
      "A node that shuts down creates no task after it has refused one, and does not announce itself after a withdrawal; changes of one file follow each other, and lines of the history have their details.",
    kind: "safety",
    checkedIn: "checkers/models/node/leaving.ts",
  },
  create: (context) => new LeavingModel(context),
};
