import type { QueryRoutingDocument } from "../../../../../src/protocol/documents/query-routing.ts";

/** Properties of the catalogs of altered servers. One connection at a time: one that is not given back is missed by the next statement. */
export const password = "sesame-of-the-tester";
const small = {
  "connection-user": "tester",
  "connection-password": password,
  "connection-pool.max-size": "1",
  "connection-pool.wait": "8s",
  "metadata.timeout": "2s",
};

type Properties = Readonly<Record<string, string>>;

export function postgresqlCatalog(port: number): Properties {
  return {
    ...small,
    "connector.name": "postgresql",
    "connection-url": `jdbc:postgresql://127.0.0.1:${port}/postgres?sslmode=prefer&connectTimeout=3`,
    "postgresql.array-mapping": "AS_ARRAY",
    "postgresql.split-size": "8kB",
  };
}

export function mysqlCatalog(port: number): Properties {
  return {
    ...small,
    "connector.name": "mysql",
    "connection-url": `jdbc:mysql://127.0.0.1:${port}?sslMode=disable&connectTimeout=3000`,
    "mysql.split-size": "16kB",
  };
}

/** One cluster as Trino, as Trino with segments, and as Presto. */
export function clusterCatalogs(port: number): Readonly<Record<string, Properties>> {
  const of = (kind: string, address: string): Properties => ({
    "connector.name": kind,
    "connection-url": `jdbc:${kind}://127.0.0.1:${port}/${address}`,
    "connection-pool.max-size": "1",
    "connection-pool.wait": "8s",
    "metadata.timeout": "2s",
  });
  return { far: of("trino", "memory"), spooled: of("trino", "tpch?encoding=json%2Blz4"), old: of("presto", "memory") };
}

/** Statements that name the catalog `lake` go to the cluster as they are. */
export function clusterRouting(port: number): QueryRoutingDocument {
  return {
    clusters: [{ name: "big", "connection-url": `jdbc:trino://127.0.0.1:${port}`, "max-error-duration": "0s" }],
    rules: [{ catalog: "lake", cluster: "big" }],
  };
}
