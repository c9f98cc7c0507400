/**
 * FROM and WHERE of a subquery over its own columns and those of every enclosing query, with nested subqueries. The level is drawn first
 * and the column second, so that references that skip levels are as likely as others.
 */
import { isComparable, isInteger, isOrderable, join, type Text, text } from "../dialects.ts";
import type { Expression } from "../expressions/generated-expression.ts";
import { Expressions, type Scope } from "../expressions/expression-generator.ts";
import type { Random } from "../random.ts";
import type { Relation } from "../relations.ts";

/** A query of one column, with known properties of its values. */
export interface ColumnBody extends Pick<Expression, "type" | "bound" | "exact"> {
  readonly text: Text;
}

/** Provides relations and names. */
export interface SubqueryHost {
  /** A relation of few rows; a subquery if `depth` is above 0. */
  readonly relation: (depth: number) => Relation;
  readonly name: (prefix: string) => string;
}

export interface Core {
  readonly from: Text;
  /** ` WHERE ...`, or empty. */
  readonly where: Text;
  readonly columns: readonly Expression[];
  /** Includes the columns of the enclosing queries. */
  readonly scope: Scope;
}

const referencesPerCore: readonly number[] = [0, 1, 1, 1, 2];

export function drawCore(random: Random, host: SubqueryHost, outer: Scope): Core {
  const first = host.relation(random.chance(15) ? 1 : 0);
  const scopeOver = (columns: readonly Expression[]): Scope => ({
    columns,
    outer: levelsOf(outer),
    nesting: (outer.nesting ?? 0) - 1,
    ...(outer.subquery && { subquery: outer.subquery }),
    ...(outer.value && { value: outer.value }),
  });
  const joined = random.chance(20) ? random.part(() => drawJoined(random, host, first, scopeOver)) : undefined;
  const { from, columns } = joined ?? { from: first.text, columns: first.columns };
  const scope = scopeOver(columns);
  const conditions: Text[] = [];
  for (let references = random.pick(referencesPerCore); references > 0; references--) {
    conditions.push(...random.part(() => drawReference(random, scope)));
  }
  if (random.chance(25)) {
    conditions.push(new Expressions(random, scope).condition(1).text);
  }
  if ((scope.nesting ?? 0) > 0 && random.chance(55)) {
    const nested = random.part(() => scope.subquery?.(random, scope));
    if (nested !== undefined) {
      conditions.push(nested.text);
    }
  }
  const where = conditions.length === 0 ? text`` : text` WHERE ${join(conditions, random.chance(85) ? " AND " : " OR ")}`;
  return { from, where, columns, scope };
}

/** The columns of each enclosing query, innermost first. */
function levelsOf(scope: Scope): readonly (readonly Expression[])[] {
  return [scope.columns, ...(scope.outer ?? [])];
}

function drawJoined(
  random: Random,
  host: SubqueryHost,
  left: Relation,
  scopeOver: (columns: readonly Expression[]) => Scope,
): Pick<Core, "from" | "columns"> | undefined {
  const right = host.relation(0);
  const pairs = pairsOf(left.columns, right.columns);
  if (pairs.length === 0) {
    return undefined;
  }
  const [a, b] = random.pick(pairs);
  const columns = [...left.columns, ...right.columns];
  const type = random.pick(["JOIN", "JOIN", "LEFT JOIN"]);
  // The oracle has no outer joins with conditions over outer columns.
  const scope = type === "JOIN" ? scopeOver(columns) : { columns };
  const more = random.chance(40) ? text` AND ${new Expressions(random, scope).condition(1).text}` : text``;
  return { from: text`${left.text} ${type} ${right.text} ON ${a.text} = ${b.text}${more}`, columns };
}

/** A comparison of an own column with one of an enclosing query; empty if no types agree. */
function drawReference(random: Random, { columns, outer = [] }: Scope): readonly Text[] {
  const pairs = outer.length === 0 ? [] : pairsOf(random.pick(outer), columns);
  if (pairs.length === 0) {
    return [];
  }
  // Columns with few distinct values, so that they match.
  const narrow = pairs.filter(([{ type: own, bound }, other]) => isInteger(own.kind) && bound <= 20 && other.bound <= 20);
  const [a, b] = random.pick(narrow.length > 0 && random.chance(65) ? narrow : pairs);
  if (isInteger(a.type.kind) && a.bound < 1e6 && random.chance(15)) {
    return [text`${a.text} + ${random.below(3)} = ${b.text}`];
  }
  return [text`${a.text} ${comparing(random, a)} ${b.text}`];
}

export function pairsOf(left: readonly Expression[], right: readonly Expression[]): readonly (readonly [Expression, Expression])[] {
  return left
    .filter(({ type: { kind } }) => isComparable(kind))
    .flatMap((a) => right.filter((b) => a.type.kind === b.type.kind).map((b) => [a, b] as const));
}

/** Comparison operator for two columns: mostly equality. */
function comparing(random: Random, { type: { kind } }: Expression): string {
  const operator = random.chance(25) ? random.pick(["<", "<>", ">=", "IS NOT DISTINCT FROM"]) : "=";
  return isOrderable(kind) || operator.startsWith("IS") ? operator : "=";
}
