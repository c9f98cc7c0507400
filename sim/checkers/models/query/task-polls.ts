/**
 * Which document of a task the coordinator polls for, written from docs/configuration.md (task.info-update-interval) and docs/interface.md
 * ("Task"), by the coordinator's clock: once it has received a whole document, it polls for the small status until the interval is over,
 * and then for the whole document, neither sooner nor later. A request that failed is repeated as it was.
 *
 * Where tasks are lost, the coordinator asks their producers for their documents beside its polls, so their queries are left out.
 */
import { hasOlderNodes } from "../../../faults/registry.ts";
import { durationProperty, sliceNanosOf } from "../../../properties.ts";
import { nanosPerMs } from "../../../world/world.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

const poll = /^m\d+ \S+ task-(status|info) (\S+)(?: (\/v1\/task\/([^/ ?]+)))?/;
/** Timers are exact; an answer waits for the slice of work that is under way. */
const exactNanos = 50 * nanosPerMs;
/** A clock that a fault drives may be a fifth slower or faster. */
const clockShare = 0.7;

interface Polled {
  /** When the last whole document came, by the coordinator's clock. */
  readonly infoNanos: number;
  /** The last poll was answered, so that the next one is chosen anew. */
  readonly isFree: boolean;
}

class TaskPolls implements Model {
  readonly notes = ["request", "answer", "network-error", "start", "log-info", "point"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #intervalNanos: number;
  readonly #slackNanos: number;
  /** The status of a worker does not say all, so that the coordinator asks for the whole document. */
  readonly #hasOlder: boolean;
  readonly #tasks = new Map<string, Polled>();
  /** Tasks of requests under way. */
  readonly #open = new Map<string, string>();
  readonly #unclear = new Set<string>();
  #isForced = false;

  constructor(context: Judged) {
    const { plan } = context;
    this.#context = context;
    this.#hasOlder = hasOlderNodes(plan.faults);
    this.#coordinator = plan.coordinator.name;
    this.#intervalNanos = durationProperty(plan.properties, "task.info-update-interval") * nanosPerMs;
    this.#slackNanos = exactNanos + sliceNanosOf(plan);
  }

  note({ place, kind, detail }: Note): void {
    if (place !== this.#coordinator) {
      return;
    }
    if (kind === "start") {
      this.#tasks.clear();
      this.#open.clear();
    } else if (kind === "point") {
      this.#isForced ||= detail === "task-info-instead-of-status";
    } else if (kind === "log-info") {
      const [, queryId] = /^task-lost .*"queryId":"([^"]+)"/.exec(detail) ?? [];
      if (queryId !== undefined) {
        this.#unclear.add(queryId);
      }
    } else {
      const [message, what = "", outcome = "", , taskId] = poll.exec(detail) ?? [];
      if (message !== undefined && kind === "request") {
        this.#sent(detail.slice(0, detail.indexOf(" ")), what, taskId ?? "");
      } else if (message !== undefined) {
        this.#ended(detail.slice(0, detail.indexOf(" ")), what, kind === "answer" && outcome === "200");
      }
    }
  }

  #sent(message: string, what: string, taskId: string): void {
    this.#open.set(message, taskId);
    const known = this.#tasks.get(taskId);
    const isForced = this.#isForced;
    this.#isForced = false;
    if (known?.isFree !== true) {
      return;
    }
    this.#tasks.set(taskId, { ...known, isFree: false });
    const since = this.#context.localNanos(this.#coordinator) - known.infoNanos;
    if (this.#unclear.has(taskId.split(".", 1)[0] ?? "") || isForced) {
      return;
    }
    const { facts } = this.#context;
    const [least, most] = facts.struck("clock-drift") ? [clockShare, 1 / clockShare] : [1, 1];
    const said = `${(since / nanosPerMs).toFixed(0)} ms after its last whole document, of an interval of ${this.#intervalNanos / nanosPerMs} ms`;
    if (what === "info") {
      this.#context.check(
        this.#hasOlder || since >= this.#intervalNanos * least - this.#slackNanos,
        () => `${taskId} is polled for its whole document ${said}`,
      );
    } else {
      this.#context.check(since <= this.#intervalNanos * most + this.#slackNanos, () => `${taskId} is polled for its status alone ${said}`);
    }
  }

  #ended(message: string, what: string, isAnswered: boolean): void {
    const taskId = this.#open.get(message);
    this.#open.delete(message);
    const known = taskId === undefined ? undefined : this.#tasks.get(taskId);
    if (taskId === undefined || !isAnswered) {
      return;
    }
    if (what === "info") {
      this.#tasks.set(taskId, { infoNanos: this.#context.localNanos(this.#coordinator), isFree: true });
    } else if (known !== undefined) {
      this.#tasks.set(taskId, { ...known, isFree: true });
    }
  }
}

export const taskPolls: ModelKind = {
  invariant: {
    name: "task-polls",
    sentence: "The coordinator polls for the status of a task, and once in the interval for the whole document, neither sooner nor later.",
    kind: "safety",
    checkedIn: "checkers/models/query/task-polls.ts",
  },
  create: (context) => new TaskPolls(context),
};
