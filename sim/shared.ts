/**
 * State that the runs of one process share, because no run can change it in a way that another observes: compiled kernels and reference
 * rows are pure functions of their keys, and memories are returned zeroed.
 */
import { KernelInstances, KernelModuleCache } from "../src/codegen/runtime.ts";
import { connectorFactories } from "../src/connectors/registry.ts";
import type { ConnectorFactory } from "../src/connectors/spi.ts";
import { sharingTpchFactory } from "../src/connectors/tpch/tpch.ts";
import type { WasmMemory } from "../src/memory/memory.ts";
import { createMemory } from "../src/memory/webassembly.ts";
import type { Reference } from "./learned.ts";
import { testingConnectorFactory } from "./workload/features/testing-functions.ts";
import type { Outcome } from "./checkers/results/results.ts";
import { isKnown, knownOutcomes } from "./workload/known.ts";

export const nodeMemoryBytes: number = 64 * 1024 * 1024;
/** Number of modules kept, more than the statements of a thousand seeds need. */
const modulesMax = 8_192;
const memoriesMax = 16;
/** Number of kernel instances kept for each memory; one takes about two kilobytes. */
const instancesMax = 2_048;
/** Total rows of all references. Beyond it the oldest are dropped, and recomputed when needed. */
const referenceRowsMax = 500_000;

export class SharedState {
  readonly modules: KernelModuleCache;
  /** The connectors of this build. Those of tpch share the index of the text pool, which is most of the cost of reading a comment once. */
  readonly factories: readonly ConnectorFactory[];
  readonly #references = new Map<string, Map<string, Outcome>>();
  readonly #memories: WasmMemory[] = [];
  readonly #instances = new WeakMap<WasmMemory, KernelInstances>();
  /** Receives every reference that this process computes. */
  onReference: ((reference: Reference) => void) | undefined;

  constructor(createModules: (modulesMax: number) => KernelModuleCache = (most) => new KernelModuleCache(most)) {
    this.modules = createModules(modulesMax);
    const tpch = sharingTpchFactory();
    this.factories = [...connectorFactories.map((factory) => (factory.name === tpch.name ? tpch : factory)), testingConnectorFactory];
  }

  /** Outcomes by statement, for users with this default schema. */
  referencesOf(schema: string): Map<string, Outcome> {
    const known = this.#references.get(schema);
    if (known !== undefined) {
      return known;
    }
    const references = new Map<string, Outcome>(knownOutcomes(schema));
    this.#references.set(schema, references);
    return references;
  }

  /** Adds a reference that this process computed. */
  addReference(reference: Reference): void {
    this.learn([reference]);
    this.onReference?.(reference);
  }

  /** Adds references that other processes computed. */
  learn(references: readonly Reference[]): void {
    for (const { schema, sql, outcome } of references) {
      this.referencesOf(schema).set(sql, outcome);
    }
  }

  /** Drops all references that the engine itself computed. */
  forgetReferences(): void {
    this.#references.clear();
  }

  /** Call it only between two runs: a run keeps the map that it was given. */
  forgetOldReferences(): void {
    let rows = 0;
    for (const references of this.#references.values()) {
      for (const [sql, outcome] of [...references].reverse()) {
        rows += outcome.kind === "rows" ? Math.max(1, outcome.rows.length) : 1;
        if (rows > referenceRowsMax && !isKnown(sql)) {
          references.delete(sql);
        }
      }
    }
  }

  /** Returns a memory of exactly this many bytes, all zero. */
  takeMemory(bytes: number = nodeMemoryBytes): WasmMemory {
    return (bytes === nodeMemoryBytes ? this.#memories.pop() : undefined) ?? createMemory(bytes);
  }

  /** Instances of kernels over a memory. The nodes that use the memory one after the other share them. */
  instancesOf(memory: WasmMemory): KernelInstances {
    const known = this.#instances.get(memory);
    if (known !== undefined) {
      return known;
    }
    const instances = new KernelInstances(instancesMax);
    this.#instances.set(memory, instances);
    return instances;
  }

  /** Takes a memory back after its last use; bytes at or above `usedBytes` were never written. */
  giveMemory(memory: WasmMemory, usedBytes: number): void {
    if (this.#memories.length < memoriesMax && memory.buffer.byteLength === nodeMemoryBytes) {
      new Uint8Array(memory.buffer, 0, usedBytes).fill(0);
      this.#memories.push(memory);
    }
  }
}
