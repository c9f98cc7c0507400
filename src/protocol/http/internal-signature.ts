/**
 * Signatures of requests between the nodes of a cluster that share a secret (decision 81). The header names the sender, its wall time and
 * the hash of the body, and signs them together with method and target. So a signature that was overheard is good for the very same request
 * only, and only for a few minutes.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Clock } from "../../ports/clock.ts";
import type { HttpRequest, HttpResponse, Network, RequestHandler, RequestOptions } from "../../ports/network.ts";
import { encodeUtf8 } from "../../types/utf8.ts";
import { accessOf, type NodeRole } from "./access.ts";
import { textResponse } from "./http.ts";

export const internalSignatureHeader = "x-engine-internal-signature";

export const sharedSecretProperty = "internal-communication.shared-secret";

/** Characters; a shorter secret could be found by trying. */
export const sharedSecretLengthMin = 16;

/** Largest difference of two nodes' wall clocks, and the time in which a request that was overheard can be repeated, in milliseconds. */
const skewMsMax = 300_000;

const emptyHash = bytesToHex(sha256(new Uint8Array(0)));
const format = /^v1 ([\w.-]{1,128}) (\d{1,15}) ([0-9a-f]{64}) ([0-9a-f]{64})$/;

export interface SignerOptions {
  readonly secret: string;
  readonly nodeId: string;
  readonly wallMillis: () => number;
}

export type Verdict =
  | { readonly kind: "signed"; readonly nodeId: string; readonly bodyHash: string }
  | { readonly kind: "refused"; readonly reason: string };

export class RequestSigner {
  readonly #key: Uint8Array;
  readonly #nodeId: string;
  readonly #wallMillis: () => number;

  constructor({ nodeId, secret, wallMillis }: SignerOptions) {
    this.#key = encodeUtf8(secret);
    this.#nodeId = nodeId;
    this.#wallMillis = wallMillis;
  }

  /** The header of a request; `target` is its path and query. */
  sign(method: string, target: string, body: Uint8Array): string {
    const facts = `v1 ${this.#nodeId} ${Math.floor(this.#wallMillis())} ${hashOf(body)}`;
    return `${facts} ${this.#mac(facts, method, target)}`;
  }

  /** Checks everything but the body, which may still be on its way. */
  verify(method: string, target: string, header: string | readonly string[] | undefined): Verdict {
    const text = typeof header === "string" ? header : undefined;
    if (text === undefined) {
      return { kind: "refused", reason: "This resource is for nodes of the cluster; the request is not signed" };
    }
    const [, nodeId, millis, bodyHash, mac] = format.exec(text) ?? [];
    if (nodeId === undefined || millis === undefined || bodyHash === undefined || mac === undefined) {
      return { kind: "refused", reason: "The signature of the request is not valid" };
    }
    if (!isEqual(mac, this.#mac(text.slice(0, text.lastIndexOf(" ")), method, target))) {
      return { kind: "refused", reason: `The signature is not valid; all nodes need the same ${sharedSecretProperty}` };
    }
    if (Math.abs(this.#wallMillis() - Number(millis)) > skewMsMax) {
      return { kind: "refused", reason: "The signature has expired; the clocks of the nodes differ by more than 5 minutes" };
    }
    return { kind: "signed", nodeId, bodyHash };
  }

  #mac(facts: string, method: string, target: string): string {
    return bytesToHex(hmac(sha256, this.#key, encodeUtf8(`${facts}\n${method}\n${target}`)));
  }
}

export function hashOf(body: Uint8Array): string {
  return body.length === 0 ? emptyHash : bytesToHex(sha256(body));
}

/** Takes the same time wherever the texts differ. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  }
  return difference === 0;
}

/** Path and query as they stand in the request line. */
export function targetOf(url: string): string {
  const local = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/#.*$/, "");
  return local.startsWith("/") ? local : `/${local}`;
}

/** A network that signs what it sends and refuses internal requests that no node of the cluster has signed. */
export function signedNetwork(
  network: Network,
  options: Pick<SignerOptions, "secret" | "nodeId"> & { readonly clock: Clock; readonly role: NodeRole },
): Network {
  const { clock, role } = options;
  const signer = new RequestSigner({ ...options, wallMillis: () => clock.wallMillis() });
  return {
    get selfUri() {
      return network.selfUri;
    },
    ...(network.lends === undefined ? {} : { lends: network.lends }),
    lendsTo: (uri) => network.lendsTo?.(uri) ?? network.lends === true,
    request(request: HttpRequest, requestOptions: RequestOptions): Promise<HttpResponse> {
      const signature = signer.sign(request.method, targetOf(request.url), request.body);
      return network.request({ ...request, headers: { ...request.headers, [internalSignatureHeader]: signature } }, requestOptions);
    },
    serve(handler: RequestHandler): Promise<void> {
      return network.serve((request, context) => {
        const refusal = accessOf(request, role) === "internal" ? refusalOf(signer, request) : undefined;
        return refusal === undefined ? handler(request, context) : Promise.resolve(textResponse(401, refusal));
      });
    },
    close: () => network.close(),
  };
}

function refusalOf(signer: RequestSigner, { body, headers, method, url }: HttpRequest): string | undefined {
  const verdict = signer.verify(method, targetOf(url), headers[internalSignatureHeader]);
  if (verdict.kind === "refused") {
    return verdict.reason;
  }
  return verdict.bodyHash === hashOf(body) ? undefined : bodyChanged;
}

export const bodyChanged = "The body of the request is not the one that was signed";
