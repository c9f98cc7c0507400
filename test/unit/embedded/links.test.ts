/** The network between nodes of one thread: the contract of the Network port. */
import { describe, expect, it } from "vitest";
import { Links } from "../../../src/embedded/links.ts";
import type { RequestContext } from "../../../src/ports/network.ts";
import { bareRequest, responseText, textResponse } from "../../../src/protocol/http/http.ts";

const options = { timeoutMs: 10_000, label: "test" };

describe("a request between nodes of one thread", () => {
  it("reaches the node at its address with path and body, and brings the response back as a copy", async () => {
    const links = new Links();
    const sent = new Uint8Array([1, 2, 3]);
    const kept = new Uint8Array([4, 5, 6]);
    await links.network("http://a:1").serve((request, context) => {
      expect(request).toMatchObject({ method: "POST", url: "/v1/task?x=1", headers: { h: "v" } });
      expect(context.baseUri).toBe("http://a:1");
      request.body.fill(0);
      return Promise.resolve({ status: 201, headers: { k: "w" }, body: kept });
    });
    const answer = await links
      .network()
      .request({ method: "POST", url: "http://a:1/v1/task?x=1", headers: { h: "v" }, body: sent }, options);
    answer.body.fill(9);
    expect(answer).toMatchObject({ status: 201, headers: { k: "w" } });
    expect([sent, kept]).toEqual([new Uint8Array([1, 2, 3]), new Uint8Array([4, 5, 6])]);
  });

  it("is refused where no node serves, and after a node has closed", async () => {
    const links = new Links();
    const node = links.network("http://a:1");
    const refused = { kind: "CONNECTION_REFUSED" };
    await expect(links.network().request(bareRequest("GET", "http://a:1/"), options)).rejects.toMatchObject(refused);
    await node.serve(() => Promise.resolve(textResponse(200, "here")));
    expect(responseText(await links.network().request(bareRequest("GET", "http://a:1"), options))).toBe("here");
    expect([links.has("http://a:1/x"), links.has("http://a:12/")]).toEqual([true, false]);
    await node.close();
    await expect(links.network().request(bareRequest("GET", "http://a:1/"), options)).rejects.toMatchObject(refused);
  });

  it("ends when it is aborted or takes too long; the node learns of it once", async () => {
    const links = new Links();
    const contexts: RequestContext[] = [];
    let aborts = 0;
    const started = new Promise<void>((resolve) => {
      void links.network("http://a:1").serve((_, context) => {
        contexts.push(context);
        context.onAbort(() => aborts++);
        resolve();
        return new Promise(() => undefined);
      });
    });
    let abort = (): void => undefined;
    const asked = links.network().request(bareRequest("GET", "http://a:1/"), { ...options, onAbortable: (one) => (abort = one) });
    const ended = expect(asked).rejects.toMatchObject({ kind: "ABORTED" });
    await started;
    expect(contexts[0]?.isAborted()).toBe(false);
    abort();
    abort();
    await ended;
    expect([contexts[0]?.isAborted(), aborts]).toEqual([true, 1]);
    await expect(links.network().request(bareRequest("GET", "http://a:1/"), { ...options, timeoutMs: 5 })).rejects.toMatchObject({
      kind: "TIMEOUT",
    });
  });

  it("is reset when either side closes", async () => {
    const links = new Links();
    const serve = async (): Promise<{ close(): Promise<void> }> => {
      const node = links.network("http://a:1");
      await node.serve(() => new Promise(() => undefined));
      return node;
    };
    const client = links.network();
    for (const side of ["node", "client"]) {
      const node = await serve();
      const asked = expect(client.request(bareRequest("GET", "http://a:1/"), options)).rejects.toMatchObject({ kind: "CONNECTION_RESET" });
      await (side === "node" ? node : client).close();
      await asked;
    }
  });

  it("is answered with 500 if the node's handler fails", async () => {
    const links = new Links();
    await links.network("http://a:1").serve(() => Promise.reject(new Error("broken")));
    expect(await links.network().request(bareRequest("GET", "http://a:1/"), options)).toMatchObject({ status: 500 });
  });
});
