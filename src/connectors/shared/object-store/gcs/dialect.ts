/**
 * Google Cloud Storage by its XML API, which is S3's protocol with words of its own: signatures, and generations of objects in the place of
 * ETags, since conditions of writes know only them.
 */
import type { Headers } from "../../../../ports/network.ts";
import { etagOf, headerOf } from "../responses.ts";
import type { S3Dialect } from "../s3-store.ts";
import { signedHeaders, type SignatureScheme } from "../signature.ts";
import { textIn } from "../xml.ts";
import type { GcsCredential } from "./account.ts";

const scheme: SignatureScheme = Object.freeze({
  algorithm: "GOOG4-HMAC-SHA256",
  keyPrefix: "GOOG4",
  service: "storage",
  terminator: "goog4_request",
  headerPrefix: "x-goog-",
});
/** Signatures name a region, which is not looked at. */
const region = "auto";
const condition = "x-goog-if-generation-match";

export function gcsDialect(credential: GcsCredential): S3Dialect {
  return {
    authorized: async (request, wallMillis, life) => {
      switch (credential.kind) {
        case "keys":
          return signedHeaders(request, { keys: credential.keys, region, wallMillis }, scheme);
        case "token":
          return { ...request.headers, authorization: `Bearer ${await credential.token.get(life)}` };
        default:
          return request.headers;
      }
    },
    token: () => Promise.resolve(credential.kind === "token" ? credential.token : undefined),
    conditionOf: (given) => {
      if (given.kind === "absent") {
        return { [condition]: "0" };
      }
      return isGeneration(given.version) ? { [condition]: given.version } : { "if-match": given.version };
    },
    versionOf,
    versionIn: (element) => textIn(element, "Generation") ?? textIn(element, "ETag"),
  };
}

/** The generation; the ETag if it is compared with one, or if the server has no generations. */
function versionOf(headers: Headers, like?: string): string {
  const generation = headerOf(headers, "x-goog-generation");
  return generation === undefined || (like !== undefined && !isGeneration(like)) ? etagOf(headers) : generation;
}

function isGeneration(version: string): boolean {
  return /^\d+$/.test(version);
}
