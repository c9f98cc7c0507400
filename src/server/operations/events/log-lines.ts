/**
 * Log lines about queries that have failed, with the reason, and about slow ones. Statements are cut and stand without their literals.
 */
import type { QueryEvent } from "../../../coordinator/context.ts";
import type { Log } from "../../../ports/ports.ts";
import type { EventConsumer } from "./event-consumer.ts";
import { statementPreview } from "./statement-preview.ts";

const statementLengthMax = 200;
const messageLengthMax = 1000;

export class QueryLogLines implements EventConsumer {
  readonly #log: Log;
  /** Undefined if slow queries are not logged. */
  readonly #slowMs: number | undefined;

  constructor(log: Log, slowMs: number | undefined) {
    this.#log = log;
    this.#slowMs = slowMs;
  }

  onQueryEvent(event: QueryEvent): void {
    if (event.kind !== "completed") {
      return;
    }
    const { errorName, elapsedNanos } = event.measures;
    const elapsedMs = Math.round(elapsedNanos / 1e6);
    if (errorName !== undefined) {
      const { errorCode, failureInfo } = event.info;
      const message = (failureInfo?.message ?? "").slice(0, messageLengthMax);
      this.#log.info("query-failed", {
        ...idOf(event),
        errorName,
        errorType: errorCode?.type ?? "",
        message,
        elapsedMs,
        ...statementOf(event),
      });
    }
    if (this.#slowMs !== undefined && elapsedMs >= this.#slowMs) {
      const { measures } = event;
      this.#log.warn("query-slow", {
        ...idOf(event),
        elapsedMs,
        queuedMs: Math.round(measures.queuedNanos / 1e6),
        cpuMs: Math.round(measures.cpuNanos / 1e6),
        inputRows: measures.inputRows,
        outputRows: measures.outputRows,
        ...statementOf(event),
      });
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function idOf({ info: { queryId, session } }: QueryEvent): Readonly<Record<string, string>> {
  return { queryId, user: session.user, ...(session.source === undefined ? {} : { source: session.source }) };
}

function statementOf({ info }: QueryEvent): Readonly<Record<string, string>> {
  return { statement: statementPreview(info.query, statementLengthMax) };
}
