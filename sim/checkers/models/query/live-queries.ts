/**
 * What the coordinator tells of a query while it runs, written from docs/interface.md (States; Query and cluster; section 2.7 of the
 * interface) and the published protocol. Looked at from inside the node, one query at a time:
 * - Query and stages are in the states that their last transitions led to, and nothing has an end before it has ended.
 * - At each moment the numbers of a query are the sums of its stages: tasks, splits by state, times, bytes, memory. What is read is that of
 *   the stages that scan tables, what is given that of the root stage.
 * - Every split is queued, running or completed; every task runs or is completed, or waits to be sent. User memory is a part of all memory,
 *   and none is more than its peak.
 * - Times are those of the coordinator's clock. Counters of a query that does not run again never fall.
 * - The list says the same of it at the same moment.
 */
import { parseDataSize, parseDuration } from "../../../../src/protocol/units.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "../model.ts";
import { askInside } from "../inside.ts";

/** One in this many looks is at a query. */
const lookEvery = 3;
/** Sizes and times are written with two decimal places. */
const roundingShare = 0.006;
const ends: ReadonlySet<string> = new Set(["FINISHED", "FAILED", "CANCELED", "ABORTED"]);
const ofAll = [
  "totalTasks",
  "runningTasks",
  "completedTasks",
  "totalDrivers",
  "queuedDrivers",
  "runningDrivers",
  "completedDrivers",
  "totalMemoryReservation",
  "totalScheduledTime",
  "totalCpuTime",
  "totalBlockedTime",
] as const;
const ofScans = ["rawInputDataSize", "rawInputPositions", "processedInputDataSize", "processedInputPositions"] as const;
const ofRoot = ["outputDataSize", "outputPositions"] as const;
const growing = ["totalCpuTime", "totalScheduledTime", "rawInputPositions", "processedInputPositions", "outputPositions"] as const;

type Members = Readonly<Record<string, unknown>>;

interface Stage {
  readonly stageId: string;
  readonly state: string;
  readonly plan: { readonly root: unknown };
  readonly stageStats: Members;
  readonly subStages: readonly Stage[];
}

interface Detail {
  readonly queryId: string;
  readonly state: string;
  readonly scheduled?: boolean;
  readonly completeInfo?: boolean;
  readonly session: Members;
  readonly queryStats: Members;
  readonly outputStage: Partial<Stage>;
  readonly routedTo?: unknown;
}

class LiveQueryModel implements Model {
  readonly notes = ["start", "log-info"];
  readonly #context: Judged;
  readonly #coordinator: string;
  /** States of the queries and stages of this life that have not ended, by id. */
  readonly #queries = new Map<string, string>();
  readonly #stages = new Map<string, string>();
  /** Numbers of the last look at a query. */
  readonly #before = new Map<string, Members>();
  /** Queries that have begun again. Their documents add what former attempts used, and have the stages of the last one. */
  readonly #again = new Set<string>();
  #looks = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
  }

  note({ place, kind, detail }: Note): void {
    if (place !== this.#coordinator) {
      return;
    }
    if (kind === "start") {
      this.#queries.clear();
      this.#stages.clear();
      this.#before.clear();
    } else {
      this.#again.add(/^query-attempt-(?:lost|given-up) .*"queryId":"([^"]+)"/.exec(detail)?.[1] ?? "");
    }
  }

  observeTransition({ place, kind, id, to }: Transition): void {
    if (place !== this.#coordinator || (kind !== "query" && kind !== "stage")) {
      return;
    }
    const states = kind === "query" ? this.#queries : this.#stages;
    states.set(id, to);
    if (kind === "query" && ends.has(to)) {
      this.#queries.delete(id);
      this.#before.delete(id);
      for (const stageId of this.#stages.keys()) {
        if (stageId.startsWith(`${id}.`)) {
          this.#stages.delete(stageId);
        }
      }
    }
  }

  look(): void {
    if (this.#looks++ % lookEvery !== 0 || this.#queries.size === 0) {
      return;
    }
    const ids = [...this.#queries.keys()];
    const id = ids[Math.floor(this.#looks / lookEvery) % ids.length] as string;
    const node = this.#context.node(this.#coordinator);
    void askInside(node, `/v1/query/${id}`).then(async (told) => {
      // It may end, or a stage may go on, while the answer is made.
      const text = told?.status === 200 ? told.text() : "";
      const detail = text === "" ? undefined : (JSON.parse(text) as Detail);
      if (detail === undefined || ends.has(detail.state)) {
        return;
      }
      this.#detail(detail);
      const listed = await askInside(node, `/v1/query?search=${id}`);
      const after = await askInside(node, `/v1/query/${id}`);
      if (listed?.status === 200 && after?.text() === text) {
        this.#listed(
          detail,
          (listed.json() as readonly Detail[]).find(({ queryId }) => queryId === id),
        );
      }
    });
  }

  #detail(detail: Detail): void {
    const { queryId, state, queryStats, outputStage, completeInfo } = detail;
    const last = this.#queries.get(queryId);
    this.#check(
      last === undefined || last === state,
      () => `${queryId} says that it is ${state}, and the last that it went to is ${String(last)}`,
    );
    this.#check(
      queryStats["endTime"] === undefined && completeInfo !== true,
      () => `${queryId} is ${state}, and ended at ${String(queryStats["endTime"])}`,
    );
    this.#parts(queryId, queryStats);
    if (outputStage.stageId !== undefined && detail.routedTo === undefined) {
      this.#stagesOf(detail, outputStage as Stage);
    }
  }

  /** What adds up within one level. */
  #parts(who: string, stats: Members): void {
    const [total, queued, running, completed] = ["totalDrivers", "queuedDrivers", "runningDrivers", "completedDrivers"].map((name) =>
      amount(stats[name]),
    ) as [number, number, number, number];
    this.#check(
      queued + running + completed === total,
      () => `${who} has ${total} splits, ${queued} queued, ${running} running and ${completed} completed`,
    );
    const [tasks, live, over] = ["totalTasks", "runningTasks", "completedTasks"].map((name) => amount(stats[name])) as [
      number,
      number,
      number,
    ];
    this.#check(live + over <= tasks, () => `${who} has ${tasks} tasks, ${live} of them run and ${over} have ended`);
    const all = amount(stats["totalMemoryReservation"]);
    const [user = all, peak = all] = ["userMemoryReservation", "peakMemoryReservation"]
      .map((name) => stats[name])
      .map((text) => (text === undefined ? undefined : amount(text)));
    this.#check(
      user <= all * (1 + roundingShare) && all <= peak * (1 + roundingShare),
      () => `${who} holds ${all} bytes, ${user} of them for its operators, and has held ${peak} at most`,
    );
    const [cpu, scheduled] = [amount(stats["totalCpuTime"]), amount(stats["totalScheduledTime"])];
    this.#check(cpu <= scheduled * (1 + roundingShare), () => `${who} computed for ${cpu} ns of ${scheduled}`);
  }

  #stagesOf({ queryId, queryStats }: Detail, outputStage: Stage): void {
    const stages = [outputStage];
    for (const stage of stages) {
      stages.push(...stage.subStages);
      const last = this.#stages.get(stage.stageId);
      this.#check(
        last === undefined || last === stage.state || this.#again.has(queryId),
        () => `stage ${stage.stageId} says that it is ${stage.state}, and the last that it went to is ${String(last)}`,
      );
      this.#parts(`stage ${stage.stageId}`, stage.stageStats);
    }
    if (this.#again.has(queryId)) {
      return;
    }
    const scans = stages.filter(({ plan }) => JSON.stringify(plan.root).includes('"kind":"TableScan"'));
    const compared = [
      ...ofAll.map((name) => [name, stages] as const),
      ...ofScans.map((name) => [name, scans] as const),
      ...ofRoot.map((name) => [name, [outputStage]] as const),
    ];
    for (const [name, parts] of compared) {
      const of = parts.map(({ stageStats }) => amount(stageStats[name]));
      const sum = of.reduce((total, part) => total + part, 0);
      const told = amount(queryStats[name]);
      const slack = typeof queryStats[name] === "number" ? 0 : (told + sum) * roundingShare + 6 * of.length;
      this.#check(
        Math.abs(told - sum) <= slack,
        () => `${name} of ${queryId} is ${String(queryStats[name])} while it runs, of its stages ${of.join(" ")}`,
      );
    }
    this.#grows(queryId, queryStats);
  }

  /** The numbers of a task do not fall when it runs again. */
  #grows(queryId: string, stats: Members): void {
    const before = this.#before.get(queryId);
    this.#before.set(queryId, stats);
    const fallen = growing.filter((name) => amount(stats[name]) < amount(before?.[name] ?? 0));
    this.#check(
      fallen.length === 0,
      () => `${fallen.map((name) => `${name} ${String(stats[name])}, was ${String(before?.[name])}`).join(", ")} of ${queryId}`,
    );
  }

  #listed(detail: Detail, row: Detail | undefined): void {
    this.#check(row !== undefined, () => `${detail.queryId} is ${detail.state}, and not in the list`);
    const differs = (a: Members, b: Members): readonly string[] =>
      Object.keys(a).filter((name) => b[name] !== undefined && typeof a[name] !== "object" && a[name] !== b[name]);
    // Planning begins and ends to wait for splits without a message between the two questions.
    const isOfMoment = (name: string): boolean => name !== "query" && (detail.state !== "PLANNING" || !name.startsWith("wait"));
    const wrong =
      row === undefined
        ? []
        : [
            ...differs({ ...row, query: undefined } as unknown as Members, detail as unknown as Members).filter(isOfMoment),
            ...differs(row.session, detail.session),
            ...differs(row.queryStats, detail.queryStats),
          ];
    this.#check(wrong.length === 0, () => `the list and the detail of ${detail.queryId} differ in ${wrong.join()} while it runs`);
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

/** Bytes, nanoseconds, or a number as it is. */
function amount(value: unknown): number {
  if (typeof value === "number") {
    return value;
  }
  const text = String(value);
  return (text.endsWith("B") ? parseDataSize(text) : parseDuration(text)) ?? Number.NaN;
}

export const liveQueries: ModelKind = {
  invariant: {
    name: "live-queries",
    sentence:
      "While a query runs, its documents show the states of its last transitions, its numbers are the sums of its stages at that moment and do not fall, splits and memory add up, and the list says the same.",
    kind: "safety",
    checkedIn: "checkers/models/query/live-queries.ts",
  },
  create: (context) => new LiveQueryModel(context),
};
