/** The connectors that reach a database, or another cluster. Programs that cannot, such as the page of the playground, go without. */
import type { ConnectorFactory } from "./spi.ts";
import { duckdbConnectorFactory } from "./duckdb/duckdb.ts";
import { mariadbConnectorFactory, mysqlConnectorFactory } from "./mysql/mysql.ts";
import { postgresqlConnectorFactory } from "./postgresql/postgresql.ts";
import { sqliteConnectorFactory } from "./sqlite/sqlite.ts";
import { prestoConnectorFactory, trinoConnectorFactory } from "./trino/trino.ts";

export const databaseConnectorFactories: readonly ConnectorFactory[] = Object.freeze([
  duckdbConnectorFactory,
  mariadbConnectorFactory,
  mysqlConnectorFactory,
  postgresqlConnectorFactory,
  prestoConnectorFactory,
  sqliteConnectorFactory,
  trinoConnectorFactory,
]);
