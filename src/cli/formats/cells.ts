/**
 * Formats cell values as text: from JSON on the wire to the form of Presto's CLI.
 */
import type { ColumnDocument } from "../../protocol/documents/statement.ts";
import { withoutControls } from "./text.ts";

/** Formats a value that is not null. */
export type CellFormatter = (value: unknown) => string;

const numericType = /^(tinyint|smallint|integer|bigint|real|double|decimal)\b/i;
const floatingType = /^(real|double)\b/i;

/** For table formats: at least one line, with NULL spelled out. */
export function cellLines(value: unknown, format: CellFormatter, nullText = "NULL"): readonly string[] {
  return (isNull(value) ? nullText : format(value)).split("\n").map(withoutControls);
}

export function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}

export function isNumeric(column: ColumnDocument): boolean {
  return numericType.test(column.type);
}

export function cellFormatter(column: ColumnDocument): CellFormatter {
  if (floatingType.test(column.type)) {
    return (value) => (typeof value === "number" ? floatingText(value) : plainText(value));
  }
  if (/^varbinary\b/i.test(column.type)) {
    return (value) => (typeof value === "string" ? hexDump(value) : plainText(value));
  }
  return plainText;
}

function plainText(value: unknown): string {
  if (value === null || value === undefined) {
    return "NULL";
  }
  if (Array.isArray(value)) {
    return `[${value.map(plainText).join(", ")}]`;
  }
  if (typeof value === "object") {
    const members = Object.entries(value).map(([key, member]) => `${key}=${plainText(member)}`);
    return `{${members.join(", ")}}`;
  }
  return String(value as string | number | bigint | boolean);
}

/** Java's text of a double: `1.0`, `1.5E10`. JSON does not distinguish 1 from 1.0, so the column's type decides. */
export function floatingText(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) {
    const [digits = "0", exponent = "0"] = value.toExponential().split("e");
    return `${digits.includes(".") ? digits : `${digits}.0`}E${Number(exponent)}`;
  }
  const text = Object.is(value, -0) ? "-0" : String(value);
  return text.includes(".") ? text : `${text}.0`;
}

/** `68 65 6c 6c 6f`, sixteen bytes a line. */
function hexDump(base64: string): string {
  const bytes = Buffer.from(base64, "base64");
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += 16) {
    const line = bytes.subarray(start, start + 16).toString("hex");
    lines.push(line.replaceAll(/(..)(?!$)/g, "$1 "));
  }
  return lines.join("\n");
}
