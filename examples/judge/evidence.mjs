// Evidence's driver, @evidence-dev/trino.
import { createRequire } from "node:module";
import { runJob, server } from "./contract.mjs";

const runQuery = createRequire(import.meta.url)("@evidence-dev/trino");
const { catalog, host, port, schema, user } = server;

await runJob({
  session: false,
  run: async (sql, onRow) => {
    const { rows } = await runQuery(sql, { host, port, user, catalog, schema, engine: "trino" });
    for (const row of rows) {
      onRow(Object.values(row));
    }
  },
});
