/** A simulated cluster with a shared secret: unsigned requests are refused on every node, and queries go on. */
import { expect, it } from "vitest";
import { sharedSecretProperty } from "../../src/protocol/http/internal-signature.ts";
import { encodeUtf8 } from "../../src/types/utf8.ts";
import { intrusions } from "../support/intruder.ts";
import { Asker } from "../support/service.ts";
import { startSimulatedService } from "../support/simulated-service.ts";

it("an intruder without the secret of a simulated cluster changes and reads nothing", async () => {
  const service = await startSimulatedService("intruder", {
    properties: { [sharedSecretProperty]: "the secret of a simulated cluster" },
    workerNames: ["worker-1", "worker-2"],
  });
  const statuses = async (): Promise<readonly string[]> => {
    const found = new Set<string>();
    for (const uri of [service.uri, ...service.workerUris]) {
      for (const { method, path, body = "" } of intrusions) {
        const { status } = await service.request(method, uri + path, { body: encodeUtf8(body) });
        found.add(`${status}`);
      }
    }
    return [...found];
  };
  const asker = new Asker(service, { "x-presto-user": "u" });
  const sql = "SELECT regionkey, count(*) FROM tpch.tiny.nation GROUP BY 1 ORDER BY 1";
  const before = await asker.rows(sql);
  expect(before).toHaveLength(5);
  expect(await statuses()).toEqual(["401"]);
  // An announcement that was taken would expire now; those of the nodes are signed and renewed.
  await service.wait(30_000);
  expect(
    service.cluster
      .node("c")
      ?.cluster?.activeWorkers()
      .map(({ nodeId }) => nodeId),
  ).toEqual(["worker-1", "worker-2"]);
  expect(await asker.rows(sql)).toEqual(before);
  await service.stop();
});

it("without a secret the same requests would reach the nodes", async () => {
  const service = await startSimulatedService("intruder", { workerNames: ["worker-1", "worker-2"] });
  const state = await service.request("PUT", `${service.workerUris[0] ?? ""}/v1/info/state`, { body: encodeUtf8('"SHUTTING_DOWN"') });
  expect(state.status).toBe(200);
  await service.stop();
});
