/** What a call of a catalog on another node ends with, by the answer. */
import { describe, expect, it } from "vitest";
import type { HttpResponse, Network } from "../../../src/ports/network.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";
import { callCatalog } from "../../../src/worker/catalog-calls.ts";

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
