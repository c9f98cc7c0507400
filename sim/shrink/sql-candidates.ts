/**
 * Generates simpler versions of a SQL text from its syntax tree: without single clauses, columns, joins or predicates, with a subquery in
 * place of the whole, with an operand in place of its operation, with small literals. They may have other semantics; each of them parses
 * and is shorter.
 */
import { parseStatement } from "../../src/sql/parser/parser.ts";
import { printStatement } from "../../src/sql/printer/printer.ts";
import type { Statement } from "../../src/sql/ast/ast.ts";

/** A node of the tree, viewed without its type, by its members. */
interface Node {
  readonly kind: string;
  readonly [member: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { kind?: unknown }).kind === "string";
}

const location = { lineNumber: 1, columnNumber: 1 };
const one: Node = { kind: "LongLiteral", value: "1", location };

/** Shortest first. */
export function shorterTexts(sql: string): readonly string[] {
  let tree: Node;
  try {
    tree = parseStatement(sql) as unknown as Node;
  } catch {
    return [];
  }
  // Compares printed lengths, because the printer adds text for clarity.
  const own = textOf(tree)?.length ?? sql.length;
  const found = new Set<string>();
  for (const variant of variantsOf(tree)) {
    const text = textOf(variant);
    if (text !== undefined && text.length < own) {
      found.add(text);
    }
  }
  // Tables of an explicit schema can be replaced by those of the plan's schema, which are smaller.
  const unqualified = sql.replaceAll(/\btpch\.\w+\./g, "");
  if (unqualified !== sql) {
    found.add(unqualified);
  }
  return [...found].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** The text on one line; undefined if it does not parse back to the same tree. */
function textOf(tree: Node): string | undefined {
  try {
    const printed = printStatement(tree as unknown as Statement);
    parseStatement(printed);
    const line = printed.replaceAll(/\s+/g, " ").replaceAll(" , ", ", ").replaceAll("( ", "(").replaceAll(" )", ")").trim();
    return means(line, printed) ? withoutClutter(line, printed) : printed;
  } catch {
    return undefined;
  }
}

function means(text: string, printed: string): boolean {
  try {
    return printStatement(parseStatement(text)) === printed;
  } catch {
    return false;
  }
}

/** Removes parentheses and keywords that do not change the parsed statement. */
function withoutClutter(line: string, printed: string): string {
  let text = line;
  for (const word of [" ASC", " AS", " INNER", " ROWS"]) {
    const shorter = text.replaceAll(new RegExp(`${word}(?=[ ,)]|$)`, "g"), "");
    text = means(shorter, printed) ? shorter : text;
  }
  for (let open = text.indexOf("("); open >= 0; open = text.indexOf("(", open + 1)) {
    const close = closingOf(text, open);
    const shorter = close < 0 ? text : text.slice(0, open) + text.slice(open + 1, close) + text.slice(close + 1);
    if (shorter !== text && means(shorter, printed)) {
      text = shorter;
      open--;
    }
  }
  return text;
}

function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let index = open; index < text.length; index++) {
    depth += text[index] === "(" ? 1 : text[index] === ")" ? -1 : 0;
    if (depth === 0) {
      return index;
    }
  }
  return -1;
}

/** The tree with one part simplified. */
function* variantsOf(node: Node): Generator<Node> {
  yield* simpler(node);
  for (const [member, value] of Object.entries(node)) {
    if (isNode(value)) {
      for (const variant of variantsOf(value)) {
        yield { ...node, [member]: variant };
      }
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        for (const variant of isNode(item) ? variantsOf(item) : []) {
          yield { ...node, [member]: value.map((old: unknown, at) => (at === index ? variant : old)) };
        }
      }
    }
  }
}

function* simpler(node: Node): Generator<Node> {
  const rule = rules[node.kind];
  if (rule !== undefined) {
    yield* rule(node);
  } else if (isExpression(node)) {
    // Replaces any operation by each of its operands.
    yield* partsOf(node).filter(isExpression);
  }
}

type Rule = (node: Node) => Iterable<Node>;

const rules: Readonly<Record<string, Rule>> = {
  Query: (node) => [
    ...nestedQueries(node),
    ...without(node, ["with", "offset", "limit"]),
    ...shorterLists(node, "orderBy", 0),
    ...(isNode(node["with"]) ? shorterLists(node["with"], "queries", 1).map((shorter) => ({ ...node, with: shorter })) : []),
  ],
  SetOperation: (node) => [
    ...list(node, "terms"),
    ...shorterLists(node, "terms", 2),
    ...(node["distinct"] === true ? [{ ...node, distinct: false }] : []),
  ],
  QuerySpecification: (node) => without(node, ["where", "having", "groupBy"]),
  Select: (node) => [...shorterLists(node, "items", 1), ...(node["distinct"] === true ? [{ ...node, distinct: false }] : [])],
  GroupBy: (node) => shorterLists(node, "elements", 1),
  SimpleGroupBy: (node) => shorterLists(node, "expressions", 1),
  SingleColumn: (node) => without(node, ["alias"]),
  Join: (node) => [node["left"], node["right"]].filter(isNode),
  AliasedRelation: (node) => (isNode(node["relation"]) ? [node["relation"]] : []),
  SampledRelation: (node) => (isNode(node["relation"]) ? [node["relation"]] : []),
  Logical: (node) => [...list(node, "terms"), ...shorterLists(node, "terms", 2)],
  InList: (node) => shorterLists(node, "list", 1),
  Values: (node) => shorterLists(node, "rows", 1),
  Case: (node) => [...without(node, ["defaultValue"]), ...shorterLists(node, "whenClauses", 1), ...partsOf(node).filter(isExpression)],
  FunctionCall: (node) => [
    ...without(node, ["filter", "window"]),
    ...(node["distinct"] === true ? [{ ...node, distinct: false }] : []),
    ...shorterLists(node, "orderBy", 0),
    ...list(node, "arguments"),
    ...(node["star"] === true ? [] : [{ ...node, name: nameOf("count"), arguments: [], star: true, distinct: false, orderBy: [] }]),
  ],
  Identifier: () => [],
  Dereference: (node) => (isNode(node["field"]) ? [node["field"]] : []),
  LongLiteral: (node) => (node["value"] === "1" || node["value"] === "0" ? [] : [one]),
  DecimalLiteral: () => [one],
  StringLiteral: (node) => (node["value"] === "" ? [] : [{ ...node, value: "" }]),
};

function nameOf(value: string): Node {
  return { kind: "QualifiedName", parts: [{ kind: "Identifier", value, delimited: false, location }], location };
}

/** Kinds of nodes that stand for a value and can replace each other. */
const expressions: ReadonlySet<string> = new Set([
  "Identifier",
  "Dereference",
  "NullLiteral",
  "BooleanLiteral",
  "LongLiteral",
  "DecimalLiteral",
  "DoubleLiteral",
  "StringLiteral",
  "GenericLiteral",
  "IntervalLiteral",
  "ArithmeticBinary",
  "ArithmeticUnary",
  "Comparison",
  "Logical",
  "Not",
  "Between",
  "InList",
  "InSubquery",
  "Like",
  "IsNull",
  "IsNotNull",
  "QuantifiedComparison",
  "Case",
  "Cast",
  "Extract",
  "FunctionCall",
  "SubqueryExpression",
  "Exists",
  "Subscript",
]);

function isExpression(node: Node): boolean {
  return expressions.has(node.kind);
}

function partsOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .flatMap((value) => (isNode(value) ? (value.kind === "WhenClause" ? partsOf(value) : [value]) : []));
}

/** The nested queries, each in place of the whole. */
function nestedQueries(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter(isNode)
    .flatMap((part) => (part.kind === "Query" ? [part] : nestedQueries(part)));
}

function without(node: Node, members: readonly string[]): readonly Node[] {
  return members
    .filter((member) => node[member] !== undefined)
    .map((member) => Object.fromEntries(Object.entries(node).filter(([name]) => name !== member)) as unknown as Node);
}

function list(node: Node, member: string): readonly Node[] {
  const items = node[member];
  return Array.isArray(items) ? items.filter(isNode) : [];
}

/** Halves of a list, then the list without each single item. */
function shorterLists(node: Node, member: string, least: number): readonly Node[] {
  const items = list(node, member);
  if (items.length <= least) {
    return [];
  }
  const half = Math.max(least, Math.ceil(items.length / 2));
  const shorter = [
    items.slice(0, least),
    items.slice(0, half),
    items.slice(-half),
    ...items.map((_, index) => items.filter((__, at) => at !== index)),
  ];
  return shorter.filter((kept) => kept.length < items.length).map((kept) => ({ ...node, [member]: kept }));
}
