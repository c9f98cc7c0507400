// npm's trino-client.
import { BasicAuth, Trino } from "trino-client";
import { runJob, server } from "./contract.mjs";

const trino = Trino.create({ server: server.uri, auth: new BasicAuth(server.user), catalog: server.catalog, schema: server.schema });
let id;

async function run(sql, onRow) {
  for await (const result of await trino.query(sql)) {
    id = result.id;
    if (result.error !== undefined) {
      throw new Error(result.error.message);
    }
    for (const row of result.data ?? []) {
      onRow(row);
    }
  }
}

await runJob({
  run,
  cancel: async (sql) => {
    for await (const result of await trino.query(sql)) {
      if ((result.data ?? []).length > 0) {
        await trino.cancel(result.id);
        return;
      }
    }
  },
  interrupt: () => trino.cancel(id),
});
