/** Decides which cluster runs a statement, before it is planned or by the estimates of its plan, and sends it there. */
import type { MemoryContext } from "../../memory/memory.ts";
import { requireQueryRights } from "../../planner/access/statement-rights.ts";
import { scansOf } from "../../planner/fragmenter/fragment-walk.ts";
import type { PlannedStatement } from "../../planner/planned.ts";
import { QueryError } from "../../protocol/errors.ts";
import type { CoordinatorContext } from "../context.ts";
import type { Prepared } from "../query/planner.ts";
import type { Query } from "../query/query.ts";
import type { QueryJournal } from "../recovery/query-journal.ts";
import { lost } from "../recovery/resumption.ts";
import { QueryRouting, type Route, type RoutedCluster, type RoutingFacts } from "./query-routing.ts";
import { RoutedQuery } from "./routed-query.ts";

/** An admitted statement on its way. */
export interface StatementPath {
  readonly query: Query;
  readonly prepared: Prepared;
  /** As the client wrote it; that of the query is without secrets. */
  readonly sql: string;
  /** Defined if the statement goes to this cluster whatever its plan is. */
  readonly cluster: RoutedCluster | undefined;
  /** The rules at the time of the decision; undefined if the plan decides nothing. */
  readonly byPlan: ((inputBytes: number | undefined) => Route) | undefined;
}

export class StatementRouter {
  readonly #context: CoordinatorContext;
  readonly #journal: QueryJournal | undefined;
  /** Undefined if all statements stay on this cluster. */
  routing: QueryRouting | undefined;

  constructor(context: CoordinatorContext, journal: QueryJournal | undefined) {
    this.#context = context;
    this.#journal = journal;
    this.routing = context.queryRouting && new QueryRouting(context.queryRouting);
  }

  /** Throws QueryError if the cluster that runs the query since a former incarnation is not configured any more. */
  path(query: Query, prepared: Prepared, sql: string): StatementPath {
    const path = { query, prepared, sql, cluster: undefined, byPlan: undefined };
    const { routing } = this;
    const begun = query.resumption?.routed?.cluster;
    if (begun !== undefined) {
      const cluster = routing?.cluster(begun);
      if (cluster === undefined) {
        throw new QueryError("SERVER_STARTING_UP", lost(`cluster '${begun}' is not configured any more`).message);
      }
      return { ...path, cluster };
    }
    const statement = routing === undefined ? undefined : prepared.routing?.(query.session);
    if (routing === undefined || statement === undefined || statement.staysHere) {
      return path;
    }
    const { clientTags, source = "", user } = query.session;
    const { catalogs, queryType } = statement;
    const route = (inputBytes: RoutingFacts["inputBytes"]): Route =>
      routing.route({ user, source, clientTags, queryType, sql, catalogs, inputBytes });
    const early = route("unplanned");
    return early === "by plan" ? { ...path, byPlan: route } : { ...path, cluster: early === "here" ? undefined : early };
  }

  /** The plan of a statement that stays, or the cluster by whose rule it goes. Throws QueryError. */
  async planned({ byPlan, prepared, query }: StatementPath, memory: MemoryContext): Promise<PlannedStatement | RoutedCluster> {
    let planned: PlannedStatement;
    try {
      planned = await prepared.plan(query, memory);
    } catch (error) {
      const route = error instanceof QueryError ? byPlan?.(undefined) : undefined;
      if (typeof route === "object") {
        return route;
      }
      throw error;
    }
    const route = byPlan?.(inputBytesOf(planned));
    return typeof route === "object" ? route : planned;
  }

  /** Expects a query in PLANNING. Resolves when it has ended. Throws QueryError if it cannot be sent. */
  async send({ prepared, query, sql }: StatementPath, cluster: RoutedCluster): Promise<void> {
    const { access, config, memories, ports } = this.#context;
    const { outbound } = ports;
    requireQueryRights(query.session, access());
    if (outbound === undefined) {
      throw new QueryError("NOT_SUPPORTED", "This node cannot reach servers outside of its cluster");
    }
    // EXECUTE has the type of what it executes.
    const { queryType } = prepared.routing?.(query.session) ?? prepared;
    const isRead = queryType === "SELECT" || queryType === "DESCRIBE";
    const begun = query.resumption?.routed;
    if (query.resumption !== undefined && begun === undefined && (!isRead || query.given.rowCount > 0 || query.resumption.hasAll)) {
      query.fail(lost(`cluster '${cluster.name}' has run it`));
      return;
    }
    const memory = memories.enter(query.id);
    try {
      const { requestTimeoutMs, retry } = config;
      const journal = this.#journal;
      await new RoutedQuery({ ports, outbound, query, sql, cluster, memory, requestTimeoutMs, retry, isRead, begun, journal }).run();
    } finally {
      memories.leave(query.id);
    }
  }
}

/** Undefined if the optimizer does not know what one of the scans returns. */
function inputBytesOf(planned: PlannedStatement): number | undefined {
  if (planned.kind !== "query") {
    return undefined;
  }
  const { estimates, plan } = planned;
  const bytes = plan.fragments.flatMap(scansOf).map(({ id }) => estimates?.get(id)?.outputSizeInBytes);
  return bytes.reduce<number | undefined>((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0);
}
