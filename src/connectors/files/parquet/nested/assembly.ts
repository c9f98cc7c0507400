/**
 * Builds the values of a nested column from the entries of its leaves, node by node from the leaves up (nested/composition.ts). The method
 * is that of Dremel (Melnik et al., 2010) without its automaton: an array ends where the repetition level falls below its own.
 */
import type { Address, LinearMemory, MemoryContext } from "../../../../memory/memory.ts";
import { physicalType, physicalWidth, type Type } from "../../../../types/type.ts";
import { BadData } from "../../../shared/file-errors.ts";
import { Composition, makeCanonical, type Shape as ComposedShape } from "../../nested/composition.ts";
import type { Vector } from "../../nested/vector.ts";
import { widenValues } from "../../widening.ts";
import type { ParquetKernels } from "../kernels/kernels.ts";
import { leavesOf, type ParquetLeaf, type ParquetNode, type Repeated } from "../tree.ts";
import { valueWidth } from "../values.ts";
import type { LeafBatch } from "./leaf-reader.ts";

type ArrayNode = Extract<ParquetNode, { kind: "array" }>;
type MapNode = Extract<ParquetNode, { kind: "map" }>;
type RowNode = Extract<ParquetNode, { kind: "row" }>;

/** The places of a node: entries with at most this repetition level and at least this definition level. */
interface Places {
  readonly repetition: number;
  readonly definition: number;
}

const damaged = "its levels are damaged";
/** Above every definition level. */
const levelMax = 256;
/** Number of elements. */
const sizeBytes = 4;

interface Shape {
  readonly count: number;
  readonly nulls: Address;
  /** u32 per place. */
  readonly sizes: Address;
}

export class Assembly {
  readonly #linear: LinearMemory;
  readonly #kernels: ParquetKernels;
  /** By leaf. */
  readonly #batches: ReadonlyMap<number, LeafBatch>;
  readonly #composition: Composition;

  constructor(batches: ReadonlyMap<number, LeafBatch>, memory: MemoryContext, kernels: ParquetKernels) {
    this.#batches = batches;
    this.#linear = memory.linear;
    this.#kernels = kernels;
    this.#composition = new Composition(memory);
  }

  /** All that was allocated; the caller frees it. */
  get blocks(): readonly Address[] {
    return this.#composition.blocks;
  }

  /** One value for each row. */
  column(node: ParquetNode): Vector {
    return this.#vector(node, { repetition: 0, definition: 0 });
  }

  #vector(node: ParquetNode, places: Places): Vector {
    switch (node.kind) {
      case "leaf":
        return this.#leaf(node, places);
      case "missing":
        return this.#missing(node.type, this.#places(node, 0, places).count);
      case "row":
        return this.#row(node, places);
      case "array":
        return this.#array(node, places);
      case "map":
        return this.#map(node, places);
    }
  }

  #allocate(bytes: number): Address {
    return this.#composition.allocate(bytes);
  }

  #batchOf(leaf: number): LeafBatch {
    const batch = this.#batches.get(leaf);
    if (batch === undefined) {
      throw new BadData(damaged);
    }
    return batch;
  }

  #leaf(node: ParquetLeaf, places: Places): Vector {
    const { entries, definitions, values } = this.#batchOf(node.leaf);
    const { type } = node.encoding;
    const width = valueWidth(node.encoding);
    let vector: Vector = { type, count: entries, values, nulls: 0 };
    if (definitions !== 0) {
      const levels = places.definition === 0 ? { address: definitions, rows: entries } : this.#placesOf(definitions, entries, places);
      const to = this.#allocate(levels.rows * width);
      const nulls = this.#allocate(levels.rows);
      this.#kernels.spread({ ...levels, present: node.definition }, width, { from: values, to, nulls });
      vector = { type, count: levels.rows, values: to, nulls };
    }
    const widened = node.widened === undefined ? vector : this.#widened(vector, node.widened);
    makeCanonical(this.#linear, widened);
    return widened;
  }

  #widened({ type: from, count, values, nulls }: Vector, type: Type): Vector {
    const to = this.#allocate(count * physicalWidth(physicalType(type)));
    widenValues(this.#linear, { type: from, values, length: count }, { type, values: to });
    return { type, count, values: to, nulls };
  }

  #missing(type: Type, count: number): Vector {
    const nulls = this.#allocate(count);
    const values = this.#allocate(count * physicalWidth(physicalType(type)));
    const { u8 } = this.#linear;
    u8.fill(1, nulls, nulls + count);
    u8.fill(0, values, values + count * physicalWidth(physicalType(type)));
    return { type, count, values, nulls };
  }

  /** Levels of the entries that are places, without the empty arrays above. */
  #placesOf(definitions: Address, entries: number, { definition }: Places): { readonly address: Address; readonly rows: number } {
    const { u8 } = this.#linear;
    const address = this.#allocate(entries);
    let rows = 0;
    for (let entry = 0; entry < entries; entry++) {
      const level = u8[definitions + entry] as number;
      if (level >= definition) {
        u8[address + rows++] = level;
      }
    }
    return { address, rows };
  }

  /** Whether the node is NULL, for each place in order. The first leaf below the node tells. */
  #places(node: ParquetNode, definition: number, places: Places): { readonly count: number; readonly nulls: Address } {
    const { count, nulls } = this.#shape(node, { definition, elementDefinition: levelMax, repetition: 0 }, places);
    return { count, nulls };
  }

  /** The same, and the number of elements of each place. */
  #shape(node: ParquetNode, levels: Repeated, places: Places): Shape {
    const [leaf] = leavesOf(node);
    const { entries, repetitions, definitions } = this.#batchOf(leaf?.leaf ?? -1);
    const { u8, u32 } = this.#linear;
    const nulls = this.#allocate(entries);
    const sizes = this.#allocate(entries * sizeBytes);
    let last = (sizes >>> 2) - 1;
    let count = 0;
    for (let entry = 0; entry < entries; entry++) {
      const repetition = repetitions === 0 ? 0 : (u8[repetitions + entry] as number);
      const definition = definitions === 0 ? (leaf?.definition ?? 0) : (u8[definitions + entry] as number);
      if (repetition <= places.repetition && definition >= places.definition) {
        u8[nulls + count++] = definition < levels.definition ? 1 : 0;
        u32[++last] = 0;
      }
      if (repetition <= levels.repetition && definition >= levels.elementDefinition) {
        if (count === 0) {
          throw new BadData(damaged);
        }
        u32[last] = (u32[last] as number) + 1;
      }
    }
    return { count, nulls, sizes };
  }

  /** Elements of the places one after the other, of which there are `count` in all. */
  #following(shape: Shape, count: number): ComposedShape {
    const { u32 } = this.#linear;
    const sizes = shape.sizes >>> 2;
    const firsts = this.#allocate(shape.count * sizeBytes) >>> 2;
    let first = 0;
    for (let place = 0; place < shape.count; place++) {
      u32[firsts + place] = first;
      first += u32[sizes + place] as number;
    }
    if (first !== count) {
      throw new BadData(damaged);
    }
    return {
      count: shape.count,
      nulls: shape.nulls,
      elementsAt: (place) => ({ first: u32[firsts + place] as number, count: u32[sizes + place] as number }),
    };
  }

  #array(node: ArrayNode, places: Places): Vector {
    const shape = this.#shape(node, node, places);
    const element = this.#vector(node.element, { repetition: node.repetition, definition: node.elementDefinition });
    return this.#composition.array(node.type, element, this.#following(shape, element.count));
  }

  #map(node: MapNode, places: Places): Vector {
    const shape = this.#shape(node, node, places);
    const below = { repetition: node.repetition, definition: node.elementDefinition };
    const keys = this.#vector(node.key, below);
    const values = this.#vector(node.value, below);
    if (keys.count !== values.count) {
      throw new BadData(damaged);
    }
    return this.#composition.map(node.type, { keys, values }, this.#following(shape, keys.count));
  }

  #row(node: RowNode, places: Places): Vector {
    const { count, nulls } = this.#places(node, node.definition, places);
    const fields = node.fields.map((field) => {
      return field.kind === "missing" ? this.#missing(field.type, count) : this.#vector(field, places);
    });
    if (fields.some((field) => field.count !== count)) {
      throw new BadData(damaged);
    }
    return this.#composition.row(node.type, fields, { count, nulls });
  }
}
