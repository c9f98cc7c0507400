/** Schemas, tables, columns and statistics of a database of PostgreSQL, as its catalogs say at the time of the request. */
import type { DatabaseConnection, DatabaseRow, DescribedColumn } from "../../ports/databases.ts";
import { QueryError } from "../../protocol/errors.ts";
import { attributesOf, type ColumnAttributes } from "../shared/remote/column-attributes.ts";
import { RemoteMetadata, type RemoteMetadataOptions } from "../shared/remote/remote-metadata.ts";
import { handleOf, keysOf, type RemoteColumn, requireDistinct, tableOf } from "../shared/remote/remote-table.ts";
import type { ConnectorMetadata, SchemaTableName, TableMetadata, TableStatistics } from "../spi.ts";
import { quoted } from "./dialect.ts";
import { statisticsOf } from "./statistics.ts";
import type { Type } from "../../types/type.ts";
import { isExactNumeric, type RemoteType, type TypeOptions, typeOf } from "./types.ts";

export interface MetadataOptions extends RemoteMetadataOptions {
  readonly types: TypeOptions;
  /** Names are found without regard to case. */
  readonly isInsensitive: boolean;
  readonly hasSystemTables: boolean;
  readonly hasStatistics: boolean;
}

/** Tables, partitioned tables, views, materialized views and foreign tables. */
const tableKinds = "('r', 'p', 'v', 'm', 'f')";
/** A type, with the base type of a domain and the element of an array. */
const typeColumns = "coalesce(b.typname, t.typname), coalesce(b.typtype, t.typtype), e.typname, e.typtype";
const typeJoins = [
  "LEFT JOIN pg_type b ON t.typtype = 'd' AND b.oid = t.typbasetype",
  "LEFT JOIN pg_type e ON coalesce(b.typcategory, t.typcategory) = 'A' AND e.oid = coalesce(b.typelem, t.typelem)",
].join(" ");

const textTypes: ReadonlySet<string> = new Set(["text", "varchar"]);

interface Found {
  readonly oid: string;
  readonly schema: string;
  readonly table: string;
  readonly kind: string;
  readonly comment: string | null;
}

export class PostgresqlMetadata extends RemoteMetadata<MetadataOptions> implements ConnectorMetadata {
  async listSchemas(): Promise<readonly string[]> {
    const rows = await this.query(`SELECT nspname FROM pg_namespace n WHERE ${this.#schemaCondition()}`);
    return this.#listed(rows);
  }

  async listTables(schema: string): Promise<readonly string[]> {
    const rows = await this.query(
      `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ${tableKinds} AND ${this.#isNamed("n.nspname", schema)} AND ${this.#schemaCondition()}`,
    );
    return this.#listed(rows);
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    return this.pool.ask(async (connection) => {
      const tables = await connection.query(
        `SELECT c.oid, n.nspname, c.relname, c.relkind, obj_description(c.oid, 'pg_class')
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind IN ${tableKinds} AND ${this.#isNamed("n.nspname", name.schema)} AND ${this.#isNamed("c.relname", name.table)}
           AND ${this.#schemaCondition()}`,
      );
      const found = foundOf(tables, name);
      return found === undefined ? undefined : this.#tableOf(name, found, await connection.query(columnsSql(found.oid)));
    });
  }

  async getStatistics(table: TableMetadata): Promise<TableStatistics> {
    const { relation, columns } = handleOf(table.handle);
    if (!this.options.hasStatistics || "query" in relation) {
      return { columns: {} };
    }
    return this.pool.ask((connection) => statisticsOf(connection, relation, columns));
  }

  /** The table whose rows a statement returns. */
  async describeQuery(name: SchemaTableName, query: string): Promise<TableMetadata> {
    return this.pool.ask(async (connection) => {
      const described = await describedColumns(connection, query);
      const ids = [...new Set(described.flatMap(({ type }) => ("id" in type ? type.id : [])))];
      const rows =
        ids.length === 0
          ? []
          : await connection.query(`SELECT t.oid, ${typeColumns} FROM pg_type t ${typeJoins} WHERE t.oid IN (${ids.join(", ")})`);
      const types = new Map(rows.map(([oid, ...type]) => [Number(oid), type]));
      const columns = described.flatMap(({ name: column, type }) =>
        "id" in type ? this.#queriedColumn(column, type.modifier, types.get(type.id)) : [],
      );
      requireDistinct(columns);
      return tableOf(name, { handle: { relation: { query: `${query}\n` }, columns } });
    });
  }

  #queriedColumn(name: string, modifier: number, type: DatabaseRow | undefined): readonly RemoteColumn[] {
    const column = this.#columnOf(name, remoteTypeOf(type ?? [], { modifier, dimensions: 1 }));
    if (column === undefined) {
      throw new QueryError("NOT_SUPPORTED", `Unsupported type ${type?.[0] ?? "unknown"} of column '${name}' of the query`);
    }
    return [column];
  }

  #tableOf(name: SchemaTableName, found: Found, rows: readonly DatabaseRow[]): TableMetadata {
    const attributes = new Map<string, ColumnAttributes>();
    const keys: (RemoteColumn | undefined)[] = [];
    const columns = rows.flatMap(([remoteName, modifier, dimensions, comment, isDeterministic, isRequired, expression, isKey, ...type]) => {
      const remote = remoteTypeOf(type, { modifier: Number(modifier), dimensions: Math.max(1, Number(dimensions)) });
      const column = this.#columnOf(String(remoteName), remote, isDeterministic === "f");
      if (isKey === "t") {
        keys.push(column);
      }
      if (column !== undefined) {
        const defaultText = literalText(expression ?? "");
        attributes.set(column.name, attributesOf({ comment, isRequired: isRequired === "t", type: column.type, defaultText }));
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
    const isOrdered = found.kind === "r" || found.kind === "m" || found.kind === "p";
    return tableOf(name, {
      handle: { relation: { schema: found.schema, table: found.table, isOrdered, ...keysOf(keys) }, columns },
      attributes,
      ...(found.comment !== null && { comment: found.comment }),
    });
  }

  /** undefined for a type that cannot be read. */
  #columnOf(remoteName: string, remote: RemoteType, isLoose = false): RemoteColumn | undefined {
    const type = typeOf(remote, this.options.types);
    if (type === undefined) {
      return undefined;
    }
    const remoteType = storedType(remote, type);
    return { name: remoteName.toLowerCase(), remoteName, type, remoteType, ...(isLoose && { isLoose }) };
  }

  #schemaCondition(): string {
    const hidden = ["information_schema", "pg_toast", ...(this.options.hasSystemTables ? [] : ["pg_catalog"])];
    return `n.nspname NOT IN (${hidden.map(quoted).join(", ")}) AND n.nspname !~ '^pg_(temp|toast_temp)_'`;
  }

  #isNamed(column: string, name: string): string {
    return this.options.isInsensitive ? `lower(${column}::text) = ${quoted(name)}` : `${column} = ${quoted(name)}`;
  }

  /** Names that statements can use, sorted. */
  #listed(rows: readonly DatabaseRow[]): readonly string[] {
    const names = rows.map(([name]) => String(name));
    const visible = this.options.isInsensitive
      ? names.map((name) => name.toLowerCase())
      : names.filter((name) => name === name.toLowerCase());
    return [...new Set(visible)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }
}

async function describedColumns(connection: DatabaseConnection, query: string): Promise<readonly DescribedColumn[]> {
  await connection.query("BEGIN READ ONLY");
  try {
    return await connection.describe(`SELECT * FROM (${query}\n) AS q LIMIT 0`);
  } finally {
    await connection.query("ROLLBACK");
  }
}

function columnsSql(oid: string): string {
  return `SELECT a.attname, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END,
      CASE WHEN t.typtype = 'd' THEN t.typndims ELSE a.attndims END, col_description(a.attrelid, a.attnum), c.collisdeterministic,
      a.attnotnull OR (t.typtype = 'd' AND t.typnotnull), pg_get_expr(d.adbin, d.adrelid),
      EXISTS (SELECT FROM pg_constraint p WHERE p.conrelid = a.attrelid AND p.contype = 'p' AND a.attnum = ANY (p.conkey)), ${typeColumns}
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid ${typeJoins} LEFT JOIN pg_collation c ON c.oid = a.attcollation
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum AND a.attgenerated = ''
    WHERE a.attrelid = ${oid} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;
}

/** The value of `'it''s'::character varying`, `-5` or `true`; undefined for other expressions. */
function literalText(expression: string): string | undefined {
  const quotedValue = /^(E?)'((?:[^']|'')*)'(?:::[\w ."]+(?:\([\d,]+\))?)?$/.exec(expression);
  if (quotedValue !== null) {
    const text = (quotedValue[2] ?? "").replaceAll("''", "'");
    return quotedValue[1] === "" ? text : text.replaceAll("\\\\", "\\");
  }
  return /^\(?(-?[\d.]+|true|false)\)?(?:::[\w ]+(?:\([\d,]+\))?)?$/.exec(expression)?.[1];
}

function foundOf(rows: readonly DatabaseRow[], { schema, table }: SchemaTableName): Found | undefined {
  const [first, second] = rows;
  if (first === undefined) {
    return undefined;
  }
  if (second !== undefined) {
    throw new QueryError("JDBC_ERROR", `More than one table has the name '${schema}.${table}' without regard to case`);
  }
  const [oid, foundSchema, foundTable, kind, comment] = first;
  return { oid: String(oid), schema: String(foundSchema), table: String(foundTable), kind: String(kind), comment: comment ?? null };
}

function remoteTypeOf(
  [name, kind, elementName, elementKind]: DatabaseRow,
  { modifier, dimensions }: Pick<RemoteType, "modifier" | "dimensions">,
): RemoteType {
  return {
    name: String(name),
    kind: String(kind),
    modifier,
    dimensions,
    ...(typeof elementName === "string" && { element: { name: elementName, kind: String(elementKind) } }),
  };
}

/**
 * The type by which the dialect compares values: its name, or another one if the engine's values are not those of the database. The name
 * of an enumeration is its own.
 */
function storedType(remote: RemoteType, type: Type): string {
  if (remote.element !== undefined) {
    return "array";
  }
  if (remote.kind === "e") {
    return "enum";
  }
  const isRounded = remote.name === "numeric" && !isExactNumeric(remote.modifier);
  return isRounded || (type.kind === "varchar" && !textTypes.has(remote.name)) ? `${remote.name} converted` : remote.name;
}
