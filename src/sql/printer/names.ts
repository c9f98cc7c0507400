/** Names, texts and types -> SQL text. */
import type { Identifier, QualifiedName, TypeSyntax } from "../ast/expression-nodes.ts";
import { isReserved } from "../parser/reserved-words.ts";

export function printIdentifier(node: Identifier): string {
  return node.delimited ? quoteName(node.value) : node.value;
}

/** Quotes the name if it could not be read back without quotes. */
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
  const [first] = node.parts;
  if (node.isPath === true && first !== undefined) {
    return printString(first.value);
  }
  return node.parts.map(printIdentifier).join(".");
}

export function printString(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Quotes the type's name if it could not be read back without quotes. */
export function printTypeName(name: string, spell: (name: string) => string): string {
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
