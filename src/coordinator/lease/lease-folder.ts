/**
 * Files of the lease of a directory that coordinators share. Each owner has an epoch: a folder with its number. To claim an epoch is to
 * rename a folder to that number, which succeeds for one claimant only. The owner renews the lease by other content of a file in it.
 */
import type { Log } from "../../ports/ports.ts";
import { type Storage, StorageError } from "../../ports/storage.ts";
import { messageOf } from "../../protocol/errors.ts";
import { sameBytes } from "../../types/bytes.ts";
import { encodeUtf8 } from "../../types/utf8.ts";

export interface LeaseOwner {
  readonly nodeId: string;
  readonly incarnation: string;
  readonly uri: string;
  /** The operating system's names of machine and process; empty if they are not known. */
  readonly process: string;
}

export interface Epoch {
  readonly number: number;
  /** Content of the file of renewals. */
  readonly renewals: Uint8Array;
  /** The owner has given the lease back, or is known to be dead. */
  readonly isReleased: boolean;
}

/** The directory of the lease in a node's storage, inside the one of the query history. */
export const leaseFolder = "query-history/lease";

/** Of the folder of an epoch. */
export const ownerFile = "owner";
export const releasedFile = "released";
const renewalsFile = "renewals";
export const epochPattern: RegExp = /^\d{10}$/;
const claimPrefix = "claim-";

export class LeaseFolder {
  readonly #storage: Storage;
  readonly #log: Log;
  #claims = 0;

  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  /** The latest epoch; undefined if there was none. Throws StorageError. */
  async latest(): Promise<Epoch | undefined> {
    const number = Math.max(0, ...(await this.#numbers()));
    if (number === 0) {
      return undefined;
    }
    const folder = nameOf(number);
    const names = new Set((await this.#entries(folder)).map(({ name }) => name));
    const renewals = names.has(renewalsFile) ? await this.#content(`${folder}/${renewalsFile}`) : new Uint8Array(0);
    return { number, renewals, isReleased: names.has(releasedFile) };
  }

  /** False if another coordinator has claimed this epoch or a later one. Throws StorageError. */
  async claim(number: number, owner: LeaseOwner): Promise<boolean> {
    this.#claims += 1;
    const claim = `${claimPrefix}${owner.incarnation}-${this.#claims}`;
    const text = encodeUtf8(JSON.stringify({ ...owner, claim: this.#claims }));
    await this.#storage.write(`${claim}/${ownerFile}`, text);
    await this.#storage.sync(`${claim}/${ownerFile}`);
    try {
      await this.#storage.rename(claim, nameOf(number));
    } catch (error) {
      // A network file system may have renamed the folder all the same.
      if (!(error instanceof StorageError) || !(await this.#isOwnedBy(number, text))) {
        await this.#remove(claim);
        return false;
      }
    }
    await this.#storage.sync("");
    // An owner that was stopped for long may claim an epoch whose folder later owners have removed.
    return this.#isLatest(number);
  }

  /** False if there is a later epoch. Throws StorageError. */
  async renew(number: number, count: number): Promise<boolean> {
    await this.#storage.write(`${nameOf(number)}/${renewalsFile}`, encodeUtf8(String(count)));
    return this.#isLatest(number);
  }

  /** Throws StorageError. */
  release(number: number): Promise<void> {
    return this.#storage.write(`${nameOf(number)}/${releasedFile}`, new Uint8Array(0));
  }

  /** Removes what former owners and claimants have left. Never rejects. */
  async clear(number: number): Promise<void> {
    try {
      for (const { name } of await this.#storage.list("")) {
        if (name.startsWith(claimPrefix) || (epochPattern.test(name) && Number(name) < number)) {
          await this.#storage.remove(name);
        }
      }
    } catch (error) {
      this.#log.warn("lease-folder-not-cleared", { error: messageOf(error) });
    }
  }

  async #isLatest(number: number): Promise<boolean> {
    return (await this.#numbers()).every((other) => other <= number);
  }

  async #numbers(): Promise<readonly number[]> {
    return (await this.#entries("")).flatMap(({ name }) => (epochPattern.test(name) ? [Number(name)] : []));
  }

  /** None if the folder does not exist. */
  async #entries(folder: string): Promise<readonly { readonly name: string }[]> {
    try {
      return await this.#storage.list(folder);
    } catch (error) {
      if (error instanceof StorageError && error.kind === "NOT_FOUND") {
        return [];
      }
      throw error;
    }
  }

  async #content(path: string): Promise<Uint8Array> {
    return this.#storage.read(path, 0, (await this.#storage.stat(path)).sizeBytes);
  }

  async #isOwnedBy(number: number, text: Uint8Array): Promise<boolean> {
    try {
      return sameBytes(await this.#content(`${nameOf(number)}/${ownerFile}`), text);
    } catch {
      return false;
    }
  }

  async #remove(path: string): Promise<void> {
    try {
      await this.#storage.remove(path);
    } catch (error) {
      this.#log.warn("lease-folder-not-cleared", { error: messageOf(error) });
    }
  }
}

/** Name of the folder of an epoch. */
function nameOf(epoch: number): string {
  return String(epoch).padStart(10, "0");
}
