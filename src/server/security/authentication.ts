/**
 * Authentication of requests from outside of the cluster: the types of `http-server.authentication.type` are tried in order, and the first
 * that accepts the credentials gives the user. The rules of plain HTTP, the answers and their wording are Trino's.
 */
import type { X509Certificate } from "node:crypto";
import type { Identity } from "../../protocol/http/identity.ts";
import { RefusedRequest } from "../edge/intake.ts";
import { principalOf } from "./certificate.ts";
import type { JwtVerifier } from "./jwt.ts";
import type { PasswordFile, PasswordLogin } from "./password-file.ts";
import type { UserMapping } from "./user-mapping.ts";
import type { WebSessions } from "./web-sessions.ts";

/** How a request came. */
export interface Sender {
  /** IP address of the client. */
  readonly address: string;
  /** The request came over HTTPS, or over a proxy that says so. */
  readonly isSecure: boolean;
}

/** What a request says about its sender. */
export interface Credentials extends Sender {
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  /** Proved by the client and signed by a trusted authority. */
  readonly certificate: X509Certificate | undefined;
  /** A script of the server's own pages: the browser must not ask for a password in a window of its own. */
  readonly isScript: boolean;
}

/** `undefined` of complaint: no credentials of this type. */
type Attempt = { readonly identity: Identity } | { readonly complaint: string | undefined };

export interface Authenticator {
  readonly challenge?: string;
  authenticate(credentials: Credentials): Promise<Attempt>;
}

/** Identity of the request; undefined if the node takes the client's word, as allowed over plain HTTP. */
export type Verdict = { readonly identity: Identity | undefined } | { readonly refused: RefusedRequest };

const realm = 'realm="Orrery"';
const invalidCredentials = "Access Denied: Invalid credentials";

export interface AuthenticationOptions {
  readonly authenticators: readonly Authenticator[];
  /** http-server.authentication.allow-insecure-over-http */
  readonly allowsInsecureOverHttp: boolean;
  readonly sessions: WebSessions;
  /** Type PASSWORD, for the login page. */
  readonly passwords?: PasswordAuthenticator;
  readonly close?: () => void;
}

export class Authentication {
  readonly sessions: WebSessions;
  readonly passwords: PasswordAuthenticator | undefined;
  readonly #options: AuthenticationOptions;

  constructor(options: AuthenticationOptions) {
    this.#options = options;
    this.sessions = options.sessions;
    this.passwords = options.passwords;
  }

  async authenticate(credentials: Credentials): Promise<Verdict> {
    if (!credentials.isSecure) {
      return this.#options.allowsInsecureOverHttp
        ? { identity: undefined }
        : { refused: new RefusedRequest(403, "Authentication over HTTP is not enabled") };
    }
    const session = this.sessions.find(credentials.cookie);
    if (session !== undefined) {
      return { identity: session };
    }
    const complaints: string[] = [];
    for (const authenticator of this.#options.authenticators) {
      const attempt = await authenticator.authenticate(credentials);
      if ("identity" in attempt) {
        return attempt;
      }
      if (attempt.complaint !== undefined) {
        complaints.push(attempt.complaint);
      }
    }
    const challenges = this.#options.authenticators.flatMap(({ challenge }) => challenge ?? []);
    const text = complaints.length === 0 ? "Unauthorized" : [...new Set(complaints)].join(" | ");
    const headers = credentials.isScript || challenges.length === 0 ? {} : { "www-authenticate": challenges };
    return { refused: new RefusedRequest(401, text, headers) };
  }

  close(): void {
    this.#options.close?.();
  }
}

/** Type PASSWORD. */
export class PasswordAuthenticator implements Authenticator {
  readonly challenge = `Basic ${realm}`;
  readonly #file: PasswordFile;
  readonly #mapping: UserMapping;

  constructor(file: PasswordFile, mapping: UserMapping) {
    this.#file = file;
    this.#mapping = mapping;
  }

  authenticate({ address, authorization }: Credentials): Promise<Attempt> {
    const basic = /^Basic(?:\s+(\S*))?\s*$/i.exec(authorization ?? "");
    if (basic === null) {
      return Promise.resolve({ complaint: undefined });
    }
    const text = Buffer.from(basic[1] ?? "", "base64").toString("utf8");
    const colon = text.indexOf(":");
    if (colon < 1) {
      return Promise.resolve({ complaint: `Malformed credentials: ${colon < 0 ? "token" : "user is empty"}` });
    }
    return this.login({ user: text.slice(0, colon), password: text.slice(colon + 1), address });
  }

  /** Rejects with RefusedRequest if the password cannot be checked now. */
  async login(login: PasswordLogin): Promise<Attempt> {
    if (login.password === "") {
      return { complaint: "Malformed credentials: password is empty" };
    }
    return (await this.#file.isValid(login)) ? mapped(this.#mapping, login.user) : { complaint: invalidCredentials };
  }
}

/** Type JWT. */
export class JwtAuthenticator implements Authenticator {
  readonly challenge = `Bearer ${realm}`;
  readonly #verifier: JwtVerifier;
  readonly #mapping: UserMapping;

  constructor(verifier: JwtVerifier, mapping: UserMapping) {
    this.#verifier = verifier;
    this.#mapping = mapping;
  }

  async authenticate({ authorization }: Credentials): Promise<Attempt> {
    const token = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) {
      return { complaint: undefined };
    }
    const verdict = await this.#verifier.principalOf(token);
    return "principal" in verdict ? mapped(this.#mapping, verdict.principal) : verdict;
  }
}

/** Type CERTIFICATE. */
export class CertificateAuthenticator implements Authenticator {
  readonly #mapping: UserMapping;

  constructor(mapping: UserMapping) {
    this.#mapping = mapping;
  }

  authenticate({ certificate }: Credentials): Promise<Attempt> {
    return Promise.resolve(certificate === undefined ? { complaint: undefined } : mapped(this.#mapping, principalOf(certificate)));
  }
}

function mapped(mapping: UserMapping, principal: string): Attempt {
  const user = mapping(principal);
  return user === undefined ? { complaint: "Access Denied: No user mapping for the principal" } : { identity: { user, principal } };
}
