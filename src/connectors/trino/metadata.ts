/** Schemas, tables and columns of one catalog of a cluster, by its SHOW statements. */
import { type DatabaseConnection, DatabaseError, type DatabaseRow } from "../../ports/databases.ts";
import { QueryError } from "../../protocol/errors.ts";
import { type Type, VARCHAR } from "../../types/type.ts";
import type { UnsupportedTypes } from "../shared/remote/options.ts";
import type { ColumnAttributes } from "../shared/remote/column-attributes.ts";
import { RemoteMetadata, type RemoteMetadataOptions } from "../shared/remote/remote-metadata.ts";
import { handleOf, type RemoteColumn, requireDistinct, tableOf } from "../shared/remote/remote-table.ts";
import { typeOfText } from "../shared/remote/statement/types.ts";
import { dateOf } from "../shared/remote/text-values.ts";
import type { ColumnStatistics, ConnectorMetadata, SchemaTableName, TableMetadata, TableStatistics } from "../spi.ts";
import { convertedType } from "./dialect.ts";

export interface ClusterMetadataOptions extends RemoteMetadataOptions {
  readonly unsupported: UnsupportedTypes;
  readonly hasStatistics: boolean;
}

const absentNames: ReadonlySet<string> = new Set(["TABLE_NOT_FOUND", "SCHEMA_NOT_FOUND", "NOT_FOUND"]);

export class ClusterMetadata extends RemoteMetadata<ClusterMetadataOptions> implements ConnectorMetadata {
  async listSchemas(): Promise<readonly string[]> {
    return listed(await this.query("SHOW SCHEMAS")).filter((name) => name !== "information_schema");
  }

  async listTables(schema: string): Promise<readonly string[]> {
    return listed((await this.#unlessAbsent(`SHOW TABLES FROM ${this.quote(schema)}`)) ?? []);
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    const rows = await this.#unlessAbsent(`DESCRIBE ${this.quote(name.schema)}.${this.quote(name.table)}`);
    if (rows === undefined) {
      return undefined;
    }
    const attributes = new Map<string, ColumnAttributes>();
    const columns = rows.flatMap(([remoteName, type, , note]) => {
      const column = this.#columnOf(String(remoteName), String(type));
      if (column !== undefined && typeof note === "string" && note !== "") {
        attributes.set(column.name, { comment: note });
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
    return tableOf(name, { handle: { relation: { schema: name.schema, table: name.table, isOrdered: false }, columns }, attributes });
  }

  async getStatistics(table: TableMetadata): Promise<TableStatistics> {
    const { relation, columns } = handleOf(table.handle);
    if (!this.options.hasStatistics || "query" in relation) {
      return { columns: {} };
    }
    try {
      return statisticsOf(await this.query(`SHOW STATS FOR ${this.quote(relation.schema)}.${this.quote(relation.table)}`), columns);
    } catch (error) {
      // Not every table has statistics, such as a view.
      if (error instanceof QueryError) {
        return { columns: {} };
      }
      throw error;
    }
  }

  /** The table whose rows a statement returns. Its columns get their names from here, because some may have none. */
  async describeQuery(name: SchemaTableName, query: string): Promise<TableMetadata> {
    const described = await this.#use((connection) => connection.describe(`SELECT * FROM (${query}\n) AS q LIMIT 0`));
    const columns = described.map(({ name: remoteName, type }) => {
      const text = "text" in type ? type.text : "";
      const column = this.#columnOf(remoteName, text);
      if (column === undefined) {
        throw new QueryError("NOT_SUPPORTED", `Unsupported type ${text} of column '${remoteName}' of the query`);
      }
      return column;
    });
    requireDistinct(columns);
    const names = columns.map(({ remoteName }) => this.quote(remoteName)).join(", ");
    return tableOf(name, { handle: { relation: { query: `SELECT * FROM (${query}\n) AS q (${names})` }, columns } });
  }

  protected quote(name: string): string {
    return this.options.dialect.quote(name);
  }

  protected override query(sql: string): Promise<readonly DatabaseRow[]> {
    return this.#use((connection) => connection.query(sql));
  }

  #use<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return this.pool.ask(work);
  }

  /** undefined for a type that cannot be read. */
  #columnOf(remoteName: string, text: string): RemoteColumn | undefined {
    const type: Type | undefined = typeOfText(text);
    const name = remoteName.toLowerCase();
    if (type !== undefined) {
      return { name, remoteName, type, remoteType: text };
    }
    return this.options.unsupported === "CONVERT_TO_VARCHAR" ? { name, remoteName, type: VARCHAR, remoteType: convertedType } : undefined;
  }

  /** undefined if the cluster does not know the table or schema. */
  #unlessAbsent(sql: string): Promise<readonly DatabaseRow[] | undefined> {
    return this.#use(async (connection) => {
      try {
        return await connection.query(sql);
      } catch (error) {
        if (error instanceof DatabaseError && isAbsent(error)) {
          return undefined;
        }
        throw error;
      }
    });
  }
}

/** Presto has no name for it. */
function isAbsent({ state, message }: DatabaseError): boolean {
  return absentNames.has(state ?? "") || (state === "SYNTAX_ERROR" && /(?:Table|Schema) \S+ does not exist/.test(message));
}

function listed(rows: readonly DatabaseRow[]): readonly string[] {
  return rows.map(([name]) => String(name)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Rows of SHOW STATS: column, data size, distinct values, fraction of NULLs, rows, low, high. */
function statisticsOf(rows: readonly DatabaseRow[], columns: readonly RemoteColumn[]): TableStatistics {
  const rowCount = numberOf(rows.find(([name]) => name === null)?.[4]);
  if (rowCount === undefined) {
    return { columns: {} };
  }
  const byName = new Map(columns.map((column) => [column.remoteName, column]));
  const found = rows.flatMap(([name, ...values]) => {
    const column = byName.get(name ?? "");
    return column === undefined ? [] : [[column.name, columnStatistics(column.type, values, rowCount)] as const];
  });
  return { rowCount, columns: Object.fromEntries(found) };
}

function columnStatistics(
  type: Type,
  [bytes, distinct, nulls, , lowText, highText]: readonly (string | null | undefined)[],
  rowCount: number,
): ColumnStatistics {
  const [distinctValues, nullsFraction, dataSize] = [numberOf(distinct), numberOf(nulls), numberOf(bytes)];
  const [low, high] = [lowText, highText].map((text) => (type.kind === "date" ? dateOf(text ?? "") : numberOf(text)));
  return {
    ...(distinctValues !== undefined && { distinctValues }),
    ...(nullsFraction !== undefined && { nullsFraction }),
    ...(dataSize !== undefined && rowCount > 0 && { averageBytes: dataSize / rowCount }),
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
  };
}

function numberOf(text: string | null | undefined): number | undefined {
  const value = typeof text === "string" && text !== "" ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
