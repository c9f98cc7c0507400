/**
 * Walks the tables of a catalog schema by schema, from its connector's current metadata, for tables about tables (information_schema,
 * system.jdbc, system.metadata). What cannot be read is skipped with a warning, so that one broken table hides no other. A query on the
 * broken table itself gets the error.
 */
import { errorCatalogue, QueryError } from "../../protocol/errors.ts";
import type { Visibility } from "../../security/visibility.ts";
import type { ColumnMetadata, ConnectorMetadata, SchemaTableName, TableMetadata, ViewDefinition } from "../spi.ts";

export type OnWarning = (message: string) => void;

/** A catalog to walk. */
export interface ListedCatalog {
  readonly name: string;
  readonly metadata: ConnectorMetadata;
  readonly onWarning: OnWarning;
  /** What the reader may see of it. */
  readonly visibility: Visibility;
}

export interface NameFilters {
  readonly schema: (name: string) => boolean;
  /** Schemas that the metadata filter names. */
  readonly named: readonly string[];
  readonly table: (name: string) => boolean;
}

/** Whether the schema exists. A connector may have more schemas than it lists. */
export async function hasSchema(metadata: ConnectorMetadata, schema: string): Promise<boolean> {
  return (await metadata.hasSchema?.(schema)) ?? (await metadata.listSchemas()).includes(schema);
}

/** Listed schemas, and existing schemas that the metadata filter names. */
async function namedSchemas(catalog: ListedCatalog, { named }: NameFilters): Promise<readonly string[]> {
  const { metadata, name, onWarning } = catalog;
  const listed = await schemasOf(catalog);
  const others: string[] = [];
  for (const schema of new Set(named)) {
    const exists = async (): Promise<boolean | undefined> => metadata.hasSchema?.(schema);
    if (!listed.includes(schema) && (await readable(`Schema '${name}.${schema}'`, onWarning, exists)) === true) {
      others.push(schema);
    }
  }
  return [...listed, ...others.filter((schema) => catalog.visibility.schema({ catalog: name, schema }))];
}

/** Listed schemas; empty if the connector cannot list them. */
export async function schemasOf({ metadata, name, onWarning, visibility }: ListedCatalog): Promise<readonly string[]> {
  const schemas = (await readable(`Catalog '${name}'`, onWarning, () => metadata.listSchemas())) ?? [];
  return schemas.filter((schema) => visibility.schema({ catalog: name, schema }));
}

/** One batch per schema. A schema outside of the metadata filter is not asked for its tables. */
export async function* tablesBySchema(catalog: ListedCatalog, filter: NameFilters): AsyncGenerator<readonly SchemaTableName[]> {
  const { metadata, name, onWarning, visibility } = catalog;
  for (const schema of await namedSchemas(catalog, filter)) {
    if (filter.schema(schema)) {
      const tables = await readable(`Schema '${name}.${schema}'`, onWarning, () => metadata.listTables(schema));
      const visible = (tables ?? []).filter((table) => filter.table(table) && visibility.table({ catalog: name, schema, table }));
      yield visible.map((table) => ({ schema, table }));
    }
  }
}

/** Visible columns of a table or a view; empty if it was dropped since it was listed, or is broken. */
export async function columnsOf(catalog: ListedCatalog, name: SchemaTableName): Promise<readonly ColumnMetadata[]> {
  const columns: readonly ColumnMetadata[] = (await relationOf(catalog, name))?.columns ?? [];
  const table = { catalog: catalog.name, ...name };
  return columns.filter((column) => column.hidden !== true && catalog.visibility.column(table, column.name));
}

export async function relationOf(catalog: ListedCatalog, name: SchemaTableName): Promise<TableMetadata | ViewDefinition | undefined> {
  const { metadata, onWarning } = catalog;
  return readable(tableText(catalog, name), onWarning, async () => (await metadata.getTable(name)) ?? metadata.getView?.(name));
}

export async function viewOf(catalog: ListedCatalog, name: SchemaTableName): Promise<ViewDefinition | undefined> {
  const { metadata, onWarning } = catalog;
  return readable(tableText(catalog, name), onWarning, async () => metadata.getView?.(name));
}

function tableText({ name: catalog }: ListedCatalog, { schema, table }: SchemaTableName): string {
  return `Table '${catalog}.${schema}.${table}'`;
}

/** Errors that end a query anywhere end this one too. */
async function readable<T>(what: string, onWarning: OnWarning, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof QueryError) || errorCatalogue[error.errorName].type === "INSUFFICIENT_RESOURCES") {
      throw error;
    }
    onWarning(`${what} cannot be read: ${error.message}`);
    return undefined;
  }
}
