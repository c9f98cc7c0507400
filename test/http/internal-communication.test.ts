/** Strangers at the doors between nodes, over sockets. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessOf } from "../../src/protocol/http/access.ts";
import { internalSignatureHeader, RequestSigner } from "../../src/protocol/http/internal-signature.ts";
import { encodeUtf8 } from "../../src/types/utf8.ts";
import { intrusions } from "../support/intruder.ts";
import { clusterSecret, type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker } from "../support/service.ts";

let cluster: LoopbackCluster;

beforeAll(async () => {
  cluster = await startLoopbackCluster({ properties: { "catalog.management": "dynamic" } });
});

afterAll(async () => {
  await cluster.stop();
});

function addresses(): readonly string[] {
  return [cluster.uri, ...cluster.workerUris];
}

async function statusOf(uri: string, method: string, body: string | undefined, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(uri, { method, headers, ...(body === undefined ? {} : { body }) });
  await response.arrayBuffer();
  return response.status;
}

async function worksStill(): Promise<void> {
  expect(cluster.nodes[0]?.cluster?.activeWorkers().map(({ nodeId }) => nodeId)).toEqual(["worker-1", "worker-2"]);
  const rows = await new Asker(cluster, { "x-presto-user": "u" }).rows("SELECT count(*) FROM tpch.tiny.orders GROUP BY orderstatus = 'x'");
  expect(rows).toEqual([[15000]]);
}

describe("between nodes", () => {
  it("no request without a signature is taken, on any node", async () => {
    for (const uri of addresses()) {
      for (const { method, path, body } of intrusions) {
        expect(`${method} ${path} ${await statusOf(uri + path, method, body)}`).toBe(`${method} ${path} 401`);
      }
    }
    await worksStill();
  });

  it("a signature of another cluster, of another request or of another body is refused", async () => {
    const sign = (secret: string, path: string, body: string): string =>
      new RequestSigner({ secret, nodeId: "worker-1", wallMillis: () => Date.now() }).sign("PUT", path, encodeUtf8(body));
    const path = "/v1/info/state";
    const body = '"SHUTTING_DOWN"';
    for (const signature of [
      sign("another secret of a cluster", path, body),
      sign(clusterSecret, "/v1/announcement/worker-1", body),
      sign(clusterSecret, path, '"ACTIVE"'),
      sign(clusterSecret, `${path}?x`, body),
    ]) {
      for (const uri of addresses()) {
        expect(await statusOf(uri + path, "PUT", body, { [internalSignatureHeader]: signature })).toBe(401);
      }
    }
    // The same request with its own signature is taken: on a coordinator, it is not allowed for another reason.
    expect(await statusOf(cluster.uri + path, "PUT", body, { [internalSignatureHeader]: sign(clusterSecret, path, body) })).toBe(400);
    await worksStill();
  });

  it("the body of a request without a signature is not received", async () => {
    const { hostname, port } = new URL(cluster.uri);
    const socket = connect(Number(port), hostname);
    const answer = new Promise<string>((resolve) => socket.once("data", (bytes) => resolve(bytes.toString("latin1"))));
    // The body never comes, and nobody waits for it.
    socket.write(`POST /v1/task/a.1.0 HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-length: 60000000\r\n\r\n`);
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });

  it("other spellings of an address do not pass the check", async () => {
    const path = "/v1/info/state";
    for (const spelled of [`${path}/`, `${path}?x=1`, "/v1/info/%73tate", "//v1/info/state", "/v1//info/state", "/V1/info/state"]) {
      const { hostname, port } = new URL(cluster.workerUris[0] as string);
      const socket = connect(Number(port), hostname);
      const answer = new Promise<string>((resolve) => socket.once("data", (bytes) => resolve(bytes.toString("latin1"))));
      const body = '"SHUTTING_DOWN"';
      socket.write(`PUT ${spelled} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      expect(`${spelled} ${(await answer).slice(9, 12)}`).toMatch(/ (401|404|400)$/);
      socket.destroy();
    }
    await worksStill();
  });

  it("every resource that changes something is internal or the user's, by decision", () => {
    const changing = (index: number, role: "coordinator" | "worker"): readonly string[] =>
      (cluster.nodes[index]?.routes ?? [])
        .filter(({ method, pattern }) => method !== "GET" && method !== "HEAD" && accessOf({ method, url: pattern }, role) !== "internal")
        .map(({ method, pattern }) => `${method} ${pattern}`);
    expect(changing(1, "worker")).toEqual([]);
    expect(changing(0, "coordinator").toSorted()).toEqual([
      "DELETE /v1/catalog/{catalog}",
      "DELETE /v1/query/stage/{stageId}",
      "DELETE /v1/query/{queryId}",
      "DELETE /v1/stage/{stageId}",
      "DELETE /v1/statement/{queryId}/{token}",
      "POST /ui/login",
      "POST /v1/catalog",
      "POST /v1/statement",
      "PUT /v1/query/{queryId}/killed",
      "PUT /v1/query/{queryId}/preempted",
      "PUT /v1/statement/{queryId}",
    ]);
  });
});
