/** Schemas, tables and columns of a file of DuckDB, as its catalog says at the time of the request. */
import type { DatabaseRow } from "../../ports/databases.ts";
import { QueryError } from "../../protocol/errors.ts";
import { VARCHAR } from "../../types/type.ts";
import type { UnsupportedTypes } from "../shared/remote/options.ts";
import { attributesOf, type ColumnAttributes } from "../shared/remote/column-attributes.ts";
import { RemoteMetadata, type RemoteMetadataOptions } from "../shared/remote/remote-metadata.ts";
import { handleOf, keysOf, type RemoteColumn, requireDistinct, tableOf } from "../shared/remote/remote-table.ts";
import type { ConnectorMetadata, SchemaTableName, TableMetadata, TableStatistics } from "../spi.ts";
import { collatedType, quoted } from "./dialect.ts";
import { typeOf } from "./types.ts";

export interface DuckdbMetadataOptions extends RemoteMetadataOptions {
  readonly unsupported: UnsupportedTypes;
  readonly hasStatistics: boolean;
}

const here = "database_name = current_database() AND lower(schema_name) NOT IN ('information_schema', 'pg_catalog')";
const convertedType = "converted";

export class DuckdbMetadata extends RemoteMetadata<DuckdbMetadataOptions> implements ConnectorMetadata {
  async listSchemas(): Promise<readonly string[]> {
    return listed(await this.query(`SELECT schema_name FROM duckdb_schemas() WHERE ${here}`));
  }

  async listTables(schema: string): Promise<readonly string[]> {
    const named = `${here} AND lower(schema_name) = ${quoted(schema)}`;
    return listed(
      await this.query(
        `SELECT table_name FROM duckdb_tables() WHERE ${named} UNION ALL SELECT view_name FROM duckdb_views() WHERE ${named} AND NOT internal`,
      ),
    );
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    const named = (column: string): string =>
      `${here} AND lower(schema_name) = ${quoted(name.schema)} AND lower(${column}) = ${quoted(name.table)}`;
    return this.pool.ask(async (connection) => {
      const [table] = await connection.query(
        `SELECT comment, sql FROM duckdb_tables() WHERE ${named("table_name")}
         UNION ALL SELECT comment, NULL FROM duckdb_views() WHERE ${named("view_name")} AND NOT internal`,
      );
      if (table === undefined) {
        return undefined;
      }
      const rows = await connection.query(
        `SELECT column_name, data_type, comment, is_nullable, column_default FROM duckdb_columns() WHERE ${named("table_name")} ORDER BY column_index`,
      );
      const keys = await connection.query(
        `SELECT unnest(constraint_column_names) FROM duckdb_constraints() WHERE ${named("table_name")} AND constraint_type = 'PRIMARY KEY'`,
      );
      const [comment, sql] = table;
      return this.#tableOf(name, { rows, keys, comment: comment ?? undefined, sql: sql ?? undefined });
    });
  }

  async getStatistics(table: TableMetadata): Promise<TableStatistics> {
    const { relation } = handleOf(table.handle);
    if (!this.options.hasStatistics || "query" in relation || !relation.isOrdered) {
      return { columns: {} };
    }
    const [found] = await this.query(
      `SELECT estimated_size FROM duckdb_tables()
       WHERE ${here} AND lower(schema_name) = ${quoted(relation.schema)} AND lower(table_name) = ${quoted(relation.table)}`,
    );
    return { ...(typeof found?.[0] === "string" && { rowCount: Number(found[0]) }), columns: {} };
  }

  /** The table whose rows a statement returns. */
  async describeQuery(name: SchemaTableName, query: string): Promise<TableMetadata> {
    const described = await this.pool.ask((connection) => connection.describe(`SELECT * FROM (${query}\n) AS q`));
    const columns = described.map(({ name: column, type }) => {
      const text = "text" in type ? type.text : "";
      const found = this.#columnOf(column, text, true);
      if (found === undefined) {
        throw new QueryError("NOT_SUPPORTED", `Unsupported type ${text} of column '${column}' of the query`);
      }
      return found;
    });
    requireDistinct(columns);
    return tableOf(name, { handle: { relation: { query: `${query}\n` }, columns } });
  }

  /** `sql` is the statement that creates the table; undefined for a view. */
  #tableOf(
    name: SchemaTableName,
    {
      rows,
      keys,
      comment,
      sql,
    }: {
      readonly rows: readonly DatabaseRow[];
      readonly keys: readonly DatabaseRow[];
      readonly comment?: string | undefined;
      readonly sql?: string | undefined;
    },
  ): TableMetadata {
    const attributes = new Map<string, ColumnAttributes>();
    const isCollated = sql === undefined || /\bcollate\b/i.test(sql);
    const columns = rows.flatMap(([remoteName, type, note, isNullable, expression]) => {
      const column = this.#columnOf(String(remoteName), String(type), isCollated);
      if (column !== undefined) {
        const isRequired = sql !== undefined && isNullable === "false";
        attributes.set(
          column.name,
          attributesOf({ comment: note, isRequired, type: column.type, defaultText: literalText(expression ?? "") }),
        );
      }
      return column ?? [];
    });
    requireDistinct(columns);
    if (columns.length === 0) {
      throw new QueryError(
        "NOT_FOUND",
        `Table '${name.schema}.${name.table}' has no supported columns (all ${rows.length} columns are not supported)`,
      );
    }
    // A column of the name hides the places of the rows.
    const isOrdered = sql !== undefined && !columns.some((column) => column.name === "rowid");
    const known = keys.map(([key]) => columns.find(({ remoteName }) => remoteName === key));
    return tableOf(name, {
      handle: { relation: { schema: name.schema, table: name.table, isOrdered, ...keysOf(known) }, columns },
      attributes,
      ...(comment !== undefined && comment !== "" && { comment }),
    });
  }

  /** undefined for a type that cannot be read. */
  #columnOf(remoteName: string, text: string, isCollated: boolean): RemoteColumn | undefined {
    const found = typeOf(text);
    const name = remoteName.toLowerCase();
    if (found !== undefined) {
      const isText = found.name === "VARCHAR";
      return { name, remoteName, type: found.type, remoteType: isText && isCollated ? collatedType : found.name };
    }
    return this.options.unsupported === "CONVERT_TO_VARCHAR" ? { name, remoteName, type: VARCHAR, remoteType: convertedType } : undefined;
  }
}

/** The value of `'it''s'`, `-5` or `CAST('t' AS BOOLEAN)`; undefined for other expressions. */
function literalText(expression: string): string | undefined {
  const text = /^(?:CAST\()?'((?:[^']|'')*)'(?: AS BOOLEAN\))?$/.exec(expression)?.[1];
  return text?.replaceAll("''", "'") ?? /^-?[\d.]+(?:[eE][+-]?\d+)?$/.exec(expression)?.[0];
}

/** Sorted. Names of DuckDB are the same whatever their case. */
function listed(rows: readonly DatabaseRow[]): readonly string[] {
  return rows.map(([name]) => String(name).toLowerCase()).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
