/** What a call of a catalog on another node ends with, by the answer. */
import { describe, expect, it } from "vitest";
import { type HttpResponse, type Network, NetworkError } from "../../../src/ports/network.ts";
import type { ServiceList } from "../../../src/protocol/documents/info.ts";
import { jsonResponse } from "../../../src/protocol/http/http.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";
import { callByDirectory, callCatalog } from "../../../src/worker/catalog-calls.ts";
import { ServiceDirectory } from "../../../src/worker/service-directory.ts";

function call(status: number, body: string): Promise<unknown> {
  const response: HttpResponse = { status, headers: {}, body: encodeUtf8(body) };
  const network = { request: () => Promise.resolve(response) } as unknown as Network;
  return callCatalog({ network, catalog: "memory", nodeId: "w3", uri: "http://w3:8080", request: {}, timeoutMs: 1000 });
}

describe("a call of a catalog on another node", () => {
  it("gives the result, or the error of the other node", async () => {
    expect(await call(200, '{"result":[1]}')).toEqual([1]);
    const failure = {
      type: "TABLE_NOT_FOUND",
      message: "gone",
      stack: [],
      suppressed: [],
      errorCode: { code: 46, name: "TABLE_NOT_FOUND", type: "USER_ERROR" },
    };
    await expect(call(200, JSON.stringify({ error: failure }))).rejects.toMatchObject({ errorName: "TABLE_NOT_FOUND", message: "gone" });
  });

  it("takes a node under pressure for one that cannot be reached, so that the query may run again", async () => {
    await expect(call(503, "Server is overloaded, try again")).rejects.toMatchObject({
      errorName: "REMOTE_HOST_GONE",
      message: "Node w3 cannot be reached: http://w3:8080 answered 503: Server is overloaded, try again",
    });
    await expect(call(500, "no")).rejects.toMatchObject({ errorName: "GENERIC_INTERNAL_ERROR" });
  });
});

describe("a worker that calls another", () => {
  const servicesAt = (address: string): ServiceList => ({
    environment: "test",
    services: [
      { id: "w3", nodeId: "w3", type: "presto", pool: "general", location: "/w3", state: "ACTIVE", properties: { http: address } },
    ],
  });

  it("finds it where it has moved to, or asks again where it was", async () => {
    const asked: string[] = [];
    const network = {
      request: (request: { readonly url: string }) => {
        asked.push(request.url);
        return request.url.startsWith("http://new")
          ? Promise.resolve(jsonResponse(200, { result: 7 }))
          : Promise.reject(new NetworkError("CONNECTION_REFUSED", "no answer"));
      },
    } as unknown as Network;
    const directory = new ServiceDirectory();
    directory.update(servicesAt("http://old:1"));
    const call = { network, catalog: "memory", nodeId: "w3", request: {}, timeoutMs: 1000 };
    await expect(callByDirectory(call, directory, async () => undefined)).rejects.toMatchObject({ errorName: "REMOTE_HOST_GONE" });
    await expect(callByDirectory(call, directory, async () => servicesAt("http://old:1"))).rejects.toMatchObject({
      errorName: "REMOTE_HOST_GONE",
    });
    expect(await callByDirectory(call, directory, async () => servicesAt("http://new:2"))).toBe(7);
    expect(await callByDirectory(call, directory, () => Promise.reject(new Error("not needed")))).toBe(7);
    expect(asked.map((url) => new URL(url).host)).toEqual(["old:1", "old:1", "old:1", "new:2", "new:2"]);
  });
});
