/**
 * The session of a query in the documents of the query resource, in the shape of Presto's SessionRepresentation. It has neither credentials
 * nor the slug of the query.
 */
import type { QueryInfo } from "../../protocol/documents/query.ts";
import { traceIdOf } from "../../protocol/http/trace-parent.ts";
import { formatDataSize, formatDuration, parseDataSize, parseDuration } from "../../protocol/units.ts";
import { zoneKeyOf } from "../../types/time/zones.ts";
import type { Query } from "./query.ts";

export function sessionDocument(query: Query): QueryInfo["session"] {
  const { session } = query;
  const optional = {
    source: session.source,
    catalog: session.catalog,
    schema: session.schema,
    userAgent: session.userAgent,
    principal: session.principal,
    originalUser: session.originalUser,
    timeZone: session.timeZone,
    clientInfo: session.clientInfo,
    transactionId: session.transactionId,
    traceToken: session.traceToken,
    traceId: traceIdOf(session.traceParent),
    timeZoneKey: zoneKeyOf(session.timeZone ?? "UTC"),
  };
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    user: session.user,
    ...present,
    remoteUserAddress: session.remoteUserAddress,
    startTime: session.startMillis,
    queryId: query.id,
    clientTags: [...session.clientTags],
    clientTransactionSupport: session.clientTransactionSupport,
    ...(session.path === undefined ? {} : { path: { rawPath: session.path } }),
    locale: localeOf(session.language),
    clientCapabilities: [...session.clientCapabilities],
    resourceEstimates: resourceEstimates(session.resourceEstimates),
    unprocessedCatalogProperties: {},
    roles: selectedRoles(session.roles),
    preparedStatements: { ...session.preparedStatements },
    ...propertyDocuments(session.properties),
  };
}

/** `ALL`, `NONE` or `ROLE{name}` by catalog, as in the headers. */
export function selectedRoles(roles: Readonly<Record<string, string>>): NonNullable<QueryInfo["setRoles"]> {
  return Object.fromEntries(
    Object.entries(roles).map(([catalog, text]) => {
      const role = /^ROLE\{(.+)\}$/.exec(text)?.[1];
      return [
        catalog,
        role === undefined ? { type: text === "ALL" ? ("ALL" as const) : ("NONE" as const) } : { type: "ROLE" as const, role },
      ];
    }),
  );
}

/** Java's spelling of a locale: `en_US` for `en-US`. */
function localeOf(language: string | undefined): string {
  const [, name = "en", country] = /^([A-Za-z]{2,8})(?:[-_]([A-Za-z]{2}|\d{3})\b)?/.exec(language ?? "en-US") ?? [];
  return country === undefined ? name.toLowerCase() : `${name.toLowerCase()}_${country.toUpperCase()}`;
}

/** The header uses the names of Presto's constants. */
function resourceEstimates(estimates: Readonly<Record<string, string>>): NonNullable<QueryInfo["session"]["resourceEstimates"]> {
  const found = new Map(Object.entries(estimates).map(([name, value]) => [name.toUpperCase(), value]));
  const time = (name: string): string | undefined => optionally(parseDuration(found.get(name) ?? ""), formatDuration);
  const optional = {
    executionTime: time("EXECUTION_TIME"),
    cpuTime: time("CPU_TIME"),
    peakMemory: optionally(parseDataSize(found.get("PEAK_MEMORY") ?? ""), formatDataSize),
  };
  return Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
}

function optionally(value: number | undefined, format: (value: number) => string): string | undefined {
  return value === undefined ? undefined : format(value);
}

/** `name` is a system property, `catalog.name` a catalog property. */
function propertyDocuments(
  properties: Readonly<Record<string, string>>,
): Pick<QueryInfo["session"], "systemProperties" | "catalogProperties"> {
  const systemProperties: [name: string, value: string][] = [];
  const catalogProperties = new Map<string, Readonly<Record<string, string>>>();
  for (const [name, value] of Object.entries(properties)) {
    const dot = name.indexOf(".");
    if (dot < 0) {
      systemProperties.push([name, value]);
    } else {
      const catalog = name.slice(0, dot);
      catalogProperties.set(catalog, { ...catalogProperties.get(catalog), [name.slice(dot + 1)]: value });
    }
  }
  return { systemProperties: Object.fromEntries(systemProperties), catalogProperties: Object.fromEntries(catalogProperties) };
}
