/**
 * From relations of a statement to their columns.
 */
import type { ClientSession } from "../../client/session.ts";
import type { Metadata, NamedItem, TableName } from "./metadata.ts";
import type { Relation } from "./scope.ts";

/** Tables whose columns are asked for at most. */
const tablesMax = 20;

/** The full name of a table; undefined if the session has no catalog or schema for it. */
export function tableOf(name: readonly string[], { catalog, schema }: ClientSession): TableName | undefined {
  const table = name.at(-1);
  const inSchema = name.at(-2) ?? schema;
  const inCatalog = name.at(-3) ?? catalog;
  return table === undefined || inSchema === undefined || inCatalog === undefined
    ? undefined
    : { catalog: inCatalog, schema: inSchema, table };
}

/** Columns of all relations, each name once. */
export async function columnsOf(relations: readonly Relation[], metadata: Metadata, session: ClientSession): Promise<readonly NamedItem[]> {
  const lists = await Promise.all(relations.slice(0, tablesMax).map((relation) => columnsOfOne(relation, metadata, session)));
  return [...new Map(lists.flat().map((column) => [column.name, column])).values()];
}

async function columnsOfOne(relation: Relation, metadata: Metadata, session: ClientSession): Promise<readonly NamedItem[]> {
  if (relation.columns !== undefined) {
    const inner = await columnsOf(relation.all ?? [], metadata, session);
    return [...relation.columns.map((name) => ({ name, detail: "" })), ...inner];
  }
  const table = tableOf(relation.name, session);
  return table === undefined ? [] : await metadata.columns(table);
}
