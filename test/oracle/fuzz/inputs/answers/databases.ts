/** The fuzzers of answers of PostgreSQL, MySQL and clusters of Trino. */
import type { FuzzTarget } from "../target.ts";
import { clusterCatalogs, clusterRouting, mysqlCatalog, password, postgresqlCatalog } from "./catalogs.ts";
import { MysqlProtocol } from "./mysql.ts";
import { PostgresqlProtocol } from "./postgresql.ts";
import { readRecorded } from "./recorded.ts";
import { clusterStatements, databaseStatements } from "./statements.ts";
import { openAnswers } from "./target.ts";
import { ClusterServer } from "./web/cluster-server.ts";
import { WireServer } from "./wire-server.ts";

export async function openDatabase(kind: "postgresql" | "mysql"): Promise<FuzzTarget<unknown>> {
  const recorded = readRecorded(kind);
  const server = kind === "postgresql" ? new WireServer(new PostgresqlProtocol(recorded)) : new WireServer(new MysqlProtocol(recorded));
  const port = await server.listen();
  const far = kind === "postgresql" ? postgresqlCatalog(port) : mysqlCatalog(port);
  return openAnswers({ server, catalogs: { far }, statements: databaseStatements, secrets: [password] });
}

export async function openCluster(): Promise<FuzzTarget<unknown>> {
  const server = new ClusterServer(readRecorded("cluster"));
  const port = await server.listen();
  const queryRouting = clusterRouting(port);
  return openAnswers({ server, catalogs: clusterCatalogs(port), queryRouting, statements: clusterStatements, secrets: [password] });
}
