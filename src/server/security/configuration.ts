/**
 * Properties of HTTPS, of the authentication of users and of their rights, with Trino's names.
 */
import { parseDurationMs } from "../../protocol/units.ts";
import { ConfigurationError } from "../properties.ts";
import { type AccessConfiguration, builtInRights } from "../../security/access-configuration.ts";
import type { JwtConfiguration } from "./jwt.ts";
import { checkedLocation } from "./access/rules-location.ts";
import type { TlsConfiguration } from "./tls.ts";
import { type UserMapping, userMapping } from "./user-mapping.ts";
import { shownValue } from "../../protocol/shown-value.ts";

export const securityProperties = [
  { name: "http-server.http.enabled", default: "true", description: "Whether to serve plain HTTP" },
  { name: "http-server.https.enabled", default: "false", description: "Whether to serve HTTPS" },
  { name: "http-server.https.port", default: "8443", description: "Port of HTTPS; 0 selects a free port" },
  { name: "http-server.https.keystore.path", default: "", description: "PEM file with the private key and the certificates of the server" },
  { name: "http-server.https.keystore.key", default: "", description: "Password of an encrypted private key" },
  {
    name: "http-server.https.truststore.path",
    default: "",
    description: "PEM file with the certificates that sign those of clients; client certificates are then requested",
  },
  {
    name: "http-server.https.ssl-context.refresh-time",
    default: "1m",
    description: "How often the files of keys and certificates are checked for changes",
  },
  {
    name: "internal-communication.https.required",
    default: "false",
    description: "Whether nodes talk to each other by HTTPS only; so they do if plain HTTP is not served",
  },
  {
    name: "http-server.authentication.type",
    default: "",
    description: "How users prove who they are: PASSWORD, JWT, CERTIFICATE, comma-separated, tried in order; by default not at all",
  },
  {
    name: "http-server.authentication.allow-insecure-over-http",
    default: "",
    description: "Whether clients of plain HTTP are taken at their word; by default only if there is no authentication",
  },
  {
    name: "http-server.authentication.jwt.key-file",
    default: "",
    description: "Key of JWTs: a PEM file, a base64 secret, or a JWKS file or address",
  },
  { name: "http-server.authentication.jwt.required-issuer", default: "", description: "Issuer that a JWT must have" },
  { name: "http-server.authentication.jwt.required-audience", default: "", description: "Audience that a JWT must have" },
  { name: "http-server.authentication.jwt.principal-field", default: "sub", description: "Field of a JWT that names the principal" },
  {
    name: "http-server.authentication.password.user-mapping.pattern",
    default: "",
    description: "Pattern whose first group is the user of a login name; by default the whole name",
  },
  {
    name: "http-server.authentication.jwt.user-mapping.pattern",
    default: "",
    description: "Pattern whose first group is the user of a JWT's principal; by default the whole principal",
  },
  {
    name: "http-server.authentication.certificate.user-mapping.pattern",
    default: "",
    description: "Pattern whose first group is the user of a certificate's subject; by default the whole subject",
  },
  { name: "password-authenticator.name", default: "file", description: "Where passwords are: file" },
  { name: "file.password-file", default: "", description: "Password file: lines of user:hash, with bcrypt or PBKDF2" },
  { name: "file.refresh-period", default: "5s", description: "How often the files of passwords and of groups are checked for changes" },
  { name: "file.auth-token-cache.max-size", default: "1000", description: "Number of verified passwords that are remembered" },
  {
    name: "access-control.name",
    default: "",
    description: "What users may do: file, read-only, allow-all or default, everything but be another user",
  },
  {
    name: "security.config-file",
    default: "",
    description: "JSON file, or http: or https: address of a document, with rules of access as Trino's file-based access control has",
  },
  {
    name: "security.json-pointer",
    default: "",
    description: "JSON pointer (RFC 6901) to the rules within the document; by default the whole document",
  },
  {
    name: "security.refresh-period",
    default: "",
    description: "How often the document of rules is checked for changes; by default never",
  },
  { name: "web-ui.session-timeout", default: "1d", description: "How long a login of the web interface lasts" },
] as const;

type SecurityPropertyName = (typeof securityProperties)[number]["name"];

export type AuthenticationType = "PASSWORD" | "JWT" | "CERTIFICATE";
const authenticationTypes: readonly AuthenticationType[] = ["PASSWORD", "JWT", "CERTIFICATE"];

export interface PasswordFileConfiguration {
  readonly path: string;
  readonly refreshMs: number;
  readonly rememberedMax: number;
}

export interface AuthenticationConfiguration {
  readonly types: readonly AuthenticationType[];
  readonly allowsInsecureOverHttp: boolean;
  readonly passwordFile: PasswordFileConfiguration | undefined;
  readonly jwt: JwtConfiguration | undefined;
  readonly mappings: Readonly<Record<AuthenticationType, UserMapping>>;
  readonly sessionMs: number;
}

/** Where rules of access are. */
interface RulesConfiguration {
  /** Path of a file, or an address. */
  readonly location: string;
  readonly pointer: string;
  readonly refreshMs: number;
}

export interface SecurityConfiguration {
  readonly servesHttp: boolean;
  /** Undefined if HTTPS is not served. */
  readonly tls: TlsConfiguration | undefined;
  /** Nodes use HTTPS between each other. */
  readonly internalHttps: boolean;
  /** Undefined if clients are taken at their word. */
  readonly authentication: AuthenticationConfiguration | undefined;
  /** Undefined if there is no access-control.name. */
  readonly access: RulesConfiguration | { readonly rights: AccessConfiguration } | undefined;
}

interface Reader {
  readonly text: (name: SecurityPropertyName) => string;
  readonly flag: (name: SecurityPropertyName) => boolean;
  readonly integer: (name: SecurityPropertyName, low: number, high: number) => number;
  readonly processForwarded: boolean;
}

/** Throws ConfigurationError. */
export function securityConfiguration(reader: Reader): SecurityConfiguration {
  const { flag } = reader;
  const servesHttp = flag("http-server.http.enabled");
  const tls = flag("http-server.https.enabled") ? tlsConfiguration(reader) : undefined;
  const requiresHttps = flag("internal-communication.https.required");
  if (tls === undefined && !servesHttp) {
    throw new ConfigurationError("http-server.http.enabled and http-server.https.enabled are both false");
  }
  if (tls === undefined && requiresHttps) {
    throw new ConfigurationError("internal-communication.https.required needs http-server.https.enabled");
  }
  const authentication = authenticationConfiguration(reader);
  if (authentication !== undefined && tls === undefined && !reader.processForwarded) {
    throw new ConfigurationError(
      "http-server.authentication.type needs http-server.https.enabled, or http-server.process-forwarded behind a proxy",
    );
  }
  if (authentication?.types.includes("CERTIFICATE") === true && tls?.truststorePath === undefined) {
    throw new ConfigurationError("the authentication type CERTIFICATE needs http-server.https.truststore.path");
  }
  return {
    servesHttp,
    tls,
    internalHttps: tls !== undefined && (requiresHttps || !servesHttp),
    authentication,
    access: accessConfiguration(reader, authentication !== undefined),
  };
}

function accessConfiguration({ text }: Reader, authenticates: boolean): SecurityConfiguration["access"] {
  const name = text("access-control.name");
  const location = text("security.config-file");
  if ((name === "file") !== (location !== "")) {
    throw new ConfigurationError("access-control.name=file and security.config-file need each other");
  }
  if (name === "file") {
    return rulesConfiguration(location, text);
  }
  if (name === "" || (name === "default" && !authenticates)) {
    return undefined;
  }
  const rights = Object.hasOwn(builtInRights, name) ? builtInRights[name] : undefined;
  if (rights === undefined) {
    const expected = ["file", ...Object.keys(builtInRights)].join(", ");
    throw new ConfigurationError(`invalid value '${shownValue(name)}' for property 'access-control.name': expected ${expected}`);
  }
  return { rights };
}

function rulesConfiguration(location: string, text: Reader["text"]): RulesConfiguration {
  const period = text("security.refresh-period");
  const pointer = text("security.json-pointer");
  if (!/^(\/([^~]|~[01])*)?$/.test(pointer)) {
    throw new ConfigurationError(`invalid value '${shownValue(pointer)}' for property 'security.json-pointer': expected a JSON pointer`);
  }
  const refreshMs = period === "" ? Number.POSITIVE_INFINITY : duration("security.refresh-period", text);
  return { location: checkedLocation(location), pointer, refreshMs };
}

function tlsConfiguration({ integer, text }: Reader): TlsConfiguration {
  const keystorePath = text("http-server.https.keystore.path");
  const keystoreKey = text("http-server.https.keystore.key");
  const truststorePath = text("http-server.https.truststore.path");
  if (keystorePath === "") {
    throw new ConfigurationError("http-server.https.enabled needs http-server.https.keystore.path");
  }
  return {
    port: integer("http-server.https.port", 0, 65535),
    keystorePath,
    refreshMs: duration("http-server.https.ssl-context.refresh-time", text),
    ...(keystoreKey === "" ? {} : { keystoreKey }),
    ...(truststorePath === "" ? {} : { truststorePath }),
  };
}

function authenticationConfiguration(reader: Reader): AuthenticationConfiguration | undefined {
  const { text } = reader;
  const types = typesIn(text("http-server.authentication.type"));
  if (types.length === 0) {
    return undefined;
  }
  const optional = (name: SecurityPropertyName): string | undefined => text(name) || undefined;
  const insecure = text("http-server.authentication.allow-insecure-over-http");
  const mapping = (type: "password" | "jwt" | "certificate"): UserMapping => {
    const name = `http-server.authentication.${type}.user-mapping.pattern` as const;
    return userMapping(name, text(name));
  };
  const keyFile = optional("http-server.authentication.jwt.key-file");
  if (types.includes("JWT") && keyFile === undefined) {
    throw new ConfigurationError("the authentication type JWT needs http-server.authentication.jwt.key-file");
  }
  return {
    types,
    allowsInsecureOverHttp: insecure !== "" && reader.flag("http-server.authentication.allow-insecure-over-http"),
    passwordFile: types.includes("PASSWORD") ? passwordFileConfiguration(reader) : undefined,
    jwt:
      keyFile === undefined || !types.includes("JWT")
        ? undefined
        : {
            keyFile,
            requiredIssuer: optional("http-server.authentication.jwt.required-issuer"),
            requiredAudience: optional("http-server.authentication.jwt.required-audience"),
            principalField: text("http-server.authentication.jwt.principal-field"),
          },
    mappings: { PASSWORD: mapping("password"), JWT: mapping("jwt"), CERTIFICATE: mapping("certificate") },
    sessionMs: duration("web-ui.session-timeout", text),
  };
}

function typesIn(list: string): readonly AuthenticationType[] {
  const names = list
    .split(",")
    .map((name) => name.trim().toUpperCase())
    .filter((name) => name !== "" && name !== "INSECURE");
  return names.map((name) => {
    const type = authenticationTypes.find((one) => one === name);
    if (type === undefined) {
      throw new ConfigurationError(
        `invalid value '${shownValue(name)}' for property 'http-server.authentication.type': expected ${authenticationTypes.join(", ")}`,
      );
    }
    return type;
  });
}

function passwordFileConfiguration({ integer, text }: Reader): PasswordFileConfiguration {
  if (text("password-authenticator.name") !== "file") {
    throw new ConfigurationError(
      `invalid value '${shownValue(text("password-authenticator.name"))}' for property 'password-authenticator.name': expected file`,
    );
  }
  const path = text("file.password-file");
  if (path === "") {
    throw new ConfigurationError("the authentication type PASSWORD needs file.password-file");
  }
  return {
    path,
    refreshMs: duration("file.refresh-period", text),
    rememberedMax: integer("file.auth-token-cache.max-size", 0, 1_000_000),
  };
}

function duration(name: SecurityPropertyName, text: Reader["text"]): number {
  const parsed = parseDurationMs(text(name));
  if (parsed === undefined || parsed < 1) {
    throw new ConfigurationError(`invalid value '${shownValue(text(name))}' for property '${name}': expected a duration of 1ms at least`);
  }
  return parsed;
}
