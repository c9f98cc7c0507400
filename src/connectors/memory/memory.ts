/**
 * The memory connector: tables whose rows the workers keep in linear memory, in columns, until the table is dropped or the node ends. The
 * coordinator's instance holds the catalog (catalog.ts), a worker's instance holds parts of tables (part-store.ts). Every instance can do
 * both.
 *
 * Properties: `memory.max-data-per-node` (a data size; by default the node's memory is the limit) and `memory.replication` (on how many
 * workers each part is, if there are as many); `memory.security` (`allow-all`, or `sql-standard`: the catalog has owners, roles and grants)
 * and `memory.admin-users` (users with the role `admin`, separated by commas).
 */
import type { MemoryContext } from "../../memory/memory.ts";
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
import { dataSizeProperty, integerProperty, invalidProperty } from "../shared/properties.ts";
import { createMemoryCatalog, type MemoryCatalog } from "./catalog.ts";
import {
  copyPart,
  descriptionOf,
  isCopyCall,
  isDescriptionCall,
  isLeaveCall,
  type LeaveCall,
  ofTables,
  PartCopier,
  readCopyCall,
  readDescriptionCall,
  readLeaveCall,
} from "./copies.ts";
import { MemoryPageSource } from "./page-source.ts";
import { isPageCall, pageOfPart, readPageCall, RemotePartSource } from "./part-reader.ts";
import { type LiveWrites, type Owner, type Part, PartStore, readLiveWrites } from "./part-store.ts";
import { PartWriter } from "./part-writer.ts";
import { type PartCopy, type PartFragment, type PartSplit, storedName, type TableHandle, type WriteHandle } from "./table.ts";

/** Asks the coordinator's instance which catalog owns the parts. */
const whoQuestion = "incarnation";
const limitProperty = "memory.max-data-per-node";
const replicationProperty = "memory.replication";
const replicationDefault = 2;
const replicationMax = 16;
const securityProperty = "memory.security";
const adminsProperty = "memory.admin-users";

interface MemoryOptions {
  readonly limitBytes: number | undefined;
  readonly replication: number;
  readonly adminUsers: readonly string[] | undefined;
}

class MemoryConnector implements CatalogConnector {
  readonly metadata: MemoryCatalog;
  readonly #context: ConnectorContext;
  readonly #memory: MemoryContext;
  readonly #store: PartStore;
  /** Incarnation of this instance. */
  readonly #incarnation: string;
  readonly #copier: PartCopier;
  #nextPart = 1;

  constructor(context: ConnectorContext, { adminUsers, limitBytes, replication }: MemoryOptions) {
    this.#context = context;
    this.#memory = context.memory.child("memory connector", limitBytes);
    this.#incarnation = context.ports.random.stream(`memory-catalog-${context.catalog}`).nextText(16, base32);
    this.#store = new PartStore(async (nodeId) => {
      const answer = await context.callNode(nodeId, whoQuestion);
      if (typeof answer !== "string") {
        throw new QueryError("GENERIC_INTERNAL_ERROR", `Node ${nodeId} does not say which life of catalog ${context.catalog} it has`);
      }
      return answer;
    });
    this.#copier = new PartCopier({
      context,
      memory: this.#memory,
      store: this.#store,
      incarnation: this.#incarnation,
      onOwner: (other) => this.#meet(other),
    });
    const keepOnly = (live: LiveWrites): void => this.#store.keepOnly(live);
    this.metadata = createMemoryCatalog({ context, incarnation: this.#incarnation, replication, adminUsers, keepOnly });
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
    const { nodeId, ports, readNode } = this.#context;
    const isElsewhere = split.copies.some((copy) => copy.nodeId !== nodeId);
    const own = isElsewhere && ports.points.fires("memory-part-read-elsewhere") ? undefined : this.#store.get(split.part);
    if (own === undefined && isElsewhere) {
      return new RemotePartSource({ split, table, columns, storedNames, absent, memory, clock: ports.clock, readNode });
    }
    const part = own ?? this.#partOf({ incarnation: split.copies[0]?.incarnation ?? "", part: split.part }, table);
    return new MemoryPageSource({ part, columns, storedNames, absent, firstChunk: split.firstChunk, chunkCount: split.chunkCount, memory });
  }

  /** Throws TABLE_DATA_LOST. */
  #partOf({ incarnation, part: id }: { readonly incarnation: string; readonly part: string }, table: string): Part {
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
      context: this.#context,
      incarnation: this.#incarnation,
    });
  }

  async handleCall(request: Json): Promise<CallAnswer> {
    if (request === whoQuestion) {
      return this.metadata.owner();
    }
    if (isPageCall(request)) {
      const call = readPageCall(request);
      const part = this.#partOf({ incarnation: call.incarnation, part: call.read }, call.table);
      return pageOfPart(part, call, this.#memory.linear, this.#memory.knobs.value("page-rows"));
    }
    if (isDescriptionCall(request)) {
      const call = readDescriptionCall(request);
      return descriptionOf(this.#partOf({ incarnation: call.incarnation, part: call.describe }, call.table));
    }
    if (isCopyCall(request)) {
      return this.#copier.answer(readCopyCall(request));
    }
    if (isLeaveCall(request)) {
      return this.metadata.leave(readLeaveCall(request));
    }
    const live = readLiveWrites(request);
    this.#store.keepOnly(live);
    this.#meet(live.owner);
    return null;
  }

  partsToCopy(): number {
    return this.metadata.partsToCopy();
  }

  async handOver(): Promise<boolean> {
    const { callNode, incarnation: life, nodeId } = this.#context;
    const call: LeaveCall = { leaving: true, nodeId, life };
    const others = this.#store.ownerNodes().filter((owner) => owner !== nodeId);
    const missing = await Promise.all(others.map((owner) => callNode(owner, call as unknown as Json)));
    return missing.every((count) => count === 0);
  }

  /** If the coordinator does not answer with its incarnation, it is asked again on the next contact. */
  #meet(owner: Owner): void {
    this.#store.meet(owner).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : "unknown failure";
      this.#context.ports.log.warn("memory-owner-unknown", { catalog: this.#context.catalog, nodeId: owner.nodeId, reason });
    });
  }

  close(): void {
    this.metadata.close();
    this.#copier.close();
    this.#memory.close();
  }
}

interface SinkOptions {
  readonly part: string;
  readonly request: PageSinkRequest;
  readonly handle: WriteHandle;
  readonly store: PartStore;
  readonly memory: MemoryContext;
  readonly context: ConnectorContext;
  /** Of the connector's instance. */
  readonly incarnation: string;
}

class MemoryPageSink implements PageSink {
  readonly #options: SinkOptions;
  readonly #writer: PartWriter;
  #stored = false;
  #isAborted = false;

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

  /** The rows have all their copies before they can become visible. */
  async finish(): Promise<Json> {
    const { context, part, request, handle, store, memory, incarnation } = this.#options;
    this.#withinLimit(() => this.#writer.finish());
    const { rows, chunks } = this.#writer;
    const bytes = memory.reservedBytes;
    const own: PartCopy = { nodeId: context.nodeId, incarnation, life: context.incarnation };
    let copies = [own];
    if (rows === 0) {
      memory.close();
    } else {
      this.#stored = true;
      const columnNames = request.columns.map(({ name }) => storedName(handle.stored, name));
      store.add({ id: part, owner: handle.owner, write: handle.write, columnNames, chunks, memory });
      copies = [own, ...(await this.#copiesOf(own))];
    }
    const fragment: PartFragment = { copies, part, rows, bytes, sketches: this.#writer.sketches() };
    return fragment as unknown as Json;
  }

  /**
   * Asks the workers after this one, in their order. A worker that cannot be reached is passed over: the coordinator makes the copy later.
   * Throws EXCEEDED_LOCAL_MEMORY_LIMIT if workers have no memory for it.
   */
  async #copiesOf(own: PartCopy): Promise<readonly PartCopy[]> {
    const { context, handle, part } = this.#options;
    const { catalog, nodeId, ports } = context;
    const at = handle.copyNodes.indexOf(nodeId);
    const others = [...handle.copyNodes.slice(at + 1), ...handle.copyNodes.slice(0, Math.max(0, at))];
    const copies: PartCopy[] = [];
    let refusal: QueryError | undefined;
    for (const target of others) {
      if (copies.length + 1 >= handle.replication) {
        return copies;
      }
      try {
        const table = `${handle.schema}.${handle.table}`;
        const copy = await copyPart(context, { part, table, from: [own], target, isOver: () => this.#isAborted });
        copies.push(...(copy === undefined ? [] : [copy]));
      } catch (error) {
        refusal ??= error instanceof QueryError && error.errorName === "EXCEEDED_LOCAL_MEMORY_LIMIT" ? error : undefined;
        ports.log.warn("memory-part-not-copied", { catalog, nodeId: target, reason: error instanceof Error ? error.message : "unknown" });
      }
    }
    if (refusal !== undefined && copies.length + 1 < handle.replication) {
      throw refusal;
    }
    return copies;
  }

  abort(): void {
    this.#isAborted = true;
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
      throw ofTables(error);
    }
  }
}

export const memoryConnectorFactory: ConnectorFactory = {
  name: "memory",
  properties: [limitProperty, replicationProperty, securityProperty, adminsProperty],
  create: (properties, context) => {
    const limitBytes = dataSizeProperty(properties, limitProperty);
    const range = { min: 1, max: replicationMax, default: replicationDefault };
    const replication = integerProperty(properties, replicationProperty, range);
    const adminUsers = adminUsersOf(properties);
    return new MemoryConnector(context, { limitBytes: limitBytes === 0 ? undefined : limitBytes, replication, adminUsers });
  },
};

/** Undefined unless the catalog keeps rights. */
function adminUsersOf(properties: Readonly<Record<string, string>>): readonly string[] | undefined {
  const security = properties[securityProperty]?.trim() ?? "allow-all";
  const admins = properties[adminsProperty] ?? "";
  if ((security !== "allow-all" && security !== "sql-standard") || (security === "allow-all" && admins !== "")) {
    throw invalidProperty(security === "allow-all" ? adminsProperty : securityProperty, security === "allow-all" ? admins : security);
  }
  const users = admins.split(",").map((user) => user.trim());
  return security === "allow-all" ? undefined : users.filter((user) => user !== "");
}
