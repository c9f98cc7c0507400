// npm's presto-client-ts.
import { createRequire } from "node:module";
import { runJob, server } from "./contract.mjs";

const { Client } = createRequire(import.meta.url)("presto-client-ts");
const { catalog, host, port, schema, user } = server;
const client = new Client({ host, port, user, catalog, schema, engine: "trino", checkInterval: 100 });
let stopped = false;

function execute(query, onRow, isOver) {
  return new Promise((resolve, reject) => {
    client.execute({
      query,
      cancel: isOver,
      data: (_error, rows) => rows.forEach(onRow),
      success: resolve,
      error: (error) => (isOver() ? resolve() : reject(new Error(error.message ?? String(error)))),
    });
  });
}

await runJob({
  session: false,
  run: (sql, onRow) => execute(sql, onRow, () => stopped),
  cancel: (sql) => {
    let rows = 0;
    return execute(
      sql,
      () => rows++,
      () => rows > 0,
    );
  },
  interrupt: () => {
    stopped = true;
    return new Promise((resolve) => setTimeout(resolve, 1000));
  },
});
