/** Schemas, tables and columns of a server of MySQL or MariaDB, as its information_schema says at the time of the request. */
import { countOf } from "../shared/remote/answers.ts";
import type { DatabaseRow } from "../../ports/databases.ts";
import { QueryError } from "../../protocol/errors.ts";
import { VARCHAR } from "../../types/type.ts";
import { mysqlObjectErrors, withObjectErrors } from "../shared/remote/object-errors.ts";
import type { UnsupportedTypes } from "../shared/remote/options.ts";
import { attributesOf, type ColumnAttributes } from "../shared/remote/column-attributes.ts";
import { RemoteMetadata, type RemoteMetadataOptions } from "../shared/remote/remote-metadata.ts";
import { handleOf, keysOf, type RemoteColumn, requireDistinct, tableOf } from "../shared/remote/remote-table.ts";
import type { ConnectorMetadata, SchemaTableName, TableMetadata, TableStatistics } from "../spi.ts";
import { quoted } from "./dialect.ts";
import { remoteTypeOf, typeOf } from "./types.ts";

export interface MysqlMetadataOptions extends RemoteMetadataOptions {
  readonly unsupported: UnsupportedTypes;
  readonly hasStatistics: boolean;
}

const hiddenSchemas = "('information_schema', 'performance_schema', 'mysql', 'sys')";
/** Collations in which texts are equal only if their bytes are. Others ignore trailing spaces, at least. */
const exactCollations = /(?:_0900_bin|_nopad_bin)$/;
const textBases: ReadonlySet<string> = new Set(["char", "varchar", "tinytext", "text", "mediumtext", "longtext"]);

interface FoundColumn {
  readonly name: string;
  /** `int(11) unsigned` */
  readonly type: string;
  /** Characters of a text. */
  readonly length?: number;
  readonly collation?: string;
}

export class MysqlMetadata extends RemoteMetadata<MysqlMetadataOptions> implements ConnectorMetadata {
  async listSchemas(): Promise<readonly string[]> {
    return listed(await this.query(`SELECT schema_name FROM information_schema.schemata WHERE lower(schema_name) NOT IN ${hiddenSchemas}`));
  }

  async listTables(schema: string): Promise<readonly string[]> {
    return listed(await this.query(`SELECT table_name FROM information_schema.tables WHERE ${isNamed("table_schema", schema)}`));
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    return this.pool.ask(async (connection) => {
      const named = `${isNamed("table_schema", name.schema)} AND ${isNamed("table_name", name.table)}`;
      const [table] = await connection.query(
        `SELECT table_type, table_comment FROM information_schema.tables WHERE ${named} AND lower(table_schema) NOT IN ${hiddenSchemas}`,
      );
      if (table === undefined) {
        return undefined;
      }
      const rows = await connection.query(
        `SELECT column_name, column_type, character_maximum_length, collation_name, column_comment, is_nullable,
           column_default, extra, version()
         FROM information_schema.columns WHERE ${named} ORDER BY ordinal_position`,
      );
      const keys = await connection.query(
        `SELECT column_name FROM information_schema.statistics WHERE ${named} AND index_name = 'PRIMARY' ORDER BY seq_in_index`,
      );
      return this.#tableOf(name, { rows, keys, comment: table[0] === "VIEW" ? undefined : (table[1] ?? undefined) });
    });
  }

  /** Estimates of the storage engine. */
  async getStatistics(table: TableMetadata): Promise<TableStatistics> {
    const { relation, columns } = handleOf(table.handle);
    if (!this.options.hasStatistics || "query" in relation) {
      return { columns: {} };
    }
    const named = `table_schema = ${quoted(relation.schema)} AND table_name = ${quoted(relation.table)}`;
    return this.pool.ask(async (connection) => {
      const [counted] = await connection.query(`SELECT table_rows FROM information_schema.tables WHERE ${named}`);
      if (typeof counted?.[0] !== "string") {
        return { columns: {} };
      }
      const indexes = await connection.query(
        `SELECT column_name, max(cardinality) FROM information_schema.statistics WHERE ${named} AND seq_in_index = 1 GROUP BY column_name`,
      );
      const byName = new Map(indexes.map(([name, distinct]) => [String(name), countOf(distinct) ?? 0]));
      const known = columns.flatMap(({ name, remoteName }) => {
        const distinctValues = byName.get(remoteName) ?? 0;
        return distinctValues === 0 ? [] : [[name, { distinctValues }] as const];
      });
      return { rowCount: countOf(counted[0]) ?? 0, columns: Object.fromEntries(known) };
    });
  }

  /** The table whose rows a statement returns. */
  async describeQuery(name: SchemaTableName, query: string): Promise<TableMetadata> {
    const described = await this.pool.ask(async (connection) => {
      await connection.query("START TRANSACTION READ ONLY");
      try {
        return await connection.describe(`SELECT * FROM (${query}\n) AS q LIMIT 0`);
      } finally {
        await connection.query("ROLLBACK");
      }
    });
    const columns = described.map(({ name: column, type }) => {
      const text = "text" in type ? type.text : "";
      // The collation of an expression is not known.
      const found = this.#columnOf({ name: column, type: text, collation: "" });
      if (found === undefined) {
        throw new QueryError("NOT_SUPPORTED", `Unsupported type ${text} of column '${column}' of the query`);
      }
      return found;
    });
    requireDistinct(columns);
    return tableOf(name, { handle: { relation: { query: `${query}\n` }, columns } });
  }

  protected quote(name: string): string {
    return this.options.dialect.quote(name);
  }

  /** Statements run one after the other, on one connection. */
  protected async run(...statements: readonly string[]): Promise<void> {
    const work = this.pool.use(async (connection) => {
      for (const statement of statements) {
        await connection.query(statement);
      }
    });
    await withObjectErrors(mysqlObjectErrors, work);
  }

  #tableOf(
    name: SchemaTableName,
    found: { readonly rows: readonly DatabaseRow[]; readonly keys: readonly DatabaseRow[]; readonly comment: string | undefined },
  ): TableMetadata {
    const attributes = new Map<string, ColumnAttributes>();
    const columns = found.rows.flatMap(([remoteName, type, length, collation, comment, isNullable, expression, extra, version]) => {
      const column = this.#columnOf({
        name: String(remoteName),
        type: String(type),
        ...(typeof length === "string" && { length: Number(length) }),
        ...(typeof collation === "string" && { collation }),
      });
      if (column !== undefined) {
        const defaultText = literalText(expression ?? undefined, { extra: extra ?? "", version: version ?? "" });
        attributes.set(column.name, attributesOf({ comment, isRequired: isNullable === "NO", type: column.type, defaultText }));
      }
      return column ?? [];
    });
    requireDistinct(columns);
    if (columns.length === 0) {
      throw new QueryError(
        "NOT_FOUND",
        `Table '${name.schema}.${name.table}' has no supported columns (all ${found.rows.length} columns are not supported)`,
      );
    }
    const byName = new Map(columns.map((column) => [column.remoteName, column]));
    const keys = keysOf(found.keys.map(([key]) => byName.get(String(key))));
    return tableOf(name, {
      handle: {
        relation: {
          schema: name.schema,
          table: name.table,
          isOrdered: keys.keys !== undefined,
          ...keys,
        },
        columns,
      },
      attributes,
      ...(found.comment !== undefined && found.comment !== "" && { comment: found.comment }),
    });
  }

  /** undefined for a type that cannot be read. */
  #columnOf({ name: remoteName, type: text, length, collation }: FoundColumn): RemoteColumn | undefined {
    const remote = remoteTypeOf(text);
    const type = typeOf(remote, length);
    const name = remoteName.toLowerCase();
    if (type !== undefined) {
      const isLoose = textBases.has(remote.name) && !exactCollations.test(collation ?? "");
      return { name, remoteName, type, remoteType: remote.name, ...(isLoose && { isLoose }) };
    }
    return this.options.unsupported === "CONVERT_TO_VARCHAR" ? { name, remoteName, type: VARCHAR, remoteType: "converted" } : undefined;
  }
}

/** MariaDB has the default value as an expression, MySQL the value itself, unless the column says that it is generated. */
function literalText(
  text: string | undefined,
  { extra, version }: { readonly extra: string; readonly version: string },
): string | undefined {
  if (text === undefined || !version.includes("MariaDB")) {
    return extra.includes("DEFAULT_GENERATED") ? undefined : text;
  }
  const quotedValue = /^'((?:[^']|'')*)'$/.exec(text)?.[1];
  return quotedValue?.replaceAll("''", "'").replaceAll("\\\\", "\\") ?? /^-?[\d.]+(?:e[+-]?\d+)?$/.exec(text)?.[0];
}

/** With regard to case. */
function isNamed(column: string, name: string): string {
  return `BINARY ${column} = ${quoted(name)}`;
}

/** Names that statements can use, sorted. */
function listed(rows: readonly DatabaseRow[]): readonly string[] {
  const names = rows.map(([name]) => String(name)).filter((name) => name === name.toLowerCase());
  return names.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
