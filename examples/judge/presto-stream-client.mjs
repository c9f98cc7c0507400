// npm's presto-stream-client.
import { createRequire } from "node:module";
import { runJob, server } from "./contract.mjs";

const { Client } = createRequire(import.meta.url)("presto-stream-client");
const { catalog, host, port, schema, user } = server;
const client = new Client({ host, port, user, catalog, schema, objectMode: true });
let running;

await runJob({
  session: false,
  run: async (query, onRow) => {
    const statement = await client.execute({ query });
    running = statement;
    await new Promise((resolve, reject) => {
      let names = [];
      statement
        .on("columns", (columns) => {
          names = columns.map(({ name }) => name);
        })
        .on("data", (row) => onRow(names.map((name) => row[name])))
        .on("end", resolve)
        .on("error", reject);
    });
  },
  cancel: async (query) => {
    const statement = await client.execute({ query });
    await new Promise((resolve, reject) => statement.once("data", resolve).on("error", reject));
    await statement.cancel();
  },
  interrupt: () => running.cancel(),
});
