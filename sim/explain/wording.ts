/**
 * Converts trace entries to sentences: one for all entries of a message, and one for any other entry that is meaningful to a reader.
 */
import type { TraceEntry } from "../world/world.ts";
import type { Causes } from "../trace/causes.ts";

/** Returns undefined for an entry without meaning for a reader. */
export function tell({ place, kind, detail }: TraceEntry): string | undefined {
  switch (kind) {
    case "submit":
      return `${place} submits ${detail}`;
    case "end":
      return `${place}'s statement ended: ${detail}`;
    case "fault":
      return `FAULT ${detail}`;
    case "heal":
      return `healed: ${detail}`;
    case "upgrade":
      return `upgrade: ${detail}`;
    case "healed":
      return "every fault has healed; links are calm from now on";
    case "start":
      return detail === "life 1" ? undefined : `${place} restarts (${detail})`;
    case "crash":
      return `${place} crashes (${detail})`;
    case "stopped":
      return `${place} stopped (${detail})`;
    case "query":
    case "stage":
    case "task":
      return `${place}: ${kind} ${detail}`;
    case "log-warn":
    case "log-error":
      return `${place} logs ${detail}`;
    case "violation":
      return `VIOLATION ${detail.split("\n")[0] ?? ""}`;
    default:
      return undefined;
  }
}

function span(nanos: number): string {
  return nanos >= 1e9 ? `${(nanos / 1e9).toFixed(1)} s` : `${(nanos / 1e6).toFixed(1)} ms`;
}

const misfortunes: Readonly<Record<string, string>> = {
  lost: "the request is lost",
  reset: "the connection is reset",
  duplicated: "the request arrives twice",
  "answer-lost": "the response is lost",
  "answer-reset": "the connection is reset during the response",
  truncated: "the response is truncated",
  cut: "the link is cut",
  refused: "the connection is refused",
  overtaken: "a later message overtakes it",
  "never-answered": "the connection is accepted and stays silent",
  "turned-away": "it is rejected",
  aborted: "it is aborted",
};

export interface ToldMessage {
  readonly text: string;
  /** The message was served and answered normally. */
  readonly smooth: boolean;
}

/** Describes one message from its request on. */
export function tellMessage(life: readonly TraceEntry[], causes: Causes): ToldMessage {
  const first = life[0];
  const message = first === undefined ? undefined : causes.messageOf(first);
  if (first === undefined || message === undefined) {
    return { text: "", smooth: true };
  }
  const parts: string[] = [];
  let smooth = true;
  for (const entry of life) {
    const after = span(entry.atNanos - first.atNanos);
    const rest = causes.messageOf(entry)?.rest ?? "";
    const misfortune = misfortunes[entry.kind];
    if (misfortune !== undefined) {
      parts.push(misfortune);
      smooth = false;
    } else if (entry.kind === "respond" && !life.some(({ kind }) => kind === "answer")) {
      parts.push(`${message.to} responds ${rest} after ${after}`);
    } else if (entry.kind === "answer") {
      parts.push(`${rest} after ${after}`);
      smooth &&= rest.startsWith("2");
    } else if (entry.kind === "network-error") {
      parts.push(`${message.from} gets ${rest} after ${after}`);
      smooth = false;
    } else if (entry.kind === "timed-out") {
      parts.push(`${message.from} times out after ${after}`);
      smooth = false;
    }
  }
  const request = `${message.from} -> ${message.to} ${message.label}${first.kind === "request" ? ` ${message.rest}` : ""}`;
  const served = life.some(({ kind }) => kind === "serve");
  const ending = parts.length === 0 ? (served ? "without a response so far" : "in flight so far") : parts.join(", ");
  return { text: `${request} (m${message.id}): ${ending}`, smooth };
}
