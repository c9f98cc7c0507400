/** Rows of a file without those that the metadata of its table delete. */
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import { type Page, pageRowsMax } from "../../../page/page.ts";
import { readValue } from "../../../page/reader.ts";
import type { NestedValue } from "../../../types/nested/nested.ts";
import { crc32 } from "../../../types/crc32.ts";
import type { Type } from "../../../types/type.ts";
import type { ColumnMetadata, PageSource } from "../../spi.ts";
import { BadData, badFile, reading } from "../../shared/file-errors.ts";
import { decodeBase85, decodeVector, vectorInFile } from "./delta/deletion-vector.ts";
import type { Deletes, LakeField } from "./lake-table.ts";
import { mappedFooter } from "./mapping.ts";
import { type LakeReader, storedRows, storedValue } from "./rows.ts";

/** Bytes that a deleted row takes, about. */
const entryBytes = 16;

interface DeletedValues {
  readonly fields: readonly LakeField[];
  /** Texts of the values of each deleted row. */
  readonly keys: ReadonlySet<string>;
}

interface Deleted {
  /** From 0, ascending. */
  readonly positions: Float64Array;
  readonly values: readonly DeletedValues[];
}

async function readDeleted(reader: LakeReader, deletes: readonly Deletes[]): Promise<Deleted> {
  const found: Float64Array[] = [];
  const values: DeletedValues[] = [];
  for (const one of deletes) {
    if (one.kind === "values") {
      values.push(await readValues(reader, one));
    } else {
      found.push(await readPositions(reader, one));
    }
  }
  reader.memory.reserve(found.reduce((sum, positions) => sum + positions.byteLength, 0));
  const [only] = found;
  if (found.length <= 1) {
    return { positions: only ?? new Float64Array(0), values };
  }
  const all = new Float64Array(found.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const positions of found) {
    all.set(positions, at);
    at += positions.length;
  }
  return { positions: all.sort(), values };
}

async function readPositions(reader: LakeReader, one: Exclude<Deletes, { kind: "values" }>): Promise<Float64Array> {
  const { storage, memory } = reader;
  switch (one.kind) {
    case "inline":
      return within(one.path, () => decodeVector(decodeBase85(one.text)));
    case "vector": {
      const { path, offset, sizeBytes } = one;
      const bytes = await reading(path, storage.read(path, offset, sizeBytes + 8));
      return within(path, () => vectorInFile(bytes, sizeBytes, crc32));
    }
    case "positions": {
      const { columns, pages } = await storedRows(reader, one, (footer) => ({
        ...footer,
        columns: footer.columns.filter(({ name }) => name === "file_path" || name === "pos"),
      }));
      const [pathAt, positionAt] = ["file_path", "pos"].map((name) => columns.findIndex((column) => column.name === name)) as [
        number,
        number,
      ];
      const positions: number[] = [];
      for await (const page of pages) {
        const before = positions.length;
        for (const row of page) {
          if (row[pathAt] === one.dataPath) {
            positions.push(Number(row[positionAt]));
          }
        }
        memory.reserve((positions.length - before) * entryBytes);
      }
      return Float64Array.from(positions).sort();
    }
  }
}

async function readValues(reader: LakeReader, { fields, ...file }: Extract<Deletes, { kind: "values" }>): Promise<DeletedValues> {
  const { columns, pages } = await storedRows(reader, file, (footer) => mappedFooter(footer, fields));
  const order = fields.map(({ name }) => {
    const index = columns.findIndex((column) => column.name === name);
    if (index < 0) {
      throw badFile(file.path, `column ${name}`, "the column of deleted values is missing");
    }
    return index;
  });
  const keys = new Set<string>();
  for await (const page of pages) {
    let addedBytes = 0;
    for (const row of page) {
      const key = keyOf(order.map((index) => row[index] ?? null));
      addedBytes += keys.has(key) ? 0 : entryBytes + key.length * 2;
      keys.add(key);
    }
    reader.memory.reserve(addedBytes);
  }
  return { fields, keys };
}

function keyOf(values: readonly (NestedValue | undefined)[]): string {
  return JSON.stringify(
    values.map((value) => {
      switch (typeof value) {
        case "bigint":
          return `${value}`;
        case "number":
          return Object.is(value, -0) ? "-0" : String(value);
        default:
          return value instanceof Uint8Array ? Array.from(value) : (value ?? null);
      }
    }),
  );
}

function within<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof BadData ? badFile(path, "", error.message) : error;
  }
}

export interface WithoutDeletedOptions {
  readonly reader: LakeReader;
  readonly deletes: readonly Deletes[];
  /** Opens the file; its columns are those of the request, then those of deleted values. */
  readonly open: () => PageSource;
  /** Columns of the pages of `open`. */
  readonly opened: readonly ColumnMetadata[];
  /** Columns of the request, which come first in `opened`. */
  readonly columnCount: number;
  /** Number of the first row of the split, from 1. */
  readonly firstRow: number;
}

/** Columns that must be read to know which rows are deleted, besides those of the request. */
export function columnsOfDeletes(deletes: readonly Deletes[], columns: readonly ColumnMetadata[]): readonly ColumnMetadata[] {
  const missing = new Map<string, ColumnMetadata>();
  for (const one of deletes) {
    for (const { name, type } of one.kind === "values" ? one.fields : []) {
      if (!columns.some((column) => column.name === name)) {
        missing.set(name, { name, type });
      }
    }
  }
  return [...missing.values()];
}

/** Pages with a selection of the rows that are not deleted. */
export class WithoutDeleted implements PageSource {
  readonly #options: WithoutDeletedOptions;
  readonly #memory: MemoryContext;
  #deleted: Deleted | undefined;
  #source: PageSource | undefined;
  #waiting: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #row: number;
  /** Index in the positions of the first that is not before the next page. */
  #next = 0;
  #selection: Address = 0;
  #closed = false;

  constructor(options: WithoutDeletedOptions) {
    this.#options = options;
    this.#memory = options.reader.memory;
    this.#row = options.firstRow - 1;
    this.#waiting = this.#load().then(
      () => {
        this.#waiting = undefined;
      },
      (error: unknown) => {
        this.#failure = { error };
        this.#waiting = undefined;
      },
    );
  }

  get finished(): boolean {
    return this.#closed || (this.#source?.finished === true && this.#failure === undefined);
  }

  get completedBytes(): number {
    return this.#source?.completedBytes ?? 0;
  }

  blocked(): Promise<void> | undefined {
    return this.#closed ? undefined : (this.#waiting ?? this.#source?.blocked());
  }

  nextPage(): Page | undefined {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    const page = this.#waiting === undefined && !this.#closed ? this.#source?.nextPage() : undefined;
    return page === undefined ? undefined : this.#without(page);
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#source?.close();
      this.#memory.close();
    }
  }

  async #load(): Promise<void> {
    const deleted = await readDeleted(this.#options.reader, this.#options.deletes);
    if (!this.#closed) {
      this.#deleted = deleted;
      this.#next = firstAtLeast(deleted.positions, this.#row);
      this.#source = this.#options.open();
    }
  }

  #without(page: Page): Page {
    const { positions, values } = this.#deleted as Deleted;
    const { u32 } = this.#memory.linear;
    if (this.#selection === 0) {
      this.#selection = this.#memory.allocate(pageRowsMax * 4);
    }
    const isDeleted = values.map((one) => this.#tester(page, one));
    let kept = 0;
    for (let position = 0; position < page.positionCount; position++) {
      const row = this.#row + position;
      while ((positions[this.#next] ?? Number.POSITIVE_INFINITY) < row) {
        this.#next++;
      }
      if (positions[this.#next] !== row && !isDeleted.some((test) => test(position))) {
        u32[(this.#selection >>> 2) + kept++] = position;
      }
    }
    this.#row += page.positionCount;
    const columns = page.columns.slice(0, this.#options.columnCount);
    return { positionCount: kept, selection: kept === page.positionCount ? 0 : this.#selection, columns };
  }

  #tester(page: Page, { fields, keys }: DeletedValues): (position: number) => boolean {
    const indexes = fields.map(({ name }) => this.#options.opened.findIndex((column) => column.name === name));
    const types = indexes.map((index) => (this.#options.opened[index] as ColumnMetadata).type);
    return (position) =>
      keys.has(keyOf(indexes.map((index, at) => storedValue(types[at] as Type, readValue(this.#memory.linear, page, index, position)))));
  }
}

function firstAtLeast(positions: Float64Array, row: number): number {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] as number) < row) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
