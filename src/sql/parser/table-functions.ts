/** `TABLE(f(...))`. */
import type { Identifier, Location } from "../ast/expression-nodes.ts";
import { parseExpression } from "./expression-parser.ts";
import { parseSortItem } from "./sort.ts";
import { startsQuery } from "./subqueries.ts";
import { parseType } from "./types.ts";
import type { Relation } from "../ast/relations.ts";
import type { TokenStream } from "./token-stream.ts";
import type {
  DescriptorArgument,
  DescriptorField,
  EmptyTreatment,
  TableArgument,
  TableFunctionArgument,
  TableFunctionCall,
} from "../ast/table-functions.ts";

export function parseTableFunctionCall(tokens: TokenStream): TableFunctionCall {
  const location = tokens.location();
  tokens.expect("TABLE");
  tokens.expect("(");
  const name = tokens.expectQualifiedName();
  tokens.expect("(");
  const isEmpty = tokens.at(")") || atCopartition(tokens);
  const args = isEmpty ? [] : tokens.list(() => tokens.nested(() => parseArgument(tokens)));
  const copartitioned = tokens.accept("COPARTITION") ? tokens.list(() => parseCopartitioned(tokens)) : [];
  tokens.expect(")");
  tokens.expect(")");
  return { kind: "TableFunctionCall", name, arguments: args, copartitioned, location };
}

function atCopartition(tokens: TokenStream): boolean {
  return tokens.looksAt("COPARTITION") && tokens.looksAt("(", 1);
}

function parseCopartitioned(tokens: TokenStream): TableFunctionCall["copartitioned"][number] {
  tokens.expect("(");
  const first = tokens.expectQualifiedName();
  tokens.expect(",");
  const others = tokens.list(() => tokens.expectQualifiedName());
  tokens.expect(")");
  return [first, ...others];
}

function parseArgument(tokens: TokenStream): TableFunctionArgument {
  const location = tokens.location();
  if (tokens.looksAtIdentifier() && tokens.looksAt("=>", 1)) {
    const name = tokens.takeIdentifier();
    tokens.advance();
    return { kind: "TableFunctionArgument", name, value: parseValue(tokens), location };
  }
  return { kind: "TableFunctionArgument", value: parseValue(tokens), location };
}

function parseValue(tokens: TokenStream): TableFunctionArgument["value"] {
  if (tokens.looksAt("TABLE") && tokens.looksAt("(", 1)) {
    return parseTableArgument(tokens);
  }
  return parseDescriptor(tokens) ?? parseExpression(tokens);
}

function parseTableArgument(tokens: TokenStream): TableArgument {
  const location = tokens.location();
  tokens.expect("TABLE");
  tokens.expect("(");
  const inner = parseArgumentRelation(tokens);
  tokens.expect(")");
  const relation = parseAlias(tokens, inner, location);
  const partitionBy = tokens.acceptWords("PARTITION", "BY") ? parseItems(tokens, () => parseExpression(tokens)) : undefined;
  const emptyTreatment = parseEmptyTreatment(tokens);
  const orderBy = tokens.acceptWords("ORDER", "BY") ? parseItems(tokens, () => parseSortItem(tokens)) : undefined;
  return {
    kind: "TableArgument",
    relation,
    ...(partitionBy === undefined ? {} : { partitionBy }),
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(emptyTreatment === undefined ? {} : { emptyTreatment }),
    location,
  };
}

/** A name, or a query without parentheses. The analyzer rejects a table function call here. */
function parseArgumentRelation(tokens: TokenStream): Relation {
  const location = tokens.location();
  if (startsQuery(tokens, 0) || tokens.looksAt("(")) {
    return { kind: "TableSubquery", query: tokens.grammar.query(tokens), location };
  }
  const name = tokens.expectQualifiedName();
  if (!tokens.accept("(")) {
    return { kind: "Table", name, location };
  }
  const args = tokens.at(")") ? [] : tokens.list(() => tokens.nested(() => parseArgument(tokens)));
  tokens.expect(")");
  return { kind: "TableFunctionCall", name, arguments: args, copartitioned: [], location };
}

function parseAlias(tokens: TokenStream, relation: Relation, location: Location): Relation {
  const alias = parseAliasName(tokens);
  if (alias === undefined) {
    return relation;
  }
  if (!tokens.at("(")) {
    return { kind: "AliasedRelation", relation, alias, location };
  }
  return { kind: "AliasedRelation", relation, alias, columnNames: tokens.expectIdentifierList(), location };
}

function parseAliasName(tokens: TokenStream): Identifier | undefined {
  if (tokens.accept("AS")) {
    return tokens.expectIdentifier();
  }
  const opensClause =
    (tokens.looksAt("PARTITION") && tokens.looksAt("BY", 1)) ||
    ((tokens.looksAt("PRUNE") || tokens.looksAt("KEEP")) && tokens.looksAt("WHEN", 1)) ||
    atCopartition(tokens);
  if (tokens.looksAtIdentifier() && !opensClause) {
    return tokens.takeIdentifier();
  }
  tokens.welcome("<identifier>");
  return undefined;
}

/** `(a, b)` or `a` */
function parseItems<T>(tokens: TokenStream, item: () => T): readonly T[] {
  if (!tokens.accept("(")) {
    return [item()];
  }
  const items = tokens.at(")") ? [] : tokens.list(item);
  tokens.expect(")");
  return items;
}

function parseEmptyTreatment(tokens: TokenStream): EmptyTreatment | undefined {
  const location = tokens.location();
  const treatment = tokens.acceptOneOf(["PRUNE", "KEEP"] as const);
  if (treatment === undefined) {
    return undefined;
  }
  tokens.expect("WHEN");
  tokens.expect("EMPTY");
  return { kind: "EmptyTreatment", treatment, location };
}

/** Returns undefined for a function call with that name, or if it is no descriptor. */
function parseDescriptor(tokens: TokenStream): DescriptorArgument | undefined {
  const location = tokens.location();
  if (tokens.looksAt("CAST") && tokens.looksAt("NULL", 2) && tokens.looksAt("AS", 3) && tokens.looksAt("DESCRIPTOR", 4)) {
    for (const text of ["CAST", "(", "NULL", "AS", "DESCRIPTOR", ")"]) {
      tokens.expect(text);
    }
    return { kind: "DescriptorArgument", location };
  }
  if (!tokens.looksAt("DESCRIPTOR") || !tokens.looksAt("(", 1) || !looksAtField(tokens, 2)) {
    return undefined;
  }
  tokens.advance();
  tokens.expect("(");
  const fields = tokens.list(() => parseField(tokens));
  tokens.expect(")");
  return { kind: "DescriptorArgument", fields, location };
}

/** A descriptor field is a name, followed by another field, the end or a type. */
function looksAtField(tokens: TokenStream, ahead: number): boolean {
  const next = tokens.peek(ahead + 1);
  return (
    tokens.looksAtIdentifier(ahead) &&
    (tokens.looksAt(",", ahead + 1) || tokens.looksAt(")", ahead + 1) || next.kind === "word" || next.kind === "quoted")
  );
}

function parseField(tokens: TokenStream): DescriptorField {
  const location = tokens.location();
  const name = tokens.expectIdentifier();
  if (tokens.at(",") || tokens.at(")")) {
    return { kind: "DescriptorField", name, location };
  }
  return { kind: "DescriptorField", name, type: parseType(tokens), location };
}
