/**
 * A table whose files are replaced, in a folder: the new files come by one rename, as a folder that also holds a mark, which lists the
 * files that are no more part of the table. They are removed later. Folders of replaced files are numbered: of two writes that replace the
 * same files, the second finds its name taken.
 */
import type { Storage, StorageEntry } from "../../../ports/storage.ts";
import { decodeUtf8, encodeUtf8 } from "../../../types/utf8.ts";
import { badFile, reading } from "../../shared/file-errors.ts";

/** Empty when what it lists has been removed. The name hides it from other readers. */
export const markFile = ".orrery-replaced";
const version = 1;
const markBytesMax = 67_108_864;
const digits = 8;

export function isMark({ name, directory, sizeBytes }: StorageEntry): boolean {
  return name === markFile && !directory && sizeBytes > 0;
}

function numberOf(name: string): number {
  return Number(/^rewritten_(\d{8})$/.exec(name)?.[1] ?? 0);
}

/** The folder of the next write that replaces the files of the table with these entries. */
export function nextRewrite(entries: readonly StorageEntry[]): string {
  const last = entries.reduce((most, { name }) => Math.max(most, numberOf(name)), 0);
  return `rewritten_${String(last + 1).padStart(digits, "0")}`;
}

/** Changes whenever the files of the table are replaced. */
export function rewritesIn(entries: readonly StorageEntry[]): string {
  return entries
    .filter(({ name }) => numberOf(name) > 0)
    .map(({ name }) => name)
    .toSorted()
    .join();
}

/** `folder` is that of the table; paths are below that of the catalog. */
export function markBytes(folder: string, replaced: readonly string[]): Uint8Array {
  return encodeUtf8(JSON.stringify({ version, replaced: replaced.map((path) => path.slice(folder.length + 1)) }));
}

/** Paths of all files that are replaced. Throws FILE_BAD_DATA. */
export async function readReplaced(storage: Storage, folder: string, marks: readonly string[]): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  for (const mark of marks) {
    for (const path of listed(mark, await reading(mark, storage.read(mark, 0, markBytesMax)))) {
      paths.add(`${folder}/${path}`);
    }
  }
  return paths;
}

function listed(path: string, bytes: Uint8Array): readonly string[] {
  // Emptied since it was listed.
  if (bytes.length === 0) {
    return [];
  }
  const found = parsed(bytes) as { readonly version?: unknown; readonly replaced?: unknown } | null;
  const replaced = found?.replaced;
  if (found?.version !== version || !Array.isArray(replaced) || !replaced.every(isBelow)) {
    throw badFile(path, "", "the list of replaced files is damaged");
  }
  return replaced;
}

/** What is listed is removed: it must be below the table. */
function isBelow(path: unknown): path is string {
  return typeof path === "string" && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes));
  } catch {
    return null;
  }
}
