/**
 * The PostgreSQL connector: schemas of one database. Names of properties are Trino's.
 */
import { booleanProperty, dataSizeProperty, integerProperty, invalidProperty } from "../shared/properties.ts";
import { remoteOptionsOf, remotePropertyNames } from "../shared/remote/options.ts";
import { executeProcedure } from "../shared/remote/native/execute-procedure.ts";
import { RemoteConnector } from "../shared/remote/remote-connector.ts";
import { sinksOf } from "../shared/remote/staging.ts";
import type { ConnectorFactory } from "../spi.ts";
import { addressOf } from "./address.ts";
import { PostgresqlDialect, sessionSettings } from "./dialect.ts";
import { WritablePostgresqlMetadata } from "./writable-metadata.ts";
import { storedLiteral } from "./stored-types.ts";
import type { TypeOptions } from "./types.ts";

const splitBytesDefault = 33_554_432;

const propertyNames = [
  ...remotePropertyNames,
  "case-insensitive-name-matching",
  "decimal-default-scale",
  "decimal-mapping",
  "decimal-rounding-mode",
  "jdbc-types-mapped-to-varchar",
  "postgresql.array-mapping",
  "postgresql.fetch-size",
  "postgresql.include-system-tables",
  "postgresql.split-size",
] as const;

type Properties = Readonly<Record<string, string>>;

function choice<T extends string>(properties: Properties, name: (typeof propertyNames)[number], choices: readonly [T, ...T[]]): T {
  const value = properties[name]?.trim().toUpperCase().replaceAll("-", "_");
  if (value === undefined) {
    return choices[0];
  }
  const found = choices.find((one) => one === value);
  if (found === undefined) {
    throw invalidProperty(name, properties[name] ?? "");
  }
  return found;
}

function typeOptionsOf(properties: Properties): TypeOptions {
  return {
    arrays: choice(properties, "postgresql.array-mapping", ["DISABLED", "AS_ARRAY", "AS_JSON"]),
    unsupported: choice(properties, "unsupported-type-handling", ["IGNORE", "CONVERT_TO_VARCHAR"]),
    decimals: choice(properties, "decimal-mapping", ["STRICT", "ALLOW_OVERFLOW"]),
    decimalScale: integerProperty(properties, "decimal-default-scale", { min: 0, max: 38, default: 0 }),
    rounding: choice(properties, "decimal-rounding-mode", [
      "UNNECESSARY",
      "UP",
      "DOWN",
      "CEILING",
      "FLOOR",
      "HALF_UP",
      "HALF_DOWN",
      "HALF_EVEN",
    ]),
    asVarchar: new Set(
      (properties["jdbc-types-mapped-to-varchar"] ?? "")
        .split(",")
        .map((name) => name.trim().toLowerCase())
        .filter((name) => name !== ""),
    ),
  };
}

export const postgresqlConnectorFactory: ConnectorFactory = {
  name: "postgresql",
  properties: propertyNames,
  create: (properties, context) => {
    const address = addressOf(properties);
    const types = typeOptionsOf(properties);
    const splitBytes = dataSizeProperty(properties, "postgresql.split-size") ?? splitBytesDefault;
    if (splitBytes === 0) {
      throw invalidProperty("postgresql.split-size", properties["postgresql.split-size"] ?? "");
    }
    const isInsensitive = booleanProperty(properties, "case-insensitive-name-matching", false);
    const hasSystemTables = booleanProperty(properties, "postgresql.include-system-tables", false);
    const fetchSize = integerProperty(properties, "postgresql.fetch-size", { min: 0, max: 1_000_000, default: 0 });
    const { answerMs, connectionsMax, hasStatistics, pushdown, rowsPerInsert, valuesMax, waitMs } = remoteOptionsOf(properties, {
      rowsPerInsertMax: 1_000_000,
    });
    const dialect = new PostgresqlDialect({ splitBytes, types });
    return new RemoteConnector(context, {
      address,
      dialect,
      settings: sessionSettings,
      connectionsMax,
      waitMs,
      answerMs,
      valuesMax,
      fetchSize: fetchSize === 0 ? undefined : fetchSize,
      createSinks: sinksOf(context, { rowsMax: rowsPerInsert, literal: storedLiteral }),
      createCatalog: () => {
        const written = {
          ids: context.ports.random.stream(`postgresql-writes-${context.catalog}`),
          types,
          isInsensitive,
          hasSystemTables,
          hasStatistics,
          dialect,
          pushdown,
          valuesMax,
        };
        return { metadata: (connections) => new WritablePostgresqlMetadata(connections, written), executeProcedure };
      },
    });
  },
};
