/** The entries of a tape that a reader wants to see, with times that can be compared between nodes. */
import { isInput, type RecordedEntry } from "../../../src/recording/entries.ts";
import type { NodeTape, Tape } from "../../replay/fixture.ts";
import { entriesOf } from "../../replay/survey.ts";

const shownKinds = [
  "arrived",
  "answer",
  "no-answer",
  "gone",
  "request",
  "answered",
  "failed",
  "abort",
  "timer",
  "fired",
  "storage-failed",
  "served",
  "close",
  "closed",
  "outside",
  "query-failed",
] as const;
type ShownKind = (typeof shownKinds)[number];
export type ShownEntry = Extract<RecordedEntry, { readonly kind: ShownKind }>;

export interface Noted {
  readonly entry: ShownEntry;
  /** Nanoseconds since the epoch by the node's clock. */
  readonly wallNanos: number;
  /** Number of the input that the node was working on, from 1. */
  readonly step: number;
}

export interface NotedNode {
  /** Name of its lane: the node's id. */
  readonly name: string;
  readonly recordingId: string;
  readonly role: string;
  readonly notes: readonly Noted[];
  readonly steps: number;
  /** Whether the node closed in order. */
  readonly isClosed: boolean;
}

function isShown(entry: RecordedEntry): entry is ShownEntry {
  return (shownKinds as readonly string[]).includes(entry.kind);
}

/** Also reads behind a gap, where the recording's ring was overwritten. */
function noteNode({ header, runs }: NodeTape): NotedNode {
  const notes: Noted[] = [];
  let nanos = header.monotonicNanos;
  let step = 0;
  let isClosed = false;
  for (const run of runs) {
    for (const entry of entriesOf(run.read())) {
      if (isInput(entry)) {
        step++;
        nanos = entry.atNanos;
      } else if (entry.kind === "monotonic") {
        nanos = Math.max(nanos, entry.nanos);
      }
      if (isShown(entry)) {
        notes.push({ entry, wallNanos: header.wallMillis * 1e6 + (nanos - header.monotonicNanos), step });
        isClosed ||= entry.kind === "close";
      }
    }
  }
  const { role = "worker" } = header.config as { readonly role?: string };
  return { name: asWord(header.nodeId), recordingId: header.id, role, notes, steps: step, isClosed };
}

/** Names and labels are parts of a detail that spaces separate. */
export function asWord(text: string): string {
  return text.trim().replace(/\s+/g, "-") || "unknown";
}

interface Sent {
  readonly sender: number;
  readonly sentNanos: number;
  answeredNanos: number | undefined;
}

/**
 * How far each node's clock is ahead of the first one's, in nanoseconds, such that no message arrives before it was sent. A message from i
 * to j that took t by their clocks says that j is at most t ahead of i. Shortest paths over these bounds give the largest and the least
 * difference to the first node; the middle is taken. Nodes without messages are taken to agree.
 */
export function clockOffsets(nodes: readonly NotedNode[]): readonly number[] {
  const bounds = messageBounds(nodes);
  for (const [middle] of nodes.entries()) {
    for (const [from] of nodes.entries()) {
      for (const [to] of nodes.entries()) {
        const way = bound(bounds, from, middle) + bound(bounds, middle, to);
        if (way < bound(bounds, from, to)) {
          (bounds[from] as number[])[to] = way;
        }
      }
    }
  }
  return nodes.map((_, index) => {
    const [most, least] = [bound(bounds, 0, index), -bound(bounds, index, 0)];
    return Number.isFinite(most) && Number.isFinite(least) ? (most + least) / 2 : 0;
  });
}

function bound(bounds: readonly (readonly number[])[], from: number, to: number): number {
  return from === to ? 0 : (bounds[from]?.[to] ?? Number.POSITIVE_INFINITY);
}

/** `bounds[i][j]`: the quickest message from i to j, by the clocks of both. */
function messageBounds(nodes: readonly NotedNode[]): number[][] {
  const bounds = nodes.map(() => nodes.map(() => Number.POSITIVE_INFINITY));
  const took = (from: number, to: number, nanos: number): void => {
    (bounds[from] as number[])[to] = Math.min(bound(bounds, from, to), nanos);
  };
  const sent = new Map<string, Sent>();
  for (const [sender, { recordingId, notes }] of nodes.entries()) {
    for (const { entry, wallNanos } of notes) {
      if (entry.kind === "request") {
        sent.set(`${recordingId}/${entry.id}`, { sender, sentNanos: wallNanos, answeredNanos: undefined });
      } else if (entry.kind === "answered") {
        const request = sent.get(`${recordingId}/${entry.id}`);
        if (request !== undefined) {
          request.answeredNanos = wallNanos;
        }
      }
    }
  }
  const arrived = new Set<Sent>();
  for (const [receiver, { notes }] of nodes.entries()) {
    const open = new Map<number, Sent>();
    for (const { entry, wallNanos } of notes) {
      if (entry.kind === "arrived" && entry.cause !== undefined) {
        const request = sent.get(`${entry.cause.from}/${entry.cause.request}`);
        // A request that arrived twice has two answers, one of which was lost.
        if (request !== undefined && !arrived.has(request)) {
          arrived.add(request);
          took(request.sender, receiver, wallNanos - request.sentNanos);
          open.set(entry.id, request);
        } else if (request !== undefined) {
          request.answeredNanos = undefined;
        }
      } else if (entry.kind === "answer") {
        const request = open.get(entry.id);
        if (request?.answeredNanos !== undefined) {
          took(receiver, request.sender, request.answeredNanos - wallNanos);
        }
      }
    }
  }
  return bounds;
}

/** The nodes of a tape, the coordinators first. */
export function noteTape(tape: Tape): readonly NotedNode[] {
  const nodes = tape.nodes.map(noteNode);
  return [...nodes.filter(({ role }) => role !== "worker"), ...nodes.filter(({ role }) => role === "worker")];
}
