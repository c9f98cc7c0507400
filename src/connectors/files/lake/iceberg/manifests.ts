/** Manifest lists and manifests of a snapshot: its data files and delete files. */
import { QueryError } from "../../../../protocol/errors.ts";
import { BadData, badFile, reading } from "../../../shared/file-errors.ts";
import { anyVersion, pinned } from "../../../shared/object-store/pinned.ts";
import { type AvroFile, readAvro } from "../avro.ts";
import { decompressBlock } from "../avro-codecs.ts";
import { asDocument, type Document, documentAt, listAt, member, countAt, integerAt, integerOf, textAt } from "../json.ts";
import type { LakeReader } from "../rows.ts";
import type { IcebergMetadata, Snapshot } from "./metadata.ts";

const manifestsAtOnce = 16;
const filesMax = 100_000;
/** Status of an entry whose file is not part of the snapshot any more. */
const deletedStatus = 2;

export interface ManifestEntry {
  /** 0: rows; 1: positions of deleted rows; 2: values of deleted rows. */
  readonly content: number;
  readonly sequenceNumber: number;
  readonly specId: number;
  /** Texts of the values, by which partitions are compared. */
  readonly partitionKey: string;
  readonly partition: Document | undefined;
  readonly file: Document;
}

export async function manifestEntries(
  reader: LakeReader,
  metadata: IcebergMetadata,
  snapshot: Snapshot,
): Promise<readonly ManifestEntry[]> {
  const manifests = await manifestsOf(reader, metadata, snapshot);
  const entries: ManifestEntry[] = [];
  for (let from = 0; from < manifests.length; from += manifestsAtOnce) {
    const read = await Promise.all(manifests.slice(from, from + manifestsAtOnce).map((one) => entriesOf(reader, metadata, one)));
    entries.push(...read.flat());
    if (entries.length > filesMax) {
      throw new QueryError("NOT_SUPPORTED", `A table has more than ${filesMax} files`);
    }
  }
  return entries;
}

/** Old tables of version 1 list their manifests in the metadata. */
export async function manifestsOf(reader: LakeReader, metadata: IcebergMetadata, snapshot: Snapshot): Promise<readonly Document[]> {
  if (snapshot.manifestList === undefined) {
    return snapshot.manifests.map((path) => ({ manifest_path: path }));
  }
  return (await avroAt(reader, metadata.located(snapshot.manifestList), undefined)).records;
}

async function avroAt(reader: LakeReader, path: string, sizeBytes: number | undefined): Promise<AvroFile> {
  const size = sizeBytes ?? (await reading(path, reader.storage.stat(path))).sizeBytes;
  const storage = pinned(reader.storage, { path, sizeBytes: size, version: anyVersion });
  const bytes = await reading(path, storage.read(path, 0, size));
  try {
    return await readAvro(bytes, (codec, block) => decompressBlock(codec, block, reader), reader.clock);
  } catch (error) {
    throw error instanceof BadData ? badFile(path, "", error.message) : error;
  }
}

async function entriesOf(reader: LakeReader, metadata: IcebergMetadata, manifest: Document): Promise<readonly ManifestEntry[]> {
  const path = metadata.located(textAt(manifest, "manifest_path") ?? "");
  const file = await avroAt(reader, path, countAt(manifest, "manifest_length"));
  const specId = integerOf(file.metadata.get("partition-spec-id") ?? member(manifest, "partition_spec_id")) ?? 0;
  // Files of version 1 have no sequence numbers: they are older than all deletes.
  const inherited = integerAt(manifest, "sequence_number") ?? 0;
  return file.records.flatMap((record): readonly ManifestEntry[] => {
    const dataFile = documentAt(record, "data_file");
    const status = integerAt(record, "status");
    if (dataFile === undefined || status === undefined) {
      throw badFile(path, "", "this is no manifest");
    }
    if (status === deletedStatus) {
      return [];
    }
    const partition = documentAt(dataFile, "partition");
    return [
      {
        content: integerOf(member(dataFile, "content")) ?? 0,
        sequenceNumber: integerAt(record, "sequence_number") ?? inherited,
        specId,
        partitionKey: JSON.stringify([specId, Object.values(partition ?? {}).map(plain)]),
        partition,
        file: dataFile,
      },
    ];
  });
}

function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? Array.from(value) : typeof value === "bigint" ? String(value) : value;
}

/** The value for a field in a list of keys and values; undefined if there is none. */
export function valueFor(file: Document, name: string, id: number): unknown {
  const entry = listAt(file, name)
    .map(asDocument)
    .find((one) => integerAt(one, "key") === id);
  return member(entry, "value");
}
