/**
 * Requests of a node that are under way at the same time, written from docs/interface.md ("Task", "Node") and the published protocol
 * (a client of a task has one request of a kind, and asks for the next page when it has been given the last):
 * - At most one request is under way for one purpose: the next page of a buffer, its close, the status, document, update, splits or
 *   deletion of a task, the wait of a worker at the coordinator. Heartbeats, announcements, lists of services and calls of catalogs
 *   have rules of their own.
 * - A reader that closes a buffer gives up its request for pages, and asks for no other page.
 * - A coordinator that deletes a task gives up its poll for the task's status, and sends no other request about it.
 *
 * Where a task of a query has run again, a node may have two readers of one buffer.
 */
import { sliceNanosOf } from "../../properties.ts";
import { nanosPerMs } from "../../world/world.ts";
import type { Judged, Model, ModelKind, Note } from "./model.ts";

/** Several at a time are right: statements that another cluster runs are submitted at one address, too. */
const several = /^(?:announcement|heartbeat|services|catalog-\S*|withdrawal|buffer-delete|segment-\S*|statement-submit)$/;
/** In which a node is told that its request has been given up, after the work of its event. A node that a fault stops is told later. */
const abortNanos = 50 * nanosPerMs;
const node = /^[cw]\d*$/;
/** Requests about a task, of its coordinator. */
const aboutTask = /^task-(?:update|splits|sources|filters|status|info)$/;

interface Open {
  readonly place: string;
  readonly purpose: string;
  readonly sentNanos: number;
  /** Why it should end at this time. */
  dueNanos?: number;
  why?: string;
}

class RequestsUnderWay implements Model {
  readonly notes = ["request", "answer", "network-error", "start"];
  readonly #context: Judged;
  readonly #abortNanos: number;
  /** Requests under way, by message, and the message of each purpose. */
  readonly #open = new Map<string, Open>();
  readonly #ofPurpose = new Map<string, string>();
  /** Buffers that were closed and tasks that were deleted, by `link path`, of the present lives of their requesters. */
  readonly #over = new Set<string>();
  /** Messages that have to end in the present event. */
  readonly #due = new Set<string>();

  constructor(context: Judged) {
    const { plan } = context;
    this.#context = context;
    this.#abortNanos = abortNanos + sliceNanosOf(plan);
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (!node.test(place)) {
      return;
    }
    if (kind === "start") {
      this.#starts(place);
      return;
    }
    const [message = "", link = "", label = "", method = "", path = ""] = detail.split(" ", 5);
    if (kind === "request") {
      this.#judgeDue(nowNanos);
      this.#sent(place, { message, link, label, method, path, nowNanos });
    } else {
      this.#ended(message);
    }
  }

  look(): void {
    this.#judgeDue(this.#context.nowNanos());
  }

  end(): void {
    this.#judgeDue(Number.POSITIVE_INFINITY);
  }

  /** Another life of the node knows nothing of the requests of the one before. */
  #starts(place: string): void {
    for (const [message, open] of this.#open) {
      if (open.place === place) {
        this.#ended(message);
      }
    }
    for (const key of this.#over) {
      if (key.startsWith(`${place}>`)) {
        this.#over.delete(key);
      }
    }
  }

  #sent(place: string, { message, link, label, method, path, nowNanos }: Sent): void {
    const isFetch = label === "exchange-fetch";
    const hasReaders = label.startsWith("exchange-") && this.#context.facts.hasReruns(path.split("/")[3] ?? "");
    if (several.test(label) || hasReaders) {
      return;
    }
    const target = isFetch ? path.slice(0, path.lastIndexOf("/")) : path.replace(/\?.*$/, "");
    const purpose = `${link} ${label} ${method} ${target}`;
    const former = this.#ofPurpose.get(purpose);
    // Beside its poll for the document the coordinator asks once whether a producer still has what a lost reader needs.
    const isQuestion = label === "task-info" && former !== undefined && this.#open.get(former)?.sentNanos !== nowNanos;
    this.#context.check(
      former === undefined || isQuestion,
      () => `${place} sends ${message} ${label} ${method} ${target} while ${String(former)}, for the same, is under way`,
    );
    this.#open.set(message, { place, purpose, sentNanos: nowNanos });
    this.#ofPurpose.set(purpose, message);
    if (isFetch) {
      this.#context.check(!this.#over.has(`${link} ${target}`), () => `${place} asks for ${path} after it has closed the buffer`);
    } else if (label === "exchange-close") {
      this.#isOver(link, target, nowNanos, `${link} exchange-fetch GET ${target}`);
    } else if (label === "task-delete") {
      this.#isOver(link, target, nowNanos, `${link} task-status GET ${target}/status`);
    } else if (aboutTask.test(label)) {
      const task = target.replace(/\/status$/, "");
      this.#context.check(!this.#over.has(`${link} ${task}`), () => `${place} sends ${label} ${method} ${path} after the task's deletion`);
    }
  }

  /** The poll for this purpose has to end at once. */
  #isOver(link: string, target: string, nowNanos: number, poll: string): void {
    this.#over.add(`${link} ${target}`);
    const message = this.#ofPurpose.get(poll);
    const open = message === undefined ? undefined : this.#open.get(message);
    if (message !== undefined && open !== undefined) {
      open.dueNanos = nowNanos;
      open.why = target;
      this.#due.add(message);
    }
  }

  #judgeDue(nowNanos: number): void {
    for (const message of this.#due) {
      const { place, purpose, dueNanos = nowNanos, why = "" } = this.#open.get(message) as Open;
      if (nowNanos > dueNanos + this.#abortNanos) {
        this.#due.delete(message);
        this.#context.check(
          this.#context.facts.hitSince(place, dueNanos),
          () => `${place} has sent the last request for ${why}, and ${message}, ${purpose}, is still under way`,
        );
      }
    }
  }

  #ended(message: string): void {
    const open = this.#open.get(message);
    if (open !== undefined) {
      this.#open.delete(message);
      this.#due.delete(message);
      if (this.#ofPurpose.get(open.purpose) === message) {
        this.#ofPurpose.delete(open.purpose);
      }
    }
  }
}

interface Sent {
  readonly message: string;
  readonly link: string;
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly nowNanos: number;
}

export const requestsUnderWay: ModelKind = {
  invariant: {
    name: "requests-under-way",
    sentence:
      "A node has one request under way for one purpose; when it closes a buffer or deletes a task it gives up its poll, and asks nothing more.",
    kind: "safety",
    checkedIn: "checkers/models/requests-under-way.ts",
  },
  create: (context) => new RequestsUnderWay(context),
};
