/**
 * Properties of the consumers of query events: log lines, query log, traces, event listener. The listener's properties are Trino's.
 */
import { resolve } from "node:path";
import { parseDataSize, parseDurationMs } from "../../../protocol/units.ts";
import { ConfigurationError } from "../../properties.ts";
import { shownValue } from "../../../protocol/shown-value.ts";

export const eventProperties = [
  {
    name: "log.slow-query-threshold",
    default: "",
    description: "Elapsed time from which a query that has ended is logged as slow, at level warn; none by default",
  },
  {
    name: "tracing.include-statements",
    default: "false",
    description: "Whether spans of traces have the texts of statements",
  },
  { name: "query-log.path", default: "", description: "File of the query log: a line of JSON for each query that has ended" },
  { name: "query-log.max-size", default: "100MB", description: "Size at which the query log is rotated" },
  { name: "query-log.max-files", default: "5", description: "Number of files of the query log, with the one that is written" },
  {
    name: "audit-log.path",
    default: "",
    description: "File of the audit log: a line of JSON for each statement that begins or ends, and for each refused request",
  },
  { name: "audit-log.max-size", default: "100MB", description: "Size at which the audit log is rotated" },
  { name: "audit-log.max-files", default: "10", description: "Number of files of the audit log, with the one that is written" },
  { name: "event-listener.name", default: "", description: "Kind of event listener: http, or none by default" },
  { name: "http-event-listener.connect-ingest-uri", default: "", description: "Address to which query events are sent" },
  { name: "http-event-listener.log-created", default: "false", description: "Whether to send QueryCreatedEvent" },
  { name: "http-event-listener.log-completed", default: "false", description: "Whether to send QueryCompletedEvent" },
  {
    name: "http-event-listener.connect-http-headers",
    default: "",
    description: "Headers of the requests, as `Name: value` with commas between; a comma or colon in a value is written `\\,` or `\\:`",
  },
  { name: "http-event-listener.connect-http-method", default: "POST", description: "Method of the requests: POST or PUT" },
  {
    name: "http-event-listener.connect-retry-count",
    default: "0",
    description: "Number of retries of an event that was not accepted",
  },
  { name: "http-event-listener.connect-retry-delay", default: "1s", description: "Delay before the first retry" },
  { name: "http-event-listener.connect-backoff-base", default: "2", description: "Factor by which the delay grows with each retry" },
  { name: "http-event-listener.connect-max-delay", default: "1m", description: "Maximum delay between two retries" },
] as const;

type EventPropertyName = (typeof eventProperties)[number]["name"];

export interface QueryLogConfiguration {
  readonly path: string;
  readonly sizeBytesMax: number;
  readonly filesMax: number;
}

export interface HttpListenerConfiguration {
  readonly uri: string;
  readonly method: "POST" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
  readonly logsCreated: boolean;
  readonly logsCompleted: boolean;
  readonly retryCount: number;
  readonly retryDelayMs: number;
  readonly backoffBase: number;
  readonly delayMsMax: number;
}

export interface EventConfiguration {
  readonly slowQueryMs: number | undefined;
  readonly tracesStatements: boolean;
  readonly queryLog: QueryLogConfiguration | undefined;
  readonly auditLog: QueryLogConfiguration | undefined;
  readonly listener: HttpListenerConfiguration | undefined;
}

const sizeBytesMin = 64 * 1024;

/** `text` returns the value of a property. Throws ConfigurationError. Never names a value that may hold a secret. */
export function eventConfiguration(text: (name: EventPropertyName) => string): EventConfiguration {
  const slow = text("log.slow-query-threshold");
  return {
    slowQueryMs: slow === "" ? undefined : durationOf("log.slow-query-threshold", slow),
    tracesStatements: flagOf("tracing.include-statements", text("tracing.include-statements")),
    queryLog: logFile("query-log", text),
    auditLog: logFile("audit-log", text),
    listener: listenerConfiguration(text),
  };
}

function logFile(log: "query-log" | "audit-log", text: (name: EventPropertyName) => string): QueryLogConfiguration | undefined {
  const path = text(`${log}.path`);
  const size = text(`${log}.max-size`);
  const sizeBytesMax = parseDataSize(size);
  if (sizeBytesMax === undefined || sizeBytesMax < sizeBytesMin) {
    throw invalid(`${log}.max-size`, size, "a data size from 64kB on, such as 100MB");
  }
  const filesMax = integerOf(`${log}.max-files`, text(`${log}.max-files`), 1, 1000);
  return path === "" ? undefined : { path: resolve(path), sizeBytesMax, filesMax };
}

function listenerConfiguration(text: (name: EventPropertyName) => string): HttpListenerConfiguration | undefined {
  const name = text("event-listener.name");
  if (name === "") {
    return undefined;
  }
  if (name !== "http") {
    throw invalid("event-listener.name", name, "http");
  }
  const uri = text("http-event-listener.connect-ingest-uri");
  if (!URL.canParse(uri) || !/^https?:$/.test(new URL(uri).protocol)) {
    throw new ConfigurationError(
      "invalid value for property 'http-event-listener.connect-ingest-uri': expected an address, http://HOST/PATH",
    );
  }
  const method = text("http-event-listener.connect-http-method");
  if (method !== "POST" && method !== "PUT") {
    throw invalid("http-event-listener.connect-http-method", method, "POST or PUT");
  }
  const base = text("http-event-listener.connect-backoff-base");
  const backoffBase = /^\d{1,3}(\.\d{1,6})?$/.test(base) ? Number(base) : 0;
  if (backoffBase < 1) {
    throw invalid("http-event-listener.connect-backoff-base", base, "a number from 1 to 999");
  }
  return {
    uri,
    method,
    headers: headersOf(text("http-event-listener.connect-http-headers")),
    logsCreated: flagOf("http-event-listener.log-created", text("http-event-listener.log-created")),
    logsCompleted: flagOf("http-event-listener.log-completed", text("http-event-listener.log-completed")),
    retryCount: integerOf("http-event-listener.connect-retry-count", text("http-event-listener.connect-retry-count"), 0, 1000),
    retryDelayMs: durationOf("http-event-listener.connect-retry-delay", text("http-event-listener.connect-retry-delay")),
    backoffBase,
    delayMsMax: durationOf("http-event-listener.connect-max-delay", text("http-event-listener.connect-max-delay")),
  };
}

/** A value may be a secret, so the message does not show it. */
function headersOf(list: string): Readonly<Record<string, string>> {
  const entries = (list.match(/(?:\\.|[^,\\])+/g) ?? []).filter((entry) => entry.trim() !== "");
  return Object.fromEntries(
    entries.map((entry) => {
      const colon = entry.indexOf(":");
      const name = entry.slice(0, Math.max(0, colon)).trim();
      const value = entry
        .slice(colon + 1)
        .replaceAll(/\\([,:\\])/g, "$1")
        .trim();
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
        throw new ConfigurationError(
          "invalid value for property 'http-event-listener.connect-http-headers': expected 'Name: value', with commas between",
        );
      }
      return [name, value];
    }),
  );
}

function durationOf(name: EventPropertyName, value: string): number {
  const parsed = parseDurationMs(value);
  if (parsed === undefined) {
    throw invalid(name, value, "a duration such as 30s");
  }
  return parsed;
}

function integerOf(name: EventPropertyName, value: string, low: number, high: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= low && number <= high)) {
    throw invalid(name, value, `a whole number from ${low} to ${high}`);
  }
  return number;
}

function flagOf(name: EventPropertyName, value: string): boolean {
  if (value !== "true" && value !== "false") {
    throw invalid(name, value, "true or false");
  }
  return value === "true";
}

function invalid(name: EventPropertyName, value: string, expected: string): ConfigurationError {
  return new ConfigurationError(`invalid value '${shownValue(value)}' for property '${name}': expected ${expected}`);
}
