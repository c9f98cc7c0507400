/**
 * Writes FlatBuffers, in which Arrow has its metadata. A table comes before what its offsets lead to, and its vtable before itself.
 */
import { ByteBuffer } from "../byte-buffer.ts";

type Scalar = { readonly bits: 8 | 16 | 32; readonly value: number } | { readonly bits: 64; readonly value: bigint };

/** Structs of 64-bit words, of which every struct has `wordsEach`. */
interface Structs {
  readonly structs: readonly bigint[];
  readonly wordsEach: number;
}

type Target = FlatFields | { readonly text: string } | { readonly tables: readonly FlatFields[] } | Structs;

/** Fields by their ordinals; an undefined one is absent. */
export type FlatFields = readonly (Scalar | Target | undefined)[];

export function i8(value: number): Scalar {
  return { bits: 8, value };
}

export function i16(value: number): Scalar {
  return { bits: 16, value };
}

export function i32(value: number): Scalar {
  return { bits: 32, value };
}

export function i64(value: number | bigint): Scalar {
  return { bits: 64, value: BigInt(value) };
}

export function flatText(text: string): Target {
  return { text };
}

export function flatTables(tables: readonly FlatFields[]): Target {
  return { tables };
}

export function flatStructs(structs: readonly bigint[], wordsEach: number): Target {
  return { structs, wordsEach };
}

const offsetBytes = 4;
const alignmentBytes = 8;

/** A buffer whose root is the table, padded to a multiple of 8 bytes. */
export function flatBuffer(root: FlatFields): Uint8Array {
  const out = new Out();
  out.patch(0, out.reserve(offsetBytes), writeTable(out, root));
  out.align(alignmentBytes, 0);
  return out.bytes();
}

class Out {
  readonly #buffer = new ByteBuffer();
  /** Offsets that are known when what they lead to is written. */
  readonly #patches: (readonly [at: number, value: number])[] = [];

  get length(): number {
    return this.#buffer.length;
  }

  /** Pads so that what comes `behind` bytes later is aligned. */
  align(alignment: number, behind: number): void {
    while ((this.length + behind) % alignment !== 0) {
      this.#buffer.byte(0);
    }
  }

  reserve(bytes: number): number {
    const at = this.length;
    for (let index = 0; index < bytes; index++) {
      this.#buffer.byte(0);
    }
    return at;
  }

  /** Sets the offset at `at`, which counts from `from`. */
  patch(from: number, at: number, target: number): void {
    this.#patches.push([at, target - from]);
  }

  integer(value: bigint | number, bits: number): void {
    const whole = BigInt.asUintN(64, BigInt(value));
    for (let shift = 0; shift < bits; shift += 8) {
      this.#buffer.byte(Number((whole >> BigInt(shift)) & 0xffn));
    }
  }

  text(text: string): void {
    const start = this.length;
    this.integer(0, 32);
    this.#buffer.text(text);
    this.#patches.push([start, this.length - start - offsetBytes]);
    this.#buffer.byte(0);
  }

  bytes(): Uint8Array {
    const bytes = this.#buffer.take();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (const [at, value] of this.#patches) {
      view.setUint32(at, value, true);
    }
    return bytes;
  }
}

function isScalar(field: Scalar | Target): field is Scalar {
  return "bits" in field;
}

/** Returns the place of the table. */
function writeTable(out: Out, fields: FlatFields): number {
  let end = offsetBytes;
  const places = fields.map((field) => {
    if (field === undefined) {
      return 0;
    }
    const bytes = isScalar(field) ? field.bits / 8 : offsetBytes;
    const at = Math.ceil(end / bytes) * bytes;
    end = at + bytes;
    return at;
  });
  const vtableBytes = 2 * (fields.length + 2);
  out.align(alignmentBytes, vtableBytes);
  const vtable = out.length;
  out.integer(vtableBytes, 16);
  out.integer(end, 16);
  for (const place of places) {
    out.integer(place, 16);
  }
  const table = out.length;
  out.integer(table - vtable, 32);
  fields.forEach((field, index) => {
    if (field !== undefined) {
      out.reserve(table + (places[index] as number) - out.length);
      out.integer(isScalar(field) ? field.value : 0, isScalar(field) ? field.bits : 8 * offsetBytes);
    }
  });
  fields.forEach((field, index) => {
    if (field !== undefined && !isScalar(field)) {
      const at = table + (places[index] as number);
      out.patch(at, at, writeTarget(out, field));
    }
  });
  return table;
}

function writeTarget(out: Out, target: Target): number {
  if (!("text" in target || "tables" in target || "structs" in target)) {
    return writeTable(out, target);
  }
  out.align(alignmentBytes, offsetBytes);
  const start = out.length;
  if ("text" in target) {
    out.text(target.text);
  } else if ("structs" in target) {
    out.integer(target.structs.length / target.wordsEach, 32);
    for (const word of target.structs) {
      out.integer(word, 64);
    }
  } else {
    out.integer(target.tables.length, 32);
    const slots = target.tables.map(() => out.reserve(offsetBytes));
    target.tables.forEach((table, index) => {
      const at = slots[index] as number;
      out.patch(at, at, writeTable(out, table));
    });
  }
  return start;
}
