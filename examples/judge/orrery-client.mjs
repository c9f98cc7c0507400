// The client of this package. ORRERY_CLIENT names another build of it.
import { runJob, server } from "./contract.mjs";

const { createClient } = await import(process.env.ORRERY_CLIENT ?? "orrery/client");
const client = createClient({ server: server.uri, user: server.user, catalog: server.catalog, schema: server.schema });
const abort = new AbortController();

let running = Promise.resolve();

async function read(sql, onRow) {
  for await (const row of client.query(sql, { signal: abort.signal })) {
    onRow(row);
  }
}

await runJob({
  run: (sql, onRow) => {
    running = read(sql, onRow);
    return running;
  },
  cancel: async (sql) => {
    for await (const _ of client.query(sql)) {
      break;
    }
  },
  // The loop over the rows ends when the query is deleted.
  interrupt: async () => {
    abort.abort();
    await running.catch(() => undefined);
  },
});
await client.close();
