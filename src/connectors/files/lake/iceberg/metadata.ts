/**
 * The metadata file of an Iceberg table in a plain folder ("Table Metadata" of the specification, and "File System Tables" of its
 * appendix): the newest of those in the folder `metadata`.
 */
import type { StorageEntry } from "../../../../ports/storage.ts";
import { QueryError } from "../../../../protocol/errors.ts";
import { decodeUtf8 } from "../../../../types/utf8.ts";
import { BadData, badFile, reading } from "../../../shared/file-errors.ts";
import { gunzip } from "../../inflate.ts";
import { listFolder } from "../../folder.ts";
import { pinned } from "../../../shared/object-store/pinned.ts";
import { asDocument, bigintOf, type Document, listAt, member, integerAt, parsedExactly, textAt } from "../json.ts";
import { icebergFolder } from "../place.ts";
import type { LakeReader } from "../rows.ts";

const hintFile = "version-hint.text";
/** `write.metadata.compression-codec`; the second form is that of older versions. */
const compressedName = /\.gz\.metadata\.json$|\.metadata\.json\.gz$/;
const metadataBytesMax = 536_870_912;

export interface Snapshot {
  /** In digits: ids have 64 bits. */
  readonly id: string;
  readonly manifestList: string | undefined;
  readonly manifests: readonly string[];
  readonly schemaId: number | undefined;
  readonly timestampMillis: number;
}

export class IcebergMetadata {
  readonly document: Document;
  readonly folder: string;
  /** Of the file. */
  readonly identity: string;
  readonly path: string;
  readonly #locate: ((address: string) => string | undefined) | undefined;

  constructor(
    folder: string,
    path: string,
    options: {
      readonly identity: string;
      readonly document: Document;
      /** The path of a file in the reader's storage; without it, files lie in the folder as in the table's location. */
      readonly locate?: (address: string) => string | undefined;
    },
  ) {
    this.#locate = options.locate;
    this.folder = folder;
    this.path = path;
    this.identity = options.identity;
    this.document = options.document;
    const version = integerAt(this.document, "format-version") ?? 0;
    if (version < 1 || version > 2) {
      throw new QueryError("NOT_SUPPORTED", `${path}: version ${version} of the format is not supported`);
    }
  }

  /** undefined if the table has never had rows. */
  get currentSnapshot(): string | undefined {
    const id = idAt(this.document, "current-snapshot-id");
    return id === undefined || id === "-1" ? undefined : id;
  }

  get comment(): string | undefined {
    return textAt(asDocument(member(this.document, "properties")), "comment");
  }

  snapshot(id: string): Snapshot | undefined {
    const found = listAt(this.document, "snapshots")
      .map(asDocument)
      .find((one) => idAt(one, "snapshot-id") === id);
    return (
      found && {
        id,
        manifestList: textAt(found, "manifest-list"),
        manifests: listAt(found, "manifests").map(String),
        schemaId: integerAt(found, "schema-id"),
        timestampMillis: integerAt(found, "timestamp-ms") ?? 0,
      }
    );
  }

  /** Which snapshot was the current one from when on, in order of time. Without a log, all snapshots have been. */
  get history(): readonly { readonly snapshotId: string; readonly timestampMillis: number }[] {
    const log = listAt(this.document, "snapshot-log").map(asDocument);
    const entries = log.length > 0 ? log : listAt(this.document, "snapshots").map(asDocument);
    return entries
      .map((one) => ({ snapshotId: idAt(one, "snapshot-id") ?? "", timestampMillis: integerAt(one, "timestamp-ms") ?? 0 }))
      .toSorted((a, b) => a.timestampMillis - b.timestampMillis);
  }

  /** The snapshot of a branch or tag. The main branch has the current one. */
  reference(name: string): string | undefined {
    const found = idAt(asDocument(member(asDocument(member(this.document, "refs")), name)), "snapshot-id");
    return found ?? (name === "main" ? this.currentSnapshot : undefined);
  }

  get currentSchemaId(): number {
    return integerAt(this.document, "current-schema-id") ?? 0;
  }

  schema(id: number): Document | undefined {
    return this.schemas.find((one) => (integerAt(one, "schema-id") ?? 0) === id);
  }

  get schemas(): readonly (Document | undefined)[] {
    const all = listAt(this.document, "schemas").map(asDocument);
    return all.length > 0 ? all : [asDocument(member(this.document, "schema"))];
  }

  /** Fields of all partition specs that have a source, the oldest first. */
  get partitionFields(): readonly (Document | undefined)[] {
    const specs = listAt(this.document, "partition-specs").map(asDocument);
    return specs.length === 0
      ? listAt(this.document, "partition-spec").map(asDocument)
      : specs.flatMap((one) => listAt(one, "fields").map(asDocument));
  }

  /** Fields of a partition spec. */
  spec(id: number): readonly (Document | undefined)[] {
    const spec = listAt(this.document, "partition-specs")
      .map(asDocument)
      .find((one) => integerAt(one, "spec-id") === id);
    return spec === undefined ? listAt(this.document, "partition-spec").map(asDocument) : listAt(spec, "fields").map(asDocument);
  }

  /** The path below the folder of the catalog of a file that the metadata name by its address. */
  located(address: string): string {
    if (this.#locate !== undefined) {
      const path = this.#locate(address);
      if (path === undefined || path.split("/").some((name) => name === "" || name === "." || name === "..")) {
        throw new QueryError(
          "NOT_SUPPORTED",
          `${this.path}: files outside of the table's bucket are not supported: ${address.slice(0, 200)}`,
        );
      }
      return path;
    }
    const location = plainPath(textAt(this.document, "location") ?? "").replace(/\/+$/, "");
    const path = plainPath(address);
    const below = path.startsWith(`${location}/`) ? path.slice(location.length + 1) : undefined;
    if (below === undefined || below.split("/").some((name) => name === "" || name === "." || name === "..")) {
      throw new QueryError(
        "NOT_SUPPORTED",
        `${this.path}: files outside of the folder of the table are not supported: ${address.slice(0, 200)}`,
      );
    }
    return `${this.folder}/${below}`;
  }
}

/** Addresses of a file differ in their scheme (`s3`, `s3a`) and in the slashes behind it (`file:/`, `file:///`). */
function plainPath(address: string): string {
  return address.replace(/^[a-z][a-z0-9+.-]*:\/*/i, "/");
}

/** A number of 64 bits, in digits. */
export function idAt(document: Document | undefined, name: string): string | undefined {
  const value = member(document, name);
  const id = typeof value === "string" ? null : bigintOf(value);
  return id === null ? undefined : String(id);
}

export async function icebergMetadata(reader: LakeReader, folder: string): Promise<IcebergMetadata> {
  const below = `${folder}/${icebergFolder}`;
  const entries = await listFolder(reader.storage, below);
  const read = async ({ name, sizeBytes, version }: StorageEntry): Promise<Uint8Array> => {
    const path = `${below}/${name}`;
    return reading(path, pinned(reader.storage, { path, sizeBytes, version }).read(path, 0, sizeBytes));
  };
  const hint = entries.find(({ name }) => name === hintFile);
  const entry = newest(entries, hint === undefined ? undefined : decodeUtf8(await read(hint)).trim(), folder);
  const path = `${below}/${entry.name}`;
  const bytes = await read(entry);
  return new IcebergMetadata(folder, path, {
    identity: JSON.stringify([entry.name, entry.version, entry.sizeBytes]),
    document: parsedExactly(path, compressedName.test(entry.name) ? gunzipped(path, bytes) : bytes),
  });
}

function gunzipped(path: string, bytes: Uint8Array): Uint8Array {
  try {
    return gunzip(bytes, metadataBytesMax);
  } catch (error) {
    throw error instanceof BadData ? badFile(path, "", error.message) : error;
  }
}

/** The hint may be behind: versions after it are taken as long as there is no gap, as Hadoop's tables are read. */
function newest(entries: readonly StorageEntry[], hint: string | undefined, folder: string): StorageEntry {
  const files = entries.flatMap((entry) => {
    const match = /^(?:v(\d+)|(\d+)-.*?)(?:\.gz\.metadata\.json|\.metadata\.json(?:\.gz)?)$/.exec(entry.name);
    return match === null ? [] : [{ entry, version: Number(match[1] ?? match[2]) }];
  });
  const of = (version: number): readonly StorageEntry[] => files.filter((one) => one.version === version).map(({ entry }) => entry);
  let version = Math.max(-1, ...files.map((one) => one.version));
  if (hint !== undefined && /^\d{1,15}$/.test(hint) && of(Number(hint)).length > 0) {
    for (version = Number(hint); of(version + 1).length > 0; ) {
      version++;
    }
  }
  const [found, ...others] = of(version);
  if (found === undefined) {
    throw badFile(folder, "", "the table has no metadata file");
  }
  if (others.length > 0) {
    const names = [found, ...others].map(({ name }) => name).join(", ");
    throw new QueryError("NOT_SUPPORTED", `${folder}: which metadata file is the current one is known to its catalog alone: ${names}`);
  }
  return found;
}
