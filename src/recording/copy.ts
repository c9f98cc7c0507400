/**
 * Writes an entry that was read; for copying a recording with changes.
 */
import type { RecordedEntry } from "./entries.ts";
import type { RecordingWriter } from "./writer.ts";

export function writeEntry(writer: RecordingWriter, entry: RecordedEntry): void {
  switch (entry.kind) {
    case "monotonic":
      return writer.monotonic(entry.nanos);
    case "cpu":
      return writer.cpu(entry.nanos);
    case "wall":
      return writer.wall(entry.millis);
    case "drawn-number":
      return writer.drawnNumber(entry.stream, entry.bound, entry.value);
    case "drawn-text":
      return writer.drawnText(entry.stream, entry.alphabet, entry.text);
    case "resumed":
      return writer.resumed(entry.atNanos, entry.id);
    case "turn":
      return writer.turn(entry.id, entry.workUnits);
    case "fired":
      return writer.fired(entry.atNanos, entry.id);
    case "timer":
      return writer.timer(entry.id, entry.label, entry.delayMs);
    case "cancel":
      return writer.cancel(entry.id);
    case "arrived":
      return writer.arrived(entry.atNanos, entry.id, entry);
    case "gone":
      return writer.gone(entry.atNanos, entry.id);
    case "answer":
      return writer.answer(entry.id, entry.status, entry.headers, entry.body);
    case "no-answer":
      return writer.noAnswer(entry.id);
    case "request":
      return writer.request(entry.id, entry);
    case "abort":
      return writer.abort(entry.id);
    case "answered":
      return writer.answered(entry.atNanos, entry.id, entry);
    case "failed":
      return writer.failed(entry.atNanos, entry.id, entry);
    case "folder":
      return writer.folder(entry.folder, entry.path);
    case "storage":
      return writer.storage(entry.id, entry);
    case "stored":
      return writer.stored(entry.atNanos, entry.id, entry.entries, entry.body);
    case "storage-failed":
      return writer.storageFailed(entry.atNanos, entry.id, entry);
    case "serve":
      return writer.serve();
    case "served":
      return writer.served(entry.atNanos, entry.selfUri);
    case "close":
      return writer.close();
    case "closed":
      return writer.closed(entry.atNanos);
    case "outside":
      return writer.outside(entry.atNanos, entry.name, entry.value);
    case "query-failed":
      return writer.queryFailed(entry.queryId, entry.errorName);
  }
}
