/**
 * Pulls correlated filter conditions of a subquery up to its root, where they become the condition of a join. Stops at nodes that no
 * condition can pass; subquery/outer-domain.ts and marked.ts handle those.
 */
import type { Call, RowExpression, Variable } from "../../plan/typed-expression.ts";
import { and, collectVariables, conjunctsOf, usesAny, usesOnly } from "../../plan/expression-tree.ts";
import { outputsOf, type Assignment, type PlanNode } from "../../plan/node.ts";
import {
  distinctVariables,
  extendProject,
  filterNode,
  identity,
  outputNames,
  projectNode,
  sourcesOf,
  visitPlan,
} from "../../plan/plan-tree.ts";
import { expressionsOf } from "../../plan/validate.ts";
import type { Analysis } from "../analysis.ts";
import type { Placed } from "../errors.ts";
import { callOperator } from "../expression/functions.ts";

/** Returns the outer references of a plan: variables that it reads but does not produce. */
export function outerVariables(plan: PlanNode): readonly Variable[] {
  const made = new Set<string>();
  const used = new Map<string, Variable>();
  visitPlan(plan, (node) => {
    for (const output of outputsOf(node)) {
      made.add(output.name);
    }
    for (const expression of expressionsOf(node)) {
      collectVariables(expression, used);
    }
  });
  // An output that only passes an outer reference through is not produced here.
  visitPlan(plan, (node) => {
    if (node.kind !== "Project") {
      return;
    }
    for (const { output, expression } of node.assignments) {
      if (
        expression.kind === "variable" &&
        expression.name === output.name &&
        !sourcesOf(node).some((s) => outputNames(s).has(output.name))
      ) {
        made.delete(output.name);
      }
    }
  });
  return [...used.values()].filter((variable) => !made.has(variable.name));
}

/** `outer = inner`: one side uses only outer columns, the other only columns of the subquery. */
export interface Equality {
  readonly outer: RowExpression;
  readonly inner: RowExpression;
}

export interface Pulled {
  readonly node: PlanNode;
  /** Conditions over both the outer row and the outputs of `node`. */
  readonly conditions: readonly RowExpression[];
}

/** Raised if the correlation of a subquery cannot be pulled up. */
class NotCarried extends Error {}

export function notCarried(): Error {
  return new NotCarried("a correlation that no join condition carries");
}

/** Returns the result of `carry`, or of `otherwise` if the correlation cannot be pulled up. */
export function carriedOr<T>(carry: () => T, otherwise: () => T): T {
  try {
    return carry();
  } catch (error) {
    if (error instanceof NotCarried) {
      return otherwise();
    }
    throw error;
  }
}

interface PullOptions {
  readonly analysis: Analysis;
  /** Names of the columns of all outer queries. */
  readonly outer: ReadonlySet<string>;
  readonly at: Placed;
  /** The aggregation without keys whose missing row the caller restores. */
  readonly mended?: PlanNode | undefined;
}

export class Puller {
  readonly #options: PullOptions;
  readonly #outer: ReadonlySet<string>;

  constructor(options: PullOptions) {
    this.#options = options;
    this.#outer = options.outer;
  }

  get at(): Placed {
    return this.#options.at;
  }

  pull(node: PlanNode): Pulled {
    switch (node.kind) {
      case "Filter":
        return this.#pullFilter(node.source, node.predicate);
      case "Project":
        // A table with its row filter has no outer references.
        return node.read === undefined ? this.#pullProject(node.source, node.assignments) : { node, conditions: [] };
      case "Join":
        return this.#pullJoin(node);
      case "Aggregation":
        return this.#pullAggregation(node);
      case "SemiJoin": {
        this.#requireUncorrelated(node.filtering);
        const { node: source, conditions } = this.pull(node.source);
        return { node: { ...node, source }, conditions };
      }
      case "Sort":
        return this.pull(node.source);
      default:
        this.#requireUncorrelated(node);
        return { node, conditions: [] };
    }
  }

  #requireUncorrelated(node: PlanNode): void {
    if (outerVariables(node).length > 0) {
      throw notCarried();
    }
  }

  #pullFilter(source: PlanNode, predicate: RowExpression): Pulled {
    const below = this.pull(source);
    const conjuncts = conjunctsOf(predicate);
    const correlated = conjuncts.filter((conjunct) => usesAny(conjunct, this.#outer));
    const own = conjuncts.filter((conjunct) => !usesAny(conjunct, this.#outer));
    return { node: filterNode(this.#options.analysis.ids, below.node, own), conditions: [...below.conditions, ...correlated] };
  }

  #pullProject(source: PlanNode, assignments: readonly Assignment[]): Pulled {
    const below = this.pull(source);
    if (assignments.some((assignment) => usesAny(assignment.expression, this.#outer))) {
      throw notCarried();
    }
    const kept = new Set(assignments.map((assignment) => assignment.output.name));
    const needed = this.#innerVariables(below.conditions).filter((variable) => !kept.has(variable.name));
    return {
      node: projectNode(this.#options.analysis.ids, below.node, [...assignments, ...needed.map(identity)]),
      conditions: below.conditions,
    };
  }

  #pullJoin(node: PlanNode & { kind: "Join" }): Pulled {
    if (node.type !== "INNER" && node.type !== "LEFT") {
      this.#requireUncorrelated(node);
      return { node, conditions: [] };
    }
    if (node.type === "LEFT") {
      this.#requireUncorrelated(node.right);
    }
    const left = this.pull(node.left);
    const right = node.type === "LEFT" ? { node: node.right, conditions: [] } : this.pull(node.right);
    const filter = node.filter === undefined ? [] : conjunctsOf(node.filter);
    const correlated = filter.filter((conjunct) => usesAny(conjunct, this.#outer));
    if (correlated.length > 0 && node.type === "LEFT") {
      throw notCarried();
    }
    const own = filter.filter((conjunct) => !usesAny(conjunct, this.#outer));
    const { filter: _filter, ...rest } = node;
    const joined: PlanNode = {
      ...rest,
      left: left.node,
      right: right.node,
      outputs: distinctVariables([...outputsOf(left.node), ...outputsOf(right.node)]),
      ...(own.length > 0 && { filter: and(own) }),
    };
    return { node: joined, conditions: [...left.conditions, ...right.conditions, ...correlated] };
  }

  /**
   * Adds the columns of the conditions to the grouping keys. An aggregation without keys then returns no row for an outer row without a
   * match. It is therefore only allowed if the caller restores that row.
   */
  #pullAggregation(node: PlanNode & { kind: "Aggregation" }): Pulled {
    const below = this.pull(node.source);
    // Only aggregates depend on the order of rows, so a sort is kept below an aggregation and dropped elsewhere.
    const inOrder = (source: PlanNode): PlanNode => (node.source.kind === "Sort" ? { ...node.source, source } : source);
    if (below.conditions.length === 0) {
      return { node: { ...node, source: inOrder(below.node) }, conditions: [] };
    }
    if (node.keys.length === 0 && node !== this.#options.mended) {
      throw notCarried();
    }
    const added: Assignment[] = [];
    const conditions: RowExpression[] = [];
    for (const { outer, inner } of this.equalities(below.conditions)) {
      const key = inner.kind === "variable" ? inner : this.#options.analysis.ids.variable("key", inner.type);
      if (inner.kind !== "variable") {
        added.push({ output: key, expression: inner });
      }
      conditions.push(callOperator("$eq", [outer, key], this.at));
    }
    const source = inOrder(extendProject(this.#options.analysis.ids, below.node, added));
    return { node: { ...node, source, keys: distinctVariables([...node.keys, ...this.#innerVariables(conditions)]) }, conditions };
  }

  equalities(conditions: readonly RowExpression[]): readonly Equality[] {
    return conditions.map((condition) => {
      const equality = this.equality(condition);
      if (equality === undefined) {
        throw notCarried();
      }
      return equality;
    });
  }

  equality(condition: RowExpression): Equality | undefined {
    return condition.kind === "call" && condition.name === "$eq" ? this.sides(condition) : undefined;
  }

  /** Returns the outer and the inner side of a comparison, if each side belongs to one query. */
  sides(comparison: Call): Equality | undefined {
    const [left, right] = comparison.args;
    if (left === undefined || right === undefined) {
      return undefined;
    }
    if (usesOnly(left, this.#outer) && !usesAny(right, this.#outer)) {
      return { outer: left, inner: right };
    }
    if (usesOnly(right, this.#outer) && !usesAny(left, this.#outer)) {
      return { outer: right, inner: left };
    }
    return undefined;
  }

  #innerVariables(conditions: readonly RowExpression[]): readonly Variable[] {
    const used = conditions.flatMap((condition) => [...collectVariables(condition).values()]);
    return distinctVariables(used.filter((variable) => !this.#outer.has(variable.name)));
  }
}

/**
 * Returns `plan` without its conditions on the outer columns `outer`, and these conditions. Returns undefined if they cannot be separated.
 * If `plan` itself is an aggregation without keys, the caller must restore its row where nothing matches.
 */
export function pullCorrelation(analysis: Analysis, plan: PlanNode, outer: ReadonlySet<string>, at: Placed): Pulled | undefined {
  return carriedOr<Pulled | undefined>(
    () => new Puller({ analysis, outer, at, mended: plan }).pull(plan),
    () => undefined,
  );
}
