/**
 * Shows recordings of real nodes in the page that shows simulated runs: the same kinds of entries, made of what the nodes received and
 * sent. Nothing runs again. What only a replay knows is missing: states of queries, stages and tasks, and log lines.
 */
import { assert } from "../../../src/protocol/errors.ts";
import type { Tape } from "../../replay/fixture.ts";
import { inferIncident, type IncidentFault } from "../../replay/incident.ts";
import { survey } from "../../replay/survey.ts";
import type { ViewedRun } from "../facts.ts";
import type { Entry } from "../page/model/format.ts";
import { type Clients, clientsOf } from "./clients.ts";
import { asWord, clockOffsets, type Noted, type NotedNode, noteTape } from "./noted.ts";

/** An entry before all are brought into one order. */
interface Draft extends Omit<Entry, "atNanos"> {
  readonly wallNanos: number;
}

export function recordingToView(tape: Tape): ViewedRun {
  const nodes = noteTape(tape);
  const clients = clientsOf(nodes);
  const drafts = new Drafts(nodes, clients).write();
  const faults = faultsOf(tape);
  const all = [...drafts, ...faults.flatMap(faultDrafts)].sort((a, b) => a.wallNanos - b.wallNanos || a.event - b.event);
  const start = all[0]?.wallNanos ?? 0;
  const lanes = [...new Set(clients.lanes.values())];
  return {
    facts: {
      name: tape.name,
      planText: describeTape(tape, nodes, clients),
      resultText: "",
      fingerprint: "",
      events: nodes.reduce((sum, { steps }) => sum + steps, 0),
      users: lanes,
      coordinators: unique(nodes.filter(({ role }) => role !== "worker")),
      workers: unique(nodes.filter(({ role }) => role === "worker")),
    },
    entries: all.map(({ wallNanos, ...entry }) => ({ atNanos: Math.round(wallNanos - start), ...entry })),
  };
}

function unique(nodes: readonly NotedNode[]): readonly string[] {
  return [...new Set(nodes.map(({ name }) => name))];
}

function describeTape({ name, story, nodes: tapes }: Tape, nodes: readonly NotedNode[], { statements }: Clients): string {
  const version = tapes[0]?.header.engineVersion ?? "unknown";
  return [
    `recording ${name}${story === "" ? "" : `: ${story}`}`,
    `engine ${version}, started ${new Date(tapes[0]?.header.wallMillis ?? 0).toISOString()}`,
    ...nodes.map(({ name: node, role, steps, isClosed }) => `${role} ${node}: ${steps} inputs${isClosed ? "" : ", ended without closing"}`),
    ...statements.map(({ user, sql, ending }) => `${user}: ${sql} (${ending})`),
  ].join("\n");
}

/** Only of whole recordings: behind a gap, silence is no sign of a fault. */
function faultsOf(tape: Tape): readonly IncidentFault[] {
  const isWhole = tape.nodes.length > 0 && tape.nodes.every(({ runs }) => runs.length === 1 && runs[0]?.entriesBefore === 0);
  return isWhole ? inferIncident(tape, survey(tape)).faults : [];
}

function faultDrafts(fault: IncidentFault): readonly Draft[] {
  const detail = `${fault.kind.replace(" ", "-")} ${asWord(fault.nodeId)}`;
  const draft = (kind: string, millis: number): Draft => ({ wallNanos: millis * 1e6, event: 0, parent: 0, place: "world", kind, detail });
  return [draft("fault", fault.fromMillis), ...(fault.untilMillis === undefined ? [] : [draft("heal", fault.untilMillis)])];
}

/** A message of the tape: its title begins the details of its entries. */
interface Message {
  readonly title: string;
  readonly from: string;
  /** Event that sent it; 0 if the sender's recording does not tell. */
  readonly event: number;
  readonly isClient: boolean;
}

function requestLabel(method: string, url: string): string {
  return url.startsWith("/v1/statement") ? `statement-${{ POST: "submit", PUT: "submit", DELETE: "cancel" }[method] ?? "poll"}` : "request";
}

class Drafts {
  readonly #nodes: readonly NotedNode[];
  readonly #clients: Clients;
  readonly #offsets: readonly number[];
  /** Number of the first event of each node, less one. */
  readonly #firstEvents: readonly number[];
  readonly #drafts: Draft[] = [];
  /** Requests of nodes by `recording/request`. */
  readonly #requests = new Map<string, Message>();
  #messages = 0;
  #events = 0;

  constructor(nodes: readonly NotedNode[], clients: Clients) {
    this.#nodes = nodes;
    this.#clients = clients;
    this.#offsets = clockOffsets(nodes);
    let events = 0;
    this.#firstEvents = nodes.map(({ steps }) => {
      events += steps;
      return events - steps;
    });
    this.#events = events;
  }

  write(): readonly Draft[] {
    const uris = new Map<string, string>();
    for (const { name, notes } of this.#nodes) {
      for (const { entry } of notes) {
        if (entry.kind === "served") {
          uris.set(entry.selfUri, name);
        }
      }
    }
    for (const [node, { name, recordingId, notes }] of this.#nodes.entries()) {
      for (const { entry, step } of notes) {
        if (entry.kind === "request") {
          const origin = /^https?:\/\/[^/]+/.exec(entry.url)?.[0] ?? "";
          const to = uris.get(origin) ?? asWord(origin.replace(/^https?:\/\//, ""));
          const title = `m${++this.#messages} ${name}>${to} ${asWord(entry.label)}`;
          this.#requests.set(`${recordingId}/${entry.id}`, { title, from: name, event: this.#eventOf(node, step), isClient: false });
        }
      }
    }
    for (const [node] of this.#nodes.entries()) {
      this.#writeNode(node);
    }
    this.#writeStatements();
    return this.#drafts;
  }

  #eventOf(node: number, step: number): number {
    return (this.#firstEvents[node] ?? 0) + step;
  }

  #writeNode(node: number): void {
    const { name, recordingId, notes, isClosed } = this.#nodes[node] as NotedNode;
    const served = new Map<number, Message>();
    const timers = new Map<number, { readonly label: string; readonly event: number }>();
    for (const noted of notes) {
      const { entry, wallNanos, step } = noted;
      const event = this.#eventOf(node, step);
      const add = (kind: string, detail: string, more: { readonly place?: string; readonly parent?: number } = {}): void => {
        const at = wallNanos - (this.#offsets[node] ?? 0);
        this.#drafts.push({ wallNanos: at, event, parent: more.parent ?? 0, place: more.place ?? name, kind, detail });
      };
      const own = "id" in entry ? this.#requests.get(`${recordingId}/${entry.id}`) : undefined;
      const theirs = "id" in entry ? served.get(entry.id) : undefined;
      switch (entry.kind) {
        case "served":
          add("start", entry.selfUri);
          break;
        case "closed":
          add("stopped", "");
          break;
        case "request":
          add("request", `${own?.title} ${entry.method} ${entry.url.replace(/^https?:\/\/[^/]+/, "")}`);
          break;
        case "answered":
          add("answer", `${own?.title} ${entry.status}`, { parent: own?.event ?? 0 });
          break;
        case "failed":
          add(entry.error === "TIMEOUT" ? "timed-out" : "network-error", `${own?.title} ${entry.error} ${entry.message}`);
          break;
        case "abort":
          add("aborted", own?.title ?? "");
          break;
        case "arrived": {
          const message = this.#arrival(node, noted);
          served.set(entry.id, message);
          if (entry.cause === undefined) {
            add("request", `${message.title} ${entry.method} ${entry.url}`, { place: message.from });
          }
          add("serve", `${message.title} ${entry.method} ${entry.url}`, { parent: message.event });
          break;
        }
        case "answer":
          add("respond", `${theirs?.title} ${entry.status} ${entry.body.length} bytes`);
          if (theirs?.isClient === true) {
            add("answer", `${theirs.title} ${entry.status}`, { place: theirs.from });
          }
          break;
        case "no-answer":
          add("never-answered", theirs?.title ?? "");
          break;
        case "gone":
          add("aborted", theirs?.title ?? "", { place: theirs?.from ?? name });
          break;
        case "timer":
          timers.set(entry.id, { label: entry.label, event });
          break;
        case "fired":
          add("timer", timers.get(entry.id)?.label ?? "", { parent: timers.get(entry.id)?.event ?? 0 });
          break;
        case "storage-failed":
          // Nodes look for files that need not be there.
          if (entry.error !== "NOT_FOUND") {
            add("disk-error", `${entry.error} ${entry.path} ${entry.message}`);
          }
          break;
        case "query-failed":
          add("log-warn", `query ${entry.queryId} failed${entry.errorName === "" ? "" : `: ${entry.errorName}`}`);
          break;
        case "outside":
          add("log-info", `${entry.name} ${entry.value}`.trim());
          break;
        case "close":
          add("log-info", "closes");
          break;
      }
    }
    const last = notes.at(-1);
    if (!isClosed && last !== undefined) {
      const wallNanos = last.wallNanos - (this.#offsets[node] ?? 0);
      this.#drafts.push({
        wallNanos,
        event: this.#eventOf(node, last.step),
        parent: 0,
        place: name,
        kind: "crash",
        detail: "the recording ends",
      });
    }
  }

  /** The message of a request that arrived: a node's, or a new one of a client. */
  #arrival(node: number, { entry }: Noted): Message {
    assert(entry.kind === "arrived", "an arrival");
    const { cause } = entry;
    const known = cause === undefined ? undefined : this.#requests.get(`${cause.from}/${cause.request}`);
    const from = cause === undefined ? (this.#clients.lanes.get(`${node}/${entry.id}`) ?? "clients") : "unknown-node";
    const title = `m${++this.#messages} ${from}>${this.#nodes[node]?.name} ${requestLabel(entry.method, entry.url)}`;
    return known ?? { title, from, event: 0, isClient: cause === undefined };
  }

  #writeStatements(): void {
    for (const { node, sql, lane, fromNanos, untilNanos, ending } of this.#clients.statements) {
      const offset = this.#offsets[node] ?? 0;
      const event = ++this.#events;
      const draft = { event, parent: 0, place: lane };
      // Just before its request, and just after its last answer.
      this.#drafts.push({ ...draft, wallNanos: fromNanos - offset - 1, kind: "submit", detail: sql });
      this.#drafts.push({ ...draft, event: ++this.#events, wallNanos: untilNanos - offset + 1, kind: "end", detail: ending });
    }
  }
}
