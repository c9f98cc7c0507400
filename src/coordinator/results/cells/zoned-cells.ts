/**
 * Cell writers of types that appear as text: times, timestamps with time zone, JSON, UUIDs, IP addresses, geometries.
 */
import { formatIpAddress, formatUuid } from "../../../functions/scalar/network/addresses.ts";
import { readGeometry } from "../../../functions/scalar/geometry/encoding/wkb.ts";
import { formatWkt } from "../../../functions/scalar/geometry/encoding/wkt.ts";
import { formatIpPrefix } from "../../../functions/scalar/network/prefixes.ts";
import {
  formatTime,
  formatTimeZoned,
  formatZoned,
  localPicos,
  minutesOf,
  packTime,
  roundTime,
  roundZoned,
} from "../../../functions/scalar/datetime/zoned.ts";
import type { Address } from "../../../memory/memory.ts";
import type { Type } from "../../../types/type.ts";
import type { JsonBytes } from "./json-bytes.ts";
import type { CellMemory } from "./nested-cells.ts";

/** Types with binary values and a text form. */
type BinaryKind = "uuid" | "ipaddress" | "ipprefix" | "Geometry" | "SphericalGeography";

type TextType = Extract<Type, { readonly kind: BinaryKind | "json" | "time" | "time with time zone" | "timestamp with time zone" }>;

const geometryText = (bytes: Uint8Array): string => formatWkt(readGeometry(bytes));

const binaryFormats: Readonly<Record<BinaryKind, (bytes: Uint8Array) => string>> = Object.freeze({
  uuid: formatUuid,
  ipaddress: formatIpAddress,
  ipprefix: formatIpPrefix,
  Geometry: geometryText,
  SphericalGeography: geometryText,
});

/** Returns value `index` of a column of 128-bit integers. */
export function readLong({ i64 }: CellMemory, values: Address, index: number): bigint {
  const at = (values >>> 3) + index * 2;
  return ((i64[at + 1] as bigint) << 64n) | BigInt.asUintN(64, i64[at] as bigint);
}

/** `digits` is the number of fraction digits of the second, rounded. */
function textOf(
  type: Exclude<TextType, { readonly kind: "json" }>,
  memory: CellMemory,
  digits: number,
): (values: Address, index: number) => string {
  switch (type.kind) {
    case "time":
      return (values, index) => formatTime(roundTime(memory.i64[(values >>> 3) + index] as bigint, digits), digits);
    case "time with time zone":
      return (values, index) => {
        const value = readLong(memory, values, index);
        return formatTimeZoned(packTime(roundTime(localPicos(value), digits), minutesOf(value)), digits);
      };
    case "timestamp with time zone":
      return (values, index) => formatZoned(roundZoned(readLong(memory, values, index), digits), digits);
    case "uuid":
    case "ipaddress":
    case "ipprefix":
    case "Geometry":
    case "SphericalGeography": {
      const format = binaryFormats[type.kind];
      return (values, index) => {
        const at = (values >>> 2) + index * 2;
        const from = memory.u32[at] as number;
        return format(memory.u8.subarray(from, from + (memory.u32[at + 1] as number)));
      };
    }
  }
}

/** A client gets all fraction digits only if it announces that it understands them. */
export function textWriter(
  type: TextType,
  memory: CellMemory,
  json: JsonBytes,
  parametricDatetime: boolean,
): (values: Address, index: number) => void {
  if (type.kind === "json") {
    return (values, index) => {
      const at = (values >>> 2) + index * 2;
      json.string(memory.u8, memory.u32[at] as number, memory.u32[at + 1] as number, 0);
    };
  }
  const precision = "precision" in type ? type.precision : 0;
  const text = textOf(type, memory, parametricDatetime ? precision : Math.min(3, precision));
  return (values, index) => json.ascii(`"${text(values, index)}"`);
}
