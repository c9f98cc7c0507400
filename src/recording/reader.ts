/**
 * Reads the entries of a recording; the counterpart of writer.ts.
 */
import type { Headers, HttpMethod, NetworkErrorKind } from "../ports/network.ts";
import type { StorageEntry, StorageErrorKind } from "../ports/storage.ts";
import { BlockReader } from "./blocks.ts";
import { type Content, type EntryKind, entryKinds, type RecordedEntry, type RecordedRequest, type StorageOperation } from "./entries.ts";
import { hashBytes } from "./hash.ts";
import { contentForms } from "./writer.ts";

/** Throws RangeError like the reader. */
function parseEntries(text: string): readonly StorageEntry[] {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    // Handled below.
  }
  if (!Array.isArray(entries)) {
    throw new RangeError("the recording has a listing that cannot be read");
  }
  return entries as readonly StorageEntry[];
}

export class RecordingReader extends BlockReader {
  #nanos = 0;
  #cpuNanos = 0;
  #wallMillis = 0;
  #id = 0;

  /** Returns undefined at the end; throws RangeError if the bytes are not an entry. */
  next(): RecordedEntry | undefined {
    const { more, starts } = this.begin();
    if (!more) {
      return undefined;
    }
    if (starts) {
      this.#nanos = 0;
      this.#cpuNanos = 0;
      this.#wallMillis = 0;
      this.#id = 0;
    }
    const tag = this.takeByte();
    const kind = entryKinds[tag];
    if (kind === undefined) {
      throw new RangeError(`${tag} is no entry of a recording of this version`);
    }
    return this.#entry(kind);
  }

  #entry(kind: EntryKind): RecordedEntry {
    switch (kind) {
      case "monotonic":
        return { kind, nanos: this.#takeNanos() };
      case "cpu":
        this.#cpuNanos += this.takeSigned();
        return { kind, nanos: this.#cpuNanos };
      case "wall":
        this.#wallMillis += this.takeSigned();
        return { kind, millis: this.#wallMillis };
      case "drawn-number":
        return { kind, stream: this.takeInterned(), bound: this.takeNumber(), value: this.takeNumber() };
      case "drawn-text":
        return { kind, stream: this.takeInterned(), alphabet: this.takeInterned(), text: this.takeText() };
      case "resumed":
      case "fired":
      case "gone":
        return { kind, atNanos: this.#takeNanos(), id: this.#takeId() };
      case "turn":
        return { kind, id: this.#takeId(), workUnits: this.takeDouble() };
      case "timer":
        return { kind, id: this.#takeId(), label: this.takeInterned(), delayMs: this.takeDouble() };
      case "cancel":
      case "abort":
      case "no-answer":
        return { kind, id: this.#takeId() };
      case "arrived":
        return this.#arrived();
      case "answer":
        return { kind, id: this.#takeId(), ...this.#takeResponse() };
      case "request":
        return { kind, id: this.#takeId(), label: this.takeInterned(), timeoutMs: this.takeDouble(), ...this.#takeRequest() };
      case "answered":
        return { kind, atNanos: this.#takeNanos(), id: this.#takeId(), ...this.#takeResponse() };
      case "failed":
        return {
          kind,
          atNanos: this.#takeNanos(),
          id: this.#takeId(),
          error: this.takeInterned() as NetworkErrorKind,
          message: this.takeText(),
        };
      default:
        return this.#rareEntry(kind);
    }
  }

  #rareEntry(kind: EntryKind): RecordedEntry {
    switch (kind) {
      case "folder":
        return { kind, folder: this.takeNumber(), path: this.takeText() };
      case "storage":
        return {
          kind,
          id: this.#takeId(),
          folder: this.takeNumber(),
          operation: this.takeInterned() as StorageOperation,
          path: this.takeText(),
          to: this.takeText(),
          offset: this.takeNumber(),
          length: this.takeNumber(),
          body: this.#takeContent(),
        };
      case "stored": {
        const atNanos = this.#takeNanos();
        const id = this.#takeId();
        const text = this.takeText();
        return {
          kind,
          atNanos,
          id,
          entries: text === "" ? undefined : parseEntries(text),
          body: this.#takeContent(),
        };
      }
      case "storage-failed":
        return {
          kind,
          atNanos: this.#takeNanos(),
          id: this.#takeId(),
          error: this.takeInterned() as StorageErrorKind,
          path: this.takeText(),
          message: this.takeText(),
        };
      case "serve":
      case "close":
        return { kind };
      case "served":
        return { kind, atNanos: this.#takeNanos(), selfUri: this.takeText() };
      case "closed":
        return { kind, atNanos: this.#takeNanos() };
      case "outside":
        return { kind, atNanos: this.#takeNanos(), name: this.takeInterned(), value: this.takeText() };
      case "query-failed":
        return { kind, queryId: this.takeText(), errorName: this.takeInterned() };
      default:
        throw new RangeError(`no entry of kind ${kind} can be read`);
    }
  }

  #arrived(): RecordedEntry {
    const atNanos = this.#takeNanos();
    const id = this.#takeId();
    const from = this.takeInterned();
    const request = this.takeNumber();
    return {
      kind: "arrived",
      atNanos,
      id,
      cause: from === "" ? undefined : { from, request },
      remoteAddress: this.takeInterned(),
      baseUri: this.takeInterned(),
      ...this.#takeRequest(),
    };
  }

  #takeNanos(): number {
    this.#nanos += this.takeSigned();
    return this.#nanos;
  }

  #takeId(): number {
    this.#id += this.takeSigned();
    return this.#id;
  }

  #takeRequest(): RecordedRequest {
    return { method: this.takeInterned() as HttpMethod, url: this.takeText(), headers: this.#takeHeaders(), body: this.#takeContent() };
  }

  #takeResponse(): { readonly status: number; readonly headers: Headers; readonly body: Content } {
    return { status: this.takeNumber(), headers: this.#takeHeaders(), body: this.#takeContent() };
  }

  #takeHeaders(): Headers {
    const count = this.takeNumber();
    const headers: Record<string, string | readonly string[]> = {};
    for (let index = 0; index < count; index++) {
      const name = this.takeInterned();
      headers[name] = this.takeByte() === 0 ? this.takeInterned() : Array.from({ length: this.takeNumber() }, () => this.takeInterned());
    }
    return headers;
  }

  #takeContent(): Content {
    const form = this.takeByte();
    if (form === contentForms.bytes) {
      const bytes = this.takeBytes();
      return { length: bytes.length, hash: hashBytes(bytes), bytes };
    }
    const length = this.takeNumber();
    return { length, hash: form === contentForms.identified ? this.takeNumber() : undefined, bytes: undefined };
  }
}
