/**
 * What opens the buckets of Google Cloud Storage: an HMAC key, or a service account or user of Google, whose tokens are asked for. Files of
 * credentials are those of Google's tools (AIP-4112, AIP-4113). Properties have Trino's names where Trino has them.
 */
import type { Clock } from "../../../../ports/clock.ts";
import type { Lifetime } from "../../../../ports/lifetime.ts";
import type { AccessKeys, Outbound } from "../../../../ports/outbound.ts";
import { StorageError } from "../../../../ports/storage.ts";
import { QueryError } from "../../../../protocol/errors.ts";
import { encodeBase64 } from "../../../../types/base64.ts";
import { encodeUtf8 } from "../../../../types/utf8.ts";
import { invalidProperty } from "../../properties.ts";
import { ExpiringValue } from "../expiring.ts";
import { askForToken, type TokenRequest } from "../oauth.ts";
import type { StoreClient } from "../store-client.ts";

type Properties = Readonly<Record<string, string>>;

const authProperty = "gcs.auth-type";
const endpointProperty = "gcs.endpoint";
const jsonProperty = "gcs.json-key";
const fileProperty = "gcs.json-key-file-path";
const keyProperty = "gcs.hmac-access-key";
const secretProperty = "gcs.hmac-secret-key";

export const gcsProperties: readonly string[] = Object.freeze([
  authProperty,
  endpointProperty,
  jsonProperty,
  fileProperty,
  keyProperty,
  secretProperty,
]);

const authTypes = ["SERVICE_ACCOUNT", "HMAC", "NONE"] as const;

const endpointDefault = "https://storage.googleapis.com";
const tokenUriDefault = "https://oauth2.googleapis.com/token";
const scope = "https://www.googleapis.com/auth/devstorage.read_write";
const jwtSeconds = 3600;
const what = "of the credentials of Google";

/** What opens a bucket. It must not get into logs, messages and documents. */
export type GcsCredential =
  | { readonly kind: "none" }
  | { readonly kind: "keys"; readonly keys: AccessKeys }
  | { readonly kind: "token"; readonly token: ExpiringValue<string> };

export interface GcsAccount {
  /** Without a slash at its end. */
  readonly endpoint: string;
  readonly credential: GcsCredential;
}

interface Reach {
  readonly client: StoreClient;
  readonly clock: Clock;
  readonly outbound: Outbound;
}

/** With this token in the place of what the properties give. Throws CONFIGURATION_INVALID. Values of secrets are in no message. */
export function gcsAccountOf(properties: Properties, reach: Reach, token?: ExpiringValue<string>): GcsAccount {
  const of = (name: string): string | undefined => properties[name]?.trim() || undefined;
  const endpoint = of(endpointProperty) ?? endpointDefault;
  if (!/^https?:\/\/[A-Za-z0-9._:[\]-]+\/?$/i.test(endpoint)) {
    throw invalidProperty(endpointProperty, endpoint.replace(/\/\/[^/]*@/, "//"));
  }
  return { endpoint: endpoint.replace(/\/$/, ""), credential: token === undefined ? credentialOf(of, reach) : { kind: "token", token } };
}

function credentialOf(of: (name: string) => string | undefined, reach: Reach): GcsCredential {
  const [json, file, accessKey, secretKey] = [jsonProperty, fileProperty, keyProperty, secretProperty].map(of);
  const given = of(authProperty)?.toUpperCase() ?? (accessKey !== undefined || secretKey !== undefined ? "HMAC" : "SERVICE_ACCOUNT");
  const type = authTypes.find((one) => one === given);
  if (type === undefined) {
    throw invalidProperty(authProperty, of(authProperty) ?? "");
  }
  if (json !== undefined && file !== undefined) {
    throw new QueryError("CONFIGURATION_INVALID", `Only one of the properties '${jsonProperty}' and '${fileProperty}' can be set`);
  }
  if (json !== undefined) {
    // Reports credentials that are not valid when the catalog is made.
    credentialsIn(json);
  }
  switch (type) {
    case "NONE":
      return { kind: "none" };
    case "HMAC":
      if (accessKey === undefined || secretKey === undefined) {
        throw new QueryError("CONFIGURATION_INVALID", `Properties '${keyProperty}' and '${secretProperty}' belong together`);
      }
      return { kind: "keys", keys: { accessKey, secretKey } };
    default: {
      const { client, clock, outbound } = reach;
      const ask = async (life: Lifetime) => {
        const text = json ?? (await outbound.googleCredentials(file));
        if (text === undefined) {
          throw new StorageError("IO", what, `there are none: set property '${fileProperty}'`);
        }
        return askForToken(await tokenRequestOf(credentialsIn(text), reach), { client: client.until(life), clock, what });
      };
      return { kind: "token", token: new ExpiringValue(clock, ask) };
    }
  }
}

type Credentials = Readonly<Record<string, unknown>>;

function credentialsIn(text: string): Credentials {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    document = undefined;
  }
  const credentials = typeof document === "object" && document !== null ? (document as Credentials) : {};
  const names =
    credentials["type"] === "service_account"
      ? ["client_email", "private_key"]
      : credentials["type"] === "authorized_user"
        ? ["client_id", "client_secret", "refresh_token"]
        : undefined;
  if (names === undefined || names.some((name) => typeof credentials[name] !== "string")) {
    throw new QueryError("CONFIGURATION_INVALID", "The credentials of Google are no file of a service account or of a user");
  }
  return credentials;
}

/** Of a service account, a JSON Web Token that it signs (RFC 7523); of a user, the refresh token. */
async function tokenRequestOf(credentials: Credentials, { clock, outbound }: Reach): Promise<TokenRequest> {
  const of = (name: string): string => String(credentials[name] as string);
  const given = credentials["token_uri"];
  const url = typeof given === "string" && /^https?:\/\/[^?#@\s]+$/.test(given) ? given : tokenUriDefault;
  if (credentials["type"] === "authorized_user") {
    const form = {
      grant_type: "refresh_token",
      client_id: of("client_id"),
      client_secret: of("client_secret"),
      refresh_token: of("refresh_token"),
    };
    return { url, form };
  }
  const seconds = Math.floor(clock.wallMillis() / 1000);
  const id = credentials["private_key_id"];
  const header = { alg: "RS256", typ: "JWT", ...(typeof id === "string" && { kid: id }) };
  const claims = { iss: of("client_email"), scope, aud: url, iat: seconds, exp: seconds + jwtSeconds };
  const text = [header, claims].map((part) => base64Url(encodeUtf8(JSON.stringify(part)))).join(".");
  const signature = await outbound.rsaSignature(of("private_key"), encodeUtf8(text));
  if (signature === undefined) {
    throw new StorageError("IO", what, "the private key is no RSA key in PEM");
  }
  const assertion = `${text}.${base64Url(signature)}`;
  return { url, form: { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion } };
}

function base64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
