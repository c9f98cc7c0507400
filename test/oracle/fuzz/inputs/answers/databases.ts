/** The fuzzers of answers of PostgreSQL and MySQL. */
import type { FuzzTarget } from "../target.ts";
import { mysqlCatalog, password, postgresqlCatalog } from "./catalogs.ts";
import { MysqlProtocol } from "./mysql.ts";
import { PostgresqlProtocol } from "./postgresql.ts";
import { readRecorded } from "./recorded.ts";
import { databaseStatements } from "./statements.ts";
import { openAnswers } from "./target.ts";
import { WireServer } from "./wire-server.ts";

export async function openDatabase(kind: "postgresql" | "mysql"): Promise<FuzzTarget<unknown>> {
  const recorded = readRecorded(kind);
  const server = kind === "postgresql" ? new WireServer(new PostgresqlProtocol(recorded)) : new WireServer(new MysqlProtocol(recorded));
  const port = await server.listen();
  const catalog = kind === "postgresql" ? postgresqlCatalog(port) : mysqlCatalog(port);
  return openAnswers({ server, catalog, statements: databaseStatements, secrets: [password] });
}
