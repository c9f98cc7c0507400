/**
 * The numbers that a node gives to its metrics, written from docs/operations.md (Metrics) and docs/architecture.md. Looked at from inside
 * the node, beside its accounts:
 * - Live tasks and queries are those that the node has, in the states that they are in. Ended ones are only added to.
 * - What is counted for queries that are kept is in proportion to them: more would have others forgotten early.
 * - Sums since the start never fall. Rows that catalogs have been scanned for are among the rows that tasks have read.
 * - A worker's sums are those of its tasks, by their last documents: tasks by their end, drivers, rows, and the rows of each catalog that
 *   its scans read. What tasks count whose last document nobody was given is added to them.
 * - Memory is what the accounts say: queries hold a part of what is reserved, and no more is resident than there is.
 */
import type { NodeMeasures } from "../../../../src/measures.ts";
import type { Accounts } from "../../../../src/node-accounts.ts";
import { readBody } from "../../protocol/bodies.ts";
import { isTaskDocument, type Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "../model.ts";

/** One in this many looks is at a node. */
const lookEvery = 2;
/** Text, plan, last response and rows of a query of the simulator, several times over. */
const keptBytes = 4 * 2 ** 20;
/** Tasks of such a query on one worker, with their operators. */
const keptBytesPerWorker = 64 * 2 ** 10;
const ends: ReadonlySet<string> = new Set(["FINISHED", "CANCELED", "ABORTED", "FAILED"]);
const growing = [
  "totalDrivers",
  "completedDrivers",
  "rawInputPositions",
  "rawInputBytes",
  "outputPositions",
  "cpuNanos",
  "scheduledNanos",
] as const;

interface Seen {
  readonly incarnation: string;
  readonly ended: ReadonlyMap<string, number>;
  readonly sums: Readonly<Record<string, number>>;
  readonly scanned: number;
}

/** Numbers of a task's document that a worker adds up. */
const added = ["totalDrivers", "completedDrivers", "rawInputPositions", "outputPositions"] as const;
type Added = Readonly<Record<(typeof added)[number], number>>;

interface TaskInfo {
  readonly taskId: string;
  readonly taskInstanceId?: string;
  readonly state: string;
  readonly stats?: Added & {
    readonly pipelines: readonly {
      readonly rawInputPositions: number;
      readonly operatorSummaries: readonly { readonly operatorType: string; readonly planNodeId?: string }[];
    }[];
  };
}

/** What one task has counted, by its last document. */
interface Final {
  readonly state: string;
  readonly sums: Added;
  /** Rows that scans read, by catalog. */
  readonly scanned: ReadonlyMap<string, number>;
}

/** The tasks of one life of a worker. */
class Tally {
  /** Catalogs of a task's scans, by plan node. */
  readonly #scans = new Map<string, ReadonlyMap<string, string>>();
  readonly #finals = new Map<string, Final>();

  update(taskId: string, fragment: unknown): void {
    if (fragment !== undefined && !this.#scans.has(taskId)) {
      this.#scans.set(taskId, new Map(scansOf(fragment)));
    }
  }

  document({ taskId, taskInstanceId = taskId, state, stats }: TaskInfo): void {
    if (!ends.has(state) || stats === undefined) {
      return;
    }
    const scanned = new Map<string, number>();
    for (const { operatorSummaries, rawInputPositions } of stats.pipelines) {
      const [first] = operatorSummaries;
      const isScan = first?.operatorType.includes("Scan") === true;
      const catalog = isScan ? (this.#scans.get(taskId)?.get(first.planNodeId ?? "") ?? "") : "";
      scanned.set(catalog, (scanned.get(catalog) ?? 0) + rawInputPositions);
    }
    // What exchanges read is of no catalog.
    scanned.delete("");
    this.#finals.set(taskInstanceId, { state, sums: stats, scanned });
  }

  /** What is wrong with the measures; undefined if nothing is. */
  fault({ catalogs, ended, live, sums }: NodeMeasures["tasks"]): string | undefined {
    const finals = [...this.#finals.values()];
    const counts = countOf(finals.map(({ state }) => state));
    const all = [...ended.values()].reduce((sum, count) => sum + count, 0);
    const isWhole = live.size === 0 && all === finals.length;
    const differs = (found: number, own: number): boolean => (isWhole ? found !== own : found < own);
    const state = [...counts].find(([name, count]) => differs(ended.get(name as never) ?? 0, count));
    if (state !== undefined) {
      return `${told(ended)} ended tasks; its documents are of ${told(counts)}`;
    }
    for (const name of added) {
      const own = finals.reduce((sum, final) => sum + final.sums[name], 0);
      if (differs(sums[name], own)) {
        return `${name} ${sums[name]}; its ${isWhole ? "" : `${finals.length} documents of `}${all} tasks have ${own}`;
      }
    }
    const names = new Set([...catalogs.map(({ catalog }) => catalog), ...finals.flatMap(({ scanned }) => [...scanned.keys()])]);
    for (const name of names) {
      const found = catalogs.filter(({ catalog }) => catalog === name).reduce((sum, { rows }) => sum + rows, 0);
      const own = finals.reduce((sum, { scanned }) => sum + (scanned.get(name) ?? 0), 0);
      if (differs(found, own)) {
        return `${found} rows that were scanned of ${name}; the scans of its ${finals.length} tasks read ${own}`;
      }
    }
    return undefined;
  }
}

/** Plan node and catalog of each scan below a node of a plan. */
function scansOf(node: unknown): readonly (readonly [string, string])[] {
  if (typeof node !== "object" || node === null) {
    return [];
  }
  const { kind, id, table } = node as { readonly kind?: unknown; readonly id?: unknown; readonly table?: { readonly catalog?: unknown } };
  const own = kind === "TableScan" ? [[String(id), String(table?.catalog)] as const] : [];
  return [...own, ...Object.values(node).flatMap(scansOf)];
}

class MeasureModel implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  readonly #places: readonly string[];
  readonly #seen = new Map<string, Seen>();
  /** States of the queries that have left QUEUED, of the coordinator's current incarnation. */
  readonly #queries = new Map<string, string>();
  readonly #tallies = new Map<string, Tally>();
  #looks = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#places = [context.plan.coordinator, ...context.plan.workers].map(({ name }) => name);
  }

  note({ place }: Note): void {
    this.#seen.delete(place);
    this.#tallies.delete(place);
    if (place === this.#places[0]) {
      this.#queries.clear();
    }
  }

  observeTransition({ kind, id, to }: Transition): void {
    if (kind === "query" && ends.has(to)) {
      this.#queries.delete(id);
    } else if (kind === "query") {
      this.#queries.set(id, to);
    }
  }

  observe(answer: Observed): void {
    const { request, response, task, to } = answer;
    if (task?.what !== "task" || response.status !== 200 || to === this.#places[0]) {
      return;
    }
    const tally = this.#tallies.get(to) ?? new Tally();
    this.#tallies.set(to, tally);
    if (request.method === "POST") {
      tally.update(task.taskId, (readBody(request.body).json() as { readonly fragment?: unknown }).fragment);
    }
    if (isTaskDocument(answer)) {
      tally.document(answer.json() as TaskInfo);
    }
  }

  end(): void {
    for (const place of this.#places) {
      const node = this.#context.node(place);
      if (node !== undefined) {
        this.#tasks(place, node.measures().tasks);
      }
    }
  }

  look(): void {
    if (this.#looks++ % lookEvery !== 0) {
      return;
    }
    const place = this.#places[Math.floor(this.#looks / lookEvery) % this.#places.length] ?? "";
    const node = this.#context.node(place);
    if (node !== undefined) {
      this.#node(place, node.incarnation, { measures: node.measures(), accounts: node.accounts() });
    }
  }

  #node(
    place: string,
    incarnation: string,
    { measures, accounts }: { readonly measures: NodeMeasures; readonly accounts: Accounts },
  ): void {
    const { tasks, memory, queries, coordinator } = measures;
    this.#check(
      memory.capacityBytes === accounts.sizeBytes &&
        memory.reservedBytes === accounts.reservedBytes &&
        memory.queryBytes === accounts.queryBytes &&
        memory.residentBytes <= memory.capacityBytes &&
        queries === accounts.queries.length,
      () =>
        `${place} measures ${JSON.stringify(memory)} and ${queries} queries; it holds ${accounts.reservedBytes}, ${accounts.queryBytes}`,
    );
    if (coordinator === undefined) {
      const states = countOf(accounts.tasks.map(({ state }) => state).filter((state) => !ends.has(state)));
      this.#check(same(tasks.live, states), () => `${place} measures ${told(tasks.live)} live tasks; it has ${told(states)}`);
      const ended = countOf(accounts.tasks.map(({ state }) => state).filter((state) => ends.has(state)));
      this.#check(
        [...ended].every(([state, count]) => (tasks.ended.get(state as never) ?? 0) >= count),
        () => `${place} measures ${told(tasks.ended)} ended tasks; it still has ${told(ended)}`,
      );
    } else {
      this.#coordinator(place, coordinator, accounts);
    }
    this.#tasks(place, tasks);
    const scanned = tasks.catalogs.reduce((sum, { rows }) => sum + rows, 0);
    this.#check(
      scanned <= tasks.sums.rawInputPositions && tasks.blockedDrivers <= tasks.sums.runningDrivers,
      () =>
        `${place} measures ${scanned} scanned rows of ${tasks.sums.rawInputPositions}, and ${tasks.blockedDrivers} blocked drivers of ` +
        `${tasks.sums.runningDrivers}`,
    );
    this.#grows(place, { incarnation, ended: tasks.ended, sums: tasks.sums, scanned });
  }

  #coordinator(place: string, { queryStates, keptQueries }: NonNullable<NodeMeasures["coordinator"]>, accounts: Accounts): void {
    const started = countOf([...this.#queries.values()]);
    // A query that has not left QUEUED has made no transition yet.
    this.#check(
      [...started].every(([state, count]) => queryStates.get(state as never) === count) &&
        [...queryStates].every(([state, count]) => state === "QUEUED" || count === (started.get(state) ?? 0)),
      () => `${place} measures ${told(queryStates)} queries; ${told(started)} have begun`,
    );
    const { history, historyBytes, unclaimed, unclaimedBytes } = keptQueries;
    const bytesMax = keptBytes + this.#places.length * keptBytesPerWorker;
    this.#check(
      historyBytes <= history * bytesMax && unclaimedBytes <= unclaimed * bytesMax,
      () => `${place} counts ${historyBytes} bytes for ${history} queries of its history, ${unclaimedBytes} for ${unclaimed} that wait`,
    );
    this.#check(
      JSON.stringify(keptQueries) === JSON.stringify(accounts.keptQueries),
      () => `${place} measures ${JSON.stringify(keptQueries)} kept queries, and has ${JSON.stringify(accounts.keptQueries)}`,
    );
  }

  #tasks(place: string, tasks: NodeMeasures["tasks"]): void {
    const fault = this.#tallies.get(place)?.fault(tasks);
    this.#check(fault === undefined, () => `${place} measures ${fault ?? ""}`);
  }

  #grows(place: string, now: Seen): void {
    const before = this.#seen.get(place);
    this.#seen.set(place, now);
    if (before === undefined || before.incarnation !== now.incarnation) {
      return;
    }
    const fallen: string[] = growing.filter((name) => (now.sums[name] ?? 0) < (before.sums[name] ?? 0));
    const fewer = [...before.ended].filter(([state, count]) => (now.ended.get(state) ?? 0) < count).map(([state]) => state);
    this.#check(
      fallen.length === 0 && fewer.length === 0 && now.scanned >= before.scanned,
      () => `${place} measures less than before: ${[...fallen, ...fewer].join()} ${before.scanned} and ${now.scanned} scanned rows`,
    );
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

function countOf(states: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const state of states) {
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return counts;
}

function same(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return a.size === b.size && [...a].every(([key, count]) => b.get(key) === count);
}

function told(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([state, count]) => `${count} ${state}`).join(", ") || "no";
}

export const measures: ModelKind = {
  invariant: {
    name: "node-measures",
    sentence:
      "The numbers of a node's metrics are those of its accounts: live tasks and queries by state, memory, ended tasks, rows by catalog, and sums that only grow.",
    kind: "safety",
    checkedIn: "checkers/models/node/measures.ts",
  },
  create: (context) => new MeasureModel(context),
};
