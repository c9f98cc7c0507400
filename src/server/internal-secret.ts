/**
 * The secret of the nodes of this machine: made at the first start of a server and kept in the user's home directory, so that servers of
 * one user on one machine form clusters without configuration. Nodes on several machines need internal-communication.shared-secret.
 */
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { sharedSecretLengthMin, sharedSecretProperty } from "../protocol/http/internal-signature.ts";
import { ConfigurationError } from "./properties.ts";

/** The configured secret; undefined if there is none. Throws ConfigurationError. */
export function configuredSecret(properties: Readonly<Record<string, string>>): string | undefined {
  const secret = properties[sharedSecretProperty] ?? "";
  if (secret === "") {
    return undefined;
  }
  if (secret.length < sharedSecretLengthMin) {
    throw new ConfigurationError(`property '${sharedSecretProperty}' is too short: expected at least ${sharedSecretLengthMin} characters`);
  }
  return secret;
}

/**
 * The machine's secret. If it cannot be kept, as in a container without a home directory, it is a new one, which no other process knows.
 * Throws ConfigurationError if other users can read it.
 */
export function machineSecret(folder?: string): string {
  try {
    return keptSecret(folder ?? join(homedir(), ".orrery"));
  } catch (error) {
    if (error instanceof ConfigurationError) {
      throw error;
    }
    // A user without an entry in the system's list has no home directory at all.
    return newSecret();
  }
}

function keptSecret(folder: string): string {
  const path = join(folder, "internal-secret");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return readSecret(path) ?? makeSecret(path);
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Undefined if there is no such file. */
function readSecret(path: string): string | undefined {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) {
    return undefined;
  }
  const isOthers = process.getuid !== undefined && (facts.uid !== process.getuid() || (facts.mode & 0o077) !== 0);
  const secret = isOthers ? "" : readFileSync(path, "utf8").trim();
  if (secret.length < sharedSecretLengthMin) {
    throw new ConfigurationError(`the file ${path} is not a secret of this user alone; remove it, or set ${sharedSecretProperty}`);
  }
  return secret;
}

/** The file appears with its contents: of two servers that start at once, the second reads what the first has written. */
function makeSecret(path: string): string {
  const secret = newSecret();
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${secret}\n`, { mode: 0o600, flag: "wx" });
  try {
    linkSync(draft, path);
    return secret;
  } catch (error) {
    const first = readSecret(path);
    if (first === undefined) {
      throw error;
    }
    return first;
  } finally {
    rmSync(draft, { force: true });
  }
}
