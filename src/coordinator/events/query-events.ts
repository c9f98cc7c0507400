/**
 * Reports the creation and the completion of each query to the observer of the node: metrics, logs, traces. The observer only looks:
 * without one nothing here runs, and with one the node sends, waits for and draws nothing more. So a recording replays without it.
 */
import { stackOf } from "../../protocol/errors.ts";
import { scansOf } from "../../planner/fragmenter/fragment-walk.ts";
import type { QueryInfo } from "../../protocol/documents/query.ts";
import type { CoordinatorContext, QueryEvent, QueryMeasures, ScannedTable } from "../context.ts";
import type { Query } from "../query/query.ts";
import { queryInfo } from "../query/query-documents.ts";
import { totalsOfQuery } from "../query/query-statistics.ts";

export class QueryEvents {
  readonly #context: CoordinatorContext;

  constructor(context: CoordinatorContext) {
    this.#context = context;
  }

  watch(query: Query): void {
    if (this.#context.onQueryEvent === undefined) {
      return;
    }
    this.#report("created", query);
    query.onEnd(() => this.#report("completed", query));
  }

  #report(kind: QueryEvent["kind"], query: Query): void {
    const { onQueryEvent, ports } = this.#context;
    try {
      onQueryEvent?.(new ReportedEvent(kind, query, ports.network.selfUri));
    } catch (error) {
      const message = stackOf(error);
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

  /** The tasks of a finished query have settled. Those of a failed query are being ended when the callbacks of its end have run. */
  get settled(): Promise<void> {
    const { execution, state } = this.#query;
    return state === "FAILED" && execution !== undefined ? Promise.resolve().then(() => execution.ended("abort")) : Promise.resolve();
  }

  get measures(): QueryMeasures {
    this.#measures ??= measuresOf(this.#query);
    return this.#measures;
  }
}

function measuresOf(query: Query): QueryMeasures {
  const { all, input, output } = totalsOfQuery(query);
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
