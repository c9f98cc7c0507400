/**
 * Loads a program of one file with V8's code cache. The first run compiles the program and keeps the code, as far as it was needed until
 * then; later runs start with it. Built as a script of its own, which the programs' entries call.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { type CachedProgram, cacheFolders, readCache, writeCache } from "./code-cache.ts";
import { setEngineFlags } from "./engine-flags.ts";
import { readMapped } from "./mapped-file.ts";

declare const __dirname: string;

/** After this time the code of start and first queries is known, in milliseconds. A program that ends earlier keeps its code at its end. */
const keepAfterMs = 5000;

type Load = (name: string) => unknown;

/** What the text of a program or library evaluates to. */
type Wrapper = (
  module: { exports: unknown },
  exports: unknown,
  require: (name: string) => unknown,
  filename: string,
  dirname: string,
) => void;

/** Loads a program or a library from the folder of this script. */
export function load(name: string): unknown {
  setEngineFlags();
  return loaderOf(__dirname)(name);
}

/** `hashes.json` of the folder holds the hashes of its programs. */
function loaderOf(folder: string): Load {
  const hashes = new Map(Object.entries(JSON.parse(readFileSync(join(folder, "hashes.json"), "utf8")) as Readonly<Record<string, string>>));
  const folders = cacheFolders(folder);
  const loaded = new Map<string, unknown>();
  const loadOnce: Load = (name) => {
    if (!loaded.has(name)) {
      const hash = hashes.get(name);
      if (hash === undefined) {
        throw new Error(`There is no program '${name}' in ${folder}`);
      }
      loaded.set(name, run(join(folder, `${name}.cjs`), { name, hash }));
    }
    return loaded.get(name);
  };
  const run = (file: string, program: CachedProgram): unknown => {
    const wrapper = compile(file, { program, folders });
    const require = createRequire(file);
    const module = { exports: {} as unknown };
    wrapper(module, module.exports, (id) => (id.startsWith("./") ? loadOnce(id.slice(2)) : require(id)), file, folder);
    return module.exports;
  };
  return loadOnce;
}

/** A function of its own, so that the collection during the program's start finds text and cached code that nobody holds. */
function compile(file: string, { program, folders }: { readonly program: CachedProgram; readonly folders: readonly string[] }): Wrapper {
  // Coverage counts code that V8 has compiled itself.
  const usesCache = process.env["NODE_V8_COVERAGE"] === undefined;
  const cachedData = usesCache ? readCache(folders, program) : undefined;
  const script = new Script(readMapped(file).toString("latin1"), { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  if (usesCache && (cachedData === undefined || script.cachedDataRejected === true)) {
    keepLater(() => writeCache(folders, program, script.createCachedData()));
  }
  return script.runInThisContext() as Wrapper;
}

/** Calls once: after a while, or when the thread ends before. */
function keepLater(keep: () => void): void {
  const once = (): void => {
    clearTimeout(timer);
    process.off("exit", once);
    try {
      keep();
    } catch {
      // A program without a cache starts more slowly.
    }
  };
  const timer = setTimeout(once, keepAfterMs);
  timer.unref();
  process.on("exit", once);
}
