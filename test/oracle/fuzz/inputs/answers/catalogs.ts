/** Properties of the catalogs of altered servers. One connection at a time: one that is not given back is missed by the next statement. */
export const password = "sesame-of-the-tester";
const small = {
  "connection-user": "tester",
  "connection-password": password,
  "connection-pool.max-size": "1",
  "connection-pool.wait": "3s",
};

type Properties = Readonly<Record<string, string>>;

export function postgresqlCatalog(port: number): Properties {
  return {
    ...small,
    "connector.name": "postgresql",
    "connection-url": `jdbc:postgresql://127.0.0.1:${port}/postgres?sslmode=prefer&connectTimeout=5`,
    "postgresql.array-mapping": "AS_ARRAY",
    "postgresql.split-size": "8kB",
  };
}

export function mysqlCatalog(port: number): Properties {
  return {
    ...small,
    "connector.name": "mysql",
    "connection-url": `jdbc:mysql://127.0.0.1:${port}?sslMode=disable`,
    "mysql.split-size": "16kB",
  };
}
