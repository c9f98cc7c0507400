/**
 * The schema information_schema that every catalog has, put around any connector: tables about the connector's own tables, read on the
 * coordinator from the connector's metadata at the moment of reading. Columns are Presto's. Called by whoever makes the catalogs of a node.
 */
import { BIGINT, displayType, VARCHAR } from "../types/type.ts";
import type {
  ColumnMetadata,
  ConnectorFactory,
  ConnectorMetadata,
  Constraint,
  Json,
  PageSourceRequest,
  SchemaTableName,
  Split,
  TableMetadata,
  TableStatistics,
  ViewDefinition,
} from "./connector.ts";
import { type Row, RowPageSource } from "./row-page-source.ts";

export const informationSchema = "information_schema";

/** What a connector's factory makes. */
export type CatalogConnector = ReturnType<ConnectorFactory["create"]>;

interface InformationTable {
  readonly columns: readonly ColumnMetadata[];
  readonly rows: (catalog: string, metadata: ConnectorMetadata) => Promise<readonly Row[]>;
}

/** varchar columns; a leading `-` hides. */
function varchars(...names: readonly string[]): readonly ColumnMetadata[] {
  return names.map((name) => (name.startsWith("-") ? { name: name.slice(1), type: VARCHAR, hidden: true } : { name, type: VARCHAR }));
}

const noRows = async (): Promise<readonly Row[]> => [];

const tables: Readonly<Record<string, InformationTable>> = Object.freeze({
  columns: {
    columns: [
      ...varchars("table_catalog", "table_schema", "table_name", "column_name"),
      { name: "ordinal_position", type: BIGINT },
      ...varchars("column_default", "is_nullable", "data_type", "-comment", "-extra_info", "-column_comment"),
    ],
    rows: columnRows,
  },
  enabled_roles: { columns: varchars("role_name"), rows: noRows },
  schemata: {
    columns: varchars("catalog_name", "schema_name"),
    rows: async (catalog, metadata) => (await metadata.listSchemas()).map((schema) => ({ catalog_name: catalog, schema_name: schema })),
  },
  table_privileges: {
    columns: varchars(
      "grantor",
      "grantor_type",
      "grantee",
      "grantee_type",
      "table_catalog",
      "table_schema",
      "table_name",
      "privilege_type",
      "is_grantable",
      "with_hierarchy",
    ),
    rows: noRows,
  },
  tables: {
    columns: varchars("table_catalog", "table_schema", "table_name", "table_type", "-table_comment"),
    rows: async (catalog, metadata) =>
      (await namedRelations(metadata)).map(({ name, view }) => ({
        table_catalog: catalog,
        table_schema: name.schema,
        table_name: name.table,
        table_type: view === undefined ? "BASE TABLE" : "VIEW",
      })),
  },
  views: {
    columns: varchars("table_catalog", "table_schema", "table_name", "view_definition"),
    rows: async (catalog, metadata) =>
      (await namedRelations(metadata)).flatMap(({ name, view }) =>
        view === undefined
          ? []
          : [{ table_catalog: catalog, table_schema: name.schema, table_name: name.table, view_definition: view.sql }],
      ),
  },
});

const names: readonly string[] = Object.freeze(Object.keys(tables).toSorted());

async function tableNames(metadata: ConnectorMetadata): Promise<readonly SchemaTableName[]> {
  const found: SchemaTableName[] = [];
  for (const schema of await metadata.listSchemas()) {
    for (const table of await metadata.listTables(schema)) {
      found.push({ schema, table });
    }
  }
  return found;
}

async function namedRelations(
  metadata: ConnectorMetadata,
): Promise<readonly { readonly name: SchemaTableName; readonly view: ViewDefinition | undefined }[]> {
  const found: { readonly name: SchemaTableName; readonly view: ViewDefinition | undefined }[] = [];
  for (const name of await tableNames(metadata)) {
    found.push({ name, view: await metadata.getView?.(name) });
  }
  return found;
}

async function columnsOf(metadata: ConnectorMetadata, name: SchemaTableName): Promise<readonly ColumnMetadata[]> {
  // A table may go away between the list and the question.
  return (await metadata.getTable(name))?.columns ?? (await metadata.getView?.(name))?.columns ?? [];
}

async function columnRows(catalog: string, metadata: ConnectorMetadata): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const name of await tableNames(metadata)) {
    (await columnsOf(metadata, name))
      .filter(({ hidden }) => hidden !== true)
      .forEach((column, index) => {
        rows.push({
          table_catalog: catalog,
          table_schema: name.schema,
          table_name: name.table,
          column_name: column.name,
          ordinal_position: index + 1,
          column_default: null,
          is_nullable: "YES",
          data_type: displayType(column.type),
          comment: column.comment ?? null,
          extra_info: null,
          column_comment: column.comment ?? null,
        });
      });
  }
  return rows;
}

/** Its tables are marked in their handles, so that no connector's own handle is taken for one. */
function informationTable(handle: Json): InformationTable | undefined {
  if (typeof handle !== "object" || handle === null || !(informationSchema in handle)) {
    return undefined;
  }
  return tables[(handle as Readonly<Record<string, string>>)[informationSchema] as string];
}

export function withInformationSchema(catalog: string, connector: CatalogConnector): CatalogConnector {
  const metadata = metadataWith(connector.metadata);
  const sink = connector.createPageSink?.bind(connector);
  const handleCall = connector.handleCall?.bind(connector);
  const close = connector.close?.bind(connector);
  return {
    metadata,
    ...(connector.procedures === undefined ? {} : { procedures: connector.procedures }),
    getSplits: async (table: TableMetadata, columns: readonly ColumnMetadata[], constraint?: Constraint): Promise<readonly Split[]> =>
      informationTable(table.handle) === undefined ? connector.getSplits(table, columns, constraint) : [{ payload: null }],
    createPageSource: (request: PageSourceRequest) => {
      const table = informationTable(request.table);
      return table === undefined
        ? connector.createPageSource(request)
        : new RowPageSource({ rows: () => table.rows(catalog, metadata), columns: request.columns, memory: request.memory });
    },
    ...(sink === undefined ? {} : { createPageSink: sink }),
    ...(handleCall === undefined ? {} : { handleCall }),
    ...(close === undefined ? {} : { close }),
  };
}

/** What a connector cannot do stays absent. */
function metadataWith(inner: ConnectorMetadata): ConnectorMetadata {
  const optional = {
    createSchema: inner.createSchema?.bind(inner),
    dropSchema: inner.dropSchema?.bind(inner),
    beginCreate: inner.beginCreate?.bind(inner),
    finishCreate: inner.finishCreate?.bind(inner),
    beginInsert: inner.beginInsert?.bind(inner),
    finishInsert: inner.finishInsert?.bind(inner),
    abortWrite: inner.abortWrite?.bind(inner),
    dropTable: inner.dropTable?.bind(inner),
    beginRewrite: inner.beginRewrite?.bind(inner),
    finishRewrite: inner.finishRewrite?.bind(inner),
    truncateTable: inner.truncateTable?.bind(inner),
    analyzeTable: inner.analyzeTable?.bind(inner),
    renameSchema: inner.renameSchema?.bind(inner),
    renameTable: inner.renameTable?.bind(inner),
    addColumn: inner.addColumn?.bind(inner),
    dropColumn: inner.dropColumn?.bind(inner),
    renameColumn: inner.renameColumn?.bind(inner),
    setTableComment: inner.setTableComment?.bind(inner),
    setColumnComment: inner.setColumnComment?.bind(inner),
    getView: inner.getView?.bind(inner),
    createView: inner.createView?.bind(inner),
    dropView: inner.dropView?.bind(inner),
    renameView: inner.renameView?.bind(inner),
  };
  const offered = Object.fromEntries(Object.entries(optional).filter(([, operation]) => operation !== undefined));
  return {
    ...(offered as Partial<ConnectorMetadata>),
    listSchemas: async () => [...(await inner.listSchemas()), informationSchema].toSorted(),
    listTables: async (schema) => (schema === informationSchema ? names : inner.listTables(schema)),
    getTable: async (name) => (name.schema === informationSchema ? describe(name) : inner.getTable(name)),
    getStatistics: async (table): Promise<TableStatistics> =>
      (informationTable(table.handle) === undefined ? await inner.getStatistics?.(table) : undefined) ?? { columns: {} },
  };
}

function describe(name: SchemaTableName): TableMetadata | undefined {
  if (!names.includes(name.table)) {
    return undefined;
  }
  const { columns } = tables[name.table] as InformationTable;
  return { name, columns, handle: { [informationSchema]: name.table }, coordinatorOnly: true };
}
