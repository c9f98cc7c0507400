/**
 * The connector `jmx`, with Trino's schemas: a bean is a table that has a row for each node with the bean.
 *
 * - `current`: values at the time of the query. A name with `*` is a table of all beans whose names match.
 * - `history`: samples of the beans of `jmx.dump-tables`.
 *
 * - `jmx.dump-tables`: names of beans, separated by commas; `\\,` is a comma in a name, `*` any characters.
 * - `jmx.dump-period` (10s), `jmx.max-entries` (86400): when samples are taken, and how many of a bean are kept.
 *
 * The coordinator reads its own beans and asks the workers for theirs.
 */
import { utcKey, zonedMoment } from "../../types/time/zones.ts";
import { BIGINT, DOUBLE, type Type, VARCHAR } from "../../types/type.ts";
import { wildcardMatcher } from "../shared/metadata-filter.ts";
import { durationProperty, integerProperty, invalidProperty } from "../shared/properties.ts";
import { type Row, RowPageSource } from "../shared/row-page-source.ts";
import {
  type ColumnMetadata,
  type Connector,
  type ConnectorContext,
  type ConnectorFactory,
  type ConnectorMetadata,
  type Json,
  MalformedCall,
  type SchemaTableName,
  type Split,
  type TableMetadata,
} from "../spi.ts";
import { type AttributeType, type Bean, type BeanProvider, type BeanSample, samplesOf } from "./beans.ts";
import { BeanHistory } from "./history.ts";

const currentSchema = "current";
const historySchema = "history";
const dumpTablesProperty = "jmx.dump-tables";
const dumpPeriodProperty = "jmx.dump-period";
const maxEntriesProperty = "jmx.max-entries";

interface Handle {
  readonly schema: string;
  readonly objectNames: readonly string[];
}

const types: Readonly<Record<AttributeType, Type>> = Object.freeze({ bigint: BIGINT, double: DOUBLE, varchar: VARCHAR });

/** Columns of a table of several beans: attributes of one name and different types are texts. */
function columnsOf(beans: readonly Bean[], isHistory: boolean): readonly ColumnMetadata[] {
  const attributes = new Map<string, Type>();
  for (const [name, type] of beans.flatMap((bean) => Object.entries(bean.attributes))) {
    const known = attributes.get(name);
    attributes.set(name, known === undefined || known === types[type] ? types[type] : VARCHAR);
  }
  return [
    ...(isHistory ? [{ name: "timestamp", type: { kind: "timestamp with time zone", precision: 3 } as const }] : []),
    { name: "node", type: VARCHAR },
    { name: "object_name", type: VARCHAR },
    ...[...attributes].map(([name, type]) => ({ name, type })).sort((one, other) => (one.name < other.name ? -1 : 1)),
  ];
}

class JmxConnector implements Connector {
  readonly metadata: ConnectorMetadata;
  readonly #context: ConnectorContext;
  readonly #provider: BeanProvider;
  readonly #history: BeanHistory | undefined;
  readonly #isSampled: (objectName: string) => boolean;

  constructor(context: ConnectorContext, provider: BeanProvider, history: BeanHistory | undefined, isSampled: (name: string) => boolean) {
    this.#context = context;
    this.#provider = provider;
    this.#history = history;
    this.#isSampled = isSampled;
    this.metadata = {
      listSchemas: async () => [currentSchema, historySchema],
      listTables: async (schema) => this.#beansOf(schema).map(({ objectName }) => objectName),
      getTable: async (name) => this.#tableOf(name),
    };
  }

  async getSplits(): Promise<readonly Split[]> {
    return [{ payload: null }];
  }

  createPageSource({ columns, memory, table }: Parameters<Connector["createPageSource"]>[0]): RowPageSource {
    return new RowPageSource({ rows: () => this.#rows(table as unknown as Handle, columns), columns, memory });
  }

  /** Samples of this node for the coordinator. */
  async handleCall(request: Json): Promise<Json> {
    const { schema, objectNames } = (request ?? {}) as unknown as Partial<Handle>;
    if (typeof schema !== "string" || !Array.isArray(objectNames) || objectNames.some((name) => typeof name !== "string")) {
      throw new MalformedCall("expected the names of beans");
    }
    return this.#samples({ schema, objectNames: objectNames as readonly string[] }) as unknown as Json;
  }

  close(): void {
    this.#history?.close();
  }

  #beansOf(schema: string): readonly Bean[] {
    const { beans } = this.#provider;
    return schema === currentSchema ? beans : schema === historySchema ? beans.filter(({ objectName }) => this.#isSampled(objectName)) : [];
  }

  #tableOf(name: SchemaTableName): TableMetadata | undefined {
    const matches = wildcardMatcher(name.table);
    const beans = this.#beansOf(name.schema).filter(({ objectName }) => matches(objectName));
    if (beans.length === 0) {
      return undefined;
    }
    const handle: Handle = { schema: name.schema, objectNames: beans.map(({ objectName }) => objectName) };
    return {
      name,
      columns: columnsOf(beans, name.schema === historySchema),
      handle: handle as unknown as Json,
      coordinatorOnly: true,
    };
  }

  async *#rows(handle: Handle, columns: readonly ColumnMetadata[]): AsyncGenerator<readonly Row[]> {
    const { callNode, nodeId: self, workerNodes } = this.#context;
    for (const nodeId of [self, ...workerNodes().filter((id) => id !== self)]) {
      const samples = nodeId === self ? this.#samples(handle) : samplesOf(await callNode(nodeId, handle as unknown as Json));
      yield samples.map((sample) => rowOf(sample, nodeId, columns));
    }
  }

  #samples({ objectNames, schema }: Handle): readonly BeanSample[] {
    if (schema === historySchema) {
      return this.#history?.samples(objectNames) ?? [];
    }
    const at = this.#context.ports.clock.wallMillis();
    const all = this.#provider.read();
    return objectNames.flatMap((objectName) => {
      const values = all.get(objectName);
      return values === undefined ? [] : { objectName, at, values };
    });
  }
}

function rowOf({ at, objectName, values }: BeanSample, node: string, columns: readonly ColumnMetadata[]): Row {
  const known = new Map<string, number | string | bigint>([
    ...Object.entries(values),
    ["timestamp", zonedMoment(BigInt(Math.trunc(at)) * 1000n, utcKey)],
    ["node", node],
    ["object_name", objectName],
  ]);
  return Object.fromEntries(
    columns.map(({ name, type }) => {
      const value = known.get(name);
      return [name, value === undefined ? null : type.kind === "varchar" ? String(value) : value];
    }),
  );
}

/** A connector of the beans of its node. */
export function jmxConnectorFactory(provider: BeanProvider): ConnectorFactory {
  return {
    name: "jmx",
    properties: [dumpTablesProperty, dumpPeriodProperty, maxEntriesProperty],
    create: (properties, context) => {
      const text = properties[dumpTablesProperty] ?? "";
      const patterns = text
        .split(/(?<!\\),/)
        .map((one) => one.replaceAll(/\\+,/g, ",").trim().toLowerCase())
        .filter((one) => one !== "");
      const matchers = patterns.map(wildcardMatcher);
      const unmatched = patterns.find((_, index) => !provider.beans.some(({ objectName }) => matchers[index]?.(objectName)));
      if (unmatched !== undefined) {
        throw invalidProperty(dumpTablesProperty, unmatched);
      }
      const periodMs = durationProperty(properties, dumpPeriodProperty, "10s");
      if (periodMs < 1) {
        throw invalidProperty(dumpPeriodProperty, properties[dumpPeriodProperty] ?? "");
      }
      const entriesMax = integerProperty(properties, maxEntriesProperty, { min: 1, max: 10_000_000, default: 86_400 });
      const isSampled = (objectName: string): boolean => matchers.some((matches) => matches(objectName));
      const history =
        patterns.length === 0 ? undefined : new BeanHistory({ provider, clock: context.ports.clock, isSampled, periodMs, entriesMax });
      return new JmxConnector(context, provider, history, isSampled);
    },
  };
}
