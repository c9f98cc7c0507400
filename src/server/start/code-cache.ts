/**
 * V8's code cache of a program, in a file. It is used only by the same build of the program, the same version of Node, the same processor
 * and the same flags of V8, and only if its bytes are those that were written. Anything else is a cache that is missing.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import { threadId } from "node:worker_threads";
import { readMapped } from "./mapped-file.ts";

export interface CachedProgram {
  readonly name: string;
  /** Changes with every byte of the source. */
  readonly hash: string;
}

/** Files that a folder keeps: programs, libraries and threads of a few builds and versions of Node. */
const filesMax = 16;
const digestBytes = 32;

/** Folders for caches in the order in which they are tried: beside the programs, and of the user if another one has installed them. */
export function cacheFolders(programFolder: string, environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const own = environment["XDG_CACHE_HOME"] ?? homeCache();
  return [join(programFolder, "cache"), ...(own === undefined ? [] : [join(own, "orrery")])];
}

/** Undefined if the user has no home, as in an image that has no list of users. */
function homeCache(): string | undefined {
  try {
    return join(homedir(), ".cache");
  } catch {
    return undefined;
  }
}

/** The cached code; undefined if there is none that can be trusted. */
export function readCache(folders: readonly string[], program: CachedProgram): Uint8Array | undefined {
  for (const folder of folders) {
    try {
      if (isOwn(folder)) {
        const bytes = readMapped(join(folder, fileOf(program)));
        const code = bytes.subarray(digestBytes);
        if (digestOf(program, code).equals(bytes.subarray(0, digestBytes))) {
          return code;
        }
      }
    } catch {
      // No file, or one that cannot be read.
    }
  }
  return undefined;
}

/** Keeps the code in the first folder that can be written. A reader sees a whole file or none. */
export function writeCache(folders: readonly string[], program: CachedProgram, code: Buffer): boolean {
  for (const folder of folders) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      if (isOwn(folder)) {
        const file = join(folder, fileOf(program));
        const partial = `${file}.${process.pid}-${threadId}.tmp`;
        writeFileSync(partial, Buffer.concat([digestOf(program, code), code]), { mode: 0o644 });
        renameSync(partial, file);
        removeOldest(folder);
        return true;
      }
    } catch {
      // The next folder.
    }
  }
  return false;
}

/** Code of others is not run: the folder belongs to the user or to root, and nobody else can write it. */
function isOwn(folder: string): boolean {
  const { mode, uid } = statSync(folder);
  const user = process.getuid?.();
  return user === undefined || ((uid === user || uid === 0) && (mode & 0o022) === 0);
}

function fileOf({ hash, name }: CachedProgram): string {
  return `${name}-${hash.slice(0, 16)}-${process.version}-${process.arch}-${cachedDataVersionTag()}.code`;
}

function digestOf({ hash, name }: CachedProgram, code: Buffer): Buffer {
  return createHash("sha256").update(`${name} ${hash}\n`).update(code).digest();
}

function removeOldest(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => /\.(code|tmp)$/.test(name))
    .map((name) => ({ path: join(folder, name), writtenMs: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.writtenMs - a.writtenMs);
  for (const { path } of files.slice(filesMax)) {
    rmSync(path, { force: true });
  }
}
