/** Entries of a trace as sentences: one for a message's whole life, one for anything else that says something to a person. */
import type { TraceEntry } from "../world/world.ts";
import type { Causes } from "../trace/causes.ts";

/** Undefined for what says nothing to a person. */
export function tell({ place, kind, detail }: TraceEntry): string | undefined {
  switch (kind) {
    case "submit":
      return `${place} submits ${detail}`;
    case "end":
      return `for ${place} it ended: ${detail}`;
    case "fault":
      return `FAULT ${detail}`;
    case "heal":
      return `healed: ${detail}`;
    case "upgrade":
      return `upgrade: ${detail}`;
    case "healed":
      return "every fault has healed; links are calm from here on";
    case "start":
      return detail === "life 1" ? undefined : `${place} starts again (${detail})`;
    case "crash":
      return `${place} crashes (${detail})`;
    case "stopped":
      return `${place} has stopped (${detail})`;
    case "query":
    case "stage":
    case "task":
      return `${place}: ${kind} ${detail}`;
    case "log-warn":
    case "log-error":
      return `${place} says ${detail}`;
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
  "answer-lost": "the answer is lost",
  "answer-reset": "the connection is reset while it answers",
  truncated: "the answer is cut short",
  cut: "the link is cut",
  refused: "nobody listens there",
  overtaken: "a later message overtakes it",
  "never-answered": "the connection is taken and stays silent",
  "turned-away": "it is turned away",
  aborted: "it is given up",
};

export interface ToldMessage {
  readonly text: string;
  /** It was served and answered as it should be. */
  readonly smooth: boolean;
}

/** One message from its request on. */
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
      parts.push(`${message.to} answers ${rest} after ${after}`);
    } else if (entry.kind === "answer") {
      parts.push(`${rest} after ${after}`);
      smooth &&= rest.startsWith("2");
    } else if (entry.kind === "network-error") {
      parts.push(`${message.from} is told ${rest} after ${after}`);
      smooth = false;
    } else if (entry.kind === "timed-out") {
      parts.push(`${message.from} gives up after ${after}`);
      smooth = false;
    }
  }
  const request = `${message.from} -> ${message.to} ${message.label}${first.kind === "request" ? ` ${message.rest}` : ""}`;
  const served = life.some(({ kind }) => kind === "serve");
  const ending = parts.length === 0 ? (served ? "not answered by then" : "on its way by then") : parts.join(", ");
  return { text: `${request} (m${message.id}): ${ending}`, smooth };
}
