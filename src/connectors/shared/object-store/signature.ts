/**
 * AWS Signature Version 4 of requests to S3, as "Authenticating Requests: Using the Authorization Header" of its documents defines it.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { AccessKeys } from "../../../ports/outbound.ts";
import { StorageError } from "../../../ports/storage.ts";
import { encodeUtf8 } from "../../../types/utf8.ts";
import { compactTime } from "./times.ts";

export interface UnsignedRequest {
  readonly method: string;
  readonly host: string;
  /** Encoded. */
  readonly path: string;
  /** Encoded names and values. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Lower-case names. All are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** All bytes but letters, digits and `-._~` in hexadecimal. Throws URIError for text that is not well-formed. */
export function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The encoded path of a key, whose slashes stay. */
export function encodePath(key: string): string {
  return key.split("/").map(uriEncode).join("/");
}

/** As `encodePath`. StorageError INVALID_PATH for a key that is not well-formed. */
export function pathOf(key: string): string {
  try {
    return encodePath(key);
  } catch {
    throw new StorageError("INVALID_PATH", key, "the name is not well-formed");
  }
}

export function queryText(query: UnsignedRequest["query"]): string {
  return query
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** The words of a signature: those of AWS, and those that Google has in their place. */
export interface SignatureScheme {
  readonly algorithm: string;
  /** Before the secret key. */
  readonly keyPrefix: string;
  readonly service: string;
  readonly terminator: string;
  readonly headerPrefix: string;
}

const awsScheme: SignatureScheme = Object.freeze({
  algorithm: "AWS4-HMAC-SHA256",
  keyPrefix: "AWS4",
  service: "s3",
  terminator: "aws4_request",
  headerPrefix: "x-amz-",
});

/** The headers of the request, with `authorization` and those that it needs. */
export function signedHeaders(
  request: UnsignedRequest,
  { keys, region, wallMillis }: { readonly keys: AccessKeys; readonly region: string; readonly wallMillis: number },
  { algorithm, keyPrefix, service, terminator, headerPrefix }: SignatureScheme = awsScheme,
): Readonly<Record<string, string>> {
  const time = compactTime(wallMillis);
  const scope = `${time.slice(0, 8)}/${region}/${service}/${terminator}`;
  const contentHash = hexHash(request.body);
  const headers: Record<string, string> = {
    ...request.headers,
    [`${headerPrefix}content-sha256`]: contentHash,
    [`${headerPrefix}date`]: time,
    ...(keys.sessionToken !== undefined && { [`${headerPrefix}security-token`]: keys.sessionToken }),
  };
  const signed = Object.entries({ ...headers, host: request.host }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(";");
  const canonical = [
    request.method,
    request.path,
    queryText(request.query),
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, " ")}`),
    "",
    names,
    contentHash,
  ].join("\n");
  const toSign = [algorithm, time, scope, hexHash(encodeUtf8(canonical))].join("\n");
  const key = [time.slice(0, 8), region, service, terminator].reduce(
    (from, part) => hmac(sha256, from, encodeUtf8(part)),
    encodeUtf8(`${keyPrefix}${keys.secretKey}`),
  );
  const signature = bytesToHex(hmac(sha256, key, encodeUtf8(toSign)));
  return {
    ...headers,
    authorization: `${algorithm} Credential=${keys.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function hexHash(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}
