/**
 * Reads tpch tables through the connector, and prints rows as dbgen does: `|` after every field.
 */
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import type { MemoryContext } from "../../../../src/memory/memory.ts";
import type { Column, Page } from "../../../../src/page/page.ts";
import type { ColumnMetadata, Connector, ConnectorContext, Json, Split, TableMetadata } from "../../../../src/connectors/spi.ts";
import { tpchConnectorFactory } from "../../../../src/connectors/tpch/tpch.ts";

export interface Opened {
  readonly connector: Connector;
  readonly memory: MemoryContext;
}

export function openTpch(properties: Readonly<Record<string, string>> = {}): Opened {
  const memory = createNodeMemory({ sizeBytes: 64 * 1024 * 1024 }).root;
  // The connector uses only the memory of its context.
  const context = { catalog: "tpch", nodeId: "n1", memory } as unknown as ConnectorContext;
  return { connector: tpchConnectorFactory.create(properties, context), memory };
}

export async function tableOf({ connector }: Opened, schema: string, table: string): Promise<TableMetadata> {
  const found = await connector.metadata.getTable({ schema, table });
  if (found === undefined) {
    throw new Error(`no table ${schema}.${table}`);
  }
  return found;
}

export async function splitsOf({ connector }: Opened, table: TableMetadata): Promise<readonly Split[]> {
  return [...(await connector.getSplits(table, table.columns))];
}

/** Its columns without the hidden one. */
export function shown({ columns }: TableMetadata): readonly ColumnMetadata[] {
  return columns.filter(({ hidden }) => hidden !== true);
}

/** Calls `visit` with each page of a split and closes the page source. */
export function readPages(
  { connector, memory }: Opened,
  request: { readonly table: TableMetadata; readonly split: Json; readonly columns?: readonly ColumnMetadata[] },
  visit: (page: Page) => void,
): void {
  const columns = request.columns ?? shown(request.table);
  const source = connector.createPageSource({ table: request.table.handle, split: request.split, columns, memory });
  while (!source.finished) {
    // A call may return no page after part of the work.
    const page = source.nextPage();
    if (page !== undefined) {
      visit(page);
    }
    if (source.blocked() !== undefined) {
      throw new Error("a generated split is never blocked");
    }
  }
  source.close();
}

/** Prints fields of pages into a byte buffer, which is flushed when it is nearly full. */
export class TablePrinter {
  readonly #memory: MemoryContext;
  readonly #take: (bytes: Uint8Array) => void;
  readonly #out = Buffer.alloc(1 << 20);
  readonly #dates = new Map<number, string>();
  #at = 0;
  rows = 0;

  constructor(memory: MemoryContext, take: (bytes: Uint8Array) => void) {
    this.#memory = memory;
    this.#take = take;
  }

  /** `integers`: quantities print as integers in dbgen's files. */
  page(page: Page, integers: readonly boolean[]): void {
    for (let row = 0; row < page.positionCount; row++) {
      if (this.#at > this.#out.length - 2048) {
        this.flush();
      }
      for (let i = 0; i < page.columns.length; i++) {
        this.#field(page.columns[i] as Column, row, integers[i] === true);
        this.#out[this.#at++] = 124;
      }
      this.#out[this.#at++] = 10;
      this.rows++;
    }
  }

  flush(): void {
    this.#take(this.#out.subarray(0, this.#at));
    this.#at = 0;
  }

  #field(column: Column, row: number, integer: boolean): void {
    const { linear } = this.#memory;
    const index = column.ids === 0 ? row : (linear.u32[column.ids / 4 + row] as number);
    switch (column.type.kind) {
      case "varchar": {
        const pair = column.values / 4 + 2 * index;
        const start = linear.u32[pair] as number;
        const length = linear.u32[pair + 1] as number;
        for (let i = 0; i < length; i++) {
          this.#out[this.#at + i] = linear.u8[start + i] as number;
        }
        this.#at += length;
        return;
      }
      case "bigint":
        return this.#text(String(linear.i64[column.values / 8 + index]));
      case "integer":
        return this.#text(String(linear.i32[column.values / 4 + index]));
      case "date":
        return this.#text(this.#date(linear.i32[column.values / 4 + index] as number));
      case "double": {
        const value = linear.f64[column.values / 8 + index] as number;
        return this.#text(integer ? String(value) : value.toFixed(2));
      }
      case "decimal": {
        const value = Number(linear.i64[column.values / 8 + index]) / 100;
        return this.#text(integer ? String(value) : value.toFixed(2));
      }
      default:
        throw new Error(column.type.kind);
    }
  }

  #date(days: number): string {
    let text = this.#dates.get(days);
    if (text === undefined) {
      text = new Date(days * 86_400_000).toISOString().slice(0, 10);
      this.#dates.set(days, text);
    }
    return text;
  }

  #text(text: string): void {
    this.#at += this.#out.write(text, this.#at, "latin1");
  }
}

export function integerColumns(columns: readonly ColumnMetadata[]): readonly boolean[] {
  return columns.map(({ name }) => name.endsWith("quantity"));
}

/** A split's rows as lines. */
export function linesOf(
  opened: Opened,
  request: { readonly table: TableMetadata; readonly split: Json; readonly columns?: readonly ColumnMetadata[] },
): readonly string[] {
  const parts: string[] = [];
  const printer = new TablePrinter(opened.memory, (bytes) => parts.push(Buffer.from(bytes).toString("latin1")));
  const integers = integerColumns(request.columns ?? shown(request.table));
  readPages(opened, request, (page) => printer.page(page, integers));
  printer.flush();
  return parts.join("").split("\n").slice(0, -1);
}
