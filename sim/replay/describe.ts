/**
 * Describes entries of a recording in words.
 */
import type { Content, RecordedEntry } from "../../src/recording/entries.ts";
import { decodeUtf8 } from "../../src/types/utf8.ts";

const shownBytesMax = 120;

function content(body: Content): string {
  if (body.length === 0) {
    return "no body";
  }
  const identity = body.hash === undefined ? "scrubbed" : body.hash.toString(16).padStart(8, "0");
  const text = body.bytes === undefined ? "" : decodeUtf8(body.bytes.subarray(0, shownBytesMax));
  const shown = text === "" || /[^\x20-\x7e\s]/.test(text) ? "" : ` ${JSON.stringify(text)}`;
  return `${body.length} bytes ${identity}${shown}`;
}

export function describeEntry(entry: RecordedEntry): string {
  switch (entry.kind) {
    case "arrived":
      return `arrived #${entry.id} ${entry.method} ${entry.url}${entry.cause === undefined ? "" : ` from ${entry.cause.from}`}, ${content(entry.body)}`;
    case "request":
      return `request #${entry.id} ${entry.label}: ${entry.method} ${entry.url} within ${entry.timeoutMs} ms, headers ${JSON.stringify(entry.headers)}, ${content(entry.body)}`;
    case "answer":
      return `response to #${entry.id}: ${entry.status}, headers ${JSON.stringify(entry.headers)}, ${content(entry.body)}`;
    case "answered":
      return `answered #${entry.id}: ${entry.status}, ${content(entry.body)}`;
    case "failed":
      return `request #${entry.id} failed: ${entry.error} ${entry.message}`;
    case "storage":
      return `disk #${entry.id}: ${entry.operation} ${entry.path}${entry.to === "" ? "" : ` to ${entry.to}`} from ${entry.offset}, ${entry.length} bytes, ${content(entry.body)}`;
    case "stored":
      return `disk #${entry.id} done, ${content(entry.body)}`;
    default: {
      const { kind, ...rest } = entry;
      return `${kind} ${Object.entries(rest)
        .filter(([name]) => name !== "atNanos")
        .map(([name, value]) => `${name} ${String(value)}`)
        .join(" ")}`.trimEnd();
    }
  }
}
