/**
 * The transaction log of a Delta Lake table, as "Delta Transaction Log Protocol" defines it: the state of a version is its last
 * checkpoint before it and the commits after that.
 */
import type { StorageEntry } from "../../../../ports/storage.ts";
import { QueryError } from "../../../../protocol/errors.ts";
import { decodeUtf8 } from "../../../../types/utf8.ts";
import { badFile, reading } from "../../../shared/file-errors.ts";
import { listFolder } from "../../folder.ts";
import { pinned } from "../../../shared/object-store/pinned.ts";
import { Slices } from "../../../shared/slices.ts";
import { deltaFolder } from "../place.ts";
import { storedDocuments } from "../documents.ts";
import { type Document, documentAt, listAt, countAt, integerAt, parsed, textAt } from "../json.ts";
import type { LakeReader } from "../rows.ts";

const supportedReader = 3;
/** Features of readers; what a writer must do is not asked for. */
const supportedFeatures: readonly string[] = [
  "columnMapping",
  "deletionVectors",
  "timestampNtz",
  "typeWidening",
  "typeWidening-preview",
  "v2Checkpoint",
  "vacuumProtocolCheck",
];
/** Commits that are read at once. */
const commitsAtOnce = 32;
const filesMax = 100_000;
/** Characters of JSON that are read at the cost of a row. */
const unitCharacters = 64;

const checkpointFields = Object.freeze({
  protocol: ["minReaderVersion", "minWriterVersion", "readerFeatures", "writerFeatures"],
  metadata: ["name", "description", "schemaString", "partitionColumns", "configuration", "format"],
  add: ["path", "partitionValues", "size", "modificationTime", "stats", "deletionVector"],
  sidecar: ["path", "sizeInBytes"],
});

export interface DeltaState {
  readonly version: number;
  readonly metadata: Document;
  readonly protocol: Document | undefined;
  /** Of the files of the version. */
  readonly adds: readonly Document[];
}

interface Checkpoint {
  readonly version: number;
  readonly files: readonly StorageEntry[];
}

/** What the log of a table has. */
export class DeltaLog {
  readonly #reader: LakeReader;
  readonly #folder: string;
  readonly #commits = new Map<number, StorageEntry>();
  readonly #checkpoints: Checkpoint[] = [];

  private constructor(reader: LakeReader, folder: string, entries: readonly StorageEntry[]) {
    this.#reader = reader;
    this.#folder = `${folder}/${deltaFolder}`;
    const parts = new Map<string, StorageEntry[]>();
    for (const entry of entries) {
      const commit = /^(\d{20})\.json$/.exec(entry.name);
      const whole = /^(\d{20})\.checkpoint(?:\.[0-9a-f-]{36})?\.(?:parquet|json)$/i.exec(entry.name);
      const part = /^(\d{20})\.checkpoint\.(\d{10})\.(\d{10})\.parquet$/.exec(entry.name);
      if (commit !== null) {
        this.#commits.set(Number(commit[1]), entry);
      } else if (whole !== null) {
        this.#checkpoints.push({ version: Number(whole[1]), files: [entry] });
      } else if (part !== null) {
        const key = `${part[1]}/${part[3]}`;
        parts.set(key, [...(parts.get(key) ?? []), entry]);
      }
    }
    for (const [key, files] of parts) {
      const [version, count] = key.split("/").map(Number) as [number, number];
      if (files.length === count) {
        this.#checkpoints.push({ version, files });
      }
    }
  }

  static async open(reader: LakeReader, folder: string): Promise<DeltaLog> {
    return new DeltaLog(reader, folder, await listFolder(reader.storage, `${folder}/${deltaFolder}`));
  }

  get latest(): number {
    return largest([...this.#commits.keys(), ...this.#checkpoints.map(({ version }) => version)]);
  }

  /** Whether the log still has what makes a version. */
  has(version: number): boolean {
    const from = largest(this.#checkpoints.map((one) => one.version).filter((one) => one <= version)) + 1;
    return version >= 0 && version <= this.latest && this.#firstMissing(from, version) === undefined;
  }

  /** The first version from `from` to `to` without a commit. A stray file may have any number, so that they are not listed. */
  #firstMissing(from: number, to: number): number | undefined {
    let version = from;
    while (version <= to && this.#commits.has(version)) {
      version++;
    }
    return version <= to ? version : undefined;
  }

  /** What the writers say of the versions that the log still has, the last one first. */
  async history(): Promise<readonly { readonly version: number; readonly info: Document }[]> {
    const versions = [...this.#commits.keys()].toSorted((a, b) => b - a);
    const infos: { readonly version: number; readonly info: Document }[] = [];
    for (let from = 0; from < versions.length; from += commitsAtOnce) {
      const some = versions.slice(from, from + commitsAtOnce);
      const commits = await Promise.all(some.map((one) => this.#commit(one)));
      commits.forEach((actions, index) => {
        const info = actions.map((action) => documentAt(action, "commitInfo")).find((one) => one !== undefined);
        if (info !== undefined) {
          infos.push({ version: some[index] ?? 0, info });
        }
      });
    }
    return infos;
  }

  /** The last version whose commit is at a time, in milliseconds, that is reached. */
  async lastVersion(isReached: (millis: number) => boolean): Promise<number | undefined> {
    const versions = [...this.#commits.keys()].toSorted((a, b) => b - a);
    for (let from = 0; from < versions.length; from += commitsAtOnce) {
      const some = versions.slice(from, from + commitsAtOnce);
      const times = await Promise.all(some.map((one) => this.#commitMillis(one)));
      const found = some.find((version, index) => isReached(times[index] ?? 0) && this.has(version));
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }

  /** The writer's time, as Trino takes it, before that of the file, which a copy does not keep. */
  async #commitMillis(version: number): Promise<number> {
    const info = (await this.#commit(version)).map((action) => documentAt(action, "commitInfo")).find((one) => one !== undefined);
    return integerAt(info, "inCommitTimestamp") ?? integerAt(info, "timestamp") ?? this.#commits.get(version)?.modifiedMillis ?? 0;
  }

  /** Differs from that of a table that has taken the place of this one. */
  identity(version: number): string {
    const entry = this.#commits.get(version) ?? this.#checkpoints.find((one) => one.version === version)?.files[0];
    return JSON.stringify([version, entry?.version, entry?.sizeBytes]);
  }

  async state(version: number): Promise<DeltaState> {
    const state = new Replay(this.#folder);
    const checkpoint = this.#checkpoints.filter((one) => one.version <= version).toSorted((a, b) => b.version - a.version)[0];
    for (const file of checkpoint?.files ?? []) {
      await this.#checkpoint(file, state);
    }
    const first = (checkpoint?.version ?? -1) + 1;
    const missing = this.#firstMissing(first, version);
    if (missing !== undefined) {
      throw badFile(this.#folder, "", `version ${missing} of the table is missing`);
    }
    const versions = range(first, version);
    for (let from = 0; from < versions.length; from += commitsAtOnce) {
      const commits = await Promise.all(versions.slice(from, from + commitsAtOnce).map((one) => this.#commit(one)));
      commits.flat().forEach((action) => state.apply(action));
    }
    return state.end(version);
  }

  async #commit(version: number): Promise<readonly Document[]> {
    const entry = this.#commits.get(version);
    if (entry === undefined) {
      throw badFile(this.#folder, "", `version ${version} of the table is missing`);
    }
    return this.#lines(entry);
  }

  async #lines(entry: StorageEntry): Promise<readonly Document[]> {
    const { path, bytes } = await this.#read(this.#folder, entry);
    const slices = new Slices(this.#reader.clock);
    const documents: Document[] = [];
    for (const line of decodeUtf8(bytes).split("\n")) {
      if (line.trim() !== "") {
        documents.push(parsed(path, line));
        await slices.after(Math.ceil(line.length / unitCharacters));
      }
    }
    return documents;
  }

  async #read(folder: string, entry: StorageEntry): Promise<{ readonly path: string; readonly bytes: Uint8Array }> {
    const { name, sizeBytes, version } = entry;
    const path = `${folder}/${name}`;
    const storage = pinned(this.#reader.storage, { path, sizeBytes, version });
    return { path, bytes: await reading(path, storage.read(path, 0, sizeBytes)) };
  }

  async #checkpoint(entry: StorageEntry, state: Replay): Promise<void> {
    const actions = entry.name.endsWith(".json")
      ? await this.#lines(entry)
      : this.#documents(`${this.#folder}/${entry.name}`, entry.sizeBytes);
    const sidecars: Document[] = [];
    for await (const action of actions) {
      const sidecar = documentAt(action, "sidecar");
      if (sidecar !== undefined) {
        sidecars.push(sidecar);
      }
      state.apply(action);
    }
    for (const sidecar of sidecars) {
      const name = textAt(sidecar, "path") ?? "";
      if (name.includes("/")) {
        throw new QueryError("NOT_SUPPORTED", `${this.#folder}: files outside of the folder of the table are not supported`);
      }
      for await (const action of this.#documents(`${this.#folder}/_sidecars/${name}`, countAt(sidecar, "sizeInBytes") ?? 0)) {
        state.apply(action);
      }
    }
  }

  #documents(path: string, sizeBytes: number): AsyncIterable<Document> {
    return storedDocuments(this.#reader, { path, sizeBytes }, checkpointFields);
  }
}

/** -1 if there is none. */
function largest(versions: readonly number[]): number {
  return versions.reduce((found, version) => Math.max(found, version), -1);
}

/** Whole numbers, both ends among them. */
function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** The state after the actions so far. */
class Replay {
  readonly #folder: string;
  readonly #adds = new Map<string, Document>();
  #protocol: Document | undefined;
  #metadata: Document | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  apply(action: Document): void {
    const [add, remove] = [documentAt(action, "add"), documentAt(action, "remove")];
    this.#protocol = documentAt(action, "protocol") ?? this.#protocol;
    this.#metadata = documentAt(action, "metaData") ?? documentAt(action, "metadata") ?? this.#metadata;
    // A file is named by its path and its deletion vector: a commit replaces a vector by a remove and an add of the same path.
    if (remove !== undefined) {
      this.#adds.delete(keyOf(remove));
    }
    if (add !== undefined) {
      this.#adds.set(keyOf(add), add);
    }
    if (this.#adds.size > filesMax) {
      throw new QueryError("NOT_SUPPORTED", `A table has more than ${filesMax} files`);
    }
  }

  end(version: number): DeltaState {
    if (this.#metadata === undefined) {
      throw badFile(this.#folder, "", "the log has no metadata");
    }
    const reader = integerAt(this.#protocol, "minReaderVersion") ?? 1;
    const features = listAt(this.#protocol, "readerFeatures").map(String);
    const unknown = features.find((feature) => !supportedFeatures.includes(feature));
    if (reader > supportedReader || unknown !== undefined) {
      const what = unknown === undefined ? `version ${reader} of the protocol` : `feature '${unknown}'`;
      throw new QueryError("NOT_SUPPORTED", `${this.#folder}: the table needs ${what}, which is not supported`);
    }
    return { version, metadata: this.#metadata, protocol: this.#protocol, adds: [...this.#adds.values()] };
  }
}

function keyOf(action: Document): string {
  const vector = documentAt(action, "deletionVector");
  const id = ["storageType", "pathOrInlineDv", "offset"].map((name) =>
    name === "offset" ? integerAt(vector, name) : textAt(vector, name),
  );
  return JSON.stringify([textAt(action, "path"), vector === undefined ? [] : id]);
}
