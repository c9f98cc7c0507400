/**
 * One pass over a tape: matches messages, collects client requests and failures, and computes an order of all inputs in which every message
 * is sent before it arrives. Clocks of different machines only break ties.
 */
import type { HttpMethod } from "../../src/ports/network.ts";
import { isInput, type RecordedEntry, type RecordingHeader } from "../../src/recording/entries.ts";
import type { RecordedRun } from "../../src/recording/file.ts";
import { decodeUtf8 } from "../../src/types/utf8.ts";
import { replayableRun, type Tape } from "./fixture.ts";

/** A step of a node: one of its inputs, numbered from its start. */
export interface Step {
  readonly node: number;
  readonly step: number;
}

/** Origin of an input's content: a message that another node, or the same one, sent. */
export type Source = { readonly node: number; readonly kind: "request" | "answer"; readonly id: number };

interface SurveyedInput {
  readonly wallNanos: number;
  readonly source: Source | undefined;
}

/** A request from outside the cluster, as a coordinator received it. */
export interface ClientRequest {
  readonly node: number;
  readonly wallMillis: number;
  readonly method: HttpMethod;
  readonly url: string;
  readonly user: string;
  /** SQL text of a submitted statement. */
  readonly sql: string | undefined;
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
  /** Undefined if the request was never answered. */
  answeredMillis: number | undefined;
  status: number | undefined;
  gone: boolean;
}

export interface FailedQuery {
  readonly node: number;
  readonly queryId: string;
  readonly errorName: string;
  readonly wallMillis: number;
}

export interface SurveyedNode {
  readonly header: RecordingHeader;
  readonly role: string;
  readonly inputs: readonly SurveyedInput[];
  readonly firstMillis: number;
  readonly lastMillis: number;
  /** Whether the node was shut down gracefully. */
  readonly ended: boolean;
  readonly selfUri: string;
  /** Number of operations on the node's own disk; the longest duration likewise. */
  readonly diskOperations: number;
  readonly diskMillisMax: number;
}

export interface Survey {
  readonly nodes: readonly SurveyedNode[];
  /** Node of each replayable input, in merged order. */
  readonly order: Uint16Array;
  readonly clientRequests: readonly ClientRequest[];
  readonly failed: readonly FailedQuery[];
  /** Messages between recorded nodes with both sides on the tape. */
  readonly messagesMatched: number;
  /** Messages from recorded nodes without their sending on the tape: the sender died, or its ring overwrote it. */
  readonly messagesUnmatched: number;
}

interface Sent {
  /** Step by request id. */
  readonly requests: Map<number, number>;
  readonly answers: Map<number, { readonly step: number; readonly hash: number | undefined; readonly status: number }>;
  /** Arrivals by `from/request` of the cause. A request that was sent twice has two arrivals. */
  readonly arrivals: Map<string, number[]>;
  readonly inputs: {
    wallNanos: number;
    arrived?: { from: string; request: number };
    answered?: { id: number; hash: number | undefined; status: number };
  }[];
  role: string;
  ended: boolean;
  selfUri: string;
  lastMillis: number;
  /** Start times of operations in progress on the node's own disk. */
  readonly disk: Map<number, number>;
  diskOperations: number;
  diskMillisMax: number;
}

export function survey(tape: Tape): Survey {
  const clientRequests: ClientRequest[] = [];
  const failed = new Map<string, FailedQuery>();
  const sent = tape.nodes.map((node, index) => lookOver(index, node.header, replayableRun(node), { clientRequests, failed }));
  const byId = new Map(tape.nodes.map(({ header }, index) => [header.id, index]));
  let messagesMatched = 0;
  let messagesUnmatched = 0;
  const sourceOf = (node: number, input: Sent["inputs"][number]): { source: Source; step: number } | undefined => {
    const { arrived, answered } = input;
    if (arrived !== undefined) {
      const from = byId.get(arrived.from);
      const step = from === undefined ? undefined : sent[from]?.requests.get(arrived.request);
      return from === undefined || step === undefined ? undefined : { source: { node: from, kind: "request", id: arrived.request }, step };
    }
    if (answered === undefined) {
      return undefined;
    }
    const key = `${tape.nodes[node]?.header.id}/${answered.id}`;
    for (const [peer, other] of sent.entries()) {
      // The latest matching response is the received one; the first response to a repeated request may have been lost.
      for (const id of [...(other.arrivals.get(key) ?? [])].reverse()) {
        const answer = other.answers.get(id);
        if (answer !== undefined && answer.status === answered.status && answer.hash === answered.hash) {
          return { source: { node: peer, kind: "answer", id }, step: answer.step };
        }
      }
    }
    return undefined;
  };
  const requires: (Step | undefined)[][] = [];
  const nodes = sent.map((one, node): SurveyedNode => {
    const needed: (Step | undefined)[] = [];
    const inputs = one.inputs.map((input): SurveyedInput => {
      const found = sourceOf(node, input);
      const between = input.answered !== undefined || input.arrived !== undefined;
      messagesMatched += found === undefined ? 0 : 1;
      messagesUnmatched += found === undefined && between ? 1 : 0;
      needed.push(found === undefined ? undefined : { node: found.source.node, step: found.step });
      return { wallNanos: input.wallNanos, source: found?.source };
    });
    requires.push(needed);
    const header = tape.nodes[node]?.header as RecordingHeader;
    const firstMillis = header.wallMillis;
    const { role, lastMillis, ended, selfUri, diskOperations, diskMillisMax } = one;
    return { header, role, inputs, firstMillis, lastMillis, ended, selfUri, diskOperations, diskMillisMax };
  });
  clientRequests.sort((a, b) => a.wallMillis - b.wallMillis);
  return {
    nodes,
    order: mergeByCause(nodes, requires),
    clientRequests,
    failed: [...failed.values()].sort((a, b) => a.wallMillis - b.wallMillis),
    messagesMatched,
    messagesUnmatched,
  };
}

const submission = /^\/v1\/statement(?:\/[^/?]+)?(?:\?.*)?$/;

/** Whether the URL is the path to which statements are submitted with POST or PUT. */
export function isSubmission(url: string): boolean {
  return submission.test(url);
}

function lookOver(
  node: number,
  header: RecordingHeader,
  run: RecordedRun | undefined,
  found: { readonly clientRequests: ClientRequest[]; readonly failed: Map<string, FailedQuery> },
): Sent {
  const { role } = header.config as { readonly role: string };
  const sent: Sent = {
    requests: new Map(),
    answers: new Map(),
    arrivals: new Map(),
    inputs: [],
    role,
    ended: false,
    selfUri: "",
    lastMillis: header.wallMillis,
    disk: new Map(),
    diskOperations: 0,
    diskMillisMax: 0,
  };
  const open = new Map<number, ClientRequest>();
  let step = -1;
  let wallMillis = header.wallMillis;
  for (const entry of entriesOf(run?.read())) {
    if (isInput(entry)) {
      step++;
      const wallNanos = header.wallMillis * 1e6 + (entry.atNanos - header.monotonicNanos);
      wallMillis = wallNanos / 1e6;
      sent.inputs.push({ wallNanos });
    }
    observe(entry, { node, step, wallMillis, sent, open, ...found });
  }
  sent.lastMillis = wallMillis;
  return sent;
}

interface Entries {
  next(): RecordedEntry | undefined;
}

/** The remaining entries. */
export function* entriesOf(reader: Entries | undefined): Generator<RecordedEntry> {
  for (let entry = nextEntry(reader); entry !== undefined; entry = nextEntry(reader)) {
    yield entry;
  }
}

/** A killed process may leave the last entry incomplete. */
export function nextEntry(reader: Entries | undefined): RecordedEntry | undefined {
  try {
    return reader?.next();
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

interface Looking {
  readonly node: number;
  readonly step: number;
  readonly wallMillis: number;
  readonly sent: Sent;
  readonly open: Map<number, ClientRequest>;
  readonly clientRequests: ClientRequest[];
  readonly failed: Map<string, FailedQuery>;
}

function observe(entry: RecordedEntry, { node, step, wallMillis, sent, open, clientRequests, failed }: Looking): void {
  const input = sent.inputs.at(-1);
  switch (entry.kind) {
    case "request":
      sent.requests.set(entry.id, step);
      return;
    case "answer": {
      sent.answers.set(entry.id, { step, hash: entry.body.hash, status: entry.status });
      const asked = open.get(entry.id);
      if (asked !== undefined) {
        asked.answeredMillis = wallMillis;
        asked.status = entry.status;
        open.delete(entry.id);
      }
      return;
    }
    case "answered":
      if (input !== undefined) {
        input.answered = { id: entry.id, hash: entry.body.hash, status: entry.status };
      }
      return;
    case "arrived": {
      if (entry.cause !== undefined && input !== undefined) {
        input.arrived = entry.cause;
        const key = `${entry.cause.from}/${entry.cause.request}`;
        sent.arrivals.set(key, [...(sent.arrivals.get(key) ?? []), entry.id]);
        return;
      }
      const header = (suffix: string): string | undefined => headerText(entry.headers, suffix);
      const submits = (entry.method === "POST" || entry.method === "PUT") && submission.test(entry.url);
      const request: ClientRequest = {
        node,
        wallMillis,
        method: entry.method,
        url: entry.url,
        user: header("user") ?? "",
        sql: submits && entry.body.bytes !== undefined ? decodeUtf8(entry.body.bytes) : undefined,
        catalog: header("catalog"),
        schema: header("schema"),
        answeredMillis: undefined,
        status: undefined,
        gone: false,
      };
      open.set(entry.id, request);
      clientRequests.push(request);
      return;
    }
    case "gone": {
      const asked = open.get(entry.id);
      if (asked !== undefined) {
        asked.gone = true;
      }
      return;
    }
    case "storage":
      if (entry.folder === 0) {
        sent.disk.set(entry.id, wallMillis);
        sent.diskOperations++;
      }
      return;
    case "stored":
    case "storage-failed":
      sent.diskMillisMax = Math.max(sent.diskMillisMax, wallMillis - (sent.disk.get(entry.id) ?? wallMillis));
      sent.disk.delete(entry.id);
      return;
    case "served":
      sent.selfUri = entry.selfUri;
      return;
    case "close":
      sent.ended = true;
      return;
    case "query-failed":
      if (entry.errorName !== "" || !failed.has(entry.queryId)) {
        failed.set(entry.queryId, { node, queryId: entry.queryId, errorName: entry.errorName, wallMillis });
      }
      return;
    default:
      return;
  }
}

function headerText(headers: Readonly<Record<string, string | readonly string[]>>, suffix: string): string | undefined {
  for (const family of ["x-presto-", "x-trino-", "x-engine-"]) {
    const value = headers[family + suffix];
    if (value !== undefined) {
      return typeof value === "string" ? value : value[0];
    }
  }
  return undefined;
}

/** Repeatedly takes the input with the earliest clock time among those whose causes have already happened. */
function mergeByCause(nodes: readonly SurveyedNode[], requires: readonly (readonly (Step | undefined)[])[]): Uint16Array {
  const total = nodes.reduce((sum, node) => sum + node.inputs.length, 0);
  const order = new Uint16Array(total);
  const next = nodes.map(() => 0);
  for (let place = 0; place < total; place++) {
    let best = -1;
    let late = -1;
    for (const [node, { inputs }] of nodes.entries()) {
      const input = inputs[next[node] as number];
      if (input === undefined) {
        continue;
      }
      const isEarlier = (than: number): boolean =>
        than === -1 || input.wallNanos < (nodes[than]?.inputs[next[than] as number]?.wallNanos ?? Number.POSITIVE_INFINITY);
      const need = requires[node]?.[next[node] as number];
      if (need !== undefined && (next[need.node] as number) <= need.step) {
        late = isEarlier(late) ? node : late;
      } else if (isEarlier(best)) {
        best = node;
      }
    }
    // A cycle of inputs that wait for each other is impossible; a tape that contains one is taken in recorded order.
    const chosen = best === -1 ? late : best;
    order[place] = chosen;
    next[chosen] = (next[chosen] as number) + 1;
  }
  return order;
}
