/**
 * The connectors of this build. The system connector shows the node itself and is made with systemConnectorFactory.
 */
import type { ConnectorFactory } from "./spi.ts";
import { blackholeConnectorFactory } from "./blackhole/blackhole.ts";
import { duckdbConnectorFactory } from "./duckdb/duckdb.ts";
import { fakerConnectorFactory } from "./faker/faker.ts";
import { filesConnectorFactory } from "./files/files.ts";
import { icebergConnectorFactory } from "./files/lake/catalog/iceberg-connector.ts";
import { memoryConnectorFactory } from "./memory/memory.ts";
import { mariadbConnectorFactory, mysqlConnectorFactory } from "./mysql/mysql.ts";
import { postgresqlConnectorFactory } from "./postgresql/postgresql.ts";
import { sqliteConnectorFactory } from "./sqlite/sqlite.ts";
import { tpcdsConnectorFactory } from "./tpcds/tpcds.ts";
import { tpchConnectorFactory } from "./tpch/tpch.ts";
import { prestoConnectorFactory, trinoConnectorFactory } from "./trino/trino.ts";

/** By name. */
export const connectorFactories: readonly ConnectorFactory[] = Object.freeze([
  blackholeConnectorFactory,
  duckdbConnectorFactory,
  fakerConnectorFactory,
  filesConnectorFactory,
  icebergConnectorFactory,
  mariadbConnectorFactory,
  memoryConnectorFactory,
  mysqlConnectorFactory,
  postgresqlConnectorFactory,
  prestoConnectorFactory,
  sqliteConnectorFactory,
  tpcdsConnectorFactory,
  tpchConnectorFactory,
  trinoConnectorFactory,
]);
