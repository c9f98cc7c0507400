/**
 * Reports the creation and the completion of each query to the observer of the node: metrics, logs, traces. The observer only looks;
 * without one, nothing here runs. A completed query is reported when the final documents of its tasks are known, or have not come in time.
 */
import { scansOf } from "../../planner/fragmenter/fragment-walk.ts";
import type { QueryInfo } from "../../protocol/documents/query.ts";
import type { CoordinatorContext, QueryEvent, QueryMeasures, ScannedTable } from "../context.ts";
import type { Query } from "../query/query.ts";
import { queryInfo } from "../query/query-documents.ts";
import { queryTotals } from "../query/query-statistics.ts";

/** Longest wait for the final documents of the tasks of a failed query, in milliseconds. */
const settleWaitMs = 1000;

export class QueryEvents {
  readonly #context: CoordinatorContext;
  /** Failed queries that are not reported yet, with the function that reports them at once. */
  readonly #settling = new Map<Query, () => void>();
  #closed = false;

  constructor(context: CoordinatorContext) {
    this.#context = context;
  }

  watch(query: Query): void {
    if (this.#context.onQueryEvent === undefined) {
      return;
    }
    this.#report("created", query);
    query.onEnd(() => this.#ended(query));
  }

  /** Reports what is still open. */
  close(): void {
    this.#closed = true;
    for (const report of this.#settling.values()) {
      report();
    }
  }

  #ended(query: Query): void {
    const { execution } = query;
    // The tasks of a finished query have settled.
    if (query.state !== "FAILED" || execution === undefined || this.#closed) {
      this.#report("completed", query);
      return;
    }
    const report = (): void => {
      timer.cancel();
      if (this.#settling.delete(query)) {
        this.#report("completed", query);
      }
    };
    this.#settling.set(query, report);
    const timer = this.#context.ports.clock.timer("query-event-settle", settleWaitMs, report);
    void execution.ended("abort").then(report);
  }

  #report(kind: QueryEvent["kind"], query: Query): void {
    const { onQueryEvent, ports } = this.#context;
    try {
      onQueryEvent?.(new ReportedEvent(kind, query, ports.network.selfUri));
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      ports.log.error("query-event-failed", { queryId: query.id, message });
    }
  }
}

class ReportedEvent implements QueryEvent {
  readonly kind: QueryEvent["kind"];
  readonly #query: Query;
  readonly #baseUri: string;
  #info: QueryInfo | undefined;
  #measures: QueryMeasures | undefined;

  constructor(kind: QueryEvent["kind"], query: Query, baseUri: string) {
    this.kind = kind;
    this.#query = query;
    this.#baseUri = baseUri;
  }

  get info(): QueryInfo {
    this.#info ??= queryInfo(this.#query, { baseUri: this.#baseUri, wait: undefined });
    return this.#info;
  }

  get measures(): QueryMeasures {
    this.#measures ??= measuresOf(this.#query);
    return this.#measures;
  }
}

function measuresOf(query: Query): QueryMeasures {
  const { execution } = query;
  const { all, input, output } = queryTotals(execution);
  const started = query.executionStartNanos;
  return {
    queuedNanos: query.queuedNanos,
    planningNanos: query.analysisNanos,
    executionNanos: started === undefined ? 0 : query.elapsedNanos - (started - query.createNanos),
    elapsedNanos: query.elapsedNanos,
    ...(query.firstRowNanos === undefined ? {} : { firstRowNanos: query.firstRowNanos - query.createNanos }),
    cpuNanos: all.cpuNanos,
    peakMemoryBytes: all.peakMemoryBytes,
    spilledBytes: all.spilledBytes,
    inputRows: input.rawInputPositions,
    inputBytes: input.rawInputBytes,
    outputRows: output.outputPositions,
    outputBytes: output.outputBytes,
    tables: tablesOf(query),
    ...(query.failure === undefined ? {} : { errorName: query.failure.errorName }),
  };
}

/** Each table once. */
function tablesOf({ execution }: Query): readonly ScannedTable[] {
  const tables = new Map<string, ScannedTable>();
  for (const { fragment } of execution?.stages ?? []) {
    for (const { table: scanned } of scansOf(fragment)) {
      const { schema, table } = scanned.name;
      tables.set(JSON.stringify([scanned.catalog, schema, table]), { catalog: scanned.catalog, schema, table });
    }
  }
  return [...tables].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, table]) => table);
}
