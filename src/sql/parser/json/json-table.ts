/**
 * Parses JSON_TABLE.
 */
import type { Location } from "../../ast/expression-nodes.ts";
import { parseType } from "../types.ts";
import type { TokenStream } from "../token-stream.ts";
import type { JsonDefaultPlan, JsonNestedColumns, JsonPathLiteral, JsonTable, JsonTableColumn, JsonTablePlan } from "../../ast/json.ts";
import {
  parseBehaviors,
  parseFormat,
  parsePathInvocation,
  parsePathLiteral,
  parseQueryClauses,
  parseValueBehavior,
} from "./json-functions.ts";

export function parseJsonTable(tokens: TokenStream): JsonTable {
  const location = tokens.location();
  tokens.advance();
  tokens.expect("(");
  const invocation = parsePathInvocation(tokens);
  const columns = parseColumns(tokens);
  const plan = tokens.accept("PLAN") ? parsePlan(tokens) : undefined;
  const errorBehavior = tokens.acceptOneOf(["ERROR", "EMPTY"] as const);
  if (errorBehavior !== undefined) {
    tokens.expect("ON");
    tokens.expect("ERROR");
  }
  tokens.expect(")");
  return {
    kind: "JsonTable",
    invocation,
    columns,
    ...(plan === undefined ? {} : { plan }),
    ...(errorBehavior === undefined ? {} : { errorBehavior }),
    location,
  };
}

function parseColumns(tokens: TokenStream): readonly JsonTableColumn[] {
  tokens.expect("COLUMNS");
  tokens.expect("(");
  const columns = tokens.list(() => tokens.nested(() => parseColumn(tokens)));
  tokens.expect(")");
  return columns;
}

function parseColumn(tokens: TokenStream): JsonTableColumn {
  const location = tokens.location();
  if (tokens.looksAt("NESTED") && opensNested(tokens)) {
    return parseNested(tokens, location);
  }
  const name = tokens.expectIdentifier();
  if (tokens.acceptWords("FOR", "ORDINALITY")) {
    return { kind: "JsonOrdinalityColumn", name, location };
  }
  const type = parseType(tokens);
  const format = parseFormat(tokens);
  const path = parseColumnPath(tokens);
  if (format !== undefined) {
    return { kind: "JsonQueryColumn", name, type, format, ...path, ...parseQueryClauses(tokens), location };
  }
  return { kind: "JsonValueColumn", name, type, ...path, ...parseBehaviors(tokens, () => parseValueBehavior(tokens)), location };
}

function parseColumnPath(tokens: TokenStream): { readonly path?: JsonPathLiteral } {
  return tokens.accept("PATH") ? { path: parsePathLiteral(tokens) } : {};
}

/** NESTED and PATH may also be names. */
function opensNested(tokens: TokenStream): boolean {
  const path = tokens.looksAt("PATH", 1) ? 2 : 1;
  return tokens.peek(path).kind === "string";
}

function parseNested(tokens: TokenStream, location: Location): JsonNestedColumns {
  tokens.expect("NESTED");
  tokens.accept("PATH");
  const path = parsePathLiteral(tokens);
  const pathName = tokens.accept("AS") ? tokens.expectIdentifier() : undefined;
  return {
    kind: "JsonNestedColumns",
    path,
    ...(pathName === undefined ? {} : { pathName }),
    columns: parseColumns(tokens),
    location,
  };
}

function parsePlan(tokens: TokenStream): JsonTablePlan | JsonDefaultPlan {
  const location = tokens.location();
  const isDefault = tokens.accept("DEFAULT");
  tokens.expect("(");
  const plan = isDefault ? parseDefaultPlan(tokens, location) : parseSpecificPlan(tokens);
  tokens.expect(")");
  return plan;
}

function parseDefaultPlan(tokens: TokenStream, location: Location): JsonDefaultPlan {
  const words = ["OUTER", "INNER", "UNION", "CROSS"] as const;
  const first = tokens.expectOneOf(words);
  const isParent = first === "OUTER" || first === "INNER";
  const others = isParent ? words.slice(2) : words.slice(0, 2);
  const second = tokens.accept(",") ? tokens.expectOneOf(others) : undefined;
  const chosen = new Set([first, second]);
  return {
    kind: "JsonDefaultPlan",
    parentChild: chosen.has("INNER") ? "INNER" : "OUTER",
    siblings: chosen.has("CROSS") ? "CROSS" : "UNION",
    location,
  };
}

function parseSpecificPlan(tokens: TokenStream): JsonTablePlan {
  return tokens.nested(() => {
    const location = tokens.location();
    const first = parsePlanPrimary(tokens);
    if (first.kind === "JsonPathPlan" && !tokens.looksAt(")")) {
      const type = tokens.acceptOneOf(["OUTER", "INNER"] as const);
      if (type !== undefined) {
        return { kind: "JsonParentPlan", parent: first.name, type, child: parsePlanPrimary(tokens), location };
      }
    }
    const type = tokens.acceptOneOf(["UNION", "CROSS"] as const);
    if (type === undefined) {
      return first;
    }
    const terms = [first, parsePlanPrimary(tokens)];
    while (tokens.accept(type)) {
      terms.push(parsePlanPrimary(tokens));
    }
    return { kind: "JsonSiblingsPlan", type, terms, location };
  });
}

function parsePlanPrimary(tokens: TokenStream): JsonTablePlan {
  const location = tokens.location();
  if (!tokens.accept("(")) {
    return { kind: "JsonPathPlan", name: tokens.expectIdentifier(), location };
  }
  const plan = parseSpecificPlan(tokens);
  tokens.expect(")");
  return plan;
}
