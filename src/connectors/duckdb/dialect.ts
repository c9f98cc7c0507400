/** SQL of DuckDB. Every value comes as a text. */
import type { DatabaseConnection } from "../../ports/databases.ts";
import type { DomainValue } from "../../types/domain/range.ts";
import { isNested, type Type } from "../../types/type.ts";
import type { AppendValue, RemoteDialect, RemoteSplit } from "../shared/remote/dialect.ts";
import type { Relation, RemoteColumn, RemoteHandle } from "../shared/remote/remote-table.ts";
import { literalOf } from "../shared/remote/statement/literals.ts";
import { uuidText, zonedMicros } from "../shared/remote/text-values.ts";
import { statementAppender } from "../shared/remote/statement/values.ts";

/** A text of a column whose collation is not known, or is not that of bytes. */
export const collatedType = "collated";

const integers: ReadonlySet<string> = new Set([
  "TINYINT",
  "SMALLINT",
  "INTEGER",
  "BIGINT",
  "UTINYINT",
  "USMALLINT",
  "UINTEGER",
  "UBIGINT",
  "HUGEINT",
]);
const otherOperands: ReadonlySet<string> = new Set([
  "BOOLEAN",
  "DECIMAL",
  "VARCHAR",
  "DATE",
  "TIME",
  "TIMESTAMP_S",
  "TIMESTAMP_MS",
  "TIMESTAMP",
  "TIMESTAMP WITH TIME ZONE",
]);
const microsPrecision = 6;
/** Literals that DuckDB reads in the same way, with years of four digits. */
const usualLiteral = /^(?:DATE|TIME|TIMESTAMP) '(?:(?!0000)\d{4}-\d\d-\d\d)?(?: ?\d\d:\d\d:\d\d(?:\.\d+)?)?'$/;
/** Halves of surrogate pairs, which no text has, and the end of a statement. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a zero character ends the text of a statement
const unwritable = /[\ud800-\udfff\0]/u;
/** Rows of a part of a table: a multiple of a row group. */
const partsMax = 1000;

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export class DuckdbDialect implements RemoteDialect {
  readonly endRead = "";
  readonly likeSuffix = "";
  readonly #splitRows: number;

  constructor({ splitRows }: { readonly splitRows: number }) {
    this.#splitRows = splitRows;
  }

  quote(identifier: string): string {
    return `"${identifier.replaceAll('"', '""')}"`;
  }

  selected({ remoteName, type }: RemoteColumn): string {
    const name = this.quote(remoteName);
    return isNested(type) ? `CAST(${jsonOf(type, name)} AS VARCHAR)` : textOf(type, name);
  }

  literal(type: Type, value: DomainValue): string | undefined {
    switch (type.kind) {
      case "boolean":
        return value === true || value === "true" ? "true" : "false";
      case "tinyint":
      case "smallint":
      case "integer":
      case "bigint":
        return `(${value})`;
      case "decimal":
        return type.scale === 0 ? `(${value})` : literalOf(type, value);
      case "varchar":
        return typeof value === "string" && !unwritable.test(value) ? quoted(value) : undefined;
      case "date":
        return usual(literalOf(type, value));
      case "uuid": {
        const text = uuidText(value);
        return text && `${quoted(text)}::UUID`;
      }
      case "timestamp with time zone": {
        const micros = zonedMicros(type, value);
        const plain = micros === undefined ? undefined : usual(literalOf({ kind: "timestamp", precision: microsPrecision }, micros));
        return plain?.replace(/^TIMESTAMP (.*)'$/, "TIMESTAMPTZ $1+00'");
      }
      case "time":
      case "timestamp":
        return type.precision > microsPrecision ? undefined : usual(literalOf(type, value));
      default:
        return undefined;
    }
  }

  operand({ remoteName, remoteType }: RemoteColumn, comparison?: "equality" | "order"): string | undefined {
    const isCompared = integers.has(remoteType) || otherOperands.has(remoteType) || (remoteType === "UUID" && comparison === "equality");
    return isCompared ? this.quote(remoteName) : undefined;
  }

  isGroupKey(column: RemoteColumn): boolean {
    return this.operand(column) !== undefined;
  }

  sortKey(column: RemoteColumn): string | undefined {
    return this.operand(column);
  }

  tieBreakers(relation: Relation): readonly string[] {
    return "query" in relation || !relation.isOrdered ? [] : ["rowid"];
  }

  aggregate(name: string, column: RemoteColumn | undefined): { readonly sql: string; readonly remoteType: string } | undefined {
    if (column === undefined) {
      return name === "count" ? { sql: "count(*)", remoteType: "BIGINT" } : undefined;
    }
    const { remoteType } = column;
    const sql = `${name}(${this.quote(column.remoteName)})`;
    const isExact = integers.has(remoteType) || remoteType === "DECIMAL";
    switch (name) {
      case "count":
        return { sql, remoteType: "BIGINT" };
      case "sum":
        return isExact ? { sql, remoteType: isExact && remoteType !== "DECIMAL" ? "HUGEINT" : "DECIMAL" } : undefined;
      case "min":
      case "max":
        return isExact || (otherOperands.has(remoteType) && remoteType !== "BOOLEAN") ? { sql, remoteType } : undefined;
      case "bool_and":
      case "bool_or":
        return remoteType === "BOOLEAN" ? { sql, remoteType } : undefined;
      default:
        return undefined;
    }
  }

  appender(column: RemoteColumn, channel: number): AppendValue {
    const { kind } = column.type;
    if (kind !== "real" && kind !== "double") {
      return statementAppender(column, channel);
    }
    return (builder, text) => {
      builder.appendDouble(channel, doubleOf(text));
      return 8;
    };
  }

  beginRead(): string {
    return "";
  }

  readSettings(): string {
    return "";
  }

  /** Ranges of row ids. */
  async splits(connection: DatabaseConnection, { relation }: RemoteHandle): Promise<readonly RemoteSplit[]> {
    if ("query" in relation || !relation.isOrdered) {
      return [{}];
    }
    const [counted] = await connection.query(
      `SELECT max(rowid), count(*) FROM ${this.quote(relation.schema)}.${this.quote(relation.table)}`,
    );
    const rows = Number(counted?.[1] ?? 0);
    const end = Number(counted?.[0] ?? -1) + 1;
    const count = Math.min(partsMax, Math.max(1, Math.ceil(end / this.#splitRows)));
    const width = Math.ceil(end / count);
    return count === 1
      ? [{ rows }]
      : Array.from({ length: count }, (_, index) => ({
          part: `rowid >= ${index * width} AND rowid < ${(index + 1) * width}`,
          rows: Math.ceil(rows / count),
        }));
  }
}

function textOf({ kind }: Type, value: string): string {
  switch (kind) {
    case "varbinary":
      return `base64(${value})`;
    case "timestamp with time zone":
      return `CAST(make_timestamp(epoch_us(${value})) AS VARCHAR) || ' UTC'`;
    default:
      return `CAST(${value} AS VARCHAR)`;
  }
}

/** JSON of a value, whose plain parts are texts. Rows are arrays of their fields, maps arrays of pairs. */
function jsonOf(type: Type, value: string, depth = 0): string {
  const part = `p${depth}`;
  switch (type.kind) {
    case "array":
      return `to_json([${jsonOf(type.element, part, depth + 1)} FOR ${part} IN ${value}])`;
    case "map": {
      const pair = `json_array(${jsonOf(type.key, `${part}.key`, depth + 1)}, ${jsonOf(type.value, `${part}.value`, depth + 1)})`;
      return `to_json([${pair} FOR ${part} IN map_entries(${value})])`;
    }
    case "row": {
      const fields = type.fields.map(({ name, type: of }, index) => {
        return jsonOf(of, `struct_extract(${value}, ${name === undefined ? index + 1 : quoted(name)})`, depth + 1);
      });
      return `CASE WHEN ${value} IS NULL THEN NULL ELSE json_array(${fields.join(", ")}) END`;
    }
    case "real":
    case "double":
      return `to_json(CASE WHEN isnan(${value}) THEN 'NaN' WHEN isinf(${value}) THEN if(${value} > 0, '', '-') || 'Infinity' ELSE ${textOf(type, value)} END)`;
    default:
      return `to_json(${textOf(type, value)})`;
  }
}

function usual(literal: string): string | undefined {
  return usualLiteral.test(literal) ? literal : undefined;
}

function doubleOf(text: string): number {
  switch (text) {
    case "inf":
      return Number.POSITIVE_INFINITY;
    case "-inf":
      return Number.NEGATIVE_INFINITY;
    default:
      return Number(text);
  }
}
