/**
 * Adds the schema information_schema to any connector: tables about the connector's own tables, read on the coordinator from the
 * connector's metadata at the time of the read. Columns are Presto's.
 */
import { BIGINT, type Type, VARCHAR } from "../../types/type.ts";
import type {
  ColumnMetadata,
  ConnectorFactory,
  ConnectorMetadata,
  ConnectorSession,
  Constraint,
  EndingQuery,
  Json,
  PageSourceRequest,
  RecordedStatement,
  SchemaTableName,
  TableMetadata,
  TableStatistics,
} from "../spi.ts";
import type { PushedJoin, PushedOperation } from "../pushdown.ts";
import { CatalogRights } from "../../security/sql-standard/catalog-rights.ts";
import type { CatalogSecurity, Reader } from "../../security/sql-standard/catalog-security.ts";
import { applicableRoleRows, roleGrantRows, tablePrivilegeRows } from "../../security/sql-standard/shown-grants.ts";
import { everythingVisible, type Visibility } from "../../security/visibility.ts";
import { ownMember } from "../../types/own.ts";
import { allAtOnce, type Row, RowPageSource, type Rows } from "./row-page-source.ts";
import type { SplitList } from "./splits.ts";
import { columnsOf, hasSchema, type ListedCatalog, schemasOf, tablesBySchema, viewOf } from "./walk.ts";
import { splitOfMetadataFilter, typeTextOf, nameFilters, metadataFilterOf, readerOf } from "./metadata-filter.ts";

export const informationSchema = "information_schema";

/** The result of a connector's factory. */
export type CatalogConnector = ReturnType<ConnectorFactory["create"]>;

interface InformationTable {
  readonly columns: readonly ColumnMetadata[];
  readonly rows: (source: Source) => Rows;
}

/** Source of the rows, with the metadata filter of the reader. */
interface Source {
  readonly catalog: ListedCatalog;
  readonly filter: Constraint;
  /** Columns that the query reads. */
  readonly read: ReadonlySet<string>;
  readonly typeText: (type: Type) => string;
  /** Who reads, of a catalog that keeps rights itself. */
  readonly reader: { readonly user: string; readonly rights: CatalogRights } | undefined;
}

/** varchar columns; a leading `-` makes a column hidden. */
function varchars(...names: readonly string[]): readonly ColumnMetadata[] {
  return names.map((name) => (name.startsWith("-") ? { name: name.slice(1), type: VARCHAR, hidden: true } : { name, type: VARCHAR }));
}

/** About roles and grants: nothing in a catalog that has none. */
function rightsRows(rows: (rights: CatalogRights, user: string) => readonly Row[]): InformationTable["rows"] {
  return ({ reader }) => allAtOnce(() => (reader === undefined ? [] : rows(reader.rights, reader.user)));
}

const tables: Readonly<Record<string, InformationTable>> = Object.freeze({
  applicable_roles: { columns: varchars("grantee", "grantee_type", "role_name", "is_grantable"), rows: rightsRows(applicableRoleRows) },
  columns: {
    columns: [
      ...varchars("table_catalog", "table_schema", "table_name", "column_name"),
      { name: "ordinal_position", type: BIGINT },
      ...varchars("column_default", "is_nullable", "data_type", "-comment", "-extra_info", "-column_comment"),
    ],
    rows: columnRows,
  },
  enabled_roles: {
    columns: varchars("role_name"),
    rows: rightsRows((rights) => [...rights.enabledRoles()].toSorted().map((role) => ({ role_name: role }))),
  },
  role_authorization_descriptors: {
    columns: varchars("role_name", "grantor", "grantor_type", "grantee", "grantee_type", "is_grantable"),
    rows: rightsRows(roleGrantRows),
  },
  roles: {
    columns: varchars("role_name"),
    rows: rightsRows(({ isAdmin, security }) => (isAdmin ? security.roles().map((role) => ({ role_name: role })) : [])),
  },
  schemata: {
    columns: varchars("catalog_name", "schema_name"),
    rows: ({ catalog }) =>
      allAtOnce(async () => (await schemasOf(catalog)).map((schema) => ({ catalog_name: catalog.name, schema_name: schema }))),
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
    rows: privilegeRows,
  },
  tables: {
    columns: varchars("table_catalog", "table_schema", "table_name", "table_type", "-table_comment"),
    rows: tableRows,
  },
  views: {
    columns: varchars("table_catalog", "table_schema", "table_name", "view_definition"),
    rows: viewRows,
  },
});

const names: readonly string[] = Object.freeze(Object.keys(tables).toSorted());

function selectedTables({ catalog, filter }: Source): AsyncIterable<readonly SchemaTableName[]> {
  return tablesBySchema(catalog, nameFilters(filter, "table_schema", "table_name"));
}

function nameCells(catalog: ListedCatalog, name: SchemaTableName): Row {
  return { table_catalog: catalog.name, table_schema: name.schema, table_name: name.table };
}

/** Whether a name is a view is looked up only if the query reads it. */
async function* tableRows(source: Source): Rows {
  const { catalog, read } = source;
  for await (const found of selectedTables(source)) {
    const rows: Row[] = [];
    for (const name of found) {
      const view = read.has("table_type") ? await viewOf(catalog, name) : undefined;
      rows.push({ ...nameCells(catalog, name), table_type: view === undefined ? "BASE TABLE" : "VIEW" });
    }
    yield rows;
  }
}

async function* privilegeRows(source: Source): Rows {
  const { catalog, reader } = source;
  for await (const found of selectedTables(source)) {
    yield found.flatMap((name) => (reader === undefined ? [] : tablePrivilegeRows(reader.rights, catalog.name, name)));
  }
}

async function* viewRows(source: Source): Rows {
  const { catalog } = source;
  for await (const found of selectedTables(source)) {
    const rows: Row[] = [];
    for (const name of found) {
      const view = await viewOf(catalog, name);
      if (view !== undefined) {
        rows.push({ ...nameCells(catalog, name), view_definition: view.sql });
      }
    }
    yield rows;
  }
}

async function* columnRows(source: Source): Rows {
  const { catalog, typeText } = source;
  for await (const found of selectedTables(source)) {
    for (const name of found) {
      yield (await columnsOf(catalog, name)).map((column, index) => ({
        ...nameCells(catalog, name),
        column_name: column.name,
        ordinal_position: index + 1,
        column_default: column.defaultValue?.sql ?? null,
        is_nullable: column.nullable === false ? "NO" : "YES",
        data_type: typeText(column.type),
        comment: column.comment ?? null,
        extra_info: null,
        column_comment: column.comment ?? null,
      }));
    }
  }
}

/** Handles of its tables carry a mark, so that they cannot be confused with handles of the connector. */
function informationTable(handle: Json): InformationTable | undefined {
  if (typeof handle !== "object" || handle === null || !(informationSchema in handle)) {
    return undefined;
  }
  return tables[(handle as Readonly<Record<string, string>>)[informationSchema] as string];
}

/** `visibilityOf` says what a reader may see; without a reader, what all see. */
export function withInformationSchema(
  catalog: string,
  connector: CatalogConnector,
  visibilityOf: (reader: Reader | undefined) => Visibility = () => everythingVisible,
): CatalogConnector {
  const changes = new Changes();
  const metadata = metadataWith(connector.metadata, changes);
  const forQuery = connector.forQuery?.bind(connector);
  const sink = connector.createPageSink?.bind(connector);
  const handleCall = connector.handleCall?.bind(connector);
  const handOver = connector.handOver?.bind(connector);
  const partsToCopy = connector.partsToCopy?.bind(connector);
  const close = connector.close?.bind(connector);
  return {
    metadata,
    ...(forQuery && {
      forQuery: (query: EndingQuery) => {
        const own = forQuery(query);
        return { ...own, metadata: metadataWith(own.metadata, changes) };
      },
    }),
    ...(connector.procedures === undefined ? {} : { procedures: connector.procedures }),
    ...(connector.tableFunctions === undefined ? {} : { tableFunctions: connector.tableFunctions }),
    getSplits: async (
      table: TableMetadata,
      columns: readonly ColumnMetadata[],
      constraint?: Constraint,
      session?: ConnectorSession,
    ): Promise<SplitList> =>
      informationTable(table.handle) === undefined
        ? connector.getSplits(table, columns, constraint, session)
        : [splitOfMetadataFilter(constraint, session)],
    createPageSource: (request: PageSourceRequest) => {
      const table = informationTable(request.table);
      const reader = readerOf(request.split);
      return table === undefined
        ? connector.createPageSource(request)
        : new RowPageSource({
            rows: (query) =>
              table.rows({
                catalog: {
                  name: catalog,
                  metadata: forQuery === undefined ? metadata : metadataWith(forQuery(query).metadata, changes),
                  onWarning: request.onWarning ?? (() => {}),
                  visibility: visibilityOf(reader),
                },
                reader: metadata.security && reader && { user: reader.user, rights: rightsOf(metadata.security, catalog, reader) },
                filter: metadataFilterOf(request.split),
                typeText: typeTextOf(request.split),
                read: new Set(request.columns.map(({ name }) => name)),
              }),
            columns: request.columns,
            memory: request.memory,
          });
    },
    ...(sink === undefined ? {} : { createPageSink: sink }),
    ...(handleCall === undefined ? {} : { handleCall }),
    ...(handOver === undefined ? {} : { handOver }),
    ...(partsToCopy === undefined ? {} : { partsToCopy }),
    ...(connector.fileCache === undefined ? {} : { fileCache: connector.fileCache }),
    ...(close === undefined ? {} : { close }),
  };
}

function rightsOf(security: CatalogSecurity, catalog: string, { roles, user }: Reader): CatalogRights {
  return new CatalogRights(security, user, ownMember(roles, catalog));
}

/** Counts the operations that may change what a connector answers. */
class Changes {
  #count = 0;
  #running = 0;

  get count(): number | undefined {
    return this.#running > 0 ? undefined : this.#count;
  }

  counted(operation: (...parameters: readonly never[]) => Promise<unknown>): typeof operation {
    return async (...parameters) => {
      this.#running++;
      try {
        return await operation(...parameters);
      } finally {
        this.#running--;
        this.#count++;
      }
    };
  }
}

/** Methods that the connector does not have stay absent. */
function metadataWith(inner: ConnectorMetadata, changes: Changes): ConnectorMetadata {
  const optional = {
    createSchema: inner.createSchema?.bind(inner),
    dropSchema: inner.dropSchema?.bind(inner),
    dropSchemaWithContents: inner.dropSchemaWithContents?.bind(inner),
    beginCreate: inner.beginCreate?.bind(inner),
    finishCreate: inner.finishCreate?.bind(inner),
    beginInsert: inner.beginInsert?.bind(inner),
    finishInsert: inner.finishInsert?.bind(inner),
    abortWrite: inner.abortWrite?.bind(inner),
    restartWrite: inner.restartWrite?.bind(inner),
    dropTable: inner.dropTable?.bind(inner),
    beginRewrite: inner.beginRewrite?.bind(inner),
    finishRewrite: inner.finishRewrite?.bind(inner),
    runChange: inner.runChange?.bind(inner),
    beginChanges: inner.beginChanges?.bind(inner),
    finishChanges: inner.finishChanges?.bind(inner),
    truncateTable: inner.truncateTable?.bind(inner),
    analyzeTable: inner.analyzeTable?.bind(inner),
    renameSchema: inner.renameSchema?.bind(inner),
    renameTable: inner.renameTable?.bind(inner),
    addColumn: inner.addColumn?.bind(inner),
    dropColumn: inner.dropColumn?.bind(inner),
    renameColumn: inner.renameColumn?.bind(inner),
    setTableComment: inner.setTableComment?.bind(inner),
    setColumnComment: inner.setColumnComment?.bind(inner),
    setColumnNullable: inner.setColumnNullable?.bind(inner),
    setColumnDefault: inner.setColumnDefault?.bind(inner),
    createView: inner.createView?.bind(inner),
    dropView: inner.dropView?.bind(inner),
    renameView: inner.renameView?.bind(inner),
    setViewComment: inner.setViewComment?.bind(inner),
    setViewColumnComment: inner.setViewColumnComment?.bind(inner),
    createFunction: inner.createFunction?.bind(inner),
    dropFunction: inner.dropFunction?.bind(inner),
  };
  const { changedBy, pushDown, pushJoin, narrow, describeScan, planChange, recordedStatements, tableStates } = inner;
  const answers = {
    tableStates:
      tableStates &&
      // Tables of information_schema are the same for ever.
      (async (tables: readonly SchemaTableName[]) => {
        const states = await tableStates.call(inner, tables);
        return tables.map(({ schema }, index) => (schema === informationSchema ? "" : states[index]));
      }),
    pushDown:
      pushDown &&
      ((handle: Json, operation: PushedOperation) =>
        informationTable(handle) === undefined ? pushDown.call(inner, handle, operation) : undefined),
    pushJoin:
      pushJoin &&
      ((join: PushedJoin) =>
        [join.left, join.right].every(({ handle }) => informationTable(handle) === undefined) ? pushJoin.call(inner, join) : undefined),
    narrow:
      narrow &&
      ((...[handle, conditions]: Parameters<typeof narrow>) =>
        informationTable(handle) === undefined ? narrow.call(inner, handle, conditions) : undefined),
    planChange:
      planChange &&
      ((...[table, change]: Parameters<typeof planChange>) =>
        informationTable(table.handle) === undefined ? planChange.call(inner, table, change) : undefined),
    changedBy:
      changedBy && ((table: TableMetadata) => (informationTable(table.handle) === undefined ? changedBy.call(inner, table) : undefined)),
    describeScan:
      describeScan &&
      ((...[handle, columns, constraint]: Parameters<typeof describeScan>) =>
        informationTable(handle) === undefined ? describeScan.call(inner, handle, columns, constraint) : undefined),
    describedTable: inner.describedTable?.bind(inner),
    describeChange: inner.describeChange?.bind(inner),
    getView: inner.getView?.bind(inner),
    getFunctions: inner.getFunctions?.bind(inner),
    listFunctions: inner.listFunctions?.bind(inner),
    capabilities: inner.capabilities,
    tableProperties: inner.tableProperties,
    columnProperties: inner.columnProperties,
    planCreate: inner.planCreate?.bind(inner),
    replacesTables: inner.replacesTables,
    insertsNamedColumns: inner.insertsNamedColumns,
    changesOnlyHere: inner.changesOnlyHere,
    hasPaths: inner.hasPaths,
    hasVersions: inner.hasVersions,
    security: inner.security,
    recordedStatements: recordedStatements && {
      of: (statement: RecordedStatement) => metadataWith(recordedStatements.of(statement), changes),
      find: recordedStatements.find.bind(recordedStatements),
      forget: recordedStatements.forget.bind(recordedStatements),
    },
  };
  const counted = Object.entries(optional).map(([name, operation]) => [name, operation && changes.counted(operation)] as const);
  const offered = Object.fromEntries([...counted, ...Object.entries(answers)].filter(([, member]) => member !== undefined));
  return {
    ...(offered as Partial<ConnectorMetadata>),
    get changeCount() {
      return changes.count;
    },
    listSchemas: async () => [...(await inner.listSchemas()), informationSchema].toSorted(),
    hasSchema: async (schema) => schema === informationSchema || hasSchema(inner, schema),
    listTables: async (schema) => (schema === informationSchema ? names : inner.listTables(schema)),
    getTable: async (name, version) => (name.schema === informationSchema ? describe(name) : inner.getTable(name, version)),
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
