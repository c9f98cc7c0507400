/**
 * The routes by which code can learn something that no seed decides: real time, entropy, the identity of the host, and an order that other
 * threads decide. traps.ts closes them while events run. Some routes cannot be closed from inside a process; this table lists the guard of
 * each:
 *
 * - `import()`: syntax, not a property. Guard: walls test: the engine imports its own files only.
 * - values that a module read before the run: read before the traps were installed. Guard: lint, types without `node`, `verify` (other
 *   processes).
 * - bindings that a CommonJS module took by name: a copy of the function is in a local variable. Guard: lint, the engine has no such
 *   dependency.
 * - depth of recursion until the stack is full: an error of the JavaScript engine, not a call. Guard: `verify` with other stack sizes.
 * - out of memory, times of garbage collection: likewise; WeakRef and FinalizationRegistry trapped. Guard: `verify` with other heaps.
 * - `Error.stack`, messages of the engine's own errors: a property of every error. Guard: stable codes; nothing hashes a stack; `verify` on
 *   Nodes.
 * - Math.sin, exp, pow and similar functions: pure, but implemented by the machine's library. Guard: `verify` on other versions of Node.
 * - `queueMicrotask`, promises, `structuredClone`: deterministic: they end before the next event. Guard: none needed.
 * - `navigator.userAgent`: zod reads it once to detect its platform. Guard: `verify` on other versions of Node.
 * - `console`, `process.stdout`: output, no input. Guard: none needed.
 */

/** The port that engine code uses instead. */
export const replacements = {
  clock: "real time; time comes from the Clock port",
  timer: "a timer of the host; timers and turns come from the Clock port",
  random: "entropy; random draws come from a named stream of the Random port",
  network: "a real connection; requests go through the Network port",
  storage: "the host's files; they are behind the Storage port",
  host: "a fact about the host; a node knows its configuration and its ports only",
  locale: "the host's language or time zone; compare code units and format by hand",
  collection: "the garbage collector's moment; keep the value or free it by hand",
  threads: "the order of other threads; a run has one thread, and work takes turns of the Clock port",
  realm: "another realm or a module that was not there; the engine imports its own files only",
} as const;

export type Replacement = keyof typeof replacements;

export interface Route {
  /** Name as written in code: `Date.now`, `new Date()`. */
  readonly name: string;
  readonly replacement: Replacement;
}

/** The properties of one object that are routes. */
export interface TrappedObject {
  /** Name of the object: `Math`, `node:os`. */
  readonly name: string;
  /** Returns undefined if this version of Node lacks the object. */
  readonly find: () => object | undefined;
  readonly replacement: Replacement;
  /** Names of own properties; every own function if absent. */
  readonly keys?: readonly string[];
  readonly except?: readonly string[];
  /** Whether reading the property is already a use: numbers, and functions that return stored values. */
  readonly onRead?: boolean;
}

const realm = globalThis as unknown as Readonly<Record<string, unknown>>;

function globalObject(name: string): object | undefined {
  const value = realm[name];
  return typeof value === "function" || (typeof value === "object" && value !== null) ? value : undefined;
}

function prototypeOf(name: string): () => object | undefined {
  return () => (globalObject(name) as { readonly prototype?: object } | undefined)?.prototype;
}

function property(object: object | undefined, name: string): object | undefined {
  const value = (object as Readonly<Record<string, unknown>> | undefined)?.[name];
  return typeof value === "function" || (typeof value === "object" && value !== null) ? value : undefined;
}

function builtin(name: string): () => object | undefined {
  // A browser page that runs the engine lacks these modules and needs no traps for them.
  return () => (typeof process === "object" ? (process.getBuiltinModule(name) as object | undefined) : undefined);
}

function ofModule(name: string, replacement: Replacement, only: Pick<TrappedObject, "keys" | "except"> = {}): TrappedObject {
  return { name, find: builtin(name), replacement, ...only };
}

/** Parts of a date that depend on the time zone. */
const localDateParts = ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds"];
const localDateMethods: readonly string[] = [
  "getTimezoneOffset",
  "getYear",
  "setYear",
  "toString",
  "toDateString",
  "toTimeString",
  "toLocaleString",
  "toLocaleDateString",
  "toLocaleTimeString",
  ...localDateParts.flatMap((part) => (part === "Day" ? [`get${part}`] : [`get${part}`, `set${part}`])),
];

const processTimes = ["hrtime", "uptime", "cpuUsage", "threadCpuUsage", "resourceUsage"];
const processFacts = ["memoryUsage", "constrainedMemory", "availableMemory", "cwd", "getActiveResourcesInfo"];
const processActs = ["chdir", "exit", "reallyExit", "abort", "kill", "umask", "binding", "dlopen", "loadEnvFile"];
const processUsers = ["getuid", "geteuid", "getgid", "getegid", "getgroups"];
const processValues = ["pid", "ppid", "title", "argv", "execArgv", "execPath", "version", "versions", "arch", "platform", "env", "config"];

export function trappedObjects(): readonly TrappedObject[] {
  const intl = Object.getOwnPropertyNames(Intl).filter((name) => typeof property(Intl, name) === "function");
  return [
    // Time.
    { name: "Date", find: () => globalObject("Date"), keys: ["now"], replacement: "clock" },
    { name: "Date.prototype", find: prototypeOf("Date"), keys: localDateMethods, replacement: "locale" },
    {
      name: "performance",
      find: prototypeOf("Performance"),
      keys: ["now", "mark", "measure", "toJSON", "eventLoopUtilization", "timerify", "markResourceTiming"],
      replacement: "clock",
    },
    { name: "performance", find: prototypeOf("Performance"), keys: ["timeOrigin", "nodeTiming"], onRead: true, replacement: "clock" },
    { name: "Event.prototype", find: prototypeOf("Event"), keys: ["timeStamp"], onRead: true, replacement: "clock" },
    { name: "File.prototype", find: prototypeOf("File"), keys: ["lastModified"], onRead: true, replacement: "clock" },
    { name: "process", find: () => globalObject("process"), keys: processTimes, replacement: "clock" },
    { name: "process.hrtime", find: () => property(globalObject("process"), "hrtime"), keys: ["bigint"], replacement: "clock" },
    ofModule("node:perf_hooks", "clock", { keys: ["monitorEventLoopDelay", "createHistogram", "eventLoopUtilization", "timerify"] }),
    // Timers.
    {
      name: "globalThis",
      find: () => globalThis,
      keys: ["setTimeout", "setInterval", "setImmediate"],
      replacement: "timer",
    },
    { name: "process", find: () => globalObject("process"), keys: ["nextTick"], replacement: "timer" },
    { name: "AbortSignal", find: () => globalObject("AbortSignal"), keys: ["timeout"], replacement: "timer" },
    ofModule("node:timers", "timer", { except: ["clearTimeout", "clearInterval", "clearImmediate"] }),
    ofModule("node:timers/promises", "timer"),
    {
      name: "node:timers/promises.scheduler",
      find: () => {
        const scheduler = property(builtin("node:timers/promises")(), "scheduler");
        return scheduler === undefined ? undefined : (Object.getPrototypeOf(scheduler) as object);
      },
      keys: ["wait", "yield"],
      replacement: "timer",
    },
    // Entropy.
    { name: "Math", find: () => Math, keys: ["random"], replacement: "random" },
    { name: "crypto", find: prototypeOf("Crypto"), keys: ["randomUUID", "getRandomValues"], replacement: "random" },
    { name: "crypto.subtle", find: prototypeOf("SubtleCrypto"), replacement: "threads", except: ["constructor"] },
    ofModule("node:crypto", "random", {
      keys: [
        "randomBytes",
        "randomFill",
        "randomFillSync",
        "randomInt",
        "randomUUID",
        "getRandomValues",
        "pseudoRandomBytes",
        "rng",
        "prng",
      ],
    }),
    ofModule("node:crypto", "random", {
      keys: [
        "generateKey",
        "generateKeySync",
        "generateKeyPair",
        "generateKeyPairSync",
        "generatePrime",
        "generatePrimeSync",
        "createSign",
        "sign",
      ],
    }),
    ofModule("node:crypto", "threads", { keys: ["scrypt", "pbkdf2", "hkdf", "checkPrime", "verify"] }),
    // Language and time zone.
    {
      name: "String.prototype",
      find: () => String.prototype,
      keys: ["localeCompare", "toLocaleLowerCase", "toLocaleUpperCase"],
      replacement: "locale",
    },
    { name: "Number.prototype", find: () => Number.prototype, keys: ["toLocaleString"], replacement: "locale" },
    { name: "BigInt.prototype", find: () => BigInt.prototype, keys: ["toLocaleString"], replacement: "locale" },
    { name: "Array.prototype", find: () => Array.prototype, keys: ["toLocaleString"], replacement: "locale" },
    {
      name: "TypedArray.prototype",
      find: () => Object.getPrototypeOf(Uint8Array.prototype) as object,
      keys: ["toLocaleString"],
      replacement: "locale",
    },
    { name: "Intl", find: () => Intl, keys: [...intl, "getCanonicalLocales", "supportedValuesOf"], replacement: "locale" },
    // Formatters that were created before the run.
    ...intl.flatMap((name): TrappedObject[] => [
      {
        name: `Intl.${name}.prototype`,
        find: () => property(property(Intl, name), "prototype"),
        replacement: "locale",
        except: ["constructor"],
      },
      {
        name: `Intl.${name}.prototype`,
        find: () => property(property(Intl, name), "prototype"),
        keys: ["format", "compare"],
        onRead: true,
        replacement: "locale",
      },
    ]),
    // Garbage collection.
    { name: "globalThis", find: () => globalThis, keys: ["WeakRef", "FinalizationRegistry", "gc"], replacement: "collection" },
    { name: "WeakRef.prototype", find: prototypeOf("WeakRef"), keys: ["deref"], replacement: "collection" },
    { name: "FinalizationRegistry.prototype", find: prototypeOf("FinalizationRegistry"), keys: ["register"], replacement: "collection" },
    // Threads.
    { name: "Atomics", find: () => globalObject("Atomics"), keys: ["wait", "waitAsync"], replacement: "threads" },
    {
      name: "globalThis",
      find: () => globalThis,
      keys: ["MessageChannel", "BroadcastChannel", "CompressionStream", "DecompressionStream"],
      replacement: "threads",
    },
    { name: "Blob.prototype", find: prototypeOf("Blob"), keys: ["arrayBuffer", "bytes", "text", "stream"], replacement: "threads" },
    { name: "MessagePort.prototype", find: prototypeOf("MessagePort"), keys: ["postMessage"], replacement: "threads" },
    {
      name: "WebAssembly",
      find: () => globalObject("WebAssembly"),
      keys: ["compile", "instantiate", "compileStreaming", "instantiateStreaming"],
      replacement: "threads",
    },
    ofModule("node:worker_threads", "threads", { except: ["isMarkedAsUntransferable", "markAsUntransferable", "markAsUncloneable"] }),
    ofModule("node:zlib", "threads", { keys: asyncZlib() }),
    // Network and child processes.
    { name: "globalThis", find: () => globalThis, keys: ["fetch", "WebSocket", "EventSource"], replacement: "network" },
    ofModule("node:net", "network", { except: ["isIP", "isIPv4", "isIPv6"] }),
    ...["node:tls", "node:http", "node:https", "node:http2", "node:dgram", "node:dns", "node:dns/promises"].map((name) =>
      ofModule(name, "network"),
    ),
    ofModule("node:child_process", "threads"),
    // Files.
    ofModule("node:fs", "storage"),
    ofModule("node:fs/promises", "storage"),
    // Identity of the host.
    ofModule("node:os", "host"),
    { name: "process", find: () => globalObject("process"), keys: [...processFacts, ...processActs, ...processUsers], replacement: "host" },
    { name: "process", find: () => globalObject("process"), keys: processValues, onRead: true, replacement: "host" },
    { name: "process.memoryUsage", find: () => property(globalObject("process"), "memoryUsage"), keys: ["rss"], replacement: "host" },
    {
      name: "navigator",
      find: prototypeOf("Navigator"),
      keys: ["hardwareConcurrency", "language", "languages", "platform"],
      onRead: true,
      replacement: "host",
    },
    ofModule("node:v8", "host", {
      except: ["serialize", "deserialize", "Serializer", "Deserializer", "DefaultSerializer", "DefaultDeserializer"],
    }),
    // Other realms have their own Date without traps.
    ofModule("node:vm", "realm"),
    ofModule("node:module", "realm", { keys: ["createRequire", "_load", "register"] }),
    { name: "process", find: () => globalObject("process"), keys: ["getBuiltinModule"], replacement: "realm" },
  ];
}

/** Compression on other threads completes in any order; the synchronous functions do not. */
function asyncZlib(): readonly string[] {
  const names = Object.getOwnPropertyNames(builtin("node:zlib")() ?? {});
  return names.filter((name) => /^[a-z]/.test(name) && !/Sync$|^crc32$|^codes$|^constants$/.test(name));
}
