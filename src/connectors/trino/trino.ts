/**
 * The connectors of other clusters: one catalog of Trino, of Presto, or of an Orrery. Names of properties are those of the connectors of
 * databases.
 */
import { remoteOptionsOf, remotePropertyNames, unsupportedTypesOf } from "../shared/remote/options.ts";
import { executeProcedure } from "../shared/remote/native/execute-procedure.ts";
import { RemoteConnector } from "../shared/remote/remote-connector.ts";
import { sinksOf } from "../shared/remote/staging.ts";
import { pageLiteral } from "../shared/remote/statement/literals.ts";
import type { ConnectorFactory } from "../spi.ts";
import { addressOf } from "./address.ts";
import { ClusterDialect } from "./dialect.ts";
import { WritableClusterMetadata } from "./writable-metadata.ts";

function factoryOf(kind: "trino" | "presto"): ConnectorFactory {
  return {
    name: kind,
    properties: remotePropertyNames,
    create: (properties, context) => {
      const dialect = new ClusterDialect({ comparesDoubles: kind === "trino" });
      const { answerMs, connectionsMax, hasStatistics, pushdown, rowsPerInsert, valuesMax, waitMs } = remoteOptionsOf(properties, {
        rowsPerInsertMax: 100_000,
      });
      const unsupported = unsupportedTypesOf(properties);
      return new RemoteConnector(context, {
        address: addressOf(kind, properties),
        dialect,
        settings: "",
        connectionsMax,
        waitMs,
        answerMs,
        valuesMax,
        fetchSize: undefined,
        createSinks: sinksOf(context, { rowsMax: rowsPerInsert, literal: pageLiteral }),
        createCatalog: () => {
          const written = {
            ids: context.ports.random.stream(`cluster-writes-${context.catalog}`),
            dialect,
            pushdown,
            valuesMax,
            unsupported,
            hasStatistics,
          };
          return { metadata: (connections) => new WritableClusterMetadata(connections, written), executeProcedure };
        },
      });
    },
  };
}

export const trinoConnectorFactory: ConnectorFactory = factoryOf("trino");
export const prestoConnectorFactory: ConnectorFactory = factoryOf("presto");
