/** Values in metadata as texts: of partitions, and bounds of columns. */
import { zonedMoment, utcKey } from "../../../types/time/zones.ts";
import type { Type } from "../../../types/type.ts";
import { encodeUtf8 } from "../../../types/utf8.ts";
import { BadData } from "../../shared/file-errors.ts";
import { parseDecimal } from "../text/literals.ts";
import { parseDate, parseTimestamp } from "../text/moments.ts";

/** A value in the form of domains (types/domain/texts.ts). Throws BadData. */
export function constantText(type: Type, text: string): string {
  switch (type.kind) {
    case "date":
      return String(required(dateOf(text), text));
    case "timestamp":
      return String(required(microsOf(text), text));
    case "timestamp with time zone":
      return String(zonedMoment(required(microsOf(text), text), utcKey));
    case "decimal":
      return String(required(parseDecimal(encodeUtf8(text), 0, encodeUtf8(text).length, type), text));
    case "boolean":
      return required(/^(true|false)$/i.exec(text)?.[1]?.toLowerCase(), text);
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return required(/^[+-]?\d{1,19}$/.exec(text)?.[0], text);
    case "real":
    case "double":
      return String(required(doubleOf(text), text));
    case "varchar":
      return text;
    default:
      throw new BadData(`a partition of type ${type.kind} is not supported`);
  }
}

/** A bound in the unit of statistics (types/domain/double-range.ts); undefined if the type has none, or the value is not one. */
export function boundOf(type: Type, value: unknown): number | undefined {
  switch (type.kind) {
    case "date":
      return typeof value === "string" ? dateOf(value.slice(0, 10)) : undefined;
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
    case "double":
    case "decimal":
      return typeof value === "number" && Number.isFinite(value) ? value : undefined;
    default:
      return undefined;
  }
}

function dateOf(text: string): number | undefined {
  const bytes = encodeUtf8(text);
  return parseDate(bytes, 0, bytes.length);
}

/** Of UTC if it has no zone. */
function microsOf(text: string): bigint | undefined {
  const bytes = encodeUtf8(text.replace(/(?:Z|\+00:00)$/, ""));
  const found = parseTimestamp(bytes, 0, bytes.length);
  return found && BigInt(found.seconds) * 1_000_000n + BigInt(found.micros);
}

function doubleOf(text: string): number | undefined {
  const value = Number(text);
  return text.trim() === "" || (Number.isNaN(value) && text !== "NaN") ? undefined : value;
}

function required<T>(value: T | undefined, text: string): T {
  if (value === undefined) {
    throw new BadData(`'${text.slice(0, 100)}' is no value of its partition column`);
  }
  return value;
}
