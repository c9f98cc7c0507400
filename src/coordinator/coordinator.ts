/**
 * The coordinator: accepts statements, plans them, schedules their stages on the workers and returns rows to clients. It knows workers by
 * address only and talks to them through the task resource.
 */
import type { SystemRuntime } from "../connectors/shared/runtime-tables.ts";
import type { Route } from "../protocol/http/http.ts";
import { ClusterResource } from "./resources/cluster-resource.ts";
import type { ResourceGroupsDocument } from "../protocol/documents/resource-groups.ts";
import type { QueryRoutingDocument } from "../protocol/documents/query-routing.ts";
import { QueryRouting } from "./routing/query-routing.ts";
import { groupsOf } from "./groups/specification.ts";
import type { CoordinatorContext } from "./context.ts";
import { Dispatcher } from "./query/dispatcher.ts";
import { QueryList } from "./listing/query-list.ts";
import type { KeptOnDisk } from "./kept-on-disk.ts";
import type { Planner } from "./query/planner.ts";
import type { QueryState } from "./query/states.ts";
import type { KeptQueries, QueryCounts } from "./query/query-tracker.ts";
import { QueryResource } from "./resources/query-resource.ts";
import { nodeWork, type WorkDocument } from "./resources/node-work.ts";
import { QueryStarter } from "./query/query-starter.ts";
import { runtimeTables } from "./query/runtime-tables.ts";
import { WaitingQueries } from "./recovery/waiting-queries.ts";
import { segmentRoutes } from "./resources/segment-resource.ts";
import { StatementResource } from "./resources/statement-resource.ts";

export type * from "./context.ts";

export interface Coordinator {
  /**
   * The statement, query, stage and cluster resources: /v1/statement, /v1/query, /v1/stage, /v1/cluster, /v1/resourceGroupState,
   * /v1/spooled, /ui/api.
   */
  readonly routes: readonly Route[];
  /** Current rows of the tables system.runtime.*. */
  readonly systemRuntime: SystemRuntime;
  /** What each node does for queries, by node id. */
  nodeWork(): ReadonlyMap<string, WorkDocument>;
  /** Number of queries that have not ended. A shutdown waits until it is 0. */
  activeQueryCount(): number;
  /** Number of queries that have not ended, by state. */
  activeQueryStates(): ReadonlyMap<QueryState, number>;
  queryCounts(): QueryCounts;
  /** Ended queries that are kept, and what they take. */
  keptQueries(): KeptQueries;
  /** Bytes of the segments that clients have not fetched yet. */
  spooledBytes(): number;
  /** Holds at once, for queries that wait too. */
  replaceResourceGroups(document: ResourceGroupsDocument): void;
  /** Holds for statements that are admitted from now on. Throws CONFIGURATION_INVALID. */
  replaceQueryRouting(document: QueryRoutingDocument): void;
  /** Fails every running query with SERVER_SHUTTING_DOWN, cancels all timers and frees all memory. */
  close(): Promise<void>;
}

/** `planner` is the SQL planner, except in tests that pass their own. */
export function createCoordinator(context: CoordinatorContext, planner: Planner, { history, journal }: KeptOnDisk = {}): Coordinator {
  const starter = new QueryStarter(context);
  const dispatcher = new Dispatcher(context, planner, starter, { archive: history, journal });
  const { tracker } = dispatcher;
  const { spooling } = context;
  const { clock } = context.ports;
  const waiting = journal && new WaitingQueries({ clock, journal, waitMs: context.config.clientTimeoutMs });
  if (journal !== undefined) {
    journal.onOver = (ids) => {
      for (const catalog of context.catalogs()) {
        context.connector(catalog).metadata.recordedStatements?.forget(ids);
      }
    };
  }
  const statements = new StatementResource(dispatcher, context, journal && waiting && { journal, waiting });
  const list = new QueryList(tracker, () => dispatcher.waitFacts(), history);
  const queries = new QueryResource({ dispatcher, queries: list, history, waiting, access: context.access });
  const clusters = new ClusterResource(context, dispatcher, list);
  return {
    routes: [...statements.routes, ...queries.routes, ...clusters.routes, ...(spooling === undefined ? [] : segmentRoutes(spooling.store))],
    systemRuntime: runtimeTables(context, dispatcher, list),
    nodeWork: () => nodeWork(tracker.live()),
    activeQueryCount: () => tracker.liveCount,
    activeQueryStates: () => {
      const states = new Map<QueryState, number>();
      for (const { state } of tracker.live()) {
        states.set(state, (states.get(state) ?? 0) + 1);
      }
      return states;
    },
    queryCounts: () => tracker.counts(),
    keptQueries: () => tracker.kept,
    spooledBytes: () => spooling?.store.byteCount ?? 0,
    replaceResourceGroups: (document) => dispatcher.groups.replace(groupsOf(document)),
    replaceQueryRouting: (document) => dispatcher.replaceRouting(new QueryRouting(document)),
    close: async () => {
      await dispatcher.close();
      tracker.settleAll();
      waiting?.close();
      await journal?.close();
      await history?.close();
      spooling?.store.close();
    },
  };
}
