/**
 * A statement as EXECUTE IMMEDIATE with some of its literals as parameters.
 */
import { isBareName, type QualifiedName, type Statement } from "../../../../src/sql/ast/ast.ts";
import { parseStatement } from "../../../../src/sql/parser/parser.ts";
import { printStatement } from "../../../../src/sql/printer/printer.ts";
import type { Random } from "../random.ts";

type Node = Readonly<Record<string, unknown>>;

/** Nodes whose literals must stay: column ordinals, row counts, time zones and the separator of listagg. */
const fixed: ReadonlySet<string> = new Set(["SortItem", "SimpleGroupBy", "Limit", "FetchFirst", "Query", "AtTimeZone", "listagg"]);

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** The text of a literal; undefined if it is not a literal or must stay. */
function literalText({ kind, value }: Node): string | undefined {
  if (kind === "LongLiteral") {
    return String(value);
  }
  return kind === "StringLiteral" ? quoted(String(value)) : undefined;
}

function isListagg({ kind, name }: Node): boolean {
  return kind === "FunctionCall" && isBareName(name as QualifiedName, "listagg");
}

/** Undefined if there is no such literal. */
export function withParameters(random: Random, sql: string): string | undefined {
  const values: string[] = [];
  const replace = (value: unknown, parent: string): unknown => {
    if (Array.isArray(value)) {
      return value.map((inner: unknown) => replace(inner, parent));
    }
    if (typeof value !== "object" || value === null) {
      return value;
    }
    const node = value as Node;
    if (node["kind"] === "FunctionSpecification") {
      return node;
    }
    const literal = fixed.has(parent) ? undefined : literalText(node);
    if (literal !== undefined && random.chance(60)) {
      values.push(literal);
      return { kind: "Identifier", value: `parameter_${values.length - 1}_`, delimited: false, location: node["location"] };
    }
    const own = typeof node["kind"] === "string" ? node["kind"] : parent;
    const kind = isListagg(node) ? "listagg" : own;
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, replace(inner, kind)]));
  };
  const printed = printStatement(replace(parseStatement(sql), "") as Statement);
  // In text order, which is the order of USING.
  const order: string[] = [];
  const asked = printed.replaceAll(/"?\bparameter_(\d+)_"?/g, (_, index: string) => {
    order.push(values[Number(index)] ?? "");
    return "?";
  });
  return order.length === 0 ? undefined : `EXECUTE IMMEDIATE ${quoted(asked)} USING ${order.join(", ")}`;
}
