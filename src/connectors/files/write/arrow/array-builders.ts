/**
 * Arrays of a record batch as they grow: a bitmap of what is not NULL, and the buffers of each type (Columnar.rst).
 */
import type { LinearMemory } from "../../../../memory/memory.ts";
import type { NestedValue } from "../../../../types/nested/nested-order.ts";
import { isNested, physicalType, type Type } from "../../../../types/type.ts";
import { encodeUtf8 } from "../../../../types/utf8.ts";
import { growBytes } from "../parquet/grow.ts";
import { fixedForm, type FixedForm } from "./arrow-types.ts";

/** Bytes that are appended to. */
class Bytes {
  bytes = new Uint8Array(0);
  view = new DataView(this.bytes.buffer);
  length = 0;

  /** Room for so many more, which are zero; returns where they begin. */
  extend(more: number): number {
    const at = this.length;
    if (at + more > this.bytes.length) {
      this.bytes = growBytes(this.bytes, at + more);
      this.view = new DataView(this.bytes.buffer);
    }
    this.length += more;
    return at;
  }

  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  clear(): void {
    this.bytes.fill(0, 0, this.length);
    this.length = 0;
  }
}

/** An array and those below it, as a record batch lists them. */
export interface BatchArrays {
  readonly nodes: (readonly [length: number, nullCount: number])[];
  readonly buffers: Uint8Array[];
}

/** Bytes in all arrays of a writer. */
export interface Usage {
  bytes: number;
}

export abstract class ArrayBuilder {
  protected length = 0;
  readonly #usage: Usage;
  readonly #validity = new Bytes();
  #nullCount = 0;

  constructor(usage: Usage) {
    this.#usage = usage;
  }

  get heldBytes(): number {
    return this.#validity.bytes.length + this.heldBelow();
  }

  append(value: NestedValue): void {
    this.mark(value === null);
    if (value === null) {
      this.appendNull();
    } else {
      this.appendValue(value);
    }
  }

  /** From a page: the value at an address, or NULL for no address. */
  appendCell(linear: LinearMemory, address: number): void {
    this.mark(address === 0);
    if (address === 0) {
      this.appendNull();
    } else {
      this.appendAt(linear, address);
    }
  }

  /** The arrays, depth first. They are valid until the builder is cleared. */
  collect(into: BatchArrays): void {
    into.nodes.push([this.length, this.#nullCount]);
    into.buffers.push(this.#nullCount === 0 ? new Uint8Array(0) : this.#validity.written());
    this.collectBelow(into);
  }

  clear(): void {
    this.length = 0;
    this.#nullCount = 0;
    this.#validity.clear();
    this.clearBelow();
  }

  protected used(bytes: number): void {
    this.#usage.bytes += bytes;
  }

  protected mark(isNull: boolean): void {
    const bit = this.length++;
    if (bit % 8 === 0) {
      this.#validity.extend(1);
      this.used(1);
    }
    if (isNull) {
      this.#nullCount++;
    } else {
      const { bytes } = this.#validity;
      bytes[bit >>> 3] = (bytes[bit >>> 3] as number) | (1 << (bit & 7));
    }
  }

  protected abstract appendNull(): void;
  protected abstract appendValue(value: Exclude<NestedValue, null>): void;
  protected abstract appendAt(linear: LinearMemory, address: number): void;
  protected abstract heldBelow(): number;
  protected abstract collectBelow(into: BatchArrays): void;
  protected abstract clearBelow(): void;
}

class BitsBuilder extends ArrayBuilder {
  readonly #bits = new Bytes();

  protected appendNull(): void {
    this.#add(false);
  }

  protected appendValue(value: Exclude<NestedValue, null>): void {
    this.#add(value === true);
  }

  protected appendAt({ u8 }: LinearMemory, address: number): void {
    this.#add(u8[address] === 1);
  }

  #add(isTrue: boolean): void {
    const bit = this.length - 1;
    if (bit % 8 === 0) {
      this.#bits.extend(1);
    }
    const { bytes } = this.#bits;
    bytes[bit >>> 3] = (bytes[bit >>> 3] as number) | ((isTrue ? 1 : 0) << (bit & 7));
  }

  protected heldBelow(): number {
    return this.#bits.bytes.length;
  }

  protected collectBelow({ buffers }: BatchArrays): void {
    buffers.push(this.#bits.written());
  }

  protected clearBelow(): void {
    this.#bits.clear();
  }
}

class FixedBuilder extends ArrayBuilder {
  readonly #form: FixedForm;
  readonly #values = new Bytes();

  constructor(usage: Usage, form: FixedForm) {
    super(usage);
    this.#form = form;
  }

  protected appendNull(): void {
    this.#extend();
  }

  protected appendValue(value: Exclude<NestedValue, null>): void {
    const at = this.#extend();
    this.#form.fromValue(value, this.#values.view, at);
  }

  protected appendAt(linear: LinearMemory, address: number): void {
    const at = this.#extend();
    this.#form.fromPage(linear, address, this.#values.view, at);
  }

  #extend(): number {
    const { width } = this.#form;
    this.used(width);
    return this.#values.extend(width);
  }

  protected heldBelow(): number {
    return this.#values.bytes.length;
  }

  protected collectBelow({ buffers }: BatchArrays): void {
    buffers.push(this.#values.written());
  }

  protected clearBelow(): void {
    this.#values.clear();
  }
}

/** Where each value ends, from 0 on. */
class Offsets {
  readonly #bytes = new Bytes();

  constructor() {
    this.#bytes.extend(4);
  }

  add(end: number): void {
    const at = this.#bytes.extend(4);
    this.#bytes.view.setInt32(at, end, true);
  }

  get heldBytes(): number {
    return this.#bytes.bytes.length;
  }

  written(): Uint8Array {
    return this.#bytes.written();
  }

  clear(): void {
    this.#bytes.clear();
    this.#bytes.extend(4);
  }
}

class BytesBuilder extends ArrayBuilder {
  readonly #offsets = new Offsets();
  readonly #data = new Bytes();

  protected appendNull(): void {
    this.#offsets.add(this.#data.length);
    this.used(4);
  }

  protected appendValue(value: Exclude<NestedValue, null>): void {
    this.#add(typeof value === "string" ? encodeUtf8(value) : (value as Uint8Array));
  }

  protected appendAt({ u8, u32 }: LinearMemory, address: number): void {
    const start = u32[address >>> 2] as number;
    this.#add(u8.subarray(start, start + (u32[(address >>> 2) + 1] as number)));
  }

  #add(bytes: Uint8Array): void {
    const at = this.#data.extend(bytes.length);
    this.#data.bytes.set(bytes, at);
    this.#offsets.add(this.#data.length);
    this.used(bytes.length + 4);
  }

  protected heldBelow(): number {
    return this.#offsets.heldBytes + this.#data.bytes.length;
  }

  protected collectBelow({ buffers }: BatchArrays): void {
    buffers.push(this.#offsets.written(), this.#data.written());
  }

  protected clearBelow(): void {
    this.#offsets.clear();
    this.#data.clear();
  }
}

/** Values of pages are decoded before they come here. */
abstract class NestedBuilder extends ArrayBuilder {
  protected appendAt(): void {
    throw new Error("nested values are appended as values");
  }
}

class ListBuilder extends NestedBuilder {
  readonly #offsets = new Offsets();
  readonly #element: ArrayBuilder;
  #elements = 0;

  constructor(usage: Usage, element: ArrayBuilder) {
    super(usage);
    this.#element = element;
  }

  protected appendNull(): void {
    this.#offsets.add(this.#elements);
    this.used(4);
  }

  protected appendValue(value: Exclude<NestedValue, null>): void {
    const items = value as readonly NestedValue[];
    for (const item of items) {
      this.#element.append(item);
    }
    this.#elements += items.length;
    this.appendNull();
  }

  protected heldBelow(): number {
    return this.#offsets.heldBytes + this.#element.heldBytes;
  }

  protected collectBelow(into: BatchArrays): void {
    into.buffers.push(this.#offsets.written());
    this.#element.collect(into);
  }

  protected clearBelow(): void {
    this.#offsets.clear();
    this.#element.clear();
    this.#elements = 0;
  }
}

class StructBuilder extends NestedBuilder {
  readonly #fields: readonly ArrayBuilder[];

  constructor(usage: Usage, fields: readonly ArrayBuilder[]) {
    super(usage);
    this.#fields = fields;
  }

  protected appendNull(): void {
    for (const field of this.#fields) {
      field.append(null);
    }
  }

  protected appendValue(value: Exclude<NestedValue, null>): void {
    const values = value as readonly NestedValue[];
    this.#fields.forEach((field, index) => field.append(values[index] ?? null));
  }

  protected heldBelow(): number {
    return this.#fields.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
  }

  protected collectBelow(into: BatchArrays): void {
    for (const field of this.#fields) {
      field.collect(into);
    }
  }

  protected clearBelow(): void {
    for (const field of this.#fields) {
      field.clear();
    }
  }
}

export function arrayBuilder(type: Type, usage: Usage): ArrayBuilder {
  if (isNested(type)) {
    switch (type.kind) {
      case "array":
        return new ListBuilder(usage, arrayBuilder(type.element, usage));
      case "map":
        // An entry is a pair.
        return new ListBuilder(usage, new StructBuilder(usage, [arrayBuilder(type.key, usage), arrayBuilder(type.value, usage)]));
      case "row":
        return new StructBuilder(
          usage,
          type.fields.map((field) => arrayBuilder(field.type, usage)),
        );
    }
  }
  if (type.kind === "boolean") {
    return new BitsBuilder(usage);
  }
  return physicalType(type) === "bytes" && type.kind !== "uuid" ? new BytesBuilder(usage) : new FixedBuilder(usage, fixedForm(type));
}
