/** ORDER BY: of queries, windows, aggregates, patterns and table arguments. */
import type { SortItem } from "../ast/expression-nodes.ts";
import type { TokenStream } from "./token-stream.ts";

export function parseOrderBy(tokens: TokenStream): readonly SortItem[] {
  return tokens.acceptWords("ORDER", "BY") ? tokens.list(() => parseSortItem(tokens)) : [];
}

export function parseSortItem(tokens: TokenStream): SortItem {
  const location = tokens.location();
  const key = tokens.grammar.expression(tokens);
  const ordering = tokens.acceptOneOf(["ASC", "DESC"]) ?? "ASC";
  const nulls = tokens.accept("NULLS") ? tokens.expectOneOf(["FIRST", "LAST"]) : undefined;
  return { kind: "SortItem", key, ordering, ...(nulls === undefined ? {} : { nulls }), location };
}
