/**
 * The connectors of other clusters: one catalog of Trino, of Presto, or of an Orrery. Names of properties are those of the connectors of
 * databases.
 */
import { booleanProperty, durationProperty, integerProperty, invalidProperty } from "../shared/properties.ts";
import { queryFunction } from "../shared/remote/query-function.ts";
import { RemoteConnector } from "../shared/remote/remote-connector.ts";
import { sinksOf } from "../shared/remote/staging.ts";
import { pageLiteral } from "../shared/remote/statement-literals.ts";
import type { ConnectorFactory } from "../spi.ts";
import { addressOf } from "./address.ts";
import { ClusterDialect } from "./dialect.ts";
import { WritableClusterMetadata } from "./writable-metadata.ts";

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
  "statistics.enabled",
  "topn-pushdown.enabled",
  "unsupported-type-handling",
  "write.batch-size",
] as const;

function factoryOf(kind: "trino" | "presto"): ConnectorFactory {
  return {
    name: kind,
    properties: propertyNames,
    create: (properties, context) => {
      const dialect = new ClusterDialect({ comparesDoubles: kind === "trino" });
      const valuesMax = integerProperty(properties, "domain-compaction-threshold", { min: 1, max: 10_000, default: valuesMaxDefault });
      const pushdown = {
        aggregates: booleanProperty(properties, "aggregation-pushdown.enabled", true),
        joins: booleanProperty(properties, "join-pushdown.enabled", true),
        topN: booleanProperty(properties, "topn-pushdown.enabled", true),
      };
      const hasStatistics = booleanProperty(properties, "statistics.enabled", true);
      const unsupported = properties["unsupported-type-handling"]?.trim().toUpperCase() ?? "IGNORE";
      if (unsupported !== "IGNORE" && unsupported !== "CONVERT_TO_VARCHAR") {
        throw invalidProperty("unsupported-type-handling", properties["unsupported-type-handling"] ?? "");
      }
      return new RemoteConnector(context, {
        address: addressOf(kind, properties),
        dialect,
        settings: "",
        connectionsMax: integerProperty(properties, "connection-pool.max-size", { min: 1, max: 10_000, default: connectionsDefault }),
        waitMs: durationProperty(properties, "connection-pool.wait", "30s"),
        valuesMax,
        fetchSize: undefined,
        createSinks: sinksOf(context, {
          rowsMax: integerProperty(properties, "write.batch-size", { min: 1, max: 100_000, default: rowsPerInsert }),
          literal: pageLiteral,
        }),
        createMetadata: (pool) => {
          const metadata = new WritableClusterMetadata(pool, {
            ids: context.ports.random.stream(`cluster-writes-${context.catalog}`),
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

export const trinoConnectorFactory: ConnectorFactory = factoryOf("trino");
export const prestoConnectorFactory: ConnectorFactory = factoryOf("presto");
