/**
 * Local dynamic filters: the join sends its build keys to the scan of its probe side, which skips rows without a match (as in Presto).
 *
 * This rule handles joins and scans in one task: the plan already has its exchanges, and none lies between the join and the scan.
 * remote-dynamic-filters.ts handles the others. The scan waits for the build side. No deadlock is possible, because a build side reads
 * nothing from the probe side of its own join.
 */
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { conjunctsOf, isDeterministic } from "../../plan/expression-tree.ts";
import { type DynamicFilterUse, type JoinNode, type PlanNode, type RemoteSourceNode, type SemiJoinNode } from "../../plan/node.ts";
import type { Estimator } from "../stats/stats-calculator.ts";
import { outputNames, rewritePlan, visitPlan } from "../../plan/plan-tree.ts";
import type { Rule, RuleContext } from "./rule.ts";

/**
 * Maximum number of build keys as a fraction of the scanned column's distinct values. A filter above this limit would drop too few rows.
 */
export const keptFractionMax = 0.8;

type Filtering = JoinNode | SemiJoinNode;

interface Found {
  /** By join id: the build-side variable of each filter. */
  readonly assignments: Map<string, Record<string, Variable>>;
  /** By scan id: the filters that the scan applies. */
  readonly uses: Map<string, DynamicFilterUse[]>;
}

export const dynamicFilters: Rule = {
  name: "dynamic_filters",
  apply(plan, context) {
    if (!context.session.dynamicFiltering) {
      return plan;
    }
    const found: Found = { assignments: new Map(), uses: new Map() };
    const search = new ScanSearch();
    visitFiltering(plan, (sides) => addFilters(sides, { found, search }, context));
    return found.uses.size === 0 ? plan : rewritePlan(plan, (node) => withFilters(node, found));
  },
};

/** The sides of a join that drops probe rows without a match. */
export interface Sides {
  readonly join: Filtering;
  readonly probe: PlanNode;
  readonly build: PlanNode;
  readonly pairs: readonly KeyPair[];
}

export interface KeyPair {
  readonly id: string;
  readonly key: Variable;
  /** The build-side variable that the key is compared with. */
  readonly built: Variable;
}

export function visitFiltering(plan: PlanNode, visit: (sides: Sides) => void): void {
  visitPlan(plan, (node) => {
    if (node.kind === "Join" && (node.type === "INNER" || node.type === "RIGHT")) {
      const { left: probe, right: build, criteria } = node;
      const pairs = criteria.map(({ left, right }, index) => ({
        id: criteria.length === 1 ? `df_${node.id}` : `df_${node.id}_${index}`,
        key: left,
        built: right,
      }));
      visit({ join: node, probe, build, pairs });
    }
    if (node.kind === "SemiJoin" && node.build === "SOURCE") {
      const { id, source: build, filtering: probe, sourceKey: built, filteringKey: key } = node;
      visit({ join: node, probe, build, pairs: [{ id: `df_${id}`, key, built }] });
    } else if (
      node.kind === "Filter" &&
      node.source.kind === "SemiJoin" &&
      node.source.build !== "SOURCE" &&
      asks(node.predicate, node.source.output)
    ) {
      const { id, source: probe, filtering: build, sourceKey: key, filteringKey: built } = node.source;
      visit({ join: node.source, probe, build, pairs: [{ id: `df_${id}`, key, built }] });
    }
  });
}

function addFilters(
  { join, probe, build, pairs }: Sides,
  { found, search }: { readonly found: Found; readonly search: ScanSearch },
  { estimator }: RuleContext,
): void {
  const assigned: Record<string, Variable> = {};
  pairs.forEach(({ id, key, built }) => {
    const use = search.scanOf(probe, key);
    if (use === undefined || !drops({ build, built, ...use }, estimator)) {
      return;
    }
    assigned[id] = built;
    const uses = found.uses.get(use.scan.id) ?? [];
    uses.push({ id, variable: use.variable });
    found.uses.set(use.scan.id, uses);
  });
  if (Object.keys(assigned).length > 0) {
    found.assignments.set(join.id, assigned);
  }
}

function withFilters(node: PlanNode, { assignments, uses }: Found): PlanNode {
  if (node.kind === "TableScan") {
    const own = uses.get(node.id);
    return own === undefined ? node : { ...node, dynamicFilters: own };
  }
  if (node.kind !== "Join" && node.kind !== "SemiJoin") {
    return node;
  }
  const own = assignments.get(node.id);
  return own === undefined ? node : { ...node, dynamicFilters: own };
}

/** Returns whether the predicate drops rows for which `output` is not true. */
function asks(predicate: RowExpression, output: Variable): boolean {
  return conjunctsOf(predicate).some((conjunct) => conjunct.kind === "variable" && conjunct.name === output.name);
}

/** Removes a cast that only widens a varchar, as for the longer key of the other join side. Returns other expressions unchanged. */
function sameText(value: RowExpression): RowExpression {
  if (value.kind !== "cast" || value.type.kind !== "varchar" || value.arg.type.kind !== "varchar") {
    return value;
  }
  const { length } = value.type;
  return length === undefined || (value.arg.type.length !== undefined && value.arg.type.length <= length) ? value.arg : value;
}

export interface Scanned {
  readonly scan: PlanNode & { readonly kind: "TableScan" };
  readonly variable: Variable;
}

export type Beyond = (source: RemoteSourceNode, variable: Variable) => { readonly root: PlanNode; readonly variable: Variable } | undefined;

/** What the search asks of a node for each key of the joins above it, of which there may be thousands. */
interface Passed {
  readonly outputs: ReadonlySet<string>;
  /** Whether its rows are those of its first source with the same values, less some. */
  readonly isPlain: boolean;
  /** Of a projection: values by column. Of an inner join: the columns of its left side by the equal ones of its right side. */
  readonly values: ReadonlyMap<string, RowExpression>;
}

/** Finds the scans of variables in one plan. */
export class ScanSearch {
  readonly #passed = new Map<PlanNode, Passed>();

  /**
   * Returns the scan that produces a variable, if the scan may drop rows by the variable's value. Every row above the scan must derive from
   * scan rows with that same value. Nodes that evaluate non-deterministic expressions stop the search, because dropping rows would change
   * their results. `beyond` resolves the variable of a remote source to its fragment.
   */
  scanOf(node: PlanNode, variable: Variable, beyond?: Beyond): Scanned | undefined {
    const { isPlain, outputs, values } = this.#passedBy(node);
    // The variable comes from the build side of a join or is computed by a node, so no scan on this path produces it.
    if (!outputs.has(variable.name) || !isPlain) {
      return undefined;
    }
    switch (node.kind) {
      case "TableScan":
        return { scan: node, variable };
      case "Project": {
        const value = values.get(variable.name);
        const column = value === undefined ? undefined : sameText(value);
        return column?.kind === "variable" ? this.scanOf(node.source, column, beyond) : undefined;
      }
      case "Join": {
        const equal = values.get(variable.name);
        return this.scanOf(node.left, equal?.kind === "variable" ? equal : variable, beyond);
      }
      case "Aggregation":
        // A filter on a grouping key keeps or drops whole groups. A global grouping set, however, has a row even without input.
        return node.globalSets === undefined && node.keys.some(({ name }) => name === variable.name)
          ? this.scanOf(node.source, variable, beyond)
          : undefined;
      case "MarkDistinct":
        return node.keys.some(({ name }) => name === variable.name) ? this.scanOf(node.source, variable, beyond) : undefined;
      case "Filter":
      case "SemiJoin":
      case "AssignUniqueId":
      case "Unnest":
        return this.scanOf(node.source, variable, beyond);
      case "RemoteSource": {
        const column = beyond?.(node, variable);
        return column && this.scanOf(column.root, column.variable, beyond);
      }
      default:
        return undefined;
    }
  }

  #passedBy(node: PlanNode): Passed {
    const passed = this.#passed.get(node) ?? passedBy(node);
    this.#passed.set(node, passed);
    return passed;
  }
}

const noValues: ReadonlyMap<string, RowExpression> = new Map();

function passedBy(node: PlanNode): Passed {
  const outputs = outputNames(node);
  switch (node.kind) {
    case "Filter":
      return { outputs, isPlain: isDeterministic(node.predicate), values: noValues };
    case "Project":
      return {
        outputs,
        isPlain: node.assignments.every(({ expression }) => isDeterministic(expression)),
        values: new Map(node.assignments.map(({ expression, output }) => [output.name, expression])),
      };
    case "Join": {
      const isPlain = node.type !== "RIGHT" && node.type !== "FULL" && (node.filter === undefined || isDeterministic(node.filter));
      // The first criterion of a column counts.
      const equal = node.type === "INNER" ? node.criteria.toReversed() : [];
      return { outputs, isPlain, values: new Map(equal.map(({ left, right }) => [right.name, left])) };
    }
    default:
      return { outputs, isPlain: true, values: noValues };
  }
}

/** Without statistics for one side, the filter is used: a scan disables a filter that drops few rows. */
function drops(filter: Scanned & Built, estimator: Estimator): boolean {
  const expected = expectedOf(filter, estimator);
  return expected === undefined || expected.keys <= expected.values * keptFractionMax;
}

export interface Built {
  readonly build: PlanNode;
  readonly built: Variable;
}

export interface Expected {
  /** Distinct keys of the build side. */
  readonly keys: number;
  /** Distinct values of the scanned column. */
  readonly values: number;
  readonly scannedRows: number;
}

/** Returns undefined if statistics are missing for one of the sides. */
export function expectedOf({ build, built, scan, variable }: Scanned & Built, estimator: Estimator): Expected | undefined {
  const { rows, known, columns } = estimator.estimate(build);
  const scanned = estimator.estimate(scan);
  const column = scanned.columns.get(variable.name);
  // Files have bounds instead of counts. A column that fills its range has about as many values as the range.
  const values = column?.distinct ?? (column?.fillsRange === true ? column.distinctMax : undefined);
  if (!known || !scanned.known || values === undefined) {
    return undefined;
  }
  const { distinct, distinctMax = rows } = columns.get(built.name) ?? {};
  return { keys: Math.min(rows, distinct ?? distinctMax), values, scannedRows: scanned.rows };
}
