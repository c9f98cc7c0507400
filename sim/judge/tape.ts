/** The tape of one situation: every request of the client with its answer and its times, in real milliseconds since the start. */
import type { RequestEnding } from "../../src/chaos/door.ts";
import { queryIdOf, requestKind, type RequestKind } from "../../src/chaos/request.ts";
import type { Headers, HttpRequest } from "../../src/ports/network.ts";
import { type JsonValue, JsonSyntaxError, parseJson } from "../../src/protocol/json.ts";
import { decodeUtf8 } from "../../src/types/utf8.ts";

/** The members of a statement's answer that the model looks at. */
export interface StatementDocument {
  readonly id: string;
  readonly nextUri: string | undefined;
  readonly rows: number;
  readonly hasError: boolean;
}

export interface TapeEntry {
  readonly kind: RequestKind;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly atMs: number;
  queryId: string | undefined;
  /** How often the cluster executed the request. */
  executed: number;
  /** Absent while the request is open. */
  endedMs?: number;
  ending?: RequestEnding["kind"];
  status?: number;
  answerHeaders?: Headers;
  answer?: string;
  /** Absent if the client could not read the answer. */
  document?: StatementDocument;
  /** The client left before the answer. */
  leftMs?: number;
}

export class Tape {
  readonly entries: TapeEntry[] = [];
  /** Addresses that answers named, without the host. */
  readonly given = new Set<string>();
  readonly #startMs = performance.now();

  nowMs(): number {
    return performance.now() - this.#startMs;
  }

  begin(request: HttpRequest): TapeEntry {
    const entry: TapeEntry = {
      kind: requestKind(request),
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: decodeUtf8(request.body),
      atMs: this.nowMs(),
      queryId: queryIdOf(request.url),
      executed: 0,
    };
    this.entries.push(entry);
    return entry;
  }

  end(entry: TapeEntry, ending: RequestEnding): void {
    entry.endedMs = this.nowMs();
    entry.ending = ending.kind;
    if (ending.kind === "silent" || ending.response === undefined) {
      return;
    }
    const { body, headers, status } = ending.response;
    entry.status = status;
    entry.answerHeaders = headers;
    entry.answer = headers["content-encoding"] === undefined ? decodeUtf8(body) : `${body.length} bytes`;
    const document = readDocument(entry.answer);
    if (document !== undefined) {
      entry.queryId = document.id;
      if (document.nextUri !== undefined) {
        this.given.add(withoutHost(document.nextUri));
      }
      if (ending.kind !== "reset") {
        entry.document = document;
      }
    }
  }

  of(...kinds: readonly RequestKind[]): readonly TapeEntry[] {
    return this.entries.filter(({ kind }) => kinds.includes(kind));
  }
}

function withoutHost(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]+/, "");
}

function readDocument(text: string): StatementDocument | undefined {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      return undefined;
    }
    throw error;
  }
  if (value === null || typeof value !== "object" || Array.isArray(value) || typeof value["id"] !== "string") {
    return undefined;
  }
  const { data, error, id, nextUri } = value;
  return {
    id: id as string,
    nextUri: typeof nextUri === "string" ? nextUri : undefined,
    rows: Array.isArray(data) ? data.length : 0,
    hasError: error !== undefined && error !== null,
  };
}
