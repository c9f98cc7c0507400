/**
 * The files that a path or a pattern of paths names (glob.ts). A name without wildcards is that of an entry, in its case if there is one,
 * else in any case. Wildcards do not match names that begin with a dot or an underscore. A path to a folder means all files below it.
 */
import type { Storage, StorageEntry } from "../../ports/storage.ts";
import { QueryError } from "../../protocol/errors.ts";
import {
  type FileFormat,
  type FileSet,
  Gathered,
  gatherBelow,
  isPassedOver,
  listFolder,
  listRoot,
  type Partition,
  withFolder,
} from "./folder.ts";
import { lakePlace } from "./lake/place.ts";
import { hasWildcard, matches, parsePattern, type Segments } from "./glob.ts";

/** Of folders that `**` goes down. */
const depthMax = 32;

interface Place {
  readonly folder: string;
  readonly partition: Partition;
}

/** Whether a table name may be meant as a path: no table of the catalog has such a name otherwise. */
export function looksLikePath(name: string): boolean {
  return name.includes("/") || hasWildcard(name) || name.includes("{") || name.includes(".");
}

/** undefined if there is no such file. With a format all files are read in it. */
export async function filesOfPath(storage: Storage, pattern: string, format?: FileFormat): Promise<FileSet | undefined> {
  const gathered = new Gathered(format);
  const search = new Search(storage, gathered, pattern);
  for (const segments of parsePattern(pattern)) {
    await search.descend({ folder: "", partition: new Map() }, segments, 0);
  }
  const set = gathered.set(pattern);
  if (set === undefined && gathered.skipped.length > 0) {
    const [first] = gathered.skipped;
    throw new QueryError("NOT_SUPPORTED", `File ${first} is of no known format: name it in read_csv, read_json or read_parquet`);
  }
  return set;
}

class Search {
  readonly #storage: Storage;
  readonly #into: Gathered;
  readonly #pattern: string;
  /** Folders as they were listed, since several alternatives may name them. */
  readonly #listed = new Map<string, readonly StorageEntry[]>();

  constructor(storage: Storage, into: Gathered, pattern: string) {
    this.#storage = storage;
    this.#into = into;
    this.#pattern = pattern;
  }

  async descend(place: Place, [segment, ...rest]: Segments, depth: number): Promise<void> {
    if (segment === undefined) {
      return;
    }
    const entries = await this.#entries(place.folder);
    if (segment === "**") {
      return this.#anyDepth(place, rest, depth);
    }
    for (const entry of this.#matching(entries, segment)) {
      const path = place.folder === "" ? entry.name : `${place.folder}/${entry.name}`;
      const partition = withFolder(place.partition, entry.name);
      if (entry.problem !== undefined && !hasWildcard(segment)) {
        throw new QueryError("CONNECTOR_ERROR", `File ${path} cannot be read: ${entry.problem}`);
      }
      if (!entry.directory) {
        if (rest.length === 0) {
          this.#into.add(path, entry, place.partition);
        }
      } else if (rest.length > 0) {
        await this.descend({ folder: path, partition }, rest, depth + 1);
      } else if (!hasWildcard(segment)) {
        const lake = await lakePlace(this.#storage, path, await listFolder(this.#storage, path));
        if (lake !== undefined) {
          this.#into.enterLake(lake);
          continue;
        }
        await gatherBelow(this.#storage, { folder: path, depth: 0, partition }, this.#into);
      }
    }
  }

  /** `**`: this folder and all below. At the end of a pattern it means all files. */
  async #anyDepth(place: Place, rest: Segments, depth: number): Promise<void> {
    if (depth > depthMax) {
      throw new QueryError("NOT_SUPPORTED", `Folder ${place.folder} is more than ${depthMax} folders deep`);
    }
    await this.descend(place, rest.length === 0 ? ["*"] : rest, depth);
    for (const entry of await this.#entries(place.folder)) {
      if (entry.directory && !isPassedOver(entry.name)) {
        const folder = place.folder === "" ? entry.name : `${place.folder}/${entry.name}`;
        await this.#anyDepth({ folder, partition: withFolder(place.partition, entry.name) }, rest, depth + 1);
      }
    }
  }

  #matching(entries: readonly StorageEntry[], segment: string): readonly StorageEntry[] {
    if (hasWildcard(segment)) {
      return entries.filter(({ name }) => !isPassedOver(name) && matches(segment, name));
    }
    const exact = entries.filter(({ name }) => name === segment);
    const found = exact.length > 0 ? exact : entries.filter(({ name }) => name.toLowerCase() === segment.toLowerCase());
    if (found.length > 1) {
      throw new QueryError("AMBIGUOUS_NAME", `Path '${this.#pattern}' is ambiguous: ${found.map(({ name }) => name).join(", ")}`);
    }
    return found;
  }

  async #entries(folder: string): Promise<readonly StorageEntry[]> {
    const known = this.#listed.get(folder);
    if (known !== undefined) {
      return known;
    }
    this.#into.enter();
    const entries = folder === "" ? await listRoot(this.#storage) : await listFolder(this.#storage, folder);
    this.#listed.set(folder, entries);
    return entries;
  }
}
