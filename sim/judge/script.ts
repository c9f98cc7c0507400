/** A model server of the statement protocol: a chain of documents, one a token. The same token has the same answer. */
import type { Headers, HttpRequest, HttpResponse } from "../../src/ports/network.ts";
import { detectFamily, responseHeader, type ResponseSuffix } from "../../src/protocol/http/headers.ts";
import { jsonTextResponse } from "../../src/protocol/http/http.ts";
import { encodeUtf8 } from "../../src/types/utf8.ts";
import type { RequestEnding } from "../../src/chaos/door.ts";

/** One answer of a script. */
export interface ScriptedAnswer {
  /** JSON text of the rows; absent for an answer without `data`. */
  readonly data?: string;
  /** Name and type of each column; absent for an answer without `columns`. */
  readonly columns?: readonly (readonly [name: string, type: string])[];
  /** Whether another answer follows. */
  readonly more: boolean;
  readonly state?: string;
  readonly error?: { readonly errorName: string; readonly message: string };
  /** Members of the document that the protocol does not name, as JSON text: `"future":1`. */
  readonly others?: string;
  /** Real milliseconds before the answer. */
  readonly delayMs?: number;
  /** Headers by their suffix, in the client's family: `Set-Session`. */
  readonly session?: Readonly<Partial<Record<ResponseSuffix, string>>>;
  /** Changes the address of the next answer. */
  readonly moved?: (nextUri: string) => string;
  /** Replaces the answer. */
  readonly instead?: { readonly status: number; readonly headers: Headers; readonly body: string };
}

const queryId = "20260101_000000_00001_judge";
const slug = "xjudge0123456789abcdef";

export class ScriptedServer {
  readonly #script: (request: HttpRequest, step: { readonly token: number }) => ScriptedAnswer;
  readonly #pause: (delayMs: number) => Promise<void>;

  constructor(
    script: (request: HttpRequest, step: { readonly token: number }) => ScriptedAnswer,
    pause: (delayMs: number) => Promise<void>,
  ) {
    this.#script = script;
    this.#pause = pause;
  }

  async answer(request: HttpRequest): Promise<RequestEnding> {
    const isStatement = request.url.startsWith("/v1/statement") || request.url.startsWith("/v1/query");
    if (!isStatement) {
      return answered({ status: 404, headers: { "content-type": "text/plain" }, body: encodeUtf8("No such resource") });
    }
    if (request.method === "DELETE") {
      return answered({ status: 204, headers: {}, body: new Uint8Array(0) });
    }
    const token = request.method === "POST" ? 0 : Number(/\/(\d+)(?:\?|$)/.exec(request.url)?.[1] ?? "0");
    const scripted = this.#script(request, { token });
    if (scripted.delayMs !== undefined) {
      await this.#pause(scripted.delayMs);
    }
    return answered(scripted.instead === undefined ? document(scripted, token, request) : raw(scripted.instead));
  }
}

function answered(response: HttpResponse): RequestEnding {
  return { kind: "answered", response };
}

function raw({ body, headers, status }: NonNullable<ScriptedAnswer["instead"]>): HttpResponse {
  return { status, headers, body: encodeUtf8(body) };
}

function document(scripted: ScriptedAnswer, token: number, request: HttpRequest): HttpResponse {
  const base = `http://${String(request.headers["host"])}`;
  const next = `${base}/v1/statement/executing/${queryId}/${slug}/${token + 1}`;
  const state = scripted.state ?? (scripted.error !== undefined ? "FAILED" : scripted.more ? "RUNNING" : "FINISHED");
  const columns = scripted.columns?.map(([name, type]) => ({
    name,
    type,
    typeSignature: { rawType: type.replace(/\(.*/, ""), arguments: [] },
  }));
  const members = [
    `"id":${JSON.stringify(queryId)}`,
    `"infoUri":${JSON.stringify(`${base}/ui/query.html?${queryId}`)}`,
    ...(scripted.more ? [`"nextUri":${JSON.stringify(scripted.moved?.(next) ?? next)}`] : []),
    ...(columns === undefined ? [] : [`"columns":${JSON.stringify(columns)}`]),
    ...(scripted.data === undefined ? [] : [`"data":${scripted.data}`]),
    `"stats":${JSON.stringify(stats(state))}`,
    ...(scripted.error === undefined ? [] : [`"error":${JSON.stringify(errorDocument(scripted.error))}`]),
    ...(scripted.others === undefined ? [] : [scripted.others]),
    `"warnings":[]`,
  ];
  const family = detectFamily(request.headers);
  const headers = Object.entries(scripted.session ?? {}).map(([suffix, value]) => [
    responseHeader(family, suffix as ResponseSuffix),
    value,
  ]);
  return jsonTextResponse(200, encodeUtf8(`{${members.join(",")}}`), Object.fromEntries(headers) as Headers);
}

function errorDocument({ errorName, message }: NonNullable<ScriptedAnswer["error"]>): object {
  return {
    message,
    errorCode: 65_536,
    errorName,
    errorType: "INTERNAL_ERROR",
    failureInfo: { type: "java.lang.RuntimeException", message, suppressed: [], stack: [] },
  };
}

function stats(state: string): object {
  return {
    state,
    queued: state === "QUEUED",
    scheduled: state !== "QUEUED",
    nodes: 1,
    totalSplits: 1,
    queuedSplits: 0,
    runningSplits: 1,
    completedSplits: 0,
    cpuTimeMillis: 1,
    wallTimeMillis: 1,
    queuedTimeMillis: 1,
    elapsedTimeMillis: 1,
    processedRows: 1,
    processedBytes: 1,
    physicalInputBytes: 0,
    peakMemoryBytes: 0,
    spilledBytes: 0,
    progressPercentage: 50,
  };
}
