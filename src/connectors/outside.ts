/** Connectors of files, databases and other clusters. Programs that reach none, such as the page of the playground, go without. */
import type { ConnectorFactory } from "./spi.ts";
import { duckdbConnectorFactory } from "./duckdb/duckdb.ts";
import { filesConnectorFactory } from "./files/files.ts";
import { icebergConnectorFactory } from "./files/lake/catalog/iceberg-connector.ts";
import { mariadbConnectorFactory, mysqlConnectorFactory } from "./mysql/mysql.ts";
import { postgresqlConnectorFactory } from "./postgresql/postgresql.ts";
import { sqliteConnectorFactory } from "./sqlite/sqlite.ts";
import { prestoConnectorFactory, trinoConnectorFactory } from "./trino/trino.ts";

export const outsideConnectorFactories: readonly ConnectorFactory[] = Object.freeze([
  duckdbConnectorFactory,
  filesConnectorFactory,
  icebergConnectorFactory,
  mariadbConnectorFactory,
  mysqlConnectorFactory,
  postgresqlConnectorFactory,
  prestoConnectorFactory,
  sqliteConnectorFactory,
  trinoConnectorFactory,
]);
