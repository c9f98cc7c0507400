/** What the dispatcher needs of planning, so that tests can put their own in its place. The engine's is sql-planner.ts. */
import type { MemoryContext } from "../../memory/memory.ts";
import type { PlannedStatement } from "../../planner/planned.ts";
import type { QueryType } from "../../protocol/documents/resource-groups.ts";
import type { Query } from "./query.ts";

/** A parsed statement. */
export interface Prepared {
  /** As resource groups select by it; undefined if the statement has none of these types. */
  readonly queryType?: QueryType | undefined;
  /** The statement has IF [NOT] EXISTS. */
  readonly isConditional?: boolean;
  /** Constants are computed in `memory`, which is the query's. Throws QueryError. */
  readonly plan: (query: Query, memory: MemoryContext) => Promise<PlannedStatement>;
}

export interface Planner {
  /** Comes before the query is queued: a syntax error is answered at once. Throws QueryError. */
  prepare(sql: string): Prepared;
}
