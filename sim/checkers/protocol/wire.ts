/**
 * Metadata of a response that crossed the network, parsed once for all oracles.
 */
import type { Headers, HttpRequest, HttpResponse } from "../../../src/ports/network.ts";
import { type Body, readBody } from "./bodies.ts";

/** A response where it is produced, before the network applies a fate to it. */
export interface MadeAnswer {
  readonly from: string;
  readonly to: string;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly arrivedNanos: number;
  /** Whether the process that has sent the request still runs; true if that is not told. */
  readonly isSenderAlive?: boolean;
}

/** Target of a request to the task resource. */
export interface TaskTarget {
  readonly taskId: string;
  /** Query id: `20140115_170528_00004_dk5x2`. */
  readonly queryId: string;
  readonly what: "task" | "status" | "results" | "acknowledge" | "buffer";
  /** Set for results, acknowledge and buffer. */
  readonly bufferId: number;
  /** Set for results and acknowledge. */
  readonly token: number;
}

/** A response with its body and the metadata that several oracles use. */
export interface Observed extends MadeAnswer, Body {
  /** Path without query parameters. */
  readonly path: string;
  readonly nowNanos: number;
  /** Number of the event in which the response was made. */
  readonly event: number;
  /** Present if the response is about one task. */
  readonly task: TaskTarget | undefined;
}

export function observed(answer: MadeAnswer, now: { readonly nowNanos: number; readonly event: number }): Observed {
  const { from, to, request, response, arrivedNanos, isSenderAlive = true } = answer;
  const { nowNanos, event } = now;
  const path = request.url.split("?", 1)[0] ?? "";
  const { text, json, exactJson } = readBody(response.body);
  // Copies each member, because this runs for every response and spreads take several times as long.
  return {
    from,
    to,
    request,
    response,
    arrivedNanos,
    isSenderAlive,
    path,
    nowNanos,
    event,
    task: path.startsWith("/v1/task/") ? taskTarget(path) : undefined,
    text,
    json,
    exactJson,
  };
}

export function taskTarget(path: string): TaskTarget | undefined {
  const [, , , taskId, what, buffer, token, last] = path.split("/");
  if (taskId === undefined || taskId === "") {
    return undefined;
  }
  const point = taskId.indexOf(".");
  const results = token === undefined ? "buffer" : last === "acknowledge" ? "acknowledge" : "results";
  return {
    taskId,
    queryId: point < 0 ? taskId : taskId.slice(0, point),
    what: what === "results" ? results : what === "status" ? "status" : "task",
    bufferId: Number(buffer ?? -1),
    token: Number(token ?? -1),
  };
}

/** Whether the answer is the document of a task, or its status, for which the sender of an update may ask instead. */
export function isTaskDocument({ task, request, json }: Observed): boolean {
  return task?.what === "task" && (request.method !== "POST" || Object.hasOwn(json() as object, "stats"));
}

export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}
