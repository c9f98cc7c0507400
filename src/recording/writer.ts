/**
 * Writes the entries of a recording in a compact form, fast enough for a node under full load. One method per entry; reader.ts is the
 * counterpart.
 */
import type { Headers, HttpMethod, NetworkErrorKind } from "../ports/network.ts";
import type { StorageEntry, StorageErrorKind } from "../ports/storage.ts";
import { BlockWriter } from "./blocks.ts";
import { type Cause, type Content, type EntryKind, entryKinds, type RecordedRequest, type StorageOperation } from "./entries.ts";

function tagOf(kind: EntryKind): number {
  return entryKinds.indexOf(kind);
}

const tags = Object.fromEntries(entryKinds.map((kind) => [kind, tagOf(kind)])) as Readonly<Record<EntryKind, number>>;
const monotonicTag: number = tagOf("monotonic");
const cpuTag: number = tagOf("cpu");
const wallTag: number = tagOf("wall");

/** Forms in which content is written. */
export const contentForms = { bytes: 0, identified: 1, scrubbed: 2 } as const;

export class RecordingWriter extends BlockWriter {
  #nanos = 0;
  #cpuNanos = 0;
  #wallMillis = 0;
  /** Ids are written as deltas. */
  #id = 0;

  monotonic(nanos: number): void {
    this.#tag(monotonicTag);
    this.#putNanos(nanos);
  }

  cpu(nanos: number): void {
    this.#tag(cpuTag);
    this.putSigned(nanos - this.#cpuNanos);
    this.#cpuNanos = nanos;
  }

  wall(millis: number): void {
    this.#tag(wallTag);
    this.putSigned(millis - this.#wallMillis);
    this.#wallMillis = millis;
  }

  drawnNumber(stream: string, bound: number, value: number): void {
    this.#tag(tags["drawn-number"]);
    this.putInterned(stream);
    this.putNumber(bound);
    this.putNumber(value);
  }

  drawnText(stream: string, alphabet: string, text: string): void {
    this.#tag(tags["drawn-text"]);
    this.putInterned(stream);
    this.putInterned(alphabet);
    this.putText(text);
  }

  resumed(atNanos: number, id: number): void {
    this.#input(tags.resumed, atNanos);
    this.#putId(id);
  }

  turn(id: number, workUnits: number): void {
    this.#tag(tags.turn);
    this.#putId(id);
    this.putDouble(workUnits);
  }

  fired(atNanos: number, id: number): void {
    this.#input(tags.fired, atNanos);
    this.#putId(id);
  }

  timer(id: number, label: string, delayMs: number): void {
    this.#tag(tags.timer);
    this.#putId(id);
    this.putInterned(label);
    this.putDouble(delayMs);
  }

  cancel(id: number): void {
    this.#tag(tags.cancel);
    this.#putId(id);
  }

  arrived(
    atNanos: number,
    id: number,
    what: RecordedRequest & { readonly cause: Cause | undefined; readonly remoteAddress: string; readonly baseUri: string },
  ): void {
    this.#input(tags.arrived, atNanos);
    this.#putId(id);
    this.putInterned(what.cause?.from ?? "");
    this.putNumber(what.cause?.request ?? 0);
    this.putInterned(what.remoteAddress);
    this.putInterned(what.baseUri);
    this.#putRequest(what.method, what.url, what.headers, what.body);
  }

  gone(atNanos: number, id: number): void {
    this.#input(tags.gone, atNanos);
    this.#putId(id);
  }

  answer(id: number, status: number, headers: Headers, body: Content): void {
    this.#tag(tags.answer);
    this.#putId(id);
    this.#putResponse(status, headers, body);
  }

  noAnswer(id: number): void {
    this.#tag(tags["no-answer"]);
    this.#putId(id);
  }

  request(id: number, what: RecordedRequest & { readonly label: string; readonly timeoutMs: number }): void {
    this.#tag(tags.request);
    this.#putId(id);
    this.putInterned(what.label);
    this.putDouble(what.timeoutMs);
    this.#putRequest(what.method, what.url, what.headers, what.body);
  }

  abort(id: number): void {
    this.#tag(tags.abort);
    this.#putId(id);
  }

  answered(atNanos: number, id: number, what: { readonly status: number; readonly headers: Headers; readonly body: Content }): void {
    this.#input(tags.answered, atNanos);
    this.#putId(id);
    this.#putResponse(what.status, what.headers, what.body);
  }

  failed(atNanos: number, id: number, what: { readonly error: NetworkErrorKind; readonly message: string }): void {
    this.#input(tags.failed, atNanos);
    this.#putId(id);
    this.putInterned(what.error);
    this.putText(what.message);
  }

  folder(folder: number, path: string): void {
    this.#tag(tags.folder);
    this.putNumber(folder);
    this.putText(path);
  }

  storage(
    id: number,
    what: {
      readonly folder: number;
      readonly operation: StorageOperation;
      readonly path: string;
      readonly to: string;
      readonly offset: number;
      readonly length: number;
      readonly body: Content;
    },
  ): void {
    this.#tag(tags.storage);
    this.#putId(id);
    this.putNumber(what.folder);
    this.putInterned(what.operation);
    this.putText(what.path);
    this.putText(what.to);
    this.putNumber(what.offset);
    this.putNumber(what.length);
    this.#putContent(what.body);
  }

  stored(atNanos: number, id: number, entries: readonly StorageEntry[] | undefined, body: Content): void {
    this.#input(tags.stored, atNanos);
    this.#putId(id);
    this.putText(entries === undefined ? "" : JSON.stringify(entries));
    this.#putContent(body);
  }

  storageFailed(
    atNanos: number,
    id: number,
    what: { readonly error: StorageErrorKind; readonly path: string; readonly message: string },
  ): void {
    this.#input(tags["storage-failed"], atNanos);
    this.#putId(id);
    this.putInterned(what.error);
    this.putText(what.path);
    this.putText(what.message);
  }

  serve(): void {
    this.#tag(tags.serve);
  }

  served(atNanos: number, selfUri: string): void {
    this.#input(tags.served, atNanos);
    this.putText(selfUri);
  }

  close(): void {
    this.#tag(tags.close);
  }

  closed(atNanos: number): void {
    this.#input(tags.closed, atNanos);
  }

  outside(atNanos: number, name: string, value: string): void {
    this.#input(tags.outside, atNanos);
    this.putInterned(name);
    this.putText(value);
  }

  queryFailed(queryId: string, errorName: string): void {
    this.#tag(tags["query-failed"]);
    this.putText(queryId);
    this.putInterned(errorName);
  }

  #tag(tag: number): void {
    if (this.begin()) {
      this.#nanos = 0;
      this.#cpuNanos = 0;
      this.#wallMillis = 0;
      this.#id = 0;
    }
    this.putByte(tag);
  }

  #input(tag: number, atNanos: number): void {
    this.#tag(tag);
    this.#putNanos(atNanos);
  }

  #putNanos(nanos: number): void {
    this.putSigned(nanos - this.#nanos);
    this.#nanos = nanos;
  }

  #putId(id: number): void {
    this.putSigned(id - this.#id);
    this.#id = id;
  }

  #putRequest(method: HttpMethod, url: string, headers: Headers, body: Content): void {
    this.putInterned(method);
    this.putText(url);
    this.#putHeaders(headers);
    this.#putContent(body);
  }

  #putResponse(status: number, headers: Headers, body: Content): void {
    this.putNumber(status);
    this.#putHeaders(headers);
    this.#putContent(body);
  }

  #putHeaders(headers: Headers): void {
    const names = Object.keys(headers);
    this.putNumber(names.length);
    for (const name of names) {
      const value = headers[name] as string | readonly string[];
      this.putInterned(name);
      if (typeof value === "string") {
        this.putByte(0);
        this.putInterned(value);
      } else {
        this.putByte(1);
        this.putNumber(value.length);
        for (const one of value) {
          this.putInterned(one);
        }
      }
    }
  }

  #putContent(content: Content): void {
    if (content.bytes !== undefined) {
      this.putByte(contentForms.bytes);
      this.putBytes(content.bytes);
      return;
    }
    this.putByte(content.hash === undefined ? contentForms.scrubbed : contentForms.identified);
    this.putNumber(content.length);
    if (content.hash !== undefined) {
      this.putNumber(content.hash);
    }
  }
}
