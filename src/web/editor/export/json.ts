/**
 * Results as a JSON array of objects, one on a line. Integers are exact digits; decimals, dates and times are strings, as in the statement
 * protocol. Columns of one name get distinct names.
 */
import { stringifyJson } from "../../../protocol/json.ts";
import { distinctNames } from "../results/values.ts";
import type { ExportColumn } from "./csv.ts";

export function* jsonPieces(columns: readonly ExportColumn[], rows: Iterable<readonly unknown[]>): Generator<string> {
  const keys = distinctNames(columns.map(({ name }) => name)).map((name) => JSON.stringify(name));
  let lines: string[] = [];
  let isFirst = true;
  const piece = (): string => {
    const text = `${isFirst ? "[\n" : ",\n"}${lines.join(",\n")}`;
    isFirst = false;
    lines = [];
    return text;
  };
  for (const row of rows) {
    lines.push(`{${keys.map((key, index) => `${key}:${stringifyJson(row[index] ?? null)}`).join(",")}}`);
    if (lines.length === 5000) {
      yield piece();
    }
  }
  if (lines.length > 0) {
    yield piece();
  }
  yield isFirst ? "[]\n" : "\n]\n";
}
