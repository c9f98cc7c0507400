/**
 * Checks the PLAN clause of JSON_TABLE: every path has a name, occurs in the plan exactly once, and is below the path in which it is
 * nested.
 */
import type { TableColumn, TablePath, TablePlan } from "../../../functions/scalar/json/path/options.ts";
import type { Identifier, JsonPathLiteral, JsonTable, JsonTableColumn, JsonTablePlan, Location } from "../../../sql/ast/ast.ts";
import { semanticError } from "../errors.ts";

/** Analyzed columns of a path, with its nested paths under the names that a plan uses. */
export interface AnalyzedPath {
  readonly path: JsonPathLiteral;
  readonly columns: readonly TableColumn[];
  readonly nested: readonly (AnalyzedPath & { readonly name: string })[];
}

export function tablePath({ path, columns }: AnalyzedPath, nested: TablePath["nested"]): TablePath {
  return { kind: "path", path: path.value, columns, ...(nested !== undefined && { nested }) };
}

/** Unquoted names are upper case. A path without a name cannot be named in a plan. */
export function canonicalName(name: Identifier | undefined): string {
  return name === undefined ? "" : name.delimited ? name.value : name.value.toUpperCase();
}

/** Names of columns and paths must be unique together. */
export function checkNames(node: JsonTable): void {
  const seen = new Set<string>();
  const add = (name: Identifier | undefined): void => {
    if (name === undefined) {
      return;
    }
    const canonical = canonicalName(name);
    if (seen.has(canonical)) {
      throw semanticError("DUPLICATE_COLUMN_OR_PATH_NAME", name, "All column and path names in JSON_TABLE invocation must be unique");
    }
    seen.add(canonical);
  };
  const addColumns = (columns: readonly JsonTableColumn[]): void => {
    for (const column of columns) {
      add(column.kind === "JsonNestedColumns" ? column.pathName : column.name);
      if (column.kind === "JsonNestedColumns") {
        addColumns(column.columns);
      }
    }
  };
  add(node.invocation.pathName);
  addColumns(node.columns);
}

export function requirePathNames(node: JsonTable): void {
  const require = (name: Identifier | undefined, at: { readonly location: Location }): void => {
    if (name === undefined) {
      throw semanticError("MISSING_PATH_NAME", at, "All JSON paths must be named when specific plan is given");
    }
  };
  const requireNested = (columns: readonly JsonTableColumn[]): void => {
    for (const column of columns) {
      if (column.kind !== "JsonNestedColumns") {
        continue;
      }
      require(column.pathName, column.path);
      requireNested(column.columns);
    }
  };
  require(node.invocation.pathName, node.invocation.path);
  requireNested(node.columns);
}

export function specificPlan(root: AnalyzedPath, name: string, plan: JsonTablePlan): TablePath {
  if (plan.kind === "JsonSiblingsPlan") {
    const message = "JSON_TABLE plan must either be a single path name or it must be rooted in parent-child relationship (OUTER or INNER)";
    throw semanticError("INVALID_PLAN", plan, message);
  }
  const planned = planAmong([{ ...root, name }], plan);
  return planned as TablePath;
}

type NamedPath = AnalyzedPath & { readonly name: string };

/** Analyzes one level of the plan, which must name all paths of the level. */
function planAmong(paths: readonly NamedPath[], plan: JsonTablePlan): TablePlan {
  const named = namesOf(plan);
  const available = new Set(paths.map(({ name }) => name));
  const unknown = named.filter((name) => !available.has(name));
  if (unknown.length > 0) {
    throw semanticError("INVALID_PLAN", plan, `JSON_TABLE plan includes unavailable JSON path names: ${unknown.join(", ")}`);
  }
  const missing = [...available].filter((name) => !named.includes(name));
  if (missing.length > 0) {
    const message = "JSON_TABLE plan should contain all JSON paths available at each level of nesting. Paths not included";
    throw semanticError("INVALID_PLAN", plan, `${message}: ${missing.join(", ")}`);
  }
  const repeated = named.find((name, index) => named.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw semanticError("INVALID_PLAN", plan, `JSON_TABLE plan includes JSON path more than once: ${repeated}`);
  }
  return planPart(new Map(paths.map((path) => [path.name, path])), plan);
}

/** Path names of this level. */
function namesOf(plan: JsonTablePlan): readonly string[] {
  switch (plan.kind) {
    case "JsonPathPlan":
      return [canonicalName(plan.name)];
    case "JsonParentPlan":
      return [canonicalName(plan.parent)];
    case "JsonSiblingsPlan":
      return plan.terms.flatMap(namesOf);
  }
}

function planPart(paths: ReadonlyMap<string, NamedPath>, plan: JsonTablePlan): TablePlan {
  switch (plan.kind) {
    case "JsonPathPlan": {
      const path = paths.get(canonicalName(plan.name)) as NamedPath;
      if (path.nested.length > 0) {
        const names = path.nested.map(({ name }) => name).join(", ");
        const message = "JSON_TABLE plan should contain all JSON paths available at each level of nesting. Paths not included";
        throw semanticError("INVALID_PLAN", plan, `${message}: ${names}`);
      }
      return tablePath(path, undefined);
    }
    case "JsonParentPlan": {
      const path = paths.get(canonicalName(plan.parent)) as NamedPath;
      return tablePath(path, { type: plan.type, plan: planAmong(path.nested, plan.child) });
    }
    case "JsonSiblingsPlan":
      return { kind: plan.type, terms: plan.terms.map((term) => planPart(paths, term)) };
  }
}
