/** SQL of a cluster, which compares, orders and aggregates as the engine does. */
import type { DomainValue } from "../../types/domain/range.ts";
import type { Type, TypeKind } from "../../types/type.ts";
import type { AppendValue, RemoteDialect, RemoteSplit } from "../shared/remote/dialect.ts";
import type { Relation, RemoteColumn } from "../shared/remote/remote-table.ts";
import { literalOf } from "../shared/remote/statement/literals.ts";
import { statementAppender } from "../shared/remote/statement/values.ts";

const comparedKinds: ReadonlySet<TypeKind> = new Set<TypeKind>([
  "boolean",
  "tinyint",
  "smallint",
  "integer",
  "bigint",
  "decimal",
  "double",
  "varchar",
  "char",
  "date",
  "time",
  "timestamp",
]);
/** Types whose values that are equal are the same, beside those that are compared. */
const sameKinds: ReadonlySet<TypeKind> = new Set<TypeKind>(["varbinary", "uuid", "ipaddress"]);
const summedKinds: ReadonlySet<TypeKind> = new Set<TypeKind>(["tinyint", "smallint", "integer", "bigint", "decimal"]);
const booleanAggregates: ReadonlySet<string> = new Set(["bool_and", "bool_or", "every", "count_if"]);
/** Timestamps of more digits are not in conditions. */
const microsPrecision = 6;

/** A column that is read as the text of another type. */
export const convertedType = "converted";

export class ClusterDialect implements RemoteDialect {
  readonly endRead = "";
  readonly likeSuffix = "";
  readonly isUnordered = true;
  /** NaN is less, greater or equal to a number in some versions of Presto. */
  readonly #comparesDoubles: boolean;

  constructor({ comparesDoubles }: { readonly comparesDoubles: boolean }) {
    this.#comparesDoubles = comparesDoubles;
  }

  quote(identifier: string): string {
    return `"${identifier.replaceAll('"', '""')}"`;
  }

  selected({ remoteName }: RemoteColumn): string {
    return this.quote(remoteName);
  }

  literal(type: Type, value: DomainValue): string | undefined {
    switch (type.kind) {
      case "tinyint":
      case "smallint":
      case "integer":
      case "bigint":
        return Number(value) < 0 ? `(${value})` : String(value);
      case "double":
        return Number.isNaN(value) ? undefined : literalOf(type, value);
      case "timestamp":
        return type.precision > microsPrecision ? undefined : literalOf(type, value);
      default:
        return literalOf(type, value);
    }
  }

  operand({ remoteName, remoteType, type }: RemoteColumn): string | undefined {
    const isCompared = remoteType !== convertedType && comparedKinds.has(type.kind) && (type.kind !== "double" || this.#comparesDoubles);
    return isCompared ? this.quote(remoteName) : undefined;
  }

  /** Of doubles, 0.0 and -0.0 are equal. */
  isGroupKey({ remoteType, type }: RemoteColumn): boolean {
    return remoteType !== convertedType && type.kind !== "double" && (comparedKinds.has(type.kind) || sameKinds.has(type.kind));
  }

  sortKey(column: RemoteColumn): string | undefined {
    return (
      this.operand(column) ??
      (column.remoteType !== convertedType && sameKinds.has(column.type.kind) ? this.quote(column.remoteName) : undefined)
    );
  }

  /** Rows that are equal in all columns are the same. */
  tieBreakers(_relation: Relation, columns: readonly RemoteColumn[]): readonly string[] {
    return columns.flatMap((column) => this.sortKey(column) ?? []);
  }

  aggregate(name: string, column: RemoteColumn | undefined): { readonly sql: string; readonly remoteType: string } | undefined {
    if (column === undefined) {
      return name === "count" ? { sql: "count(*)", remoteType: "" } : undefined;
    }
    const sql = `${name}(${this.quote(column.remoteName)})`;
    return this.#isCertain(name, column) ? { sql, remoteType: "" } : undefined;
  }

  #isCertain(name: string, { type, remoteType }: RemoteColumn): boolean {
    if (name === "count") {
      return true;
    }
    if (remoteType === convertedType) {
      return false;
    }
    switch (name) {
      case "sum":
        return summedKinds.has(type.kind);
      case "avg":
        return type.kind === "decimal";
      case "min":
      case "max":
        // -0.0 and 0.0 are equal, and either may be the least.
        return type.kind !== "double" && comparedKinds.has(type.kind);
      default:
        return type.kind === "boolean" && booleanAggregates.has(name);
    }
  }

  appender(column: RemoteColumn, channel: number): AppendValue {
    return statementAppender(column, channel);
  }

  beginRead(): string {
    return "";
  }

  readSettings(): string {
    return "";
  }

  /** The cluster divides the work itself. */
  splits(): Promise<readonly RemoteSplit[]> {
    return Promise.resolve([{}]);
  }
}
