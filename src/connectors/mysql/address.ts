/** The address of a server in `connection-url`, in the form of the JDBC drivers of MySQL and MariaDB. */
import type { DatabaseAddress, DatabaseTls } from "../../ports/databases.ts";
import { QueryError } from "../../protocol/errors.ts";

const urlProperty = "connection-url";
const portDefault = 3306;
const connectTimeoutMsDefault = 10_000;
/** `jdbc:mysql://host:port?name=value&name=value`; an IPv6 address is in brackets. Databases are schemas, so the URL names none. */
const urlForm = /^jdbc:(mysql|mariadb):\/\/(\[[0-9a-fA-F:.]+\]|[^/:?,[\]\s]+)(?::(\d{1,5}))?\/?(?:\?(\S*))?$/;
const knownParameters: ReadonlySet<string> = new Set([
  "user",
  "password",
  "sslMode",
  "serverSslCert",
  "allowPublicKeyRetrieval",
  "connectTimeout",
]);
/** Names of both drivers. */
const modes: ReadonlyMap<string, DatabaseTls["mode"]> = new Map([
  ["DISABLED", "disable"],
  ["DISABLE", "disable"],
  ["PREFERRED", "prefer"],
  ["REQUIRED", "require"],
  ["TRUST", "require"],
  ["VERIFY_CA", "verify-ca"],
  ["VERIFY-CA", "verify-ca"],
  ["VERIFY_IDENTITY", "verify-full"],
  ["VERIFY-FULL", "verify-full"],
]);

type Kind = "mysql" | "mariadb";

/** The message never contains the address: it may have a password in it. */
function invalidUrl(kind: Kind, reason: string): QueryError {
  return new QueryError("CONFIGURATION_INVALID", `Invalid JDBC URL for ${kind} connector: ${reason}`);
}

/** Throws CONFIGURATION_INVALID. */
export function addressOf(kind: Kind, properties: Readonly<Record<string, string>>): DatabaseAddress {
  const url = properties[urlProperty]?.trim() ?? "";
  if (url === "") {
    throw new QueryError("CONFIGURATION_INVALID", `Property '${urlProperty}' is required`);
  }
  const match = urlForm.exec(url);
  const port = Number(match?.[3] ?? portDefault);
  if (match === null || match[1] !== kind || port < 1 || port > 65_535) {
    throw invalidUrl(kind, `it must have the form jdbc:${kind}://host:port`);
  }
  const parameters = parametersOf(kind, match[4] ?? "");
  const user = properties["connection-user"]?.trim() ?? parameters.get("user");
  const password = properties["connection-password"] ?? parameters.get("password");
  const mode = modes.get((parameters.get("sslMode") ?? "PREFERRED").toUpperCase());
  if (mode === undefined) {
    throw invalidUrl(kind, "parameter 'sslMode' must be one of DISABLED, PREFERRED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY");
  }
  const rootCertificate = parameters.get("serverSslCert");
  const keyRetrieval = parameters.get("allowPublicKeyRetrieval") ?? "false";
  if (keyRetrieval !== "true" && keyRetrieval !== "false") {
    throw invalidUrl(kind, "parameter 'allowPublicKeyRetrieval' must be true or false");
  }
  return {
    kind: "mysql",
    host: (match[2] as string).replace(/^\[|\]$/g, ""),
    port,
    database: "",
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    tls: rootCertificate === undefined ? { mode } : { mode, rootCertificate },
    connectTimeoutMs: connectTimeoutOf(kind, parameters.get("connectTimeout")),
    ...(keyRetrieval === "true" && { allowsServerKey: true }),
  };
}

/** 0 is the default. */
function connectTimeoutOf(kind: Kind, text = "0"): number {
  if (!/^\d{1,8}$/.test(text)) {
    throw invalidUrl(kind, "parameter 'connectTimeout' must be a number of milliseconds");
  }
  return Number(text) === 0 ? connectTimeoutMsDefault : Number(text);
}

function parametersOf(kind: Kind, text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const part of text.split("&").filter((one) => one !== "")) {
    const [name = "", ...rest] = part.split("=");
    if (!knownParameters.has(name)) {
      throw invalidUrl(kind, `parameter '${name}' is not supported`);
    }
    try {
      parameters.set(name, decodeURIComponent(rest.join("=")));
    } catch {
      throw invalidUrl(kind, "it has an invalid percent-encoding");
    }
  }
  return parameters;
}
