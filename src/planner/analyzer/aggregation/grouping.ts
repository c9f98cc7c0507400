/**
 * GROUP BY: grouping keys, grouping sets and grouping(). Several grouping sets repeat each row once for every set.
 */
import type { Expression, FunctionCall, GroupBy, GroupingElement, QuerySpecification } from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { BIGINT, BOOLEAN, INTEGER } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { call, constant, expressionKey, special, substitute, usesAny } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import { outputsOf, type Assignment, type GroupIdNode, type GroupingColumn, type PlanNode } from "../../plan/node.ts";
import { extendProject } from "../../plan/plan-tree.ts";
import { makeGrouping, type Grouping } from "./aggregates.ts";
import type { Environment, PendingGrouping } from "../analysis.ts";
import { requireScalar } from "./calls-inside.ts";
import { ownColumns } from "../subquery/own-columns.ts";
import { semanticError, type Placed } from "../errors.ts";
import type { InPieces } from "../../pieces.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { ordinal } from "../query/order-by.ts";
import { nameParts } from "../scope/scope.ts";

/** Default of analyzer.max-grouping-sets. */
const groupingSetsMax = 2048;
/** Larger counts are reported as "more than" the largest int. */
const countedSetsMax = 2_147_483_647n;

/** A column of the SELECT, as a target of GROUP BY 1. */
export interface Selected {
  readonly expression: RowExpression;
  readonly text: string;
  readonly place: Placed;
  readonly hasSubqueries: boolean;
}

export interface GroupKeys {
  /** In order of appearance, without duplicates. */
  readonly keys: readonly Assignment[];
  /** Indexes into `keys`, in ascending order. */
  readonly sets: readonly (readonly number[])[];
  /** Positions of SELECT columns that GROUP BY names by position or with the same text. */
  readonly columns: ReadonlySet<number>;
}

export function* analyzeGroupBy(groupBy: GroupBy, columns: readonly Selected[], env: Environment): InPieces<GroupKeys> {
  checkSetCount(groupBy);
  const { aggregates: _aggregates, windows: _windows, groupings: _groupings, aggregateSubqueries, ...rest } = env;
  const own = { ...rest, clause: "GROUP BY clause", ...(aggregateSubqueries && { subqueries: aggregateSubqueries }) };
  const keys = new GroupKeyCollector(own, columns, [
    ...(env.aggregates?.outputs() ?? []),
    ...(env.windows?.outputs() ?? []),
    ...(env.groupings ?? []).map((grouping) => grouping.output),
  ]);
  let product: number[][] = [[]];
  for (const element of groupBy.elements) {
    const own = setsOf(element, keys);
    yield 1;
    const [only] = own;
    if (own.length === 1 && only !== undefined) {
      // In place: a list of ten thousand keys has as many elements.
      for (const set of product) {
        for (const key of only) {
          set.push(key);
        }
      }
    } else {
      product = product.flatMap((set) => own.map((other) => [...set, ...other]));
    }
  }
  const sets = product.map((set) => [...new Set(set)].sort((a, b) => a - b));
  return { keys: keys.assignments(), sets: groupBy.distinct ? distinctSets(sets) : sets, columns: keys.named };
}

function distinctSets(sets: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return [...new Map(sets.map((set) => [set.join(), set])).values()];
}

function checkSetCount(groupBy: GroupBy): void {
  const count = groupBy.elements.reduce((product, element) => product * setCount(element), 1n);
  if (count <= BigInt(groupingSetsMax)) {
    return;
  }
  const counted = count > countedSetsMax ? `more than ${countedSetsMax}` : String(count);
  throw semanticError(
    "TOO_MANY_GROUPING_SETS",
    groupBy.elements[0] ?? groupBy,
    `GROUP BY has ${counted} grouping sets but can contain at most ${groupingSetsMax}`,
  );
}

function setCount(element: GroupingElement): bigint {
  switch (element.kind) {
    case "SimpleGroupBy":
    case "AutoGroupBy":
      return 1n;
    case "GroupingSets":
      return BigInt(element.sets.length);
    case "Rollup":
      return BigInt(element.expressions.length + 1);
    case "Cube":
      return 2n ** BigInt(element.expressions.length);
  }
}

function setsOf(element: GroupingElement, keys: GroupKeyCollector): readonly (readonly number[])[] {
  switch (element.kind) {
    case "SimpleGroupBy":
      return [element.expressions.map((expression) => keys.add(expression))];
    case "AutoGroupBy":
      return [keys.addRest()];
    case "GroupingSets":
      return element.sets.map((set) => set.map((expression) => keys.addColumn(expression)));
    case "Rollup": {
      const steps = element.expressions.map((expression) => keys.addColumns(expression));
      return Array.from({ length: steps.length + 1 }, (_, dropped) => steps.slice(0, steps.length - dropped).flat());
    }
    case "Cube":
      // The set of all columns comes first, then the set without the last column, and so on.
      return element.expressions
        .map((expression) => keys.addColumns(expression))
        .reduce<readonly (readonly number[])[]>((sets, columns) => sets.flatMap((set) => [[...set, ...columns], set]), [[]]);
  }
}

class GroupKeyCollector {
  readonly #byKey = new Map<string, { readonly index: number; readonly assignment: Assignment }>();
  readonly #forbidden: ReadonlySet<string>;
  /** Positions of SELECT columns. */
  readonly named = new Set<number>();

  readonly #env: Environment;
  readonly #columns: readonly Selected[];

  constructor(env: Environment, columns: readonly Selected[], computed: readonly Variable[]) {
    this.#env = env;
    this.#columns = columns;

    this.#forbidden = new Set(computed.map((variable) => variable.name));
  }

  assignments(): readonly Assignment[] {
    return [...this.#byKey.values()].map(({ assignment }) => assignment);
  }

  /** Returns the index of a key, which is an expression or the SELECT column at a position. */
  add(syntax: Expression): number {
    const position = ordinal(syntax, this.#columns.length, "GROUP BY") ?? this.#sameColumn(syntax);
    requireScalar(syntax, "GROUP BY clause");
    if (position === undefined) {
      return this.#addExpression(analyzeExpression(syntax, this.#env), hintOf(syntax));
    }
    const { expression, text, place } = this.#columns[position] as Selected;
    if (this.#isComputed(expression)) {
      throw semanticError(
        "EXPRESSION_NOT_SCALAR",
        place,
        `GROUP BY clause cannot contain aggregations, window functions or grouping operations: [${text}]`,
      );
    }
    this.named.add(position);
    return this.#addExpression(expression, hintOf(syntax));
  }

  /** Adds the columns of SELECT that no aggregate, window function or grouping() is in. */
  addRest(): readonly number[] {
    return this.#columns.flatMap(({ expression }, position) => {
      if (this.#isComputed(expression)) {
        return [];
      }
      this.named.add(position);
      return [this.#addExpression(expression, "expr")];
    });
  }

  #isComputed(expression: RowExpression): boolean {
    return usesAny(expression, this.#forbidden);
  }

  /** A subquery with the same text in SELECT and GROUP BY must be planned once: two plans of it would have different result variables. */
  #sameColumn(syntax: Expression): number | undefined {
    if (!this.#columns.some(({ hasSubqueries }) => hasSubqueries)) {
      return undefined;
    }
    const text = printExpression(syntax);
    const position = this.#columns.findIndex((column) => column.hasSubqueries && column.text === text);
    return position < 0 ? undefined : position;
  }

  /** Grouping sets accept only columns. Other expressions would be NULL in some sets and have their own value in others. */
  addColumn(syntax: Expression): number {
    if (nameParts(syntax) === undefined) {
      throw semanticError("INVALID_COLUMN_REFERENCE", syntax, `GROUP BY expression must be a column reference: ${printExpression(syntax)}`);
    }
    return this.#addExpression(analyzeExpression(syntax, this.#env), hintOf(syntax));
  }

  /** Adds an element of CUBE or ROLLUP: `a` or `(a, b)`. */
  addColumns(syntax: Expression): readonly number[] {
    return (syntax.kind === "Row" ? syntax.items : [syntax]).map((item) => this.addColumn(item));
  }

  #addExpression(expression: RowExpression, hint: string): number {
    const key = expressionKey(expression);
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      return known.index;
    }
    // A column of an outer query is not a column of the grouped rows.
    const isOwn = expression.kind === "variable" && ownColumns([expression], this.#env.scope).length > 0;
    const output = isOwn ? expression : this.#env.analysis.ids.variable(hint, expression.type);
    const index = this.#byKey.size;
    this.#byKey.set(key, { index, assignment: { output, expression } });
    return index;
  }
}

function hintOf(syntax: Expression): string {
  return syntax.kind === "FunctionCall" ? (syntax.name.parts[syntax.name.parts.length - 1]?.value ?? "expr") : "expr";
}

/** Input of an aggregation with its grouping keys. */
export interface GroupedSource {
  readonly source: PlanNode;
  readonly keys: readonly Assignment[];
  readonly grouping: Grouping;
  /** Set for several grouping sets; see AggregationNode. */
  readonly globalSets?: { readonly groupId: Variable; readonly numbers: readonly number[] };
}

/**
 * A single grouping set needs no GroupId; several sets repeat the rows. `groupings` are replaced by expressions over the number of the set.
 */
export function groupSource(
  source: PlanNode,
  sourceNames: ReadonlySet<string>,
  { keys, sets }: GroupKeys,
  groupings: readonly PendingGrouping[],
  ids: PlanIds,
): GroupedSource {
  const [only] = sets;
  if (sets.length === 1 && only !== undefined) {
    const kept = only.map((index) => keys[index] as Assignment);
    const values = groupingValues(groupings, keys, sets, undefined);
    return { source, keys: kept, grouping: withValues(makeGrouping(kept, sourceNames), values) };
  }
  const node = repeatRows(source, keys, sets, ids);
  const outputs = keys.map(({ expression }, index): Assignment => ({ output: (node.columns[index] as GroupingColumn).output, expression }));
  const numbers = sets.flatMap((set, number) => (set.length === 0 ? [number] : []));
  const values = groupingValues(groupings, keys, sets, node.groupId);
  return {
    source: node,
    keys: [...outputs, { output: node.groupId, expression: node.groupId }].map(({ output }) => ({ output, expression: output })),
    grouping: withValues(makeGrouping(outputs, sourceNames), values),
    ...(numbers.length > 0 && { globalSets: { groupId: node.groupId, numbers } }),
  };
}

function repeatRows(source: PlanNode, keys: readonly Assignment[], sets: GroupKeys["sets"], ids: PlanIds): GroupIdNode {
  const made = new Set(outputsOf(source).map((output) => output.name));
  const extended = extendProject(
    ids,
    source,
    keys.filter(({ output }) => !made.has(output.name)),
  );
  const columns = keys.map(({ output }): GroupingColumn => ({ output: ids.variable(output.name, output.type), input: output }));
  return {
    kind: "GroupId",
    id: ids.node(),
    source: extended,
    columns,
    sets: sets.map((set) => set.map((index) => (columns[index] as GroupingColumn).output.name)),
    groupId: ids.variable("groupid", BIGINT),
  };
}

function withValues(grouping: Grouping, values: ReadonlyMap<string, RowExpression>): Grouping {
  return { ...grouping, rewrite: (expression) => substitute(grouping.rewrite(expression), values) };
}

const integerArgumentsMax = 31;
const bigintArgumentsMax = 63;

/** grouping(a, b) is represented by a variable until the grouping sets are known. */
const outputInGrouping = "Invalid reference to output of SELECT clause from grouping() expression in ORDER BY";

export function analyzeGrouping(node: FunctionCall, env: Environment, notAllowed: () => Error): RowExpression {
  if (env.groupings === undefined) {
    throw notAllowed();
  }
  const count = node.arguments.length;
  if (count === 0) {
    throw semanticError("INVALID_ARGUMENTS", node, "GROUPING requires at least one argument");
  }
  if (count > bigintArgumentsMax) {
    throw semanticError("TOO_MANY_ARGUMENTS", node, `GROUPING supports up to ${bigintArgumentsMax} column arguments`);
  }
  const scope = env.aggregateScope ?? env.scope;
  const refused = scope.refused && { ...scope.refused, code: "INVALID_ARGUMENTS" as const, message: outputInGrouping };
  const inside = { ...env, scope: { ...scope, ...(refused && { refused }) } };
  const args = node.arguments.map((syntax) => ({ syntax, expression: analyzeExpression(syntax, inside) }));
  const output = env.analysis.ids.variable("grouping", count > integerArgumentsMax ? BIGINT : INTEGER);
  env.groupings.push({ output, args, syntax: node });
  return output;
}

export function requireGroupBy(groupings: readonly PendingGrouping[], at: QuerySpecification): void {
  if (groupings.length === 0) {
    return;
  }
  throw semanticError(
    "MISSING_GROUP_BY",
    at,
    "A GROUPING() operation can only be used with a corresponding GROUPING SET/CUBE/ROLLUP/GROUP BY clause",
  );
}

function groupingValues(
  groupings: readonly PendingGrouping[],
  keys: readonly Assignment[],
  sets: GroupKeys["sets"],
  groupId: Variable | undefined,
): ReadonlyMap<string, RowExpression> {
  const indices = new Map(keys.map(({ expression }, index) => [expressionKey(expression), index]));
  return new Map(
    groupings.map((grouping) => {
      const args = grouping.args.map(({ syntax, expression }) => {
        const index = indices.get(expressionKey(expression));
        if (index === undefined) {
          throw semanticError(
            "INVALID_ARGUMENTS",
            grouping.syntax,
            `The arguments to GROUPING() must be expressions referenced by the GROUP BY at the associated query level. Mismatch due to ${printExpression(syntax)}.`,
          );
        }
        return index;
      });
      return [grouping.output.name, valueBySet(grouping.output, args, sets, groupId)];
    }),
  );
}

/**
 * Computes the value of grouping(): one bit for each argument, the last argument in the lowest bit. A bit is 1 if the set does not contain
 * the column.
 */
function valueBySet(output: Variable, args: readonly number[], sets: GroupKeys["sets"], groupId: Variable | undefined): RowExpression {
  const numbersByValue = new Map<bigint, number[]>();
  sets.forEach((set, number) => {
    const value = args.reduce((bits, arg) => (bits << 1n) | (set.includes(arg) ? 0n : 1n), 0n);
    const numbers = numbersByValue.get(value) ?? [];
    numbersByValue.set(value, [...numbers, number]);
  });
  const literal = (value: bigint): RowExpression => constant(output.type, output.type.kind === "bigint" ? String(value) : Number(value));
  const [[last] = [0n], ...others] = [...numbersByValue].reverse();
  if (groupId === undefined || others.length === 0) {
    return literal(last);
  }
  const cases = others.flatMap(([value, numbers]): RowExpression[] => {
    const constants = numbers.map((number) => constant(BIGINT, String(number)));
    const [one] = constants;
    const isOne = constants.length === 1 && one !== undefined;
    return [isOne ? call("$eq", BOOLEAN, [groupId, one]) : special("IN", BOOLEAN, [groupId, ...constants]), literal(value)];
  });
  return special("SWITCH", output.type, [...cases, literal(last)]);
}
