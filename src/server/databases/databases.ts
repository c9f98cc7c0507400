/** Databases by their client libraries, which are loaded with the first connection. */
import type { Databases } from "../../ports/databases.ts";

export const realDatabases: Databases = {
  async connect(address) {
    if (address.kind !== "postgresql") {
      const { connectCluster } = await import("./cluster.ts");
      return connectCluster(address, address.kind);
    }
    const { connectPostgresql } = await import("./postgresql.ts");
    return connectPostgresql(address);
  },
};
