/**
 * Expressions, queries and relations -> SQL text. Expressions are in Presto's formatting, every operator in parentheses; queries are in its
 * layout, a clause a line.
 */
import { isBareName } from "../ast/ast.ts";
import type {
  Case,
  WhenClause,
  Expression,
  FrameBound,
  FunctionCall,
  Identifier,
  IntervalLiteral,
  SortItem,
  Window,
  WindowFrame,
  WindowSpecification,
} from "../ast/expression-nodes.ts";
import { jsonTableLines, printJsonFunction } from "./json.ts";
import { patternLines, printClauses, printMeasures } from "./patterns.ts";
import { append, indent, itemLines, type NodePrinter, prepend } from "./lines.ts";
import { printIdentifier, printName, printString, printType, printTypeName } from "./names.ts";
import type {
  AliasedRelation,
  Corresponding,
  GroupBy,
  GroupingElement,
  Join,
  Query,
  QueryBody,
  Pivot,
  QueryPeriod,
  QuerySpecification,
  Relation,
  Select,
  SelectItem,
  With,
} from "../ast/relations.ts";
import { functionLines } from "./routines.ts";
import { tableFunctionLines } from "./table-functions.ts";

type Printers = { readonly [K in Expression["kind"]]: (node: Extract<Expression, { readonly kind: K }>) => string };

const printers: Printers = {
  Identifier: printIdentifier,
  Dereference: (node) => `${printBase(node.base)}.${printIdentifier(node.field)}`,
  NullLiteral: () => "null",
  BooleanLiteral: (node) => String(node.value),
  LongLiteral: (node) => node.value,
  DecimalLiteral: (node) => node.value,
  DoubleLiteral: (node) => printDouble(node.value),
  StringLiteral: (node) => printString(node.value),
  BinaryLiteral: (node) => `X'${node.value}'`,
  GenericLiteral: (node) => `${printTypeName(node.type, (name) => name.toUpperCase())} ${printString(node.value)}`,
  IntervalLiteral: printInterval,
  ArithmeticBinary: (node) => `(${printOperand(node.left)} ${node.operator} ${printOperand(node.right)})`,
  ArithmeticUnary: (node) => printSigned(node.sign, printOperand(node.value)),
  Comparison: (node) => `(${printOperand(node.left)} ${node.operator} ${printOperand(node.right)})`,
  Logical: (node) => `(${node.terms.map(printOperand).join(` ${node.operator} `)})`,
  Not: (node) => `(NOT ${printOperand(node.value)})`,
  Between: (node) => `(${printOperand(node.value)} BETWEEN ${printOperand(node.min)} AND ${printOperand(node.max)})`,
  InList: (node) => `(${printOperand(node.value)} IN (${printList(node.list)}))`,
  InSubquery: (node) => `(${printOperand(node.value)} IN (${printQuery(node.query)}))`,
  Like: (node) => {
    const escape = node.escape === undefined ? "" : ` ESCAPE ${printOperand(node.escape)}`;
    return `(${printOperand(node.value)} LIKE ${printOperand(node.pattern)}${escape})`;
  },
  Overlaps: (node) => `(${printOperand(node.left)} OVERLAPS ${printOperand(node.right)})`,
  IsNull: (node) => `(${printOperand(node.value)} IS NULL)`,
  IsNotNull: (node) => `(${printOperand(node.value)} IS NOT NULL)`,
  QuantifiedComparison: (node) => `(${printOperand(node.value)} ${node.operator} ${node.quantifier} (${printQuery(node.query)}))`,
  Case: printCase,
  Cast: (node) => `${node.safe ? "TRY_CAST" : "CAST"}(${printExpression(node.value)} AS ${printType(node.type)})`,
  Extract: (node) => `EXTRACT(${node.field} FROM ${printOperand(node.value)})`,
  AtTimeZone: (node) => `${printBase(node.value)} AT TIME ZONE ${printExpression(node.timeZone)}`,
  CurrentTime: (node) => node.function.toLowerCase() + (node.precision === undefined ? "" : `(${node.precision})`),
  CurrentName: (node) => node.name,
  FunctionCall: printCall,
  WindowMeasure: (node) => `${printIdentifier(node.name)} OVER ${printWindow(node.window)}`,
  SubqueryExpression: (node) => `(${printQuery(node.query)})`,
  Exists: (node) => `(EXISTS (${printQuery(node.query)}))`,
  Row: (node) => `ROW (${printList(node.items)})`,
  ArrayConstructor: (node) => `ARRAY[${node.items.map(printExpression).join(",")}]`,
  Subscript: (node) => `${printBase(node.base)}[${printOperand(node.index)}]`,
  Lambda: (node) => `(${node.parameters.map(printIdentifier).join(", ")}) -> ${printExpression(node.body)}`,
  Parameter: () => "?",
  JsonExists: (node) => printJsonFunction(node, nodePrinter),
  JsonValue: (node) => printJsonFunction(node, nodePrinter),
  JsonQuery: (node) => printJsonFunction(node, nodePrinter),
  JsonObject: (node) => printJsonFunction(node, nodePrinter),
  JsonArray: (node) => printJsonFunction(node, nodePrinter),
};

export const nodePrinter: NodePrinter = Object.freeze({
  expression: printExpression,
  sortItem: printSortItem,
  relation: relationLines,
  alias: printAlias,
});

export function printExpression(node: Expression): string {
  // The table has the printer for exactly this kind; the compiler cannot infer that.
  const print = printers[node.kind] as (node: Expression) => string;
  return print(node);
}

/** Prints an operand of an operator. A lambda gets parentheses, because its body would include the rest of the operator's text. */
function printOperand(node: Expression): string {
  return node.kind === "Lambda" ? `(${printExpression(node)})` : printExpression(node);
}

/**
 * Prints the base of `.`, `[` or AT TIME ZONE, which bind tighter than a sign. `1.x` would be read as a number, and `array[x]` as an array
 * constructor.
 */
function printBase(node: Expression): string {
  const loose =
    node.kind === "ArithmeticUnary" ||
    node.kind === "Lambda" ||
    node.kind === "AtTimeZone" ||
    node.kind === "LongLiteral" ||
    (node.kind === "Identifier" && !node.delimited && node.value.toUpperCase() === "ARRAY");
  return loose ? `(${printExpression(node)})` : printExpression(node);
}

export function printList(nodes: readonly Expression[]): string {
  return nodes.map(printExpression).join(", ");
}

/** Prints the shortest digits that give the same double, with one digit before the point: `1.5E0`. */
function printDouble(value: number): string {
  return Number.isFinite(value) ? value.toExponential().replace("e+", "E").replace("e", "E") : "1E999";
}

function printSigned(sign: string, value: string): string {
  return value.startsWith("-") || value.startsWith("+") ? `${sign} ${value}` : sign + value;
}

function printInterval(node: IntervalLiteral): string {
  const end = node.endField === undefined ? "" : ` TO ${node.endField}`;
  return `INTERVAL ${node.sign === "-" ? "-" : ""}${printString(node.value)} ${node.startField}${end}`;
}

function printCase(node: Case): string {
  const operand = node.operand === undefined ? "" : ` ${printExpression(node.operand)}`;
  const whens = node.whenClauses.map((when) => ` WHEN ${printWhen(node, when)} THEN ${printExpression(when.result)}`).join("");
  const otherwise = node.defaultValue === undefined ? "" : ` ELSE ${printExpression(node.defaultValue)}`;
  return `(CASE${operand}${whens}${otherwise} END)`;
}

function printWhen({ operand: value }: Case, { isPredicate, operand }: WhenClause): string {
  return isPredicate === true && value !== undefined ? printPredicateOn(value, operand) : printExpression(operand);
}

/** A predicate without its left operand. */
function printPredicateOn(value: Expression, predicate: Expression): string {
  if (predicate.kind === "Not") {
    const rest = printPredicateOn(value, predicate.value);
    return rest.startsWith("IS ") ? `IS NOT ${rest.slice("IS ".length)}` : `NOT ${rest}`;
  }
  return printExpression(predicate).slice(`(${printOperand(value)} `.length, -1);
}

function printCall(node: FunctionCall): string {
  if (isListagg(node)) {
    return printListagg(node);
  }
  const args = isNormalize(node) ? printNormalizeArguments(node) : printArguments(node);
  const filter = node.filter === undefined ? "" : ` FILTER (WHERE ${printExpression(node.filter)})`;
  const nulls = node.nullTreatment === undefined ? "" : ` ${node.nullTreatment} NULLS`;
  const over = node.window === undefined ? "" : ` OVER ${printWindow(node.window)}`;
  if (isBareName(node.name, "grouping")) {
    return `GROUPING (${args})`;
  }
  const mode = node.processingMode === undefined ? "" : `${node.processingMode.mode} `;
  const name = isForm(node) ? printName(node.name).toUpperCase() : printName(node.name);
  return `${mode}${name}(${args})${filter}${nulls}${over}`;
}

/** Returns whether the grammar recognizes the function's name; such names are printed as keywords. */
function isForm({ name }: FunctionCall): boolean {
  return ["coalesce", "if", "nullif", "try"].some((form) => isBareName(name, form));
}

/** Matches the call that the parser builds for LISTAGG ... WITHIN GROUP. */
function isListagg(node: FunctionCall): boolean {
  const kinds = node.arguments.map(({ kind }) => kind);
  return (
    isBareName(node.name, "listagg") &&
    kinds.slice(1).join() === "StringLiteral,BooleanLiteral,StringLiteral,BooleanLiteral" &&
    node.orderBy.length > 0
  );
}

function printListagg(node: FunctionCall): string {
  const [text, separator, isError, filler, showsCount] = node.arguments as readonly [Expression, ...Expression[]];
  const count = showsCount?.kind === "BooleanLiteral" && showsCount.value ? "WITH" : "WITHOUT";
  const isStrict = isError?.kind === "BooleanLiteral" && isError.value;
  const overflow = isStrict ? "" : ` ON OVERFLOW TRUNCATE ${printExpression(filler as Expression)} ${count} COUNT`;
  const filter = node.filter === undefined ? "" : ` FILTER (WHERE ${printExpression(node.filter)})`;
  const args = `${node.distinct ? "DISTINCT " : ""}${printExpression(text)}, ${printExpression(separator as Expression)}${overflow}`;
  return `${printName(node.name)}(${args}) WITHIN GROUP (${printOrderBy(node.orderBy)})${filter}`;
}

function printArguments(node: FunctionCall): string {
  if (node.star) {
    return node.starLabel === undefined ? "*" : `${printIdentifier(node.starLabel)}.*`;
  }
  const orderBy = node.orderBy.length === 0 ? "" : ` ${printOrderBy(node.orderBy)}`;
  return `${node.distinct ? "DISTINCT " : ""}${printList(node.arguments)}${orderBy}`;
}

/** NORMALIZE is a reserved word, and its second argument is a keyword. */
function isNormalize(node: FunctionCall): boolean {
  return node.name.parts.length === 1 && node.name.parts[0]?.value === "normalize" && node.name.parts[0].delimited === false;
}

function printNormalizeArguments(node: FunctionCall): string {
  return node.arguments
    .map((argument, index) => (index === 1 && argument.kind === "StringLiteral" ? argument.value : printOperand(argument)))
    .join(", ");
}

function printOrderBy(items: readonly SortItem[]): string {
  return `ORDER BY ${items.map(printSortItem).join(", ")}`;
}

function printSortItem(node: SortItem): string {
  return `${printExpression(node.key)} ${node.ordering}${node.nulls === undefined ? "" : ` NULLS ${node.nulls}`}`;
}

function printWindow(node: Window): string {
  return node.kind === "WindowReference" ? printIdentifier(node.name) : printWindowSpecification(node);
}

function printWindowSpecification(node: WindowSpecification): string {
  const parts: string[] = [];
  if (node.existingWindow !== undefined) {
    parts.push(printIdentifier(node.existingWindow));
  }
  if (node.partitionBy.length > 0) {
    parts.push(`PARTITION BY ${printList(node.partitionBy)}`);
  }
  if (node.orderBy.length > 0) {
    parts.push(printOrderBy(node.orderBy));
  }
  if (node.frame !== undefined) {
    parts.push(printFrame(node.frame));
  }
  return `(${parts.join(" ")})`;
}

function printFrame(node: WindowFrame): string {
  const start = printFrameBound(node.start);
  const extent = node.end === undefined ? `${node.type} ${start}` : `${node.type} BETWEEN ${start} AND ${printFrameBound(node.end)}`;
  const { recognition } = node;
  return recognition === undefined
    ? extent
    : [...printMeasures(recognition.measures, nodePrinter), extent, ...printClauses(recognition, nodePrinter)].join(" ");
}

function printFrameBound(node: FrameBound): string {
  return node.value === undefined ? node.type : `${printOperand(node.value)} ${node.type}`;
}

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
    const [first, ...rest] = functionLines(node, nodePrinter);
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

/** Terms need no parentheses: a set operation is only parsed as a term where the precedence implies it. */
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
  if (node.qualify !== undefined) {
    lines.push(`QUALIFY ${printExpression(node.qualify)}`);
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

/** Before `.*`, every expression except a name gets parentheses. */
function printTarget(node: Expression): string {
  return node.kind === "Identifier" || node.kind === "Dereference" ? printExpression(node) : `(${printExpression(node)})`;
}

function printGroupBy(node: GroupBy): string {
  return `GROUP BY ${node.distinct ? "DISTINCT " : ""}${node.elements.map(printGroupingElement).join(", ")}`;
}

function printGroupingElement(node: GroupingElement): string {
  switch (node.kind) {
    case "SimpleGroupBy":
      return printGroupingSet(node.expressions);
    case "AutoGroupBy":
      return "AUTO";
    case "GroupingSets":
      return `GROUPING SETS (${node.sets.map(printGroupingSet).join(", ")})`;
    case "Rollup":
      return `ROLLUP (${printList(node.expressions)})`;
    case "Cube":
      return `CUBE (${printList(node.expressions)})`;
  }
}

function printGroupingSet(expressions: readonly Expression[]): string {
  const [only] = expressions;
  return expressions.length === 1 && only !== undefined ? printExpression(only) : `(${printList(expressions)})`;
}

function printPeriod({ pointer, state, value }: QueryPeriod): string {
  return `FOR ${pointer} ${state} ${printExpression(value)}`;
}

export function printRelation(node: Relation): string {
  return relationLines(node).join("\n");
}

function relationLines(node: Relation): readonly string[] {
  switch (node.kind) {
    case "Table":
      return [`${printName(node.name)}${node.period === undefined ? "" : ` ${printPeriod(node.period)}`}`];
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
      return jsonTableLines(node, nodePrinter);
    case "PatternRecognition":
      return [...append(sourceLines(node.relation), " MATCH_RECOGNIZE ("), ...indent(patternLines(node, nodePrinter)), ")"];
    case "Pivot":
      return [...append(sourceLines(node.relation), " PIVOT ("), ...indent(pivotLines(node)), ")"];
    case "TableFunctionCall":
      return tableFunctionLines(node, nodePrinter);
    case "SampledRelation": {
      const inner = node.relation.kind === "AliasedRelation" ? relationLines(node.relation) : primaryLines(node.relation);
      return append(inner, ` TABLESAMPLE ${node.method} (${printExpression(node.percentage)})`);
    }
  }
}

/** The source of MATCH_RECOGNIZE or PIVOT, which may have an alias. Another one of them stands in parentheses. */
function sourceLines(node: Relation): readonly string[] {
  const isRecognized = ({ kind }: Relation): boolean => kind === "PatternRecognition" || kind === "Pivot";
  if (isRecognized(node)) {
    return append(prepend("(", relationLines(node)), ")");
  }
  return node.kind === "AliasedRelation" && !isRecognized(node.relation) ? relationLines(node) : primaryLines(node);
}

function pivotLines({ aggregations, columns, groupBy, values }: Pivot): readonly string[] {
  const as = (text: string, alias: Identifier | undefined): string => (alias === undefined ? text : `${text} AS ${printIdentifier(alias)}`);
  const list = (all: readonly Expression[]): string => (columns.length === 1 ? printList(all) : `(${printList(all)})`);
  const groups = values.map(({ alias, expressions }) => as(list(expressions), alias));
  return [
    aggregations.map(({ alias, expression }) => as(printExpression(expression), alias)).join(", "),
    `FOR ${list(columns)} IN (${groups.join(", ")})`,
    ...(groupBy === undefined ? [] : [printGroupBy(groupBy)]),
  ];
}

function printAlias({ alias, columnNames }: AliasedRelation): string {
  return `AS ${printIdentifier(alias)}${printColumns(columnNames)}`;
}

/** Prints a relation in a form that can take an alias: with parentheses where needed. A join already has its own. */
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
