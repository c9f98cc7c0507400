/** Whether a page is what its source was asked for, and its values as texts that can be compared. */
import { ResultWriter } from "../../coordinator/results/result-writer.ts";
import type { ColumnMetadata } from "../../connectors/spi.ts";
import type { LinearMemory, MemoryContext } from "../../memory/memory.ts";
import { type Column, type Page, pageRowsMax, valueBytes } from "../../page/page.ts";
import { type PageValue, readValue } from "../../page/reader.ts";
import { Widener } from "../../page/widener.ts";
import { type JsonValue, parseJson, stringifyJson } from "../../protocol/json.ts";
import { isBytes, isNested, sameType, sqlTypeText, type Type } from "../../types/type.ts";
import { decodeNested, nestedSource } from "../../types/nested/nested.ts";
import { codePoints } from "../../types/utf8.ts";
import { mustHold } from "./options.ts";

/** A row that was read: its values as `readValue` gives them, and each as JSON of the client protocol. */
export interface ReadRow {
  readonly values: readonly PageValue[];
  readonly texts: readonly string[];
}

const picosPerDay = 86_400n * 10n ** 12n;
const fixedBytes: Readonly<Record<string, number>> = { uuid: 16, ipaddress: 16, ipprefix: 17 };
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Throws BrokenRule for a page that the engine could not read, or that is not of these columns. */
export function checkPage(linear: LinearMemory, page: Page, columns: readonly ColumnMetadata[]): void {
  const { columns: found, positionCount, selection } = page;
  mustHold(
    Number.isInteger(positionCount) && positionCount >= 0 && positionCount <= pageRowsMax,
    () => `a page has ${positionCount} rows; 0 to ${pageRowsMax} are allowed`,
  );
  mustHold(found.length === columns.length, () => `a page has ${found.length} columns, and ${columns.length} were asked for`);
  checkAddress(linear, { what: "the selection", address: selection, bytes: positionCount * 4, alignment: 4 });
  const rows = Array.from({ length: positionCount }, (_, position) =>
    selection === 0 ? position : (linear.u32[selection / 4 + position] as number),
  );
  mustHold(
    rows.every((row, index) => index === 0 || row > (rows[index - 1] as number)),
    () => "the selection of a page is not ascending",
  );
  columns.forEach((column, index) => {
    const what = `column '${column.name}'`;
    const one = found[index] as Column;
    mustHold(sameType(one.type, column.type), () => `${what} is ${sqlTypeText(column.type)}, and a page has ${sqlTypeText(one.type)}`);
    checkColumn(linear, one, { what, rows, nullable: column.nullable !== false });
  });
}

interface Checked {
  readonly what: string;
  readonly rows: readonly number[];
  readonly nullable: boolean;
}

function checkColumn(linear: LinearMemory, column: Column, { what, rows, nullable }: Checked): void {
  const { ids, length, nulls, type, values } = column;
  const width = valueBytes(column);
  const rowsEnd = (rows.at(-1) ?? -1) + 1;
  checkAddress(linear, { what: `the ids of ${what}`, address: ids, bytes: rowsEnd * 4, alignment: 4 });
  checkAddress(linear, { what: `the NULLs of ${what}`, address: nulls, bytes: length, alignment: 1 });
  if (rows.length === 0) {
    return;
  }
  const alignment = isBytes(type) ? 4 : Math.min(width, 8);
  checkAddress(linear, { what: `the values of ${what}`, address: values, bytes: length * width, alignment });
  mustHold(values !== 0 || length === 0, () => `${what} has rows and no values`);
  for (const row of rows) {
    const index = ids === 0 ? row : (linear.u32[ids / 4 + row] as number);
    mustHold(index < length, () => `${what}: row ${index} is behind its ${length} values`);
    const isNull = nulls === 0 ? 0 : (linear.u8[nulls + index] as number);
    mustHold(isNull <= 1, () => `${what}: the byte of NULL of row ${index} is ${isNull}; it is 0 or 1`);
    mustHold(isNull === 0 || nullable, () => `${what} is NOT NULL, and row ${index} is NULL`);
    if (isBytes(type)) {
      const at = values / 4 + index * 2;
      const [address, bytes] = [linear.u32[at] as number, linear.u32[at + 1] as number];
      mustHold(address + bytes <= linear.sizeBytes, () => `${what}: the bytes of row ${index} are outside of the memory`);
    }
    if (isNull === 0) {
      if (type.kind === "boolean") {
        const raw = linear.u8[values + index] as number;
        mustHold(raw <= 1, () => `${what}: a boolean is the byte ${raw}; it is 0 or 1`);
      }
      const flat = { positionCount: length, selection: 0, columns: [{ ...column, ids: 0 }] };
      const problem = problemOf(type, readValue(linear, flat, 0, index));
      mustHold(problem === undefined, () => `${what}: row ${index} ${problem}`);
    }
  }
}

interface Place {
  readonly what: string;
  readonly address: number;
  readonly bytes: number;
  readonly alignment: number;
}

function checkAddress(linear: LinearMemory, { address, alignment, bytes, what }: Place): void {
  mustHold(
    Number.isInteger(address) && address >= 0 && address + (address === 0 ? 0 : bytes) <= linear.sizeBytes,
    () => `${what} are outside of the memory`,
  );
  mustHold(address % alignment === 0, () => `${what} are not aligned to ${alignment} bytes`);
}

/** Why it is no value of the type; undefined if it is one. */
function problemOf(type: Type, value: PageValue): string | undefined {
  if (value instanceof Uint8Array) {
    return problemOfBytes(type, value);
  }
  switch (type.kind) {
    case "decimal": {
      const limit = 10n ** BigInt(type.precision);
      const unscaled = value as bigint;
      return unscaled >= limit || unscaled <= -limit ? `is the unscaled ${unscaled}, with more than ${type.precision} digits` : undefined;
    }
    case "time":
      return (value as bigint) < 0n || (value as bigint) >= picosPerDay ? "is no time of a day" : undefined;
    case "unknown":
      return "has a value, and the type has NULL alone";
    default:
      return undefined;
  }
}

function problemOfBytes(type: Type, bytes: Uint8Array): string | undefined {
  const fixed = fixedBytes[type.kind];
  if (fixed !== undefined) {
    return bytes.length === fixed ? undefined : `has ${bytes.length} bytes; ${type.kind} has ${fixed}`;
  }
  if (type.kind === "varchar" || type.kind === "char" || type.kind === "json") {
    const text = textOf(bytes);
    if (text === undefined) {
      return "is not UTF-8";
    }
    const length = type.kind === "json" ? undefined : type.length;
    if (length !== undefined && codePoints(text).length > length) {
      return `has ${codePoints(text).length} characters; ${sqlTypeText(type)} has at most ${length}`;
    }
    return type.kind === "char" && text.endsWith(" ") ? "ends with a space; char is stored without its padding" : undefined;
  }
  if (isNested(type)) {
    try {
      decodeNested(type, nestedSource(bytes));
    } catch {
      return `is not in the encoding of ${sqlTypeText(type)}`;
    }
  }
  return undefined;
}

/** Undefined for bytes that are no UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The rows of a page that has been checked. `memory` is for what the reading needs. */
export function rowsOf(memory: MemoryContext, page: Page): readonly ReadRow[] {
  const { linear } = memory;
  const widener = new Widener(memory);
  const types = page.columns.map(({ type }) => type);
  const writer = new ResultWriter(types, linear, { parametricDatetime: true });
  try {
    writer.append(widener.widen(page));
    const json = writer.take();
    const rows = json === undefined ? [] : (parseJson(`[${new TextDecoder().decode(json)}]`) as JsonValue[][]);
    return rows.map((cells, position) => ({
      values: types.map((_, column) => readValue(linear, page, column, position)),
      texts: cells.map(cellText),
    }));
  } finally {
    writer.release();
    widener.free();
  }
}

/** Equal for a value of the client protocol and that which `cluster.query` makes of it. */
export function cellText(value: unknown): string {
  return stringifyJson(plainOf(value));
}

function plainOf(value: unknown): unknown {
  if (typeof value === "number") {
    return Number.isFinite(value) ? String(value + 0) : String(value);
  }
  if (typeof value === "bigint") {
    return String(value);
  }
  if (value instanceof Uint8Array) {
    return Buffer.from(value).toString("base64");
  }
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, one]) => [String(key), plainOf(one)]));
  }
  if (Array.isArray(value)) {
    return value.map(plainOf);
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainOf(one)]))
    : value;
}
