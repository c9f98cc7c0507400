/**
 * The tables of a catalog, schema by schema, as its connector knows them when it is asked. Called by those who make tables of them (information_schema,
 * system.jdbc, system.metadata).
 */
import type { ColumnMetadata, ConnectorMetadata, SchemaTableName } from "./connector.ts";

export interface WantedNames {
  readonly schema: (name: string) => boolean;
  readonly table: (name: string) => boolean;
}

/** One batch a schema; a schema that is not wanted is not asked for its tables. */
export async function* tablesBySchema(metadata: ConnectorMetadata, wanted: WantedNames): AsyncGenerator<readonly SchemaTableName[]> {
  for (const schema of await metadata.listSchemas()) {
    if (wanted.schema(schema)) {
      yield (await metadata.listTables(schema)).filter(wanted.table).map((table) => ({ schema, table }));
    }
  }
}

/** Those that are shown, of a table or a view; none when it has gone away since it was listed. */
export async function columnsOf(metadata: ConnectorMetadata, name: SchemaTableName): Promise<readonly ColumnMetadata[]> {
  const columns: readonly ColumnMetadata[] = (await metadata.getTable(name))?.columns ?? (await metadata.getView?.(name))?.columns ?? [];
  return columns.filter(({ hidden }) => hidden !== true);
}
