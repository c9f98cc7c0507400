/**
 * Where files are before they are visible: folders below `.orrery`, whose name hides them from every reader. A write stages its files in
 * `writes`; the coordinator moves those of a finished write to `commits`, and from there, by one rename, to the table. A dropped table is
 * moved to `dropped` by one rename, and removed then. So a crash leaves nothing of a table half done; what it leaves here is swept.
 */
import type { Clock } from "../../../ports/clock.ts";
import { base32, type RandomStream } from "../../../ports/random.ts";
import type { Log } from "../../../ports/ports.ts";
import { type Storage, StorageError } from "../../../ports/storage.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { civilOf } from "../../../types/time/calendar.ts";
import type { Grace } from "../../shared/lifetime.ts";
import { listFolder } from "../folder.ts";

const root = ".orrery";
export const stagingFolders = Object.freeze({ writes: `${root}/writes`, commits: `${root}/commits`, dropped: `${root}/dropped` });

const millisPerDay = 86_400_000;
const randomCharacters = 8;
/** Entries that are looked at below a leftover to find its age. */
const lookedAtMax = 10_000;

/** Converts storage errors to QueryErrors; other errors pass through. */
export async function writing<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageError) {
      throw new QueryError("CONNECTOR_ERROR", `File ${path} cannot be written: ${error.message}`);
    }
    throw error;
  }
}

export interface StagingOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomStream;
  readonly log: Log;
  readonly catalog: string;
  /** A leftover that has not changed for this time is removed. */
  readonly retentionMillis: number;
  /** Time in which a query that has ended removes what it has left. */
  readonly graceMs: number;
}

export class Staging {
  readonly #options: StagingOptions;
  #writes = 0;

  constructor(options: StagingOptions) {
    this.#options = options;
  }

  get grace(): Grace {
    return this.#options;
  }

  /** A name that no other write of any cluster has; names of one coordinator ascend. */
  newId(): string {
    const { clock, random } = this.#options;
    const millis = clock.wallMillis();
    const day = Math.floor(millis / millisPerDay);
    const { year, month, day: date } = civilOf(day);
    const second = Math.floor((millis - day * millisPerDay) / 1000);
    const two = (value: number): string => String(value).padStart(2, "0");
    const time = `${two(Math.floor(second / 3600))}${two(Math.floor(second / 60) % 60)}${two(second % 60)}`;
    const number = String(this.#writes++).padStart(5, "0");
    return `${String(year).padStart(4, "0")}${two(month)}${two(date)}_${time}_${number}_${random.nextText(randomCharacters, base32)}`;
  }

  /** Whether it is one that `newId` gives. */
  isName(text: string): boolean {
    return /^\d{8}_\d{6}_\d{5,}_[a-z0-9]{8}$/.test(text);
  }

  /** Whether what was changed last at this time is swept. */
  isLeftover(changedMillis: number | undefined): boolean {
    const { clock, retentionMillis } = this.#options;
    return changedMillis !== undefined && clock.wallMillis() - changedMillis > retentionMillis;
  }

  /** Failures are logged: what is left is swept later. */
  async remove(path: string): Promise<void> {
    try {
      await this.#options.storage.remove(path);
    } catch (error) {
      this.logLeft(error, path);
    }
  }

  logLeft(error: unknown, path = ""): void {
    const { log, catalog } = this.#options;
    log.warn("files-not-removed", { catalog, path, reason: error instanceof Error ? error.message : "unknown failure" });
  }

  /** Removes what crashed writers have left: folders in which nothing has changed for the time of retention. */
  async sweep(): Promise<void> {
    const { storage } = this.#options;
    for (const folder of Object.values(stagingFolders)) {
      for (const { name, directory } of await listFolder(storage, folder)) {
        const path = `${folder}/${name}`;
        const changed = directory ? await this.#changedMillis(path) : undefined;
        if (this.isLeftover(changed)) {
          await this.remove(path);
        }
      }
    }
  }

  /** The last change below the folder; undefined if the storage does not tell, or there is too much to look at. */
  async #changedMillis(root: string): Promise<number | undefined> {
    const { storage } = this.#options;
    let newest: number | undefined;
    const folders = [root];
    for (let looked = 0; folders.length > 0; ) {
      const folder = folders.pop() as string;
      const entry = await storage.stat(folder).catch(() => undefined);
      newest = later(newest, entry?.modifiedMillis);
      for (const { name, directory, modifiedMillis } of await listFolder(storage, folder)) {
        looked++;
        newest = later(newest, modifiedMillis);
        if (directory) {
          folders.push(`${folder}/${name}`);
        }
      }
      if (looked > lookedAtMax) {
        return undefined;
      }
    }
    return newest;
  }
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
