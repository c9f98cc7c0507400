/**
 * A connector that accepts rows and only records its write calls: begin, finish with fragments, abort.
 */
import type { ColumnMetadata, Connector, ConnectorFactory, Json, SchemaTableName, TableMetadata } from "../../../src/connectors/spi.ts";
import { QueryError } from "../../../src/protocol/errors.ts";

export class WriteRecord {
  readonly events: string[] = [];
  readonly tables = new Map<string, readonly ColumnMetadata[]>();
  fragments: readonly Json[] = [];
}

export function recordingConnectorFactory(record: WriteRecord): ConnectorFactory {
  return { name: "recording", properties: [], create: () => new RecordingConnector(record) };
}

class RecordingConnector implements Connector {
  readonly #record: WriteRecord;
  readonly metadata: Connector["metadata"];

  constructor(record: WriteRecord) {
    this.#record = record;
    this.metadata = {
      listSchemas: () => Promise.resolve(["default"]),
      listTables: () => Promise.resolve([...record.tables.keys()].toSorted()),
      getTable: (name: SchemaTableName) => Promise.resolve(this.#table(name)),
      beginCreate: (name, columns) => {
        record.events.push(`begin create ${name.table}`);
        return Promise.resolve({ table: name.table, columns: columns as unknown as Json });
      },
      finishCreate: (handle, fragments) => {
        const { table, columns } = handle as unknown as { table: string; columns: readonly ColumnMetadata[] };
        record.events.push(`finish create ${table}`);
        record.tables.set(table, columns);
        record.fragments = fragments;
        return Promise.resolve();
      },
      beginInsert: (table) => {
        record.events.push(`begin insert ${table.name.table}`);
        return Promise.resolve({ table: table.name.table });
      },
      finishInsert: (_handle, fragments) => {
        record.events.push("finish insert");
        record.fragments = fragments;
        return Promise.resolve();
      },
      abortWrite: (handle) => {
        record.events.push(`abort ${(handle as { table: string }).table}`);
        return Promise.resolve();
      },
      dropTable: (table) => {
        record.events.push(`drop ${table.name.table}`);
        record.tables.delete(table.name.table);
        return Promise.resolve();
      },
    };
  }

  getSplits(): Promise<never> {
    return Promise.reject(new QueryError("NOT_SUPPORTED", "This connector keeps no rows"));
  }

  createPageSource(): never {
    throw new QueryError("NOT_SUPPORTED", "This connector keeps no rows");
  }

  createPageSink(): ReturnType<NonNullable<Connector["createPageSink"]>> {
    let rows = 0;
    return {
      append: (page) => {
        rows += page.positionCount;
      },
      blocked: () => undefined,
      finish: () => Promise.resolve({ rows }),
      abort: () => {},
    };
  }

  #table(name: SchemaTableName): TableMetadata | undefined {
    const columns = this.#record.tables.get(name.table);
    return columns === undefined ? undefined : { name, columns, handle: { table: name.table } };
  }
}
