/**
 * Reads a nested column of a row group, a batch of rows at a time.
 */
import type { Address, MemoryContext } from "../../../../memory/memory.ts";
import type { Column } from "../../../../page/page.ts";
import { BadData } from "../../../shared/file-errors.ts";
import type { ParquetKernels } from "../kernels/kernels.ts";
import { leavesOf, type ParquetNode } from "../tree.ts";
import { Assembly } from "./assembly.ts";
import { LeafReader } from "./leaf-reader.ts";

export interface StoredLeaf {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly codec: number;
  readonly entries: number;
}

export interface NestedColumnOptions {
  readonly node: ParquetNode;
  /** In the order of the node's leaves. */
  readonly leaves: readonly { readonly stored: StoredLeaf; readonly bytes: Uint8Array }[];
  readonly rows: number;
  readonly memory: MemoryContext;
  readonly kernels: ParquetKernels;
}

export class NestedColumnReader {
  readonly #options: NestedColumnOptions;
  readonly #readers: ReadonlyMap<number, LeafReader>;
  #rowsLeft: number;
  #blocks: readonly Address[] = [];

  constructor(options: NestedColumnOptions) {
    const { node, leaves, memory, kernels } = options;
    this.#options = options;
    this.#rowsLeft = options.rows;
    this.#readers = new Map(
      leavesOf(node).flatMap(({ leaf, encoding, definition, repetition }, index) => {
        const chunk = leaves[index];
        return chunk === undefined
          ? []
          : [
              [
                leaf,
                new LeafReader({
                  encoding,
                  codec: chunk.stored.codec,
                  bytes: chunk.bytes,
                  entries: chunk.stored.entries,
                  definitionMax: definition,
                  repetitionMax: repetition,
                  memory,
                  kernels,
                }),
              ] as const,
            ];
      }),
    );
  }

  /** The next `count` rows, at least one. Valid until the next read. */
  read(count: number): Column {
    const { node, memory, kernels } = this.#options;
    for (const address of this.#blocks) {
      memory.free(address);
    }
    this.#blocks = [];
    const batches = new Map([...this.#readers].map(([leaf, reader]) => [leaf, reader.read(count)]));
    const assembly = new Assembly(batches, memory, kernels);
    const column = assembly.column(node);
    this.#blocks = assembly.blocks;
    if (column.count !== count) {
      throw new BadData("its levels are damaged");
    }
    this.#rowsLeft -= count;
    if (this.#rowsLeft === 0) {
      for (const reader of this.#readers.values()) {
        reader.requireEnd();
      }
    }
    const { type, values, nulls } = column;
    return { type, values, nulls, ids: 0, length: count };
  }
}
