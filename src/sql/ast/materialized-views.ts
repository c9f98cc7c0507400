/**
 * Syntax nodes of statements on materialized views.
 */
import type { Property } from "./definition-statements.ts";
import type { Expression, Location, QualifiedName } from "./expression-nodes.ts";
import type { Query } from "./relations.ts";

interface Located {
  readonly location: Location;
}

export interface CreateMaterializedView extends Located {
  readonly kind: "CreateMaterializedView";
  readonly name: QualifiedName;
  readonly replace: boolean;
  readonly ifNotExists: boolean;
  /** GRACE PERIOD: how long stale rows may still be read. */
  readonly gracePeriod?: Expression;
  /** WHEN STALE: behavior of reads of stale rows. */
  readonly whenStale?: "INLINE" | "FAIL";
  readonly comment?: string;
  readonly properties: readonly Property[];
  readonly query: Query;
}

export interface RefreshMaterializedView extends Located {
  readonly kind: "RefreshMaterializedView";
  readonly name: QualifiedName;
}

export interface DropMaterializedView extends Located {
  readonly kind: "DropMaterializedView";
  readonly name: QualifiedName;
  readonly ifExists: boolean;
}

export interface RenameMaterializedView extends Located {
  readonly kind: "RenameMaterializedView";
  readonly name: QualifiedName;
  readonly target: QualifiedName;
  readonly ifExists: boolean;
}

export type MaterializedViewStatement = CreateMaterializedView | RefreshMaterializedView | DropMaterializedView | RenameMaterializedView;
