/** What the dispatcher needs of planning, so that tests can put their own in its place. The engine's is sql-planner.ts. */
import type { MemoryContext } from "../../memory/memory.ts";
import type { PlannedStatement } from "../../planner/planned.ts";
import type { QueryType } from "../../protocol/documents/resource-groups.ts";
import type { StatementFacts } from "../routing/statement-facts.ts";
import type { Query } from "./query.ts";
import type { QuerySession } from "./session.ts";

/** A parsed statement. */
export interface Prepared {
  /** As resource groups select by it; undefined if the statement has none of these types. */
  readonly queryType?: QueryType | undefined;
  /** The statement has IF [NOT] EXISTS. */
  readonly isConditional?: boolean;
  /** As routing rules look at it. Without it the statement stays on this cluster. */
  readonly routing?: (session: QuerySession) => StatementFacts;
  /** Constants are computed in `memory`, which is the query's. Throws QueryError. */
  readonly plan: (query: Query, memory: MemoryContext) => Promise<PlannedStatement>;
}

export interface Planner {
  /** Comes before the query is queued: a syntax error is answered at once. Throws QueryError. */
  prepare(sql: string): Prepared;
  /** As `prepare`, with turns in between. */
  prepareInTurns?(sql: string, turn: () => Promise<void>): Promise<Prepared>;
}
