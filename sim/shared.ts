/**
 * What the runs of one process share because no run can change what another sees of it: compiled kernels and reference rows are pure functions of
 * their keys, and memories come back zeroed.
 */
import { KernelModuleCache } from "../src/codegen/runtime.ts";
import type { WasmMemory } from "../src/memory/memory.ts";
import { createMemory } from "../src/memory/webassembly.ts";
import type { Reference } from "./learned.ts";
import type { Outcome } from "./checkers/results/results.ts";
import { isKnown, knownOutcomes } from "./workload/known.ts";

export const nodeMemoryBytes: number = 64 * 1024 * 1024;
/** More than the statements of a thousand seeds need. */
const modulesMax = 8_192;
const memoriesMax = 16;
/** Of all references together; the oldest are forgotten beyond, and computed again when they are needed. */
const referenceRowsMax = 500_000;

export class SharedState {
  readonly modules: KernelModuleCache = new KernelModuleCache(modulesMax);
  readonly #references = new Map<string, Map<string, Outcome>>();
  readonly #memories: WasmMemory[] = [];
  /** Told every reference that is worked out here. */
  onReference: ((reference: Reference) => void) | undefined;

  /** Outcome by statement, of users whose default schema this is. */
  referencesOf(schema: string): Map<string, Outcome> {
    const known = this.#references.get(schema);
    if (known !== undefined) {
      return known;
    }
    const references = new Map<string, Outcome>(knownOutcomes(schema));
    this.#references.set(schema, references);
    return references;
  }

  /** Worked out here. */
  addReference(reference: Reference): void {
    this.learn([reference]);
    this.onReference?.(reference);
  }

  /** Worked out elsewhere. */
  learn(references: readonly Reference[]): void {
    for (const { schema, sql, outcome } of references) {
      this.referencesOf(schema).set(sql, outcome);
    }
  }

  /** What the engine was asked for itself. */
  forgetReferences(): void {
    this.#references.clear();
  }

  /** Between two runs only: a run keeps what it was given. */
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

  /** Of exactly so many bytes, all zero. */
  takeMemory(bytes: number = nodeMemoryBytes): WasmMemory {
    return (bytes === nodeMemoryBytes ? this.#memories.pop() : undefined) ?? createMemory(bytes);
  }

  /** Nothing that ran on it will run again; bytes at or above `usedBytes` were never written. */
  giveMemory(memory: WasmMemory, usedBytes: number): void {
    if (this.#memories.length < memoriesMax && memory.buffer.byteLength === nodeMemoryBytes) {
      new Uint8Array(memory.buffer, 0, usedBytes).fill(0);
      this.#memories.push(memory);
    }
  }
}
