/**
 * Selects the trace entries that explain a violation: the causal path from the first submission to it, message failures of the queries
 * concerned, and the faults. Heartbeats, announcements and status polls without news are left out.
 */
import type { TraceEntry } from "../world/world.ts";
import type { Causes } from "../trace/causes.ts";
import { queryIdIn } from "../trace/messages.ts";

/** Labels of messages that run in the background of every query. */
const background: ReadonlySet<string> = new Set(["heartbeat", "announcement", "withdrawal", "operator"]);
/** Oracles for which background messages are relevant. */
const watchers: ReadonlySet<string> = new Set(["convergence", "decay"]);

/** Kinds of entries of a message that did not simply arrive. */
const troubles: ReadonlySet<string> = new Set([
  "lost",
  "answer-lost",
  "reset",
  "answer-reset",
  "duplicated",
  "truncated",
  "cut",
  "refused",
  "overtaken",
  "never-answered",
  "turned-away",
  "timed-out",
  "aborted",
  "network-error",
]);

const badEnd = /-> (FAILED|ABORTED|CANCELED)$/;
const userName = /\b(u\d+|probe)\b/;

export interface Relevant {
  /** Ordered by time; the violation is the last. */
  readonly entries: readonly TraceEntry[];
  /** Ordered by appearance. */
  readonly queryIds: readonly string[];
}

export function relevantTo(violation: TraceEntry, causes: Causes): Relevant {
  const before = causes.entries.slice(0, causes.entries.indexOf(violation) + 1);
  const known = new Set(before);
  const [, oracle = ""] = violation.detail.split(" ");
  const isWatched = watchers.has(oracle);
  const anchor = anchorOf(violation, before);
  const chosen = new Set<TraceEntry>([...causes.pathTo(anchor), anchor, violation]);
  const queryIds = queriesOf(violation, anchor, before);
  const concerns = (text: string): boolean => queryIds.some((id) => text.includes(id));
  for (const entry of before) {
    const message = causes.messageOf(entry);
    if (message === undefined) {
      if (matters(entry, concerns) || (entry.kind === "submit" && isSubmitOf(entry, before, queryIds))) {
        chosen.add(entry);
      }
      continue;
    }
    const isBackground = background.has(message.label);
    if (!troubles.has(entry.kind) || (isBackground && !isWatched)) {
      continue;
    }
    const life = causes.lifeOf(message.id);
    if (isWatched || queryIds.length === 0 || life.some(({ detail }) => concerns(detail))) {
      for (const part of life.filter((one) => known.has(one))) {
        chosen.add(part);
      }
    }
  }
  const isQuiet = (entry: TraceEntry): boolean => !isWatched && background.has(causes.messageOf(entry)?.label ?? "");
  return { entries: before.filter((entry) => chosen.has(entry) && !isQuiet(entry)), queryIds };
}

function matters(entry: TraceEntry, concerns: (text: string) => boolean): boolean {
  switch (entry.kind) {
    case "fault":
    case "heal":
    case "crash":
    case "stopped":
    case "healed":
    case "upgrade":
      return true;
    case "start":
      return entry.detail !== "life 1";
    case "query":
      return concerns(entry.detail);
    case "stage":
    case "task":
      return concerns(entry.detail) && badEnd.test(entry.detail);
    case "log-warn":
    case "log-error":
      return concerns(entry.detail) || queryIdIn(entry.detail) === undefined;
    default:
      return false;
  }
}

/** A violation that is detected at the end of a run is traced back to the last relevant entry about its subject. */
function anchorOf(violation: TraceEntry, before: readonly TraceEntry[]): TraceEntry {
  const [, oracle = "", ...words] = violation.detail.split(" ");
  const sentence = words.join(" ");
  const last = (holds: (entry: TraceEntry) => boolean): TraceEntry => before.findLast(holds) ?? violation;
  const user = userName.exec(sentence)?.[1];
  switch (oracle) {
    case "tables": {
      const submitted = before.findIndex(({ kind, place, detail }) => kind === "submit" && place === user && sentence.endsWith(detail));
      const isEnd = ({ kind, place }: TraceEntry): boolean => kind === "end" && place === user;
      return before.slice(Math.max(0, submitted)).find(isEnd) ?? last(isEnd);
    }
    case "every-statement-ends":
      return last(({ place, kind }) => place === user && ["answer", "network-error", "request"].includes(kind));
    case "quiescence": {
      const place = /left: (\w+)/.exec(sentence)?.[1];
      return last((entry) => entry.place === place && ["serve", "answer"].includes(entry.kind) && queryIdIn(entry.detail) !== undefined);
    }
    case "convergence":
      return last(({ kind }) => kind === "start" || kind === "heal");
    case "useful-work":
    case "expectations":
      return last(({ kind }) => kind === "end");
    default:
      return violation;
  }
}

/** The query that the sentence names; otherwise those that the named user requested; otherwise the last one on the causal path. */
function queriesOf(violation: TraceEntry, anchor: TraceEntry, before: readonly TraceEntry[]): readonly string[] {
  const named = queryIdIn(violation.detail);
  if (named !== undefined) {
    return [named];
  }
  const user = userName.exec(violation.detail)?.[1];
  const sofar = before.slice(0, before.indexOf(anchor) + 1);
  if (user !== undefined) {
    const submitted = sofar.findLastIndex(({ kind, place }) => kind === "submit" && place === user);
    for (const entry of before.slice(Math.max(0, submitted))) {
      const id = entry.place === user ? queryIdIn(entry.detail) : undefined;
      if (id !== undefined) {
        return [id];
      }
    }
  }
  const met = queryIdIn(anchor.detail) ?? sofar.map(({ detail }) => queryIdIn(detail)).findLast((id) => id !== undefined);
  return met === undefined ? [] : [met];
}

/** Whether the user's next messages after the submission concern one of the queries. */
function isSubmitOf(submit: TraceEntry, before: readonly TraceEntry[], queryIds: readonly string[]): boolean {
  const from = before.indexOf(submit);
  const next = before.findIndex(({ kind, place }, index) => index > from && kind === "submit" && place === submit.place);
  const span = before.slice(from, next < 0 ? undefined : next);
  return queryIds.length === 0 || span.some(({ place, detail }) => place === submit.place && queryIds.some((id) => detail.includes(id)));
}
