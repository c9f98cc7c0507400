/**
 * Columns of type json of a table whose files hold texts, such as Parquet's logical type JSON: each text must be a JSON document, and the
 * values are its canonical text, as `json_parse` gives.
 */
import { Arena } from "../../memory/arena.ts";
import type { Address, MemoryContext } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import { JSON_TYPE, VARCHAR } from "../../types/type.ts";
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.ts";
import { ChangedPages } from "../shared/changed-pages.ts";
import { documentText } from "../shared/documents.ts";
import { badFile } from "../shared/file-errors.ts";
import type { ColumnMetadata, PageSource } from "../spi.ts";

const shownCharacters = 100;
/** Of an address and a length. */
const referenceWords = 2;

/** As the files hold them. */
export function withTexts(columns: readonly ColumnMetadata[]): readonly ColumnMetadata[] {
  return columns.map((column) => (column.type.kind === "json" ? { ...column, type: VARCHAR } : column));
}

export function hasJson(columns: readonly ColumnMetadata[]): boolean {
  return columns.some(({ type }) => type.kind === "json");
}

export class JsonColumns extends ChangedPages {
  readonly #columns: readonly ColumnMetadata[];
  readonly #path: string;
  readonly #arena: Arena;

  /** `source` gives the columns as texts. */
  constructor(options: {
    readonly source: PageSource;
    readonly columns: readonly ColumnMetadata[];
    readonly path: string;
    readonly memory: MemoryContext;
  }) {
    super(options);
    this.#columns = options.columns;
    this.#path = options.path;
    this.#arena = new Arena(options.memory);
  }

  protected changed(page: Page): Page {
    this.#arena.reset();
    const columns = page.columns.map((column, index) => {
      const { name, type } = this.#columns[index] as ColumnMetadata;
      return type.kind === "json" ? this.#documents(name, column) : column;
    });
    return { ...page, columns };
  }

  /** Entries of a dictionary are converted once for each page. One without an address belongs to NULL. */
  #documents(name: string, column: Column): Column {
    const { length, nulls } = column;
    const values = this.#arena.allocate(Math.max(1, length * referenceWords * 4));
    const { u8, u32 } = this.memory.linear;
    for (let index = 0; index < length; index++) {
      const from = (column.values >>> 2) + index * referenceWords;
      const isNull = u32[from] === 0 || (nulls !== 0 && u8[nulls + index] === 1);
      this.#set((values >>> 2) + index * referenceWords, {
        name,
        address: isNull ? 0 : (u32[from] as number),
        length: isNull ? 0 : (u32[from + 1] as number),
      });
    }
    return { ...column, type: JSON_TYPE, values };
  }

  #set(word: number, text: { readonly name: string; readonly address: Address; readonly length: number }): void {
    const { linear } = this.memory;
    let { address, length } = text;
    if (address !== 0) {
      const stored = decodeUtf8(linear.u8, address, address + length);
      const document = documentText(stored);
      if (document === undefined) {
        throw badFile(this.#path, `column ${text.name}`, `'${stored.slice(0, shownCharacters)}' is no json`);
      }
      if (document !== stored) {
        const bytes = encodeUtf8(document);
        address = this.#arena.allocate(Math.max(1, bytes.length));
        length = bytes.length;
        linear.u8.set(bytes, address);
      }
    }
    linear.u32[word] = address;
    linear.u32[word + 1] = length;
  }
}
