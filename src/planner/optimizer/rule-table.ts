/**
 * The optimizer's rules and the planner's other choices by their names. The session property `optimizer_rules` switches them off one by
 * one: a plan without a rule returns the same rows.
 */
import { QueryError } from "../../protocol/errors.ts";

export interface NamedRule {
  readonly name: string;
  readonly description: string;
  /** Why no plan can do without the rule. Absent if it can be switched off. */
  readonly required?: string;
}

/** In the order in which they act. */
const table = [
  {
    name: "set_session_zone",
    description: "Writes the session's time zone into expressions that use it",
    required: "tasks know no session",
  },
  {
    name: "decorrelate_subqueries",
    description: "Replaces subqueries by joins",
    required: "operators do not evaluate subqueries row by row",
  },
  { name: "fold_constants", description: "Evaluates expressions of constants and simplifies boolean expressions" },
  { name: "push_predicates", description: "Moves the conjuncts of filters towards the table scans, and into joins" },
  {
    name: "convert_join_conditions",
    description: "Turns equalities of a join condition into join keys",
    required: "a FULL or RIGHT join is executed by its keys",
  },
  { name: "infer_predicates", description: "Derives a condition on one join key from a condition on the other" },
  { name: "split_disjunctions", description: "Derives a condition on one side of a join from a disjunction on both" },
  { name: "simplify_conditions", description: "Splits COALESCE and IF in filters, which treat NULL as false" },
  { name: "convert_outer_joins", description: "Turns an outer join into an inner one if a filter rejects its NULL rows" },
  { name: "remove_empty", description: "Replaces plans without rows by empty values" },
  { name: "join_row_keys", description: "Rewrites IN over rows as a join on their fields" },
  { name: "prune_columns", description: "Removes columns that no node reads" },
  { name: "turn_semi_joins", description: "Rewrites IN and EXISTS as joins if that is cheaper" },
  { name: "merge_projections", description: "Merges adjacent projections and filters" },
  { name: "combine_aggregations", description: "Computes two aggregations of one table by one key at once, as for two EXISTS" },
  {
    name: "use_windows",
    description: "Computes an aggregate of rows that it is joined with in a window over them, so that they are read once",
  },
  { name: "eliminate_cross_joins", description: "Reorders joins to avoid cross joins (join_reordering_strategy = ELIMINATE_CROSS_JOINS)" },
  { name: "reorder_joins", description: "Chooses the order of inner joins by cost (join_reordering_strategy = AUTOMATIC)" },
  { name: "join_before_aggregation", description: "Pushes a join below an aggregation if few groups survive the join" },
  { name: "group_distinct", description: "Groups by the columns of DISTINCT aggregates first" },
  { name: "aggregate_before_join", description: "Pushes an aggregation below a LEFT join" },
  { name: "reduce_grouping_keys", description: "Drops grouping keys that depend on other grouping keys" },
  { name: "push_limits", description: "Moves LIMIT and TopN below projections, and into unions and joins" },
  { name: "use_top_n", description: "Replaces LIMIT over ORDER BY by TopN" },
  { name: "merge_windows", description: "Reorders and merges adjacent windows" },
  {
    name: "push_into_connectors",
    description: "Leaves filters with LIMIT, TopN and aggregations to connectors that compute the same rows",
  },
  { name: "choose_build_side", description: "Makes the smaller side of a join the build side" },
  { name: "choose_semi_join_side", description: "Makes the smaller side of IN or EXISTS the build side" },
  { name: "choose_distribution", description: "Broadcasts small build sides (join_distribution_type)" },
  {
    name: "add_exchanges",
    description: "Cuts the plan into stages",
    required: "rows of different tasks meet in exchanges only",
  },
  {
    name: "use_one_task",
    description:
      "Reads tables of few rows in one task, with all that is computed of them alone, and finishes few groups in one task or the root stage (min_input_rows_per_task)",
  },
  { name: "reuse_partitioning", description: "Omits an exchange if rows are already partitioned as needed" },
  { name: "partial_aggregation", description: "Aggregates before and after an exchange" },
  { name: "partial_top_n", description: "Applies TopN before and after an exchange" },
  { name: "partial_limit", description: "Applies LIMIT before and after an exchange" },
  { name: "distributed_sort", description: "Sorts before an exchange that merges the sorted rows" },
  { name: "dynamic_filters", description: "Filters scans by the join keys of the same task (enable_dynamic_filtering)" },
  { name: "share_subplans", description: "Evaluates common subplans once (share_common_subplans)" },
  { name: "remote_dynamic_filters", description: "Filters scans by the join keys of other stages (enable_dynamic_filtering)" },
  { name: "large_remote_filters", description: "Sends many join keys to the scans of other stages, as bits" },
  { name: "prune_splits", description: "Tells connectors the filters of a scan, so that they skip splits" },
] as const satisfies readonly NamedRule[];

export type RuleName = (typeof table)[number]["name"];

export const ruleTable: readonly (NamedRule & { readonly name: RuleName })[] = Object.freeze(table);

/** The names of the rules that are switched off. */
export type RulesOff = ReadonlySet<RuleName>;

/** Names all rules that can be switched off. */
const everyRule = "all";

/**
 * Reads a list such as `-push_limits,-reorder_joins` or `-all,+prune_columns`, from left to right. A name without a sign is switched on.
 * Throws INVALID_SESSION_PROPERTY.
 */
export function parseRules(list: string): RulesOff {
  const off = new Set<RuleName>();
  for (const item of itemsOf(list)) {
    const on = !item.startsWith("-");
    for (const name of named(item.replace(/^[+-]/, ""), on)) {
      if (on) {
        off.delete(name);
      } else {
        off.add(name);
      }
    }
  }
  return off;
}

/** The list in the form that sessions store: lower case, without spaces. */
export function normalRules(list: string): string {
  parseRules(list);
  return itemsOf(list).join(",");
}

function itemsOf(list: string): readonly string[] {
  return list.trim() === "" ? [] : list.split(",").map((item) => item.trim().toLowerCase());
}

function named(name: string, on: boolean): readonly RuleName[] {
  if (name === everyRule) {
    return ruleTable.filter(({ required }) => required === undefined).map((rule) => rule.name);
  }
  const rule = ruleTable.find((known) => known.name === name);
  if (rule === undefined) {
    const known = ruleTable.flatMap((one) => (one.required === undefined ? [one.name] : []));
    throw new QueryError("INVALID_SESSION_PROPERTY", `Unknown optimizer rule: '${name}'. Known rules: [${known.join(", ")}]`);
  }
  if (!on && rule.required !== undefined) {
    throw new QueryError("INVALID_SESSION_PROPERTY", `Optimizer rule '${name}' cannot be switched off: ${rule.required}`);
  }
  return [rule.name];
}
