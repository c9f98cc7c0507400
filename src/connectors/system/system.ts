/**
 * The catalog `system`, with Presto's tables and columns:
 *
 * - schema runtime: the state of the cluster
 * - schema metadata: its catalogs
 * - schema jdbc: the same for JDBC drivers
 * - schema builtin: table functions that belong to no other catalog
 *
 * Rows of the tables come from the coordinator and are read there; a worker's instance has the names only. Rows of table functions are
 * produced on the workers.
 */
import { assert } from "../../protocol/errors.ts";
import type {
  ColumnMetadata,
  Connector,
  ConnectorFactory,
  ConnectorMetadata,
  ConnectorSession,
  Constraint,
  PageSource,
  PageSourceRequest,
  SchemaTableName,
  Split,
  TableMetadata,
} from "../spi.ts";
import type { Visibility } from "../../security/visibility.ts";
import { RowPageSource } from "../shared/row-page-source.ts";
import { splitOfMetadataFilter, typeTextOf, metadataFilterOf, readerOf } from "../shared/metadata-filter.ts";
import { jdbcTables } from "./jdbc.ts";
import { metadataTables } from "./metadata.ts";
import { killQuery, runtimeTables } from "./runtime.ts";
import { excludeColumnsFunction } from "./table-functions/exclude-columns.ts";
import { sequenceFunction, sequencePages, sequenceSplits } from "./table-functions/sequence.ts";
import type { SystemProvider, SystemSchema, SystemTable } from "./tables.ts";

export type { SystemProvider } from "./tables.ts";

const schemas: Readonly<Record<string, SystemSchema>> = Object.freeze({
  jdbc: jdbcTables,
  metadata: metadataTables,
  runtime: runtimeTables,
});

function findTable(name: SchemaTableName): SystemTable | undefined {
  const schema = Object.hasOwn(schemas, name.schema) ? (schemas[name.schema] as SystemSchema) : {};
  return Object.hasOwn(schema, name.table) ? schema[name.table] : undefined;
}

const systemMetadata: ConnectorMetadata = Object.freeze({
  listSchemas: async () => Object.keys(schemas),
  listTables: async (schema: string) => (Object.hasOwn(schemas, schema) ? Object.keys(schemas[schema] as object).toSorted() : []),
  getTable: async (name: SchemaTableName): Promise<TableMetadata | undefined> => {
    const table = findTable(name);
    return table === undefined
      ? undefined
      : { name, columns: table.columns, handle: { schema: name.schema, table: name.table }, coordinatorOnly: true };
  },
});

function systemConnector(provider: SystemProvider): Connector {
  return {
    metadata: systemMetadata,
    procedures: [killQuery(provider)],
    tableFunctions: [sequenceFunction, excludeColumnsFunction],
    getSplits: async (
      asked: TableMetadata,
      _columns: readonly ColumnMetadata[],
      constraint?: Constraint,
      session?: ConnectorSession,
    ): Promise<readonly Split[]> => sequenceSplits(asked, constraint) ?? [splitOfMetadataFilter(constraint, session)],
    createPageSource: (asked: PageSourceRequest): PageSource => {
      const numbers = sequencePages(asked);
      if (numbers !== undefined) {
        return numbers;
      }
      const { columns, memory, onWarning = () => {}, split, table: handle } = asked;
      const table = findTable(handle as unknown as SchemaTableName);
      assert(table !== undefined, "the handle is not one of the system connector");
      const read = new Set(columns.map(({ name }) => name));
      const visibility = provider.visibility(readerOf(split));
      const seen = visibleOf(provider, visibility);
      const request = { provider: seen, visibility, filter: metadataFilterOf(split), typeText: typeTextOf(split), onWarning, read };
      return new RowPageSource({ rows: () => table.rows(request), columns, memory });
    },
  };
}

/** What the reader may see of the provider. */
function visibleOf(provider: SystemProvider, visibility: Visibility): SystemProvider {
  return {
    visibility: provider.visibility,
    catalogs: () => provider.catalogs().filter(({ name }) => visibility.catalog(name)),
    runtime: () => {
      const runtime = provider.runtime();
      return (
        runtime && {
          resourceGroups: () => runtime.resourceGroups(),
          nodes: () => runtime.nodes(),
          queries: async () => (await runtime.queries()).filter(({ user }) => visibility.queryOf(user)),
          tasks: () => runtime.tasks().filter(({ user }) => visibility.queryOf(user)),
          transactions: () => runtime.transactions().filter(({ user }) => visibility.ownedBy(user)),
          killQuery: (...parameters) => runtime.killQuery(...parameters),
        }
      );
    },
  };
}

/** For a catalog with `connector.name=system`. */
export function systemConnectorFactory(provider: SystemProvider): ConnectorFactory {
  return { name: "system", properties: [], create: () => systemConnector(provider) };
}
