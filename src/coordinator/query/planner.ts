/** What the dispatcher needs of planning, so that tests can put their own in its place; sql-planner.ts is the real one. */
import type { RuntimeTransaction } from "../../connectors/shared/runtime-tables.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import type { PlannedQuery, PlannedWrite, ResultColumn } from "../../planner/planned.ts";
import type { Query } from "./query.ts";
import type { SessionEffects } from "./session.ts";

/** A statement that reads or writes rows. */
export interface PlannedRows {
  readonly kind: "query";
  readonly fragments: readonly PlanFragment[];
  readonly columns: readonly ResultColumn[];
  readonly updateType?: string;
  readonly write?: PlannedWrite;
  readonly sessionProperties?: PlannedQuery["sessionProperties"];
  readonly analyze?: PlannedQuery["analyze"];
}

/** A statement that does something at once: data definition, or a change of the client's session. */
export interface PlannedAction {
  readonly kind: "action";
  readonly updateType: string;
  /** Carries it out; throws QueryError. */
  readonly run: () => Promise<SessionEffects>;
}

export type Planned = PlannedRows | PlannedAction;

/** A statement that was parsed. */
export interface Prepared {
  /** Constants are computed in `memory`, which is the query's. Throws QueryError. */
  readonly plan: (query: Query, memory: MemoryContext) => Promise<Planned>;
}

export interface Planner {
  /** Called before the query is queued: a syntax error is answered at once. Throws QueryError. */
  prepare(sql: string): Prepared;
  /** Transactions that clients hold open, where the planner keeps any. */
  openTransactions?(): readonly RuntimeTransaction[];
}
