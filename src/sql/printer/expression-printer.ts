/**
 * Expressions and types -> SQL text, in Presto's formatting: every operator in parentheses. Called by printer.ts and printer/queries.ts.
 */
import { isBareName } from "../ast/ast.ts";
import type {
  Case,
  Expression,
  FrameBound,
  FunctionCall,
  Identifier,
  IntervalLiteral,
  QualifiedName,
  SortItem,
  TypeSyntax,
  Window,
  WindowFrame,
  WindowSpecification,
} from "../ast/expression-nodes.ts";
import { printJsonFunction } from "./json.ts";
import { printClauses, printMeasures } from "./patterns.ts";
import { printQuery } from "./queries.ts";
import { isReserved } from "../parser/token-stream.ts";

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
  JsonExists: printJsonFunction,
  JsonValue: printJsonFunction,
  JsonQuery: printJsonFunction,
  JsonObject: printJsonFunction,
  JsonArray: printJsonFunction,
};

export function printExpression(node: Expression): string {
  // The table has exactly the printer of this kind; the compiler cannot follow that.
  const print = printers[node.kind] as (node: Expression) => string;
  return print(node);
}

/** As part of an operator's text: a lambda would take the rest of it as its body. */
function printOperand(node: Expression): string {
  return node.kind === "Lambda" ? `(${printExpression(node)})` : printExpression(node);
}

/** Before `.`, `[` or AT TIME ZONE, which bind tighter than a sign; `1.x` would be a number, `array[x]` an array. */
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

export function printIdentifier(node: Identifier): string {
  return node.delimited ? quoteName(node.value) : node.value;
}

/** In quotes where it could not be read back without. */
export function printPlainName(name: string): string {
  return isPlain(name) ? name : quoteName(name);
}

function isPlain(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !isReserved(name.toUpperCase());
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function printName(node: QualifiedName): string {
  return node.parts.map(printIdentifier).join(".");
}

export function printString(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Shortest digits that give the same double, one of them before the point: `1.5E0`. */
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
  const whens = node.whenClauses.map((when) => ` WHEN ${printExpression(when.operand)} THEN ${printExpression(when.result)}`).join("");
  const otherwise = node.defaultValue === undefined ? "" : ` ELSE ${printExpression(node.defaultValue)}`;
  return `(CASE${operand}${whens}${otherwise} END)`;
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

/** What the grammar knows by name is printed as a word of the grammar. */
function isForm({ name }: FunctionCall): boolean {
  return ["coalesce", "if", "nullif", "try"].some((form) => isBareName(name, form));
}

/** The form that the parser makes of WITHIN GROUP. */
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

/** NORMALIZE is a reserved word, and its second argument is a word as well. */
function isNormalize(node: FunctionCall): boolean {
  return node.name.parts.length === 1 && node.name.parts[0]?.value === "normalize" && node.name.parts[0].delimited === false;
}

function printNormalizeArguments(node: FunctionCall): string {
  return node.arguments
    .map((argument, index) => (index === 1 && argument.kind === "StringLiteral" ? argument.value : printOperand(argument)))
    .join(", ");
}

export function printOrderBy(items: readonly SortItem[]): string {
  return `ORDER BY ${items.map(printSortItem).join(", ")}`;
}

export function printSortItem(node: SortItem): string {
  return `${printExpression(node.key)} ${node.ordering}${node.nulls === undefined ? "" : ` NULLS ${node.nulls}`}`;
}

function printWindow(node: Window): string {
  return node.kind === "WindowReference" ? printIdentifier(node.name) : printWindowSpecification(node);
}

export function printWindowSpecification(node: WindowSpecification): string {
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
  return recognition === undefined ? extent : [...printMeasures(recognition.measures), extent, ...printClauses(recognition)].join(" ");
}

function printFrameBound(node: FrameBound): string {
  return node.value === undefined ? node.type : `${printOperand(node.value)} ${node.type}`;
}

/** A type's name, in quotes where it could not be read back without. */
function printTypeName(name: string, spell: (name: string) => string): string {
  return isPlain(name) && name !== "interval" ? spell(name) : quoteName(name);
}

export function printType(node: TypeSyntax): string {
  if (node.kind === "RowType") {
    const fields = node.fields.map((field) => (field.name === undefined ? "" : `${printIdentifier(field.name)} `) + printType(field.type));
    return `row(${fields.join(", ")})`;
  }
  if (node.name === "interval day to second" || node.name === "interval year to month") {
    return node.name;
  }
  const args = node.arguments.map((argument) => (typeof argument === "number" ? String(argument) : printType(argument)));
  const list = args.length === 0 ? "" : `(${args.join(", ")})`;
  const zoned = / with time zone$/.exec(node.name)?.[0] ?? "";
  const base = node.name.slice(0, node.name.length - zoned.length);
  return printTypeName(base, (name) => name) + list + zoned;
}
