/** Databases by their client libraries, which are loaded with the first connection. */
import type { Databases } from "../../ports/databases.ts";

export const realDatabases: Databases = {
  async connect(address) {
    switch (address.kind) {
      case "postgresql": {
        const { connectPostgresql } = await import("./postgresql.ts");
        return connectPostgresql(address);
      }
      case "mysql": {
        const { connectMysql } = await import("./mysql.ts");
        return connectMysql(address);
      }
      case "duckdb": {
        const { connectDuckdb } = await import("./duckdb.ts");
        return connectDuckdb(address);
      }
      case "trino":
      case "presto": {
        const { connectCluster } = await import("./cluster.ts");
        return connectCluster(address, address.kind);
      }
    }
  },
};
