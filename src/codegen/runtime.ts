/**
 * Loads kernels as functions over a node's linear memory. A node has one runtime. Operators load their kernels by a key that names the
 * kernel's shape, never its constants. Host functions receive and return i32 as signed numbers; an address needs `>>> 0`.
 */
import { knobOf, type Knobs, knobs } from "../ports/knobs.ts";
import { assert } from "../protocol/errors.ts";
import { ArenaRegistry } from "../memory/arena.ts";
import type { LinearMemory } from "../memory/memory.ts";
import { type WasmModule, wasm } from "../memory/webassembly.ts";
import { HostWork } from "./host-work.ts";
import { arenaGrowName, arenaGrowSignature } from "./arena.ts";
import type { Signature } from "./builder.ts";
import { interpretKernel, type InterpretedWork } from "./interpreter.ts";
import type { CompiledKernel, HostFunction, Kernel, KernelValue } from "./ir.ts";
import { isTooLargeToCompile } from "./size.ts";
import { KernelTrap, type KernelTrapKind } from "./trap.ts";
import { validateKernel } from "./validate.ts";
import { emitWasm } from "./wasm.ts";

interface RegisteredHost {
  readonly signature: Signature;
  readonly fn: HostFunction;
}

/** A least recently used cache. */
class Recent<T> {
  readonly #entries = new Map<string, T>();

  readonly #entriesMax: number;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry;
  }

  clear(): void {
    this.#entries.clear();
  }

  set(key: string, entry: T): void {
    this.add(key, entry);
    this.trim();
  }

  /** May exceed the bound until the next trim. */
  add(key: string, entry: T): void {
    this.#entries.set(key, entry);
  }

  /** Evicts the least recently used entries. */
  trim(): void {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= this.#entriesMax) {
        return;
      }
      this.#entries.delete(key);
    }
  }
}

/** A compiled kernel without a memory. */
interface KernelModule {
  readonly module: WasmModule;
  /** Names of the host functions that it imports. */
  readonly hosts: readonly string[];
}

/** Compiled modules. They hold no state of a node, so the nodes of a process may share them. */
export class KernelModuleCache {
  readonly #modules: Recent<KernelModule>;

  constructor(modulesMax: number = knobs["cached-kernels"].default) {
    this.#modules = new Recent(modulesMax);
  }

  get(key: string): KernelModule | undefined {
    return this.#modules.get(key);
  }

  set(key: string, module: KernelModule): void {
    this.#modules.set(key, module);
  }
}

/**
 * Instances of kernels over one memory, for nodes that use it one after the other. Only kernels without host functions are kept: such an
 * instance holds nothing but its code and the memory.
 */
export class KernelInstances {
  readonly #runs: Recent<CompiledKernel>;

  constructor(instancesMax: number) {
    this.#runs = new Recent(instancesMax);
  }

  get(key: string): CompiledKernel | undefined {
    return this.#runs.get(key);
  }

  set(key: string, run: CompiledKernel): void {
    this.#runs.set(key, run);
  }
}

export type KernelBackend = "wasm" | "interpreter";

export interface KernelRuntimeOptions {
  readonly linear: LinearMemory;
  readonly backend: KernelBackend;
  readonly modules?: KernelModuleCache;
  /** Instances over this very memory. */
  readonly instances?: KernelInstances | undefined;
  readonly knobs?: Knobs | undefined;
}

export class KernelRuntime {
  readonly linear: LinearMemory;
  readonly backend: KernelBackend;
  /** The arenas that kernels of this runtime allocate from. */
  readonly arenas = new ArenaRegistry();
  readonly work: HostWork;
  readonly interpreted: InterpretedWork = { steps: 0 };
  readonly #modules: KernelModuleCache;
  #instances: KernelInstances | undefined;
  readonly #kernels: Recent<CompiledKernel>;
  /** Which columns a kernel may write NULL to, by the kernel's key. */
  readonly #nullable: Recent<readonly boolean[]>;
  /**
   * Names contain argument types (`upper(varchar(3))`), so a long-lived node would accumulate them without a bound. A loaded kernel keeps
   * its own functions.
   */
  readonly #hosts: Recent<RegisteredHost>;

  constructor(options: KernelRuntimeOptions) {
    this.linear = options.linear;
    this.backend = options.backend;
    this.work = new HostWork(knobOf(options, "function-slice-steps"));
    this.#kernels = new Recent(knobOf(options, "cached-kernels"));
    this.#nullable = new Recent(knobOf(options, "cached-kernels"));
    this.#hosts = new Recent(knobOf(options, "cached-host-functions"));
    this.#modules = options.modules ?? new KernelModuleCache();
    this.#instances = options.instances;
    this.#registerOwn();
  }

  #registerOwn(): void {
    if (!this.hasHost(arenaGrowName)) {
      this.registerHost(arenaGrowName, arenaGrowSignature, (controlBlock, bytes) =>
        this.arenas.grow((controlBlock as number) >>> 0, (bytes as number) >>> 0),
      );
    }
  }

  /**
   * Must run before a kernel that imports the function is loaded. The registration lasts until a later `load` trims the functions to the
   * latest ones.
   */
  registerHost(name: string, signature: Signature, fn: HostFunction): void {
    assert(this.#hosts.get(name) === undefined, `host function ${name} is registered twice`);
    this.#hosts.add(name, { signature, fn });
  }

  hasHost(name: string): boolean {
    return this.#hosts.get(name) !== undefined;
  }

  /**
   * The kernel of this key; `build` runs only if the kernel is not loaded yet. Throws KernelTrap if the kernel traps. `ensureHosts`
   * registers the kernel's host functions again if they were evicted: an operator may load a kernel long after it was built.
   */
  load(key: string, build: () => Kernel, ensureHosts?: () => void): CompiledKernel {
    let kernel = this.#kernels.get(key);
    if (kernel === undefined) {
      if (ensureHosts !== undefined) {
        // Trims before registration, because one operator may register more functions than the bound.
        this.#hosts.trim();
        this.#registerOwn();
        ensureHosts();
      }
      kernel = this.backend === "wasm" ? this.#instantiate(key, build) : this.#interpret(this.#check(build()));
      this.#kernels.set(key, kernel);
    }
    return kernel;
  }

  /** The columns that the kernel of this key may write NULL to, if only building it tells them; `find` runs only if they are not known. */
  nullableOf(key: string, find: () => readonly boolean[]): readonly boolean[] {
    let nullable = this.#nullable.get(key);
    if (nullable === undefined) {
      nullable = find();
      this.#nullable.set(key, nullable);
    }
    return nullable;
  }

  /** The memory's views were replaced, so kernels bound to the old memory are dropped; compiled modules are kept. */
  memoryRenewed(): void {
    this.#kernels.clear();
    this.#instances = undefined;
  }

  #instantiate(key: string, build: () => Kernel): CompiledKernel {
    const known = this.#instances?.get(key);
    if (known !== undefined) {
      return known;
    }
    let compiled = this.#modules.get(key);
    if (compiled === undefined) {
      const code = this.#check(build());
      if (isTooLargeToCompile(code)) {
        return this.#interpret(code);
      }
      compiled = { module: new wasm.Module(emitWasm(code)), hosts: code.imports.map(({ name }) => name) };
      this.#modules.set(key, compiled);
    }
    const host = Object.fromEntries(this.#functions(compiled.hosts));
    const instance = new wasm.Instance(compiled.module, { env: { memory: this.linear.wasm }, host });
    const run = instance.exports["run"] as CompiledKernel;
    const kernel = (...args: readonly KernelValue[]): ReturnType<CompiledKernel> => {
      try {
        return run(...args);
      } catch (error) {
        throw error instanceof wasm.RuntimeError ? new KernelTrap(key, trapKind(error.message), error.message) : error;
      }
    };
    if (compiled.hosts.length === 0) {
      this.#instances?.set(key, kernel);
    }
    return kernel;
  }

  #interpret(kernel: Kernel): CompiledKernel {
    const hosts = this.#functions(kernel.imports.map(({ name }) => name));
    return interpretKernel({ kernel, linear: this.linear, hosts, work: this.interpreted });
  }

  #functions(names: readonly string[]): ReadonlyMap<string, HostFunction> {
    return new Map(
      names.map((name) => {
        const host = this.#hosts.get(name);
        assert(host !== undefined, `host function ${name} is not registered`);
        return [name, host.fn];
      }),
    );
  }

  #check(kernel: Kernel): Kernel {
    validateKernel(kernel);
    for (const { name, params, result } of kernel.imports) {
      const signature = this.#hosts.get(name)?.signature;
      assert(signature !== undefined, `kernel ${kernel.name} needs host function ${name}, which is not registered`);
      const same = signature.result === result && signature.params.join() === params.join();
      assert(same, `kernel ${kernel.name} imports host function ${name} with another signature`);
    }
    return kernel;
  }
}

/** Derived from the platform's message; the kinds are for diagnostics and for comparing both backends. */
function trapKind(message: string): KernelTrapKind {
  if (message.includes("out of bounds")) {
    return "MEMORY_OUT_OF_BOUNDS";
  }
  if (message.includes("by zero")) {
    return "DIVIDE_BY_ZERO";
  }
  if (message.includes("unrepresentable")) {
    return "INTEGER_OVERFLOW";
  }
  return message.includes("unreachable") ? "UNREACHABLE" : "OTHER";
}
