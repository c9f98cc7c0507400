/**
 * The faker connector: tables of generated rows. A table is only a definition on the coordinator, and lost with it. The same query gives
 * the same rows.
 *
 * - `faker.null-probability` (0.5): of columns that may be NULL.
 * - `faker.default-limit` (1000): rows of a table.
 * - `faker.locale` (en): language of the words; only English is there.
 * - `faker.seed` (0): another seed gives other rows.
 */
import { QueryError } from "../../protocol/errors.ts";
import { integerProperty, invalidProperty } from "../shared/properties.ts";
import { ComputedSplits, type SplitList } from "../shared/splits.ts";
import type { PushedOperation, PushedTable } from "../pushdown.ts";
import type {
  ColumnCapability,
  ColumnMetadata,
  Connector,
  ConnectorFactory,
  ConnectorMetadata,
  CreateOptions,
  Json,
  PageSink,
  PageSource,
  PageSourceRequest,
  PlannedTable,
  PropertyValue,
  SchemaTableName,
  TableMetadata,
  TableProperty,
  TableStatistics,
} from "../spi.ts";
import { columnProperties, type GeneratedColumn, generatedColumn } from "./columns.ts";
import { parseExpression } from "./expressions.ts";
import { FakerPageSource } from "./page-source.ts";

const nullsProperty = "faker.null-probability";
const limitProperty = "faker.default-limit";
const localeProperty = "faker.locale";
const seedProperty = "faker.seed";
const defaultSchema = "default";
const rowsMax = Number.MAX_SAFE_INTEGER;
const rowsPerSplit = 100_000;

interface Defaults {
  readonly nullProbability: number;
  readonly rows: number;
  readonly seed: number;
}

interface FakerTable {
  readonly columns: readonly ColumnMetadata[];
  readonly generated: readonly GeneratedColumn[];
  readonly rows: number;
  readonly properties: Readonly<Record<string, PropertyValue>>;
}

/** Plain JSON. */
interface Handle extends SchemaTableName {
  readonly rows: number;
  readonly columns: readonly GeneratedColumn[];
}

class FakerMetadata implements ConnectorMetadata {
  readonly capabilities: readonly ColumnCapability[] = ["NOT_NULL_COLUMN_CONSTRAINT"];
  readonly tableProperties: readonly TableProperty[] = [
    { name: "null_probability", type: "double", description: "Probability that a value is NULL" },
    { name: "default_limit", type: "bigint", description: "Number of rows" },
  ];
  readonly columnProperties: readonly TableProperty[] = columnProperties;
  readonly #catalog: string;
  readonly #defaults: Defaults;
  readonly #schemas = new Map<string, Map<string, FakerTable>>([[defaultSchema, new Map()]]);

  constructor(catalog: string, defaults: Defaults) {
    this.#catalog = catalog;
    this.#defaults = defaults;
  }

  async listSchemas(): Promise<readonly string[]> {
    return [...this.#schemas.keys()].toSorted();
  }

  async listTables(schema: string): Promise<readonly string[]> {
    return [...(this.#schemas.get(schema)?.keys() ?? [])].toSorted();
  }

  async createSchema(schema: string): Promise<void> {
    if (this.#schemas.has(schema)) {
      throw new QueryError("SCHEMA_ALREADY_EXISTS", `Schema '${this.#catalog}.${schema}' already exists`);
    }
    this.#schemas.set(schema, new Map());
  }

  async dropSchema(schema: string): Promise<void> {
    if ((this.#schemas.get(schema)?.size ?? 0) > 0) {
      throw new QueryError("SCHEMA_NOT_EMPTY", `Schema not empty: ${schema}`);
    }
    this.#schemas.delete(schema);
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    const table = this.#schemas.get(name.schema)?.get(name.table);
    if (table === undefined) {
      return undefined;
    }
    const { columns, generated, properties, rows } = table;
    const handle: Handle = { ...name, rows, columns: generated };
    return { name, columns, handle: handle as unknown as Json, properties };
  }

  async getStatistics(table: TableMetadata): Promise<TableStatistics> {
    const { rows, columns } = handleOf(table.handle);
    const known = columns.map(({ name, nullProbability }) => [name, { nullsFraction: nullProbability }] as const);
    return { rowCount: rows, columns: Object.fromEntries(known) };
  }

  /** A LIMIT is the number of rows, also if it is greater than that of the table. */
  pushDown(handle: Json, operation: PushedOperation): PushedTable | undefined {
    const { aggregation, columns, conditions, limit, orderBy } = operation;
    if (limit === undefined || aggregation !== undefined || (orderBy ?? []).length > 0 || conditions.length > 0) {
      return undefined;
    }
    const limited: Handle = { ...handleOf(handle), rows: limit };
    return { handle: limited as unknown as Json, columns };
  }

  planCreate(columns: readonly ColumnMetadata[], options: CreateOptions): PlannedTable {
    const { generated } = this.#planned(columns, options);
    return { columns: columns.map((column, index) => ({ ...column, planned: generated[index] as unknown as Json })), sortedBy: [] };
  }

  async beginCreate(name: SchemaTableName, columns: readonly ColumnMetadata[], { properties = {} }: CreateOptions = {}): Promise<Json> {
    this.#requireAbsent(name);
    return { ...name, columns: columns as unknown as Json, properties: properties as unknown as Json };
  }

  async finishCreate(handle: Json): Promise<void> {
    const { schema, table, columns, properties } = handle as unknown as SchemaTableName & Pick<FakerTable, "columns" | "properties">;
    this.#requireAbsent({ schema, table });
    const plain = columns.map(({ planned: _planned, ...column }) => column);
    const generated = columns.map(({ planned }) => planned as unknown as GeneratedColumn);
    this.#schemas.get(schema)?.set(table, { columns: plain, properties, generated, rows: this.#rowsOf(properties) });
  }

  async abortWrite(): Promise<void> {}

  async restartWrite(handle: Json): Promise<Json> {
    return handle;
  }

  async dropTable({ name }: TableMetadata): Promise<void> {
    this.#schemas.get(name.schema)?.delete(name.table);
  }

  #planned(columns: readonly ColumnMetadata[], { castText, properties = {} }: CreateOptions): Pick<FakerTable, "generated" | "rows"> {
    const nullProbability = (properties["null_probability"] as number | undefined) ?? this.#defaults.nullProbability;
    if (!(nullProbability >= 0 && nullProbability <= 1)) {
      throw new QueryError("INVALID_TABLE_PROPERTY", "Invalid value for table property 'null_probability'");
    }
    const rows = this.#rowsOf(properties);
    if (!(rows >= 1 && rows <= rowsMax)) {
      throw new QueryError("INVALID_TABLE_PROPERTY", "Invalid value for table property 'default_limit'");
    }
    const generated = columns.map((column) => generatedColumn(column, { nullProbability, castText: castText ?? noCast }));
    generated.forEach(({ generator }) => generator !== undefined && parseExpression(generator));
    return { generated, rows };
  }

  #rowsOf(properties: Readonly<Record<string, PropertyValue>>): number {
    return (properties["default_limit"] as number | undefined) ?? this.#defaults.rows;
  }

  #requireAbsent({ schema, table }: SchemaTableName): void {
    if (!this.#schemas.has(schema)) {
      throw new QueryError("SCHEMA_NOT_FOUND", `Schema '${schema}' does not exist`);
    }
    if (this.#schemas.get(schema)?.has(table) === true) {
      throw new QueryError("TABLE_ALREADY_EXISTS", `Table '${this.#catalog}.${schema}.${table}' already exists`);
    }
  }
}

function noCast(): never {
  throw new QueryError("NOT_SUPPORTED", "Bounds and values of columns need CREATE TABLE");
}

function handleOf(handle: Json): Handle {
  return handle as unknown as Handle;
}

/** Rows that are written are not kept. */
const swallow: PageSink = Object.freeze({
  append: () => {},
  blocked: () => undefined,
  finish: async () => null,
  abort: () => {},
});

function fakerConnector(catalog: string, defaults: Defaults): Connector {
  return {
    metadata: new FakerMetadata(catalog, defaults),
    getSplits: async ({ handle }): Promise<SplitList> => {
      const { rows } = handleOf(handle);
      return new ComputedSplits(Math.ceil(rows / rowsPerSplit), (index) => {
        const [from, to] = [index * rowsPerSplit, Math.min(rows, (index + 1) * rowsPerSplit)];
        return { payload: { from, to }, rows: to - from };
      });
    },
    createPageSource: ({ table, split, columns, memory }: PageSourceRequest): PageSource => {
      const { schema, table: name, columns: generated } = handleOf(table);
      const { from, to } = split as { readonly from: number; readonly to: number };
      const asked = columns.flatMap((column) => generated.find((one) => one.name === column.name) ?? []);
      return new FakerPageSource({ columns: asked, name: `${defaults.seed}/${schema}.${name}`, from, to, memory });
    },
    createPageSink: () => swallow,
  };
}

function probabilityOf(properties: Readonly<Record<string, string>>): number {
  const text = properties[nullsProperty]?.trim() ?? "0.5";
  if (!/^(?:0(?:\.\d{1,15})?|1(?:\.0{1,15})?|\.\d{1,15})$/.test(text)) {
    throw invalidProperty(nullsProperty, text);
  }
  return Number(text);
}

export const fakerConnectorFactory: ConnectorFactory = {
  name: "faker",
  properties: [nullsProperty, limitProperty, localeProperty, seedProperty],
  create: (properties, context) => {
    const locale = properties[localeProperty]?.trim() ?? "en";
    if (!/^en(?:[-_].*)?$/i.test(locale)) {
      throw new QueryError(
        "CONFIGURATION_INVALID",
        `Property '${localeProperty}': words are in English only, not in '${locale.slice(0, 50)}'`,
      );
    }
    return fakerConnector(context.catalog, {
      nullProbability: probabilityOf(properties),
      rows: integerProperty(properties, limitProperty, { min: 1, max: 999_999_999_999_999, default: 1000 }),
      seed: integerProperty(properties, seedProperty, { min: 0, max: 999_999_999_999_999, default: 0 }),
    });
  },
};
