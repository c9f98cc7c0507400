/**
 * Model of retries. Written from the published rules of Presto's back-off (requests between nodes: after k consecutive failures a pause of
 * 0, 50, 100, 200 or 500 ms from the last failure; permanent after at least three failures that last for the configured time; a success
 * clears everything; 503 counts as a failure; announcements after 1 ms to 1 s), from docs/configuration.md (query.remote-task.max-error-
 * duration: how long requests to a worker may fail before the query fails; discovery.announce-interval), and from docs/interface.md (503
 * with Retry-After). The published list does not say whether its first pause, 0, precedes the first or the second attempt: an exchange
 * repeats at once, other requests after 50 ms. A submission without an id of its own is not idempotent and is never repeated blindly.
 */
import { durationProperty } from "../../properties.ts";
import { nanosPerMs, nanosPerSecond } from "../../world/world.ts";
import { headerOf } from "../protocol/wire.ts";
import type { ClientAnswer, Judged, Model, ModelKind, Note, Transition } from "./model.ts";

interface Rule {
  /** Least pause after k failures, in milliseconds; the last one holds for all later ones. */
  readonly leastMs: readonly number[];
  /** Most, unless the asker has a reason to wait. */
  readonly mostMs: number;
  /** How much later a node that computes asks. */
  readonly lateMs?: number;
  /** Property with the time that failures may last. */
  readonly lasts?: "exchange.max-error-duration" | "query.remote-task.max-error-duration";
  /** Fault point that repeats at once. */
  readonly hurries?: "exchange-retries-at-once" | "task-retries-at-once";
  /** Whether the query of the task must fail with the request. */
  readonly failsQuery?: true;
}

const backoffMs = [0, 50, 100, 200, 500];
const waitsForever = Number.POSITIVE_INFINITY;
const exchange: Rule = {
  leastMs: backoffMs,
  // A full buffer or a slow reader is a reason to ask later.
  mostMs: waitsForever,
  lasts: "exchange.max-error-duration",
  hurries: "exchange-retries-at-once",
};
const deletion: Rule = {
  leastMs: backoffMs.slice(1),
  mostMs: 500,
  lasts: "query.remote-task.max-error-duration",
  hurries: "task-retries-at-once",
};
const task: Rule = { ...deletion, failsQuery: true };
const rules: Readonly<Record<string, Rule>> = {
  "exchange-fetch": exchange,
  "exchange-close": exchange,
  "task-update": task,
  "task-splits": task,
  "task-status": task,
  "task-delete": deletion,
  // A node announces a change of itself at once, which looks like a repetition.
  announcement: { leastMs: [0, 0, 1], mostMs: 1_000, lateMs: 1_000 },
};
const failuresMin = 3;
/** The clock may change its speed during a pause. */
const clockShareMin = 0.7;
/** A node that computes or is slow asks later. */
const usuallyLateMs = 3_000;
const toldNanos = 2 * nanosPerSecond;
/** Outcomes after which a submission has certainly not been executed. */
const untouched = /^(?:CONNECTION_REFUSED|HOST_UNREACHABLE|503|429)$/;

/** Consecutive failures of one request, in times of the asker's clock. */
interface Row {
  count: number;
  firstNanos: number;
  lastNanos: number;
  /** World's time of the last failure. */
  atNanos: number;
  inFlight: number;
}

class Retry implements Model {
  readonly notes = ["request", "answer", "network-error", "point", "start", "submit", "log-info"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #users: ReadonlySet<string>;
  readonly #rows = new Map<string, Row>();
  /** Request in flight: `m17` to its key. */
  readonly #asked = new Map<string, { readonly key: string; readonly label: string }>();
  /** Last time at which a fault point made a place repeat at once. */
  readonly #hurried = new Map<string, number>();
  /** Stages with a task whose requests have failed for good, with the time of the coordinator's clock. */
  readonly #doomed = new Map<string, number>();
  readonly #ended = new Set<string>();
  /** Outcome of each user's submission without an id, since the statement began. */
  readonly #submitted = new Map<string, string>();
  /** Time before which a client is told not to ask again, by `user path`. */
  readonly #notBefore = new Map<string, number>();
  /** Time of the last answer to a copy of a request that the simulator sends beside a client: the client does not see it. */
  readonly #copyAnswered = new Map<string, number>();

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
    this.#users = new Set(context.plan.users.map(({ name }) => name));
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (kind === "start") {
      this.#forget(place);
    } else if (kind === "point") {
      this.#hurried.set(`${place} ${detail}`, nowNanos);
    } else if (kind === "submit") {
      this.#submitted.delete(place);
      // Another statement is another request: Retry-After delays the repetition of the one that it answers.
      this.#notBefore.delete(`${place} POST /v1/statement`);
    } else if (kind === "log-info") {
      // The task of a request that has failed for good runs again.
      this.#doomed.delete(/^task-lost \{"taskId":"(\S+\.\d+)\.\d+"/.exec(detail)?.[1] ?? "");
      const rerunOf = /^tasks-run-again \{"queryId":"([^"]+)"/.exec(detail)?.[1];
      if (rerunOf !== undefined) {
        // Other runs of its tasks ask for the same buffers.
        this.#forgetAll((key) => key.includes(" exchange-") && key.includes(rerunOf));
      }
      if (detail.startsWith("shutdown-started")) {
        // The announcement that tells of it repeats none.
        this.#rows.delete(`${place}>${this.#coordinator} announcement `);
      }
    } else {
      const [id = "", link = "", label = "", outcome = "", url = ""] = detail.split(" ", 5);
      if (kind === "request") {
        this.#request({ place, nowNanos }, { id, link, label, method: outcome, path: url.split("?", 1)[0] ?? "" });
      } else {
        if (label.endsWith("-again")) {
          this.#copyAnswered.set(place, nowNanos);
        }
        this.#outcome({ place, nowNanos }, id, outcome);
      }
    }
  }

  observeTransition({ kind, id, to }: Transition): void {
    // A query can do without a stage that has ended or was cancelled.
    if ((kind === "query" || kind === "stage") && /^(?:FINISHED|FAILED|CANCELED|ABORTED)$/.test(to)) {
      this.#ended.add(id);
      for (const stage of this.#doomed.keys()) {
        if (stage === id || stage.startsWith(`${id}.`)) {
          this.#doomed.delete(stage);
        }
      }
    }
  }

  observe(): void {
    for (const [id, sinceNanos] of this.#doomed) {
      const lateNanos = this.#context.localNanos(this.#coordinator) - sinceNanos;
      const holds = lateNanos <= toldNanos || this.#context.facts.hitSince(this.#coordinator, 0);
      this.#context.check(
        holds,
        () => `${id.split(".", 1)[0] ?? ""} goes on although requests to a task of its stage ${id} have failed for good`,
        "liveness",
      );
      if (lateNanos > toldNanos) {
        this.#doomed.delete(id);
      }
    }
  }

  observeClient({ user, request, response, nowNanos }: ClientAnswer): void {
    const seconds = response.status === 503 ? Number(headerOf(response.headers, "retry-after") ?? 0) : 0;
    if (seconds > 0 && this.#copyAnswered.get(user) !== nowNanos) {
      const path = request.url.replace(/^http:\/\/[^/]+/, "").split("?", 1)[0] ?? "";
      this.#notBefore.set(`${user} ${request.method} ${path}`, nowNanos + seconds * nanosPerSecond);
    }
  }

  #request(
    { place, nowNanos }: Pick<Note, "place" | "nowNanos">,
    { id, link, label, method, path }: Readonly<Record<"id" | "link" | "label" | "method" | "path", string>>,
  ): void {
    if (this.#users.has(place)) {
      this.#clientRequest({ place, nowNanos }, { id, label, method, path });
      return;
    }
    const rule = rules[label];
    if (rule === undefined) {
      return;
    }
    const key = `${link} ${label} ${targetOf(label, path)}`;
    this.#asked.set(id, { key, label });
    const row = this.#rows.get(key);
    if (row === undefined) {
      this.#rows.set(key, { count: 0, firstNanos: 0, lastNanos: 0, atNanos: 0, inFlight: 1 });
      return;
    }
    row.inFlight++;
    // A second request beside the first one is no repetition: a buffer is closed, or a point repeats.
    if (row.count > 0 && row.inFlight === 1) {
      this.#checkPause(key, rule, row, place);
      this.#checkEnd(key, rule, row);
    }
  }

  #checkPause(
    key: string,
    { leastMs, mostMs, hurries, lateMs = usuallyLateMs }: Rule,
    { count, lastNanos, atNanos }: Row,
    place: string,
  ): void {
    const pauseMs = (this.#context.localNanos(place) - lastNanos) / nanosPerMs;
    const wanted = leastMs[Math.min(count, leastMs.length) - 1] ?? 0;
    const always = hurries !== undefined && this.#context.plan.points?.[hurries] === 1_000;
    const isHurried = always || (hurries !== undefined && (this.#hurried.get(`${place} ${hurries}`) ?? -1) >= atNanos);
    this.#context.check(
      isHurried || pauseMs >= wanted * clockShareMin,
      () => `${key} was repeated ${pauseMs.toFixed(1)} ms after failure ${count} in a row, not after at least ${wanted} ms`,
    );
    const isLate = pauseMs > mostMs / clockShareMin + lateMs;
    // A worker that leaves out an announcement waits for the next one.
    const isLeftOut = key.includes(" announcement ") && (this.#context.plan.points?.["announcement-skipped"] ?? 0) > 0;
    this.#context.check(
      !isLate || isLeftOut || this.#context.facts.hitSince(place, atNanos),
      () => `${key} was repeated as late as ${pauseMs.toFixed(0)} ms after failure ${count} in a row`,
    );
  }

  #checkEnd(key: string, rule: Rule, row: Row): void {
    const lastedMs = (row.lastNanos - row.firstNanos) / nanosPerMs;
    this.#context.check(
      !this.#isForGood(rule, row),
      () => `${key} was repeated after ${row.count} failures in ${lastedMs.toFixed(0)} ms, which are for good`,
    );
  }

  #isForGood({ lasts }: Rule, { count, firstNanos, lastNanos }: Row): boolean {
    const lastsNanos = lasts === undefined ? waitsForever : durationProperty(this.#context.plan.properties, lasts) * nanosPerMs;
    return count >= failuresMin && lastNanos - firstNanos > lastsNanos + nanosPerMs;
  }

  #outcome({ place, nowNanos }: Pick<Note, "place" | "nowNanos">, id: string, outcome: string): void {
    if (this.#users.has(place)) {
      const submitted = this.#asked.get(id);
      if (submitted !== undefined) {
        this.#asked.delete(id);
        this.#submitted.set(place, outcome);
      }
      return;
    }
    const asked = this.#asked.get(id);
    const row = this.#rows.get(asked?.key ?? "");
    const rule = rules[asked?.label ?? ""];
    if (asked === undefined || row === undefined || rule === undefined) {
      return;
    }
    this.#asked.delete(id);
    row.inFlight--;
    if (outcome === "ABORTED") {
      return;
    }
    if (/^[1-5]\d\d$/.test(outcome) && outcome !== "503") {
      // An incarnation that is not the expected one refuses with 412; the asker decides what follows.
      row.count = 0;
      return;
    }
    const localNanos = this.#context.localNanos(place);
    row.firstNanos = row.count === 0 ? localNanos : row.firstNanos;
    row.count++;
    row.lastNanos = localNanos;
    row.atNanos = nowNanos;
    const [stage = "", queryId = ""] = /(\d{8}_\d{6}_\d+_\w+)\.\d+/.exec(asked.key) ?? [];
    if (rule.failsQuery === true && this.#isForGood(rule, row) && !this.#ended.has(queryId) && !this.#ended.has(stage)) {
      this.#doomed.set(stage, localNanos);
    }
  }

  #forgetAll(isOver: (key: string) => boolean): void {
    for (const key of this.#rows.keys()) {
      if (isOver(key)) {
        this.#rows.delete(key);
      }
    }
  }

  #clientRequest(
    { place, nowNanos }: Pick<Note, "place" | "nowNanos">,
    { id, label, method, path }: Readonly<Record<"id" | "label" | "method" | "path", string>>,
  ): void {
    if (label === "statement-submit" && method === "POST") {
      const outcome = this.#submitted.get(place);
      this.#asked.set(id, { key: "", label });
      this.#context.check(
        outcome === undefined || untouched.test(outcome),
        () => `${place} submits a statement again after ${outcome ?? ""}, although the first submission may have been executed`,
      );
    }
    if (label === "statement-submit" || label === "statement-poll") {
      const notBefore = this.#notBefore.get(`${place} ${method} ${path}`) ?? 0;
      this.#context.check(
        nowNanos >= notBefore,
        () => `${place} asks ${method} ${path} again ${((notBefore - nowNanos) / nanosPerMs).toFixed(0)} ms before Retry-After allows`,
      );
    }
  }

  /** A new incarnation has no failures behind it. */
  #forget(place: string): void {
    this.#forgetAll((key) => key.startsWith(`${place}>`));
    if (place === this.#coordinator) {
      this.#doomed.clear();
    }
  }
}

/** What is asked for: a buffer, or a task. */
function targetOf(label: string, path: string): string {
  const parts = path.split("/");
  return label.startsWith("exchange-") ? parts.slice(3, 6).join("/") : label === "announcement" ? "" : (parts[3] ?? "");
}

export const retry: ModelKind = {
  invariant: {
    name: "retry",
    sentence:
      "A failed request between nodes is repeated after no less and no more than its pause, not after its failures are for good, and then its query fails; a client waits for Retry-After, and no submission that may have been executed is repeated.",
    kind: "safety",
    checkedIn: "checkers/models/retry.ts",
  },
  create: (context) => new Retry(context),
};
