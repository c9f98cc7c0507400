/** Folders that are tables of a table format. */
import { type Storage, type StorageEntry, StorageError } from "../../../ports/storage.ts";
import { QueryError } from "../../../protocol/errors.ts";

/** Plain JSON. */
export interface LakePlace {
  readonly kind: "delta" | "iceberg";
  readonly folder: string;
}

export const deltaFolder = "_delta_log";
export const icebergFolder = "metadata";

/** undefined if the folder with these entries is no such table. */
export async function lakePlace(storage: Storage, folder: string, entries: readonly StorageEntry[]): Promise<LakePlace | undefined> {
  const has = (folderName: string): boolean => entries.some(({ name, directory }) => directory && name === folderName);
  if (has(deltaFolder)) {
    return { kind: "delta", folder };
  }
  return has(icebergFolder) && isMetadata(await entriesOf(storage, `${folder}/${icebergFolder}`)) ? { kind: "iceberg", folder } : undefined;
}

/** Files of such a table are not to be read one by one: some are deleted, or not visible yet. */
export function requireNoLake(folder: string, entries: readonly StorageEntry[]): void {
  const isDelta = entries.some(({ name, directory }) => directory && name === deltaFolder);
  if (isDelta || (folder.endsWith(`/${icebergFolder}`) && isMetadata(entries))) {
    const table = isDelta ? folder : folder.slice(0, -icebergFolder.length - 1);
    throw new QueryError(
      "NOT_SUPPORTED",
      `Folder ${table} is a table of ${isDelta ? "Delta Lake" : "Iceberg"}, which must be named itself`,
    );
  }
}

function isMetadata(entries: readonly StorageEntry[]): boolean {
  return entries.some(({ name, directory }) => !directory && /\.metadata\.json(?:\.gz)?$/.test(name));
}

async function entriesOf(storage: Storage, folder: string): Promise<readonly StorageEntry[]> {
  try {
    return await storage.list(folder);
  } catch (error) {
    if (error instanceof StorageError) {
      return [];
    }
    throw error;
  }
}
