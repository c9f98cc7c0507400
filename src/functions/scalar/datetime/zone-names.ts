/** timezone(x): the zone of a moment or of a time of day, as it is written (Trino's documentation, functions/datetime.md). */
import { VARCHAR } from "../../../types/type.ts";
import { formatOffset, zoneId } from "../../../types/time/zones.ts";
import type { HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { minutesOf, zoneOf } from "./zoned.ts";

function define(pattern: string, nameOf: (value: bigint) => string, sql: string, result: string): ScalarDefinition {
  return {
    name: "timezone",
    args: [pattern],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "The name or the offset of a zone",
    host: ([value]: readonly HostValue[]) => nameOf(value as bigint),
    example: { sql, result },
  };
}

export const zoneNameDefinitions: readonly ScalarDefinition[] = [
  define(
    "timestamp(p) with time zone",
    (value) => zoneId(zoneOf(value)),
    "timezone(TIMESTAMP '2024-01-01 12:00:00 Asia/Tokyo')",
    "Asia/Tokyo",
  ),
  define("time(p) with time zone", (value) => formatOffset(minutesOf(value)), "timezone(TIME '12:00:00+09:00')", "+09:00"),
];
