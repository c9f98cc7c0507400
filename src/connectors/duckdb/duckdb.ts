/**
 * The connector of DuckDB: the schemas of one file, which is read, or read and written by the coordinator alone. The library is a package
 * of its own that users install.
 *
 * - `duckdb.file` (required): path of the file.
 * - `duckdb.access-mode` (READ_ONLY): READ_WRITE for a file that is changed.
 * - `duckdb.memory-limit` (1GB), `duckdb.threads` (2): what DuckDB takes of a node.
 * - `duckdb.split-rows` (1000000): rows of a split.
 */
import { type DatabaseAddress } from "../../ports/databases.ts";
import { QueryError } from "../../protocol/errors.ts";
import { dataSizeProperty, integerProperty, invalidProperty } from "../shared/properties.ts";
import { remoteOptionsOf, remotePropertyNames, unsupportedTypesOf } from "../shared/remote/options.ts";
import { executeProcedure } from "../shared/remote/native/execute-procedure.ts";
import { RemoteConnector } from "../shared/remote/remote-connector.ts";
import { sinksOf } from "../shared/remote/staging.ts";
import type { ConnectorFactory } from "../spi.ts";
import { DuckdbDialect } from "./dialect.ts";
import { DuckdbMetadata } from "./metadata.ts";
import { jsonRows, storedLiteral } from "./stored-types.ts";
import { DuckdbWrites, stagingPreparation, WritableDuckdbMetadata } from "./writable-metadata.ts";

const fileProperty = "duckdb.file";
const accessProperty = "duckdb.access-mode";
const memoryProperty = "duckdb.memory-limit";
const threadsProperty = "duckdb.threads";
const splitProperty = "duckdb.split-rows";
const memoryBytesDefault = 1_073_741_824;
const memoryBytesMin = 16_777_216;

type Properties = Readonly<Record<string, string>>;

/** Throws CONFIGURATION_INVALID. */
function isWritable(properties: Properties): boolean {
  const mode = properties[accessProperty]?.trim().toUpperCase() ?? "READ_ONLY";
  if (mode !== "READ_ONLY" && mode !== "READ_WRITE") {
    throw invalidProperty(accessProperty, properties[accessProperty] ?? "");
  }
  return mode === "READ_WRITE";
}

/** Throws CONFIGURATION_INVALID. */
function addressOf(properties: Properties): DatabaseAddress {
  const file = properties[fileProperty]?.trim() ?? "";
  if (file === "") {
    throw new QueryError("CONFIGURATION_INVALID", `Property '${fileProperty}' is required`);
  }
  // DuckDB takes other texts for databases in memory, or of services.
  if (/^[\w+-]{2,}:|^:/.test(file)) {
    throw invalidProperty(fileProperty, file);
  }
  const memoryBytes = dataSizeProperty(properties, memoryProperty) ?? memoryBytesDefault;
  if (memoryBytes < memoryBytesMin) {
    throw invalidProperty(memoryProperty, properties[memoryProperty] ?? "");
  }
  return {
    kind: "duckdb",
    host: "",
    port: 0,
    database: file,
    tls: { mode: "disable" },
    connectTimeoutMs: 0,
    ...(isWritable(properties) && { isWritable: true, preparation: stagingPreparation }),
    settings: {
      memory_limit: `${memoryBytes}B`,
      threads: String(integerProperty(properties, threadsProperty, { min: 1, max: 1024, default: 2 })),
    },
  };
}

export const duckdbConnectorFactory: ConnectorFactory = {
  name: "duckdb",
  properties: [
    fileProperty,
    accessProperty,
    memoryProperty,
    threadsProperty,
    splitProperty,
    ...remotePropertyNames.filter((name) => !/^connection-(?:url|user|password)$/.test(name)),
  ],
  create: (properties, context) => {
    const splitRows = integerProperty(properties, splitProperty, { min: 1, max: 1_000_000_000, default: 1_000_000 });
    const dialect = new DuckdbDialect({ splitRows });
    const { answerMs, connectionsMax, hasStatistics, pushdown, rowsPerInsert, valuesMax, waitMs } = remoteOptionsOf(properties, {
      rowsPerInsertMax: 100_000,
    });
    const unsupported = unsupportedTypesOf(properties);
    const address = addressOf(properties);
    return new RemoteConnector(context, {
      address,
      dialect,
      settings: "",
      connectionsMax,
      waitMs,
      answerMs,
      valuesMax,
      fetchSize: undefined,
      createSinks: sinksOf(context, { rowsMax: rowsPerInsert, literal: storedLiteral, rows: jsonRows }),
      createCatalog: (holders) => {
        const options = { dialect, pushdown, valuesMax, unsupported, hasStatistics };
        if (address.isWritable !== true) {
          return { metadata: (connections) => new DuckdbMetadata(connections, options) };
        }
        const writes = new DuckdbWrites(holders);
        const written = { ...options, ids: context.ports.random.stream(`duckdb-writes-${context.catalog}`), writes };
        return {
          metadata: (connections) => new WritableDuckdbMetadata(connections, written),
          executeProcedure: (connections) => executeProcedure(connections, (work) => writes.inTurn(work)),
        };
      },
    });
  },
};
