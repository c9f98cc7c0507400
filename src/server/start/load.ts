/**
 * Loads a program of one file with V8's code cache. The first run compiles the program and keeps the code, as far as it was needed until
 * then; later runs start with it. Built as a script of its own, which the programs' entries call.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { type CachedProgram, cacheFolders, readCache, writeCache } from "./code-cache.ts";
import { readMapped } from "./mapped-file.ts";

declare const __dirname: string;

/** After this time the code of start and first queries is known, in milliseconds. A program that ends earlier keeps its code at its end. */
const keepAfterMs = 5000;

/**
 * How much larger than the last full collection left it the old generation may become before the next one, in percent. The heaps of a node
 * are small, because rows are in linear memory, and V8's own choice lets them grow by a third: then a few megabytes of frames, texts of
 * filters or rows of an answer bring a full collection each.
 */
const heapGrowthPercent = 300;

/**
 * The function of each file runs once. It is so long that V8's baseline compiler would compile it meanwhile, which took a twentieth of a
 * start and left 2 MB of code and 9 MB of malloc's heap with each thread.
 */
const notCompiled = "orreryProgram";

/**
 * Most bytecode of called functions that V8's optimising compiler copies into a function, all together and of one of them; by default it is
 * 920 and 460. The inner loops are kernels of WebAssembly, which this does not concern. What is left is code that runs once a page or a
 * request: there is much of it, each thread compiles its own, and calls cost it little.
 */
const inlinedBytecodeMax = { together: 400, ofOne: 200 };

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
  // Code is only used under the flags under which it was made. The server sets this one for the collector (src/server/ports/garbage.ts).
  setFlagsFromString("--expose-gc");
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${inlinedBytecodeMax.together}`);
  setFlagsFromString(`--max-inlined-bytecode-size=${inlinedBytecodeMax.ofOne}`);
  setFlagsFromString(`--sparkplug-filter=-${notCompiled}`);
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
