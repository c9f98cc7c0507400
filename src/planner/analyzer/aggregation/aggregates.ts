/**
 * Collects the aggregates of one SELECT during its analysis and plans them below the expressions that use them.
 */
import { BOOLEAN } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { childrenOf, expressionKey, replaceTopDown, special } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import { outputsOf, type AggregateCall, type AggregationNode, type Assignment, type Ordering, type PlanNode } from "../../plan/node.ts";
import { distinctVariables, identity, projectNode } from "../../plan/plan-tree.ts";
import type { ChosenAggregate } from "../expression/functions.ts";
import {
  begins,
  collectForOrder,
  type CollectedCall,
  commonOrder,
  finishOrder,
  type OrderedCall,
  windowsForOrder,
} from "./ordered-aggregates.ts";

/** A sort key of an aggregate with ORDER BY: orders the rows of a group. */
export interface AggregateOrdering {
  readonly expression: RowExpression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

interface CollectedAggregate extends ChosenAggregate {
  readonly output: Variable;
  readonly distinct: boolean;
  readonly filter?: RowExpression;
  readonly orderBy: readonly AggregateOrdering[];
}

export class AggregateCollector {
  readonly #byKey = new Map<string, CollectedAggregate>();
  readonly #ids: PlanIds;

  constructor(ids: PlanIds) {
    this.#ids = ids;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Adds an aggregate and returns the variable for its result. Equal aggregates share a variable. */
  add(
    aggregate: ChosenAggregate,
    distinct: boolean,
    filter: RowExpression | undefined,
    orderBy: readonly AggregateOrdering[] = [],
  ): Variable {
    const key = JSON.stringify([
      aggregate.name,
      aggregate.args.map((arg) => expressionKey(arg)),
      distinct,
      filter && expressionKey(filter),
      orderBy.map(({ expression, descending, nullsFirst }) => [expressionKey(expression), descending, nullsFirst]),
    ]);
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      return known.output;
    }
    const output = this.#ids.variable(aggregate.name, aggregate.returnType);
    this.#byKey.set(key, { ...aggregate, output, distinct: distinct && aggregate.args.length > 0, ...(filter && { filter }), orderBy });
    return output;
  }

  outputs(): readonly Variable[] {
    return [...this.#byKey.values()].map((aggregate) => aggregate.output);
  }

  /** Plans the aggregation of `source` grouped by `keys`. Arguments and filters are projected below it; DISTINCT becomes a mask. */
  plan(source: PlanNode, keys: readonly Assignment[], globalSets?: AggregationNode["globalSets"]): PlanNode {
    const columns = new Columns(this.#ids, outputsOf(source));
    for (const key of keys) {
      columns.add(key);
    }
    const calls = [...this.#byKey.values()].map((aggregate) => ({
      aggregate,
      // Constants below DISTINCT or ORDER BY become columns too. MarkDistinct needs at least one key, even without grouping keys, and
      // windows read only columns.
      args: aggregate.args.map((arg) =>
        arg.kind === "constant" && !aggregate.distinct && aggregate.orderBy.length === 0 ? arg : columns.variableFor(arg, aggregate.name),
      ),
      filter: aggregate.filter === undefined ? undefined : columns.variableFor(aggregate.filter, "filter"),
      orderBy: aggregate.orderBy.map(({ expression, descending, nullsFirst }): Ordering => {
        return { variable: columns.variableFor(expression, "sort"), descending, nullsFirst };
      }),
    }));
    const keyVariables = keys.map((key) => key.output);
    const ordered = commonOrder(calls.map(({ orderBy }) => orderBy));
    const finishes = new Map<string, CollectedCall>();
    for (const { aggregate, orderBy } of calls) {
      const [value] = aggregate.args;
      if (aggregate.name !== "array_agg" || value === undefined || begins(orderBy, ordered)) {
        continue;
      }
      finishes.set(
        aggregate.output.name,
        collectForOrder(aggregate.output, { value, orderBy: aggregate.orderBy }, { columns, ids: this.#ids }),
      );
    }
    const isWindowed = ({ aggregate, orderBy }: (typeof calls)[number]): boolean =>
      !finishes.has(aggregate.output.name) && !begins(orderBy, ordered);
    // The sort order survives on the way to the aggregation: one task sorts, and exchanges preserve the order of each source.
    const sorted = (below: PlanNode): PlanNode =>
      ordered.length === 0 ? below : { kind: "Sort", id: this.#ids.node(), source: below, orderBy: ordered };
    const projected = projectNode(this.#ids, source, columns.assignments());
    // Windows sort their input themselves, so the sort for the other aggregates goes above them.
    const sortsAbove = calls.some(isWindowed);
    let node: PlanNode = sortsAbove ? projected : sorted(projected);
    const masks = new Map<string, Variable>();
    const finished: AggregateCall[] = [];
    const windowed: OrderedCall[] = [];
    for (const collected of calls) {
      const { aggregate, args, filter, orderBy } = collected;
      let mask = filter;
      if (aggregate.distinct) {
        const distinctOf = args.filter((arg): arg is Variable => arg.kind === "variable");
        const over = [...keyVariables, ...distinctOf, ...(filter === undefined ? [] : [filter])];
        const name = over.map((variable) => variable.name).join(",");
        const marked = this.#markDistinct(node, over, masks.get(name), filter);
        node = marked.node;
        mask = marked.mask;
        masks.set(name, mask);
      }
      const { output, name, argumentTypes } = aggregate;
      const call = { ...(finishes.get(output.name)?.call ?? { output, name, argumentTypes, args }), ...(mask !== undefined && { mask }) };
      if (isWindowed(collected)) {
        windowed.push({ call, orderBy });
      } else {
        finished.push(call);
      }
    }
    const picked = windowsForOrder(node, keyVariables, windowed, this.#ids);
    const aggregation: PlanNode = {
      kind: "Aggregation",
      id: this.#ids.node(),
      source: sortsAbove ? sorted(picked.node) : picked.node,
      step: "SINGLE",
      keys: keyVariables,
      aggregates: [...finished, ...picked.calls],
      ...(globalSets && { globalSets }),
    };
    return finishOrder(
      aggregation,
      [...finishes.values()].map(({ finish }) => finish),
      this.#ids,
    );
  }

  #markDistinct(source: PlanNode, over: readonly Variable[], known: Variable | undefined, filter: Variable | undefined) {
    if (known !== undefined) {
      return { node: source, mask: known };
    }
    const keys = distinctVariables(over);
    const marker = this.#ids.variable("distinct", BOOLEAN);
    const node: PlanNode = { kind: "MarkDistinct", id: this.#ids.node(), source, marker, keys };
    if (filter === undefined) {
      return { node, mask: marker };
    }
    const mask = this.#ids.variable("mask", BOOLEAN);
    const both = special("AND", BOOLEAN, [filter, marker]);
    return { node: projectNode(this.#ids, node, [...outputsOf(node).map(identity), { output: mask, expression: both }]), mask };
  }
}

/** Columns below an aggregation or a window, without duplicate expressions. */
export class Columns {
  readonly #byExpression = new Map<string, Assignment>();
  readonly #byName = new Map<string, Assignment>();
  readonly #ids: PlanIds;

  constructor(ids: PlanIds, source: readonly Variable[]) {
    this.#ids = ids;

    for (const variable of source) {
      this.add(identity(variable));
    }
  }

  add(assignment: Assignment): void {
    this.#byName.set(assignment.output.name, assignment);
    const key = expressionKey(assignment.expression);
    if (!this.#byExpression.has(key)) {
      this.#byExpression.set(key, assignment);
    }
  }

  variableFor(expression: RowExpression, hint: string): Variable {
    const known = this.#byExpression.get(expressionKey(expression));
    if (known !== undefined) {
      return known.output;
    }
    const output = this.#ids.variable(expression.kind === "variable" ? expression.name : hint, expression.type);
    this.add({ output, expression });
    return output;
  }

  assignments(): readonly Assignment[] {
    return [...this.#byName.values()];
  }
}

/** Maps expressions above an aggregation to its grouping keys. */
export interface Grouping {
  readonly keys: readonly Assignment[];
  /** Rewrites an expression over FROM as an expression over grouping keys and aggregates. */
  rewrite(expression: RowExpression): RowExpression;
  /** Returns whether a rewritten expression uses only keys, aggregates and subqueries. */
  isGrouped(rewritten: RowExpression): boolean;
}

export function makeGrouping(keys: readonly Assignment[], sourceNames: ReadonlySet<string>): Grouping {
  const byKey = new Map(keys.map((key) => [expressionKey(key.expression), key.output]));
  const keyNames = new Set(keys.map((key) => key.output.name));
  const isGrouped = (e: RowExpression): boolean =>
    e.kind === "variable" ? keyNames.has(e.name) || !sourceNames.has(e.name) : childrenOf(e).every(isGrouped);
  return {
    keys,
    rewrite: (expression) => replaceTopDown(expression, (e) => (e.kind === "constant" ? e : byKey.get(expressionKey(e)))),
    isGrouped,
  };
}
