/** What the dispatcher needs of planning, so that tests can put their own in its place. */
import type { PlanFragment } from "../plan/fragment.ts";
import type { WriteTarget } from "../plan/node.ts";
import type { QueryState } from "../protocol/statement.ts";
import type { Query, ResultColumn } from "./query.ts";
import type { SessionEffects } from "./session.ts";

/** A statement that reads or writes rows. */
export interface PlannedQuery {
  readonly kind: "query";
  readonly fragments: readonly PlanFragment[];
  readonly columns: readonly ResultColumn[];
  readonly updateType?: string;
  readonly writeTarget?: WriteTarget;
}

/** A statement that does something at once: data definition, or a change of the client's session. */
export interface PlannedAction {
  readonly kind: "action";
  readonly updateType: string;
  /** Carries it out; throws QueryError. */
  readonly run: () => Promise<SessionEffects>;
}

export type Planned = PlannedQuery | PlannedAction;

/** `parse` is called before the query is queued: a syntax error is answered at once. */
export interface Planner {
  prepare(sql: string): { readonly plan: (query: Query) => Promise<Planned> };
}

export type { QueryState };
