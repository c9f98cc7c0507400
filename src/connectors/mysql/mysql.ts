/**
 * The connectors of MySQL and MariaDB: the databases of one server are schemas. Names of properties are Trino's.
 */
import { dataSizeProperty, invalidProperty } from "../shared/properties.ts";
import { remoteOptionsOf, remotePropertyNames, unsupportedTypesOf } from "../shared/remote/options.ts";
import { executeProcedure } from "../shared/remote/native/execute-procedure.ts";
import { RemoteConnector } from "../shared/remote/remote-connector.ts";
import { sinksOf } from "../shared/remote/staging.ts";
import type { ConnectorFactory } from "../spi.ts";
import { addressOf } from "./address.ts";
import { MysqlDialect, sessionSettings } from "./dialect.ts";
import { storedLiteral } from "./stored-types.ts";
import { WritableMysqlMetadata } from "./writable-metadata.ts";

const splitBytesDefault = 33_554_432;

const propertyNames = [...remotePropertyNames, "mysql.split-size"];

function factoryOf(kind: "mysql" | "mariadb"): ConnectorFactory {
  return {
    name: kind,
    properties: propertyNames,
    create: (properties, context) => {
      const splitBytes = dataSizeProperty(properties, "mysql.split-size") ?? splitBytesDefault;
      if (splitBytes === 0) {
        throw invalidProperty("mysql.split-size", properties["mysql.split-size"] ?? "");
      }
      const unsupported = unsupportedTypesOf(properties);
      const dialect = new MysqlDialect({ splitBytes });
      const { answerMs, connectionsMax, hasStatistics, pushdown, rowsPerInsert, valuesMax, waitMs } = remoteOptionsOf(properties, {
        rowsPerInsertMax: 1_000_000,
      });
      return new RemoteConnector(context, {
        address: addressOf(kind, properties),
        dialect,
        settings: sessionSettings,
        connectionsMax,
        waitMs,
        answerMs,
        valuesMax,
        fetchSize: undefined,
        createSinks: sinksOf(context, { rowsMax: rowsPerInsert, literal: storedLiteral }),
        createCatalog: () => {
          const written = {
            ids: context.ports.random.stream(`mysql-writes-${context.catalog}`),
            dialect,
            pushdown,
            valuesMax,
            unsupported,
            hasStatistics,
          };
          return { metadata: (connections) => new WritableMysqlMetadata(connections, written), executeProcedure };
        },
      });
    },
  };
}

export const mysqlConnectorFactory: ConnectorFactory = factoryOf("mysql");
export const mariadbConnectorFactory: ConnectorFactory = factoryOf("mariadb");
