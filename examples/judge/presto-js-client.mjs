// The official JavaScript client of Presto, @prestodb/presto-js-client.
import { createRequire } from "node:module";
import { runJob, server } from "./contract.mjs";

const { PrestoClient } = createRequire(import.meta.url)("@prestodb/presto-js-client");
const { catalog, host, port, schema, user } = server;
const client = new PrestoClient({ host: `http://${host}`, port, user, catalog, schema });

await runJob({
  session: false,
  run: async (sql, onRow) => {
    const { data = [] } = await client.query(sql);
    data.forEach(onRow);
  },
});
