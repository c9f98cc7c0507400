/** The SQL/JSON functions and JSON_TABLE -> SQL text. Called by printer/expression-printer.ts and printer/queries.ts. */
import type { Expression } from "../ast/expression-nodes.ts";
import { printExpression, printIdentifier, printString, printType } from "./expression-printer.ts";
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

export function printJsonFunction(node: JsonFunction): string {
  switch (node.kind) {
    case "JsonExists":
      return `JSON_EXISTS(${printInvocation(node.invocation)} ${node.errorBehavior} ON ERROR)`;
    case "JsonValue": {
      const returning = node.returning === undefined ? "" : ` RETURNING ${printType(node.returning)}`;
      return `JSON_VALUE(${printInvocation(node.invocation)}${returning}${printValueBehaviors(node)})`;
    }
    case "JsonQuery":
      return `JSON_QUERY(${printInvocation(node.invocation)}${printReturning(node.returning)}${printQueryClauses(node)})`;
    case "JsonObject":
      return printObject(node);
    case "JsonArray":
      return printArray(node);
  }
}

function printInvocation(node: JsonPathInvocation): string {
  const name = node.pathName === undefined ? "" : ` AS ${printIdentifier(node.pathName)}`;
  const passing = node.passing.map(({ input, name: as }) => `${printInput(input)} AS ${printIdentifier(as)}`);
  const list = passing.length === 0 ? "" : ` PASSING ${passing.join(", ")}`;
  return `${printInput(node.input)}, ${printString(node.path.value)}${name}${list}`;
}

function printInput(node: JsonInput): string {
  const { value } = node;
  // The body of a lambda would take what follows.
  const text = value.kind === "Lambda" ? `(${printExpression(value)})` : printExpression(value);
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

function printValueBehavior(node: JsonValueBehavior): string {
  return node.default === undefined ? node.type : `DEFAULT ${printExpression(node.default)}`;
}

function printValueBehaviors({ emptyBehavior, errorBehavior }: Pick<JsonValueColumn, "emptyBehavior" | "errorBehavior">): string {
  const onEmpty = emptyBehavior === undefined ? "" : ` ${printValueBehavior(emptyBehavior)} ON EMPTY`;
  return onEmpty + (errorBehavior === undefined ? "" : ` ${printValueBehavior(errorBehavior)} ON ERROR`);
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

function printObject(node: JsonObject): string {
  const members = node.members.map(({ key, value }) => `KEY ${printKey(key)} VALUE ${printInput(value)}`);
  const unique = `${node.uniqueKeys ? "WITH" : "WITHOUT"} UNIQUE KEYS`;
  const clauses = members.length === 0 ? "" : `${members.join(", ")} ${node.nulls} ON NULL ${unique}`;
  return `JSON_OBJECT(${`${clauses}${printReturning(node.returning)}`.trimStart()})`;
}

/** A call of a function named `value` would be read as the member's value. */
function printKey(key: Expression): string {
  const text = printExpression(key);
  return /^value\b/i.test(text) ? `(${text})` : text;
}

function printArray(node: JsonArray): string {
  const clauses = node.elements.length === 0 ? "" : `${node.elements.map(printInput).join(", ")} ${node.nulls} ON NULL`;
  return `JSON_ARRAY(${`${clauses}${printReturning(node.returning)}`.trimStart()})`;
}

export function jsonTableLines(node: JsonTable): readonly string[] {
  const plan = node.plan === undefined ? [] : [`  PLAN ${printTopPlan(node.plan)}`];
  const onError = node.errorBehavior === undefined ? [] : [`  ${node.errorBehavior} ON ERROR`];
  return [
    "JSON_TABLE(",
    `  ${printInvocation(node.invocation)}`,
    ...columnsLines(node.columns).map((line) => `  ${line}`),
    ...plan,
    ...onError,
    ")",
  ];
}

function columnsLines(columns: readonly JsonTableColumn[]): readonly string[] {
  const lines = columns.flatMap((column, index) => {
    const [first = "", ...others] = columnLines(column);
    return [`${index === 0 ? "  " : ", "}${first}`, ...others.map((line) => `  ${line}`)];
  });
  return ["COLUMNS (", ...lines, ")"];
}

function columnLines(node: JsonTableColumn): readonly string[] {
  switch (node.kind) {
    case "JsonOrdinalityColumn":
      return [`${printIdentifier(node.name)} FOR ORDINALITY`];
    case "JsonValueColumn":
      return [`${printIdentifier(node.name)} ${printType(node.type)}${printPath(node.path)}${printValueBehaviors(node)}`];
    case "JsonQueryColumn": {
      const head = `${printIdentifier(node.name)} ${printType(node.type)}${printFormat(node.format)}`;
      return [`${head}${printPath(node.path)}${printQueryClauses(node)}`];
    }
    case "JsonNestedColumns": {
      const name = node.pathName === undefined ? "" : ` AS ${printIdentifier(node.pathName)}`;
      return [`NESTED PATH ${printString(node.path.value)}${name}`, ...columnsLines(node.columns).map((line) => `  ${line}`)];
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
