/** Connections to a cluster that does not answer. Clusters that do are asked in test/databases. */
import { createServer, type ServerResponse } from "node:http";
import { expect, it } from "vitest";
import type { DatabaseConnection } from "../../../src/ports/databases.ts";
import { connectCluster } from "../../../src/server/databases/cluster.ts";
import { closeServer, listenOnLoopback } from "../../support/stores/listening.ts";
import { results } from "../client/scripted.ts";

const works: Readonly<Record<string, (connection: DatabaseConnection) => Promise<unknown>>> = {
  query: (connection) => connection.query("SHOW TABLES"),
  describe: (connection) => connection.describe("SELECT 1"),
  open: (connection) => connection.open("SELECT 1").read(10),
};

it.each(Object.keys(works))("ends at once when it is closed, and tells the cluster later: %s", async (name) => {
  const asked: string[] = [];
  let onAsked = (): void => undefined;
  let submission: ServerResponse | undefined;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.method === "POST") {
      submission = response;
    } else {
      response.writeHead(204).end();
    }
    onAsked();
  });
  const next = (): Promise<void> => new Promise((resolve) => (onAsked = resolve));
  const origin = await listenOnLoopback(server);
  try {
    const port = Number(new URL(origin).port);
    const connection = connectCluster(
      { kind: "trino", host: "127.0.0.1", port, database: "c", tls: { mode: "disable" }, connectTimeoutMs: 1000 },
      "trino",
    );
    const submitted = next();
    const failure = expect(works[name]?.(connection)).rejects.toMatchObject({
      name: "DatabaseError",
      kind: "LOST",
      message: `The connection to 127.0.0.1:${port} was lost: it was closed`,
    });
    await submitted;
    connection.cancel();
    connection.close();
    await failure;
    expect([connection.isUsable, asked]).toEqual([false, ["POST /v1/statement"]]);
    const told = next();
    const document = results({ nextUri: `${origin}/v1/statement/q1/1` });
    submission?.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
    await told;
    expect(asked).toEqual(["POST /v1/statement", "DELETE /v1/statement/q1/1"]);
  } finally {
    await closeServer(server);
  }
});
