/**
 * Translates JSON_TABLE into a call that returns an array of rows (json/path/table.ts), which is then unnested.
 */
import type { TableColumn, TableOptions, TablePath, TablePlan } from "../../../functions/scalar/json/path/options.ts";
import type { JsonDefaultPlan, JsonNestedColumns, JsonPathLiteral, JsonTable, JsonTableColumn } from "../../../sql/ast/ast.ts";
import { arrayType, BIGINT, type RowField, rowType, type Type } from "../../../types/type.ts";
import type { Lambda, RowExpression } from "../../plan/typed-expression.ts";
import { call, constant } from "../../plan/expression-tree.ts";
import type { Environment } from "../analysis.ts";
import { analyzeBehaviors, analyzeInvocation, type Invocation, optionsConstant, queryClauses, requireScalarType } from "./functions.ts";
import { checkedOutput, typeAt } from "./inputs.ts";
import { checkPath } from "./paths.ts";
import { type AnalyzedPath, canonicalName, checkNames, requirePathNames, specificPlan, tablePath } from "./plans.ts";

export function analyzeJsonTable(node: JsonTable, env: Environment): RowExpression {
  checkNames(node);
  const invocation = analyzeInvocation(node.invocation, env, node);
  const analyzer = new TableAnalyzer(node, invocation, env);
  const root = analyzer.root();
  const type = arrayType(rowType(analyzer.fields));
  const options: TableOptions = { ...invocation.options, root, onError: node.errorBehavior ?? "EMPTY" };
  const args = [invocation.input.expression, optionsConstant(options), constant(type, null)];
  return call("$json_table", type, [...args, ...invocation.passing.expressions, ...analyzer.lambdas]);
}

class TableAnalyzer {
  readonly fields: RowField[] = [];
  readonly lambdas: Lambda[] = [];

  readonly #node: JsonTable;
  readonly #invocation: Invocation;
  readonly #env: Environment;

  constructor(node: JsonTable, invocation: Invocation, env: Environment) {
    this.#node = node;
    this.#invocation = invocation;
    this.#env = env;
  }

  root(): TablePath {
    const { plan, invocation, columns } = this.#node;
    const analyzed = this.#path(invocation.path, columns);
    if (plan === undefined) {
      return defaultPlan(analyzed, { parentChild: "OUTER", siblings: "UNION" });
    }
    if (plan.kind === "JsonDefaultPlan") {
      return defaultPlan(analyzed, plan);
    }
    requirePathNames(this.#node);
    return specificPlan(analyzed, canonicalName(invocation.pathName), plan);
  }

  /** Columns in statement order; columns of a nested path are at the position of that path. */
  #path(path: JsonPathLiteral, columns: readonly JsonTableColumn[]): AnalyzedPath {
    const own: TableColumn[] = [];
    const nested: (AnalyzedPath & { readonly name: string })[] = [];
    for (const column of columns) {
      if (column.kind === "JsonNestedColumns") {
        nested.push({ name: canonicalName(column.pathName), ...this.#nested(column) });
      } else {
        own.push(this.#column(column));
      }
    }
    return { path, columns: own, nested };
  }

  #nested({ path, columns }: JsonNestedColumns): AnalyzedPath {
    checkPath(path, this.#invocation.passing.types);
    return this.#path(path, columns);
  }

  #column(column: Exclude<JsonTableColumn, JsonNestedColumns>): TableColumn {
    const index = this.fields.length;
    const add = (type: Type): Type => {
      this.fields.push({ name: column.name.value, type });
      return type;
    };
    switch (column.kind) {
      case "JsonOrdinalityColumn":
        add(BIGINT);
        return { index, kind: "ordinality" };
      case "JsonValueColumn": {
        const type = add(requireScalarType(typeAt(column.type, column), "function JSON_TABLE", column));
        const otherwise = this.#node.errorBehavior === "ERROR" ? "ERROR" : "NULL";
        const defaults = this.lambdas.length;
        const { onEmpty, onError, lambdas } = analyzeBehaviors(column, { type, what: "Function JSON_TABLE", otherwise }, this.#env);
        this.lambdas.push(...lambdas);
        return { index, kind: "value", path: this.#columnPath(column), defaults, onEmpty, onError };
      }
      case "JsonQueryColumn": {
        const { type, format } = checkedOutput(typeAt(column.type, column), column.format, column);
        add(type);
        const otherwise = this.#node.errorBehavior === "ERROR" ? "ERROR" : "NULL";
        return { index, kind: "query", path: this.#columnPath(column), ...queryClauses(column, { output: format, otherwise }, column) };
      }
    }
  }

  /** A column without a path reads the member with its name. */
  #columnPath({ path, name }: JsonTableColumn & { readonly kind: "JsonValueColumn" | "JsonQueryColumn" }): string {
    if (path === undefined) {
      return `lax $."${canonicalName(name).replaceAll('"', '""')}"`;
    }
    checkPath(path, this.#invocation.passing.types);
    return path.value;
  }
}

/** The default plan joins all nested paths as siblings. */
function defaultPlan(analyzed: AnalyzedPath, plan: Pick<JsonDefaultPlan, "parentChild" | "siblings">): TablePath {
  const terms = analyzed.nested.map((path) => defaultPlan(path, plan));
  const [only] = terms;
  const nested: TablePlan | undefined = terms.length > 1 ? { kind: plan.siblings, terms } : only;
  return tablePath(analyzed, nested === undefined ? undefined : { type: plan.parentChild, plan: nested });
}
