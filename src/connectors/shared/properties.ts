/**
 * Parses values of a catalog's properties.
 */
import { QueryError } from "../../protocol/errors.ts";
import { parseDurationMs } from "../../protocol/units.ts";
import { shownValue } from "../../protocol/shown-value.ts";

const sizeUnits: readonly string[] = ["B", "kB", "MB", "GB", "TB"];

export function invalidProperty(name: string, value: string): QueryError {
  return new QueryError("CONFIGURATION_INVALID", `Invalid value '${shownValue(value)}' for property '${name}'`);
}

/** Bytes of a data size (`128MB`); undefined if the property is absent. */
export function dataSizeProperty(properties: Readonly<Record<string, string>>, name: string): number | undefined {
  const value = properties[name];
  if (value === undefined) {
    return undefined;
  }
  const match = /^\s*(\d+(?:\.\d+)?)\s*(B|kB|MB|GB|TB)\s*$/.exec(value);
  if (match === null) {
    throw invalidProperty(name, value);
  }
  return Math.round(Number(match[1]) * 1024 ** sizeUnits.indexOf(match[2] as string));
}

/** An integer from `min` to `max`. */
export function integerProperty(
  properties: Readonly<Record<string, string>>,
  name: string,
  range: { readonly min: number; readonly max: number; readonly default: number },
): number {
  const value = properties[name];
  if (value === undefined) {
    return range.default;
  }
  const number = Number(value);
  if (!/^\s*\d{1,15}\s*$/.test(value) || number < range.min || number > range.max) {
    throw invalidProperty(name, value);
  }
  return number;
}

/** `true` or `false`. */
export function booleanProperty(properties: Readonly<Record<string, string>>, name: string, absent: boolean): boolean {
  const value = properties[name]?.trim() ?? String(absent);
  if (value !== "true" && value !== "false") {
    throw invalidProperty(name, value);
  }
  return value === "true";
}

/** Milliseconds of a duration (`24h`); undefined if it is none. */
export function parseDuration(text: string): number | undefined {
  return parseDurationMs(text);
}

/** Milliseconds of a duration (`24h`). */
export function durationProperty(properties: Readonly<Record<string, string>>, name: string, absent: string): number {
  const value = properties[name]?.trim() ?? absent;
  const millis = parseDurationMs(value);
  if (millis === undefined) {
    throw invalidProperty(name, value);
  }
  return millis;
}
