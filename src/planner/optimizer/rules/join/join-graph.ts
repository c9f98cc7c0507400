/**
 * Represents a tree of inner joins as a graph: relations, equalities between their columns, and other conditions.
 */
import { BOOLEAN } from "../../../../types/type.ts";
import type { RowExpression, Variable } from "../../../plan/typed-expression.ts";
import { and, call, conjunctsOf, usesOnly } from "../../../plan/expression-tree.ts";
import { outputsOf, type JoinCriterion, type JoinNode, type PlanNode } from "../../../plan/node.ts";
import type { Estimator } from "../../stats/stats-calculator.ts";
import { filterNode, outputNames, passesOn } from "../../../plan/plan-tree.ts";
import type { PlanIds } from "../../../plan/ids.ts";

export interface JoinGraph {
  readonly relations: readonly PlanNode[];
  readonly criteria: readonly JoinCriterion[];
  readonly filters: readonly RowExpression[];
}

export function isInner(node: PlanNode): node is JoinNode {
  return node.kind === "Join" && node.type === "INNER";
}

export function collectGraph(root: JoinNode): JoinGraph {
  const relations: PlanNode[] = [];
  const criteria: JoinCriterion[] = [];
  const filters: RowExpression[] = [];
  const collect = (node: PlanNode): void => {
    if (isInner(node)) {
      collect(node.left);
      collect(node.right);
      criteria.push(...node.criteria);
      if (node.filter !== undefined) {
        filters.push(...conjunctsOf(node.filter));
      }
    } else if (node.kind === "Project" && passesOn(node) && isInner(node.source)) {
      collect(node.source);
    } else {
      relations.push(node);
    }
  };
  collect(root);
  return { relations, criteria, filters };
}

interface Member {
  readonly variable: Variable;
  readonly owner: number;
}

/** An equivalence class of columns, with the criteria that establish it. */
interface EqualColumns {
  readonly members: readonly Member[];
  readonly criteria: readonly OwnedCriterion[];
}

/** A criterion with the relations of its columns. */
interface OwnedCriterion {
  readonly criterion: JoinCriterion;
  readonly left: number;
  readonly right: number;
}

/** A set of relation indexes. Graphs have up to 40 relations, too many for a 32-bit mask. */
export type RelationSet = ReadonlySet<number>;

/** Equivalence classes of columns under the join criteria, including transitive equality: `a = b AND b = c` connects a and c. */
export class Equalities {
  readonly #classes: readonly EqualColumns[];
  /** Members of the class of a column, by its name. */
  readonly #classOf: ReadonlyMap<string, readonly Member[]>;

  constructor({ relations, criteria }: JoinGraph) {
    const owners = new Map<string, number>();
    relations.forEach((relation, index) => {
      for (const output of outputsOf(relation)) {
        owners.set(output.name, index);
      }
    });
    const ownerOf = ({ name }: Variable): number => owners.get(name) ?? -1;
    const memberOf = (variable: Variable): Member => ({ variable, owner: ownerOf(variable) });
    // Classes by the names of their members: a condition may have thousands of equalities.
    const classOf = new Map<string, Member[]>();
    const classes = new Set<Member[]>();
    const add = (members: Member[], member: Member): void => {
      members.push(member);
      classOf.set(member.variable.name, members);
    };
    for (const { left, right } of criteria) {
      const [a, b] = [classOf.get(left.name), classOf.get(right.name)];
      if (a !== undefined && a === b) {
        continue;
      }
      if (a === undefined && b !== undefined) {
        b.unshift(memberOf(left));
        classOf.set(left.name, b);
        continue;
      }
      const merged = a ?? [];
      if (a === undefined) {
        classes.add(merged);
        add(merged, memberOf(left));
      }
      for (const member of b ?? [memberOf(right)]) {
        add(merged, member);
      }
      if (b !== undefined) {
        classes.delete(b);
      }
    }
    const found = new Map([...classes].map((members): [Member[], OwnedCriterion[]] => [members, []]));
    for (const criterion of criteria) {
      const members = classOf.get(criterion.left.name);
      const own = members && found.get(members);
      own?.push({ criterion, left: ownerOf(criterion.left), right: ownerOf(criterion.right) });
    }
    this.#classes = [...found].map(([members, own]) => ({ members, criteria: own }));
    this.#classOf = classOf;
  }

  /** Returns conditions on one relation alone: two of its columns are equal because both equal a third one. */
  withinRelation(owner: number): readonly RowExpression[] {
    return this.#classes.flatMap(({ members }) => {
      const [first, ...others] = members.filter((member) => member.owner === owner);
      return first === undefined ? [] : others.map((other) => call("$eq", BOOLEAN, [first.variable, other.variable]));
    });
  }

  /** Returns one criterion for each class with columns on both sides, preferably one from the statement. */
  between(left: RelationSet, right: RelationSet): readonly JoinCriterion[] {
    const found: JoinCriterion[] = [];
    for (const equal of this.#classes) {
      const criterion = criterionBetween(equal, left, right);
      if (criterion !== undefined) {
        found.push(criterion);
      }
    }
    return found;
  }

  /** Yields pairs of relations that have columns in a common class. */
  *edges(): Iterable<readonly [number, number]> {
    for (const { members } of this.#classes) {
      for (const a of members) {
        for (const b of members) {
          if (a.owner < b.owner) {
            yield [a.owner, b.owner];
          }
        }
      }
    }
  }

  /** Returns the columns that are equal to `variable`, including itself. */
  equalTo(variable: Variable): readonly Variable[] {
    return this.#classOf.get(variable.name)?.map((member) => member.variable) ?? [variable];
  }
}

/** A hot path: runs for every pair of parts of every considered join order. */
function criterionBetween({ members, criteria }: EqualColumns, left: RelationSet, right: RelationSet): JoinCriterion | undefined {
  for (const one of criteria) {
    if (left.has(one.left) && right.has(one.right)) {
      return one.criterion;
    }
    if (left.has(one.right) && right.has(one.left)) {
      return { left: one.criterion.right, right: one.criterion.left };
    }
  }
  const l = members.find((member) => left.has(member.owner));
  const r = members.find((member) => right.has(member.owner));
  return l === undefined || r === undefined ? undefined : { left: l.variable, right: r.variable };
}

/** Applies to each relation the equalities and conditions that concern it alone. */
export function filterRelations(graph: JoinGraph, equalities: Equalities, ids: PlanIds): JoinGraph {
  let { filters } = graph;
  const relations = graph.relations.map((relation, index) => {
    const names = outputNames(relation);
    const own = filters.filter((filter) => usesOnly(filter, names));
    const taken = new Set(own);
    filters = filters.filter((filter) => !taken.has(filter));
    return filterNode(ids, relation, [...equalities.withinRelation(index), ...own]);
  });
  return { ...graph, relations, filters };
}

export interface Joined {
  readonly node: PlanNode;
  readonly members: RelationSet;
}

/** Joins two parts of the graph; the larger one is the probe side. `filters` are all filters of the graph. */
export function joinParts(
  a: Joined,
  b: Joined,
  graph: {
    readonly equalities: Equalities;
    readonly filters: readonly RowExpression[];
    readonly estimator: Estimator;
    readonly id: string;
  },
): Joined {
  const { equalities, filters, estimator, id } = graph;
  const [left, right] = estimator.estimate(a.node).rows >= estimator.estimate(b.node).rows ? [a, b] : [b, a];
  const criteria = equalities.between(left.members, right.members);
  const [leftOutputs, rightOutputs] = [outputsOf(left.node), outputsOf(right.node)];
  const outputs = [...leftOutputs, ...rightOutputs];
  const [names, leftNames, rightNames] = [outputs, leftOutputs, rightOutputs].map((side) => new Set(side.map(({ name }) => name)));
  const conditions = filters.filter(
    (filter) =>
      usesOnly(filter, names as Set<string>) && !usesOnly(filter, leftNames as Set<string>) && !usesOnly(filter, rightNames as Set<string>),
  );
  const node: JoinNode = {
    kind: "Join",
    id,
    type: "INNER",
    left: left.node,
    right: right.node,
    criteria,
    ...(conditions.length > 0 && { filter: and(conditions) }),
    outputs,
    distribution: criteria.length === 0 ? "REPLICATED" : "PARTITIONED",
  };
  return { node, members: new Set([...left.members, ...right.members]) };
}
