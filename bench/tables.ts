/** The tables of TPC-H that the benchmark loads, and rows of the tpch connector as CSV, for DuckDB. */
import { KernelRuntime } from "../src/codegen/runtime.ts";
import type { PageSource } from "../src/connectors/spi.ts";
import { tpchConnectorFactory } from "../src/connectors/tpch/tpch.ts";
import { createNodeMemory } from "../src/memory/allocator.ts";
import { readValue } from "../src/page/reader.ts";
import { realPorts } from "../src/server/ports/ports.ts";
import { formatDate } from "../src/functions/runtime/formats.ts";
import type { Type } from "../src/types/type.ts";

export interface BenchTable {
  readonly prefix: string;
  /** The columns that the queries read. */
  readonly columns: readonly string[];
}

/** What the benchmark loads into memory tables. */
export const benchTables: Readonly<Record<string, BenchTable>> = {
  region: { prefix: "r_", columns: ["regionkey", "name"] },
  nation: { prefix: "n_", columns: ["nationkey", "name", "regionkey"] },
  supplier: { prefix: "s_", columns: ["suppkey", "name", "address", "nationkey", "phone", "acctbal", "comment"] },
  customer: { prefix: "c_", columns: ["custkey", "name", "address", "nationkey", "phone", "acctbal", "mktsegment", "comment"] },
  part: { prefix: "p_", columns: ["partkey", "name", "mfgr", "brand", "type", "size", "container"] },
  partsupp: { prefix: "ps_", columns: ["partkey", "suppkey", "availqty", "supplycost"] },
  orders: {
    prefix: "o_",
    columns: ["orderkey", "custkey", "orderstatus", "totalprice", "orderdate", "orderpriority", "shippriority", "comment"],
  },
  lineitem: {
    prefix: "l_",
    columns:
      "orderkey partkey suppkey quantity extendedprice discount tax returnflag linestatus shipdate commitdate receiptdate shipinstruct shipmode".split(
        " ",
      ),
  },
};

export const moneyColumns: ReadonlySet<string> = new Set([
  "acctbal",
  "supplycost",
  "totalprice",
  "quantity",
  "extendedprice",
  "discount",
  "tax",
]);
/** DECIMAL rather than the connector's DOUBLE. */
export const moneyType = "DECIMAL(12, 2)";

/** Loads the tables at a scale from the catalog `tpch`, which has its default properties. `clause` stands before AS. */
export function createTableStatements(scale: string, tables = Object.keys(benchTables), clause = ""): readonly string[] {
  return tables.map((name) => {
    const { prefix, columns } = benchTables[name] as BenchTable;
    const selected = columns.map(
      (column) => `${moneyColumns.has(column) ? `CAST(${column} AS ${moneyType})` : column} AS ${prefix}${column}`,
    );
    return `CREATE TABLE ${name} ${clause} AS SELECT ${selected.join(", ")} FROM tpch."sf${scale}".${name}`;
  });
}

export interface CsvRequest {
  readonly scale: string;
  readonly table: string;
  /** All columns if absent. */
  readonly columns?: readonly string[];
  /** Properties of the tpch catalog; by default money columns are doubles. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Returns a promise if the reader must catch up first. */
  readonly write: (chunk: string) => Promise<unknown> | undefined;
}

function duckType(type: Type): string {
  return type.kind === "varchar" ? "VARCHAR" : type.kind.toUpperCase();
}

/** Returns the columns with DuckDB's types. */
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
    runtime: new KernelRuntime({ linear, backend: "wasm" }),
    callNode: () => Promise.reject(new Error("no other node")),
    readNode: () => Promise.reject(new Error("no other node")),
    workerNodes: () => [],
    incarnation: "1",
    incarnationOf: () => undefined,
    onNodesChange: () => () => undefined,
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
