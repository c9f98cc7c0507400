/**
 * The low-memory killer, judged by what the workers have reported of their tasks: a query is ended only if the plan has a policy, tasks
 * wait for memory on nodes that are not gone, and no other query held clearly more by that policy; and not sooner after the one before
 * than the plan's delay, which begins anew when that one has given its memory back.
 */
import { parseDurationMs } from "../../../src/protocol/units.ts";
import type { Properties } from "../../plan.ts";
import type { Facts } from "../facts.ts";
import { isTaskDocument, type Observed } from "../protocol/wire.ts";
import { check, type Verdict } from "../violation.ts";

const oracle = "low-memory";
/** A coordinator that has heard of a task within this time has not given it up. */
const heardNanosMax = 1_000_000_000;
const endedTask = /^(?:FINISHED|CANCELED|ABORTED|FAILED)$/;
/** Age of a report that the coordinator may still go by: reports come once a second, and late if anything hinders them. */
const reportNanosMax = 3_000_000_000;
const lateReportNanosMax = 60_000_000_000;
/** Reports are of different moments, and tasks of the coordinator itself send none. */
const tolerance = { share: 0.1, bytes: 8_192 };
/** Bounds of the pause between two looks of the killer: it sees that memory is back, or is not, one look late. */
const lookNanosMin = 10_000_000;
const lookNanosMax = 1_000_000_000;

interface Report {
  readonly atNanos: number;
  readonly bytes: number;
  readonly waits: boolean;
}

interface ReportingTask {
  readonly queryId: string;
  readonly node: string;
  /** Of the node. */
  readonly incarnation: number;
  /** The latest last. */
  reports: readonly Report[];
  /** Number of reports that the coordinator has certainly received. */
  heard: number;
  /** Time of its last answer about the task. */
  heardNanos: number;
}

interface TaskStatus {
  readonly state: string;
  readonly memoryReservationBytes: number;
  readonly blockedReasons?: readonly string[];
}

/** What the oracle reads of a node. */
interface NodeAccounts {
  readonly queries: readonly { readonly queryId: string; readonly reservedBytes: number }[];
  readonly tasks: readonly { readonly taskId: string; readonly state: string }[];
}

export interface LowMemoryOptions {
  readonly verdict: Verdict;
  readonly properties: Properties;
  /** Whether any fault or failed message may delay reports. */
  readonly isTroubled: () => boolean;
  /** Whether messages between two places have failed. */
  readonly facts: Pick<Facts, "livesOf" | "troubledSince">;
  readonly coordinator: string;
  readonly workers: readonly string[];
  /** The monotonic clock at a place, by which the coordinator waits. */
  readonly localNanos: (place: string) => number;
  readonly node: (place: string) => { accounts(): NodeAccounts } | undefined;
}

interface Victim {
  readonly queryId: string;
  /** Times of the coordinator's clock: when it was ended, and when the last of its tasks had. */
  readonly killedNanos: number;
  endedNanos: number;
}

export class LowMemoryOracle {
  readonly #verdict: Verdict;
  readonly #policy: string;
  readonly #delayNanos: number;
  readonly #tasks = new Map<string, ReportingTask>();
  /** When a node may last have let a query wait. Tasks of the coordinator report nothing. */
  readonly #waits = new Map<string, number>();
  /** The last one. */
  #victim: Victim | undefined;

  readonly #options: LowMemoryOptions;
  readonly #ended = new Set<string>();
  /** Tasks of requests that are under way, by message. */
  readonly #asked = new Map<string, string>();
  /** The task of the last answer. */
  #heardLast: ReportingTask | undefined;
  /** Nodes that the coordinator knows to be gone. */
  readonly #gone = new Set<string>();
  /** Tasks that the coordinator has created, by query, but for those of attempts that it has given up: it counts them no more. */
  readonly #current = new Map<string, Set<string>>();

  constructor(options: LowMemoryOptions) {
    const { properties, verdict } = options;
    this.#options = options;
    this.#verdict = verdict;
    this.#policy = properties["query.low-memory-killer.policy"] ?? "total-reservation-on-blocked-nodes";
    this.#delayNanos = (parseDurationMs(properties["query.low-memory-killer.delay"] ?? "5m") ?? 0) * 1e6;
  }

  /** Handles a status or a document of a task as its worker makes it. */
  observe(answer: Observed): void {
    const { nowNanos, response, task, to } = answer;
    if (response.status !== 200 || this.#ended.has(task?.queryId ?? "") || (task?.what !== "status" && task?.what !== "task")) {
      return;
    }
    const told = answer.json() as TaskStatus & { readonly taskStatus?: TaskStatus };
    const status = isTaskDocument(answer) ? told.taskStatus : told;
    if (status === undefined) {
      return;
    }
    const incarnation = this.#options.facts.livesOf(to);
    const known = this.#tasks.get(task.taskId) ?? { queryId: task.queryId, node: to, incarnation, reports: [], heard: 0, heardNanos: 0 };
    const ends = endedTask.test(status.state);
    const report = { atNanos: nowNanos, bytes: ends ? 0 : status.memoryReservationBytes, waits: status.blockedReasons !== undefined };
    // One older than the window says what held at its beginning.
    const recent = known.reports.filter((_, index) => {
      const next = known.reports[index + 1];
      return next === undefined || next.atNanos >= nowNanos - lateReportNanosMax;
    });
    const heard = Math.max(0, known.heard - (known.reports.length - recent.length));
    this.#tasks.set(task.taskId, { ...known, reports: [...recent, report], heard });
  }

  /** The coordinator cannot end it any more. */
  queryEnded(queryId: string): void {
    this.#ended.add(queryId);
    this.#current.delete(queryId);
    for (const [taskId, task] of this.#tasks) {
      if (task.queryId === queryId) {
        this.#tasks.delete(taskId);
      }
    }
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string, nowNanos: number): void {
    if ((kind === "request" || kind === "answer") && place === this.#options.coordinator) {
      this.#message(kind, detail, nowNanos);
      return;
    }
    if (kind === "point" && detail === "task-created-twice" && this.#heardLast !== undefined) {
      // The task is created once more before its first answer is read.
      this.#heardLast.heard = Math.max(0, this.#heardLast.heard - 1);
    }
    if (kind === "start" && place === this.#options.coordinator) {
      // It knows no query of its former incarnation.
      this.#tasks.clear();
      this.#current.clear();
      this.#gone.clear();
      this.#victim = undefined;
    }
    if (kind === "timer" ? detail === "memory-wait" : kind === "point" && detail === "query-waits-for-memory") {
      this.#waits.set(place, nowNanos);
    }
    if (kind !== "log-info") {
      return;
    }
    if (detail.startsWith("node-state ") && place === this.#options.coordinator) {
      const [, node = "", state = ""] = /"nodeId":"([^"]*)".*"to":"(\w+)/.exec(detail) ?? [];
      this.#gone[state === "GONE" ? "add" : "delete"](node);
      return;
    }
    if (detail.startsWith("query-attempt-given-up ")) {
      this.#current.delete(/"queryId":"([^"]+)"/.exec(detail)?.[1] ?? "");
      return;
    }
    if (!detail.startsWith("query-killed-out-of-memory ")) {
      return;
    }
    const killed = /"queryId":"([^"]+)"/.exec(detail)?.[1] ?? "";
    const waiting = [...this.#tasks.values()].filter(({ reports }) => this.#recent(reports, nowNanos).some(({ waits }) => waits));
    const waited = [...this.#waits].filter(([, atNanos]) => atNanos >= this.#since(nowNanos)).map(([node]) => node);
    this.#check(this.#policy !== "none", () => `${killed} was ended, and the policy is none`);
    this.#check(waiting.length > 0 || waited.length > 0, () => `${killed} was ended while no task waits for memory`);
    this.#checkPause(killed);
    const mayBeBlocked = new Set([...waiting.map(({ node }) => node), ...waited]);
    const nodes = new Set((/"nodes":"([^"]*)"/.exec(detail)?.[1] ?? "").split(" "));
    const other = [...nodes].find((node) => !mayBeBlocked.has(node));
    this.#check(other === undefined, () => `${killed} was ended for ${other ?? ""}, where no task waits for memory`);
    const gone = [...nodes].find((node) => this.#gone.has(node));
    this.#check(gone === undefined, () => `${killed} was ended for ${gone ?? ""}, which is gone`);
    const held = this.#held(nodes, nowNanos);
    const most = (held.get(killed)?.most ?? 0) + this.#coordinatorBytes(killed);
    for (const [queryId, { least }] of held) {
      this.#check(queryId === killed || least <= most * (1 + tolerance.share) + tolerance.bytes, () => {
        return `${killed} was ended with at most ${most} bytes, and ${queryId} had at least ${least}`;
      });
    }
  }

  /** With an answer about a task, the coordinator has its last report, unless that answers another request that is still under way. */
  #message(kind: string, detail: string, nowNanos: number): void {
    if (!detail.includes(" task-")) {
      return;
    }
    const [message = "", , label = "", , path = ""] = detail.split(" ", 5);
    if (kind === "request") {
      const asked = path.split(/[/?]/)[3] ?? "";
      this.#asked.set(message, asked);
      if (label === "task-update") {
        const queryId = asked.split(".")[0] ?? "";
        const current = this.#current.get(queryId) ?? new Set();
        this.#current.set(queryId, current.add(asked));
      }
      return;
    }
    const taskId = this.#asked.get(message) ?? "";
    const task = this.#tasks.get(taskId);
    this.#asked.delete(message);
    this.#heardLast = task;
    if (task !== undefined) {
      task.heardNanos = nowNanos;
      task.heard = task.reports.length - ([...this.#asked.values()].includes(taskId) ? 1 : 0);
    }
  }

  /** A task of any query has ended on its worker. */
  taskEnded(taskId: string): void {
    if (this.#victim !== undefined && taskId.startsWith(`${this.#victim.queryId}.`)) {
      this.#victim.endedNanos = this.#localNanos;
    }
  }

  get #localNanos(): number {
    return this.#options.localNanos(this.#options.coordinator);
  }

  /** A task of the query that has not ended, on a worker whose messages have not failed. */
  #liveTaskOf(queryId: string): string | undefined {
    const { coordinator, facts, node, workers } = this.#options;
    const reachable = workers.filter((worker) => !facts.troubledSince(coordinator, worker, 0));
    const tasks = reachable.flatMap((worker) => node(worker)?.accounts().tasks ?? []);
    return tasks.find(({ state, taskId }) => taskId.startsWith(`${queryId}.`) && !endedTask.test(state))?.taskId;
  }

  /** What the query holds on the coordinator, whose own tasks report nothing. */
  #coordinatorBytes(id: string): number {
    const { coordinator, node } = this.#options;
    const found = node(coordinator)
      ?.accounts()
      .queries.find(({ queryId }) => queryId === id);
    return found?.reservedBytes ?? 0;
  }

  #checkPause(killed: string): void {
    const localNanos = this.#localNanos;
    const former = this.#victim;
    this.#victim = { queryId: killed, killedNanos: localNanos, endedNanos: localNanos };
    if (former === undefined) {
      return;
    }
    const ms = (nanos: number): string => `${((localNanos - nanos) / 1e6).toFixed(1)} ms`;
    this.#check(
      localNanos - former.killedNanos >= this.#delayNanos,
      () => `${killed} was ended ${ms(former.killedNanos)} after another query`,
    );
    const task = this.#liveTaskOf(former.queryId);
    this.#check(task === undefined, () => `${killed} was ended while ${task ?? ""} of a query that was ended before is still there`);
    const lookNanos = Math.max(lookNanosMin, Math.min(lookNanosMax, this.#delayNanos / 4));
    this.#check(
      this.#options.isTroubled() || localNanos - former.endedNanos >= this.#delayNanos - lookNanos,
      () => `${killed} was ended ${ms(former.endedNanos)} after the last task of ${former.queryId}, which was ended before it`,
    );
  }

  /** Bytes of each query by the policy: at most and at least, in the reports that may have been known. */
  #held(nodes: ReadonlySet<string>, nowNanos: number): ReadonlyMap<string, { readonly least: number; readonly most: number }> {
    const held = new Map<string, { readonly least: number; readonly most: number }>();
    const { facts } = this.#options;
    for (const [taskId, { queryId, node, reports, heard, heardNanos, incarnation }] of this.#tasks) {
      if (this.#policy === "total-reservation" || nodes.has(node)) {
        const { least, most } = held.get(queryId) ?? { least: 0, most: 0 };
        // The last report that the coordinator has is one of these.
        const bytes = reports.slice(Math.max(0, heard - 1)).map((report) => report.bytes);
        // The tasks of a worker that is lost, or may be, do not count.
        const isHeard = heard > 0 && nowNanos - heardNanos < heardNanosMax && incarnation === facts.livesOf(node) && !this.#gone.has(node);
        const counts = isHeard && (this.#current.get(queryId)?.has(taskId) ?? false);
        const known = counts ? Math.min(...bytes) : 0;
        held.set(queryId, { least: least + known, most: most + Math.max(...bytes) });
      }
    }
    return held;
  }

  /** The latest report always counts. */
  #recent(reports: readonly Report[], nowNanos: number): readonly Report[] {
    return reports.filter(({ atNanos }, index) => index === reports.length - 1 || atNanos >= this.#since(nowNanos));
  }

  #since(nowNanos: number): number {
    return nowNanos - (this.#options.isTroubled() ? lateReportNanosMax : reportNanosMax);
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#verdict, "safety", oracle, holds, sentence);
  }
}
