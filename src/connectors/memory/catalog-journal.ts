/**
 * The file of a memory catalog on the coordinator's disk: the state with which an incarnation of the coordinator began, and a line for each
 * change since. A change is on the disk, synced, before anybody sees it. When the file has grown, or its end is not certain, a new one
 * takes its place: until that is complete and synced, the former one counts.
 */
import { type KnobName, knobOf, type Knobs } from "../../ports/knobs.ts";
import { type Clock, sleep } from "../../ports/clock.ts";
import type { Log } from "../../ports/ports.ts";
import type { FaultPoints } from "../../ports/points.ts";
import { type OwnedStorage, StorageError } from "../../ports/storage.ts";
import { QueryError } from "../../protocol/errors.ts";
import { joinBytes } from "../../types/bytes.ts";
import { readRecordLines, recordLine } from "../../types/record-lines.ts";
import type { RecordedStatement } from "../spi.ts";
import type { CatalogChange } from "./catalog-state.ts";

/** Of the lines. A file of another version is not read. */
const version = 1;
const readsMax = 3;
const readAgainMs = 50;
const lateMs = 300;
const suffix = ".tables";
/** Files of one owner of the folder, at most. */
const filesPerEpoch = 1_000_000;

/** What lasts beyond the state. */
export interface CatalogIdentity {
  /** The owner of the parts: the same in all incarnations of the coordinator. */
  readonly owner: string;
  /** Number of incarnations before this one. */
  readonly lives: number;
  /** Statements were forgotten that somebody may ask for. */
  readonly forgets?: true;
}

/** A change and the statement that has made it. */
export interface CatalogRecord {
  readonly change?: CatalogChange;
  readonly statement?: RecordedStatement;
  /** Queries of statements that nobody asks for any more. */
  readonly forgotten?: readonly string[];
}

type Line =
  | ({ readonly kind: "begin"; readonly version: number } & CatalogIdentity)
  /** Behind the records of the state with which the file begins. */
  | { readonly kind: "complete" }
  | ({ readonly kind: "record" } & CatalogRecord);

interface ReadFile {
  readonly identity: CatalogIdentity;
  readonly records: readonly CatalogRecord[];
}

export interface CatalogJournalOptions {
  readonly catalog: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly points: FaultPoints;
  readonly storage: OwnedStorage;
  readonly knobs?: Knobs | undefined;
}

export class CatalogJournal {
  readonly #options: CatalogJournalOptions;
  /** Number of the present file. */
  #number = 0;
  #fileBytes = 0;
  /** Bytes of the state with which the file begins. */
  #stateBytes = 0;
  /** The end of the file is not certain. */
  #isBroken = true;

  constructor(options: CatalogJournalOptions) {
    this.#options = options;
  }

  /** Undefined if there is no catalog on the disk. Throws CONNECTOR_ERROR if it cannot be read: that is no empty catalog. */
  async load(): Promise<ReadFile | undefined> {
    const { catalog, clock } = this.#options;
    for (let reads = 1; ; reads++) {
      try {
        return await this.#read();
      } catch (error) {
        if (reads === readsMax) {
          throw new QueryError("CONNECTOR_ERROR", `Catalog '${catalog}' cannot read its tables: ${reasonOf(error)}`);
        }
        await sleep(clock, "memory-catalog-read-again", readAgainMs);
      }
    }
  }

  /** A new file, in the place of all others. Throws StorageError. */
  async begin(identity: CatalogIdentity, state: readonly CatalogRecord[]): Promise<void> {
    const { storage } = this.#options;
    this.#isBroken = true;
    const { epoch } = storage;
    // A former owner of the folder that does not know yet that it is one leaves the files of later ones alone.
    const former = (await this.#numbers()).filter((number) => epoch === 0 || number < (epoch + 1) * filesPerEpoch);
    this.#number = Math.max(this.#number, epoch * filesPerEpoch, ...former) + 1;
    const path = pathOf(this.#number);
    const bytes = joinBytes([
      lineOf({ kind: "begin", version, ...identity }),
      ...state.map((record) => lineOf({ kind: "record", ...record })),
      lineOf({ kind: "complete" }),
    ]);
    await storage.append(path, bytes);
    await storage.sync(path);
    await storage.sync("");
    this.#stateBytes = bytes.length;
    this.#fileBytes = bytes.length;
    this.#isBroken = false;
    for (const number of former) {
      await this.#remove(pathOf(number));
    }
  }

  /** False after a failure of the disk: the next incarnation may or may not find the record that could not be written. */
  get isCertain(): boolean {
    return !this.#isBroken;
  }

  /** Resolves when the record will survive a crash. `now` is what comes before it. Throws CONNECTOR_ERROR if it cannot be written. */
  async append(
    record: CatalogRecord,
    now: { readonly identity: CatalogIdentity; readonly state: () => readonly CatalogRecord[] },
  ): Promise<void> {
    const { catalog, storage } = this.#options;
    const begin = (): Promise<void> => this.begin(now.identity, now.state());
    try {
      if (this.#isBroken || this.#fileBytes > this.#knob("journal-file-bytes") + 2 * this.#stateBytes) {
        await begin();
      }
      const path = pathOf(this.#number);
      const line = lineOf({ kind: "record", ...record });
      this.#isBroken = true;
      await storage.append(path, line);
      await this.#late("memory-catalog-synced-late");
      await storage.sync(path);
      this.#isBroken = false;
      this.#fileBytes += line.length;
    } catch (error) {
      if (!(error instanceof StorageError)) {
        throw error;
      }
      await begin().catch((again: unknown) => this.#options.log.warn("memory-catalog-not-written", { catalog, error: reasonOf(again) }));
      throw new QueryError("CONNECTOR_ERROR", `Catalog '${catalog}' cannot record the change: ${reasonOf(error)}`);
    }
    await this.#late("memory-catalog-answers-late");
  }

  #knob(name: KnobName): number {
    return knobOf(this.#options, name);
  }

  async #late(point: "memory-catalog-answers-late" | "memory-catalog-synced-late"): Promise<void> {
    if (this.#options.points.fires(point)) {
      await sleep(this.#options.clock, point, lateMs);
    }
  }

  /** Of all files, ascending. Throws StorageError. */
  async #numbers(): Promise<readonly number[]> {
    try {
      const entries = await this.#options.storage.list("");
      const numbers = entries.filter(({ name }) => name.endsWith(suffix)).map(({ name }) => Number(name.slice(0, -suffix.length)));
      return numbers.toSorted((a, b) => a - b);
    } catch (error) {
      if (error instanceof StorageError && error.kind === "NOT_FOUND") {
        return [];
      }
      throw error;
    }
  }

  /** The last file that is complete. */
  async #read(): Promise<ReadFile | undefined> {
    for (const number of (await this.#numbers()).toReversed()) {
      const found = await this.#readFile(pathOf(number));
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }

  /** Undefined if the file was never completed. A crash may tear its end, and nothing else. */
  async #readFile(path: string): Promise<ReadFile | undefined> {
    const bytes = await this.#bytesOf(path);
    const { badCount, isTorn, texts } = readRecordLines(bytes);
    if (badCount > 0 && !isTorn) {
      throw new Error("a record is damaged");
    }
    // A disk that gives other bytes than it has could hide the last change.
    if (isTorn && !isSame(bytes, await this.#bytesOf(path))) {
      throw new Error("a record is damaged");
    }
    const lines = texts.map((text) => JSON.parse(text) as Line);
    const [begin] = lines;
    if (begin?.kind !== "begin" || !lines.some(({ kind }) => kind === "complete")) {
      return undefined;
    }
    if (begin.version !== version) {
      throw new Error(`the file is of version ${begin.version}`);
    }
    const records = lines.flatMap((line) => (line.kind === "record" ? [line] : []));
    const { forgets, lives, owner } = begin;
    return { identity: { owner, lives, ...(forgets === true && { forgets }) }, records };
  }

  async #bytesOf(path: string): Promise<Uint8Array> {
    const { storage } = this.#options;
    return storage.read(path, 0, (await storage.stat(path)).sizeBytes);
  }

  /** A file that stays is passed over, because a later one is complete. */
  async #remove(path: string): Promise<void> {
    const { catalog, log, storage } = this.#options;
    try {
      await storage.remove(path);
    } catch (error) {
      log.warn("memory-catalog-file-not-removed", { catalog, path, error: reasonOf(error) });
    }
  }
}

function pathOf(number: number): string {
  return `${String(number).padStart(10, "0")}${suffix}`;
}

function lineOf(line: Line): Uint8Array {
  return recordLine(JSON.stringify(line));
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** Without the path, which is no business of clients. */
export function reasonOf(error: unknown): string {
  if (error instanceof StorageError) {
    return error.kind === "NO_SPACE" ? "there is no space on the disk" : "the disk failed";
  }
  return error instanceof Error ? error.message : "unknown failure";
}
