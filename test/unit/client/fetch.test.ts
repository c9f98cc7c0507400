/**
 * The network by fetch against a server on loopback: the contract of the Network port.
 */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { fetchNetwork, platformClock } from "../../../src/client/fetch.ts";
import { bareRequest, responseText } from "../../../src/protocol/http/http.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";

let stop: () => Promise<void> = () => Promise.resolve();
const network = fetchNetwork();
const options = { timeoutMs: 10_000, label: "test" };

async function listen(handler: RequestListener): Promise<string> {
  await stop();
  const server = createServer(handler);
  stop = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => stop());

const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { method, url, headers } = request;
    response.setHeader("X-Twice", ["a", "b"]);
    response.statusCode = 203;
    response.end(
      JSON.stringify({ method, url, user: headers["x-engine-user"], key: headers["x-key"], body: Buffer.concat(chunks).toString() }),
    );
  });
};

describe("a request by fetch", () => {
  it("carries method, headers and body, and brings all of the response back", async () => {
    const uri = await listen(echo);
    const bytes = encodeUtf8("-- select '\u00e9'");
    const answer = await network.request(
      // The body is a part of a larger buffer.
      {
        method: "POST",
        url: `${uri}/v1/statement?a=b`,
        headers: { "x-engine-user": "alice", "x-key": ["1", "2"] },
        body: bytes.subarray(3),
      },
      options,
    );
    expect(answer.status).toBe(203);
    expect(JSON.parse(responseText(answer))).toEqual({
      method: "POST",
      url: "/v1/statement?a=b",
      user: "alice",
      key: "1, 2",
      body: "select '\u00e9'",
    });
    expect(answer.headers["x-twice"]).toBe("a, b");
  });

  it("sends the headers of the network, below those of the request", async () => {
    const uri = await listen(echo);
    const keyed = fetchNetwork({ headers: { "x-key": "network", "x-engine-user": "bob" } });
    const answer = await keyed.request(bareRequest("GET", `${uri}/`, { "x-engine-user": "alice" }), options);
    expect(JSON.parse(responseText(answer))).toMatchObject({ key: "network", user: "alice", method: "GET", body: "" });
  });

  it("fails with the kind that says whether it may have been processed", async () => {
    const uri = await listen((_request, response) => response.destroy());
    await expect(network.request(bareRequest("GET", `${uri}/`), options)).rejects.toMatchObject({ kind: "CONNECTION_RESET" });
    const refused = await listen(() => undefined);
    await stop();
    await expect(network.request(bareRequest("GET", refused), options)).rejects.toMatchObject({ kind: "CONNECTION_REFUSED" });
    await expect(network.request(bareRequest("GET", "http://no-such-host.invalid/"), options)).rejects.toMatchObject({
      name: "NetworkError",
      kind: "HOST_UNREACHABLE",
    });
    // As a browser fails.
    const opaque = fetchNetwork({ fetch: () => Promise.reject(new TypeError("Failed to fetch")) });
    await expect(opaque.request(bareRequest("GET", `${uri}/x`), options)).rejects.toMatchObject({
      kind: "HOST_UNREACHABLE",
      message: `${uri}: Failed to fetch`,
    });
  });

  it("is refused before it is sent if it is not valid", async () => {
    for (const request of [bareRequest("GET", "/relative/without/a/page"), bareRequest("GET", "http://localhost/", { a: "1\n2" })]) {
      await expect(network.request(request, options)).rejects.toMatchObject({ kind: "PROTOCOL_ERROR" });
    }
  });

  it("ends when it is aborted, takes too long, or breaks off half way", async () => {
    const uri = await listen((request, response) => {
      if (request.url !== "/silent") {
        response.writeHead(200, { "content-length": "100" });
        response.write("half", () => {
          if (request.url === "/half") {
            response.destroy();
          }
        });
      }
    });
    for (const path of ["/silent", "/stalled"]) {
      const aborted = network.request(bareRequest("GET", uri + path), { ...options, onAbortable: (abort) => setImmediate(abort) });
      await expect(aborted).rejects.toMatchObject({ kind: "ABORTED" });
      await expect(network.request(bareRequest("GET", uri + path), { ...options, timeoutMs: 20 })).rejects.toMatchObject({
        kind: "TIMEOUT",
      });
    }
    await expect(network.request(bareRequest("GET", `${uri}/half`), options)).rejects.toMatchObject({ kind: "CONNECTION_RESET" });
  });

  it("does not serve", async () => {
    await expect(network.serve(() => Promise.reject(new Error()))).rejects.toMatchObject({ kind: "PROTOCOL_ERROR" });
    await network.close();
  });
});

describe("the platform's clock", () => {
  it("moves forward, calls back, and does not call back a cancelled timer", async () => {
    const clock = platformClock();
    const start = clock.monotonicNanos();
    const fired: string[] = [];
    await new Promise<void>((resolve) => {
      clock.timer("cancelled", 0, () => fired.push("cancelled")).cancel();
      clock.timer("kept", 1, () => {
        fired.push("kept");
        resolve();
      });
    });
    await clock.turn(1);
    expect(fired).toEqual(["kept"]);
    expect(clock.monotonicNanos()).toBeGreaterThan(start);
    expect(clock.wallMillis()).toBeGreaterThan(Date.UTC(2020));
    expect(clock.cpuNanos(1)).toBe(0);
  });
});
