/**
 * Parses column definitions and column changes.
 */
import type { Expression, Location, QualifiedName } from "../../ast/expression-nodes.ts";
import { parseValueExpression } from "../expression-parser.ts";
import { parseCommentClause, parseProperties } from "./properties.ts";
import { parseType } from "../types.ts";
import type { ColumnDefinition } from "../../ast/definition-statements.ts";
import type { Statement } from "../../ast/statements.ts";
import type { TokenStream } from "../token-stream.ts";

/** Trino's grammar has DEFAULT before NOT NULL; many tools write it after. */
export function parseColumnDefinition(tokens: TokenStream): ColumnDefinition {
  const name = tokens.expectIdentifier();
  const type = parseType(tokens);
  const before = parseDefault(tokens);
  const nullable = !tokens.acceptWords("NOT", "NULL");
  const defaultValue = before ?? (nullable ? undefined : parseDefault(tokens));
  const comment = parseCommentClause(tokens);
  return {
    kind: "ColumnDefinition",
    name,
    type,
    nullable,
    ...(defaultValue !== undefined && { defaultValue }),
    ...comment,
    properties: parseProperties(tokens),
    location: name.location,
  };
}

function parseDefault(tokens: TokenStream): Expression | undefined {
  return tokens.accept("DEFAULT") ? parseLiteral(tokens) : undefined;
}

const literals: ReadonlySet<Expression["kind"]> = new Set([
  "BinaryLiteral",
  "BooleanLiteral",
  "DecimalLiteral",
  "DoubleLiteral",
  "GenericLiteral",
  "IntervalLiteral",
  "LongLiteral",
  "NullLiteral",
  "StringLiteral",
]);

function isLiteral(expression: Expression): boolean {
  return literals.has(expression.kind) || (expression.kind === "ArithmeticUnary" && isNumber(expression.value));
}

function isNumber({ kind }: Expression): boolean {
  return kind === "LongLiteral" || kind === "DecimalLiteral" || kind === "DoubleLiteral";
}

function parseLiteral(tokens: TokenStream): Expression {
  const location = tokens.location();
  const expression = parseValueExpression(tokens);
  if (!isLiteral(expression)) {
    throw tokens.error("Default value of a column must be a literal", location);
  }
  return expression;
}

export interface ChangedColumn {
  readonly table: QualifiedName;
  readonly tableExists: boolean;
}

/** Parses the rest of `ALTER TABLE t ALTER COLUMN`. */
export function parseAlterColumn(tokens: TokenStream, location: Location, changed: ChangedColumn): Statement {
  const column = tokens.expectIdentifier();
  const sets = tokens.expectOneOf(["DROP", "SET"]) === "SET";
  const what = tokens.expectOneOf(sets ? ["DATA", "DEFAULT", "NOT"] : ["DEFAULT", "NOT"]);
  switch (what) {
    case "DATA":
      tokens.expect("TYPE");
      return { kind: "SetColumnType", ...changed, column, type: parseType(tokens), location };
    case "DEFAULT":
      return { kind: "SetColumnDefault", ...changed, column, ...(sets && { value: parseLiteral(tokens) }), location };
    case "NOT":
      tokens.expect("NULL");
      return { kind: "SetColumnNullable", ...changed, column, nullable: !sets, location };
  }
}
