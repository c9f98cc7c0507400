/**
 * Infers an incident from a tape: the clients' requests and their patience, and nodes that died, froze, were cut off or had slow disks.
 * Input of generalise.ts. Every finding is a guess, in a readable form.
 */
import { isInput } from "../../src/recording/entries.ts";
import type { MessageFate } from "../world/fates.ts";
import type { Behaviour } from "../plan.ts";
import { type ClientRequest, entriesOf, type Survey, type SurveyedNode } from "./survey.ts";
import { replayableRun, type Tape } from "./fixture.ts";

/** Minimum gap between inputs of a frozen node. A healthy node receives two heartbeats a second. */
const frozenMsMin = 1500;
/** A disk operation above this duration, in milliseconds, counts as slow. */
const slowDiskMs = 20;

export interface IncidentStatement {
  readonly user: string;
  readonly sql: string;
  readonly schema: string | undefined;
  readonly catalog: string | undefined;
  readonly submittedMillis: number;
  readonly endedMillis: number;
  readonly behaviour: Behaviour;
  readonly targetResultSize: string | undefined;
}

export type IncidentFault =
  | {
      readonly kind: "died" | "stopped" | "froze";
      readonly nodeId: string;
      readonly fromMillis: number;
      readonly untilMillis: number | undefined;
    }
  | {
      readonly kind: "slow disk";
      readonly nodeId: string;
      readonly fromMillis: number;
      readonly untilMillis: number;
      readonly operationMillis: number;
    };

export interface Incident {
  readonly coordinatorId: string;
  readonly workerIds: readonly string[];
  readonly startMillis: number;
  readonly statements: readonly IncidentStatement[];
  readonly faults: readonly IncidentFault[];
  /** Fates of single failed messages, with the simulator's names and node ids as places. */
  readonly fates: readonly MessageFate[];
  /** Time of the first task at each node, in milliseconds. */
  readonly firstWork: ReadonlyMap<string, number>;
  readonly nanosPerWorkUnit: number;
  /** Outcomes at clients: error names, `unanswered`, `vanished`. */
  readonly ends: readonly string[];
}

export function inferIncident(tape: Tape, surveyed: Survey): Incident {
  const coordinators = surveyed.nodes.filter((node) => node.role !== "worker");
  const coordinatorId = coordinators[0]?.header.nodeId ?? "c";
  const ids = [...new Set(surveyed.nodes.map((node) => node.header.nodeId))].sort();
  const incarnations = tape.nodes.map((_, index) => lookAtIncarnation(tape, index));
  const faults = [
    ...deaths(surveyed, coordinatorId),
    ...incarnations.flatMap((incarnation, index) => lifeFaults(surveyed.nodes[index] as SurveyedNode, incarnation)),
  ];
  const statements = statementsOf(surveyed);
  const deadCoordinator = faults.some((fault) => fault.kind === "died" && fault.nodeId === coordinatorId);
  const unanswered = deadCoordinator && statements.some(({ behaviour, endedMillis }) => behaviour.kind !== "vanishes" && endedMillis === 0);
  const paces = incarnations.flatMap((incarnation) => incarnation.paces).sort((a, b) => a - b);
  const pace = paces[Math.floor(paces.length / 2)] ?? 500;
  const startMillis = Math.min(
    ...statements.map(({ submittedMillis }) => submittedMillis),
    ...surveyed.nodes.map((node) => node.lastMillis),
  );
  const firstWork = new Map<string, number>();
  for (const [index, incarnation] of incarnations.entries()) {
    const id = surveyed.nodes[index]?.header.nodeId as string;
    if (incarnation.firstTaskMillis !== undefined && !firstWork.has(id)) {
      firstWork.set(id, incarnation.firstTaskMillis);
    }
  }
  return {
    coordinatorId,
    workerIds: ids.filter((id) => id !== coordinatorId),
    startMillis,
    statements,
    // Faults that ended before the first request belong to the start of the cluster.
    faults: faults.filter(({ untilMillis }) => untilMillis === undefined || untilMillis > startMillis),
    fates: [
      ...incarnations.flatMap((incarnation, index) => griefs(surveyed, index, incarnation, faults)),
      ...askedTwice(surveyed, incarnations),
    ],
    firstWork,
    nanosPerWorkUnit: Math.min(20_000, Math.max(20, Math.round(pace))),
    ends: [
      ...new Set([
        ...surveyed.failed.map(({ errorName }) => (errorName === "ABANDONED_QUERY" ? "vanished" : errorName)).filter((name) => name !== ""),
        ...(unanswered ? ["unanswered"] : []),
      ]),
    ],
  };
}

interface Incarnation {
  /** Gaps between inputs, as [from, until] in milliseconds. */
  readonly gaps: readonly (readonly [number, number])[];
  readonly failures: readonly {
    readonly label: string;
    readonly to: string;
    readonly ordinal: number;
    readonly error: string;
    readonly id: number;
    readonly atMillis: number;
  }[];
  readonly slowDisk: { readonly fromMillis: number; readonly untilMillis: number; readonly operationMillis: number } | undefined;
  readonly firstTaskMillis: number | undefined;
  /** Nanoseconds per unit of work, for every slice with enough work to measure. */
  readonly paces: readonly number[];
  readonly sent: ReadonlyMap<number, SentRequest>;
  /** Requests that arrived twice because their first response was lost. */
  readonly twice: readonly { readonly from: string; readonly request: number }[];
}

interface SentRequest {
  readonly label: string;
  readonly to: string;
  readonly ordinal: number;
}

/** Minimum work of a slice; shorter ones measure the machine rather than the work. */
const paceUnitsMin = 1000;

function lookAtIncarnation(tape: Tape, index: number): Incarnation {
  const node = tape.nodes[index] as Tape["nodes"][number];
  const { header } = node;
  const gaps: (readonly [number, number])[] = [];
  const failures: Incarnation["failures"][number][] = [];
  const sent = new Map<number, SentRequest>();
  const arrivals = new Set<string>();
  const twice: Incarnation["twice"][number][] = [];
  const ordinals = new Map<string, number>();
  const disk = new Map<number, number>();
  const slow: { fromMillis: number; untilMillis: number; durations: number[] } = { fromMillis: 0, untilMillis: 0, durations: [] };
  let served = false;
  let millis = header.wallMillis;
  let firstTaskMillis: number | undefined;
  let resumedNanos: number | undefined;
  let readNanos = 0;
  const paces: number[] = [];
  for (const entry of entriesOf(replayableRun(node)?.read())) {
    if (isInput(entry)) {
      const at = header.wallMillis + (entry.atNanos - header.monotonicNanos) / 1e6;
      if (served && at - millis > frozenMsMin) {
        gaps.push([millis, at]);
      }
      millis = at;
      resumedNanos = entry.kind === "resumed" ? entry.atNanos : undefined;
      readNanos = entry.atNanos;
    }
    switch (entry.kind) {
      case "monotonic":
        readNanos = entry.nanos;
        break;
      case "turn":
        if (resumedNanos !== undefined && entry.workUnits >= paceUnitsMin) {
          paces.push((readNanos - resumedNanos) / entry.workUnits);
        }
        break;
      case "served":
        served = true;
        break;
      case "arrived":
        if (entry.method === "POST" && entry.url.startsWith("/v1/task/")) {
          firstTaskMillis ??= millis;
        }
        if (entry.cause !== undefined) {
          const cause = `${entry.cause.from}/${entry.cause.request}`;
          if (arrivals.has(cause)) {
            twice.push(entry.cause);
          }
          arrivals.add(cause);
        }
        break;
      case "request": {
        const to = /^https?:\/\/[^/]+/.exec(entry.url)?.[0] ?? "";
        const name = `${to} ${entry.label}`;
        const ordinal = (ordinals.get(name) ?? 0) + 1;
        ordinals.set(name, ordinal);
        sent.set(entry.id, { label: entry.label, to, ordinal });
        break;
      }
      case "failed": {
        const request = sent.get(entry.id);
        if (request !== undefined && entry.error !== "ABORTED") {
          failures.push({ ...request, error: entry.error, id: entry.id, atMillis: millis });
        }
        break;
      }
      case "storage":
        if (entry.folder === 0 && entry.operation !== "remove") {
          disk.set(entry.id, millis);
        }
        break;
      case "stored": {
        const began = disk.get(entry.id);
        if (began !== undefined && millis - began > slowDiskMs) {
          slow.fromMillis = slow.durations.length === 0 ? began : slow.fromMillis;
          slow.untilMillis = millis;
          slow.durations.push(millis - began);
        }
        break;
      }
      default:
        break;
    }
  }
  const { fromMillis, untilMillis, durations } = slow;
  const operationMillis = durations.sort((a, b) => a - b)[Math.floor(durations.length / 2)];
  return {
    gaps,
    failures,
    slowDisk: operationMillis === undefined || durations.length < 3 ? undefined : { fromMillis, untilMillis, operationMillis },
    firstTaskMillis,
    paces,
    sent,
    twice,
  };
}

/**
 * An incarnation whose recording ends in the middle died. One that ends in order while others continue, and that has a successor, was
 * stopped.
 */
function deaths(surveyed: Survey, coordinatorId: string): IncidentFault[] {
  const end = Math.max(...surveyed.nodes.map((node) => node.lastMillis));
  return surveyed.nodes.flatMap((node): IncidentFault[] => {
    const { nodeId } = node.header;
    const next = surveyed.nodes.find((other) => other.header.nodeId === nodeId && other.firstMillis > node.lastMillis);
    const first = surveyed.nodes.find((other) => other.header.nodeId === nodeId);
    // A shutdown at the end of the recording affected all nodes and is no fault.
    if ((node.ended && next === undefined) || (!node.ended && node.lastMillis > end - 200 && nodeId !== coordinatorId)) {
      return [];
    }
    if (!node.ended && next === undefined && node !== first) {
      return [];
    }
    const kind = node.ended ? "stopped" : "died";
    return [{ kind, nodeId, fromMillis: node.lastMillis, untilMillis: next?.firstMillis }];
  });
}

function lifeFaults({ header: { nodeId } }: SurveyedNode, incarnation: Incarnation): IncidentFault[] {
  const { slowDisk } = incarnation;
  return [
    ...incarnation.gaps.map(([fromMillis, untilMillis]): IncidentFault => ({ kind: "froze", nodeId, fromMillis, untilMillis })),
    ...(slowDisk === undefined ? [] : [{ kind: "slow disk" as const, nodeId, ...slowDisk }]),
  ];
}

/** Requests that failed although the node at the other end was neither dead nor frozen. */
function griefs(surveyed: Survey, index: number, incarnation: Incarnation, faults: readonly IncidentFault[]): MessageFate[] {
  const from = surveyed.nodes[index]?.header.nodeId ?? "";
  return incarnation.failures.flatMap(({ label, to, ordinal, error, atMillis }): MessageFate[] => {
    const peer = surveyed.nodes.find(({ selfUri }) => selfUri === to)?.header.nodeId;
    const explained = faults.some(
      (fault) =>
        (fault.nodeId === peer || fault.nodeId === from) &&
        fault.kind !== "slow disk" &&
        atMillis >= fault.fromMillis - 2000 &&
        atMillis <= (fault.untilMillis ?? Number.POSITIVE_INFINITY) + 2000,
    );
    // Failures while the cluster shuts down do not count.
    if (peer === undefined || explained || surveyed.nodes.some((node) => node.ended && atMillis > node.lastMillis - 2500)) {
      return [];
    }
    const leg = error === "CONNECTION_RESET" || error === "TIMEOUT" ? "answer" : "request";
    const kind = error === "TIMEOUT" ? "lost" : leg === "answer" ? "truncated" : "reset";
    return [{ message: `${from}>${peer} ${label} #${ordinal} ${leg}`, kind }];
  });
}

/**
 * Requests that the server's network retried by itself where that is allowed: the client node did not notice, and its peer received them
 * twice.
 */
function askedTwice(surveyed: Survey, incarnations: readonly Incarnation[]): MessageFate[] {
  return incarnations.flatMap((incarnation, index) =>
    incarnation.twice.flatMap(({ from, request }): MessageFate[] => {
      const sender = surveyed.nodes.findIndex((node) => node.header.id === from);
      const sent = incarnations[sender]?.sent.get(request);
      const name = `${surveyed.nodes[sender]?.header.nodeId}>${surveyed.nodes[index]?.header.nodeId}`;
      return sent === undefined ? [] : [{ message: `${name} ${sent.label} #${sent.ordinal} answer`, kind: "truncated" }];
    }),
  );
}

/** Submissions with their polls. The query id contains the ordinal of the submission in the coordinator's incarnation. */
function statementsOf(surveyed: Survey): IncidentStatement[] {
  const found: IncidentStatement[] = [];
  for (const [node] of surveyed.nodes.entries()) {
    const mine = surveyed.clientRequests.filter((request) => request.node === node);
    const submissions = mine.filter(({ sql }) => sql !== undefined);
    const polls = new Map<number, ClientRequest[]>();
    for (const request of mine) {
      const id = /^\/v1\/statement\/\d{8}_\d{6}_(\d{5,})_\w+\//.exec(request.url)?.[1];
      if (id !== undefined) {
        polls.set(Number(id), [...(polls.get(Number(id)) ?? []), request]);
      }
    }
    const deadAt = surveyed.nodes[node]?.ended === true ? Number.POSITIVE_INFINITY : (surveyed.nodes[node]?.lastMillis ?? 0);
    const abandoned = new Set(
      surveyed.failed
        .filter((failed) => failed.node === node && (failed.errorName === "ABANDONED_QUERY" || failed.errorName === ""))
        .map(({ queryId }) => Number(queryId.split("_")[2])),
    );
    submissions.forEach((submission, place) => {
      const asked = polls.get(place) ?? [];
      const last = asked.at(-1) ?? submission;
      found.push({
        user: submission.user === "" ? "anonymous" : submission.user,
        sql: submission.sql ?? "",
        schema: submission.schema,
        catalog: submission.catalog,
        submittedMillis: submission.wallMillis,
        endedMillis: deadAt - (last.answeredMillis ?? deadAt) < 1000 ? 0 : (last.answeredMillis ?? 0),
        behaviour: behaviourOf(submission, asked, abandoned.has(place)),
        targetResultSize: asked.map(({ url }) => /[?&]targetResultSize=([^&]+)/.exec(url)?.[1]).find((size) => size !== undefined),
      });
    });
  }
  return found.sort((a, b) => a.submittedMillis - b.submittedMillis);
}

function behaviourOf(submission: ClientRequest, polls: readonly ClientRequest[], abandoned: boolean): Behaviour {
  const reads = polls.filter(({ method }) => method === "GET");
  if (polls.some(({ method }) => method === "DELETE")) {
    return { kind: "cancels", afterPolls: reads.length };
  }
  if (abandoned) {
    return { kind: "vanishes", afterPolls: reads.length };
  }
  const waits = reads.map(
    (poll, index) => poll.wallMillis - ((index === 0 ? submission : (reads[index - 1] as ClientRequest)).answeredMillis ?? poll.wallMillis),
  );
  const usual = waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)] ?? 0;
  return usual > 20 ? { kind: "slow", pauseNanos: Math.round(usual * 1e6) } : { kind: "reads-all" };
}
