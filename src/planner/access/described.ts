/** Tables about a table, such as `"orders$history"`: the rights on that table decide who may read them. */
import type { AccessControl, QualifiedRelation } from "../../security/access-control.ts";
import type { PlanContext } from "../context.ts";

/** Undefined if a table of the name has rights of its own. */
export function describedRelation({ catalog, schema, table }: QualifiedRelation, { catalogs }: PlanContext): QualifiedRelation | undefined {
  const described = catalogs.connector(catalog)?.metadata.describedTable?.({ schema, table });
  return described && { catalog, ...described };
}

/** Whether the user sees the table as it is: bounds of columns and counts of rows would show what a mask or a row filter hides. */
export function seesWhole(access: AccessControl, user: string, table: QualifiedRelation): boolean {
  const { filter, hiddenColumns, masks } = access.tableRights(user, table);
  return filter === undefined && hiddenColumns.size === 0 && masks.size === 0;
}
