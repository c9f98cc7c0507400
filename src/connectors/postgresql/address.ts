/** The address of a database in `connection-url`, in the form of PostgreSQL's JDBC driver. */
import type { DatabaseAddress, DatabaseTls } from "../../ports/databases.ts";
import { QueryError } from "../../protocol/errors.ts";

const urlProperty = "connection-url";
const portDefault = 5432;
const connectTimeoutSeconds = 10;
const tlsModes: readonly DatabaseTls["mode"][] = ["disable", "prefer", "require", "verify-ca", "verify-full"];
/** `jdbc:postgresql://host:port/database?name=value&name=value`; an IPv6 address is in brackets. */
const urlForm = /^jdbc:postgresql:\/\/(\[[0-9a-fA-F:.]+\]|[^/:?,[\]\s]+)(?::(\d{1,5}))?\/([^/?\s]+)(?:\?(\S*))?$/;

/** The message never contains the address: it may have a password in it. */
function invalidUrl(reason: string): QueryError {
  return new QueryError("CONFIGURATION_INVALID", `Invalid JDBC URL for PostgreSQL connector: ${reason}`);
}

/** Throws CONFIGURATION_INVALID. */
export function addressOf(properties: Readonly<Record<string, string>>): DatabaseAddress {
  const url = properties[urlProperty]?.trim() ?? "";
  if (url === "") {
    throw new QueryError("CONFIGURATION_INVALID", `Property '${urlProperty}' is required`);
  }
  const match = urlForm.exec(url);
  const port = Number(match?.[2] ?? portDefault);
  if (match === null || port < 1 || port > 65_535) {
    throw invalidUrl("it must have the form jdbc:postgresql://host:port/database");
  }
  const parameters = parametersOf(match[4] ?? "");
  const user = properties["connection-user"]?.trim() ?? parameters.get("user");
  const password = properties["connection-password"] ?? parameters.get("password");
  return {
    kind: "postgresql",
    host: (match[1] as string).replace(/^\[|\]$/g, ""),
    port,
    database: decoded(match[3] as string),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    tls: tlsOf(parameters),
    connectTimeoutMs: secondsOf(parameters.get("connectTimeout")) * 1000,
  };
}

const knownParameters: ReadonlySet<string> = new Set([
  "user",
  "password",
  "ssl",
  "sslmode",
  "sslrootcert",
  "connectTimeout",
  // Without meaning here: texts and cursors are always those of this connector.
  "ApplicationName",
  "reWriteBatchedInserts",
  "tcpKeepAlive",
]);

function parametersOf(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const part of text.split("&").filter((one) => one !== "")) {
    const [name = "", ...rest] = part.split("=");
    if (!knownParameters.has(name)) {
      throw invalidUrl(`parameter '${name}' is not supported`);
    }
    parameters.set(name, decoded(rest.join("=")));
  }
  return parameters;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidUrl("it has an invalid percent-encoding");
  }
}

function secondsOf(text: string | undefined): number {
  if (text !== undefined && !/^\d{1,5}$/.test(text)) {
    throw invalidUrl("parameter 'connectTimeout' must be a number of seconds");
  }
  const seconds = Number(text ?? connectTimeoutSeconds);
  return seconds === 0 ? connectTimeoutSeconds : seconds;
}

function tlsOf(parameters: ReadonlyMap<string, string>): DatabaseTls {
  const ssl = parameters.get("ssl");
  const text = parameters.get("sslmode") ?? (ssl === undefined || ssl === "false" ? "prefer" : "verify-full");
  const mode = tlsModes.find((one) => one === text);
  if (mode === undefined) {
    throw invalidUrl(`parameter 'sslmode' must be one of ${tlsModes.join(", ")}`);
  }
  const rootCertificate = parameters.get("sslrootcert");
  return rootCertificate === undefined ? { mode } : { mode, rootCertificate };
}
