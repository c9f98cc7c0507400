/**
 * The connectors of MySQL and MariaDB: the databases of one server are schemas. Names of properties are Trino's.
 */
import { booleanProperty, dataSizeProperty, durationProperty, integerProperty, invalidProperty } from "../shared/properties.ts";
import { queryFunction } from "../shared/remote/query-function.ts";
import { RemoteConnector } from "../shared/remote/remote-connector.ts";
import { sinksOf } from "../shared/remote/staging.ts";
import type { ConnectorFactory } from "../spi.ts";
import { addressOf } from "./address.ts";
import { MysqlDialect, sessionSettings } from "./dialect.ts";
import { storedLiteral } from "./stored-types.ts";
import { WritableMysqlMetadata } from "./writable-metadata.ts";

const splitBytesDefault = 33_554_432;
const valuesMaxDefault = 256;
const connectionsDefault = 10;
const rowsPerInsert = 1000;

const propertyNames = [
  "connection-url",
  "connection-user",
  "connection-password",
  "connection-pool.max-size",
  "connection-pool.wait",
  "aggregation-pushdown.enabled",
  "domain-compaction-threshold",
  "join-pushdown.enabled",
  "mysql.split-size",
  "statistics.enabled",
  "topn-pushdown.enabled",
  "unsupported-type-handling",
  "write.batch-size",
] as const;

function factoryOf(kind: "mysql" | "mariadb"): ConnectorFactory {
  return {
    name: kind,
    properties: propertyNames,
    create: (properties, context) => {
      const splitBytes = dataSizeProperty(properties, "mysql.split-size") ?? splitBytesDefault;
      if (splitBytes === 0) {
        throw invalidProperty("mysql.split-size", properties["mysql.split-size"] ?? "");
      }
      const unsupported = properties["unsupported-type-handling"]?.trim().toUpperCase() ?? "IGNORE";
      if (unsupported !== "IGNORE" && unsupported !== "CONVERT_TO_VARCHAR") {
        throw invalidProperty("unsupported-type-handling", properties["unsupported-type-handling"] ?? "");
      }
      const dialect = new MysqlDialect({ splitBytes });
      const valuesMax = integerProperty(properties, "domain-compaction-threshold", { min: 1, max: 10_000, default: valuesMaxDefault });
      const pushdown = {
        aggregates: booleanProperty(properties, "aggregation-pushdown.enabled", true),
        joins: booleanProperty(properties, "join-pushdown.enabled", true),
        topN: booleanProperty(properties, "topn-pushdown.enabled", true),
      };
      const hasStatistics = booleanProperty(properties, "statistics.enabled", true);
      return new RemoteConnector(context, {
        address: addressOf(kind, properties),
        dialect,
        settings: sessionSettings,
        connectionsMax: integerProperty(properties, "connection-pool.max-size", { min: 1, max: 10_000, default: connectionsDefault }),
        waitMs: durationProperty(properties, "connection-pool.wait", "30s"),
        valuesMax,
        fetchSize: undefined,
        createSinks: sinksOf(context, {
          rowsMax: integerProperty(properties, "write.batch-size", { min: 1, max: 1_000_000, default: rowsPerInsert }),
          literal: storedLiteral,
        }),
        createMetadata: (pool) => {
          const metadata = new WritableMysqlMetadata(pool, {
            ids: context.ports.random.stream(`mysql-writes-${context.catalog}`),
            dialect,
            pushdown,
            valuesMax,
            unsupported,
            hasStatistics,
          });
          return { metadata, functions: [queryFunction(metadata)] };
        },
      });
    },
  };
}

export const mysqlConnectorFactory: ConnectorFactory = factoryOf("mysql");
export const mariadbConnectorFactory: ConnectorFactory = factoryOf("mariadb");
