/**
 * Conservation of statistics, written from docs/interface.md, sections 2.3, 2.5 and 2.7 of the interface and section 8.2 of the reference.
 * Rows, splits, bytes and times are counted where they pass, and no level invents or loses any:
 * - Within a pipeline an operator takes what the one before it gave. A pipeline's operators hold its memory, pipelines hold their task's.
 * - Tasks add up to their stage, stages to their query. What a stage gave, the stage above took, once for each of its consumers. Stage 0
 *   of constants has no task.
 * - The statement, the query's detail, its list element and the cluster's totals tell the same numbers.
 */
import { parseDataSize, parseDuration } from "../../../../src/protocol/units.ts";
import type { RequestContext } from "../../../../src/ports/network.ts";
import { statementAnswer } from "../statement/answer.ts";
import { readBody } from "../../protocol/bodies.ts";
import type { Observed } from "../../protocol/wire.ts";
import { recoversQueries } from "../../../properties.ts";
import { nanosPerMs } from "../../../world/world.ts";
import type { ClientAnswer, Judged, Model, ModelKind, Note, Transition } from "../model.ts";

/** One in this many ended queries is looked at, and one in this many looks asks for the cluster's totals. */
const queryEvery = 6;
const clusterEvery = 8;
/** Sizes and times are written with two decimal places. */
const roundingShare = 0.006;
/** Each makes one query at most. */
const submission = / (?:POST|PUT) \/v1\/statement(?:[/?]|$)/;
const builds = /^(?:HashBuilder|NestedLoopBuild|SetBuilder)Operator$/;
const limits = /"kind":"Limit"/;
const reads = /"kind":"(?:TableScan|RemoteSource)"/;

interface Numbers {
  readonly totalDrivers: number;
  readonly completedDrivers: number;
  readonly rawInputPositions: number;
  readonly processedInputPositions: number;
  readonly outputPositions: number;
  readonly totalCpuTime: string;
  readonly totalScheduledTime: string;
  readonly rawInputDataSize: string;
  readonly outputDataSize: string;
}

interface Operator {
  readonly operatorType: string;
  readonly planNodeId?: string;
  readonly inputPositions: number;
  readonly outputPositions: number;
  readonly memoryReservation: string;
  readonly info?: { readonly pageBufferClientStatuses: readonly { readonly uri: string; readonly pagesReceived: number }[] };
}

interface Distribution {
  readonly count: number;
  readonly total: number;
  readonly min: number;
  readonly p01: number;
  readonly p05: number;
  readonly p10: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

interface Pipeline extends Numbers {
  readonly queuedTime: Distribution;
  readonly elapsedTime: Distribution;
  readonly inputPipeline: boolean;
  readonly outputPipeline: boolean;
  readonly memoryReservation: string;
  readonly operatorSummaries: readonly Operator[];
}

interface Task {
  readonly taskId: string;
  readonly state: string;
  readonly outputBuffers: { readonly pagesAdded: number };
  readonly stats: Numbers & {
    readonly memoryReservation: string;
    readonly peakMemoryReservation: string;
    readonly queuedTime: string;
    readonly elapsedTime: string;
    readonly pipelines: readonly Pipeline[];
  };
}

interface Stage {
  readonly stageId: string;
  readonly state: string;
  readonly plan: { readonly root: unknown };
  readonly stageStats: Numbers & { readonly totalTasks: number; readonly completedTasks: number };
  /** Absent, as `subStages`, where the detail was pruned. */
  readonly tasks?: readonly Task[];
  readonly subStages?: readonly Stage[];
}

interface Detail {
  readonly queryId: string;
  readonly state: string;
  readonly completeInfo?: boolean;
  readonly queryStats: Numbers & { readonly totalTasks: number; readonly elapsedTime: string };
  readonly outputStage?: Stage;
}

interface StatementStage {
  readonly stageId: string;
  readonly state: string;
  readonly totalSplits: number;
  readonly completedSplits: number;
  readonly processedRows: number;
  readonly subStages: readonly StatementStage[];
}

function wasAborted({ state, subStages }: StatementStage): boolean {
  return state === "ABORTED" || subStages.some(wasAborted);
}

interface Statement {
  readonly id: string;
  readonly nextUri?: string;
  readonly error?: unknown;
  readonly warnings?: readonly { readonly warningCode: { readonly name: string } }[];
  readonly stats: Omit<StatementStage, "stageId" | "subStages"> & {
    readonly elapsedTimeMillis?: number;
    readonly rootStage?: StatementStage;
  };
}

interface ClusterTotals {
  readonly finishedQueries: number;
  readonly failedQueries: number;
  readonly runningQueries: number;
  readonly queuedQueries: number;
  readonly activeWorkers: number;
}

const counted = ["totalDrivers", "completedDrivers", "rawInputPositions", "processedInputPositions", "outputPositions"] as const;
const measured = ["totalCpuTime", "totalScheduledTime", "rawInputDataSize", "outputDataSize"] as const;
const queryEnds = ["FINISHED", "FAILED"];

class ConservationModel implements Model {
  readonly notes = ["serve"];
  readonly #context: Judged;
  /** States of the queries of the coordinator's current incarnation. */
  readonly #queries = new Map<string, string>();
  #incarnation = 0;
  #finished = 0;
  #failed = 0;
  #ended = 0;
  #looks = 0;
  /** Submissions that reached the coordinator in its current life, and queries of former lives for which a client asked. */
  #submitted = 0;
  readonly #resumed = new Set<string>();
  #life = 0;
  /** Life in which a query was submitted, if queries survive the coordinator. */
  readonly #lifeOf = new Map<string, number>();

  constructor(context: Judged) {
    this.#context = context;
  }

  observe(answer: Observed): void {
    const { task, request, response, json } = answer;
    const said = recoversQueries(this.#context.plan.properties) ? statementAnswer(answer) : undefined;
    if (said?.isSubmission === true && said.status === 200) {
      this.#lifeOf.set(said.id, this.#context.facts.livesOf(answer.to));
    }
    if (task?.what === "task" && response.status === 200 && request.method !== "POST") {
      this.#task(json() as Task);
    }
  }

  note({ place, detail }: Note): void {
    const { facts, plan } = this.#context;
    const asked = place === plan.coordinator.name ? /\/v1\/statement\/([^/?]+)\/\d/.exec(detail)?.[1] : undefined;
    const isSubmission = place === plan.coordinator.name && submission.test(detail);
    if (asked === undefined && !isSubmission) {
      return;
    }
    const life = facts.livesOf(place);
    if (life !== this.#life) {
      this.#life = life;
      this.#submitted = 0;
      this.#resumed.clear();
    }
    if (isSubmission) {
      this.#submitted += 1;
    } else if (asked !== undefined && (this.#lifeOf.get(asked) ?? life) < life) {
      this.#resumed.add(asked);
    }
  }

  observeTransition({ kind, id, to, incarnation }: Transition): void {
    if (kind !== "query") {
      return;
    }
    this.#startAnew(incarnation);
    this.#finished += to === "FINISHED" ? 1 : 0;
    this.#failed += to === "FAILED" ? 1 : 0;
    if (queryEnds.includes(to)) {
      this.#queries.delete(id);
    } else {
      this.#queries.set(id, to);
    }
  }

  observeClient({ request, response }: ClientAnswer): void {
    if (response.status !== 200 || request.method === "DELETE" || !request.url.includes("/v1/statement")) {
      return;
    }
    const statement = readBody(response.body).json() as Statement;
    if (statement.nextUri === undefined && statement.error === undefined && this.#ended++ % queryEvery === 0) {
      this.#ask<Detail>(`/v1/query/${statement.id}`, (detail) => this.#query(detail, statement));
    }
  }

  look(): void {
    this.#startAnew(this.#context.facts.livesOf(this.#context.plan.coordinator.name));
    if (this.#looks++ % clusterEvery === 0) {
      // A statement may begin and end while the answer is made.
      const counted = (): string => `${this.#finished} ${this.#failed} ${this.#submitted} ${this.#resumed.size}`;
      const before = counted();
      this.#ask<ClusterTotals>("/v1/cluster", (totals) => {
        if (counted() === before) {
          this.#cluster(totals);
        }
      });
    }
  }

  /** A restarted coordinator has none of the queries of its former incarnation, even if it gets no other. */
  #startAnew(incarnation: number): void {
    if (incarnation !== this.#incarnation) {
      this.#incarnation = incarnation;
      this.#finished = 0;
      this.#failed = 0;
      this.#queries.clear();
    }
  }

  /** Asks the coordinator without a message and without simulated time. */
  #ask<Document>(url: string, then: (document: Document) => void): void {
    const node = this.#context.node(this.#context.plan.coordinator.name);
    void node?.handle({ method: "GET", url, headers: {}, body: new Uint8Array(0) }, nobody).then(({ status, body }) => {
      if (status === 200) {
        then(readBody(body).json() as Document);
      }
    });
  }

  #cluster({ finishedQueries, failedQueries, runningQueries, queuedQueries, activeWorkers }: ClusterTotals): void {
    const node = this.#context.node(this.#context.plan.coordinator.name);
    this.#equal("finishedQueries of the cluster", finishedQueries, this.#finished);
    this.#equal("failedQueries of the cluster", failedQueries, this.#failed);
    // A query that has not left QUEUED has made no transition yet. It may be admitted all the same.
    const open = this.#submitted + this.#resumed.size - this.#finished - this.#failed;
    const started = this.#queries.size;
    const running = [...this.#queries.values()].filter((state) => state === "RUNNING" || state === "FINISHING").length;
    this.#check(
      running <= runningQueries && started <= runningQueries + queuedQueries && runningQueries + queuedQueries <= open,
      () =>
        `runningQueries of the cluster is ${runningQueries}, queuedQueries ${queuedQueries}; ${started} have started, ${running} are running, ${open} are open`,
    );
    this.#equal("activeWorkers of the cluster", activeWorkers, node?.cluster?.activeWorkers().length ?? activeWorkers);
  }

  #task({ taskId, state, stats, outputBuffers }: Task): void {
    const { pipelines } = stats;
    const inPipelines = pipelines.reduce((total, { memoryReservation }) => total + size(memoryReservation), 0);
    this.#check(
      inPipelines <= size(stats.memoryReservation) * (1 + roundingShare) + pipelines.length * 6,
      () => `${taskId} holds ${stats.memoryReservation}, and its pipelines ${inPipelines} bytes`,
    );
    this.#check(
      !isOver(state) || size(stats.memoryReservation) === 0,
      () => `${taskId} is ${state} and still holds ${stats.memoryReservation}`,
    );
    this.#check(
      size(stats.queuedTime) <= size(stats.elapsedTime) * (1 + roundingShare) + 10,
      () => `${taskId} was queued for ${stats.queuedTime} and exists for ${stats.elapsedTime}`,
    );
    const sum = (holds: (pipeline: Pipeline) => boolean, name: (typeof counted)[number]): number =>
      pipelines.filter(holds).reduce((total, pipeline) => total + pipeline[name], 0);
    this.#equal(
      `rawInputPositions of ${taskId}`,
      stats.rawInputPositions,
      sum(({ inputPipeline }) => inputPipeline, "rawInputPositions"),
    );
    this.#equal(
      `outputPositions of ${taskId}`,
      stats.outputPositions,
      sum(({ outputPipeline }) => outputPipeline, "outputPositions"),
    );
    this.#check(
      stats.outputPositions > 0 || outputBuffers.pagesAdded === 0,
      () => `${taskId} gave ${stats.outputPositions} rows in ${outputBuffers.pagesAdded} pages`,
    );
    for (const [index, pipeline] of pipelines.entries()) {
      this.#pipeline(`pipeline ${index} of ${taskId}`, pipeline, state);
    }
  }

  #pipeline(who: string, pipeline: Pipeline, state: string): void {
    const { operatorSummaries, memoryReservation, outputPositions, outputPipeline } = pipeline;
    this.#distribution(`queuedTime of ${who}`, pipeline.queuedTime, pipeline.totalDrivers);
    this.#distribution(`elapsedTime of ${who}`, pipeline.elapsedTime, pipeline.totalDrivers);
    this.#near(
      `the memory of ${who}, by operators,`,
      [memoryReservation],
      operatorSummaries.map((operator) => operator.memoryReservation),
    );
    operatorSummaries.forEach((operator, index) => {
      const next = operatorSummaries[index + 1];
      if (next !== undefined && state !== "FAILED" && state !== "ABORTED") {
        this.#check(
          operator.outputPositions === next.inputPositions,
          () =>
            `in ${who} ${operator.operatorType} gave ${operator.outputPositions} rows and ${next.operatorType} took ${next.inputPositions}`,
        );
      }
    });
    const last = operatorSummaries.at(-1);
    this.#check(
      !outputPipeline || last === undefined || last.inputPositions === outputPositions,
      () => `${who} says that it gave ${outputPositions} rows; its ${last?.operatorType ?? ""} took ${last?.inputPositions ?? 0}`,
    );
  }

  /** Quantiles rise from the least to the largest value; those of one value are that value. A scan without splits has one driver. */
  #distribution(name: string, distribution: Distribution, most: number): void {
    const { count, total, min, max, p01, p05, p10, p25, p50, p75, p90, p95, p99 } = distribution;
    const marks = [min, p01, p05, p10, p25, p50, p75, p90, p95, p99, max];
    const rises = marks.every((mark, index) => mark >= (marks[index - 1] ?? 0));
    const fits = total >= min * count - 1 && total <= max * count + 1 && (count > 0 || max === 0) && count <= Math.max(1, most);
    const isOne = count !== 1 || (Math.abs(p50 - total) <= 1 && min === max);
    this.#check(rises && fits && isOne, () => `${name} has ${count} values of ${most} drivers, in all ${total}, at ${marks.join(" ")}`);
  }

  #query(detail: Detail, { id, stats, warnings = [] }: Statement): void {
    const { queryStats, outputStage } = detail;
    if (outputStage === undefined || detail.state !== "FINISHED" || detail.completeInfo === false) {
      return;
    }
    const stages = [outputStage];
    for (const stage of stages) {
      stages.push(...(stage.subStages ?? []));
    }
    // A query may end before the last documents of its tasks have come, or any. Its sums are newer then.
    const hasAll = ({ tasks, stageStats }: Partial<Stage>): boolean =>
      tasks?.length === stageStats?.totalTasks && tasks?.every(({ state }) => isOver(state)) === true;
    if (!stages.every(hasAll)) {
      return;
    }
    const early = new Set<string>();
    // A user has ended a stage: nobody takes the pages that it still makes.
    const isCut = warnings.some(({ warningCode }) => warningCode.name === "PARTIAL_RESULT_WARNING");
    for (const stage of stages) {
      // What reads a stage that ends early may leave it, and it leaves what it reads.
      if (isCut || endsEarly(stage) || early.has(stage.stageId)) {
        early.add(stage.stageId);
        for (const { stageId } of stage.subStages ?? []) {
          early.add(stageId);
        }
      }
    }
    for (const stage of stages) {
      this.#stage(stage, early.has(stage.stageId));
    }
    const total = (name: (typeof counted)[number]): number => stages.reduce((sum, { stageStats }) => sum + stageStats[name], 0);
    this.#equal(
      `totalTasks of ${id}`,
      queryStats.totalTasks,
      stages.reduce((sum, { tasks = [] }) => sum + tasks.length, 0),
    );
    this.#equal(`totalDrivers of ${id}`, queryStats.totalDrivers, total("totalDrivers"));
    this.#equal(`completedDrivers of ${id}`, queryStats.completedDrivers, total("completedDrivers"));
    const scanning = stages.filter(({ plan }) => JSON.stringify(plan.root).includes('"kind":"TableScan"'));
    this.#check(
      queryStats.rawInputPositions === scanning.reduce((sum, { stageStats }) => sum + stageStats.rawInputPositions, 0),
      () => `rawInputPositions of ${id} is ${queryStats.rawInputPositions}, of the stages that scan it is not`,
    );
    this.#equal(`outputPositions of ${id}`, queryStats.outputPositions, outputStage.stageStats.outputPositions);
    this.#near(
      `totalCpuTime of ${id}`,
      [queryStats.totalCpuTime],
      stages.map(({ stageStats }) => stageStats.totalCpuTime),
    );
    this.#told(`splits of ${id}`, stats.totalSplits, queryStats.totalDrivers, stats);
    this.#told(`completed splits of ${id}`, stats.completedSplits, queryStats.completedDrivers, stats);
    this.#told(`processed rows of ${id}`, stats.processedRows, queryStats.rawInputPositions, stats);
    const elapsedMs = size(queryStats.elapsedTime) / nanosPerMs;
    // Older builds do not tell it.
    const { elapsedTimeMillis = elapsedMs } = stats;
    this.#check(
      Math.abs(elapsedMs - elapsedTimeMillis) <= 1 + elapsedMs * roundingShare,
      () => `${id} took ${queryStats.elapsedTime}, for its client ${elapsedTimeMillis} ms`,
    );
  }

  #stage({ stageId, state, stageStats, tasks = [], subStages = [], plan }: Stage, isEarly: boolean): void {
    this.#equal(`totalTasks of ${stageId}`, stageStats.totalTasks, tasks.length);
    if (tasks.length === 0) {
      this.#constants({ stageId, stageStats, subStages, plan });
      return;
    }
    // The numbers of a task do not fall when it runs again, and its document is that of its last run.
    const hasReruns = this.#context.facts.hasReruns(stageId);
    for (const name of hasReruns ? [] : counted) {
      const sum = tasks.reduce((total, { stats }) => total + stats[name], 0);
      this.#equal(`${name} of ${stageId}`, stageStats[name], sum);
    }
    for (const name of hasReruns ? [] : measured) {
      this.#near(
        `${name} of ${stageId}`,
        [stageStats[name]],
        tasks.map(({ stats }) => stats[name]),
      );
    }
    for (const task of tasks) {
      this.#task(task);
    }
    for (const below of subStages) {
      if (state === "FINISHED" && below.state === "FINISHED") {
        this.#edge({ stageId, tasks, plan }, below, isEarly);
      }
    }
  }

  /** Only the root of a plan that reads nothing has no task: it has put out rows, as the client's answers say, and that is all. */
  #constants({ stageId, stageStats, subStages = [], plan }: Omit<Stage, "state" | "tasks">): void {
    this.#check(
      stageId.endsWith(".0") && subStages.length === 0 && !reads.test(JSON.stringify(plan.root)),
      () => `${stageId} has no task, but sources`,
    );
    for (const name of counted) {
      this.#check(
        name === "outputPositions" || stageStats[name] === 0,
        () => `${name} of ${stageId}, which has no task, is ${stageStats[name]}`,
      );
    }
    for (const name of measured) {
      this.#check(
        name === "outputDataSize" || size(stageStats[name]) === 0,
        () => `${name} of ${stageId}, which has no task, is ${stageStats[name]}`,
      );
    }
  }

  /** A stage that has taken all pages of the one below has taken all rows. If it ends early, it leaves rows of the last pages unread. */
  #edge({ stageId, tasks = [], plan }: Pick<Stage, "stageId" | "tasks" | "plan">, below: Stage, isEarly: boolean): void {
    const source = fragmentSource(plan.root, Number(below.stageId.split(".")[1]));
    const exchanges = tasks.flatMap(({ stats }) =>
      stats.pipelines.flatMap(({ operatorSummaries }) => operatorSummaries.filter(({ planNodeId, info }) => planNodeId === source && info)),
    );
    const statuses = exchanges.flatMap(({ info }) => info?.pageBufferClientStatuses ?? []);
    // A reader has the first pages of a task that was run again from its former run, at another address.
    const isOf = (uri: string): boolean =>
      uri.includes(`/v1/task/${below.stageId}.`) && !this.#context.facts.isRerun(uri.split("/")[5] ?? "");
    const foreign = statuses.some(({ uri }) => !isOf(uri));
    const taken = statuses.reduce((sum, { pagesReceived }) => sum + pagesReceived, 0);
    const added = (below.tasks ?? []).reduce((sum, { outputBuffers }) => sum + outputBuffers.pagesAdded, 0);
    const given = below.stageStats.outputPositions;
    if (source === undefined || foreign || given === 0 || taken % Math.max(1, added) !== 0) {
      return;
    }
    const copies = taken / Math.max(1, added);
    const rows = exchanges.reduce((sum, { outputPositions }) => sum + outputPositions, 0);
    this.#check(
      rows === given * copies || (isEarly && rows < given * copies),
      () => `${stageId} took all ${taken} pages of ${below.stageId}, which gave ${given} rows to each of ${copies}, and read ${rows}`,
    );
  }

  /**
   * The client's document is older than the detail. It has the same numbers if its splits had been completed, and the coordinator had not
   * given up to wait for documents of tasks.
   */
  #told(name: string, found: number, now: number, { totalSplits, completedSplits, rootStage }: Statement["stats"]): void {
    const isWhole = completedSplits === totalSplits && (rootStage === undefined || !wasAborted(rootStage));
    const isRight = isWhole ? found === now : found <= now;
    this.#check(isRight, () => `${name} were ${found} for the client, and are ${now} in the detail`);
  }

  #equal(name: string, found: number, expected: number): void {
    this.#check(found === expected, () => `${name} is ${found}; the sum of its parts is ${expected}`);
  }

  /** Sizes and durations that are rounded when they are written. */
  #near(name: string, [found = ""]: readonly string[], parts: readonly string[]): void {
    const sum = parts.reduce((total, part) => total + size(part), 0);
    const slack = (size(found) + sum) * roundingShare + parts.length;
    this.#check(Math.abs(size(found) - sum) <= slack, () => `${name} is ${found}; the sum of its parts is ${sum}: ${parts.join(" ")}`);
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

function isOver(state: string): boolean {
  return /^(?:FINISHED|CANCELED|ABORTED|FAILED)$/.test(state);
}

/** Bytes or nanoseconds. */
function size(text: string): number {
  return parseDataSize(text) ?? parseDuration(text) ?? Number.NaN;
}

/** Id of the plan node that reads the fragment and no other. */
function fragmentSource(node: unknown, fragmentId: number): string | undefined {
  const text = JSON.stringify(node);
  return new RegExp(`"kind":"RemoteSource","id":"(\\w+)","fragmentIds":\\[${fragmentId}\\]`).exec(text)?.[1];
}

const nobody: RequestContext = {
  remoteAddress: "model",
  baseUri: "http://c:8080",
  isAborted: () => false,
  onAbort: () => undefined,
};

export const conservation: ModelKind = {
  invariant: {
    name: "conservation",
    sentence:
      "Rows, splits, bytes and times are conserved from operator to operator, from task to stage to query, and from a stage to its consumers; the statement, the query's detail and the cluster's totals tell the same.",
    kind: "safety",
    checkedIn: "checkers/models/node/conservation.ts",
  },
  create: (context) => new ConservationModel(context),
};

/** A stage needs no more rows before its sources end if it has a limit, or a build side without rows, which no row matches. */
function endsEarly({ plan, tasks = [] }: Stage): boolean {
  const isEmpty = ({ operatorType, inputPositions }: Operator): boolean => builds.test(operatorType) && inputPositions === 0;
  return (
    limits.test(JSON.stringify(plan.root)) ||
    tasks.some(({ stats }) => stats.pipelines.some(({ operatorSummaries }) => operatorSummaries.some(isEmpty)))
  );
}
