/**
 * Reads tpcds tables through the connector, and prints rows as dsdgen does: `|` after every field, nothing for NULL.
 */
import { createHash } from "node:crypto";
import type { Connector, ConnectorContext, TableMetadata } from "../../../../src/connectors/spi.ts";
import { tpcdsConnectorFactory } from "../../../../src/connectors/tpcds/tpcds.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import type { MemoryContext } from "../../../../src/memory/memory.ts";
import type { Page } from "../../../../src/page/page.ts";
import { readValue } from "../../../../src/page/reader.ts";
import type { Type } from "../../../../src/types/type.ts";

export interface Opened {
  readonly connector: Connector;
  readonly memory: MemoryContext;
}

export function openTpcds(properties: Readonly<Record<string, string>> = {}): Opened {
  const memory = createNodeMemory({ sizeBytes: 64 * 1024 * 1024 }).root;
  // The connector uses only the memory of its context.
  const context = { catalog: "tpcds", nodeId: "n1", memory } as unknown as ConnectorContext;
  return { connector: tpcdsConnectorFactory.create(properties, context), memory };
}

export async function tableOf({ connector }: Opened, schema: string, table: string): Promise<TableMetadata> {
  const found = await connector.metadata.getTable({ schema, table });
  if (found === undefined) {
    throw new Error(`no table ${schema}.${table}`);
  }
  return found;
}

export interface Units {
  readonly first: number;
  readonly count: number;
}

/** Calls `visit` with each page of a range of units. */
export function readPages(
  { connector, memory }: Opened,
  request: { readonly table: TableMetadata; readonly units: Units; readonly columns?: readonly string[] },
  visit: (page: Page) => void,
): void {
  const { table, columns: names } = request;
  const columns = table.columns.filter(({ name }) => names === undefined || names.includes(name));
  const source = connector.createPageSource({ table: table.handle, split: { ...request.units }, columns, memory });
  while (!source.finished) {
    const page = source.nextPage();
    if (page !== undefined) {
      visit(page);
    }
  }
  source.close();
}

const utf8 = new TextDecoder();

function printed(value: ReturnType<typeof readValue>, type: Type, isWhole: boolean): string {
  if (value === null) {
    return "";
  }
  if (value instanceof Uint8Array) {
    return utf8.decode(value);
  }
  if (type.kind === "date") {
    return new Date(Number(value) * 86_400_000).toISOString().slice(0, 10);
  }
  if (type.kind === "decimal") {
    const hundredths = Number(value);
    return isWhole ? String(hundredths / 100) : (hundredths / 100).toFixed(2);
  }
  return String(value);
}

/** Prints lines as dsdgen does. */
export function printRows(opened: Opened, request: Parameters<typeof readPages>[1], take: (text: string) => void): number {
  const columns = request.table.columns.filter(({ name }) => request.columns?.includes(name) ?? true);
  let rows = 0;
  readPages(opened, request, (page) => {
    let text = "";
    for (let row = 0; row < page.positionCount; row++) {
      columns.forEach(({ name, type }, index) => {
        text += `${printed(readValue(opened.memory.linear, page, index, row), type, name.endsWith("gmt_offset"))}|`;
      });
      text += "\n";
    }
    rows += page.positionCount;
    take(text);
  });
  return rows;
}

/** MD5 of the lines in ISO 8859-1, dsdgen's encoding. */
export function md5Of(opened: Opened, request: Parameters<typeof readPages>[1]): string {
  const hash = createHash("md5");
  printRows(opened, request, (text) => hash.update(Buffer.from(text, "latin1")));
  return hash.digest("hex");
}
