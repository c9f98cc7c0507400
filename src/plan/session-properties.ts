/** Session properties that planning knows, with their defaults. Read by SHOW SESSION, SET SESSION and the optimiser. */
import { QueryError } from "../protocol/errors.ts";
import { zoneKeyOf } from "../types/zones.ts";
import type { JoinOptions } from "./rules/rule.ts";

export interface SessionProperty {
  readonly name: string;
  readonly type: "varchar" | "boolean" | "integer";
  readonly defaultValue: string;
  readonly values: readonly string[];
  readonly description: string;
}

/** What SET TIME ZONE sets: it goes before the zone that the client names with each statement. */
export const timeZoneProperty = "time_zone_id";

/** Sorted by name. */
export const sessionProperties: readonly SessionProperty[] = Object.freeze([
  {
    name: "enable_dynamic_filtering",
    type: "boolean",
    defaultValue: "true",
    values: ["true", "false"],
    description: "Enable dynamic filtering: scans leave out rows whose join keys the build side of the join does not have",
  },
  {
    name: "join_distribution_type",
    type: "varchar",
    defaultValue: "AUTOMATIC",
    values: ["BROADCAST", "PARTITIONED", "AUTOMATIC"],
    description: "Join distribution type. Possible values: [BROADCAST, PARTITIONED, AUTOMATIC]",
  },
  {
    name: "join_reordering_strategy",
    type: "varchar",
    defaultValue: "AUTOMATIC",
    values: ["NONE", "ELIMINATE_CROSS_JOINS", "AUTOMATIC"],
    description: "Join reordering strategy. Possible values: [NONE, ELIMINATE_CROSS_JOINS, AUTOMATIC]",
  },
  {
    name: "max_recursion_depth",
    type: "integer",
    defaultValue: "10",
    values: [],
    description: "Maximum recursion depth for recursive common table expression",
  },
  {
    name: "share_common_subplans",
    type: "boolean",
    defaultValue: "true",
    values: ["true", "false"],
    description: "Evaluate a sub-plan that occurs several times in a statement once, where its rows are fewer bytes than what it reads",
  },
  {
    name: timeZoneProperty,
    type: "varchar",
    defaultValue: "",
    values: [],
    description: "Time zone id for the current session",
  },
]);

export function findSessionProperty(name: string): SessionProperty | undefined {
  return sessionProperties.find((property) => property.name === name);
}

export function checkSessionProperty(property: SessionProperty, value: string): string {
  if (property.type === "integer") return checkCount(property, value);
  if (property.name === timeZoneProperty) return checkZone(value);
  const known = property.type === "boolean" ? value.toLowerCase() : value.toUpperCase();
  if (property.values.includes(known)) return known;
  throw new QueryError("INVALID_SESSION_PROPERTY", `Invalid value [${value}]. Valid values: [${property.values.join(", ")}]`);
}

function checkZone(value: string): string {
  if (zoneKeyOf(value) !== undefined) return value;
  throw new QueryError("INVALID_SESSION_PROPERTY", `Time zone not supported: ${value}`);
}

/** Each level is written out in the plan. */
const recursionDepthMax = 100;

function checkCount({ name }: SessionProperty, value: string): string {
  if (/^\+?\d+$/.test(value) && Number(value) > recursionDepthMax) {
    throw new QueryError("INVALID_SESSION_PROPERTY", `${name} must be less than or equal to ${recursionDepthMax}: ${value}`);
  }
  if (/^\+?\d{1,9}$/.test(value) && Number(value) >= 1) return String(Number(value));
  throw new QueryError("INVALID_SESSION_PROPERTY", `${name} must be an integer greater than or equal to 1: ${value}`);
}

function sessionValue(name: string, properties: Readonly<Record<string, string>>): string {
  const property = findSessionProperty(name);
  const value = properties[name];
  if (property === undefined) return value ?? "";
  return value === undefined ? property.defaultValue : checkSessionProperty(property, value);
}

export function joinOptions(properties: Readonly<Record<string, string>>): JoinOptions {
  return {
    dynamicFiltering: sessionValue("enable_dynamic_filtering", properties) === "true",
    joinDistribution: sessionValue("join_distribution_type", properties) as JoinOptions["joinDistribution"],
    joinReordering: sessionValue("join_reordering_strategy", properties) as JoinOptions["joinReordering"],
  };
}

export function sharesSubplans(properties: Readonly<Record<string, string>>): boolean {
  return sessionValue("share_common_subplans", properties) === "true";
}

export function maxRecursionDepth(properties: Readonly<Record<string, string>>): number {
  return Number(sessionValue("max_recursion_depth", properties));
}
