/** `TABLE(f(...))` -> SQL text, an argument a line. */
import { append, indent, type NodePrinter } from "./lines.ts";
import { printIdentifier, printName, printType } from "./names.ts";
import type { Relation } from "../ast/relations.ts";
import type { DescriptorArgument, TableArgument, TableFunctionArgument, TableFunctionCall } from "../ast/table-functions.ts";

export function tableFunctionLines(node: TableFunctionCall, printer: NodePrinter): readonly string[] {
  return [`TABLE(${printName(node.name)}(`, ...callLines(node, printer), "))"];
}

function callLines(node: TableFunctionCall, printer: NodePrinter): readonly string[] {
  const groups = node.copartitioned.map((names) => `(${names.map(printName).join(", ")})`);
  const lines = node.arguments.map((argument) => argumentLines(argument, printer));
  return [
    ...lines.flatMap((own, index) => indent(index === lines.length - 1 ? own : append(own, ","))),
    ...(groups.length === 0 ? [] : [`  COPARTITION ${groups.join(", ")}`]),
  ];
}

function argumentLines({ name, value }: TableFunctionArgument, printer: NodePrinter): readonly string[] {
  const lines = valueLines(value, printer);
  return name === undefined ? lines : [`${printIdentifier(name)} => ${lines[0] ?? ""}`, ...lines.slice(1)];
}

function valueLines(value: TableFunctionArgument["value"], printer: NodePrinter): readonly string[] {
  switch (value.kind) {
    case "TableArgument":
      return tableArgumentLines(value, printer);
    case "DescriptorArgument":
      return [printDescriptor(value)];
    default:
      return [printer.expression(value)];
  }
}

function tableArgumentLines(node: TableArgument, printer: NodePrinter): readonly string[] {
  const { relation } = node;
  const inner = relation.kind === "AliasedRelation" ? relation.relation : relation;
  const clauses = [
    ...(relation.kind === "AliasedRelation" ? [printer.alias(relation)] : []),
    ...(node.partitionBy === undefined ? [] : [`PARTITION BY (${node.partitionBy.map(printer.expression).join(", ")})`]),
    ...(node.emptyTreatment === undefined ? [] : [`${node.emptyTreatment.treatment} WHEN EMPTY`]),
    ...(node.orderBy === undefined ? [] : [`ORDER BY (${node.orderBy.map(printer.sortItem).join(", ")})`]),
  ];
  const lines = relationLines(inner, printer);
  return append(lines, clauses.map((clause) => ` ${clause}`).join(""));
}

/** Including TABLE and its parentheses. */
function relationLines(node: Relation, printer: NodePrinter): readonly string[] {
  if (node.kind === "TableFunctionCall") {
    return [`TABLE(${printName(node.name)}(`, ...callLines(node, printer), "))"];
  }
  const lines = printer.relation(node);
  return node.kind === "TableSubquery" ? [`TABLE${lines[0] ?? ""}`, ...lines.slice(1)] : [`TABLE(${lines.join("\n")})`];
}

function printDescriptor({ fields }: DescriptorArgument): string {
  if (fields === undefined) {
    return "CAST(NULL AS DESCRIPTOR)";
  }
  const texts = fields.map(({ name, type }) => `${printIdentifier(name)}${type === undefined ? "" : ` ${printType(type)}`}`);
  return `DESCRIPTOR(${texts.join(", ")})`;
}
