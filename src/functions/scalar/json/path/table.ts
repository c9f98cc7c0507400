/**
 * JSON_TABLE: the rows that its paths produce for one document, joined according to its PLAN clause.
 */
import { QueryError } from "../../../../protocol/errors.ts";
import type { Type } from "../../../../types/type.ts";
import type { HostLambda, HostValue } from "../../../registry/definition.ts";
import { JsonError } from "./errors.ts";
import { PathEvaluator } from "./evaluate.ts";
import type { Item, Items } from "./items.ts";
import type { TableColumn, TableOptions, TablePath, TablePlan } from "./options.ts";
import { knownPath } from "./parse.ts";
import { attempt, defaultsOf, queryOfItems, valueOfItems } from "./results.ts";

/** Maximum number of rows of one document: they form a single value until they are unnested. */
const rowsMax = 1_000_000;

/** Values by column index; a missing column is NULL. */
type Row = ReadonlyMap<number, HostValue>;

interface Surroundings {
  readonly parameters: ReadonlyMap<string, Items>;
  /** An array of rows whose fields are the columns. */
  readonly returnType: Type;
  readonly lambdas: readonly HostLambda[];
}

export class JsonTable {
  readonly #evaluators = new Map<string, PathEvaluator>();

  constructor(readonly options: TableOptions) {}

  rows(document: Item, parameters: ReadonlyMap<string, Items>, around: Omit<Surroundings, "parameters">): HostValue {
    const rows = this.#pathRows(this.options.root, document, { ...around, parameters });
    const width = columnTypes(around.returnType).length;
    return rows.map((row) => Array.from({ length: width }, (_, index) => row.get(index) ?? null));
  }

  #follow(path: string, item: Item, { parameters }: Surroundings): Items | JsonError {
    let evaluator = this.#evaluators.get(path);
    if (evaluator === undefined) {
      evaluator = new PathEvaluator(knownPath(path));
      this.#evaluators.set(path, evaluator);
    }
    const known = evaluator;
    return attempt(() => known.evaluate(item, parameters));
  }

  /** One row per item of the path, or one per nested row. */
  #pathRows(path: TablePath, context: Item, around: Surroundings): readonly Row[] {
    const items = this.#follow(path.path, context, around);
    if (items instanceof JsonError) {
      if (this.options.onError === "ERROR") {
        throw items.toQueryError();
      }
      return [];
    }
    const rows: Row[] = [];
    for (const [ordinal, item] of items.entries()) {
      const own = new Map(path.columns.map((column): [number, HostValue] => [column.index, this.#column(column, item, ordinal, around)]));
      const nested = path.nested === undefined ? undefined : this.#planRows(path.nested.plan, item, around);
      if (nested === undefined || (nested.length === 0 && path.nested?.type === "OUTER")) {
        rows.push(own);
      } else {
        for (const row of nested) {
          rows.push(joined(own, row));
        }
      }
      limit(rows.length);
    }
    return rows;
  }

  #planRows(plan: TablePlan, context: Item, around: Surroundings): readonly Row[] {
    if (plan.kind === "path") {
      return this.#pathRows(plan, context, around);
    }
    const terms = plan.terms.map((term) => this.#planRows(term, context, around));
    if (plan.kind === "CROSS" && terms.some((rows) => rows.length === 0)) {
      return [];
    }
    limit(
      terms.reduce((count, rows) => (plan.kind === "UNION" ? count + rows.length : count * rows.length), plan.kind === "UNION" ? 0 : 1),
    );
    if (plan.kind === "UNION") {
      return terms.flat();
    }
    return terms.reduce((product, rows) => product.flatMap((left) => rows.map((right) => joined(left, right))));
  }

  #column(column: TableColumn, item: Item, ordinal: number, around: Surroundings): HostValue {
    const type = columnTypes(around.returnType)[column.index] as Type;
    switch (column.kind) {
      case "ordinality":
        return BigInt(ordinal + 1);
      case "value":
        return valueOfItems(
          this.#follow(column.path, item, around),
          type,
          column,
          defaultsOf(column, around.lambdas.slice(column.defaults)),
        );
      case "query":
        return queryOfItems(this.#follow(column.path, item, around), type, column);
    }
  }
}

function columnTypes(type: Type): readonly Type[] {
  return type.kind === "array" && type.element.kind === "row" ? type.element.fields.map((field) => field.type) : [];
}

function joined(left: Row, right: Row): Row {
  return new Map([...left, ...right]);
}

function limit(rows: number): void {
  if (rows > rowsMax) {
    throw new QueryError("EXCEEDED_FUNCTION_MEMORY_LIMIT", `JSON_TABLE makes more than ${rowsMax} rows of one value`);
  }
}
