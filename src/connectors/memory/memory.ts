/**
 * The memory connector: tables whose rows the workers keep in linear memory, in columns, until the table is dropped or the node ends. The
 * coordinator's instance holds the catalog (catalog.ts), a worker's instance holds parts of tables (part-store.ts). Every instance can do
 * both.
 *
 * Property: `memory.max-data-per-node` (a data size; by default the node's memory is the limit).
 */
import { type MemoryContext, MemoryLimitExceeded } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";
import { base32 } from "../../ports/random.ts";
import { QueryError } from "../../protocol/errors.ts";
import type {
  CallAnswer,
  ConnectorContext,
  ConnectorFactory,
  Json,
  PageSink,
  PageSinkRequest,
  PageSource,
  PageSourceRequest,
} from "../spi.ts";
import type { Split, TableMetadata } from "../spi.ts";
import type { CatalogConnector } from "../shared/information-schema.ts";
import { dataSizeProperty } from "../shared/properties.ts";
import { MemoryCatalog } from "./catalog.ts";
import { MemoryPageSource } from "./page-source.ts";
import { isPageCall, pageOfPart, readPageCall, RemotePartSource } from "./part-reader.ts";
import { type Owner, type Part, PartStore, readLiveWrites } from "./part-store.ts";
import { PartWriter } from "./part-writer.ts";
import { type PartFragment, type PartSplit, storedName, type TableHandle, type WriteHandle } from "./table.ts";

/** Request for the incarnation of an instance on another node. */
const whoQuestion = "incarnation";
const limitProperty = "memory.max-data-per-node";

class MemoryConnector implements CatalogConnector {
  readonly metadata: MemoryCatalog;
  readonly #context: ConnectorContext;
  readonly #memory: MemoryContext;
  readonly #store: PartStore;
  /** Incarnation of this instance. */
  readonly #incarnation: string;
  #nextPart = 1;

  constructor(context: ConnectorContext, limitBytes: number | undefined) {
    this.#context = context;
    this.#memory = context.memory.child("memory connector", limitBytes);
    this.#incarnation = context.ports.random.stream(`memory-catalog-${context.catalog}`).nextText(16, base32);
    const owner: Owner = { incarnation: this.#incarnation, nodeId: context.nodeId };
    this.#store = new PartStore(async (nodeId) => {
      const answer = await context.callNode(nodeId, whoQuestion);
      if (typeof answer !== "string") {
        throw new QueryError("GENERIC_INTERNAL_ERROR", `Node ${nodeId} does not say which life of catalog ${context.catalog} it has`);
      }
      return answer;
    });
    this.metadata = new MemoryCatalog({ context, owner, keepOnly: (live) => this.#store.keepOnly(live) });
  }

  async getSplits(table: TableMetadata): Promise<readonly Split[]> {
    return this.metadata.splits(table);
  }

  createPageSource(request: PageSourceRequest): PageSource {
    const split = request.split as unknown as PartSplit;
    const { columns, memory } = request;
    const { absent = {}, stored, ...name } = request.table as unknown as TableHandle;
    const table = `${name.schema}.${name.table}`;
    const storedNames = columns.map((column) => storedName(stored, column.name));
    if (split.nodeId !== this.#context.nodeId) {
      const { readNode, ports } = this.#context;
      return new RemotePartSource({ split, table, columns, storedNames, absent, memory, clock: ports.clock, readNode });
    }
    const part = this.#partOf(split, table);
    return new MemoryPageSource({ part, columns, storedNames, absent, firstChunk: split.firstChunk, chunkCount: split.chunkCount, memory });
  }

  /** Throws TABLE_DATA_LOST. */
  #partOf({ incarnation, part: id }: Pick<PartSplit, "incarnation" | "part">, table: string): Part {
    const part = incarnation === this.#incarnation ? this.#store.get(id) : undefined;
    if (part === undefined) {
      const { catalog, nodeId } = this.#context;
      const reason = incarnation === this.#incarnation ? "was told to forget it" : "restarted";
      throw new QueryError("TABLE_DATA_LOST", `Table '${catalog}.${table}' lost data: worker ${nodeId} ${reason}`);
    }
    return part;
  }

  createPageSink(request: PageSinkRequest): PageSink {
    const handle = request.handle as unknown as WriteHandle;
    this.#meet(handle.owner);
    const part = `${request.taskId}#${this.#nextPart++}`;
    return new MemoryPageSink({
      part,
      request,
      handle,
      store: this.#store,
      memory: this.#memory.child(part),
      nodeId: this.#context.nodeId,
      incarnation: this.#incarnation,
    });
  }

  async handleCall(request: Json): Promise<CallAnswer> {
    if (request === whoQuestion) {
      return this.#incarnation;
    }
    if (isPageCall(request)) {
      const call = readPageCall(request);
      const part = this.#partOf({ incarnation: call.incarnation, part: call.read }, call.table);
      return pageOfPart(part, call, this.#memory.linear, this.#memory.knobs.value("page-rows"));
    }
    const live = readLiveWrites(request);
    this.#store.keepOnly(live);
    this.#meet(live.owner);
    return null;
  }

  /** If the coordinator does not answer with its incarnation, it is asked again on the next contact. */
  #meet(owner: Owner): void {
    this.#store.meet(owner).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : "unknown failure";
      this.#context.ports.log.warn("memory-owner-unknown", { catalog: this.#context.catalog, nodeId: owner.nodeId, reason });
    });
  }

  close(): void {
    this.#memory.close();
  }
}

interface SinkOptions {
  readonly part: string;
  readonly request: PageSinkRequest;
  readonly handle: WriteHandle;
  readonly store: PartStore;
  readonly memory: MemoryContext;
  readonly nodeId: string;
  readonly incarnation: string;
}

class MemoryPageSink implements PageSink {
  readonly #options: SinkOptions;
  readonly #writer: PartWriter;
  #stored = false;

  constructor(options: SinkOptions) {
    this.#options = options;
    this.#writer = new PartWriter(
      options.request.columns.map(({ type }) => type),
      options.memory,
    );
  }

  append(page: Page): void {
    this.#withinLimit(() => this.#writer.append(page));
  }

  blocked(): undefined {
    return undefined;
  }

  async finish(): Promise<Json> {
    const { part, request, handle, store, memory, nodeId, incarnation } = this.#options;
    this.#withinLimit(() => this.#writer.finish());
    const { rows, chunks } = this.#writer;
    const fragment: PartFragment = { nodeId, incarnation, part, rows, bytes: memory.reservedBytes, sketches: this.#writer.sketches() };
    if (rows === 0) {
      memory.close();
    } else {
      this.#stored = true;
      const columnNames = request.columns.map(({ name }) => storedName(handle.stored, name));
      store.add({ id: part, owner: handle.owner, write: handle.write, columnNames, chunks, memory });
    }
    return fragment as unknown as Json;
  }

  abort(): void {
    if (this.#stored) {
      this.#options.store.drop(this.#options.part);
    } else {
      this.#options.memory.close();
    }
  }

  #withinLimit(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof MemoryLimitExceeded) {
        throw new QueryError("EXCEEDED_LOCAL_MEMORY_LIMIT", `Memory limit [${error.limitBytes}] for memory connector exceeded`);
      }
      throw error;
    }
  }
}

export const memoryConnectorFactory: ConnectorFactory = {
  name: "memory",
  properties: [limitProperty],
  create: (properties, context) => {
    const limitBytes = dataSizeProperty(properties, limitProperty);
    return new MemoryConnector(context, limitBytes === 0 ? undefined : limitBytes);
  },
};
