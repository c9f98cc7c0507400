/** A response of the statement resource, with what the paths, headers and fields of the interface (sections 2.2 and 4.1) say. */
import type { HttpRequest } from "../../../../src/ports/network.ts";
import { decodeUtf8 } from "../../../../src/types/utf8.ts";
import { headerOf, type Observed } from "../../protocol/wire.ts";

export type Family = "engine" | "presto" | "trino";

export interface StatementStage {
  readonly stageId?: unknown;
  readonly state?: unknown;
  readonly done?: unknown;
  readonly totalSplits?: unknown;
  readonly subStages?: readonly StatementStage[];
}

/** Query results document. Members that a response lacks are undefined. */
export interface StatementDocument {
  readonly id?: unknown;
  readonly infoUri?: unknown;
  readonly nextUri?: string;
  readonly partialCancelUri?: unknown;
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly data?: readonly (readonly unknown[])[] | { readonly encoding: string; readonly segments: readonly unknown[] };
  readonly error?: Readonly<Record<string, unknown>>;
  readonly updateType?: string;
  readonly updateCount?: unknown;
  readonly warnings?: unknown;
  readonly stats?: Readonly<Record<string, unknown>> & { readonly state?: string; readonly rootStage?: StatementStage };
}

export interface StatementAnswer {
  readonly answer: Observed;
  readonly isSubmission: boolean;
  /** Id in the path, or in the response to a POST; empty if there is none. */
  readonly id: string;
  /** Undefined for a submission. */
  readonly token: number | undefined;
  readonly slug: string | undefined;
  readonly status: number;
  /** Present in responses with status 200 and a body. */
  readonly document: StatementDocument | undefined;
}

/** What a client sends with a statement. Members whose headers are missing are undefined. */
export interface SubmittedSession {
  readonly sql: string;
  readonly user: string | undefined;
  readonly source: string | undefined;
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
  /** Session properties without a catalog. */
  readonly properties: Readonly<Record<string, string>>;
}

/** Undefined if the request names no user. */
export function submittedSession(request: HttpRequest): SubmittedSession | undefined {
  const family = familyOf(request);
  if (family === undefined) {
    return undefined;
  }
  const header = (name: string): string | undefined => headerOf(request.headers, `x-${family}-${name}`);
  return {
    sql: decodeUtf8(request.body),
    user: header("user"),
    source: header("source"),
    catalog: header("catalog"),
    schema: header("schema"),
    properties: propertiesOf(header("session") ?? ""),
  };
}

function propertiesOf(header: string): Readonly<Record<string, string>> {
  const pairs = header.split(",").flatMap((pair) => {
    const [name = "", value = ""] = pair.trim().split("=", 2);
    return name === "" || name.includes(".") ? [] : [[name, decodeURIComponent(value.replaceAll("+", " "))] as const];
  });
  return Object.fromEntries(pairs);
}

/** Header family of a request: the first with a user; undefined if the request names no user. */
export function familyOf({ headers }: HttpRequest): Family | undefined {
  return (["engine", "presto", "trino"] as const).find((family) => headers[`x-${family}-user`] !== undefined);
}

export function slugOf(url: string): string | undefined {
  return /[?&]slug=([^&]+)/.exec(url)?.[1];
}

/** Token at the end of an address of the statement resource. */
export function tokenOf(url: string): number | undefined {
  const token = /^(?:https?:\/\/[^/]+)?\/v1\/statement\/[^/?]+\/(\d+)(?:\?|$)/.exec(url)?.[1];
  return token === undefined ? undefined : Number(token);
}

/** Undefined if the response is not one of the statement resource. */
export function statementAnswer(answer: Observed): StatementAnswer | undefined {
  const { path, request, response } = answer;
  if (!path.startsWith("/v1/statement")) {
    return undefined;
  }
  const isSubmission = request.method === "POST" || request.method === "PUT";
  const hasDocument = response.status === 200 && response.body.length > 0;
  const document = hasDocument ? (answer.exactJson() as StatementDocument) : undefined;
  return {
    answer,
    isSubmission,
    id: path.split("/")[3] ?? (typeof document?.id === "string" ? document.id : ""),
    token: isSubmission ? undefined : tokenOf(request.url),
    slug: slugOf(request.url),
    status: response.status,
    document,
  };
}
