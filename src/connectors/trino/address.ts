/** The address of a cluster in `connection-url`, in the form of the JDBC drivers of Trino and Presto. */
import type { DatabaseAddress, DatabaseTls } from "../../ports/databases.ts";
import { QueryError } from "../../protocol/errors.ts";

const urlProperty = "connection-url";
/** How long a statement is sent again to a cluster that refuses it. */
const connectTimeoutMs = 1000;
/** `jdbc:trino://host:port/catalog?name=value&name=value`; an IPv6 address is in brackets. */
const urlForm = /^jdbc:(trino|presto):\/\/(\[[0-9a-fA-F:.]+\]|[^/:?,[\]\s]+)(?::(\d{1,5}))?(?:\/([^/?\s]*))?(?:\?(\S*))?$/;
const knownParameters: ReadonlySet<string> = new Set(["user", "password", "SSL", "SSLVerification", "SSLTrustStorePath", "encoding"]);
const verifications: ReadonlyMap<string, DatabaseTls["mode"]> = new Map([
  ["FULL", "verify-full"],
  ["NONE", "require"],
]);

type Kind = "trino" | "presto";

/** The message never contains the address: it may have a password in it. */
function invalidUrl(kind: Kind, reason: string): QueryError {
  return new QueryError("CONFIGURATION_INVALID", `Invalid JDBC URL for ${kind} connector: ${reason}`);
}

/** The address of a cluster without a catalog, by the same properties. Throws CONFIGURATION_INVALID. */
export function clusterAddress(properties: Readonly<Record<string, string>>): DatabaseAddress {
  const kind = properties[urlProperty]?.trim().startsWith("jdbc:presto:") === true ? "presto" : "trino";
  const address = addressIn(kind, properties);
  if (address.database !== "") {
    throw invalidUrl(kind, "the session of each statement has a catalog, so the URL names none");
  }
  return address;
}

/** Throws CONFIGURATION_INVALID. */
export function addressOf(kind: Kind, properties: Readonly<Record<string, string>>): DatabaseAddress {
  const address = addressIn(kind, properties);
  if (address.database === "") {
    throw invalidForm(kind);
  }
  return address;
}

function invalidForm(kind: Kind): QueryError {
  return invalidUrl(kind, `it must have the form jdbc:${kind}://host:port/catalog`);
}

function addressIn(kind: Kind, properties: Readonly<Record<string, string>>): DatabaseAddress {
  const url = properties[urlProperty]?.trim() ?? "";
  if (url === "") {
    throw new QueryError("CONFIGURATION_INVALID", `Property '${urlProperty}' is required`);
  }
  const match = urlForm.exec(url);
  if (match === null || match[1] !== kind) {
    throw invalidForm(kind);
  }
  const parameters = parametersOf(kind, match[5] ?? "");
  const tls = tlsOf(kind, parameters);
  const port = Number(match[3] ?? (tls.mode === "disable" ? 80 : 443));
  if (port < 1 || port > 65_535) {
    throw invalidUrl(kind, `port ${port} is out of range`);
  }
  const user = properties["connection-user"]?.trim() ?? parameters.get("user");
  const password = properties["connection-password"] ?? parameters.get("password");
  if (password !== undefined && tls.mode === "disable") {
    throw invalidUrl(kind, "TLS/SSL is required for authentication with username and password (SSL=true)");
  }
  const encoding = parameters.get("encoding");
  if (encoding !== undefined && (kind !== "trino" || (encoding !== "json" && encoding !== "json+lz4"))) {
    throw invalidUrl(kind, kind === "trino" ? "parameter 'encoding' must be json or json+lz4" : "parameter 'encoding' is not supported");
  }
  return {
    kind,
    host: (match[2] as string).replace(/^\[|\]$/g, ""),
    port,
    database: decoded(kind, match[4] ?? ""),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    tls,
    connectTimeoutMs,
    ...(encoding !== undefined && { encoding }),
  };
}

function parametersOf(kind: Kind, text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const part of text.split("&").filter((one) => one !== "")) {
    const [name = "", ...rest] = part.split("=");
    if (!knownParameters.has(name)) {
      throw invalidUrl(kind, `parameter '${name}' is not supported`);
    }
    parameters.set(name, decoded(kind, rest.join("=")));
  }
  return parameters;
}

function decoded(kind: Kind, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidUrl(kind, "it has an invalid percent-encoding");
  }
}

function tlsOf(kind: Kind, parameters: ReadonlyMap<string, string>): DatabaseTls {
  const ssl = parameters.get("SSL") ?? "false";
  if (ssl !== "true" && ssl !== "false") {
    throw invalidUrl(kind, "parameter 'SSL' must be true or false");
  }
  const mode = ssl === "false" ? "disable" : verifications.get(parameters.get("SSLVerification") ?? "FULL");
  if (mode === undefined) {
    throw invalidUrl(kind, `parameter 'SSLVerification' must be one of ${[...verifications.keys()].join(", ")}`);
  }
  const rootCertificate = parameters.get("SSLTrustStorePath");
  return rootCertificate === undefined ? { mode } : { mode, rootCertificate };
}
