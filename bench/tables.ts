/** Rows of the tpch connector as CSV, for the other side. */
import type { PageSource } from "../src/connectors/spi.ts";
import { tpchConnectorFactory } from "../src/connectors/tpch/tpch.ts";
import { createNodeMemory } from "../src/memory/allocator.ts";
import { readValue } from "../src/page/reader.ts";
import { realPorts } from "../src/server/ports/ports.ts";
import { formatDate } from "../src/functions/runtime/formats.ts";
import type { Type } from "../src/types/type.ts";

export interface CsvRequest {
  readonly scale: string;
  readonly table: string;
  /** All when absent. */
  readonly columns?: readonly string[];
  /** Of the tpch catalog; money is to stay a double. */
  readonly properties?: Readonly<Record<string, string>>;
  /** A promise when the other side must catch up first. */
  readonly write: (chunk: string) => Promise<unknown> | undefined;
}

function duckType(type: Type): string {
  return type.kind === "varchar" ? "VARCHAR" : type.kind.toUpperCase();
}

/** Gives the columns with DuckDB's types. */
export async function writeCsv(request: CsvRequest): Promise<readonly { readonly name: string; readonly type: string }[]> {
  const ports = realPorts({
    nodeId: "bench",
    network: { host: "127.0.0.1", port: 0, bodyBytesMax: 1, eventLoopDelayMsMax: 1000, processForwarded: false },
    logLevel: "error",
    spillFolder: undefined,
  });
  const { linear, root } = createNodeMemory({ sizeBytes: 256 * 1024 * 1024 });
  const connector = tpchConnectorFactory.create(request.properties ?? {}, {
    catalog: "tpch",
    nodeId: "bench",
    ports,
    memory: root,
    callNode: () => Promise.reject(new Error("no other node")),
    workerNodes: () => [],
  });
  const table = await connector.metadata.getTable({ schema: `sf${request.scale}`, table: request.table });
  if (table === undefined) {
    throw new Error(`no table ${request.table}`);
  }
  const columns = (request.columns ?? table.columns.flatMap(({ name, hidden }) => (hidden ? [] : [name]))).map((name) => {
    const column = table.columns.find((one) => one.name === name);
    if (column === undefined) {
      throw new Error(`no column ${name}`);
    }
    return column;
  });
  for (const split of await connector.getSplits(table, columns)) {
    const source: PageSource = connector.createPageSource({ table: table.handle, split: split.payload, columns, memory: root });
    while (!source.finished) {
      const page = source.nextPage();
      if (page === undefined) {
        await source.blocked();
        continue;
      }
      const lines: string[] = [];
      for (let position = 0; position < page.positionCount; position++) {
        lines.push(columns.map((column, index) => text(readValue(linear, page, index, position), column.type)).join(","));
      }
      await request.write(`${lines.join("\n")}\n`);
    }
    source.close();
  }
  connector.close?.();
  await ports.close();
  return columns.map(({ name, type }) => ({ name, type: duckType(type) }));
}

const decoder = new TextDecoder();

function text(value: unknown, type: Type): string {
  if (value instanceof Uint8Array) {
    return `"${decoder.decode(value).replaceAll('"', '""')}"`;
  }
  return type.kind === "date" ? formatDate(value as number) : String(value);
}
