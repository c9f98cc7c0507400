/**
 * Who may pass to a node's resources: requests of nodes are signed, users are authenticated, and public resources are open. All of it is
 * checked before a body is received.
 */
import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import type { Headers, HttpMethod } from "../../ports/network.ts";
import { accessOf, type NodeRole } from "../../protocol/http/access.ts";
import { type Identity, withIdentity, withoutIdentity } from "../../protocol/http/identity.ts";
import { bodyChanged, hashOf, internalSignatureHeader, type RequestSigner, targetOf } from "../../protocol/http/internal-signature.ts";
import { parsePath } from "../../protocol/http/http.ts";
import { RefusedRequest } from "../edge/intake.ts";
import type { Authentication, Credentials, Sender } from "./authentication.ts";
import type { Tls } from "./tls.ts";

export interface GateOptions {
  /** Undefined if the node belongs to no cluster with a secret. */
  readonly signer: RequestSigner | undefined;
  readonly role: NodeRole;
  /** Undefined if users are taken at their word. */
  readonly authentication: Authentication | "nodes-only" | undefined;
  readonly tls: Tls | undefined;
  /** Nodes use HTTPS between each other. */
  readonly internalHttps: boolean;
  readonly processForwarded: boolean;
  /** Whether a user may read about nodes and tasks; all may if absent. */
  readonly readsSystemInformation?: ((user: string) => boolean) | undefined;
}

/** Resources about nodes and tasks, and metrics. */
const systemInformation = /^\/(?:v1\/(?:node|task|service)(?:\/|$)|metrics$)/;

/** What the gate knows of a request that has passed. */
interface Passed {
  readonly bodyHash?: string;
  readonly identity?: Identity;
}

export interface AskedResource {
  readonly method: HttpMethod;
  /** Path and query. */
  readonly url: string;
  /** A file of the web interface, which holds no secret. */
  readonly isPage: boolean;
}

export class Gate {
  readonly #options: GateOptions;
  readonly #passed = new WeakMap<IncomingMessage, Passed>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Returns the refusal. A promise only if a user is authenticated. */
  check(raw: IncomingMessage, asked: AskedResource): RefusedRequest | undefined | Promise<RefusedRequest | undefined> {
    const { authentication, role, signer } = this.#options;
    const access = asked.isPage ? "public" : accessOf(asked, role);
    const signature = raw.headersDistinct[internalSignatureHeader]?.join(",");
    if (signer !== undefined && (access === "internal" || (access === "user" && authentication !== undefined && signature !== undefined))) {
      return this.#unsigned(raw, asked, signer, signature);
    }
    if (access !== "user" || authentication === undefined) {
      return undefined;
    }
    return authentication === "nodes-only" ? new RefusedRequest(401, "Unauthorized") : this.#authenticate(raw, asked, authentication);
  }

  /** Throws RefusedRequest if the body is not the signed one. */
  checkBody(raw: IncomingMessage, body: Uint8Array): void {
    const bodyHash = this.#passed.get(raw)?.bodyHash;
    if (bodyHash !== undefined && bodyHash !== hashOf(body)) {
      throw new RefusedRequest(401, bodyChanged);
    }
  }

  /** The headers for the node: with the identity that was authenticated, and no other. */
  headers(raw: IncomingMessage, headers: Headers): Headers {
    const identity = this.#passed.get(raw)?.identity;
    return identity === undefined ? withoutIdentity(headers) : withIdentity(headers, identity);
  }

  /** Secure if nobody between the client and the server, or its proxy, can read the request. */
  senderOf(raw: IncomingMessage): Sender {
    const { processForwarded } = this.#options;
    return {
      address: (processForwarded ? forwardedAddress(raw) : undefined) ?? raw.socket.remoteAddress ?? "",
      isSecure: raw.socket instanceof TLSSocket || (processForwarded && forwardedProtocol(raw) === "https"),
    };
  }

  #credentialsOf(raw: IncomingMessage): Credentials {
    const { tls } = this.#options;
    const { socket } = raw;
    return {
      authorization: raw.headers.authorization,
      cookie: raw.headers.cookie,
      certificate:
        tls?.requestsCertificates === true && socket instanceof TLSSocket && socket.authorized
          ? socket.getPeerX509Certificate()
          : undefined,
      ...this.senderOf(raw),
      isScript: raw.headers["sec-fetch-site"] === "same-origin" && raw.headers["sec-fetch-mode"] !== "navigate",
    };
  }

  #unsigned(raw: IncomingMessage, asked: AskedResource, signer: RequestSigner, signature: string | undefined): RefusedRequest | undefined {
    const { internalHttps, tls } = this.#options;
    const { socket } = raw;
    if (internalHttps && !(socket instanceof TLSSocket)) {
      return new RefusedRequest(403, "Nodes talk to each other by HTTPS only");
    }
    if (tls?.requestsCertificates === true && socket instanceof TLSSocket && !tls.trusts(socket)) {
      return new RefusedRequest(401, "The certificate of the node is not trusted");
    }
    const verdict = signer.verify(asked.method, targetOf(asked.url), signature);
    if (verdict.kind === "refused") {
      return new RefusedRequest(401, verdict.reason);
    }
    this.#passed.set(raw, { bodyHash: verdict.bodyHash });
    return undefined;
  }

  /** Of a request that has passed as a user's. */
  userOf(raw: IncomingMessage): string | undefined {
    return this.#passed.get(raw)?.identity?.user;
  }

  async #authenticate(raw: IncomingMessage, asked: AskedResource, authentication: Authentication): Promise<RefusedRequest | undefined> {
    const verdict = await authentication.authenticate(this.#credentialsOf(raw));
    if ("refused" in verdict) {
      return verdict.refused;
    }
    const { identity } = verdict;
    if (identity !== undefined) {
      this.#passed.set(raw, { identity });
      if (systemInformation.test(parsePath(asked.url).path) && this.#options.readsSystemInformation?.(identity.user) === false) {
        return new RefusedRequest(403, "Access Denied: Cannot read system information");
      }
    }
    return undefined;
  }
}

/** What the first proxy says of the client's request. */
function forwardedProtocol(raw: IncomingMessage): string | undefined {
  const standard = /(?:^|[;,\s])proto="?(https?)"?/i.exec((raw.headers.forwarded ?? "").split(",")[0] ?? "")?.[1];
  const older = raw.headersDistinct["x-forwarded-proto"]?.[0]?.split(",")[0]?.trim();
  return (standard ?? older)?.toLowerCase();
}

/** What the last proxy saw, since the client itself can send the header with any address before it. */
function forwardedAddress(raw: IncomingMessage): string | undefined {
  const standard = /(?:^|[;,\s])for="?\[?([\da-fA-F.:]+)\]?/i.exec((raw.headers.forwarded ?? "").split(",").at(-1) ?? "")?.[1];
  const older = raw.headersDistinct["x-forwarded-for"]?.join(",").split(",").at(-1)?.trim();
  return standard ?? (older === "" ? undefined : older);
}
