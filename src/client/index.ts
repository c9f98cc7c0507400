/**
 * `orrery/client`: the statement client for Node and browsers.
 *
 *   const client = createClient({ server: "http://127.0.0.1:8080", catalog: "tpch", schema: "tiny" });
 *   for await (const [name] of client.query("SELECT name FROM nation")) { ... }
 */
import { encodeBase64 } from "../types/base64.ts";
import { encodeUtf8 } from "../types/utf8.ts";
import { Client, type SessionOptions } from "./client.ts";
import { fetchNetwork, platformClock } from "./fetch.ts";

export interface ClientOptions extends SessionOptions {
  /** Address of the coordinator, `http://host:port`. In a browser it may be absent: then it is the page's own. */
  readonly server?: string;
  /** Sent with the user's name as basic authentication. */
  readonly password?: string;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function createClient(options: ClientOptions = {}): Client {
  const { server = "", user = "anonymous", password, headers } = options;
  const authorization = password === undefined ? {} : { authorization: `Basic ${encodeBase64(encodeUtf8(`${user}:${password}`))}` };
  const network = fetchNetwork({ headers: { ...authorization, ...headers } });
  return new Client({ network, clock: platformClock(), server }, options);
}

export { Client };
export type { Connection, QueryOptions, SessionOptions, SessionState } from "./client.ts";
export { ClientError, type ClientErrorKind, type ErrorLocation, type ErrorType, QueryFailedError, type QueryFailure } from "./errors.ts";
export type { Parameter } from "./parameters.ts";
export type { AbortSignalLike, Column, Progress, Query, QueryResult, Warning } from "./query.ts";
export type { IntegerMode, Row, Value } from "./values.ts";
