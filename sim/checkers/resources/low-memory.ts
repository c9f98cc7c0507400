/**
 * The low-memory killer, judged by what the workers have reported of their tasks: a query is ended only if the plan has a policy, tasks
 * wait for memory, and no other query held clearly more by that policy; and not sooner after the one before than the plan's delay.
 */
import { parseDurationMs } from "../../../src/protocol/units.ts";
import type { Properties } from "../../plan.ts";
import type { Observed } from "../protocol/wire.ts";
import { check, type Verdict } from "../violation.ts";

const oracle = "low-memory";
/** Age of a report that the coordinator may still go by: reports come once a second, and late if anything hinders them. */
const reportNanosMax = 3_000_000_000;
const lateReportNanosMax = 60_000_000_000;
/** Reports are of different moments, and tasks of the coordinator itself send none. */
const tolerance = { share: 0.1, bytes: 262_144 };

interface Report {
  readonly atNanos: number;
  readonly bytes: number;
  readonly waits: boolean;
}

interface ReportingTask {
  readonly queryId: string;
  readonly node: string;
  /** The latest last. */
  reports: readonly Report[];
}

interface TaskStatus {
  readonly state: string;
  readonly memoryReservationBytes: number;
  readonly blockedReasons?: readonly string[];
}

export interface LowMemoryOptions {
  readonly verdict: Verdict;
  readonly properties: Properties;
  /** Whether any fault or failed message may delay reports. */
  readonly isTroubled: () => boolean;
  readonly coordinator: string;
  /** The monotonic clock at a place, by which the coordinator waits. */
  readonly localNanos: (place: string) => number;
  /** What a query holds on the coordinator, whose own tasks report nothing. */
  readonly coordinatorBytes: (queryId: string) => number;
}

export class LowMemoryOracle {
  readonly #verdict: Verdict;
  readonly #policy: string;
  readonly #delayNanos: number;
  readonly #tasks = new Map<string, ReportingTask>();
  /** When a node may last have let a query wait. Tasks of the coordinator report nothing. */
  readonly #waits = new Map<string, number>();
  /** By the coordinator's clock. */
  #killedNanos: number | undefined;

  readonly #isTroubled: () => boolean;
  readonly #coordinator: string;
  readonly #localNanos: (place: string) => number;
  readonly #coordinatorBytes: (queryId: string) => number;
  readonly #ended = new Set<string>();

  constructor({ verdict, properties, isTroubled, coordinator, coordinatorBytes, localNanos }: LowMemoryOptions) {
    this.#localNanos = localNanos;
    this.#coordinator = coordinator;
    this.#verdict = verdict;
    this.#isTroubled = isTroubled;
    this.#coordinatorBytes = coordinatorBytes;
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
    const status = task.what === "status" ? told : told.taskStatus;
    if (status === undefined) {
      return;
    }
    const known = this.#tasks.get(task.taskId) ?? { queryId: task.queryId, node: to, reports: [] };
    const ends = /^(FINISHED|CANCELED|ABORTED|FAILED)$/.test(status.state);
    const report = { atNanos: nowNanos, bytes: ends ? 0 : status.memoryReservationBytes, waits: status.blockedReasons !== undefined };
    // One older than the window says what held at its beginning.
    const recent = known.reports.filter((_, index) => {
      const next = known.reports[index + 1];
      return next === undefined || next.atNanos >= nowNanos - lateReportNanosMax;
    });
    this.#tasks.set(task.taskId, { ...known, reports: [...recent, report] });
  }

  /** The coordinator cannot end it any more. */
  queryEnded(queryId: string): void {
    this.#ended.add(queryId);
    for (const [taskId, task] of this.#tasks) {
      if (task.queryId === queryId) {
        this.#tasks.delete(taskId);
      }
    }
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string, nowNanos: number): void {
    if (kind === "start" && place === this.#coordinator) {
      // It knows no query of its former incarnation.
      this.#tasks.clear();
      this.#killedNanos = undefined;
    }
    if (kind === "timer" ? detail === "memory-wait" : kind === "point" && detail === "query-waits-for-memory") {
      this.#waits.set(place, nowNanos);
    }
    if (kind !== "log-info" || !detail.startsWith("query-killed-out-of-memory ")) {
      return;
    }
    const killed = /"queryId":"([^"]+)"/.exec(detail)?.[1] ?? "";
    const waiting = [...this.#tasks.values()].filter(({ reports }) => this.#recent(reports, nowNanos).some(({ waits }) => waits));
    const waited = [...this.#waits].filter(([, atNanos]) => atNanos >= this.#since(nowNanos)).map(([node]) => node);
    this.#check(this.#policy !== "none", () => `${killed} was ended, and the policy is none`);
    this.#check(waiting.length > 0 || waited.length > 0, () => `${killed} was ended while no task waits for memory`);
    const localNanos = this.#localNanos(this.#coordinator);
    const since = this.#killedNanos === undefined ? undefined : localNanos - this.#killedNanos;
    this.#check(since === undefined || since >= this.#delayNanos, () => `${killed} was ended ${(since ?? 0) / 1e6} ms after another query`);
    this.#killedNanos = localNanos;
    const nodes = new Set([...waiting.map(({ node }) => node), ...waited]);
    const held = this.#held(nodes, nowNanos);
    const most = (held.get(killed)?.most ?? 0) + this.#coordinatorBytes(killed);
    for (const [queryId, { least }] of held) {
      this.#check(queryId === killed || least <= most * (1 + tolerance.share) + tolerance.bytes, () => {
        return `${killed} was ended with at most ${most} bytes, and ${queryId} had at least ${least}`;
      });
    }
  }

  /** Bytes of each query by the policy: at most and at least, in the reports that may have been known. */
  #held(nodes: ReadonlySet<string>, nowNanos: number): ReadonlyMap<string, { readonly least: number; readonly most: number }> {
    const held = new Map<string, { readonly least: number; readonly most: number }>();
    for (const { queryId, node, reports } of this.#tasks.values()) {
      if (this.#policy === "total-reservation" || nodes.has(node)) {
        const bytes = this.#recent(reports, nowNanos).map((report) => report.bytes);
        const { least, most } = held.get(queryId) ?? { least: 0, most: 0 };
        // Where messages are lost, the coordinator may have none of them.
        const known = this.#isTroubled() ? 0 : Math.min(...bytes);
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
    return nowNanos - (this.#isTroubled() ? lateReportNanosMax : reportNanosMax);
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#verdict, "safety", oracle, holds, sentence);
  }
}
