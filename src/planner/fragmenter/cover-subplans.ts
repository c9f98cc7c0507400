/**
 * Finds a plan that covers two sub-plans over the same rows. Two such sub-plans differ only in their outputs: columns of a scan, results of
 * a projection, or aggregates of the same groups. The cover outputs the union of both.
 */
import type { RowExpression, Variable } from "../plan/typed-expression.ts";
import { expressionKey, substitute } from "../plan/expression-tree.ts";
import {
  outputsOf,
  type AggregateCall,
  type AggregationNode,
  type JoinNode,
  type PlanNode,
  type ProjectNode,
  type RemoteSourceNode,
  type TableScanNode,
} from "../plan/node.ts";
import { identity, visitPlan, withSources } from "../plan/plan-tree.ts";

/** Information about the plan around two sub-plans. */
export interface Surroundings {
  /** Returns whether two plans are equal up to names. */
  areEqual(a: PlanNode, b: PlanNode): boolean;
  /**
   * Decides whether remote source `a` can also read what `b` reads, possibly after its fragment is extended. Returns undefined if it
   * cannot.
   */
  readBoth(a: RemoteSourceNode, b: RemoteSourceNode): ReadBoth | undefined;
}

export interface ReadBoth {
  /**
   * For each column of the second source, its position among the columns of the first. Positions beyond the first source's columns are new
   * columns, added in order of first occurrence.
   */
  readonly positions: readonly number[];
}

export interface Cover {
  readonly node: PlanNode;
  /** Maps each column name of the second sub-plan to the covering column. Columns of the first sub-plan keep their names. */
  readonly places: ReadonlyMap<string, Variable>;
}

/** Both sub-plans belong to one plan, in which variable names are unique. */
export function coverOf(a: PlanNode, b: PlanNode, surroundings: Surroundings): Cover | undefined {
  const covering = new Covering(surroundings);
  const node = covering.cover(a, b);
  return node && { node, places: covering.places };
}

class Covering {
  readonly places = new Map<string, Variable>();
  /** Maps the second plan's dynamic filter ids to those of the first. A join is visited before the scans that use its filters. */
  readonly #filters = new Map<string, string>();

  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  cover(a: PlanNode, b: PlanNode): PlanNode | undefined {
    // If only one side projects, the other side is treated as a projection of all its columns.
    if (a.kind === "Project" && b.kind !== "Project") {
      return this.#project(a, allOf(b));
    }
    if (a.kind !== "Project" && b.kind === "Project") {
      return this.#project(allOf(a), b);
    }
    if (a.kind !== b.kind) {
      return undefined;
    }
    if (a.kind === "TableScan") {
      return this.#scan(a, b as TableScanNode);
    }
    if (isClosed(a) && isClosed(b) && this.#surroundings.areEqual(a, b)) {
      outputsOf(b).forEach((output, index) => this.places.set(output.name, outputsOf(a)[index] as Variable));
      return a;
    }
    switch (a.kind) {
      case "Filter": {
        const other = b as typeof a;
        const source = this.cover(a.source, other.source);
        return source !== undefined && this.#same(a.predicate, other.predicate) ? withSources(a, [source]) : undefined;
      }
      case "Project":
        return this.#project(a, b as ProjectNode);
      case "Aggregation":
        return this.#aggregation(a, b as AggregationNode);
      case "Join":
        return this.#join(a, b as JoinNode);
      case "RemoteSource":
        return this.#remote(a, b as RemoteSourceNode);
      default:
        return undefined;
    }
  }

  /** Rewrites an expression of the second sub-plan to use the covering columns. */
  #here(expression: RowExpression): RowExpression {
    return substitute(expression, this.places);
  }

  #place({ name }: Variable): Variable | undefined {
    return this.places.get(name);
  }

  #same(a: RowExpression | undefined, b: RowExpression | undefined): boolean {
    if (a === undefined || b === undefined) {
      return a === b;
    }
    return expressionKey(a) === expressionKey(this.#here(b));
  }

  #allSame(a: readonly RowExpression[], b: readonly RowExpression[]): boolean {
    return a.length === b.length && a.every((expression, index) => this.#same(expression, b[index]));
  }

  #scan(a: TableScanNode, b: TableScanNode): PlanNode | undefined {
    if (JSON.stringify(a.table) !== JSON.stringify(b.table)) {
      return undefined;
    }
    const [outputs, columns] = [[...a.outputs], [...a.columns]];
    b.outputs.forEach((output, index) => {
      const column = b.columns[index] as TableScanNode["columns"][number];
      const known = a.columns.findIndex(({ name }) => name === column.name);
      this.places.set(output.name, a.outputs[known] ?? output);
      if (known >= 0) {
        return;
      }
      outputs.push(output);
      columns.push(column);
    });
    const uses = (b.dynamicFilters ?? []).map(({ id, variable }) => `${this.#filters.get(id)} ${this.#place(variable)?.name}`);
    const own = (a.dynamicFilters ?? []).map(({ id, variable }) => `${id} ${variable.name}`);
    return uses.toSorted().join() === own.toSorted().join() ? { ...a, outputs, columns } : undefined;
  }

  #remote(a: RemoteSourceNode, b: RemoteSourceNode): PlanNode | undefined {
    const both = this.#surroundings.readBoth(a, b);
    if (both === undefined) {
      return undefined;
    }
    const outputs = [...a.outputs];
    b.outputs.forEach((output, index) => {
      const position = both.positions[index] as number;
      outputs[position] ??= output;
      this.places.set(output.name, outputs[position]);
    });
    return { ...a, outputs };
  }

  #project(a: ProjectNode, b: ProjectNode): PlanNode | undefined {
    const source = this.cover(a.source, b.source);
    if (source === undefined) {
      return undefined;
    }
    const assignments = [...a.assignments];
    const places = b.assignments.map(({ output, expression }) => {
      const wanted = this.#here(expression);
      const known = a.assignments.find((assignment) => expressionKey(assignment.expression) === expressionKey(wanted));
      if (known !== undefined) {
        return [output.name, known.output] as const;
      }
      const place = wanted.kind === "variable" && output.name === (expression as Variable).name ? wanted : output;
      assignments.push({ output: place, expression: wanted });
      return [output.name, place] as const;
    });
    for (const [name, place] of places) {
      this.places.set(name, place);
    }
    const names = new Set(assignments.map(({ output }) => output.name));
    return names.size === assignments.length ? { ...a, source, assignments } : undefined;
  }

  #aggregation(a: AggregationNode, b: AggregationNode): PlanNode | undefined {
    const source = this.cover(a.source, b.source);
    // A FINAL step reads intermediates that the PARTIAL step named in another fragment.
    const isAlike =
      a.step !== "FINAL" && a.step === b.step && a.globalSets === undefined && b.globalSets === undefined && this.#allSame(a.keys, b.keys);
    if (source === undefined || !isAlike) {
      return undefined;
    }
    const aggregates = [...a.aggregates];
    for (const call of b.aggregates) {
      const known = a.aggregates.find((own) => this.#sameCall(own, call));
      this.#placeCall(call, known ?? call);
      if (known !== undefined) {
        continue;
      }
      const mask = call.mask && (this.#here(call.mask) as Variable);
      aggregates.push({ ...call, args: call.args.map((arg) => this.#here(arg)), ...(mask && { mask }) });
    }
    return { ...a, source, aggregates };
  }

  #placeCall(call: AggregateCall, place: AggregateCall): void {
    this.places.set(call.output.name, place.output);
    call.intermediates?.forEach((variable, index) => this.places.set(variable.name, place.intermediates?.[index] ?? variable));
  }

  #sameCall(a: AggregateCall, b: AggregateCall): boolean {
    return (
      a.name === b.name &&
      JSON.stringify(a.argumentTypes) === JSON.stringify(b.argumentTypes) &&
      this.#allSame(a.args, b.args) &&
      this.#same(a.mask, b.mask)
    );
  }

  #join(a: JoinNode, b: JoinNode): PlanNode | undefined {
    const [own, others] = [Object.entries(a.dynamicFilters ?? {}), Object.entries(b.dynamicFilters ?? {})];
    if (a.type !== b.type || a.distribution !== b.distribution || own.length !== others.length) {
      return undefined;
    }
    others.forEach(([id], index) => this.#filters.set(id, own[index]?.[0] ?? ""));
    const [left, right] = [this.cover(a.left, b.left), this.cover(a.right, b.right)];
    if (left === undefined || right === undefined || !this.#same(a.filter, b.filter)) {
      return undefined;
    }
    const isAlike =
      this.#allSame(
        a.criteria.flatMap((criterion) => [criterion.left, criterion.right]),
        b.criteria.flatMap((criterion) => [criterion.left, criterion.right]),
      ) &&
      this.#allSame(
        own.map(([, key]) => key),
        others.map(([, key]) => key),
      );
    if (!isAlike) {
      return undefined;
    }
    const wanted = new Set([...a.outputs, ...b.outputs.map((output) => this.#place(output) ?? output)].map(({ name }) => name));
    const outputs = [...outputsOf(left), ...outputsOf(right)].filter(({ name }) => wanted.has(name));
    return { ...a, left, right, outputs };
  }
}

function allOf(source: PlanNode): ProjectNode {
  return { kind: "Project", id: `${source.id}_all`, source, assignments: outputsOf(source).map(identity) };
}

/** Returns whether every scan in the plan uses only dynamic filters of joins in the plan. */
function isClosed(root: PlanNode): boolean {
  const made = new Set<string>();
  const waited: string[] = [];
  visitPlan(root, (node) => {
    if (node.kind === "Join" || node.kind === "SemiJoin") {
      for (const id of Object.keys(node.dynamicFilters ?? {})) {
        made.add(id);
      }
    }
    if (node.kind === "TableScan") {
      waited.push(...(node.dynamicFilters ?? []).map(({ id }) => id));
    }
  });
  return waited.every((id) => made.has(id));
}

/**
 * Reads the covering fragment instead of the original one and projects the original columns. `places` holds the covering column for each
 * column of `source`.
 */
export function readCovered(source: RemoteSourceNode, places: readonly Variable[], cover: PlanNode): PlanNode {
  const own = new Map<string, Variable>();
  places.forEach(({ name }, index) => {
    if (!own.has(name)) {
      own.set(name, source.outputs[index] as Variable);
    }
  });
  const outputs = outputsOf(cover).map(
    ({ name, type }, index): Variable => own.get(name) ?? { kind: "variable", name: `unread_${source.id}_${index}`, type },
  );
  if (outputs.length === source.outputs.length && outputs.every((output, index) => output === source.outputs[index])) {
    return source;
  }
  return {
    kind: "Project",
    id: `${source.id}_own`,
    source: { ...source, outputs },
    assignments: source.outputs.map((output, index) => ({ output, expression: own.get(places[index]?.name ?? "") as Variable })),
  };
}
