/**
 * The blackhole connector. Its tables discard what is written. When read they return a configured number of rows: zeros and empty strings.
 * It measures the part of a query before a write or after a scan. Tables exist on the coordinator and are lost with it.
 *
 * Properties, for every table: `blackhole.split-count` (0) and `blackhole.rows-per-split` (0).
 */
import type { MemoryContext, Address } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";
import { QueryError } from "../../protocol/errors.ts";
import { physicalType, physicalWidth } from "../../types/type.ts";
import type {
  ColumnMetadata,
  Connector,
  ConnectorFactory,
  ConnectorMetadata,
  Json,
  PageSink,
  PageSource,
  PageSourceRequest,
  SchemaTableName,
  Split,
  TableMetadata,
  TableStatistics,
} from "../spi.ts";
import { integerProperty } from "../shared/properties.ts";

const splitsProperty = "blackhole.split-count";
const rowsProperty = "blackhole.rows-per-split";
const schema = "default";
const splitsMax = 10_000;
const rowsMax = 1_000_000_000;
const valueBytesMax = 16;

interface Shape {
  readonly splits: number;
  readonly rowsPerSplit: number;
}

interface CreateHandle extends SchemaTableName {
  readonly columns: readonly ColumnMetadata[];
}

class BlackholeMetadata implements ConnectorMetadata {
  readonly #catalog: string;
  readonly #shape: Shape;
  readonly #tables = new Map<string, readonly ColumnMetadata[]>();

  constructor(catalog: string, shape: Shape) {
    this.#catalog = catalog;
    this.#shape = shape;
  }

  async listSchemas(): Promise<readonly string[]> {
    return [schema];
  }

  async listTables(name: string): Promise<readonly string[]> {
    return name === schema ? [...this.#tables.keys()].toSorted() : [];
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    const columns = name.schema === schema ? this.#tables.get(name.table) : undefined;
    return columns === undefined ? undefined : { name, columns, handle: name.table };
  }

  async getStatistics(): Promise<TableStatistics> {
    return { rowCount: this.#shape.splits * this.#shape.rowsPerSplit, columns: {} };
  }

  async beginCreate(name: SchemaTableName, columns: readonly ColumnMetadata[]): Promise<Json> {
    this.#requireAbsent(name);
    const handle: CreateHandle = { ...name, columns };
    return handle as unknown as Json;
  }

  async finishCreate(handle: Json): Promise<void> {
    const { columns, ...name } = handle as unknown as CreateHandle;
    this.#requireAbsent(name);
    this.#tables.set(name.table, columns);
  }

  async beginInsert(table: TableMetadata): Promise<Json> {
    return table.handle;
  }

  async finishInsert(): Promise<void> {}

  async abortWrite(): Promise<void> {}

  async restartWrite(handle: Json): Promise<Json> {
    return handle;
  }

  async dropTable(table: TableMetadata): Promise<void> {
    this.#tables.delete(table.name.table);
  }

  #requireAbsent(name: SchemaTableName): void {
    if (name.schema !== schema) {
      throw new QueryError("SCHEMA_NOT_FOUND", `Schema '${name.schema}' does not exist`);
    }
    if (this.#tables.has(name.table)) {
      throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${this.#catalog}.${schema}.${name.table}' already exists`);
    }
  }
}

/** All columns of all pages are the same zeros. */
class ZeroPageSource implements PageSource {
  readonly #columns: readonly ColumnMetadata[];
  readonly #memory: MemoryContext;
  readonly #zeros: Address;
  readonly #pageRows: number;
  #rowsLeft: number;
  #closed = false;
  completedBytes = 0;

  constructor({ columns, memory }: PageSourceRequest, rows: number) {
    this.#columns = columns;
    this.#memory = memory;
    this.#pageRows = memory.knobs.value("page-rows");
    this.#rowsLeft = rows;
    this.#zeros = memory.allocateZeroed(this.#pageRows * valueBytesMax);
  }

  get finished(): boolean {
    return this.#closed || this.#rowsLeft === 0;
  }

  nextPage(): Page | undefined {
    if (this.finished) {
      return undefined;
    }
    const positionCount = Math.min(this.#pageRows, this.#rowsLeft);
    this.#rowsLeft -= positionCount;
    const columns = this.#columns.map(({ type }) => {
      this.completedBytes += positionCount * physicalWidth(physicalType(type));
      return { type, values: this.#zeros, nulls: 0, ids: 0, length: positionCount };
    });
    return { positionCount, selection: 0, columns };
  }

  blocked(): undefined {
    return undefined;
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#memory.free(this.#zeros);
    }
  }
}

const swallow: PageSink = Object.freeze({
  append: () => {},
  blocked: () => undefined,
  finish: async () => null,
  abort: () => {},
});

function blackholeConnector(catalog: string, shape: Shape): Connector {
  return {
    metadata: new BlackholeMetadata(catalog, shape),
    getSplits: async (): Promise<readonly Split[]> =>
      Array.from({ length: shape.rowsPerSplit === 0 ? 0 : shape.splits }, () => ({ payload: null, rows: shape.rowsPerSplit })),
    createPageSource: (request) => new ZeroPageSource(request, shape.rowsPerSplit),
    createPageSink: () => swallow,
  };
}

export const blackholeConnectorFactory: ConnectorFactory = {
  name: "blackhole",
  properties: [splitsProperty, rowsProperty],
  create: (properties, context) =>
    blackholeConnector(context.catalog, {
      splits: integerProperty(properties, splitsProperty, { min: 0, max: splitsMax, default: 0 }),
      rowsPerSplit: integerProperty(properties, rowsProperty, { min: 0, max: rowsMax, default: 0 }),
    }),
};
