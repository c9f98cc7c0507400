/**
 * Queries and relations -> SQL text, in Presto's layout: a clause a line. Called by printer.ts and printer/expression-printer.ts.
 */
import type { Identifier } from "../ast/expression-nodes.ts";
import { jsonTableLines } from "./json.ts";
import { printExpression, printIdentifier, printList, printName, printOrderBy, printWindowSpecification } from "./expression-printer.ts";
import { patternLines } from "./patterns.ts";
import { functionLines } from "./routines.ts";
import type {
  AliasedRelation,
  Corresponding,
  GroupBy,
  GroupingElement,
  Join,
  Query,
  QueryBody,
  QuerySpecification,
  Relation,
  Select,
  SelectItem,
  With,
} from "../ast/relations.ts";
import { tableFunctionLines } from "./table-functions.ts";

export function printQuery(node: Query): string {
  return queryLines(node).join("\n");
}

function sessionLines({ session = [] }: Query): readonly string[] {
  if (session.length === 0) {
    return [];
  }
  return ["WITH SESSION", ...itemLines(session.map(({ name, value }) => `${printName(name)} = ${printExpression(value)}`))];
}

function functionsLines({ functions = [] }: Query): readonly string[] {
  return functions.flatMap((node, index) => {
    const [first, ...rest] = functionLines(node);
    return [`${index === 0 ? "WITH" : ","} ${first}`, ...rest];
  });
}

function queryLines(node: Query): readonly string[] {
  const lines = [
    ...sessionLines(node),
    ...functionsLines(node),
    ...(node.with === undefined ? [] : withLines(node.with)),
    ...bodyLines(node.body),
  ];
  if (node.orderBy.length > 0) {
    lines.push(printOrderBy(node.orderBy));
  }
  if (node.offset !== undefined) {
    lines.push(`OFFSET ${printExpression(node.offset)} ROWS`);
  }
  if (node.limit?.kind === "Limit") {
    lines.push(`LIMIT ${node.limit.count === undefined ? "ALL" : printExpression(node.limit.count)}`);
  } else if (node.limit?.kind === "FetchFirst") {
    const count = node.limit.count === undefined ? "" : `${printExpression(node.limit.count)} `;
    const percent = node.limit.percent ? "PERCENT " : "";
    lines.push(`FETCH FIRST ${count}${percent}ROWS ${node.limit.withTies ? "WITH TIES" : "ONLY"}`);
  }
  return lines;
}

function withLines(node: With): readonly string[] {
  const lines: string[] = [];
  for (const [index, query] of node.queries.entries()) {
    const lead = index === 0 ? `WITH${node.recursive ? " RECURSIVE" : ""}` : ",";
    lines.push(`${lead} ${printIdentifier(query.name)}${printColumns(query.columnNames)} AS (`, ...indent(queryLines(query.query)), ")");
  }
  return lines;
}

export function printColumns(names: readonly Identifier[] | undefined): string {
  return names === undefined ? "" : ` (${names.map(printIdentifier).join(", ")})`;
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** Terms need no parentheses: the parser makes a set operation a term only where precedence says the same. */
function bodyLines(node: QueryBody): readonly string[] {
  switch (node.kind) {
    case "QuerySpecification":
      return specificationLines(node);
    case "SetOperation": {
      const operator = `${node.operator}${node.distinct ? "" : " ALL"}${correspondingText(node.corresponding)}`;
      return node.terms.flatMap((term, index) => (index === 0 ? bodyLines(term) : [operator, ...bodyLines(term)]));
    }
    case "Values":
      return ["VALUES", ...itemLines(node.rows.map(printExpression))];
    case "TableQuery":
      return [`TABLE ${printName(node.name)}`];
    case "TableSubquery":
      return ["(", ...indent(queryLines(node.query)), ")"];
  }
}

function correspondingText(node: Corresponding | undefined): string {
  if (node === undefined) {
    return "";
  }
  return node.columns === undefined ? " CORRESPONDING" : ` CORRESPONDING BY${printColumns(node.columns)}`;
}

/** Presto's list of items, a line each, commas in front. */
function itemLines(items: readonly string[]): readonly string[] {
  return items.map((item, index) => (index === 0 ? `  ${item}` : `, ${item}`));
}

function specificationLines(node: QuerySpecification): readonly string[] {
  const lines = [...selectLines(node.select)];
  if (node.from !== undefined) {
    lines.push("FROM", ...indent(relationLines(node.from)));
  }
  if (node.where !== undefined) {
    lines.push(`WHERE ${printExpression(node.where)}`);
  }
  if (node.groupBy !== undefined) {
    lines.push(printGroupBy(node.groupBy));
  }
  if (node.having !== undefined) {
    lines.push(`HAVING ${printExpression(node.having)}`);
  }
  if (node.windows.length > 0) {
    const windows = node.windows.map((window) => `${printIdentifier(window.name)} AS ${printWindowSpecification(window.window)}`);
    lines.push(`WINDOW ${windows.join(", ")}`);
  }
  return lines;
}

function selectLines(node: Select): readonly string[] {
  const head = node.distinct ? "SELECT DISTINCT" : "SELECT";
  const items = node.items.map(printSelectItem);
  return items.length === 1 ? [`${head} ${items[0]}`] : [head, ...itemLines(items)];
}

function printSelectItem(node: SelectItem): string {
  if (node.kind === "AllColumns") {
    const target = node.target === undefined ? "" : `${printTarget(node.target)}.`;
    return `${target}*${node.aliases.length === 0 ? "" : ` AS${printColumns(node.aliases)}`}`;
  }
  return `${printExpression(node.expression)}${node.alias === undefined ? "" : ` AS ${printIdentifier(node.alias)}`}`;
}

/** Before `.*` anything but a name stands in parentheses. */
function printTarget(node: Parameters<typeof printExpression>[0]): string {
  return node.kind === "Identifier" || node.kind === "Dereference" ? printExpression(node) : `(${printExpression(node)})`;
}

function printGroupBy(node: GroupBy): string {
  return `GROUP BY ${node.distinct ? "DISTINCT " : ""}${node.elements.map(printGroupingElement).join(", ")}`;
}

function printGroupingElement(node: GroupingElement): string {
  switch (node.kind) {
    case "SimpleGroupBy":
      return printGroupingSet(node.expressions);
    case "GroupingSets":
      return `GROUPING SETS (${node.sets.map(printGroupingSet).join(", ")})`;
    case "Rollup":
      return `ROLLUP (${printList(node.expressions)})`;
    case "Cube":
      return `CUBE (${printList(node.expressions)})`;
  }
}

function printGroupingSet(expressions: readonly Parameters<typeof printExpression>[0][]): string {
  const [only] = expressions;
  return expressions.length === 1 && only !== undefined ? printExpression(only) : `(${printList(expressions)})`;
}

export function printRelation(node: Relation): string {
  return relationLines(node).join("\n");
}

function relationLines(node: Relation): readonly string[] {
  switch (node.kind) {
    case "Table":
      return [printName(node.name)];
    case "AliasedRelation":
      return append(primaryLines(node.relation), ` ${printAlias(node)}`);
    case "TableSubquery":
      return ["(", ...indent(queryLines(node.query)), ")"];
    case "Join":
      return joinLines(node);
    case "Lateral":
      return ["LATERAL (", ...indent(queryLines(node.query)), ")"];
    case "Unnest":
      return [`UNNEST(${printList(node.expressions)})${node.withOrdinality ? " WITH ORDINALITY" : ""}`];
    case "JsonTable":
      return jsonTableLines(node);
    case "PatternRecognition": {
      const inner = node.relation;
      const isAliased = inner.kind === "AliasedRelation" && inner.relation.kind !== "PatternRecognition";
      const source = isAliased ? relationLines(inner) : primaryLines(inner);
      const lines = inner.kind === "PatternRecognition" ? append(prepend("(", source), ")") : source;
      return [...append(lines, " MATCH_RECOGNIZE ("), ...indent(patternLines(node)), ")"];
    }
    case "TableFunctionCall":
      return tableFunctionLines(node, { relation: relationLines, alias: printAlias });
    case "SampledRelation": {
      const inner = node.relation.kind === "AliasedRelation" ? relationLines(node.relation) : primaryLines(node.relation);
      return append(inner, ` TABLESAMPLE ${node.method} (${printExpression(node.percentage)})`);
    }
  }
}

function printAlias({ alias, columnNames }: AliasedRelation): string {
  return `AS ${printIdentifier(alias)}${printColumns(columnNames)}`;
}

/** What may take an alias as it stands, or else in parentheses; a join brings its own. */
function primaryLines(node: Relation): readonly string[] {
  const lines = relationLines(node);
  return node.kind === "AliasedRelation" || node.kind === "SampledRelation" ? append(prepend("(", lines), ")") : lines;
}

function joinLines(node: Join): readonly string[] {
  const left = relationLines(node.left);
  const right = relationLines(node.right);
  if (node.type === "IMPLICIT") {
    return [...left, ...prepend(", ", right)];
  }
  const natural = node.criteria?.kind === "NaturalJoin" ? "NATURAL " : "";
  return append([...prepend("(", left), ...prepend(`${natural}${node.type} JOIN `, right)], `${printCriteria(node)})`);
}

function printCriteria(node: Join): string {
  switch (node.criteria?.kind) {
    case "JoinOn":
      return ` ON ${printExpression(node.criteria.expression)}`;
    case "JoinUsing":
      return ` USING${printColumns(node.criteria.columns)}`;
    default:
      return "";
  }
}

function prepend(text: string, lines: readonly string[]): readonly string[] {
  const [first = "", ...others] = lines;
  return [text + first, ...others];
}

function append(lines: readonly string[], text: string): readonly string[] {
  return [...lines.slice(0, -1), (lines[lines.length - 1] ?? "") + text];
}
