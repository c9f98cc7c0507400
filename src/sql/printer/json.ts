/** The SQL/JSON functions and JSON_TABLE -> SQL text. */
import type { Expression } from "../ast/expression-nodes.ts";
import type { NodePrinter } from "./lines.ts";
import { printIdentifier, printString, printType } from "./names.ts";
import type {
  JsonArray,
  JsonDefaultPlan,
  JsonFormat,
  JsonFunction,
  JsonInput,
  JsonObject,
  JsonPathInvocation,
  JsonQueryColumn,
  JsonReturning,
  JsonTable,
  JsonTableColumn,
  JsonTablePlan,
  JsonValueBehavior,
  JsonValueColumn,
} from "../ast/json.ts";

export function printJsonFunction(node: JsonFunction, printer: NodePrinter): string {
  switch (node.kind) {
    case "JsonExists":
      return `JSON_EXISTS(${printInvocation(node.invocation, printer)} ${node.errorBehavior} ON ERROR)`;
    case "JsonValue": {
      const returning = node.returning === undefined ? "" : ` RETURNING ${printType(node.returning)}`;
      return `JSON_VALUE(${printInvocation(node.invocation, printer)}${returning}${printValueBehaviors(node, printer)})`;
    }
    case "JsonQuery":
      return `JSON_QUERY(${printInvocation(node.invocation, printer)}${printReturning(node.returning)}${printQueryClauses(node)})`;
    case "JsonObject":
      return printObject(node, printer);
    case "JsonArray":
      return printArray(node, printer);
  }
}

function printInvocation(node: JsonPathInvocation, printer: NodePrinter): string {
  const name = node.pathName === undefined ? "" : ` AS ${printIdentifier(node.pathName)}`;
  const passing = node.passing.map(({ input, name: as }) => `${printInput(input, printer)} AS ${printIdentifier(as)}`);
  const list = passing.length === 0 ? "" : ` PASSING ${passing.join(", ")}`;
  return `${printInput(node.input, printer)}, ${printString(node.path.value)}${name}${list}`;
}

function printInput(node: JsonInput, printer: NodePrinter): string {
  const { value } = node;
  // A lambda gets parentheses, because its body would include the following text.
  const text = value.kind === "Lambda" ? `(${printer.expression(value)})` : printer.expression(value);
  return `${text}${printFormat(node.format)}`;
}

function printFormat(format: JsonFormat | undefined): string {
  if (format === undefined) {
    return "";
  }
  return ` FORMAT JSON${format.encoding === undefined ? "" : ` ENCODING ${format.encoding}`}`;
}

function printReturning(returning: JsonReturning | undefined): string {
  return returning === undefined ? "" : ` RETURNING ${printType(returning.type)}${printFormat(returning.format)}`;
}

function printValueBehavior(node: JsonValueBehavior, printer: NodePrinter): string {
  return node.default === undefined ? node.type : `DEFAULT ${printer.expression(node.default)}`;
}

function printValueBehaviors(
  { emptyBehavior, errorBehavior }: Pick<JsonValueColumn, "emptyBehavior" | "errorBehavior">,
  printer: NodePrinter,
): string {
  const onEmpty = emptyBehavior === undefined ? "" : ` ${printValueBehavior(emptyBehavior, printer)} ON EMPTY`;
  return onEmpty + (errorBehavior === undefined ? "" : ` ${printValueBehavior(errorBehavior, printer)} ON ERROR`);
}

function printQueryClauses(node: Pick<JsonQueryColumn, "wrapper" | "quotes" | "emptyBehavior" | "errorBehavior">): string {
  const { wrapper, quotes, emptyBehavior, errorBehavior } = node;
  return [
    wrapper === undefined ? "" : wrapper === "WITHOUT" ? " WITHOUT ARRAY WRAPPER" : ` WITH ${wrapper} ARRAY WRAPPER`,
    quotes === undefined ? "" : ` ${quotes} QUOTES ON SCALAR STRING`,
    emptyBehavior === undefined ? "" : ` ${emptyBehavior} ON EMPTY`,
    errorBehavior === undefined ? "" : ` ${errorBehavior} ON ERROR`,
  ].join("");
}

function printObject(node: JsonObject, printer: NodePrinter): string {
  const members = node.members.map(({ key, value }) => `KEY ${printKey(key, printer)} VALUE ${printInput(value, printer)}`);
  const unique = `${node.uniqueKeys ? "WITH" : "WITHOUT"} UNIQUE KEYS`;
  const clauses = members.length === 0 ? "" : `${members.join(", ")} ${node.nulls} ON NULL ${unique}`;
  return `JSON_OBJECT(${`${clauses}${printReturning(node.returning)}`.trimStart()})`;
}

/** A call of a function named `value` would be read as the VALUE keyword and the member's value. */
function printKey(key: Expression, printer: NodePrinter): string {
  const text = printer.expression(key);
  return /^value\b/i.test(text) ? `(${text})` : text;
}

function printArray(node: JsonArray, printer: NodePrinter): string {
  const clauses =
    node.elements.length === 0 ? "" : `${node.elements.map((element) => printInput(element, printer)).join(", ")} ${node.nulls} ON NULL`;
  return `JSON_ARRAY(${`${clauses}${printReturning(node.returning)}`.trimStart()})`;
}

export function jsonTableLines(node: JsonTable, printer: NodePrinter): readonly string[] {
  const plan = node.plan === undefined ? [] : [`  PLAN ${printTopPlan(node.plan)}`];
  const onError = node.errorBehavior === undefined ? [] : [`  ${node.errorBehavior} ON ERROR`];
  return [
    "JSON_TABLE(",
    `  ${printInvocation(node.invocation, printer)}`,
    ...columnsLines(node.columns, printer).map((line) => `  ${line}`),
    ...plan,
    ...onError,
    ")",
  ];
}

function columnsLines(columns: readonly JsonTableColumn[], printer: NodePrinter): readonly string[] {
  const lines = columns.flatMap((column, index) => {
    const [first = "", ...others] = columnLines(column, printer);
    return [`${index === 0 ? "  " : ", "}${first}`, ...others.map((line) => `  ${line}`)];
  });
  return ["COLUMNS (", ...lines, ")"];
}

function columnLines(node: JsonTableColumn, printer: NodePrinter): readonly string[] {
  switch (node.kind) {
    case "JsonOrdinalityColumn":
      return [`${printIdentifier(node.name)} FOR ORDINALITY`];
    case "JsonValueColumn":
      return [`${printIdentifier(node.name)} ${printType(node.type)}${printPath(node.path)}${printValueBehaviors(node, printer)}`];
    case "JsonQueryColumn": {
      const head = `${printIdentifier(node.name)} ${printType(node.type)}${printFormat(node.format)}`;
      return [`${head}${printPath(node.path)}${printQueryClauses(node)}`];
    }
    case "JsonNestedColumns": {
      const name = node.pathName === undefined ? "" : ` AS ${printIdentifier(node.pathName)}`;
      return [`NESTED PATH ${printString(node.path.value)}${name}`, ...columnsLines(node.columns, printer).map((line) => `  ${line}`)];
    }
  }
}

function printPath(path: { readonly value: string } | undefined): string {
  return path === undefined ? "" : ` PATH ${printString(path.value)}`;
}

function printTopPlan(plan: JsonTablePlan | JsonDefaultPlan): string {
  return plan.kind === "JsonDefaultPlan" ? `DEFAULT (${plan.parentChild}, ${plan.siblings})` : `(${printPlan(plan)})`;
}

function printPlan(plan: JsonTablePlan): string {
  switch (plan.kind) {
    case "JsonPathPlan":
      return printIdentifier(plan.name);
    case "JsonParentPlan":
      return `${printIdentifier(plan.parent)} ${plan.type} ${printPlanPrimary(plan.child)}`;
    case "JsonSiblingsPlan":
      return plan.terms.map(printPlanPrimary).join(` ${plan.type} `);
  }
}

function printPlanPrimary(plan: JsonTablePlan): string {
  return plan.kind === "JsonPathPlan" ? printPlan(plan) : `(${printPlan(plan)})`;
}
