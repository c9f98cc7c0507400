/**
 * Parquet files made by hand: any schema, any levels, pages of version 1 that may cut a row in two. Values are plain and not compressed.
 */
export interface Element {
  readonly name: string;
  readonly repetition?: "required" | "optional" | "repeated";
  /** Physical type of a leaf, by number. */
  readonly physical?: number;
  readonly length?: number;
  readonly converted?: number;
  readonly precision?: number;
  readonly scale?: number;
  /** The bytes of the LogicalType union. */
  readonly logical?: readonly number[];
  readonly children?: readonly Element[];
}

export interface WrittenPage {
  /** One per entry; absent if the column has none. */
  readonly repetitions?: readonly number[];
  readonly definitions?: readonly number[];
  readonly entries: number;
  /** Plain values. */
  readonly values: readonly number[];
}

export interface WrittenLeaf {
  readonly pages: readonly WrittenPage[];
  readonly codec?: number;
  /** The column is marked as encrypted. */
  readonly isEncrypted?: true;
}

const repetitions = { required: 0, optional: 1, repeated: 2 } as const;

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) + 0x80);
  }
  return [...bytes, rest];
}

const zigzag = (value: number): readonly number[] => varint(value < 0 ? -value * 2 - 1 : value * 2);

/** Fields of a struct in the compact protocol, in ascending order. */
class Struct {
  readonly #bytes: number[] = [];
  #last = 0;

  #field(id: number, type: number, content: readonly number[]): this {
    this.#bytes.push(((id - this.#last) << 4) | type, ...content);
    this.#last = id;
    return this;
  }

  i32(id: number, value: number | undefined): this {
    return value === undefined ? this : this.#field(id, 5, zigzag(value));
  }

  i64(id: number, value: number): this {
    return this.#field(id, 6, zigzag(value));
  }

  text(id: number, value: string): this {
    const bytes = [...new TextEncoder().encode(value)];
    return this.#field(id, 8, [...varint(bytes.length), ...bytes]);
  }

  struct(id: number, bytes: readonly number[] | undefined): this {
    return bytes === undefined ? this : this.#field(id, 12, bytes);
  }

  structs(id: number, items: readonly (readonly number[])[]): this {
    return this.#field(id, 9, [...(items.length < 15 ? [(items.length << 4) | 12] : [0xfc, ...varint(items.length)]), ...items.flat()]);
  }

  end(): readonly number[] {
    return [...this.#bytes, 0];
  }
}

function elementBytes(element: Element): readonly number[] {
  return new Struct()
    .i32(1, element.physical)
    .i32(2, element.length)
    .i32(3, repetitions[element.repetition ?? "required"])
    .text(4, element.name)
    .i32(5, element.children?.length)
    .i32(6, element.converted)
    .i32(7, element.scale)
    .i32(8, element.precision)
    .struct(10, element.logical)
    .end();
}

function flattened(element: Element): readonly Element[] {
  return [element, ...(element.children ?? []).flatMap(flattened)];
}

/** One run per level, with the length before them. */
function levelBytes(levels: readonly number[] | undefined): readonly number[] {
  if (levels === undefined) {
    return [];
  }
  const runs = levels.flatMap((level) => [2, level]);
  return [runs.length & 0xff, (runs.length >> 8) & 0xff, (runs.length >> 16) & 0xff, 0, ...runs];
}

export function parquetFile(
  columns: readonly Element[],
  groups: readonly { readonly rows: number; readonly leaves: readonly WrittenLeaf[] }[],
): Uint8Array {
  const out: number[] = [0x50, 0x41, 0x52, 0x31];
  const leafElements = columns.flatMap(flattened).filter(({ children }) => children === undefined);
  const rowGroups = groups.map(({ rows, leaves }) => {
    const chunks = leaves.map(({ pages, codec = 0, isEncrypted }, index) => {
      const start = out.length;
      for (const page of pages) {
        const content = [...levelBytes(page.repetitions), ...levelBytes(page.definitions), ...page.values];
        const data = new Struct().i32(1, page.entries).i32(2, 0).i32(3, 3).i32(4, 3).end();
        out.push(...new Struct().i32(1, 0).i32(2, content.length).i32(3, content.length).struct(5, data).end(), ...content);
      }
      const entries = pages.reduce((sum, page) => sum + page.entries, 0);
      const metadata = new Struct()
        .i32(1, leafElements[index]?.physical)
        .i32(4, codec)
        .i64(5, entries)
        .i64(6, out.length - start)
        .i64(7, out.length - start)
        .i64(9, start)
        .end();
      const chunk = new Struct().i64(2, start).struct(3, metadata);
      return (isEncrypted === true ? chunk.struct(8, new Struct().struct(1, [0]).end()) : chunk).end();
    });
    return new Struct().structs(1, chunks).i64(2, 0).i64(3, rows).end();
  });
  const root: Element = { name: "root", children: columns };
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  const footer = new Struct()
    .i32(1, 1)
    .structs(2, [elementBytes(root), ...columns.flatMap(flattened).map(elementBytes)])
    .i64(3, rows)
    .structs(4, rowGroups)
    .end();
  out.push(...footer, footer.length & 0xff, (footer.length >> 8) & 0xff, (footer.length >> 16) & 0xff, 0, 0x50, 0x41, 0x52, 0x31);
  return new Uint8Array(out);
}

export const int32 = (...values: readonly number[]): readonly number[] =>
  values.flatMap((value) => [...new Uint8Array(new Int32Array([value]).buffer)]);
export const int64 = (...values: readonly bigint[]): readonly number[] =>
  values.flatMap((value) => [...new Uint8Array(new BigInt64Array([value]).buffer)]);
export const strings = (...values: readonly string[]): readonly number[] =>
  values.flatMap((value) => {
    const bytes = new TextEncoder().encode(value);
    return [...int32(bytes.length), ...bytes];
  });
