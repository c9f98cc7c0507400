// npm's lento.
import { createRequire } from "node:module";
import { runJob, server } from "./contract.mjs";

const lento = createRequire(import.meta.url)("lento");
const { catalog, host, port, schema, user } = server;
const client = lento({ hostname: host, port, user, catalog, schema });
let running;

function run(sql, onRow) {
  return new Promise((resolve, reject) => {
    running = client.createRowStream(sql, { rowFormat: "array" });
    running.on("data", onRow).on("end", resolve).on("error", reject);
  });
}

await runJob({
  run,
  cancel: (sql) =>
    new Promise((resolve, reject) => {
      const stream = client.createRowStream(sql, { rowFormat: "array" });
      stream
        .on("data", () => stream.destroy())
        .on("close", resolve)
        .on("error", reject);
    }),
  interrupt: () =>
    new Promise((resolve) => {
      running.on("close", resolve);
      running.destroy();
    }),
});
