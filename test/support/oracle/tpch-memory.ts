/**
 * The memory connector with TPC-H's tables as the benchmark makes them (CREATE TABLE AS over the tpch connector): the same columns and
 * types, no keys, and the statistics that the connector's own sink learns of the rows. The rows themselves are dropped once they are
 * counted.
 */
import { KernelRuntime } from "../../../src/codegen/runtime.ts";
import { type BenchTable, benchTables, moneyColumns } from "../../../bench/tables.ts";
import type { Connector, Json } from "../../../src/connectors/spi.ts";
import { memoryConnectorFactory } from "../../../src/connectors/memory/memory.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import type { MemoryContext } from "../../../src/memory/memory.ts";
import { tpchConnector } from "../planning.ts";
import { SeededRandom } from "../seeded-random.ts";

/** `scale` as in the tpch connector's schemas: `1`, `0.01`. The tables are in the schema `default`. */
export async function tpchMemoryConnector(scale: string): Promise<Connector> {
  const { root: memory, linear } = createNodeMemory({ sizeBytes: 256 * 1024 * 1024 });
  const target = memoryConnectorFactory.create(
    {},
    {
      catalog: "memory",
      nodeId: "test",
      ports: { random: new SeededRandom("tpch-memory") } as never,
      memory,
      runtime: new KernelRuntime({ linear, backend: "wasm" }),
      callNode: () => Promise.reject(new Error("no other node")),
      readNode: () => Promise.reject(new Error("no other node")),
      workerNodes: () => [],
      incarnation: "1",
      incarnationOf: () => undefined,
      onNodesChange: () => () => undefined,
    },
  );
  const source = tpchConnector();
  for (const [name, table] of Object.entries(benchTables)) {
    await copyTable({ source, target, schema: `sf${scale}`, name, table, memory });
  }
  source.close?.();
  return target;
}

interface Copy {
  readonly source: Connector;
  readonly target: Connector;
  readonly schema: string;
  readonly name: string;
  readonly table: BenchTable;
  /** Of both sides: the sink reads pages where the source puts them. */
  readonly memory: MemoryContext;
}

async function copyTable({ source, target, schema, name, table: { prefix, columns: names }, memory }: Copy): Promise<void> {
  const { metadata, createPageSink } = target;
  const table = await source.metadata.getTable({ schema, table: name });
  if (table === undefined || metadata.beginCreate === undefined || createPageSink === undefined) {
    throw new Error(`${name} cannot be copied`);
  }
  const columns = names.map((column) => {
    const found = table.columns.find((one) => one.name === prefix + column);
    if (found === undefined || (moneyColumns.has(column) && found.type.kind !== "decimal")) {
      throw new Error(`${name} has no such column ${prefix}${column}`);
    }
    return found;
  });
  const handle = await metadata.beginCreate(
    { schema: "default", table: name },
    columns.map((column) => ({ name: column.name, type: column.type })),
  );
  const fragments: Json[] = [];
  for (const [index, split] of [...(await source.getSplits(table, columns))].entries()) {
    const sink = createPageSink.call(target, { handle, columns, taskId: `${name}.${index}`, memory });
    const pages = source.createPageSource({ table: table.handle, split: split.payload, columns, memory });
    while (!pages.finished) {
      const page = pages.nextPage();
      if (page === undefined) {
        await pages.blocked();
      } else {
        sink.append(page);
      }
    }
    pages.close();
    fragments.push(await sink.finish());
    sink.abort();
  }
  await metadata.finishCreate?.(handle, fragments);
}
