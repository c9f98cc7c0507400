/**
 * What the coordinator tells of a query that has ended, written from docs/interface.md (Query and cluster; section 2.7 of the interface):
 * - The detail has the text and the session that the client sent, without prepared statements once the query has ended, and its columns.
 * - Its times are those of the coordinator's clock: created when the statement came, queued until it was planned, over at its end.
 * - Its counters are the sums of its stages, nothing runs and nothing is held any more; an error is the one that the client was told.
 * - It tells the changes of the client's session that the headers of the client's last answer told.
 * - Its tasks are those of its last attempt, with the documents with which they answered their deletion, if the answer came.
 * - The list says the same as the detail, member by member, and so does the statement's last document.
 */
import { shownText } from "../shown-text.ts";
import type { HttpResponse } from "../../../../src/ports/network.ts";
import { parseDataSize, parseDuration } from "../../../../src/protocol/units.ts";
import { recoversQueries } from "../../../properties.ts";
import { nanosPerMs } from "../../../world/world.ts";
import { readBody } from "../../protocol/bodies.ts";
import { headerOf, type Observed } from "../../protocol/wire.ts";
import { askedUri, askInside } from "../inside.ts";
import type { ClientAnswer, Judged, Model, ModelKind, Note, Transition } from "../model.ts";
import { submittedSession } from "../statement/answer.ts";

/** One in this many ended queries is looked at. */
const queryEvery = 8;
const roundingShare = 0.006;
/** A list has at least so much of each statement. */
const listedTextLength = 1_000;
const families = ["x-engine", "x-presto", "x-trino"];
const summed = [
  "totalScheduledTime",
  "totalCpuTime",
  "totalBlockedTime",
  "processedInputDataSize",
  "processedInputPositions",
  "queuedDrivers",
  "runningDrivers",
] as const;

/** Headers of a statement's last answer, and the member of the detail that tells the same. */
const sessionChanges = [
  ["set-catalog", "setCatalog"],
  ["set-schema", "setSchema"],
  ["set-path", "setPath"],
  ["set-session", "setSessionProperties"],
  ["clear-session", "resetSessionProperties"],
  ["set-role", "setRoles"],
  ["added-prepare", "addedPreparedStatements"],
  ["deallocated-prepare", "deallocatedPreparedStatements"],
  ["started-transaction-id", "startedTransactionId"],
  ["clear-transaction-id", "clearTransactionId"],
] as const;

type Members = Readonly<Record<string, unknown>>;

interface Final {
  readonly taskId: string;
  readonly taskInstanceId?: string;
  readonly state: string;
  readonly version: number;
}

interface Stage {
  readonly stageId: string;
  readonly state: string;
  readonly self?: string;
  readonly types: readonly string[];
  readonly plan: { readonly id: string; readonly root: unknown; readonly types: readonly string[] };
  readonly stageStats: Members;
  readonly failureCause?: unknown;
  readonly tasks?: readonly Final[];
  readonly subStages?: readonly Stage[];
}

interface Detail {
  readonly queryId: string;
  readonly state: string;
  readonly query: string;
  readonly self: string;
  readonly fieldNames: readonly string[];
  readonly session: Members & { readonly preparedStatements?: object };
  readonly queryStats: Members;
  readonly outputStage?: Partial<Stage>;
  readonly failureInfo?: unknown;
  readonly errorCode?: { readonly name: string };
  readonly completeInfo?: boolean;
  readonly waitReason?: string;
}

interface Statement {
  readonly id: string;
  readonly nextUri?: string;
  readonly columns?: readonly { readonly name: string }[];
  readonly stats: Members;
  readonly error?: { readonly errorName: string };
}

interface Submitted {
  readonly sql: string;
  readonly session: Readonly<Record<string, string | undefined>>;
  /** Session properties without a catalog. */
  readonly properties: Readonly<Record<string, string>>;
  /** Undefined for a query of a former coordinator, whose clock began with it. */
  readonly createdNanos: number | undefined;
  /** A coordinator that started again went on with it. */
  readonly isRecovered: boolean;
}

class QueryDocumentModel implements Model {
  readonly notes = ["serve", "start", "request", "answer", "log-info"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #submitted = new Map<string, Submitted>();
  /** Times of the coordinator's clock, by query and state. */
  readonly #reached = new Map<string, number>();
  /** The coordinator's clock at the arrival of submissions, by the world's time. */
  readonly #arrivals = new Map<number, number>();
  /** Last documents of tasks, where they were made, by place and task; those that the coordinator has received, by task. */
  readonly #made = new Map<string, Final>();
  readonly #received = new Map<string, Final>();
  /** Tasks by place and task that an update of this life of the coordinator was refused for: they are of a former one. */
  readonly #refused = new Set<string>();
  /** Deletions in flight, by message. */
  readonly #deletions = new Map<string, string>();
  /** Queries that have run again. Their documents have the tasks of the last attempt. */
  readonly #again = new Set<string>();
  #leases = 0;
  readonly #hasSteps: boolean;
  readonly #goOn: boolean;
  #ended = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
    this.#goOn = recoversQueries(context.plan.properties);
    this.#hasSteps = context.plan.faults.some(({ kind }) => kind.startsWith("clock"));
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (place !== this.#coordinator) {
      return;
    }
    if (kind === "start") {
      this.#restarted();
      this.#reached.clear();
      this.#arrivals.clear();
      this.#received.clear();
      this.#refused.clear();
    } else if (kind === "log-info" && detail.startsWith("lease-acquired ")) {
      // What had come to a coordinator on stand-by begins now.
      this.#arrivals.clear();
      this.#leases++;
    } else if (kind === "log-info") {
      const [, queryId] = /^query-attempt-(?:lost|given-up) .*"queryId":"([^"]+)"/.exec(detail) ?? [];
      if (queryId !== undefined) {
        this.#again.add(queryId);
      }
    } else if (kind !== "serve") {
      this.#deletion(kind, detail);
    } else if (detail.includes(" statement-submit ")) {
      this.#arrivals.set(nowNanos, this.#context.localNanos(place));
    }
  }

  /** Queries of the former coordinator are forgotten, or go on with the statement and the session of their record. */
  #restarted(): void {
    for (const [id, submitted] of this.#submitted) {
      if (this.#goOn) {
        this.#submitted.set(id, { ...submitted, createdNanos: undefined, isRecovered: true });
      } else {
        this.#submitted.delete(id);
      }
    }
  }

  #deletion(kind: string, detail: string): void {
    if (!detail.includes(" task-delete ")) {
      return;
    }
    const [message = "", link = "", , status = "", path = ""] = detail.split(" ", 5);
    if (kind === "request") {
      this.#deletions.set(message, `${link.split(">")[1] ?? ""} ${path.split(/[/?]/)[3] ?? ""}`);
      return;
    }
    const key = this.#deletions.get(message) ?? "";
    const final = this.#made.get(key);
    this.#deletions.delete(message);
    if (status === "200" && final !== undefined && !this.#refused.has(key)) {
      this.#received.set(final.taskId, final);
    }
  }

  observeTransition({ kind, place, id, to }: Transition): void {
    if (kind === "query") {
      this.#reached.set(`${id} ${to === "FINISHED" || to === "FAILED" ? "end" : to}`, this.#context.localNanos(place));
    }
  }

  observe({ to, path, task, request, response, arrivedNanos, json }: Observed): void {
    if (task?.what === "task" && request.method === "POST" && response.status === 410) {
      this.#refused.add(`${to} ${task.taskId}`);
    }
    if (task?.what === "task" && request.method === "DELETE" && response.status === 200) {
      const { taskId, taskInstanceId, state, version } = json() as Final;
      this.#made.set(`${to} ${taskId}`, { taskId, ...(taskInstanceId === undefined ? {} : { taskInstanceId }), state, version });
      return;
    }
    if (to !== this.#coordinator || response.status !== 200 || !path.startsWith("/v1/statement") || request.body.length === 0) {
      return;
    }
    const { id } = json() as Statement;
    const sent = submittedSession(request);
    if (!this.#submitted.has(id) && sent !== undefined) {
      const { properties, sql, ...session } = sent;
      const createdNanos = this.#arrivals.get(arrivedNanos);
      this.#submitted.set(id, { sql, session, properties, createdNanos, isRecovered: false });
    }
  }

  observeClient({ request, response }: ClientAnswer): void {
    if (response.status !== 200 || request.method === "DELETE" || !request.url.includes("/v1/statement")) {
      return;
    }
    const statement = readBody(response.body).json() as Statement;
    const submitted = this.#submitted.get(statement.id);
    if (statement.nextUri !== undefined || submitted === undefined) {
      return;
    }
    if (this.#ended++ % queryEvery !== 0 && !submitted.isRecovered) {
      return;
    }
    this.#ask<Detail>(`/v1/query/${statement.id}`, (detail) => {
      this.#detail(detail, submitted, statement);
      // The answer to a submission has no such headers in two families, and a statement that fails changes nothing but its transaction.
      if (request.method === "GET" && statement.error === undefined) {
        this.#changes(detail, response.headers);
      }
      this.#ask<readonly Detail[]>(`/v1/query?search=${statement.id}`, (listed) => this.#listed(listed, detail));
    });
  }

  #ask<Document>(url: string, then: (document: Document) => void): void {
    void askInside(this.#context.node(this.#coordinator), url).then((told) => {
      if (told?.status === 200) {
        then(told.json() as Document);
      }
    });
  }

  #detail(detail: Detail, submitted: Submitted, statement: Statement): void {
    const { queryId, queryStats } = detail;
    const { sql, createdNanos } = submitted;
    this.#session(detail, submitted);
    this.#check(
      detail.query === shownText(sql) && detail.self === `${askedUri}/v1/query/${statement.id}` && queryId === statement.id,
      () => `${statement.id} calls itself ${queryId} at ${detail.self}, with the text ${detail.query}; its client sent ${sql}`,
    );
    this.#check(
      Object.keys(detail.session.preparedStatements ?? {}).length === 0 && detail.waitReason === undefined,
      () => `${queryId} has ended, keeps prepared statements and waits for ${String(detail.waitReason)}`,
    );
    const names = statement.columns?.map(({ name }) => name).join();
    this.#check(
      names === undefined || names === detail.fieldNames.join(),
      () => `${queryId} has the columns ${detail.fieldNames.join()}, for its client ${String(names)}`,
    );
    this.#check(
      detail.errorCode?.name === statement.error?.errorName && (detail.failureInfo !== undefined) === (detail.state === "FAILED"),
      () =>
        `${queryId} is ${detail.state} with ${String(detail.errorCode?.name)}; its client was told ${String(statement.error?.errorName)}`,
    );
    this.#times(queryId, queryStats, createdNanos);
    this.#told(queryId, queryStats, statement);
    const { stageId } = detail.outputStage ?? {};
    if (stageId !== undefined) {
      this.#stages(detail, detail.outputStage as Stage);
    }
  }

  #session({ queryId, session: shown }: Detail, { properties, session, sql }: Submitted): void {
    for (const [name, sent] of Object.entries(session)) {
      this.#check(
        sent === undefined || sent === "" || /[^ -~]|%/.test(sent) || shown[name] === sent,
        () => `the session of ${queryId} has ${name} ${String(shown[name])}; its client sent ${String(sent)}`,
      );
    }
    const kept = (shown["systemProperties"] ?? {}) as Members;
    for (const [name, sent] of sql.includes("WITH SESSION") ? [] : Object.entries(properties)) {
      this.#check(kept[name] === sent, () => `the session of ${queryId} has ${name} ${String(kept[name])}; its client sent ${sent}`);
    }
    this.#check(
      shown["queryId"] === undefined || shown["queryId"] === queryId,
      () => `the session of ${queryId} is that of ${String(shown["queryId"])}`,
    );
  }

  #changes(detail: Detail, headers: HttpResponse["headers"]): void {
    const members = detail as unknown as Members;
    for (const [header, member] of sessionChanges) {
      const told = families.map((family) => headerOf(headers, `${family}-${header}`)).find((value) => value !== undefined);
      const kept = members[member];
      const isKept = typeof kept === "object" && kept !== null ? Object.keys(kept).length > 0 : kept !== undefined && kept !== false;
      this.#check(
        isKept === (told !== undefined) && (header !== "started-transaction-id" || kept === told),
        () => `${detail.queryId} has ${member} ${JSON.stringify(kept)}; its client was told ${header} ${String(told)}`,
      );
    }
  }

  #times(id: string, stats: Members, createdNanos: number | undefined): void {
    const [elapsed, queued, analysis, execution] = ["elapsedTime", "queuedTime", "analysisTime", "executionTime"].map((name) =>
      amount(stats[name]),
    ) as [number, number, number, number];
    const endNanos = this.#reached.get(`${id} end`);
    const planning = this.#reached.get(`${id} PLANNING`) ?? endNanos;
    const planned = this.#reached.get(`${id} STARTING`) ?? this.#reached.get(`${id} RUNNING`) ?? endNanos;
    if (createdNanos !== undefined && endNanos !== undefined && planning !== undefined && planned !== undefined) {
      const real = [endNanos - createdNanos, planning - createdNanos, planned - planning] as const;
      this.#check(
        near(elapsed, real[0]) && near(queued, real[1]) && near(analysis, real[2]),
        () =>
          `${id} took ${String(stats["elapsedTime"])}, ${String(stats["queuedTime"])} of it queued and ${String(stats["analysisTime"])} ` +
          `planning; by the clock of its coordinator ${real.join(", ")} ns`,
      );
    }
    this.#check(
      // Older builds do not tell it.
      stats["executionTime"] === undefined || Math.abs(execution + queued - elapsed) <= elapsed * 3 * roundingShare + 30,
      () =>
        `${id} executed for ${String(stats["executionTime"])} of ${String(stats["elapsedTime"])}, queued for ${String(stats["queuedTime"])}`,
    );
    const [created, started, ended] = ["createTime", "executionStartTime", "endTime"].map((name) => Date.parse(String(stats[name])));
    if (this.#hasSteps || created === undefined || ended === undefined || started === undefined) {
      return;
    }
    const slack = 3 + (elapsed / nanosPerMs) * roundingShare;
    this.#check(
      Math.abs(ended - created - elapsed / nanosPerMs) <= slack &&
        (Number.isNaN(started) || Math.abs(started - created - (queued + analysis) / nanosPerMs) <= slack),
      () => `${id} took ${String(stats["elapsedTime"])}; it says ${[created, started, ended].map(iso).join(", ")}`,
    );
  }

  /** The client's last document is older than the detail. It has the same numbers if its splits had been completed. */
  #told(id: string, stats: Members, { stats: said, error }: Statement): void {
    if (error !== undefined || said["completedSplits"] !== said["totalSplits"]) {
      return;
    }
    const pairs = [
      ["cpuTimeMillis", amount(stats["totalCpuTime"]) / nanosPerMs],
      ["wallTimeMillis", amount(stats["totalScheduledTime"]) / nanosPerMs],
      ["queuedTimeMillis", amount(stats["queuedTime"]) / nanosPerMs],
      ["peakMemoryBytes", amount(stats["peakTotalMemoryReservation"] ?? stats["peakMemoryReservation"])],
      ["spilledBytes", amount(stats["spilledDataSize"])],
      ["processedBytes", amount(stats["rawInputDataSize"])],
    ] as const;
    for (const [name, now] of pairs) {
      const told = said[name];
      this.#check(
        typeof told !== "number" || Number.isNaN(now) || told <= now * (1 + roundingShare) + 1,
        () => `${name} of ${id} was ${String(told)} for its client, and is ${now} in the detail`,
      );
    }
  }

  #stages({ queryId, queryStats, state, completeInfo, self }: Detail, outputStage: Stage): void {
    const stages = [outputStage];
    for (const stage of stages) {
      stages.push(...(stage.subStages ?? []));
    }
    for (const stage of stages) {
      const { stageId, plan, types, tasks = [], failureCause } = stage;
      this.#check(
        stageId === `${queryId}.${plan.id}` &&
          (stage.self ?? `/v1/stage/${stageId}`).endsWith(`/v1/stage/${stageId}`) &&
          types.join() === plan.types.join() &&
          tasks.every(({ taskId }) => taskId.startsWith(`${stageId}.`)),
        () => `stage ${stageId} of ${self} is that of plan ${plan.id}, with the tasks ${tasks.map(({ taskId }) => taskId).join()}`,
      );
      this.#check(
        (stage.state === "FAILED") === (failureCause !== undefined),
        () => `${stageId} is ${stage.state}, with the failure ${JSON.stringify(failureCause)}`,
      );
      // The stage of a query that failed may wait for the ends of its tasks.
      this.#check(state !== "FINISHED" || isOver(stage.state), () => `${queryId} is FINISHED and its stage ${stageId} is ${stage.state}`);
    }
    const told = completeInfo === false ? undefined : new Map(stages.flatMap(({ tasks = [] }) => tasks).map((task) => [task.taskId, task]));
    for (const final of told === undefined ? [] : this.#received.values()) {
      const task = final.taskId.startsWith(`${queryId}.`) ? told?.get(final.taskId) : final;
      // The former owner of a lease may still receive what its own attempt tells.
      const hasOthers = this.#again.has(queryId) || this.#leases > 1 || this.#context.facts.hasReruns(queryId);
      const isOther = task === undefined ? hasOthers : task.taskInstanceId !== final.taskInstanceId;
      this.#check(
        isOther || (task?.version === final.version && task.state === final.state),
        () =>
          `${final.taskId} is ${String(task?.state)} in version ${String(task?.version)} in the detail; it told ${final.state}, ${final.version}`,
      );
    }
    const hasAll = ({ tasks, stageStats }: Partial<Stage>): boolean =>
      tasks?.length === stageStats?.["totalTasks"] && tasks?.every((task) => isOver(task.state)) === true;
    const isWhole = completeInfo !== false && stages.every(hasAll);
    if (!isWhole || state !== "FINISHED") {
      return;
    }
    for (const name of summed) {
      const scans = name.startsWith("processed")
        ? stages.filter(({ plan }) => JSON.stringify(plan.root).includes('"kind":"TableScan"'))
        : stages;
      const parts = scans.map(({ stageStats }) => amount(stageStats[name]));
      this.#check(
        Math.abs(parts.reduce((sum, part) => sum + part, 0) - amount(queryStats[name])) <=
          amount(queryStats[name]) * 2 * roundingShare + parts.length,
        () => `${name} of ${queryId} is ${String(queryStats[name])}, of its stages ${parts.join(" ")}`,
      );
    }
    const idle = ["runningTasks", "queuedDrivers", "runningDrivers", "totalMemoryReservation", "userMemoryReservation"];
    const busy = idle.filter((name) => amount(queryStats[name] ?? 0) !== 0);
    this.#check(
      busy.length === 0 && queryStats["completedTasks"] === queryStats["totalTasks"],
      () => `${queryId} is FINISHED, with ${busy.join()} and ${String(queryStats["completedTasks"])} ended tasks`,
    );
    const [done, all, percent] = ["completedDrivers", "totalDrivers", "progressPercentage"].map((name) => queryStats[name]) as number[];
    this.#check(
      percent === undefined || Math.abs(percent - (100 * (done ?? 0)) / (all ?? 1)) < 0.01,
      () => `${queryId} has done ${String(percent)} % with ${String(done)} of ${String(all)} splits`,
    );
    this.#check(
      queryStats["outputDataSize"] === outputStage.stageStats["outputDataSize"],
      () => `${queryId} gave ${String(queryStats["outputDataSize"])}, its root stage ${String(outputStage.stageStats["outputDataSize"])}`,
    );
  }

  #listed(listed: readonly Detail[], detail: Detail): void {
    const found = listed.filter(({ queryId }) => queryId === detail.queryId);
    if (found.length === 0) {
      // Its client has had its end, and the next query that ended took its place: only the history has it, and pages have the history.
      this.#ask<readonly Detail[]>(`/v1/query?search=${detail.queryId}&limit=1`, (page) =>
        this.#check(
          page[0]?.queryId === detail.queryId && isTextOf(page[0].query, detail.query),
          () => `${detail.queryId} has a detail and is not in the list, which has ${String(page[0]?.queryId)} ${String(page[0]?.query)}`,
        ),
      );
    }
    this.#check(found.length <= 1, () => `${detail.queryId} is ${found.length} times in the list`);
    const [row] = found;
    if (row === undefined || !isOver(row.state) || row.completeInfo === false) {
      return;
    }
    const differs = (a: Members, b: Members): readonly string[] =>
      Object.keys(a).filter((name) => b[name] !== undefined && typeof a[name] !== "object" && a[name] !== b[name]);
    const { query, ...plain } = row;
    const wrong = [
      ...differs(plain as unknown as Members, detail as unknown as Members),
      ...differs(row.session, detail.session),
      ...differs(row.queryStats, detail.queryStats),
      ...(isTextOf(query, detail.query) ? [] : ["query"]),
    ];
    this.#check(wrong.length === 0, () => `the list and the detail of ${detail.queryId} differ in ${wrong.join()}`);
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

/** The whole statement, or its first thousand characters. */
function isTextOf(listed: string, text: string): boolean {
  return text === listed || (listed.length >= listedTextLength && text.startsWith(listed));
}

/** Of a header `name=value,name=value` with encoded values. */
function isOver(state: string): boolean {
  return /^(?:FINISHED|CANCELED|ABORTED|FAILED)$/.test(state);
}

function iso(millis: number): string {
  return Number.isNaN(millis) ? "nothing" : new Date(millis).toISOString();
}

/** Bytes, nanoseconds, or a number as it is. */
function amount(value: unknown): number {
  if (typeof value === "number") {
    return value;
  }
  const text = String(value);
  return (text.endsWith("B") ? parseDataSize(text) : parseDuration(text)) ?? Number.NaN;
}

function near(told: number, nanos: number): boolean {
  return Math.abs(told - nanos) <= nanos * roundingShare + 10;
}

export const queryDocuments: ModelKind = {
  invariant: {
    name: "query-documents",
    sentence:
      "The detail of an ended query has what its client sent, the changes of the session that its client was told, the times of the coordinator's clock and the sums of its stages; nothing of it runs or is held; the list and the statement's last document say the same.",
    kind: "safety",
    checkedIn: "checkers/models/query/query-documents.ts",
  },
  create: (context) => new QueryDocumentModel(context),
};
