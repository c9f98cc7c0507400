/**
 * Signatures of requests to Azure Storage by the key of an account, as "Authorize with Shared Key" of its documents defines them for
 * versions from 2016-05-31 on.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeBase64 } from "../../../../types/base64.ts";
import { encodeUtf8 } from "../../../../types/utf8.ts";

export interface UnsignedAzureRequest {
  readonly method: string;
  /** Encoded, as in the address of the request. */
  readonly path: string;
  /** Not encoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Lower-case names, `x-ms-date` among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
}

/** Standard headers in the order in which they are signed; the length of the body comes after the first two. */
const before = ["content-encoding", "content-language"];
const behind = [
  "content-md5",
  "content-type",
  "date",
  "if-modified-since",
  "if-match",
  "if-none-match",
  "if-unmodified-since",
  "range",
] as const;

export function stringToSign({ method, path, query, headers, bodyBytes }: UnsignedAzureRequest, account: string): string {
  const own = Object.entries(headers)
    .filter(([name]) => name.startsWith("x-ms-"))
    .toSorted(byName)
    .map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, " ")}`);
  const lower = query.map(([name, value]) => [name.toLowerCase(), value] as const).toSorted(byName);
  // The values of a name that is given more than once are one list.
  const values = new Map<string, string[]>();
  for (const [name, value] of lower) {
    values.set(name, [...(values.get(name) ?? []), value].toSorted());
  }
  return [
    method,
    ...before.map((name) => headers[name] ?? ""),
    bodyBytes === 0 ? "" : String(bodyBytes),
    ...behind.map((name) => headers[name] ?? ""),
    ...own,
    `/${account}${path}`,
    ...[...values].map(([name, all]) => `${name}:${all.join(",")}`),
  ].join("\n");
}

/** The value of `authorization`. `key` in bytes. */
export function sharedKey(request: UnsignedAzureRequest, { account, key }: { readonly account: string; readonly key: Uint8Array }): string {
  const signature = encodeBase64(hmac(sha256, key, encodeUtf8(stringToSign(request, account))));
  return `SharedKey ${account}:${signature}`;
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
