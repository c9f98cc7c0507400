/**
 * From a plan to a running query: begins a write, lists the splits of its scans, places its tasks and hands them to the scheduler. A plan
 * whose rows are known is answered at once.
 */
import { type Constraint, type Json, metadataFor } from "../../connectors/spi.ts";
import type { SplitList } from "../../connectors/shared/splits.ts";
import { toFailure } from "../../execution/driver/failure.ts";
import { constraintsOf } from "../../planner/domain/constraints.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import { scansOf } from "../../planner/fragmenter/fragment-walk.ts";
import { isRewrite, type TableScanNode } from "../../planner/plan/node.ts";
import type { PlannedQuery, PlannedWrite } from "../../planner/planned.ts";
import { type ConstantRows, constantRows } from "../../planner/constant-rows.ts";
import { hashPartitionCount, inputRowsPerTaskMin, rulesOff } from "../../planner/session-properties.ts";
import { withWriteHandle } from "../../planner/statements/write/write.ts";
import { knobOf } from "../../ports/knobs.ts";
import { noSums } from "../../protocol/counter-sums.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import type { CoordinatorContext, WorkerNode } from "../context.ts";
import { placeStages, type ScanSplits } from "../scheduler/placement.ts";
import { taskCounts, type TaskCountSettings } from "../scheduler/task-counts.ts";
import { otherRows, restarted } from "../recovery/resumption.ts";
import { type ConstantResult, constantResult } from "../results/constant-result.ts";
import { FixedRows } from "../results/rows.ts";
import { QueryAttempts } from "../scheduler/query-attempts.ts";
import { Stage } from "../scheduler/stage.ts";
import type { Query } from "./query.ts";
import { QueryExecution } from "./query-execution.ts";
import { parametricDatetime, shownTypeTexts } from "./session.ts";

interface BegunWrite {
  /** Of the first attempt. */
  readonly handle: Json;
  /** Gives up what was written, and returns the handle of the next attempt. Undefined if the connector has no such operation. */
  readonly restart: (() => Promise<Json>) | undefined;
}

export class QueryStarter {
  readonly #context: CoordinatorContext;
  /** Results of plans whose rows are known; undefined for other plans. A plan stays as long as the plan cache keeps it. */
  readonly #constants = new WeakMap<PlannedQuery, ConstantResult | "none">();

  constructor(context: CoordinatorContext) {
    this.#context = context;
  }

  /** Expects a query in PLANNING and leaves it RUNNING or ended. Throws QueryError for anything that prevents the query from running. */
  async start(query: Query, planned: PlannedQuery): Promise<void> {
    const constants = this.#constantsOf(query, planned);
    if (constants !== undefined) {
      this.#answer(query, planned, constants);
      return;
    }
    const write = planned.write === undefined ? undefined : await this.#beginWrite(query, planned.write);
    const fragmentsOf = (handle: Json): readonly PlanFragment[] => withWriteHandle(planned.plan, handle).fragments;
    const fragments = write === undefined ? planned.plan.fragments : fragmentsOf(write.handle);
    const splits = await this.#listSplits(fragments, query);
    if (query.done) {
      return;
    }
    const placements = placeStages({
      queryId: query.id,
      fragments,
      splits,
      workers: this.#context.cluster.activeWorkers(),
      coordinator: this.#self(),
      taskCounts: taskCounts({ fragments, splits, estimates: planned.estimates ?? new Map(), settings: this.#taskCountSettings(query) }),
      offset: query.number,
    });
    query.to("STARTING");
    query.columns = planned.columns;
    query.updateType = planned.updateType;
    query.estimates = planned.estimates;
    const restartWrite = write?.restart;
    const restart =
      restartWrite === undefined ? undefined : async (): Promise<readonly PlanFragment[]> => fragmentsOf(await restartWrite());
    new QueryAttempts({
      context: this.#context,
      query,
      placements,
      analyze: planned.analyze,
      restart: write === undefined ? () => Promise.resolve(fragments) : restart,
    }).start();
  }

  /** Undefined if the plan needs tasks. Throws QueryError. */
  #constantsOf(query: Query, planned: PlannedQuery): ConstantResult | undefined {
    const known = this.#constants.get(planned);
    if (known !== undefined && query.given.rowCount === 0) {
      return known === "none" ? undefined : known;
    }
    const isRead = planned.write === undefined && planned.analyze === undefined;
    const rows = isRead ? constantRows(planned.plan, knobOf(this.#context.ports, "constant-cells")) : undefined;
    const result = rows === undefined ? undefined : this.#render(query, planned, rows);
    if (query.given.rowCount === 0) {
      this.#constants.set(planned, result ?? "none");
    }
    return result;
  }

  #render(query: Query, planned: PlannedQuery, rows: ConstantRows): ConstantResult {
    const { memories } = this.#context;
    const { given, id, session } = query;
    const memory = memories.enter(id);
    try {
      const types = planned.columns.map(({ type }) => type);
      const result = constantResult({ types, rows, memory, cells: { parametricDatetime: parametricDatetime(session) }, given });
      if (result === undefined) {
        const { errorName, message } = otherRows(restarted, false);
        throw new QueryError(errorName, message);
      }
      return result;
    } finally {
      memories.leave(id);
    }
  }

  /** The query has its stage 0, which has no task, and ends before its client asks for the rows. */
  #answer(query: Query, planned: PlannedQuery, result: ConstantResult): void {
    const [fragment] = planned.plan.fragments;
    assert(fragment !== undefined, "a plan has a root fragment");
    const stage = new Stage({ queryId: query.id, fragment, hook: this.#context.onTransition, onEnd: () => undefined });
    query.to("STARTING");
    query.columns = planned.columns;
    query.updateType = planned.updateType;
    query.estimates = planned.estimates;
    query.execution = new QueryExecution([stage]);
    query.results = new FixedRows(result, query.given);
    stage.schedule([]);
    query.to("RUNNING");
    if (result.rowCount > 0) {
      query.hasRows();
    }
    const outputPositions = query.given.rowCount + result.rowCount;
    stage.finishWithoutTasks({ ...noSums, outputPositions, outputBytes: result.pageBytes });
    query.to("FINISHING");
    query.to("FINISHED");
  }

  #taskCountSettings({ session: { properties } }: Query): TaskCountSettings {
    const { config } = this.#context;
    return {
      tasksMax: Math.max(1, Math.min(config.hashPartitionCount, hashPartitionCount(properties))),
      rowsPerTaskMin: inputRowsPerTaskMin(properties) ?? config.inputRowsPerTaskMin,
    };
  }

  #self(): WorkerNode {
    return { nodeId: this.#context.nodeId, uri: this.#context.ports.network.selfUri, incarnation: this.#context.incarnation };
  }

  async #beginWrite(query: Query, write: PlannedWrite): Promise<BegunWrite> {
    const { table, target } = write;
    const metadata = metadataFor(this.#context.connector(target.catalog), query);
    const begun =
      table === undefined
        ? metadata.beginCreate?.(target.name, target.columns, write.options)
        : target.changes !== undefined
          ? metadata.beginChanges?.(table, target.changes)
          : isRewrite(target)
            ? metadata.beginRewrite?.(table)
            : metadata.beginInsert?.(table, { ifUnchanged: write.ifUnchanged === true, columns: target.columns });
    assert(begun !== undefined, "the planner let only writable catalogs through");
    const first = await begun;
    let handle = first;
    const abort = (): void => {
      metadata.abortWrite?.(handle).catch((error: unknown) => {
        this.#context.ports.log.warn("write-not-aborted", { queryId: query.id, message: toFailure(error).message });
      });
    };
    query.onEnd(() => {
      if (query.state === "FAILED") {
        abort();
      }
    });
    const restart = async (): Promise<Json> => {
      handle = (await metadata.restartWrite?.(handle)) ?? handle;
      if (query.state === "FAILED") {
        abort();
      }
      return handle;
    };
    return { handle: first, restart: metadata.restartWrite === undefined ? undefined : restart };
  }

  /** Lists the splits of all scans in one turn, so that a connector that answers synchronously uses the same commit for all of them. */
  async #listSplits(fragments: readonly PlanFragment[], query: Query): Promise<ReadonlyMap<number, readonly ScanSplits[]>> {
    const prunes = !rulesOff(query.session.properties).has("prune_splits");
    return new Map(
      await Promise.all(
        fragments.map(async (fragment) => {
          const constraints = prunes ? constraintsOf(fragment.root, this.#context.ports) : new Map<string, Constraint>();
          const scans = scansOf(fragment).map(async (scan) => ({
            scanId: scan.id,
            catalog: scan.table.catalog,
            splits: await this.#splitsOf(scan, constraints.get(scan.id), query),
          }));
          return [fragment.id, await Promise.all(scans)] as const;
        }),
      ),
    );
  }

  async #splitsOf(scan: TableScanNode, constraint: Constraint | undefined, query: Query): Promise<SplitList> {
    const { catalog, ...table } = scan.table;
    const typeTexts = shownTypeTexts(query.session);
    const { roles, user } = query.session;
    const isSecured = this.#context.access() !== undefined || this.#context.securities().size > 0;
    const told = {
      ...(typeTexts && { typeTexts }),
      ...(isSecured && { user, ...(Object.keys(roles).length > 0 && { roles }) }),
      query: { id: query.id, onEnd: (callback: () => void) => query.onEnd(callback) },
    };
    query.unlistedTables.set(scan.id, `${catalog}.${table.name.schema}.${table.name.table}`);
    const splits = await this.#context.connector(catalog).getSplits({ ...table, columns: scan.columns }, scan.columns, constraint, told);
    query.unlistedTables.delete(scan.id);
    return splits;
  }
}
