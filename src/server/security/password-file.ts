/**
 * Users and hashes of a password file (Trino's `file` password authenticator). A password that was verified is remembered, so that the
 * polls of a client do not compute a hash each; the memory is bounded and forgets with the file.
 */
import { createHmac, randomBytes } from "node:crypto";
import type { FailedLogins } from "./failed-logins.ts";
import { hashComplaint } from "./password-hash.ts";
import type { PasswordChecker } from "./password-checker.ts";
import { WatchedFile } from "./watched-file.ts";

/** Hashes by user. Throws an error that names the line, and neither user nor hash. */
export function parsePasswordFile(text: string): ReadonlyMap<string, string> {
  const hashes = new Map<string, string>();
  let number = 0;
  for (const line of text.split(/\r?\n/)) {
    number++;
    if (line.trim() === "") {
      continue;
    }
    const colon = line.indexOf(":");
    const user = line.slice(0, Math.max(colon, 0)).trim();
    if (user === "") {
      throw new Error(`Error in password file line ${number}: Expected two parts for user and password`);
    }
    const hash = line.slice(colon + 1).trim();
    const complaint = hashComplaint(hash);
    if (complaint !== undefined) {
      throw new Error(`Error in password file line ${number}: ${complaint}`);
    }
    if (hashes.has(user)) {
      throw new Error(`Error in password file line ${number}: Duplicate user`);
    }
    hashes.set(user, hash);
  }
  return hashes;
}

/** A user who sends a password, and the address that it comes from. */
export interface PasswordLogin {
  readonly user: string;
  readonly password: string;
  readonly address: string;
}

export interface PasswordFileOptions {
  readonly path: string;
  readonly refreshMs: number;
  /** Verified passwords that are remembered. */
  readonly rememberedMax: number;
  readonly checker: PasswordChecker;
  readonly failures: FailedLogins;
  readonly onComplaint: (message: string) => void;
  readonly nowMs?: () => number;
}

export class PasswordFile {
  readonly #options: PasswordFileOptions;
  readonly #file: WatchedFile<ReadonlyMap<string, string>>;
  /** Of this process. The memory holds no password, and nothing from which one can be guessed without the key. */
  readonly #key = randomBytes(32);
  /** Digests of user, password and hash, in order of their last use. */
  readonly #remembered = new Set<string>();
  readonly #asked = new Map<string, Promise<boolean>>();

  /** Throws if the file cannot be read. */
  constructor(options: PasswordFileOptions) {
    this.#options = options;
    this.#file = new WatchedFile({ ...options, parse: parsePasswordFile });
  }

  /** Rejects with RefusedRequest if too many passwords wait to be checked, or were wrong from this address. */
  async isValid({ user, password, address }: PasswordLogin): Promise<boolean> {
    const hashes = this.#file.value();
    const own = hashes.get(user);
    const hash = own ?? this.#anyHash(hashes, user);
    if (hash === undefined) {
      return false;
    }
    // The hash is a part of it: after a change of the password the former one is unknown.
    const digest = createHmac("sha256", this.#key)
      .update(JSON.stringify([user, password, hash]))
      .digest("base64");
    if (own !== undefined && this.#remembered.delete(digest)) {
      this.#remembered.add(digest);
      return true;
    }
    this.#options.failures.attempt(address);
    const matches = await this.#check(digest, hash, password);
    if (!matches || own === undefined) {
      return false;
    }
    this.#options.failures.forgive(address);
    this.#remember(digest);
    return true;
  }

  /** Requests with the same credentials share one comparison. */
  #check(digest: string, hash: string, password: string): Promise<boolean> {
    const asked = this.#asked.get(digest);
    if (asked !== undefined) {
      return asked;
    }
    const checking = this.#options.checker.matches(hash, password).finally(() => this.#asked.delete(digest));
    this.#asked.set(digest, checking);
    return checking;
  }

  #remember(digest: string): void {
    this.#remembered.add(digest);
    if (this.#remembered.size > this.#options.rememberedMax) {
      const [oldest] = this.#remembered;
      this.#remembered.delete(oldest as string);
    }
  }

  /** An unknown user costs the time of some known one, always the same, so that the time does not tell who is known. */
  #anyHash(hashes: ReadonlyMap<string, string>, user: string): string | undefined {
    const all = [...hashes.values()];
    return all[createHmac("sha256", this.#key).update(user).digest().readUInt32LE() % Math.max(1, all.length)];
  }
}
