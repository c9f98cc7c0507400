/**
 * The tpcds connector: the TPC-DS tables at any scale, generated when they are read and identical to the output of the TPC's dsdgen.
 * Nothing is stored.
 *
 * - `tpcds.use-varchar-type` (false): true gives varchar columns instead of char.
 * - `tpcds.splits-per-node` (4): a factor of the number of splits, which does not depend on the cluster.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import { assert } from "../../protocol/errors.ts";
import { type Type, varcharType } from "../../types/type.ts";
import type {
  ColumnMetadata,
  Connector,
  ConnectorFactory,
  ConnectorMetadata,
  PageSource,
  PageSourceRequest,
  SchemaTableName,
  TableMetadata,
  TableStatistics,
} from "../spi.ts";
import { integerProperty, invalidProperty } from "../shared/properties.ts";
import { ScaledTables } from "../shared/scaled-tables.ts";
import { splitCount, splitsOfUnits, type UnitRange } from "../shared/split-units.ts";
import type { SplitList } from "../shared/splits.ts";
import { Dictionaries } from "./dictionaries.ts";
import { type ScannedColumn, TpcdsPageSource } from "./page-source.ts";
import { listedSchemas, type Scale, scaleOfSchema } from "./scale.ts";
import { tableStatistics } from "./table-statistics.ts";
import { RowStream } from "./streams.ts";
import { nullBits, type TableContext, type TpcdsTable } from "./table.ts";
import { findTable, tables } from "./tables.ts";

const varcharProperty = "tpcds.use-varchar-type";
const splitsProperty = "tpcds.splits-per-node";

interface TpcdsOptions {
  readonly usesVarchar: boolean;
  readonly splitsPerNode: number;
}

function readOptions(properties: Readonly<Record<string, string>>): TpcdsOptions {
  const varchar = (properties[varcharProperty] ?? "false").trim().toLowerCase();
  if (varchar !== "true" && varchar !== "false") {
    throw invalidProperty(varcharProperty, properties[varcharProperty] ?? "");
  }
  return { usesVarchar: varchar === "true", splitsPerNode: integerProperty(properties, splitsProperty, { min: 1, max: 1000, default: 4 }) };
}

const scaledTables = new ScaledTables<TpcdsTable, Scale>({
  connectorName: "tpcds",
  listedSchemas,
  scaleOfSchema,
  tableNames: tables.map(({ name }) => name),
  findTable,
});

class TpcdsMetadata implements ConnectorMetadata {
  readonly changesOnlyHere = true;
  readonly listSchemas = scaledTables.listSchemas.bind(scaledTables);
  readonly hasSchema = scaledTables.hasSchema.bind(scaledTables);
  readonly listTables = scaledTables.listTables.bind(scaledTables);
  readonly #options: TpcdsOptions;

  constructor(options: TpcdsOptions) {
    this.#options = options;
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    const found = scaledTables.find(name);
    if (found === undefined) {
      return undefined;
    }
    const columns = found.table.columns.map((column): ColumnMetadata => ({ name: column.name, type: this.#type(column.type) }));
    const key = found.table.key(found.scale);
    return { name, columns, handle: { schema: name.schema, table: name.table }, ...(key === undefined ? {} : { uniqueKeys: [key] }) };
  }

  async getStatistics(metadata: TableMetadata): Promise<TableStatistics> {
    const { table, scale } = scaledTables.ofHandle(metadata.handle);
    return tableStatistics(table, scale);
  }

  #type(type: Type): Type {
    return type.kind === "char" && this.#options.usesVarchar ? varcharType(type.length) : type;
  }
}

/** The items in a random order: each is swapped with a random one. */
function drawPermutation(stream: number, length: number): Int32Array {
  const draws = new RowStream(stream, 0);
  const order = Int32Array.from({ length }, (_, index) => index);
  for (let index = 0; index < length; index++) {
    const other = draws.uniform(0, length - 1);
    const value = order[index] as number;
    order[index] = order[other] as number;
    order[other] = value;
  }
  return order;
}

class TpcdsConnector implements Connector {
  readonly metadata: ConnectorMetadata;
  readonly #options: TpcdsOptions;
  readonly #memory: MemoryContext;
  /** Grows with the lists that columns need, up to 2 MB. */
  readonly #dictionaries: Dictionaries;
  /** By stream and length; at most 1 MB each. */
  readonly #permutations = new Map<string, Int32Array>();

  constructor(options: TpcdsOptions, memory: MemoryContext) {
    this.#options = options;
    this.#memory = memory.child("tpcds");
    this.metadata = new TpcdsMetadata(options);
    this.#dictionaries = new Dictionaries((bytes) => this.#memory.reserve(bytes));
  }

  async getSplits(metadata: TableMetadata): Promise<SplitList> {
    const { table, scale } = scaledTables.ofHandle(metadata.handle);
    const units = table.units(scale);
    const rowsPerUnit = table.rows(scale) / units;
    return splitsOfUnits(units, table.isSequential === true ? 1 : splitCount(units, this.#options.splitsPerNode), rowsPerUnit);
  }

  createPageSource(request: PageSourceRequest): PageSource {
    const { table, scale } = scaledTables.ofHandle(request.table);
    const units = request.split as unknown as UnitRange;
    const memory = request.memory.child("tpcds");
    try {
      const context: TableContext = {
        scale,
        dictionaries: this.#dictionaries,
        cursor: { row: 0, line: 0, returned: 0, tick: 0 },
        permutation: (stream) => this.#permutation(stream, scale.keys("item")),
      };
      const rowsMax = units.count * (table.rowsPerUnit ?? 1);
      return new TpcdsPageSource({
        memory,
        rowsMax,
        columns: scannedColumns(request, table, context),
        advance: table.advance(context, units),
      });
    } catch (error) {
      memory.close();
      throw error;
    }
  }

  close(): void {
    this.#memory.close();
  }

  #permutation(stream: number, length: number): Int32Array {
    const name = `${stream} ${length}`;
    let found = this.#permutations.get(name);
    if (found === undefined) {
      this.#memory.reserve(length * 4);
      found = drawPermutation(stream, length);
      this.#permutations.set(name, found);
    }
    return found;
  }
}

function scannedColumns(request: PageSourceRequest, table: TpcdsTable, context: TableContext): readonly ScannedColumn[] {
  const rule = table.nulls;
  const bits = rule === undefined ? undefined : nullBits(context, rule, table.nullDraw ?? (() => 0));
  const cell = table.cell(context);
  return request.columns.map(({ name, type }): ScannedColumn => {
    const column = table.columns.find((candidate) => candidate.name === name);
    assert(column !== undefined, `no column ${name}`);
    // A row has 31 bits; columns after those are never NULL.
    const mask = column.bit < 31 && rule !== undefined ? (1 << column.bit) & ~rule.notNull : 0;
    return { type, cell: cell(name), isNull: bits === undefined || mask === 0 ? undefined : () => (bits() & mask) !== 0 };
  });
}

export const tpcdsConnectorFactory: ConnectorFactory = {
  name: "tpcds",
  properties: [varcharProperty, splitsProperty],
  create: (properties, context) => new TpcdsConnector(readOptions(properties), context.memory),
};
