/**
 * Conversion between constants of plans (JSON) and values of host functions.
 */
import type { HostValue } from "../../functions/registry/definition.ts";
import { formatHex, parseHex } from "../../functions/runtime/formats.ts";
import type { Constant, ConstantValue } from "../../planner/plan/typed-expression.ts";
import { decodeNested, encodeNested, nestedSource, type NestedType } from "../../types/nested/nested.ts";
import type { Type } from "../../types/type.ts";

export function hostValueOfConstant(constant: Constant): HostValue {
  const { type, value } = constant;
  if (value === null) {
    return null;
  }
  switch (type.kind) {
    case "bigint":
    case "decimal":
    case "timestamp":
    case "interval day to second":
    case "BingTile":
      return BigInt(value as string);
    case "real":
    case "double":
      return Number(value);
    case "time":
    case "time with time zone":
    case "timestamp with time zone":
      return BigInt(value as string);
    case "varbinary":
    case "uuid":
    case "ipaddress":
    case "ipprefix":
    case "HyperLogLog":
    case "P4HyperLogLog":
    case "tdigest":
    case "qdigest":
    case "setdigest":
    case "Geometry":
    case "SphericalGeography":
    case "Classifier":
    case "Regressor":
      return parseHex(value as string) ?? new Uint8Array(0);
    case "array":
    case "map":
    case "row":
      return decodeNested(type, nestedSource(parseHex(value as string) ?? new Uint8Array(0)));
    default:
      return value;
  }
}

export function constantOfHostValue(type: Type, value: HostValue): ConstantValue {
  if (value === null || typeof value === "boolean" || typeof value === "string") {
    return value;
  }
  if (typeof value === "bigint") {
    return value.toString();
  }
  if (typeof value === "number") {
    const isFloating = type.kind === "real" || type.kind === "double";
    return isFloating && (!Number.isFinite(value) || Object.is(value, -0)) ? (Object.is(value, -0) ? "-0" : String(value)) : value;
  }
  return formatHex(value instanceof Uint8Array ? value : encodeNested(type as NestedType, value));
}
