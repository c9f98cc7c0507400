/**
 * Parses MERGE.
 */
import type { Location } from "../../ast/expression-nodes.ts";
import { parseUpdateAssignment } from "./definitions.ts";
import { parseExpression } from "../expression-parser.ts";
import { parseRelation, parseRelationAlias } from "../relations.ts";
import type { MergeCase, Statement } from "../../ast/statements.ts";
import type { TokenStream } from "../token-stream.ts";

export function parseMerge(tokens: TokenStream, location: Location): Statement {
  tokens.expect("INTO");
  const table = tokens.expectQualifiedName();
  const alias = parseRelationAlias(tokens);
  tokens.expect("USING");
  const source = parseRelation(tokens);
  tokens.expect("ON");
  const condition = parseExpression(tokens);
  const cases = tokens.repeat(
    (count) => count === 0 || tokens.at("WHEN"),
    () => parseMergeCase(tokens),
  );
  return { kind: "Merge", table, ...(alias === undefined ? {} : { alias }), source, condition, cases, location };
}

function parseMergeCase(tokens: TokenStream): MergeCase {
  const location = tokens.location();
  tokens.expect("WHEN");
  const inserts = tokens.accept("NOT");
  tokens.expect("MATCHED");
  const condition = tokens.accept("AND") ? { condition: parseExpression(tokens) } : {};
  tokens.expect("THEN");
  if (inserts) {
    return parseMergeInsert(tokens, condition, location);
  }
  if (tokens.expectOneOf(["DELETE", "UPDATE"]) === "DELETE") {
    return { kind: "MergeDelete", ...condition, location };
  }
  tokens.expect("SET");
  return { kind: "MergeUpdate", ...condition, assignments: tokens.list(() => parseUpdateAssignment(tokens)), location };
}

function parseMergeInsert(tokens: TokenStream, condition: Pick<MergeCase, "condition">, location: Location): MergeCase {
  tokens.expect("INSERT");
  const columns = tokens.at("(") ? { columns: tokens.expectIdentifierList() } : {};
  tokens.expect("VALUES");
  tokens.expect("(");
  const values = tokens.list(() => parseExpression(tokens));
  tokens.expect(")");
  return { kind: "MergeInsert", ...condition, ...columns, values, location };
}
