/** Typed expressions of a plan as SQL-like text, for people. Unknown forms are named, never dropped. Pure. */
import { operatorSigns } from "../../../sql/operator-signs.ts";

interface ExpressionDocument {
  readonly kind?: string;
  readonly name?: string;
  readonly form?: string;
  readonly value?: null | boolean | number | string;
  readonly type?: { readonly kind?: string };
  readonly args?: readonly ExpressionDocument[];
  readonly arg?: ExpressionDocument;
  readonly safe?: boolean;
  readonly parameters?: readonly ExpressionDocument[];
  readonly body?: ExpressionDocument;
}

const depthMax = 40;

export function expressionText(expression: unknown, depth = 0): string {
  if (typeof expression !== "object" || expression === null || depth > depthMax) {
    return "…";
  }
  const node = expression as ExpressionDocument;
  const inner = (part: unknown): string => expressionText(part, depth + 1);
  const args = Array.isArray(node.args) ? node.args : [];
  switch (node.kind) {
    case "variable":
      return node.name ?? "";
    case "constant":
      return constantText(node);
    case "cast":
      return `${node.safe === true ? "TRY_CAST" : "CAST"}(${inner(node.arg)} AS ${node.type?.kind ?? "?"})`;
    case "lambda":
      return `(${(node.parameters ?? []).map(inner).join(", ")}) -> ${inner(node.body)}`;
    case "call":
      return callText(node.name ?? "", args.map(inner));
    case "special":
      return specialText(node.form ?? "", args.map(inner));
    default:
      return node.kind ?? "…";
  }
}

function constantText({ value, type }: ExpressionDocument): string {
  if (value === null || value === undefined) {
    return "NULL";
  }
  switch (type?.kind) {
    case "date":
      return typeof value === "number" ? `DATE '${dateText(value)}'` : String(value);
    case "varchar":
    case "char":
    case "json":
      return `'${String(value).replaceAll("'", "''")}'`;
    default:
      return String(value);
  }
}

/** `1998-09-02` for days since 1970-01-01. */
function dateText(days: number): string {
  const at = new Date(days * 86_400_000);
  return Number.isNaN(at.getTime()) ? String(days) : at.toISOString().replace(/T.*$/, "");
}

function callText(name: string, args: readonly string[]): string {
  const sign = Object.hasOwn(operatorSigns, name) ? operatorSigns[name] : undefined;
  if (sign !== undefined && args.length === 2) {
    return `(${args.join(` ${sign} `)})`;
  }
  if (name === "$not" || name === "$negate") {
    return name === "$not" ? `NOT ${args.join()}` : `-${args.join()}`;
  }
  return `${name.replace(/^\$/, "")}(${args.join(", ")})`;
}

function specialText(form: string, args: readonly string[]): string {
  switch (form) {
    case "AND":
    case "OR":
      return `(${args.join(` ${form} `)})`;
    case "IN":
      return `${args[0] ?? ""} IN (${args.slice(1).join(", ")})`;
    case "IS_NULL":
      return `${args[0] ?? ""} IS NULL`;
    default:
      return `${form.replace("NULL_IF", "NULLIF")}(${args.join(", ")})`;
  }
}
