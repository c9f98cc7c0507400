/** Statements that the connectors of databases write. */
import type { Domain } from "../../../types/domain/domain.ts";
import { type DomainValue, isUnbounded, type Range } from "../../../types/domain/range.ts";
import type { TupleDomain } from "../../../types/domain/tuple-domain.ts";
import type { RemoteDialect } from "./dialect.ts";
import type { Relation, RemoteColumn, RemoteHandle } from "./remote-table.ts";

export interface Select {
  readonly relation: Relation;
  readonly columns: readonly RemoteColumn[];
  /** Conditions that all hold. */
  readonly where: readonly (string | undefined)[];
  readonly order?: string | undefined;
}

export function relationSql(dialect: RemoteDialect, relation: Relation): string {
  return "query" in relation
    ? `(${relation.query}) AS ${dialect.quote("q")}`
    : `${dialect.quote(relation.schema)}.${dialect.quote(relation.table)}`;
}

/** A statement without columns returns NULLs: only their number counts. */
export function selectSql(dialect: RemoteDialect, { relation, columns, where, order }: Select): string {
  const list = columns.length === 0 ? "NULL" : columns.map((column) => dialect.selected(column)).join(", ");
  const conditions = where.filter((condition) => condition !== undefined);
  return [
    `SELECT ${list} FROM ${relationSql(dialect, relation)}`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(" AND ")}`]),
    ...(order === undefined ? [] : [`ORDER BY ${order}`]),
  ].join(" ");
}

/**
 * The condition that the rows of the domains meet, as far as the database can check it: it may hold for other rows too. undefined if it can
 * check nothing. Longer lists of values become their span.
 */
export function conditionOf(
  dialect: RemoteDialect,
  { columns }: RemoteHandle,
  { summary, valuesMax }: { readonly summary: TupleDomain; readonly valuesMax: number },
): string | undefined {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const conditions = [...summary.domains].flatMap(([name, domain]) => {
    const column = byName.get(name);
    const simple = domain.simplify(valuesMax);
    return column === undefined ? [] : (domainSql(dialect, column, simple) ?? []);
  });
  return conditions.length === 0 ? undefined : conditions.join(" AND ");
}

function domainSql(dialect: RemoteDialect, column: RemoteColumn, domain: Domain): string | undefined {
  const name = dialect.quote(column.remoteName);
  if (domain.isAll) {
    return undefined;
  }
  if (domain.values.isAll) {
    return `${name} IS NOT NULL`;
  }
  if (domain.values.isNone) {
    return domain.nullAllowed ? `${name} IS NULL` : "1 = 0";
  }
  const values = valuesSql(dialect, column, domain);
  if (values === undefined) {
    return domain.nullAllowed ? undefined : `${name} IS NOT NULL`;
  }
  return domain.nullAllowed ? `(${values} OR ${name} IS NULL)` : values;
}

/** undefined if some of the values have no literal. */
function valuesSql(dialect: RemoteDialect, column: RemoteColumn, { values }: Domain): string | undefined {
  const { discreteValues } = values;
  if (discreteValues !== undefined) {
    return listSql(dialect, column, discreteValues);
  }
  const parts = values.ranges.map((range) => rangeSql(dialect, column, range));
  const known = parts.filter((part) => part !== undefined);
  return known.length < parts.length ? undefined : known.length === 1 ? known[0] : `(${known.join(" OR ")})`;
}

function listSql(dialect: RemoteDialect, column: RemoteColumn, values: readonly DomainValue[]): string | undefined {
  const operand = dialect.operand(column, "equality");
  if (operand === undefined) {
    return undefined;
  }
  // No value of the database is equal to one without a literal.
  const literals = values.flatMap((value) => dialect.literal(column.type, value) ?? []);
  return literals.length === 0 ? "1 = 0" : literals.length === 1 ? `${operand} = ${literals[0]}` : `${operand} IN (${literals.join(", ")})`;
}

function rangeSql(dialect: RemoteDialect, column: RemoteColumn, range: Range): string | undefined {
  const operand = dialect.operand(column, "order");
  if (operand === undefined || isUnbounded(range)) {
    return undefined;
  }
  const parts: string[] = [];
  for (const [bound, sign] of [
    [range.low, ">"],
    [range.high, "<"],
  ] as const) {
    if (bound !== undefined) {
      const literal = dialect.literal(column.type, bound.value);
      if (literal === undefined) {
        return undefined;
      }
      parts.push(`${operand} ${sign}${bound.inclusive ? "=" : ""} ${literal}`);
    }
  }
  return parts.length === 1 ? parts[0] : `(${parts.join(" AND ")})`;
}
