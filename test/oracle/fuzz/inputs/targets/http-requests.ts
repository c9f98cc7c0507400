/**
 * Random requests to a coordinator: the resources of its API with altered paths, parameters, headers and bodies. The same seed and number
 * draw the same request.
 */
import { apiOperations } from "../../../../../src/server/operations/openapi/operations.ts";
import type { Random } from "../../random.ts";

export interface FuzzedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** What a request may name. Requests that end the node or wait for long are left out. */
const operations = Object.keys(apiOperations).filter((key) => !/chaos|logout|PUT \/v1\/info\/state/.test(key));
const methods = ["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS", "TRACE", "BREW"] as const;
const odd = [
  "",
  "0",
  "-1",
  "__proto__",
  "constructor",
  "..",
  "%2e%2e%2f",
  "%00",
  "%ff",
  "%",
  "a b",
  "'",
  '"',
  "\u00e9",
  "1e999",
  "9".repeat(40),
  "x".repeat(9000),
  "{}",
  "*",
  "1.1.1.1",
  "20200101_000000_00000_aaaaa",
  "20200101_000000_00000_aaaaa.0.0.0.0",
  "true",
  "1s",
  "1GB",
  "-0",
] as const;
const parameters = [
  "slug",
  "maxWait",
  "targetResultSize",
  "state",
  "limit",
  "pretty",
  "summarize",
  "user",
  "__proto__",
  "toString",
  "after",
  "q",
] as const;
const families = ["X-Engine", "X-Trino", "X-Presto"] as const;
const names = [
  "User",
  "Catalog",
  "Schema",
  "Session",
  "Time-Zone",
  "Language",
  "Source",
  "Client-Info",
  "Client-Tags",
  "Client-Capabilities",
  "Prepared-Statement",
  "Transaction-Id",
  "Role",
  "Resource-Estimate",
  "Extra-Credential",
  "Path",
  "Trace-Token",
  "Original-User",
  "Query-Data-Encoding",
  "Max-Wait",
  "Max-Size",
] as const;
const plain = [
  "content-type",
  "accept",
  "accept-encoding",
  "authorization",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "forwarded",
  "expect",
  "range",
  "if-match",
  "cookie",
  "traceparent",
  "te",
  "upgrade",
] as const;
const values = [
  "a",
  "a=b",
  "a=b,a=c",
  "a=%",
  "UTC",
  "Mars/Base",
  "NONE",
  "p=SELECT+1",
  "p=%53%45%4c",
  "p=SELECT+(",
  "__proto__=1",
  "system.x=1",
  "application/json",
  "gzip, br;q=0",
  "json+zstd",
  "ROLE{a}",
  "100-continue",
  "bytes=0-1",
  "Basic !!",
  "Bearer a.b.c",
] as const;
const bodies = [
  "",
  "SELECT 1",
  "SELECT",
  "SELECT * FROM tpch.tiny.nation",
  "SELECT $",
  "EXECUTE p",
  "EXECUTE p USING 1",
  "SET SESSION x = 1",
  "START TRANSACTION",
  "COMMIT",
  "DESCRIBE tpch.tiny.nation",
  "SHOW FUNCTIONS",
  "{",
  "{}",
  "[]",
  "null",
  '{"__proto__":{}}',
  '{"catalogName":1}',
  '{"a":'.repeat(2000),
  "\u0000",
  "\ud800",
  "(".repeat(3000),
] as const;

export function drawRequest(random: Random): FuzzedRequest {
  const [method = "GET", path = "/"] = random.pick(operations).split(" ");
  const segments = path.split("/").map((segment) => (/\{/.test(segment) || random.chance(3) ? encodeOdd(random) : segment));
  const query = list(random, 3, () => `${random.pick(parameters)}=${encodeOdd(random)}`);
  return {
    method: random.chance(12) ? random.pick(methods) : method,
    target: segments.join("/") + (query.length === 0 ? "" : `?${query.join("&")}`),
    headers: list(random, 5, () => [drawName(random), drawValue(random)] as const),
    body: drawBody(random),
  };
}

function list<T>(random: Random, countMax: number, draw: () => T): readonly T[] {
  return Array.from({ length: random.below(countMax + 1) }, draw);
}

/** As it stands, or encoded: a target without spaces and line ends. */
function encodeOdd(random: Random): string {
  const text = random.pick(odd);
  return random.chance(33) ? encodeURIComponent(text) : text.replaceAll(/[\s"\u0080-\uffff]/g, "_");
}

function drawName(random: Random): string {
  return random.chance(33) ? random.pick(plain) : `${random.pick(families)}-${random.pick(names)}`;
}

function drawValue(random: Random): string {
  return random.chance(33) ? random.pick(odd).replaceAll(/[^\u0020-\u00ff]/g, "?") : random.pick(values);
}

function drawBody(random: Random): string {
  const body = random.pick(bodies);
  if (!random.chance(25) || body === "") {
    return body;
  }
  const at = random.below(body.length);
  return body.slice(0, at) + random.pick(odd) + body.slice(at + 1);
}

/** Smaller requests, the smallest first. */
export function smallerRequests(request: FuzzedRequest): readonly FuzzedRequest[] {
  const { body, headers, target } = request;
  const [path = "", query] = target.split("?");
  return [
    ...(body === ""
      ? []
      : [
          { ...request, body: "" },
          { ...request, body: body.slice(0, Math.floor(body.length / 2)) },
        ]),
    ...(query === undefined ? [] : [{ ...request, target: path }]),
    ...headers.map((_, index) => ({ ...request, headers: headers.filter((_header, place) => place !== index) })),
  ];
}

/** The bytes on the connection, in Latin-1. */
export function textOf({ method, target, headers, body }: FuzzedRequest): string {
  const bytes = Buffer.from(body, "utf8").toString("latin1");
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const address = target === "" ? "/" : target;
  const start = `${method} ${address} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n`;
  return `${start}content-length: ${bytes.length}\r\n${lines}\r\n${bytes}`;
}
