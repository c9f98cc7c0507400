/**
 * Observes a run and records which coverage goals and pairs it reached. It receives the world's notes, the responses on the wire and the
 * state transitions; it reads the state of tasks from nodes, and never changes anything.
 */
import type { OrreryNode } from "../../src/node.ts";
import type { HttpRequest } from "../../src/ports/network.ts";
import { readBody } from "../checkers/protocol/bodies.ts";
import { causes } from "../checkers/causes.ts";
import type { Observed } from "../checkers/protocol/wire.ts";
import { headerOf, taskTarget } from "../checkers/protocol/wire.ts";
import type { Goal } from "./goals.ts";
import { type QueryStory, type TaskStory, unheardQuery } from "./stories.ts";
import { faultPair, type lossPoints, messagePair, nodeMessages, operatorPair, operators, queryMessages, taskMessages } from "./pairs.ts";

export interface CoverageOptions {
  readonly coordinator: string;
  readonly node: (name: string) => OrreryNode | undefined;
  readonly nowNanos: () => number;
}

const taskLabels: ReadonlySet<string> = new Set(taskMessages);
const nodeLabels: ReadonlySet<string> = new Set(nodeMessages);
const queryLabels: ReadonlySet<string> = new Set(queryMessages);
const ends: ReadonlySet<string> = new Set(["FINISHED", "FAILED"]);
const justEndedNanos = 1e9;
const manyPages = 100;
/** Lifetime of an announcement: the default of discovery.max-age. */
const announcedNanosMax = 15e9;
const messagePattern = /^m(\d+) ([^> ]+)>(\S+) (\S+)(?: (\S+) (\S+))?/;
const plainKinds = operators.filter((operator) => !operator.startsWith("Join ")).join("|");
const nodeKinds = new RegExp(`"kind":"(${plainKinds})"|"kind":"Join"[^{}\\]]{0,80}?"type":"(INNER|LEFT|RIGHT|FULL)"`, "g");

export class Coverage {
  readonly #options: CoverageOptions;
  readonly #hits = new Set<string>();
  readonly #incarnations = new Map<string, number>();
  readonly #tasks = new Map<string, TaskStory>();
  readonly #queries = new Map<string, QueryStory>();
  readonly #deleted = new Set<string>();
  /** Addresses of task updates and fetches in flight at the sender, by message. */
  readonly #fetches = new Map<string, string>();
  /** Fetches without a response from the receiver, by message: task and place. */
  readonly #readers = new Map<string, string>();
  /** Page addresses whose response was lost. */
  readonly #lostPages = new Set<string>();
  readonly #served = new Set<string>();
  readonly #givenUp = new Set<string>();
  /** Tasks that received dynamic filters, by place and id. */
  readonly #filtered = new Set<string>();
  readonly #updatesLost = new Set<string>();
  readonly #lasting = new Map<string, number>();
  readonly #failedNodes = new Set<string>();
  readonly #announced = new Map<string, { readonly incarnation: string; readonly nanos: number }>();
  readonly #leaving = new Set<string>();
  readonly #asked = new Map<string, number>();
  /** Query of each user's last request. */
  readonly #queryOf = new Map<string, string>();
  #openPolls = 0;

  constructor(options: CoverageOptions) {
    this.#options = options;
  }

  /** The reached goals and pairs, sorted. */
  get hits(): readonly string[] {
    return [...this.#hits].sort((a, b) => (a < b ? -1 : 1));
  }

  #hit(goal: Goal): void {
    this.#hits.add(goal);
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string): void {
    switch (kind) {
      case "serve":
        this.#serve(place, detail);
        return;
      case "request":
        if (detail.includes(" statement-")) {
          this.#openPolls++;
        }
        return;
      case "answer":
      case "network-error":
        this.#settled(place, kind, detail);
        return;
      case "respond":
        this.#readers.delete(idOf(detail));
        if (this.#givenUp.size > 0 && this.#givenUp.has(idOf(detail))) {
          this.#hit("answered-too-late");
        }
        return;
      case "timed-out":
        this.#givenUp.add(idOf(detail));
        return;
      case "lost":
        this.#filterLost(detail);
        return;
      case "answer-lost":
      case "answer-reset":
      case "truncated":
        this.#filterLost(detail);
        this.#answerLost(kind, detail);
        return;
      case "overtaken":
        this.#hit("overtaken");
        return;
      case "turned-away":
        this.#turnedAway(detail);
        return;
      case "start":
        this.#incarnations.set(place, (this.#incarnations.get(place) ?? 0) + 1);
        this.#leaving.delete(place);
        return;
      case "crash":
      case "stopped":
        this.#lost(place);
        return;
      case "fault":
        this.#fault(detail);
        return;
      case "heal":
        this.#lasting.delete(detail);
        return;
      case "disk-error":
        this.#hit("disk-failed");
        return;
      case "corrupt-read":
        this.#hit("disk-gave-other-bytes");
        return;
      case "upgrade":
        this.#hit("upgraded");
        return;
      case "end":
        this.#ended(place, detail);
        return;
      case "log-info":
        if (detail.startsWith("shutdown-started")) {
          this.#leaving.add(place);
          if (this.#liveTasks(place).length > 0) {
            this.#hit("drained-with-tasks");
          }
        }
    }
  }

  #turnedAway(detail: string): void {
    if (detail.includes(" statement-")) {
      this.#hit("client-turned-away");
    } else if (messagePattern.exec(detail)?.[2] === this.#options.coordinator) {
      this.#hit("worker-turned-away");
    }
  }

  observeTransition(kind: string, id: string, to: string): void {
    if (kind !== "query") {
      return;
    }
    const query = this.#query(id);
    query.state = to;
    if (to === "WAITING_FOR_RESOURCES") {
      this.#hit("waited-for-workers");
    }
    if (ends.has(to)) {
      query.endedNanos = this.#options.nowNanos();
      this.#end(to, query);
    }
    const running = [...this.#queries.values()].filter(({ state }) => state === "RUNNING").length;
    if (running >= 2) {
      this.#hit("two-queries");
    }
    if (running >= 6) {
      this.#hit("six-queries");
    }
  }

  #end(to: string, query: QueryStory): void {
    if (to === "FINISHED" && query.lossSince) {
      this.#hit("finished-despite-loss");
    }
    if (to === "FINISHED" && query.cut) {
      this.#hit("stage-ended-and-finished");
    }
    if (to === "FINISHED" && query.lostPage) {
      this.#hit("finished-despite-lost-page");
    }
    if (to === "FAILED" && query.left) {
      this.#hit("abandoned");
    }
  }

  observe(answer: Observed): void {
    const { task, request, response, to, path, from } = answer;
    if (task === undefined) {
      this.#other(answer);
      return;
    }
    const key = `${to} ${task.taskId}`;
    if (this.#filtered.has(key) && task.what === "task" && /"dynamicFilteredPositions":[1-9]/.test(answer.text())) {
      this.#hit("rows-left-out");
    }
    if (task.what === "results" && request.method === "GET" && response.status < 300) {
      this.#page(key, answer);
    } else if (task.what === "task" && request.method === "POST" && response.status === 200) {
      this.#created(key, answer);
    } else if (task.what === "task" && request.method === "DELETE" && response.status === 200) {
      const story = this.#tasks.get(key);
      if (story !== undefined) {
        story.deleted = true;
      }
      this.#deleted.add(this.#lived(to, task.taskId));
    } else if (
      response.status === 404 &&
      (this.#incarnations.get(to) ?? 0) > 1 &&
      from === this.#options.coordinator &&
      path.endsWith("/status")
    ) {
      this.#hit("task-unknown-in-next-life");
    }
  }

  /** Inspects outputs on disk inside the nodes, periodically. */
  look(
    place: string,
    tasks: readonly { readonly taskId: string; readonly output: { readonly bufferedBytes: number; readonly memoryBytes?: number } }[],
  ): void {
    for (const { taskId, output } of tasks) {
      const story = this.#tasks.get(`${place} ${taskId}`);
      if (story !== undefined && output.bufferedBytes > (output.memoryBytes ?? output.bufferedBytes)) {
        story.spilled = true;
        this.#hit("spilled");
      }
    }
  }

  #serve(place: string, detail: string): void {
    const [, id = "", , , sent = "", method = "", url = ""] = messagePattern.exec(detail) ?? [];
    const label = sent.replace(/-again$/, "");
    const path = url.split("?", 1)[0] ?? "";
    const isAgain = this.#served.has(id);
    if (isAgain) {
      this.#hit("served-twice");
    }
    this.#served.add(id);
    if (nodeLabels.has(label) && place !== this.#options.coordinator) {
      this.#hits.add(messagePair(label, this.#nodeState(place)));
      if ((this.#incarnations.get(place) ?? 0) > 1) {
        this.#hits.add(messagePair(label, "restarted"));
      }
    }
    if (taskLabels.has(label)) {
      this.#serveTask(place, { id, label, path, method, isAgain });
    } else if (queryLabels.has(label)) {
      this.#serveQuery(place, label, path);
    }
  }

  #nodeState(place: string): string {
    const node = this.#options.node(place);
    return node === undefined || !node.isReady ? "not yet ready" : node.state;
  }

  #serveTask(
    place: string,
    serve: { readonly id: string; readonly label: string; readonly path: string; readonly method: string; readonly isAgain: boolean },
  ): void {
    const { id, label, path, method, isAgain } = serve;
    const target = taskTarget(path);
    if (target === undefined) {
      return;
    }
    const state = this.#options.node(place)?.taskState(target.taskId);
    const isDeleted = state === undefined && this.#deleted.has(this.#lived(place, target.taskId));
    this.#hits.add(messagePair(label, state ?? (isDeleted ? "deleted" : "unknown")));
    if (!isAgain && (label === "task-update" || label === "exchange-fetch")) {
      this.#fetches.set(id, `${place}${path}`);
    }
    if (label === "task-update") {
      if (state !== undefined) {
        this.#hit("task-created-twice");
        if (this.#updatesLost.has(target.taskId)) {
          this.#hit("task-created-by-retry");
        }
      } else if (isDeleted) {
        this.#hit("task-created-late");
      }
    } else if (label === "task-filter" && state !== undefined) {
      const key = `${place} ${target.taskId}`;
      this.#hit(this.#filtered.has(key) ? "filter-given-twice" : "filter-crossed");
      this.#filtered.add(key);
    } else if (label === "task-delete" && isDeleted) {
      this.#hit("delete-repeated");
    } else if (label === "exchange-close" && method === "DELETE" && state === "RUNNING") {
      this.#hit("buffer-closed-early");
    } else if (label === "exchange-fetch") {
      this.#readers.set(id, `${place} ${target.taskId}`);
      if (this.#lostPages.has(`${place}${path}`)) {
        this.#hit("page-fetched-again");
      }
      if (this.#leaving.has(place)) {
        this.#hit("pages-from-leaving");
      }
    }
    if (label === "task-delete" && state !== undefined && [...this.#readers.values()].includes(`${place} ${target.taskId}`)) {
      this.#hit("deleted-under-reader");
    }
  }

  #serveQuery(place: string, label: string, path: string): void {
    const node = this.#options.node(place);
    const id = path.split("/")[3]?.split(".", 1)[0];
    const known = id === undefined ? undefined : this.#queries.get(id);
    // The query is known only from its tasks: the coordinator that ran it is gone.
    const query = known?.state === "" ? undefined : known;
    const isSubmission = label === "statement-submit";
    if (isSubmission && node?.isReady === false) {
      this.#hit("submitted-early");
    }
    if (query === undefined) {
      this.#hits.add(messagePair(label, "query unknown"));
      if (label === "statement-poll" && (this.#incarnations.get(place) ?? 0) > 1) {
        this.#hit("coordinator-back");
      }
      return;
    }
    this.#hits.add(messagePair(label, `query ${query.state}`));
    if (isSubmission) {
      this.#hit("submitted-twice");
    } else if (label === "statement-partial-cancel") {
      if (query.state === "RUNNING") {
        query.cut = true;
        this.#hit("stage-ended");
      }
    } else if (label === "statement-cancel" || label === "odd-cancel") {
      this.#cancel(query);
    } else {
      const count = (this.#asked.get(path) ?? 0) + 1;
      this.#asked.set(path, count);
      if (count > 1) {
        this.#hit("asked-twice");
      }
    }
  }

  #cancel(query: QueryStory): void {
    if (ends.has(query.state)) {
      this.#hit("canceled-ended");
    } else if (query.tasks === 0) {
      this.#hit("canceled-before-tasks");
    } else {
      this.#hit(query.rows ? "canceled-streaming" : "canceled-running");
    }
  }

  #settled(place: string, kind: string, detail: string): void {
    this.#fetches.delete(idOf(detail));
    if (detail.includes(" statement-")) {
      this.#openPolls = Math.max(0, this.#openPolls - 1);
    }
    if (kind === "network-error" && place === this.#options.coordinator && detail.includes(" heartbeat ")) {
      const to = messagePattern.exec(detail)?.[3] ?? "";
      if (this.#options.node(to) !== undefined) {
        this.#hit("heartbeat-missed");
      }
    }
  }

  #filterLost(detail: string): void {
    if (detail.includes(" task-filter")) {
      this.#hit("filter-lost");
    }
  }

  #answerLost(kind: string, detail: string): void {
    const fetched = this.#fetches.get(idOf(detail));
    if (fetched === undefined) {
      return;
    }
    const target = taskTarget(fetched.slice(fetched.indexOf("/")));
    if (detail.includes(" task-update")) {
      this.#updatesLost.add(target?.taskId ?? "");
      return;
    }
    this.#lostPages.add(fetched);
    this.#query(target?.queryId ?? "").lostPage = true;
    if (kind === "truncated") {
      this.#hit("page-answer-cut");
    }
  }

  #page(key: string, { response, task, from }: Observed): void {
    const story = this.#tasks.get(key);
    const complete = headerOf(response.headers, "x-engine-buffer-complete") === "true";
    const end = Number(headerOf(response.headers, "x-engine-page-end-sequence-id"));
    if (response.status === 204 && !complete) {
      this.#hit("page-waited-for");
    }
    if (complete && end === 0) {
      this.#hit("empty-output");
    }
    if (end >= manyPages) {
      this.#hit("many-pages");
    }
    if (story === undefined || task === undefined || from === story.place) {
      return;
    }
    story.pages = Math.max(story.pages, end);
    story.readOut ||= complete;
    if (complete && story.spilled) {
      this.#hit("spilled-read-back");
    }
  }

  #created(key: string, { request, to, task }: Observed): void {
    if (task === undefined || this.#tasks.get(key)?.deleted === false) {
      return;
    }
    const text = readBody(request.body).text();
    const found = new Set<string>();
    for (const [, node, join] of text.matchAll(nodeKinds)) {
      found.add(node ?? `Join ${join ?? ""}`);
    }
    this.#tasks.set(key, { taskId: task.taskId, place: to, operators: found, pages: 0, readOut: false, spilled: false, deleted: false });
    if (/"outputIds":\{"kind":"BROADCAST","bufferCount":(?!1\})/.test(text)) {
      this.#hit("broadcast");
    }
    if (/"kind":"connector","catalog":"memory"/.test(text)) {
      this.#hit("table-read-back");
    }
    this.#query(task.queryId).tasks++;
    const [, stage = "", number = ""] = task.taskId.split(".");
    if (Number(stage) >= 4) {
      this.#hit("five-stages");
    }
    if (Number(number) >= 3) {
      this.#hit("wide-stage");
    }
    if (this.#failedNodes.has(to)) {
      this.#hit("failed-and-back");
    }
  }

  #other(answer: Observed): void {
    const { path, from, to, request, response } = answer;
    if (path.startsWith("/v1/statement") && to === this.#options.coordinator) {
      this.#queryOf.set(from, path.split("/")[3] ?? /"id":"([^"]+)"/.exec(answer.text())?.[1] ?? "");
    }
    if (
      path.startsWith("/v1/statement") &&
      request.method !== "DELETE" &&
      response.status === 200 &&
      answer.text().includes('"state":"QUEUED"')
    ) {
      this.#queued(/"id":"([^"]+)"/.exec(answer.text())?.[1] ?? "");
    }
    if (path === "/v1/statement" && response.status === 200 && /^EXECUTE (?!IMMEDIATE).* USING /.test(readBody(request.body).text())) {
      this.#hit("executed-prepared");
    }
    if (response.status === 410 && path.startsWith("/v1/statement/")) {
      this.#hit("old-token");
    }
    if (to !== this.#options.coordinator || response.status !== 200) {
      return;
    }
    if (path === "/v1/node/failed") {
      for (const [, name = ""] of answer.text().matchAll(/"uri":"http:\/\/([^:"]+)/g)) {
        this.#failedNodes.add(name);
      }
    } else if (path.startsWith("/v1/announcement/")) {
      this.#announce(path.split("/")[3] ?? "", request);
    } else if (path.startsWith("/v1/statement/") && answer.text().includes('"data":')) {
      this.#query(path.split("/")[3] ?? "").rows = true;
    }
  }

  /** No state transition reports QUEUED, because it is the initial state. */
  #queued(id: string): void {
    const query = this.#query(id);
    if (query.state === "") {
      query.state = "QUEUED";
    }
  }

  #announce(name: string, request: HttpRequest): void {
    const before = this.#announced.get(name);
    if (request.method !== "PUT") {
      this.#announced.delete(name);
      return;
    }
    const nanos = this.#options.nowNanos();
    const incarnation = /"life":"([^"]*)"/.exec(readBody(request.body).text())?.[1] ?? "";
    if (before !== undefined && before.incarnation !== incarnation && nanos - before.nanos < announcedNanosMax) {
      this.#hit("came-back");
    }
    this.#announced.set(name, { incarnation, nanos });
  }

  #lost(place: string): void {
    for (const [id, reader] of this.#readers) {
      if (reader.startsWith(`${place} `)) {
        this.#readers.delete(id);
      }
    }
    if (place === this.#options.coordinator) {
      if (this.#openPolls > 0) {
        this.#hit("coordinator-lost-polled");
      }
      const queries = [...this.#queries.values()];
      if (queries.some(({ state }) => state === "QUEUED")) {
        this.#hit("coordinator-lost-queued");
      }
      if (queries.some(({ state, rows }) => rows && !ends.has(state))) {
        this.#hit("coordinator-lost-half-read");
      }
      if (queries.some(({ state }) => state !== "" && state !== "RUNNING" && !ends.has(state))) {
        this.#hit("coordinator-lost-early");
      }
      this.#queries.clear();
      this.#announced.clear();
      return;
    }
    const tasks = this.#liveTasks(place);
    for (const task of tasks) {
      this.#loseTask(task);
    }
    if (new Set(tasks.map(({ taskId }) => taskId.split(".", 1)[0])).size > 1) {
      this.#hit("lost-several-tasks");
    }
  }

  #loseTask(task: TaskStory): void {
    const point: (typeof lossPoints)[number] = task.readOut ? "read out" : task.pages > 0 ? "half read" : "unread";
    this.#hit(point === "read out" ? "lost-read-out" : point === "half read" ? "lost-half-read" : "lost-unread");
    for (const operator of operators) {
      if (task.operators.has(operator)) {
        this.#hits.add(operatorPair(operator, point));
      }
    }
    if (task.operators.has("TableWriter")) {
      this.#hit("write-on-lost-worker");
    }
    task.deleted = true;
    const query = this.#query(task.taskId.split(".", 1)[0] ?? "");
    query.lossSince = true;
    if (query.rows && !ends.has(query.state)) {
      this.#hit("worker-lost-half-read");
    }
  }

  #fault(text: string): void {
    const [kind = ""] = text.split(" ", 1);
    const now = this.#options.nowNanos();
    const states = [...this.#queries.values()];
    const live = states.filter(({ state }) => state !== "" && !ends.has(state));
    for (const { state } of live) {
      this.#hits.add(faultPair(kind, state));
    }
    if (live.length === 0) {
      this.#hits.add(faultPair(kind, "no query"));
    }
    if (states.some(({ state, endedNanos }) => ends.has(state) && now - endedNanos < justEndedNanos)) {
      this.#hits.add(faultPair(kind, "just ended"));
    }
    this.#lasting.set(text, now);
    if (this.#lasting.size >= 2) {
      this.#hit("two-faults");
    }
    if (this.#lasting.size >= 4) {
      this.#hit("four-faults");
    }
    const place = text.split(" ")[1] ?? "";
    if (kind === "pause" && this.#liveTasks(place).length > 0) {
      this.#hit("paused-with-tasks");
    }
  }

  /** Records the outcome of a user's statement. */
  #ended(user: string, detail: string): void {
    const [name = ""] = detail.split(" ", 1);
    if (name === "vanished") {
      const query = this.#queries.get(this.#queryOf.get(user) ?? "");
      if (query !== undefined) {
        query.left = true;
      }
    } else if (Object.hasOwn(causes, name)) {
      this.#hits.add(`ended ${name}`);
      if (name === "TABLE_DATA_LOST") {
        this.#hit("read-of-lost-table");
      }
      if (name === "EXCEEDED_LOCAL_MEMORY_LIMIT" && [...this.#queries.values()].some(({ state }) => state === "RUNNING")) {
        this.#hit("short-of-memory");
      }
    }
  }

  #liveTasks(place: string): readonly TaskStory[] {
    return [...this.#tasks.values()].filter((task) => task.place === place && !task.deleted);
  }

  #lived(place: string, taskId: string): string {
    return `${place}#${this.#incarnations.get(place) ?? 0} ${taskId}`;
  }

  #query(id: string): QueryStory {
    const known = this.#queries.get(id);
    if (known !== undefined) {
      return known;
    }
    const query = unheardQuery();
    this.#queries.set(id, query);
    return query;
  }
}

function idOf(detail: string): string {
  return detail.slice(1, detail.indexOf(" "));
}
