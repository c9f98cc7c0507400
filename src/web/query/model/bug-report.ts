/**
 * One file for a bug report: the query's document with plan and counters, versions, the cluster, and how to get the recording. Secrets are
 * left out: credentials in the session, values of properties and literals behind names such as `password`. Pure.
 */
import { lexemeAt } from "../../../sql/parser/lexemes.ts";
import type { QueryDetail } from "./documents.ts";

const secretName =
  /passw|secret|credential|token|api[-_.]?key|access[-_.]?key|private[-_.]?key|connection[-_.]?string|json[-_.]?key|authorization|cookie/i;
export const scrubbed = "***";

/** Lines about the recordings, for people. The server has no address for them: they may hold data of other queries. */
const recordingSteps: readonly string[] = [
  "If the nodes were started with --record DIR, each has a recording in DIR; a query that failed by an internal error has copied it to DIR/kept-*.",
  "To copy it now: kill -USR2 with the process id of the server.",
  "To make one file that replays the failure: npm run sim -- import DIR --name NAME.",
  "If they were not: start them with --record DIR (--record-scrub leaves literals and rows out) and run the query again.",
];

export interface ReportParts {
  readonly query: QueryDetail;
  readonly info: unknown;
  readonly cluster: unknown;
  readonly nodes: unknown;
  readonly page: { readonly userAgent: string; readonly createdAt: string };
}

export function bugReport({ query, info, cluster, nodes, page }: ReportParts): object {
  return {
    orreryBugReport: 1,
    createdAt: page.createdAt,
    browser: page.userAgent,
    queryId: query.queryId,
    state: query.state,
    failure: withoutSecrets(query.failureInfo ?? null, ""),
    statement: withoutSecretLiterals(query.query),
    recording: recordingSteps,
    server: withoutSecrets(info, ""),
    cluster: withoutSecrets(cluster, ""),
    nodes: withoutSecrets(nodes, ""),
    query: withoutSecrets(query, ""),
  };
}

const statementMembers: ReadonlySet<string> = new Set(["query", "preparedStatements", "addedPreparedStatements"]);

/** The same JSON with the values of secret names replaced. `name`: of the member that holds the value. */
function withoutSecrets(value: unknown, name: string, isStatement = false): unknown {
  if (typeof value === "string") {
    if (isStatement || statementMembers.has(name)) {
      return withoutSecretLiterals(value);
    }
    return isSecret(name) && value !== "" ? scrubbed : value;
  }
  if (Array.isArray(value)) {
    return value.map((inner) => withoutSecrets(inner, name, isStatement));
  }
  if (typeof value === "object" && value !== null) {
    const inStatements = name === "preparedStatements" || name === "addedPreparedStatements";
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner, key, inStatements)]));
  }
  return isSecret(name) && typeof value === "number" ? scrubbed : value;
}

/** The trace token of a client identifies a request and opens nothing; names of tokens of results are counters. */
function isSecret(name: string): boolean {
  return secretName.test(name) && name !== "traceToken";
}

/**
 * Replaces text literals that follow a secret name and `=`, as in `WITH ("connection-password" = 'x')`, and the one behind
 * `SET SESSION catalog.password =`.
 */
export function withoutSecretLiterals(statement: string): string {
  let result = "";
  let before = "";
  let isBehindSecret = false;
  for (let at = 0; at < statement.length; ) {
    const { kind, end } = lexemeAt(statement, at);
    const text = statement.slice(at, Math.max(end, at + 1));
    at += text.length;
    if ((kind === "string" || kind === "unicodeString") && isBehindSecret) {
      result += `'${scrubbed}'`;
      isBehindSecret = false;
    } else {
      result += text;
      if (kind === "operator" && (text === "=" || text === "=>")) {
        isBehindSecret = secretName.test(before);
      } else if (kind !== "blank" && kind !== "comment") {
        isBehindSecret = false;
      }
    }
    if (kind !== "blank" && kind !== "comment" && text !== "=") {
      before = text;
    }
  }
  return result;
}
