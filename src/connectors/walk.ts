/**
 * The tables of a catalog, schema by schema, as its connector knows them when it is asked. Called by those who make tables of them (information_schema,
 * system.jdbc, system.metadata).
 */
import type { ColumnMetadata, ConnectorMetadata, SchemaTableName } from "./connector.ts";

export interface WantedNames {
  readonly schema: (name: string) => boolean;
  /** Schemas that are asked for by name, or may be. */
  readonly named: readonly string[];
  readonly table: (name: string) => boolean;
}

/** Whether it can be named: a connector may have more schemas than it lists. */
export async function hasSchema(metadata: ConnectorMetadata, schema: string): Promise<boolean> {
  return (await metadata.hasSchema?.(schema)) ?? (await metadata.listSchemas()).includes(schema);
}

/** Those that are listed, and those that are asked for by their names. */
async function schemasOf(metadata: ConnectorMetadata, { named }: WantedNames): Promise<readonly string[]> {
  const listed = await metadata.listSchemas();
  const others: string[] = [];
  for (const schema of new Set(named)) {
    if (!listed.includes(schema) && (await metadata.hasSchema?.(schema)) === true) {
      others.push(schema);
    }
  }
  return [...listed, ...others];
}

/** One batch a schema; a schema that is not wanted is not asked for its tables. */
export async function* tablesBySchema(metadata: ConnectorMetadata, wanted: WantedNames): AsyncGenerator<readonly SchemaTableName[]> {
  for (const schema of await schemasOf(metadata, wanted)) {
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
