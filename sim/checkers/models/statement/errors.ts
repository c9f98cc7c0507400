/**
 * Texts of errors. Written from the published list of Presto's messages (section 6 of the reference), docs/interface.md (Limits of a query)
 * and docs/configuration.md:
 * - An operating error has Presto's message. The limit, the query, the times, the address and the counts in it are those of the run: the
 *   limit is configured or in the session, the query is the client's, the address is a node's, and failures lasted as long as they must.
 * - The failure has the message of the error. A located error begins with its place, and both tell the same place.
 * - A failure about a request to a node names the node.
 */
import { parseDataSize, parseDuration, parseDurationMs } from "../../../../src/protocol/units.ts";
import { durationProperty } from "../../../properties.ts";
import { nanosPerMs } from "../../../world/world.ts";
import { headerOf, type Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind } from "../model.ts";
import { familyOf, statementAnswer } from "./answer.ts";

const duration = String.raw`\d+(?:\.\d+)?(?:ns|us|ms|s|m|h|d)`;
const dataSize = String.raw`\d+(?:\.\d+)?(?:B|kB|MB|GB|TB|PB)`;
const moment = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const address = String.raw`http://[\w.-]+:\d+/v1/task/[\w.]+(?:/results/\d+)?`;
const node = String.raw`The node may have crashed or be (?:unreachable|under too much load)`;
const failures = String.raw`\(${address} - (?<failures>\d+) failures, failure duration (?<lasted>${duration})(?:, total failed request time (?<spent>${duration}))?(?:, last: [\s\S]+)?\)`;

interface Form {
  readonly pattern: RegExp;
  /** Property with the limit in the message. */
  readonly limit?: string;
  /** Property with the time that failures last at least. */
  readonly lasts?: string;
}

function form(source: string, more: Omit<Form, "pattern"> = {}): Form {
  return { pattern: new RegExp(`^${source}$`), ...more };
}

/** Messages by the name of their error. Errors of statements have texts of their own and are not here. */
const forms: Readonly<Record<string, readonly Form[]>> = {
  ABANDONED_QUERY: [form(`Query (?<query>\\w+) has not been accessed since (?<since>${moment}): currentTime (?<now>${moment})`)],
  ABANDONED_TASK: [form(`Task [\\w.]+ has not been accessed since ${moment}(?:: currentTime ${moment})?`)],
  EXCEEDED_TIME_LIMIT: [
    form(`Query exceeded maximum time limit of (?<duration>${duration})`, { limit: "query.max-run-time" }),
    form(`Query exceeded the maximum execution time limit of (?<duration>${duration})`, { limit: "query.max-execution-time" }),
  ],
  EXCEEDED_CPU_LIMIT: [form(`Exceeded CPU limit of (?<duration>${duration})`, { limit: "query.max-cpu-time" })],
  EXCEEDED_SCAN_LIMIT: [form(`Exceeded scan limit of (?<size>${dataSize})`, { limit: "query.max-scan-physical-bytes" })],
  EXCEEDED_GLOBAL_MEMORY_LIMIT: [
    form(`Query exceeded distributed user memory limit of (?<size>${dataSize})`, { limit: "query.max-memory" }),
    form(`Query exceeded distributed total memory limit of (?<size>${dataSize})`, { limit: "query.max-total-memory" }),
  ],
  CLUSTER_OUT_OF_MEMORY: [form("Query killed because the cluster is out of memory\\. Please try again in a few minutes\\.")],
  EXCEEDED_LOCAL_MEMORY_LIMIT: [
    form(`Query exceeded per-node user memory limit of (?<size>${dataSize})(?: \\[(?:operator \\w+ ${dataSize}|[a-z][a-z ]*)\\])?`),
    form("Memory limit \\[\\d+\\] for memory connector exceeded"),
  ],
  QUERY_QUEUE_FULL: [form(String.raw`Too many queued queries for "(?:global|all\.(?:odd(?:\.(?:first|others))?|even|of-\w+))"`)],
  QUERY_TEXT_TOO_LARGE: [form("Query text length \\(\\d+\\) exceeds the maximum length \\(\\d+\\)")],
  USER_CANCELED: [form("Query was canceled")],
  SERVER_SHUTTING_DOWN: [form("Server is shutting down")],
  OUT_OF_SPILL_SPACE: [form("No free space available for spill")],
  TOO_MANY_REQUESTS_FAILED: [
    form(`Encountered too many errors talking to a worker node\\. ${node}\\. .*${failures}`, {
      lasts: "query.remote-task.max-error-duration",
    }),
    form("The node may have crashed or be unreachable: https?://[\\w.-]+:\\d+"),
  ],
  PAGE_TRANSPORT_TIMEOUT: [
    form(`Encountered too many errors talking to a worker node\\. ${node}\\. .*${failures}`, { lasts: "exchange.max-error-duration" }),
  ],
};
const aboutTask = /http:\/\/([\w.-]+):\d+\/v1\/task\//;
const located = /^line (\d+):(\d+): /;

type Members = Readonly<Record<string, unknown>>;

class StatementErrors implements Model {
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #places: ReadonlySet<string>;
  /** Session of each query that is not over. */
  readonly #sessions = new Map<string, ReadonlyMap<string, string>>();

  constructor(context: Judged) {
    const { coordinator, workers } = context.plan;
    this.#context = context;
    this.#coordinator = coordinator.name;
    this.#places = new Set([coordinator, ...workers].map(({ name }) => name));
  }

  observe(answer: Observed): void {
    const said = answer.to === this.#coordinator ? statementAnswer(answer) : undefined;
    if (said === undefined || said.status !== 200) {
      return;
    }
    if (said.isSubmission) {
      this.#sessions.set(said.id, sessionOf(answer));
    }
    if (said.document?.error !== undefined) {
      this.#error(said.id, said.document.error);
    }
  }

  #error(id: string, error: Members): void {
    const { errorName, message } = error as { readonly errorName: string; readonly message: string };
    const failure = error["failureInfo"] as Members | undefined;
    this.#check(
      failure?.["message"] === message && JSON.stringify(failure["errorLocation"]) === JSON.stringify(error["errorLocation"]),
      () => `${id} failed with ${JSON.stringify(error)}, whose failure says something else`,
    );
    const [, line, column] = located.exec(message) ?? [];
    const place = error["errorLocation"] as { readonly lineNumber: unknown; readonly columnNumber: unknown } | undefined;
    this.#check(
      String(place?.lineNumber) === String(line) && String(place?.columnNumber) === String(column),
      () => `${id} failed with "${message}", at ${JSON.stringify(place)}`,
    );
    const [, host] = aboutTask.exec(message) ?? [];
    this.#check(
      host === undefined || this.#places.has(host),
      () => `${id} failed because of ${String(host)}, which is no node: ${message}`,
    );
    this.#form(id, errorName, message);
  }

  #form(id: string, errorName: string, message: string): void {
    const known = forms[errorName];
    if (known === undefined) {
      return;
    }
    const found = known.map((one) => ({ ...one, match: one.pattern.exec(message) })).find(({ match }) => match !== null);
    this.#check(found !== undefined, () => `${id} failed with ${errorName}: ${message}`);
    const { query, since, now, duration: time, size, failures: count, lasted, spent } = found?.match?.groups ?? {};
    const { limit, lasts } = found ?? {};
    this.#check(query === undefined || query === id, () => `${id} failed with the text of ${String(query)}`);
    // Wall clocks step; a query is abandoned after its client's silence all the same.
    this.#check(
      since === undefined || now === undefined || since <= now || this.#context.plan.faults.some(({ kind }) => kind.startsWith("clock")),
      () => `${id} failed with "${message}"`,
    );
    const limitMs = parseDurationMs(time ?? "");
    if (limit !== undefined && limitMs !== undefined) {
      const allowed = [durationProperty(this.#context.plan.properties, limit), parseDurationMs(this.#sessions.get(id)?.get(limit) ?? "")];
      this.#check(
        !this.#sessions.has(id) || allowed.includes(limitMs),
        () => `${id} failed with "${message}"; its limits are ${allowed.join()} ms`,
      );
    } else if (limit !== undefined && size !== undefined && this.#sessions.has(id)) {
      const texts = [this.#context.plan.properties[limit], this.#sessions.get(id)?.get(limit)];
      const allowed = texts.flatMap((text) => (text === undefined ? [] : [parseDataSize(text)]));
      this.#check(allowed.includes(parseDataSize(size)), () => `${id} failed with "${message}"; its limits are ${texts.join()}`);
    }
    if (lasts !== undefined && count !== undefined && lasted !== undefined) {
      const leastNanos = durationProperty(this.#context.plan.properties, lasts) * nanosPerMs;
      const [lastedNanos, spentNanos] = [lasted, spent ?? "0s"].map((text) => parseDuration(text) ?? Number.NaN) as [number, number];
      this.#check(
        Number(count) >= 3 && lastedNanos >= leastNanos - 10 * nanosPerMs && spentNanos >= 0,
        () => `${id} failed with "${message}"; failures last at least ${leastNanos / nanosPerMs} ms`,
      );
    }
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

/** Session properties of a submission, by the names of the properties of the configuration that they lower. */
function sessionOf({ request }: Observed): ReadonlyMap<string, string> {
  const text = headerOf(request.headers, `x-${familyOf(request) ?? "engine"}-session`) ?? "";
  return new Map(
    text.split(",").map((entry): [string, string] => {
      const [name = "", value = ""] = entry.split("=");
      const [first = "", ...words] = name.trim().split("_");
      return [`${first}.${words.join("-")}`, decodeURIComponent(value)];
    }),
  );
}

export const statementErrors: ModelKind = {
  invariant: {
    name: "statement-errors",
    sentence:
      "An operating error has Presto's message, with the limit, the query, the node and the counts of its run; its failure has the same message and place.",
    kind: "safety",
    checkedIn: "checkers/models/statement/errors.ts",
  },
  create: (context) => new StatementErrors(context),
};
