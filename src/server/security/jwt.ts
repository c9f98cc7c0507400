/**
 * JSON Web Tokens of the header `Authorization: Bearer`, verified by the keys of the configuration: a PEM file with a public key or a
 * certificate, a file with a base64 secret, or a set of keys (JWKS) in a file or at an address. The keys decide which algorithms are
 * accepted.
 */
import { createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { createLocalJWKSet, createRemoteJWKSet, errors, type JSONWebKeySet, jwtVerify, type JWTVerifyGetKey } from "jose";
import { ConfigurationError } from "../properties.ts";
import { shownValue } from "../../protocol/shown-value.ts";

export interface JwtConfiguration {
  /** Path of a file, or an address. */
  readonly keyFile: string;
  readonly requiredIssuer: string | undefined;
  readonly requiredAudience: string | undefined;
  readonly principalField: string;
}

const rsa = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];
const elliptic = ["ES256", "ES384", "ES512"];
const asymmetric = [...rsa, ...elliptic, "EdDSA", "Ed25519"];
const symmetric = ["HS256", "HS384", "HS512"];

interface Keys {
  readonly key: KeyObject | Uint8Array | JWTVerifyGetKey;
  readonly algorithms: readonly string[];
}

/** The least length of a secret that RFC 7518 allows for HS256, in bytes. */
const secretBytesMin = 32;

export class JwtVerifier {
  readonly #configuration: JwtConfiguration;
  readonly #keys: Keys;

  /** Throws ConfigurationError. */
  constructor(configuration: JwtConfiguration) {
    this.#configuration = configuration;
    this.#keys = keysOf(configuration.keyFile);
  }

  /** The principal of a valid token; otherwise why it is not valid. */
  async principalOf(token: string): Promise<{ readonly principal: string } | { readonly complaint: string }> {
    const { principalField, requiredAudience: audience, requiredIssuer: issuer } = this.#configuration;
    const { algorithms, key } = this.#keys;
    const options = {
      algorithms: [...algorithms],
      ...(issuer === undefined ? {} : { issuer }),
      ...(audience === undefined ? {} : { audience }),
    };
    try {
      const { payload } = await (typeof key === "function" ? jwtVerify(token, key, options) : jwtVerify(token, key, options));
      const principal = Object.hasOwn(payload, principalField) ? payload[principalField] : undefined;
      return typeof principal === "string" && principal !== "" ? { principal } : { complaint: "Invalid JWT: no principal" };
    } catch (error) {
      return { complaint: error instanceof errors.JWTExpired ? "Invalid JWT: expired" : "Invalid JWT" };
    }
  }
}

function keysOf(keyFile: string): Keys {
  const invalid = (expected: string): ConfigurationError =>
    new ConfigurationError(
      `invalid value '${shownValue(keyFile)}' for property 'http-server.authentication.jwt.key-file': expected ${expected}`,
    );
  if (/^https?:\/\//.test(keyFile)) {
    if (!URL.canParse(keyFile)) {
      throw invalid("a file or an address");
    }
    return { key: createRemoteJWKSet(new URL(keyFile)), algorithms: asymmetric };
  }
  const text = textOf(keyFile, invalid);
  if (text.startsWith("{")) {
    try {
      return { key: createLocalJWKSet(JSON.parse(text) as JSONWebKeySet), algorithms: asymmetric };
    } catch {
      throw invalid("a JSON Web Key Set");
    }
  }
  if (text.startsWith("-----BEGIN")) {
    return publicKeyOf(text, invalid);
  }
  const secret = Buffer.from(text, "base64");
  if (secret.length < secretBytesMin || !/^[A-Za-z0-9+/_=\s-]+$/.test(text)) {
    throw invalid(`a public key, a set of keys, or a base64 secret of ${secretBytesMin} bytes at least`);
  }
  return { key: new Uint8Array(secret), algorithms: symmetric };
}

function textOf(path: string, invalid: (expected: string) => ConfigurationError): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    throw invalid("a file that can be read");
  }
}

function publicKeyOf(pem: string, invalid: (expected: string) => ConfigurationError): Keys {
  try {
    const key = createPublicKey(pem);
    switch (key.asymmetricKeyType) {
      case "rsa":
      case "rsa-pss":
        return { key, algorithms: rsa };
      case "ec":
        return { key, algorithms: elliptic };
      default:
        return { key, algorithms: ["EdDSA", "Ed25519"] };
    }
  } catch {
    throw invalid("a public key in PEM");
  }
}
