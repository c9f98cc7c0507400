/**
 * Nodes with instances of one catalog that can call each other, without engine, network or time.
 */
import { type KernelBackend, KernelRuntime } from "../../../src/codegen/runtime.ts";
import type { Column, Page } from "../../../src/page/page.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { PageBuilder } from "../../../src/page/builder.ts";
import type { MemoryContext } from "../../../src/memory/memory.ts";
import type { PageValue } from "../../../src/page/reader.ts";
import { readRow } from "../../support/pages.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { QueryError } from "../../../src/protocol/errors.ts";
import type { Outbound } from "../../../src/ports/outbound.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import type { OwnedStorage, Storage } from "../../../src/ports/storage.ts";
import type { Frame } from "../../../src/page/frame.ts";
import type {
  CallAnswer,
  ColumnMetadata,
  Connector,
  ConnectorContext,
  ConnectorFactory,
  Constraint,
  Json,
  PageSource,
  Split,
  TableMetadata,
} from "../../../src/connectors/spi.ts";
import type { CatalogConnector } from "../../../src/connectors/shared/information-schema.ts";

export interface Instance {
  readonly nodeId: string;
  readonly connector: CatalogConnector;
  /** Memory of the node. */
  readonly memory: MemoryContext;
}

/** Time does not pass in this world: short delays are over after all that waits already; longer ones, of time-outs, never. */
const atOnce: Clock["timer"] = (_, delayMs, callback) => {
  if (delayMs <= 100) {
    setImmediate(callback);
  }
  return { cancel: () => undefined };
};

/** The end of a slice of work. */
function immediate(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

export interface WorldOptions {
  readonly factory: ConnectorFactory;
  readonly properties?: Readonly<Record<string, string>>;
  readonly memoryBytes?: number;
  /** Shared by all nodes, instead of one memory for each. */
  readonly memory?: MemoryContext;
  readonly folder?: (path: string) => Storage;
  readonly backend?: KernelBackend;
  readonly outbound?: Outbound;
  /** Nodes that were started before: their random bits are not drawn again. */
  readonly lives?: number;
}

export class World {
  readonly #options: WorldOptions;
  readonly #instances = new Map<string, Instance>();
  readonly #incarnations = new Map<string, string>();
  readonly #watchers = new Set<() => void>();
  #lives = 0;
  /** Nodes that do not answer calls. */
  readonly silent = new Set<string>();
  workers: readonly string[] = [];
  /** Delays the call of a node. The instance that existed when the call arrived executes it. */
  beforeAnswer: (nodeId: string) => Promise<void> = () => Promise.resolve();
  /** What the catalog of the node `c` keeps across restarts. */
  catalogStorage: OwnedStorage | undefined;
  /** Wall time for the next node that starts. */
  wallMillis = 1000;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#lives = options.lives ?? 0;
  }

  /** Slices of work that connectors have ended. */
  turns = 0;

  #turn(): Promise<void> {
    this.turns++;
    return immediate();
  }

  /** Starts or restarts a node. */
  start(nodeId: string): Instance {
    const memory =
      this.#options.memory?.child(nodeId) ?? createNodeMemory({ sizeBytes: this.#options.memoryBytes ?? 64 * 1024 * 1024 }).root;
    const incarnation = this.#lives++;
    const wallMillis = this.wallMillis++;
    const ports = {
      clock: { timer: atOnce, wallMillis: () => wallMillis, turn: () => this.#turn() },
      points: { fires: () => false },
      random: { stream: () => ({ nextText: (length: number) => String(incarnation).padStart(length, "x"), nextInt: () => 0 }) },
      log: { warn: () => {} },
      openFolder: this.#options.folder,
      outbound: this.#options.outbound,
    } as unknown as Ports;
    const context: ConnectorContext = {
      catalog: "cat",
      nodeId,
      ports,
      memory,
      runtime: new KernelRuntime({ linear: memory.linear, backend: this.#options.backend ?? "wasm" }),
      callNode: async (target, request) => (await this.#call(target, request)) as Json,
      readNode: async (target, request) => (await this.#call(target, request)) as Frame,
      workerNodes: () => this.workers,
      incarnation: String(incarnation),
      incarnationOf: (node) => (this.workers.includes(node) || node === nodeId ? this.#incarnations.get(node) : undefined),
      onNodesChange: (callback) => {
        this.#watchers.add(callback);
        return () => this.#watchers.delete(callback);
      },
      ...(nodeId === "c" && { catalogStorage: this.catalogStorage }),
    };
    const connector = this.#options.factory.create(this.#options.properties ?? {}, context);
    const instance = { nodeId, connector, memory };
    this.#instances.set(nodeId, instance);
    this.#incarnations.set(nodeId, String(incarnation));
    return instance;
  }

  /** The coordinator is told of the workers. */
  changeWorkers(workers: readonly string[]): void {
    this.workers = workers;
    for (const watcher of this.#watchers) {
      watcher();
    }
  }

  /** The process of a node dies. */
  stop(nodeId: string): void {
    this.silent.add(nodeId);
    this.#incarnations.delete(nodeId);
  }

  /** Resolves when it holds. */
  async quiet(holds: () => boolean): Promise<void> {
    do {
      await this.settled();
    } while (!holds());
    await this.settled();
  }

  /** Resolves when all calls in the background have been answered. */
  async settled(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  node(nodeId: string): Instance {
    const found = this.#instances.get(nodeId);
    if (found === undefined) {
      throw new Error(`no node ${nodeId}`);
    }
    return found;
  }

  async #call(nodeId: string, request: Json): Promise<CallAnswer> {
    if (this.silent.has(nodeId)) {
      throw new QueryError("REMOTE_HOST_GONE", `${nodeId} is silent`);
    }
    const { connector } = this.node(nodeId);
    await this.beforeAnswer(nodeId);
    // Calls travel as text.
    return (await connector.handleCall?.(JSON.parse(JSON.stringify(request)) as Json)) ?? null;
  }
}

export type Rows = readonly (readonly PageValue[])[];

export async function tableOf(connector: Connector, schema: string, table: string): Promise<TableMetadata> {
  const found = await connector.metadata.getTable({ schema, table });
  if (found === undefined) {
    throw new Error(`no table ${schema}.${table}`);
  }
  return JSON.parse(JSON.stringify(found)) as TableMetadata;
}

/** What a source that cannot be opened has allocated is of no more use. */
function opened(memory: MemoryContext, open: () => PageSource): PageSource {
  try {
    return open();
  } catch (error) {
    memory.close();
    throw error;
  }
}

/** Rows of a split; checks that no memory is left. */
export async function readSplit(
  instance: Instance,
  table: TableMetadata,
  split: Split,
  columns = table.columns,
  constraint?: Constraint,
): Promise<Rows> {
  const memory = instance.memory.child("scan");
  const source = opened(memory, () =>
    instance.connector.createPageSource({
      table: table.handle,
      split: JSON.parse(JSON.stringify(split.payload)) as Json,
      columns,
      memory,
      ...(constraint !== undefined && { constraint }),
    }),
  );
  const rows: PageValue[][] = [];
  try {
    while (!source.finished) {
      await source.blocked();
      const page = source.nextPage();
      // As a driver does between pages.
      await immediate();
      for (let position = 0; position < (page?.positionCount ?? 0); position++) {
        rows.push(readRow(memory.linear, page as Page, position));
      }
    }
  } finally {
    source.close();
    if (memory.reservedBytes !== 0) {
      // oxlint-disable-next-line no-unsafe-finally
      throw new Error(`the source leaves ${memory.reservedBytes}B`);
    }
    memory.close();
  }
  return rows;
}

/** All rows of a table; each split is read on a node that may read it. */
export async function readTable(
  world: World,
  coordinator: Instance,
  table: TableMetadata,
  columns = table.columns,
  constraint?: Constraint,
): Promise<Rows> {
  const rows: (readonly PageValue[])[] = [];
  for (const split of await coordinator.connector.getSplits(table, columns, constraint)) {
    const node = split.nodes === undefined ? coordinator : world.node(split.nodes[0] as string);
    for (const row of await readSplit(node, table, split, columns)) {
      rows.push(row);
    }
  }
  return rows;
}

/** Values in readRow's form. */
export function appendRows(builder: PageBuilder, columns: readonly ColumnMetadata[], rows: Rows): void {
  for (const row of rows) {
    row.forEach((value, column) => {
      if (value === null) {
        builder.appendNull(column);
      } else if (typeof value === "boolean") {
        builder.appendBoolean(column, value);
      } else if (typeof value === "bigint") {
        builder.appendBigint(column, value);
      } else if (value instanceof Uint8Array) {
        builder.appendBytes(column, value);
      } else if (columns[column]?.type.kind === "double" || columns[column]?.type.kind === "real") {
        builder.appendDouble(column, value);
      } else {
        builder.appendInt(column, value);
      }
    });
  }
}

export interface PagedRows {
  readonly columns: readonly ColumnMetadata[];
  readonly rows: Rows;
  readonly memory: MemoryContext;
  /** Rows per page. */
  readonly pageRows: number;
  /** Adds a selection to every page, and ids to its columns. */
  readonly indirect?: boolean;
}

export function* pagesOf({ columns, rows, memory, pageRows, indirect = false }: PagedRows): Generator<Page> {
  const context = memory.child("pages");
  for (let start = 0; start < rows.length; start += pageRows) {
    const builder = new PageBuilder(
      columns.map(({ type }) => type),
      context,
    );
    const some = rows.slice(start, start + pageRows);
    // Reversed twice: ids and selection restore the order.
    appendRows(builder, columns, indirect ? some.toReversed() : some);
    const page = builder.build();
    yield indirect ? behindIds(page, context) : page;
    builder.close();
  }
  context.close();
}

function behindIds(page: Page, context: MemoryContext): Page {
  const count = page.positionCount;
  const { u32 } = context.linear;
  const ids = context.allocate(count * 8);
  const selection = context.allocate(count * 4);
  for (let row = 0; row < count; row++) {
    u32[ids / 4 + row * 2] = 0;
    u32[ids / 4 + row * 2 + 1] = count - 1 - row;
    u32[selection / 4 + row] = row * 2 + 1;
  }
  return { positionCount: count, selection, columns: page.columns.map((column): Column => ({ ...column, ids })) };
}

/** Writes with several tasks, one on each given node. Returns the handle before the write is finished. */
export async function writeTasks(
  handle: Json,
  tasks: readonly { readonly node: Instance; readonly pages: Iterable<Page>; readonly columns: readonly ColumnMetadata[] }[],
): Promise<readonly Json[]> {
  const fragments: Json[] = [];
  for (const [index, { node, pages, columns }] of tasks.entries()) {
    const memory = node.memory.child("sink");
    const request = { handle: JSON.parse(JSON.stringify(handle)) as Json, columns, taskId: `q.1.${index}`, memory };
    const sink = node.connector.createPageSink?.(request);
    if (sink === undefined) {
      throw new Error("no sink");
    }
    try {
      for (const page of pages) {
        sink.append(page);
      }
      fragments.push(JSON.parse(JSON.stringify(await sink.finish())) as Json);
    } catch (error) {
      sink.abort();
      throw error;
    } finally {
      memory.close();
    }
  }
  return fragments;
}
