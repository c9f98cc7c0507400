/** Folders that are tables of a table format. */
import type { StorageEntry } from "../../../ports/storage.ts";
import { QueryError } from "../../../protocol/errors.ts";

/** Plain JSON. */
export interface LakePlace {
  readonly kind: "delta";
  readonly folder: string;
}

export const deltaFolder = "_delta_log";

/** undefined if the folder with these entries is no such table. */
export function lakePlace(folder: string, entries: readonly StorageEntry[]): LakePlace | undefined {
  return entries.some(({ name, directory }) => directory && name === deltaFolder) ? { kind: "delta", folder } : undefined;
}

/** Files of such a table are not to be read one by one: some are deleted, or not visible yet. */
export function requireNoLake(folder: string, entries: readonly StorageEntry[]): void {
  if (lakePlace(folder, entries) !== undefined) {
    throw new QueryError("NOT_SUPPORTED", `Folder ${folder} is a table of Delta Lake, which must be named itself`);
  }
}
