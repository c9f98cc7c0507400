/**
 * What a file says of itself: the footer of a Parquet or Arrow file, the sample of a text file. It is kept until the version of the file
 * changes.
 */
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { Lifetime } from "../../ports/lifetime.ts";
import type { Storage } from "../../ports/storage.ts";
import type { ColumnMetadata } from "../spi.ts";
import { type ArrowFile, readArrowFile } from "./arrow/arrow-file.ts";
import { arrowColumns } from "./arrow/arrow-table.ts";
import type { TableFile } from "./folder.ts";
import { type ParquetFooter, readFooter } from "./parquet/footer.ts";
import { parquetColumns } from "./parquet/parquet-table.ts";
import type { Turns } from "../shared/slices.ts";
import { pinned, storageUntil } from "../shared/object-store/pinned.ts";
import type { TextOptions } from "./text/dialect.ts";
import { describeTextFile, type TextDescription } from "./text/sample.ts";
import { textSplitStarts } from "./text/table.ts";

/** Minimum sample of each file of a table, in bytes, however many files there are. */
const sampleBytesMin = 65_536;
const knownFilesMax = 1000;

export interface FilesOptions {
  readonly splitBytes: number;
  readonly sampleBytes: number;
}

export type Described =
  | { readonly file: TableFile; readonly text: TextDescription }
  | { readonly file: TableFile; readonly footer: ParquetFooter }
  | { readonly file: TableFile; readonly arrow: ArrowFile };

/** Columns of a file that has types; none for one of text. */
export function typedColumns(one: Described): readonly ColumnMetadata[] {
  return "text" in one ? [] : "arrow" in one ? arrowColumns(one.arrow) : parquetColumns(one.footer);
}

/** Cache by path. Another version is another file. Evicts the oldest entry. */
class KnownFiles<T> {
  readonly #known = new Map<string, { readonly version: string; readonly value: T }>();

  async get(file: TableFile, variant: string, find: () => Promise<T>): Promise<T> {
    const key = JSON.stringify([file.path, variant]);
    const version = `${file.version}/${file.sizeBytes}`;
    const known = this.#known.get(key);
    if (known?.version === version) {
      return known.value;
    }
    const value = await find();
    this.#known.delete(key);
    this.#known.set(key, { version, value });
    const [oldest] = this.#known.keys();
    if (this.#known.size > knownFilesMax && oldest !== undefined) {
      this.#known.delete(oldest);
    }
    return value;
  }
}

class Known {
  readonly texts = new KnownFiles<TextDescription>();
  readonly footers = new KnownFiles<ParquetFooter>();
  readonly arrows = new KnownFiles<ArrowFile>();
  readonly splitStarts = new KnownFiles<readonly number[]>();
}

interface DescriptionReader {
  readonly memory: MemoryContext;
  readonly runtime: KernelRuntime;
  readonly clock: Turns;
}

export class Descriptions {
  readonly #storage: Storage;
  readonly #options: FilesOptions;
  readonly #reader: DescriptionReader;
  readonly #known: Known;

  constructor(storage: Storage, options: FilesOptions, reader: DescriptionReader, known: Known = new Known()) {
    this.#storage = storage;
    this.#options = options;
    this.#reader = reader;
    this.#known = known;
  }

  /** The same descriptions. Reading a file for one ends with the lifetime. */
  until(life: Lifetime): Descriptions {
    return new Descriptions(storageUntil(this.#storage, life), this.#options, this.#reader, this.#known);
  }

  /** `count` is the number of files of the table, which share the sample. */
  async describe(file: TableFile, count: number, text: TextOptions): Promise<Described> {
    const { memory, clock } = this.#reader;
    const known = this.#known;
    if (file.format === "parquet") {
      return { file, footer: await known.footers.get(file, "footer", () => readFooter(pinned(this.#storage, file), file, clock)) };
    }
    if (file.format === "arrow") {
      return { file, arrow: await known.arrows.get(file, "arrow", () => readArrowFile(pinned(this.#storage, file), file)) };
    }
    const sampleBytes = Math.max(sampleBytesMin, Math.floor(this.#options.sampleBytes / count));
    const find = () => describeTextFile(pinned(this.#storage, file), file, { sampleBytes, memory, text, clock });
    return { file, text: await known.texts.get(file, JSON.stringify([file.format, sampleBytes, text]), find) };
  }

  splitStarts(file: TableFile, description: TextDescription): Promise<readonly number[]> {
    const { splitBytes } = this.#options;
    const { memory, runtime } = this.#reader;
    const { dialect, dataStart } = description;
    return this.#known.splitStarts.get(file, JSON.stringify([file.format, dialect, dataStart]), () =>
      textSplitStarts(pinned(this.#storage, file), file, { description, splitBytes, memory, runtime }),
    );
  }
}
