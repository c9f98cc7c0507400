/**
 * Plans MERGE. The target is joined with the source, and each joined row takes the first WHEN clause that applies. The rows of the target
 * are rewritten, as for UPDATE and DELETE. A MERGE with only inserts becomes an INSERT of the source rows without a match; it fails if the
 * table changes meanwhile. A connector that does not rewrite its tables gets the rows that take a clause.
 */
import type { ColumnMetadata } from "../../../connectors/spi.ts";
import {
  type Expression,
  lowerName,
  type Merge,
  type MergeCase,
  type MergeInsert,
  type MergeUpdate,
  type Relation,
} from "../../../sql/ast/ast.ts";
import { BIGINT, BOOLEAN, displayType, INTEGER } from "../../../types/type.ts";
import type { Analysis, Environment, PendingSubquery } from "../../analyzer/analysis.ts";
import { notSupported, semanticError } from "../../analyzer/errors.ts";
import { analyzeExpression, analyzePredicate } from "../../analyzer/expression/analyze-expression.ts";
import { callFunction, callOperator } from "../../analyzer/expression/functions.ts";
import { requireConnector, type ResolvedTable } from "../../analyzer/metadata.ts";
import { planJoinOn } from "../../analyzer/relation/join-on.ts";
import { planRelation } from "../../analyzer/relation/relations.ts";
import { count, numberRows } from "../../analyzer/window/row-numbers.ts";
import type { Field, RelationPlan } from "../../analyzer/scope/scope.ts";
import type { PlanContext } from "../../context.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { and, constant, FALSE, not, or, special, TRUE } from "../../plan/expression-tree.ts";
import type { Assignment, PlanNode, WriteTarget } from "../../plan/node.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { PlannedQuery } from "../../planned.ts";
import { extendProject, filterNode, projectNode } from "../../plan/plan-tree.ts";
import { absentValue } from "../definition/columns.ts";
import { unsupported } from "../definition/data-definition.ts";
import { applySubqueries } from "./rewrite.ts";
import { isStorable, storedValue } from "./stored-values.ts";
import { planStagedChanges } from "./staged-changes.ts";
import { planWrite } from "./write.ts";

export async function planMerge(statement: Merge, context: PlanContext): Promise<PlannedQuery> {
  const analysis = await startAnalysis(statement, context);
  if (analysis.tables.findView(statement.table, statement) !== undefined) {
    throw notSupported(statement, "Merging into views is not supported");
  }
  const table = analysis.tables.resolve(statement.table, statement);
  const { metadata } = requireConnector(context, table.catalog, statement);
  const insertsOnly = statement.cases.every(({ kind }) => kind === "MergeInsert");
  const isRewritten = metadata.beginRewrite !== undefined && metadata.beginInsert !== undefined;
  // Rows that are only added need not be found again.
  const changedBy = metadata.beginChanges && (insertsOnly ? [] : metadata.changedBy?.(table.metadata));
  if (!isRewritten && changedBy === undefined) {
    throw unsupported(statement, "modifying table rows");
  }
  const merger = new Merger(statement, table, analysis, isRewritten ? undefined : changedBy);
  return insertsOnly ? merger.planInserts() : merger.planChanges();
}

/** The values that a WHEN clause assigns, by column name. */
type CaseValues = ReadonlyMap<string, Expression>;

/** The joined rows. `taken` is the index of the WHEN clause that a row takes; NULL if it takes none. */
interface Taken {
  readonly node: PlanNode;
  readonly taken: Variable;
  /** The target's columns in order; empty if only new rows are written. */
  readonly old: readonly Field[];
  /** By index of the WHEN clause: the assigned values by column name. */
  readonly values: readonly ReadonlyMap<string, RowExpression>[];
}

interface Joined extends RelationPlan {
  readonly target: readonly Field[];
  /** Conditions for the presence of a target row and of a source row; the other side's columns are NULL without a match. */
  readonly inTarget: RowExpression;
  readonly inSource: RowExpression;
}

const changeKinds = Object.freeze({ MergeDelete: "DELETE", MergeUpdate: "UPDATE", MergeInsert: "INSERT" });

class Merger {
  readonly #statement: Merge;
  readonly #table: ResolvedTable;
  readonly #analysis: Analysis;
  readonly #columns: readonly ColumnMetadata[];
  readonly #values: readonly CaseValues[];
  /** Undefined if the table is rewritten. */
  readonly #changedBy: readonly string[] | undefined;

  constructor(statement: Merge, table: ResolvedTable, analysis: Analysis, changedBy: readonly string[] | undefined) {
    this.#changedBy = changedBy;
    this.#statement = statement;
    this.#table = table;
    this.#analysis = analysis;
    this.#columns = table.metadata.columns.filter((column) => column.hidden !== true);
    this.#values = statement.cases.map((one) => this.#valuesOf(one));
  }

  /** Writes the rows of the source that match no row of the target. */
  planInserts(): Promise<PlannedQuery> {
    const { ids } = this.#analysis;
    const source = planRelation(this.#statement.source, this.#analysis, { named: new Map() });
    const marker = ids.variable("present", BOOLEAN);
    const target = this.#planTarget();
    const marked = { ...target, node: extendProject(ids, target.node, [{ output: marker, expression: TRUE }]) };
    const { node, fields } = this.#join("LEFT", source, marked);
    const isAbsent = special("IS_NULL", BOOLEAN, [marker]);
    const taken = this.#take({ node, fields, target: [], inTarget: not(isAbsent), inSource: TRUE });
    const kept = filterNode(ids, taken.node, [isSet(taken.taken)]);
    return this.#changedBy === undefined ? this.#write("INSERT", kept, taken, []) : this.#stage(kept, taken, this.#changedBy);
  }

  planChanges(): Promise<PlannedQuery> {
    const { ids } = this.#analysis;
    const { cases } = this.#statement;
    const inserts = cases.some(({ kind }) => kind === "MergeInsert");
    const target = this.#numbered(this.#planTarget());
    const source = this.#numbered(planRelation(this.#statement.source, this.#analysis, { named: new Map() }));
    const isStaged = this.#changedBy !== undefined;
    const type = isStaged ? (inserts ? "RIGHT" : "INNER") : inserts ? "FULL" : "LEFT";
    const { node, fields } = this.#join(type, target, source);
    const [inTarget, inSource] = [isSet(target.id), isSet(source.id)];
    const taken = this.#take({ node, fields, target: visible(target), inTarget, inSource });
    const kept = filterNode(ids, taken.node, [isStaged ? isSet(taken.taken) : or([inTarget, isSet(taken.taken)])]);
    // A source row without a match gets a negative number of its own, so that it never counts as a repeated match.
    const minusOne = constant(BIGINT, "-1");
    const own = special("COALESCE", BIGINT, [target.id, callOperator("$subtract", [minusOne, source.id], this.#statement)]);
    const row = ids.variable("merged", BIGINT);
    const single = this.#requireSingle(
      extendProject(ids, kept, [{ output: row, expression: inserts ? own : target.id }]),
      row,
      taken.taken,
    );
    if (this.#changedBy !== undefined) {
      return this.#stage(single, taken, this.#changedBy);
    }
    const deletes = cases.flatMap((one, index) => (one.kind === "MergeDelete" ? [this.#takes(taken.taken, index)] : []));
    const marks = [isSet(taken.taken), special("COALESCE", BOOLEAN, [or(deletes), FALSE])];
    return this.#write("MERGE", single, taken, marks);
  }

  #planTarget(): RelationPlan {
    const { alias, table } = this.#statement;
    const { location } = table;
    const named: Relation = { kind: "Table", name: table, location };
    const relation: Relation = alias === undefined ? named : { kind: "AliasedRelation", relation: named, alias, location };
    const target = planRelation(relation, this.#analysis, { named: new Map() });
    this.#analysis.reads?.addTarget(target.node);
    return target;
  }

  #numbered(relation: RelationPlan): RelationPlan & { readonly id: Variable } {
    const { ids } = this.#analysis;
    const id = ids.variable("unique", BIGINT);
    return { ...relation, node: { kind: "AssignUniqueId", id: ids.node(), source: relation.node, idVariable: id }, id };
  }

  #join(type: "LEFT" | "RIGHT" | "FULL" | "INNER", left: RelationPlan, right: RelationPlan): RelationPlan {
    const context = { analysis: this.#analysis, queries: { named: new Map() } };
    return planJoinOn({ type, condition: this.#statement.condition, left, right }, context);
  }

  /** Chooses the WHEN clause of each row and computes the values of all clauses. */
  #take({ node, fields, target, inTarget, inSource }: Joined): Taken {
    const subqueries: PendingSubquery[] = [];
    const scope = { fields, queryBoundary: true };
    const env: Environment = { analysis: this.#analysis, scope, queries: { named: new Map() }, clause: "MERGE WHEN clause", subqueries };
    const { cases } = this.#statement;
    const chosen = cases.flatMap(({ condition, kind }, index) => {
      const rows = kind === "MergeInsert" ? not(inTarget) : and([inTarget, inSource]);
      const predicate = condition === undefined ? TRUE : analyzePredicate(condition, env);
      return [and([rows, predicate]), constant(INTEGER, index)];
    });
    const values = this.#values.map((one, index) => this.#analyzeValues(one, index, env));
    const taken = this.#analysis.ids.variable("when", INTEGER);
    const expression = special("SWITCH", INTEGER, [...chosen, constant(INTEGER, null)]);
    const extended = extendProject(this.#analysis.ids, applySubqueries(node, subqueries), [{ output: taken, expression }]);
    return { node: extended, taken, old: target, values };
  }

  #takes(taken: Variable, index: number): RowExpression {
    return callOperator("$eq", [taken, constant(INTEGER, index)], this.#statement);
  }

  /**
   * Keeps each target row once, and raises an error if several source rows would change it.
   *
   * If some WHEN clause applies to every match, or rows that take none are gone, the second row of a target row is an error. Otherwise,
   * rows that take a clause are sorted first; later rows of the same target row are dropped if they take none, and are an error if they do.
   */
  #requireSingle(source: PlanNode, row: Variable, taken: Variable): PlanNode {
    const { ids } = this.#analysis;
    const alwaysTaken = this.#statement.cases.some(({ condition, kind }) => kind !== "MergeInsert" && condition === undefined);
    if (alwaysTaken || this.#changedBy !== undefined) {
      const marker = ids.variable("single", BOOLEAN);
      const marked: PlanNode = { kind: "MarkDistinct", id: ids.node(), source, marker, keys: [row] };
      return filterNode(ids, marked, [callFunction("$single_match", [marker], this.#statement)]);
    }
    const taking = ids.variable("taking", BOOLEAN);
    const { node, number } = numberRows(ids, extendProject(ids, source, [{ output: taking, expression: isSet(taken) }]), {
      partitionBy: [row],
      orderBy: [{ variable: taking, descending: true, nullsFirst: false }],
    });
    const isFirst = callOperator("$eq", [number, count(1)], this.#statement);
    const isExtra = not(callFunction("$single_match", [not(taking)], this.#statement));
    return filterNode(ids, node, [special("IF", BOOLEAN, [isFirst, TRUE, isExtra])]);
  }

  #stage(node: PlanNode, { old, taken, values }: Taken, changedBy: readonly string[]): Promise<PlannedQuery> {
    const changes = this.#statement.cases.map(({ kind }, index) => ({
      kind: changeKinds[kind],
      columns: this.#columns.flatMap(({ name }) => (values[index]?.has(name) ? [name] : [])),
    }));
    const staged = {
      kind: "MERGE",
      table: this.#table,
      changedBy,
      changes,
      node,
      change: taken,
      old: (name: string) => (old[this.#columns.findIndex((column) => column.name === name)] as Field).expression,
      value: ({ name, type }: ColumnMetadata) => {
        const branches = values.flatMap((one, index) => {
          const value = one.get(name);
          return value === undefined ? [] : [this.#takes(taken, index), value];
        });
        return special("SWITCH", type, [...branches, constant(type, null)]);
      },
    } as const;
    return planStagedChanges(staged, this.#analysis);
  }

  #write(kind: "INSERT" | "MERGE", node: PlanNode, taken: Taken, marks: readonly RowExpression[]): Promise<PlannedQuery> {
    const { ids } = this.#analysis;
    const assignments = this.#columns.map((column, index): Assignment => {
      return { output: ids.variable(column.name, column.type), expression: this.#valueOf(column, index, taken) };
    });
    const marking = marks.map((expression, index): Assignment => {
      return { output: ids.variable(index === 0 ? "changed" : "deleted", BOOLEAN), expression };
    });
    const { catalog, metadata } = this.#table;
    const { name, sortedBy = [] } = metadata;
    const target: WriteTarget = { catalog, name, kind, columns: this.#columns, handle: null, ...(sortedBy.length > 0 && { sortedBy }) };
    const write = { target, table: metadata, ...(kind === "INSERT" && { ifUnchanged: true as const }) };
    return planWrite(projectNode(ids, node, [...assignments, ...marking]), write, "MERGE", this.#analysis);
  }

  #valueOf(column: ColumnMetadata, index: number, { old, taken, values }: Taken): RowExpression {
    const former = old[index]?.expression ?? absentValue(column);
    const branches = this.#statement.cases.flatMap(({ kind }, number) => {
      const value = values[number]?.get(column.name) ?? (kind === "MergeInsert" ? absentValue(column) : undefined);
      return value === undefined ? [] : [this.#takes(taken, number), value];
    });
    return branches.length === 0 ? former : special("SWITCH", column.type, [...branches, former]);
  }

  #valuesOf(one: MergeCase): CaseValues {
    switch (one.kind) {
      case "MergeDelete":
        return new Map();
      case "MergeUpdate":
        return this.#named(
          one,
          one.assignments.map(({ column }) => lowerName(column)),
          one.assignments.map(({ value }) => value),
        );
      case "MergeInsert":
        return this.#named(one, one.columns?.map(lowerName) ?? this.#columns.map(({ name }) => name), one.values);
    }
  }

  #named(at: MergeInsert | MergeUpdate, names: readonly string[], values: readonly Expression[]): CaseValues {
    if (names.length !== values.length) {
      const found = `Number of merge columns (${names.length}) isn't equal to number of expressions (${values.length})`;
      throw semanticError("INVALID_ARGUMENTS", at, found);
    }
    const named = new Map<string, Expression>();
    names.forEach((name, index) => {
      if (!this.#columns.some((column) => column.name === name)) {
        throw semanticError("COLUMN_NOT_FOUND", this.#statement, `Merge column name does not exist in target table: ${name}`);
      }
      if (named.has(name)) {
        throw semanticError("DUPLICATE_COLUMN_NAME", this.#statement, `Merge column name is specified more than once: ${name}`);
      }
      named.set(name, values[index] as Expression);
    });
    return named;
  }

  #analyzeValues(values: CaseValues, index: number, env: Environment): ReadonlyMap<string, RowExpression> {
    const analyzed = [...values].map(([name, syntax]) => {
      const column = this.#columns.find((one) => one.name === name) as ColumnMetadata;
      return { column, syntax, value: analyzeExpression(syntax, { ...env, clause: "MERGE expression" }) };
    });
    if (!analyzed.every(({ column, value }) => isStorable(value.type, column.type))) {
      const [columns, expressions] = [
        analyzed.map(({ column }) => displayType(column.type)).join(", "),
        analyzed.map(({ value }) => displayType(value.type)).join(", "),
      ];
      const found = `MERGE table column types don't match for MERGE case ${index}, SET expressions: Table: [${columns}], Expressions: [${expressions}]`;
      throw semanticError("TYPE_MISMATCH", this.#statement, found);
    }
    return new Map(analyzed.map(({ column, syntax, value }) => [column.name, storedValue(value, column.type, syntax)] as const));
  }
}

function isSet(value: RowExpression): RowExpression {
  return not(special("IS_NULL", BOOLEAN, [value]));
}

function visible({ fields }: RelationPlan): readonly Field[] {
  return fields.filter((field) => !field.hidden);
}
