/** The models of a run: their registry, and what distributes the events of a run to them. */
import type { HttpRequest, HttpResponse } from "../../../src/ports/network.ts";
import type { PlannedStatement } from "../../plan.ts";
import type { Ending } from "../../user.ts";
import { check, type Verdict } from "../violation.ts";
import type { Observed } from "../protocol/wire.ts";
import type { Model, ModelContext, ModelKind } from "./model.ts";
import { outputBuffer } from "./node/output-buffer.ts";
import { announcements } from "./node/announcements.ts";
import { catalogs } from "./node/catalogs.ts";
import { spilledRows } from "./node/spilled-rows.ts";
import { services } from "./node/services.ts";
import { pageFrames } from "./node/page-frames.ts";
import { pageMemory } from "./node/page-memory.ts";
import { rowSizes } from "./node/row-sizes.ts";
import { nodeMonitor } from "./node/node-monitor.ts";
import { conservation } from "./node/conservation.ts";
import { owners } from "./node/owners.ts";
import { sharedTables } from "./tables/shared-tables.ts";
import { placement } from "./node/placement.ts";
import { readers } from "./node/readers.ts";
import { lateChanges } from "./tables/late-changes.ts";
import { leaving } from "./node/leaving.ts";
import { linearMemory } from "./node/linear-memory.ts";
import { measures } from "./node/measures.ts";
import { nodeInfo } from "./node/node-info.ts";
import { operators } from "./node/operators.ts";
import { taskDocuments } from "./node/task-documents.ts";
import { taskLife } from "./node/task-life.ts";
import { queryJournal } from "./query/query-journal.ts";
import { clusterDocuments } from "./query/cluster-documents.ts";
import { historyPace } from "./query/history-pace.ts";
import { queryEndings } from "./query/query-endings.ts";
import { liveQueries } from "./query/live-queries.ts";
import { queryList } from "./query/query-list.ts";
import { queryDocuments } from "./query/query-documents.ts";
import { routedQueries } from "./query/routed-queries.ts";
import { secondRuns } from "./query/second-runs.ts";
import { taskPolls } from "./query/task-polls.ts";
import { unresponsiveWorkers } from "./query/unresponsive-workers.ts";
import { taskSessions } from "./query/task-sessions.ts";
import { workerWaits } from "./query/worker-waits.ts";
import { documents } from "./statement/documents.ts";
import { statementErrors } from "./statement/errors.ts";
import { statementFailures } from "./statement/failures.ts";
import { tokens } from "./statement/tokens.ts";
import { grants } from "./grants/grants.ts";
import { access } from "./access.ts";
import { admission } from "./admission.ts";
import { longPolls } from "./long-polls.ts";
import { retry } from "./retry.ts";
import { requestsUnderWay } from "./requests-under-way.ts";
import { rights } from "./rights.ts";
import { rowsOfPages } from "./statement/rows-of-pages.ts";
import { sessionHeaders } from "./statement/session-headers.ts";
import { startTurns } from "./query/start-turns.ts";
import { storeRequests } from "./store-requests.ts";
import { timeOuts } from "./time-outs.ts";
import { timers } from "./timers.ts";
import { transactions } from "./transactions.ts";

export const modelKinds: readonly ModelKind[] = [
  // The statement's side.
  tokens,
  documents,
  statementErrors,
  statementFailures,
  rowsOfPages,
  spilledRows,
  sessionHeaders,
  transactions,
  queryDocuments,
  queryList,
  liveQueries,
  clusterDocuments,
  queryJournal,
  queryEndings,
  taskSessions,
  secondRuns,
  unresponsiveWorkers,
  routedQueries,
  access,
  grants,
  admission,
  taskPolls,
  startTurns,
  workerWaits,
  historyPace,
  rights,
  // The nodes' side.
  outputBuffer,
  taskLife,
  readers,
  sharedTables,
  lateChanges,
  owners,
  linearMemory,
  placement,
  conservation,
  operators,
  taskDocuments,
  leaving,
  measures,
  nodeInfo,
  nodeMonitor,
  announcements,
  services,
  catalogs,
  pageFrames,
  pageMemory,
  rowSizes,
  storeRequests,
  // Both.
  longPolls,
  retry,
  timeOuts,
  timers,
  requestsUnderWay,
];

/** A model that has this function. */
type With<Name extends keyof Model> = Model & Required<Pick<Model, Name>>;

function having<Name extends keyof Model>(models: readonly Model[], name: Name): readonly With<Name>[] {
  return models.filter((model): model is With<Name> => model[name] !== undefined);
}

export class Models {
  readonly #context: ModelContext;
  readonly #models: readonly Model[];
  readonly #byNote = new Map<string, With<"note">[]>();
  // Every message passes by all models, and most have nothing to do with it.
  readonly #observers: readonly With<"observe">[];
  readonly #clientObservers: readonly With<"observeClient">[];
  readonly #transitionObservers: readonly With<"observeTransition">[];

  constructor(verdict: Verdict, context: ModelContext, kinds: readonly ModelKind[] = modelKinds) {
    this.#context = context;
    this.#models = kinds.map(({ invariant, create }) =>
      create({
        ...context,
        check: (holds, sentence, kind = invariant.kind) => check(verdict, kind, invariant.name, holds, sentence),
      }),
    );
    this.#observers = having(this.#models, "observe");
    this.#clientObservers = having(this.#models, "observeClient");
    this.#transitionObservers = having(this.#models, "observeTransition");
    for (const model of having(this.#models, "note")) {
      for (const kind of model.notes ?? []) {
        const known = this.#byNote.get(kind) ?? [];
        this.#byNote.set(kind, known);
        known.push(model);
      }
    }
  }

  note(place: string, kind: string, detail: string): void {
    const interested = this.#byNote.get(kind);
    if (interested === undefined) {
      return;
    }
    const note = { place, kind, detail, nowNanos: this.#context.nowNanos() };
    for (const model of interested) {
      model.note(note);
    }
  }

  observe(answer: Observed): void {
    for (const model of this.#observers) {
      model.observe(answer);
    }
  }

  observeClient(user: string, request: HttpRequest, response: HttpResponse): void {
    const answer = { user, request, response, nowNanos: this.#context.nowNanos() };
    for (const model of this.#clientObservers) {
      model.observeClient(answer);
    }
  }

  observeTransition(
    place: string,
    incarnation: number,
    { kind, id, from, to }: { readonly kind: string; readonly id: string; readonly from: string; readonly to: string },
  ): void {
    const transition = { place, incarnation, kind, id, from, to, nowNanos: this.#context.nowNanos() };
    for (const model of this.#transitionObservers) {
      model.observeTransition(transition);
    }
  }

  endStatement(user: string, statement: PlannedStatement, ending: Ending): void {
    const end = { user, statement, ending, nowNanos: this.#context.nowNanos() };
    for (const model of this.#models) {
      model.endStatement?.(end);
    }
  }

  look(): void {
    for (const model of this.#models) {
      model.look?.();
    }
  }

  end(): void {
    for (const model of this.#models) {
      model.end?.();
    }
  }
}
