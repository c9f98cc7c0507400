/**
 * The tpch connector: the TPC-H tables at any scale, generated when they are read and identical to the output of the TPC's dbgen 2. Nothing
 * is stored.
 *
 * - `tpch.column-naming` (SIMPLIFIED: `orderkey`; STANDARD: `o_orderkey`)
 * - `tpch.double-type-mapping` (DOUBLE; DECIMAL: decimal(12,2))
 * - `tpch.splits-per-node` (4): a factor of the number of splits, which does not depend on the cluster.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import type { Type } from "../../types/type.ts";
import { BIGINT, decimalType, DOUBLE } from "../../types/type.ts";
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
import { invalidProperty } from "../shared/properties.ts";
import { ScaledTables } from "../shared/scaled-tables.ts";
import { splitCount, splitsOfUnits, type UnitRange } from "../shared/split-units.ts";
import type { SplitList } from "../shared/splits.ts";
import type { TableFunction } from "../table-function.ts";
import { TpchPageSource } from "./page-source.ts";
import { rowNumber } from "./row-pages.ts";
import { listedSchemas, type Scale, scaleOfSchema } from "./scale.ts";
import { scaledFunction } from "./scaled.ts";
import { tableStatistics } from "./table-statistics.ts";
import type { TpchTable } from "./tables.ts";
import { findTable, tables } from "./tables.ts";
import { TextPool, TextPoolIndex } from "./text-pool.ts";

const namingProperty = "tpch.column-naming";
const doubleProperty = "tpch.double-type-mapping";
const splitsProperty = "tpch.splits-per-node";
export const splitsPerNodeDefault = 4;
const splitsPerNodeMax = 1000;

interface TpchOptions {
  readonly standardNames: boolean;
  readonly moneyType: Type;
  readonly splitsPerNode: number;
}

function choice<const Choice extends string>(
  properties: Readonly<Record<string, string>>,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = properties[name];
  if (value === undefined) {
    return choices[0];
  }
  const found = choices.find((candidate) => candidate === value.trim().toUpperCase());
  if (found === undefined) {
    throw invalidProperty(name, value);
  }
  return found;
}

function readOptions(properties: Readonly<Record<string, string>>): TpchOptions {
  const splits = properties[splitsProperty] ?? String(splitsPerNodeDefault);
  if (!/^\s*\d{1,4}\s*$/.test(splits) || Number(splits) < 1 || Number(splits) > splitsPerNodeMax) {
    throw invalidProperty(splitsProperty, splits);
  }
  return {
    standardNames: choice(properties, namingProperty, ["SIMPLIFIED", "STANDARD"]) === "STANDARD",
    moneyType: choice(properties, doubleProperty, ["DOUBLE", "DECIMAL"]) === "DOUBLE" ? DOUBLE : decimalType(12, 2),
    splitsPerNode: Number(splits),
  };
}

const scaledTables = new ScaledTables<TpchTable, Scale>({
  connectorName: "tpch",
  listedSchemas,
  scaleOfSchema,
  tableNames: tables.map(({ name }) => name),
  findTable,
});

class TpchMetadata implements ConnectorMetadata {
  readonly changesOnlyHere = true;
  readonly listSchemas = scaledTables.listSchemas.bind(scaledTables);
  readonly hasSchema = scaledTables.hasSchema.bind(scaledTables);
  readonly listTables = scaledTables.listTables.bind(scaledTables);
  readonly #options: TpchOptions;

  constructor(options: TpchOptions) {
    this.#options = options;
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    const found = scaledTables.find(name);
    if (found === undefined) {
      return undefined;
    }
    const { moneyType } = this.#options;
    const columns = found.table.columns.map(
      (column): ColumnMetadata => ({
        name: this.#columnName(found.table, column.name),
        type: column.type === "money" ? moneyType : column.type,
      }),
    );
    const key = found.table.key(found.scale)?.map((column) => this.#columnName(found.table, column));
    columns.push({ name: rowNumber, type: BIGINT, hidden: true });
    return { name, columns, handle: { schema: name.schema, table: name.table }, ...(key === undefined ? {} : { uniqueKeys: [key] }) };
  }

  async getStatistics(metadata: TableMetadata): Promise<TableStatistics> {
    const { table, scale } = scaledTables.ofHandle(metadata.handle);
    const { rowCount, columns } = tableStatistics(table, scale);
    return {
      ...(rowCount === undefined ? {} : { rowCount }),
      columns: Object.fromEntries(Object.entries(columns).map(([name, statistics]) => [this.#columnName(table, name), statistics])),
    };
  }

  #columnName(table: TpchTable, name: string): string {
    return this.#options.standardNames ? table.prefix + name : name;
  }
}

class TpchConnector implements Connector {
  readonly metadata: ConnectorMetadata;
  readonly tableFunctions: readonly TableFunction[];
  readonly #options: TpchOptions;
  readonly #memory: MemoryContext;
  /** Grows with the comments that are read, up to 7.5 MB. */
  readonly #text: TextPool;

  constructor(options: TpchOptions, memory: MemoryContext, index: TextPoolIndex) {
    this.#options = options;
    this.#memory = memory.child("tpch");
    this.metadata = new TpchMetadata(options);
    this.tableFunctions = [scaledFunction(this.metadata)];
    this.#text = new TextPool((bytes) => this.#memory.reserve(bytes), index);
  }

  async getSplits(metadata: TableMetadata): Promise<SplitList> {
    const { table, scale } = scaledTables.ofHandle(metadata.handle);
    const units = table.units(scale);
    const rowsPerUnit = table.rows(scale) / units;
    return splitsOfUnits(units, splitCount(units, this.#options.splitsPerNode), rowsPerUnit);
  }

  createPageSource(request: PageSourceRequest): PageSource {
    const { table, scale } = scaledTables.ofHandle(request.table);
    const units = request.split as unknown as UnitRange;
    const memory = request.memory.child("tpch");
    try {
      const generator = table.generator({
        memory,
        scale,
        units,
        text: this.#text,
        pageRows: table.pageRows(units.count, memory.knobs.value("page-rows")),
        moneyType: this.#options.moneyType,
      });
      const prefixLength = this.#options.standardNames ? table.prefix.length : 0;
      const columns = request.columns.map(({ name }) => generator.column(name === rowNumber ? name : name.slice(prefixLength)));
      return new TpchPageSource({ memory, generator, columns });
    } catch (error) {
      memory.close();
      throw error;
    }
  }

  close(): void {
    this.#memory.close();
  }
}

const factory = {
  name: "tpch",
  properties: [namingProperty, doubleProperty, splitsProperty],
};

export const tpchConnectorFactory: ConnectorFactory = {
  ...factory,
  create: (properties, context) => new TpchConnector(readOptions(properties), context.memory, new TextPoolIndex()),
};

/** A factory whose connectors share the index of the text pool. Their rows and their accounting are those of the other factory. */
export function sharingTpchFactory(): ConnectorFactory {
  const index = new TextPoolIndex();
  return { ...factory, create: (properties, context) => new TpchConnector(readOptions(properties), context.memory, index) };
}
