/**
 * The kernels of text files as functions over linear memory. Each is built when it is first used.
 */
import type { CompiledKernel, Kernel, KernelValue } from "../../../../codegen/ir.ts";
import type { KernelRuntime } from "../../../../codegen/runtime.ts";
import type { Address } from "../../../../memory/memory.ts";
import type { CsvDialect } from "../csv.ts";
import { csvRecordsKernel } from "./csv-records.ts";
import { jsonRecordsKernel } from "./json-records.ts";
import { oddQuotesKernel } from "./quotes.ts";
import { anyKernel, nullTextsKernel, textsKernel, type ValuesKernel } from "./values.ts";

interface Bytes {
  readonly start: Address;
  readonly end: Address;
}

interface CellPlaces {
  readonly cells: Address;
  readonly kinds: Address;
}

/** They belong to a task: a node may replace its memory between two tasks, and its kernels with it. */
export class TextKernels {
  readonly #runtime: KernelRuntime;
  /** A look-up in the runtime costs more than a kernel does for a few cells. */
  readonly #loaded = new Map<string, CompiledKernel>();

  constructor(runtime: KernelRuntime) {
    this.#runtime = runtime;
  }

  /** Number of records whose cells were found; see csv-records.ts. */
  csvRecords(
    { start, end }: Bytes,
    records: { readonly rowsMax: number; readonly fields: Address; readonly fieldCount: number; readonly ends: Address },
    { delimiter, quote }: CsvDialect,
  ): number {
    const { rowsMax, fields, fieldCount, ends } = records;
    return this.#number("csv records", csvRecordsKernel, start, end, rowsMax, fields, fieldCount, ends, delimiter, quote);
  }

  /** Number of records whose cells were found; see json-records.ts. */
  jsonRecords(
    { start, end }: Bytes,
    records: {
      readonly rowsMax: number;
      readonly keys: Address;
      readonly keysEnd: Address;
      readonly kinds: Address;
      readonly kindsBytes: number;
      readonly ends: Address;
    },
  ): number {
    const { rowsMax, keys, keysEnd, kinds, kindsBytes, ends } = records;
    return this.#number("json records", jsonRecordsKernel, start, end, rowsMax, keys, keysEnd, kinds, kindsBytes, ends);
  }

  /** The first row from `from` on that was not read; `to` if there is none. */
  readValues(
    { name, build, parameter }: ValuesKernel,
    { cells, kinds }: CellPlaces,
    rows: { readonly from: number; readonly to: number; readonly values: Address; readonly nulls: Address; readonly constants: Address },
  ): number {
    const { from, to, values, nulls, constants } = rows;
    return this.#number(name, build, cells, kinds, values, nulls, from, to, constants, parameter);
  }

  /** Sets the nulls of texts. Returns whether one has escapes. */
  finishTexts({ cells, kinds }: CellPlaces, nulls: Address, rows: number): boolean {
    return this.#number("texts", textsKernel, cells, kinds, nulls, rows) === 1;
  }

  /** Makes cells without quotes NULL if they hold the text. */
  markNullTexts({ cells, kinds }: CellPlaces, rows: number, text: { readonly start: Address; readonly length: number }): void {
    this.#run("null texts", nullTextsKernel, cells, kinds, rows, text.start, text.length);
  }

  /** Whether one of the bytes is not 0. */
  hasAny(at: Address, count: number): boolean {
    return this.#number("any", anyKernel, at, count) === 1;
  }

  /** Whether the number of quotes is odd; see quotes.ts. */
  hasOddQuotes({ start, end }: Bytes, quote: number): boolean {
    return this.#number("odd quotes", oddQuotesKernel, start, end, quote) === 1;
  }

  #number(name: string, build: () => Kernel, ...args: readonly number[]): number {
    return this.#run(name, build, ...args) as number;
  }

  #run(name: string, build: () => Kernel, ...args: readonly number[]): KernelValue | undefined {
    let kernel = this.#loaded.get(name);
    if (kernel === undefined) {
      kernel = this.#runtime.load(`text ${name}`, build);
      this.#loaded.set(name, kernel);
    }
    return kernel(...args);
  }
}
