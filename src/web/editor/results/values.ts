/** Texts of result values as the grid shows them. Values are those of the wire: numbers, bigints, strings, booleans, arrays and objects. */
import { stringifyJson } from "../../../protocol/json.ts";
import { type ColumnType, isFloatingType } from "./column-types.ts";

/** Exact text of a value that is not null. Arrays, maps and rows are JSON. */
export function valueText(value: unknown, type: ColumnType): string {
  if (typeof value === "number" && isFloatingType(type)) {
    return floatingText(value);
  }
  return typeof value === "object" && value !== null ? stringifyJson(value) : String(value as string | number | bigint | boolean);
}

/** Java's text of a double: `1.0`, `1.5E10`. JSON does not distinguish 1 from 1.0, so the column's type decides. */
function floatingText(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) {
    const [digits = "0", exponent = "0"] = value.toExponential().split("e");
    return `${digits.includes(".") ? digits : `${digits}.0`}E${Number(exponent)}`;
  }
  const text = Object.is(value, -0) ? "-0" : String(value);
  return text.includes(".") ? text : `${text}.0`;
}

/** The beginning of a text on one line; control characters are shown as a space. */
export function oneLine(text: string, lengthMax: number): string {
  const cut = text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
  // oxlint-disable-next-line no-control-regex
  return cut.replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]/g, " ");
}

/** Column names made distinct, for formats that need that: `a`, `a_2`. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let ordinal = 2; seen.has(distinct); ordinal++) {
      const candidate = `${name}_${ordinal}`;
      distinct = taken.has(candidate) ? distinct : candidate;
    }
    seen.add(distinct);
    return distinct;
  });
}
