/**
 * USE, SET SESSION, RESET SESSION, SET PATH, SET TIME ZONE and SHOW SESSION.
 */
import {
  lowerName,
  lowerParts,
  type ResetSession,
  type SessionAssignment,
  type SetPath,
  type SetSession,
  type SetTimeZone,
  type ShowSession,
  type Use,
} from "../../../sql/ast/ast.ts";
import { hasSchema } from "../../../connectors/shared/walk.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { canCoerce } from "../../../functions/registry/coercion.ts";
import { BOOLEAN, displayType, INTEGER, VARCHAR } from "../../../types/type.ts";
import { zoneKeyOf } from "../../../types/time/zones.ts";
import { semanticError, type Placed } from "../../analyzer/errors.ts";
import { analyzeExpression } from "../../analyzer/expression/analyze-expression.ts";
import { coerce } from "../../analyzer/expression/functions.ts";
import { requireConnector } from "../../analyzer/metadata.ts";
import { requirePropertyRight } from "../../access/statement-rights.ts";
import type { PlanContext } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { PlannedQuery, PlannedSessionChange } from "../../planned.ts";
import { checkSessionProperty, findSessionProperty, type SessionProperty } from "../../session-properties.ts";
import { sessionProperties, timeZoneProperty } from "../../session-properties.ts";
import { patternMatcher } from "../show/show.ts";
import { planRows, varcharColumn } from "../values.ts";

export async function planUse(statement: Use, context: PlanContext): Promise<PlannedSessionChange> {
  const catalog = statement.catalog === undefined ? context.session.catalog : lowerName(statement.catalog);
  const schema = lowerName(statement.schema);
  if (catalog === undefined) {
    throw semanticError("MISSING_CATALOG_NAME", statement, "Catalog must be specified when session catalog is not set");
  }
  const connector = context.catalogs.connector(catalog);
  if (connector === undefined) {
    throw new QueryError("NOT_FOUND", `Catalog does not exist: ${catalog}`);
  }
  if (!(await hasSchema(connector.metadata, schema))) {
    throw new QueryError("NOT_FOUND", `Schema does not exist: ${catalog}.${schema}`);
  }
  const change = { action: "USE", schema, ...(statement.catalog !== undefined && { catalog }) } as const;
  return { kind: "session", updateType: "USE", change };
}

/** A client that supports it stores the path and sends it with its next statements. */
export function planSetPath(statement: SetPath, context: PlanContext): PlannedSessionChange {
  if (context.session.clientPathSupport !== true) {
    throw new QueryError("NOT_SUPPORTED", "SET PATH not supported by client");
  }
  for (const { parts } of statement.elements) {
    const [catalog, schema] = parts;
    if (catalog === undefined || (schema === undefined && context.session.catalog === undefined)) {
      throw semanticError(
        "MISSING_CATALOG_NAME",
        statement,
        "Catalog must be specified for each path element when session catalog is not set",
      );
    }
    if (schema !== undefined && context.catalogs.connector(lowerName(catalog)) === undefined) {
      throw new QueryError("NOT_FOUND", `Catalog does not exist: ${lowerName(catalog)}`);
    }
  }
  const path = statement.elements.map(({ parts }) => parts.map(printExpression).join(".")).join(", ");
  return { kind: "session", updateType: "SET PATH", change: { action: "SET_PATH", path } };
}

export async function planSetSession(statement: SetSession, context: PlanContext): Promise<PlannedSessionChange> {
  const change = { action: "SET_SESSION", ...(await assignedProperty(statement, context)) } as const;
  return { kind: "session", updateType: "SET SESSION", change };
}

/** Returns the property of an assignment and its evaluated value, in the form that a session stores. Throws INVALID_SESSION_PROPERTY. */
export async function assignedProperty(
  statement: SetSession | SessionAssignment,
  context: PlanContext,
): Promise<{ readonly name: string; readonly value: string }> {
  const property = requireProperty(statement, context);
  const { name } = property;
  if (context.access !== undefined) {
    requirePropertyRight(name, context.session.user, context.access);
  }
  let value: string;
  try {
    value = await propertyValue(statement, property, context);
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }
    const message = `Unable to set session property '${name}' to '${printExpression(statement.value)}': ${rawMessage(error)}`;
    throw new QueryError("INVALID_SESSION_PROPERTY", message);
  }
  try {
    return { name, value: checkSessionProperty(property, value) };
  } catch (error) {
    throw error instanceof QueryError ? semanticError("INVALID_SESSION_PROPERTY", statement, rawMessage(error)) : error;
  }
}

async function propertyValue(statement: SetSession | SessionAssignment, property: SessionProperty, context: PlanContext): Promise<string> {
  const analysis = await startAnalysis(statement, context);
  const scope = { fields: [], queryBoundary: true };
  const expression = analyzeExpression(statement.value, { analysis, scope, queries: { named: new Map() }, clause: "SET SESSION" });
  const type = { boolean: BOOLEAN, integer: INTEGER, varchar: VARCHAR, duration: VARCHAR, size: VARCHAR }[property.type];
  if (!canCoerce(expression.type, type)) {
    const message = `Cannot cast type ${displayType(expression.type)} to ${displayType(type)}`;
    throw semanticError("TYPE_MISMATCH", statement.value, message);
  }
  const value = context.evaluateConstant(coerce(expression, type));
  if (value === null) {
    throw semanticError("INVALID_SESSION_PROPERTY", statement.value, "Session property value must not be null");
  }
  return String(value);
}

function rawMessage({ location, message }: QueryError): string {
  return location === undefined ? message : message.replace(/^line \d+:\d+: /, "");
}

export function planResetSession(statement: ResetSession, context: PlanContext): PlannedSessionChange {
  const { name } = requireProperty(statement, context);
  return { kind: "session", updateType: "RESET SESSION", change: { action: "RESET_SESSION", name } };
}

/** Connectors have no session properties. */
function requireProperty(statement: SetSession | ResetSession | SessionAssignment, context: PlanContext): SessionProperty {
  const parts = lowerParts(statement.name);
  const name = parts.join(".");
  if (parts.length > 2) {
    throw semanticError("INVALID_SESSION_PROPERTY", statement, `Invalid session property '${name}'`);
  }
  const [catalog] = parts;
  if (parts.length === 2 && catalog !== undefined) {
    requireConnector(context, catalog, statement);
  }
  const property = findSessionProperty(name);
  if (property === undefined) {
    throw semanticError("INVALID_SESSION_PROPERTY", statement, `Session property '${name}' does not exist`);
  }
  return property;
}

const millisPerMinute = 60_000;

/** SET TIME ZONE sets a session property, as in Trino. LOCAL resets it, so that the client's own zone applies again. */
export async function planSetTimeZone(statement: SetTimeZone, context: PlanContext): Promise<PlannedSessionChange> {
  const updateType = "SET TIME ZONE";
  const { zone } = statement;
  if (zone === undefined) {
    return { kind: "session", updateType, change: { action: "RESET_SESSION", name: timeZoneProperty } };
  }
  const analysis = await startAnalysis(statement, context);
  const scope = { fields: [], queryBoundary: true };
  const expression = analyzeExpression(zone, { analysis, scope, queries: { named: new Map() }, clause: "SET TIME ZONE" });
  const { kind } = expression.type;
  if (kind !== "varchar" && kind !== "interval day to second") {
    const found = `Expected expression of varchar or interval day-time type, but '${printExpression(zone)}' has ${displayType(expression.type)} type`;
    throw semanticError("TYPE_MISMATCH", zone, found);
  }
  const value = context.evaluateConstant(expression);
  if (value === null) {
    throw semanticError("INVALID_SESSION_PROPERTY", zone, "Time zone must not be null");
  }
  const id = kind === "varchar" ? String(value) : offsetText(Number(value), zone);
  if (zoneKeyOf(id) === undefined) {
    throw semanticError("INVALID_SESSION_PROPERTY", zone, `Time zone not supported: ${id}`);
  }
  return { kind: "session", updateType, change: { action: "SET_SESSION", name: timeZoneProperty, value: id } };
}

function offsetText(millis: number, at: Placed): string {
  if (millis % millisPerMinute !== 0) {
    throw semanticError("INVALID_LITERAL", at, "Invalid time zone offset interval: interval contains seconds");
  }
  const minutes = Math.abs(millis) / millisPerMinute;
  const digits = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  return `${millis < 0 ? "-" : "+"}${digits(minutes / 60)}:${digits(minutes % 60)}`;
}

export function planShowSession(statement: ShowSession, context: PlanContext): PlannedQuery {
  const matches = patternMatcher(statement.pattern);
  const rows = sessionProperties
    .filter((property) => matches(property.name))
    .map((property) => {
      const { name, type, description } = property;
      const defaultValue = context.sessionDefaults?.[name] ?? property.defaultValue ?? "";
      const value = context.session.properties[name] ?? defaultValue;
      return [name, value, defaultValue, type === "duration" || type === "size" ? "varchar" : type, description];
    });
  return planRows(["Name", "Value", "Default", "Type", "Description"].map(varcharColumn), rows);
}
