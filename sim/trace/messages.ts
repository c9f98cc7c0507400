/**
 * Parses references to messages in trace entries: `m17 c>w1 task-update` and the text behind it.
 */
import type { TraceEntry } from "../world/world.ts";

export interface Message {
  readonly id: number;
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** Text behind the label: method and path of a request, status of a response. */
  readonly rest: string;
}

/** The message of an entry. */
export function messageOf({ detail }: TraceEntry): Message | undefined {
  const match = /^m(\d+) ([^\s>]+)>([^\s>]+) (\S+) ?(.*)$/s.exec(detail);
  if (match === null) {
    return undefined;
  }
  return { id: Number(match[1]), from: match[2] ?? "", to: match[3] ?? "", label: match[4] ?? "", rest: match[5] ?? "" };
}

/** The query id, such as `20260101_000000_00001_abcde`, in a path, a task id or a sentence. */
export function queryIdIn(text: string): string | undefined {
  return /\b\d{8}_\d{6}_\d{5}_[a-z0-9]{5}\b/.exec(text)?.[0];
}
