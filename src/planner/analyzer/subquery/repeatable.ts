/**
 * Decides whether a plan returns the same rows when it is planned and run twice. The two plans may read different columns and thus have
 * different join orders. Rows then arrive in another order, and sums of doubles differ in their last digits.
 */
import type { RowExpression } from "../../plan/typed-expression.ts";
import { isDeterministic, usesAny } from "../../plan/expression-tree.ts";
import { outputsOf, type PlanNode, type WindowCall, type WindowNode, patternOutputs } from "../../plan/node.ts";
import { sourcesOf } from "../../plan/plan-tree.ts";
import { expressionsOf } from "../../plan/validate.ts";

/** Aggregates whose result does not depend on the order of rows, except sums of doubles. */
const orderless: ReadonlySet<string> = new Set([
  "count",
  "count_if",
  "sum",
  "avg",
  "min",
  "max",
  "bool_and",
  "bool_or",
  "every",
  "bitwise_and_agg",
  "bitwise_or_agg",
  "bitwise_xor_agg",
  "checksum",
  "approx_distinct",
]);
const rankings: ReadonlySet<string> = new Set(["rank", "dense_rank", "percent_rank", "cume_dist"]);

/** `read` are the expressions that the caller computes from the rows; other columns may differ. */
export function isRepeatable(plan: PlanNode, read: readonly RowExpression[]): boolean {
  const walk = new Walk();
  return walk.repeats(plan) && !read.some((expression) => walk.isLoose(expression));
}

class Walk {
  /** Names of columns whose values may differ in the second run. */
  readonly #loose = new Set<string>();

  isLoose(expression: RowExpression): boolean {
    return !isDeterministic(expression) || usesAny(expression, this.#loose);
  }

  /** Returns whether the second run has the same rows, except for the loose columns. */
  repeats(node: PlanNode): boolean {
    if (!sourcesOf(node).every((source) => this.repeats(source))) {
      return false;
    }
    const mark = (name: string, isLoose: boolean): void => {
      if (isLoose) {
        this.#loose.add(name);
      }
    };
    switch (node.kind) {
      case "Sample":
      case "TableFunction":
        return false;
      case "Limit":
      case "Offset":
      case "TopN":
        // The number of rows is the same, but the rows may be others.
        for (const { name } of outputsOf(node)) {
          this.#loose.add(name);
        }
        return true;
      case "Sort":
        return true;
      case "Project":
        for (const { output, expression } of node.assignments) {
          mark(output.name, this.isLoose(expression));
        }
        return true;
      case "Window":
        for (const call of node.functions) {
          mark(call.output.name, this.#isLooseCall(call, node));
        }
        return true;
      case "PatternRecognition":
        // The order of rows with equal sort keys decides what matches, and therefore which rows are returned.
        for (const { name } of patternOutputs(node)) {
          this.#loose.add(name);
        }
        return node.rows === "WINDOW";
      case "Aggregation":
        for (const { output, name, args, mask } of node.aggregates) {
          const read = mask === undefined ? args : [...args, mask];
          mark(output.name, !isOrderless({ name, output }) || read.some((expression) => this.isLoose(expression)));
        }
        return !node.keys.some((key) => this.isLoose(key));
      case "Union":
        node.outputs.forEach(({ name }, index) => {
          mark(
            name,
            node.sourceVariables.some((variables) => this.#loose.has(variables[index]?.name ?? "")),
          );
        });
        return true;
      case "Join":
        return ![...node.criteria.flatMap((c) => [c.left, c.right]), ...(node.filter ? [node.filter] : [])].some((e) => this.isLoose(e));
      default:
        return !expressionsOf(node).some((expression) => this.isLoose(expression));
    }
  }

  #isLooseCall(call: WindowCall, { partitionBy, orderBy }: WindowNode): boolean {
    const isExact = rankings.has(call.name) || (isOrderless(call) && call.frame.type !== "ROWS");
    const mask = call.mask === undefined ? [] : [call.mask];
    const read = [...partitionBy, ...orderBy.map(({ variable }) => variable), ...call.args, ...mask];
    return !isExact || read.some((expression) => this.isLoose(expression));
  }
}

function isOrderless({ name, output }: Pick<WindowCall, "name" | "output">): boolean {
  const isRounded = (name === "sum" || name === "avg") && (output.type.kind === "double" || output.type.kind === "real");
  return orderless.has(name) && !isRounded;
}
