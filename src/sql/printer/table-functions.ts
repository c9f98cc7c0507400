/** `TABLE(f(...))` -> SQL text, an argument a line. Called by printer/queries.ts. */
import { printExpression, printIdentifier, printList, printName, printSortItem, printType } from "./expression-printer.ts";
import type { Relation } from "../ast/relations.ts";
import type { DescriptorArgument, TableArgument, TableFunctionArgument, TableFunctionCall } from "../ast/table-functions.ts";

/** How relations besides it are printed: a table's name, a query in its parentheses, ` AS a (x)` without the blank. */
export interface Printers {
  readonly relation: (node: Relation) => readonly string[];
  readonly alias: (node: Relation & { readonly kind: "AliasedRelation" }) => string;
}

export function tableFunctionLines(node: TableFunctionCall, printers: Printers): readonly string[] {
  return [`TABLE(${printName(node.name)}(`, ...callLines(node, printers), "))"];
}

function callLines(node: TableFunctionCall, printers: Printers): readonly string[] {
  const groups = node.copartitioned.map((names) => `(${names.map(printName).join(", ")})`);
  const lines = node.arguments.map((argument) => argumentLines(argument, printers));
  return [
    ...lines.flatMap((own, index) => indent(index === lines.length - 1 ? own : append(own, ","))),
    ...(groups.length === 0 ? [] : [`  COPARTITION ${groups.join(", ")}`]),
  ];
}

function argumentLines({ name, value }: TableFunctionArgument, printers: Printers): readonly string[] {
  const lines = valueLines(value, printers);
  return name === undefined ? lines : [`${printIdentifier(name)} => ${lines[0] ?? ""}`, ...lines.slice(1)];
}

function valueLines(value: TableFunctionArgument["value"], printers: Printers): readonly string[] {
  switch (value.kind) {
    case "TableArgument":
      return tableArgumentLines(value, printers);
    case "DescriptorArgument":
      return [printDescriptor(value)];
    default:
      return [printExpression(value)];
  }
}

function tableArgumentLines(node: TableArgument, printers: Printers): readonly string[] {
  const { relation } = node;
  const inner = relation.kind === "AliasedRelation" ? relation.relation : relation;
  const clauses = [
    ...(relation.kind === "AliasedRelation" ? [printers.alias(relation)] : []),
    ...(node.partitionBy === undefined ? [] : [`PARTITION BY (${printList(node.partitionBy)})`]),
    ...(node.emptyTreatment === undefined ? [] : [`${node.emptyTreatment.treatment} WHEN EMPTY`]),
    ...(node.orderBy === undefined ? [] : [`ORDER BY (${node.orderBy.map(printSortItem).join(", ")})`]),
  ];
  const lines = relationLines(inner, printers);
  return append(lines, clauses.map((clause) => ` ${clause}`).join(""));
}

/** With TABLE and its parentheses. */
function relationLines(node: Relation, printers: Printers): readonly string[] {
  if (node.kind === "TableFunctionCall") {
    return [`TABLE(${printName(node.name)}(`, ...callLines(node, printers), "))"];
  }
  const lines = printers.relation(node);
  return node.kind === "TableSubquery" ? [`TABLE${lines[0] ?? ""}`, ...lines.slice(1)] : [`TABLE(${lines.join("\n")})`];
}

function printDescriptor({ fields }: DescriptorArgument): string {
  if (fields === undefined) {
    return "CAST(NULL AS DESCRIPTOR)";
  }
  const texts = fields.map(({ name, type }) => `${printIdentifier(name)}${type === undefined ? "" : ` ${printType(type)}`}`);
  return `DESCRIPTOR(${texts.join(", ")})`;
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function append(lines: readonly string[], text: string): readonly string[] {
  return [...lines.slice(0, -1), (lines[lines.length - 1] ?? "") + text];
}
