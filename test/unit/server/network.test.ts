import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import {
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  noBody,
  type RequestContext,
  type RequestHandler,
} from "../../../src/ports/network.ts";
import type { RealNetwork, RealNetworkOptions } from "../../../src/server/transport/network.ts";
import { ClientNetwork } from "../../../src/client/http.ts";
import { decodeUtf8, encodeUtf8 } from "../../../src/types/utf8.ts";
import { closedAfterEach, kindOf, patient } from "../../support/real-networks.ts";
import { rawExchange, rawResponse, type RawServer, startRawServer } from "../../support/raw-server.ts";

const { open, closers } = closedAfterEach();

async function serve(handler: RequestHandler, options: Partial<RealNetworkOptions> = {}): Promise<RealNetwork> {
  const network = open(options);
  await network.serve(handler);
  return network;
}

async function raw(answer: Parameters<typeof startRawServer>[0]): Promise<RawServer> {
  const server = await startRawServer(answer);
  closers.push(() => server.close());
  return server;
}

function ok(text = ""): HttpResponse {
  return { status: 200, headers: { "content-type": "text/plain" }, body: encodeUtf8(text) };
}

function request(method: HttpMethod, url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method, url, headers: {}, body: noBody, ...more };
}

/** Echoes the request. */
const echo: RequestHandler = (arrived, context) =>
  Promise.resolve(
    ok(
      JSON.stringify({
        method: arrived.method,
        url: arrived.url,
        headers: arrived.headers,
        body: [...arrived.body],
        baseUri: context.baseUri,
        remoteAddress: context.remoteAddress,
      }),
    ),
  );

interface Echoed {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string | string[]>;
  readonly body: number[];
  readonly baseUri: string;
  readonly remoteAddress: string;
}

async function askEcho(uri: string, head: string, body = ""): Promise<Echoed> {
  const text = await rawExchange(uri, `${head}connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  expect(text).toMatch(/^HTTP\/1.1 200 /);
  return JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4)) as Echoed;
}

describe("what arrives at the handler", () => {
  it("is the body's bytes, whatever type the client says it is", async () => {
    const { selfUri } = await serve(echo);
    const types = [
      "text/plain; charset=utf-8",
      "application/json",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      ";;",
      "x",
      "a/b/c",
    ];
    for (const type of [...types.map((one) => `content-type: ${one}\r\n`), ""]) {
      const got = await askEcho(selfUri, `POST /v1/statement HTTP/1.1\r\nhost: a\r\n${type}`, "{\x00\xff");
      expect(got.body, type).toEqual([0x7b, 0, 0xff]);
    }
  });

  it("is a body that came in chunks", async () => {
    const { selfUri } = await serve(echo);
    const text = await rawExchange(
      selfUri,
      "POST /v1/statement HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n3\r\nSEL\r\n5\r\nECT 1\r\n0\r\n\r\n",
    );
    expect(text).toContain(JSON.stringify([...encodeUtf8("SELECT 1")]));
  });

  it("is no body for GET, and one for DELETE when it has one", async () => {
    const { selfUri } = await serve(echo);
    expect((await askEcho(selfUri, "GET /v1/x HTTP/1.1\r\nhost: a\r\n")).body).toEqual([]);
    expect((await askEcho(selfUri, "DELETE /v1/x HTTP/1.1\r\nhost: a\r\n")).body).toEqual([]);
    expect((await askEcho(selfUri, "DELETE /v1/x HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\n", "ab")).body).toEqual([97, 98]);
  });

  it("is path and query, also of a request line with the whole address", async () => {
    const { selfUri } = await serve(echo);
    for (const [target, url] of [
      ["/v1/task?summarize&x=%2F", "/v1/task?summarize&x=%2F"],
      ["http://presto:8080/v1/statement/q/1?slug=s", "/v1/statement/q/1?slug=s"],
      ["http://presto:8080", "/"],
      ["http://presto:8080?x", "/?x"],
    ]) {
      expect((await askEcho(selfUri, `DELETE ${target} HTTP/1.1\r\nhost: a\r\n`)).url).toBe(url);
    }
  });

  it("is headers by lower-case name, repeated ones as lists, empty ones too", async () => {
    const { selfUri } = await serve(echo);
    const got = await askEcho(selfUri, "GET / HTTP/1.1\r\nHost: a\r\nX-Trino-Session: a=1\r\nX-TRINO-SESSION: b=2\r\nX-Trino-User:\r\n");
    expect(got.headers["x-trino-session"]).toEqual(["a=1", "b=2"]);
    expect(got.headers["x-trino-user"]).toBe("");
    expect(got.headers["host"]).toBe("a");
  });

  it("is every path and method: what exists is the handler's matter", async () => {
    const { selfUri } = await serve((arrived) => Promise.resolve({ ...ok(), status: arrived.url === "/gone" ? 404 : 405 }));
    for (const method of ["PATCH", "OPTIONS", "GET", "POST", "PUT", "DELETE"]) {
      expect(await rawExchange(selfUri, `${method} /gone HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 404 /,
      );
      expect(
        await rawExchange(selfUri, `${method} /${"x".repeat(500)}/y HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`),
      ).toMatch(/^HTTP\/1.1 405 /);
    }
  });

  it("is HEAD, whose answer has no body", async () => {
    const { selfUri } = await serve((arrived) => Promise.resolve(ok(`for ${arrived.method}`)));
    const text = await rawExchange(selfUri, "HEAD /v1/info HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    expect(text).toMatch(/^HTTP\/1.1 200 /);
    expect(text).toMatch(/content-length: 8/i);
    expect(text.endsWith("\r\n\r\n")).toBe(true);
  });

  it("is headers of a megabyte", async () => {
    const { selfUri } = await serve((arrived) => Promise.resolve(ok(String((arrived.headers["x-trino-prepared-statement"] ?? "").length))));
    const text = await rawExchange(
      selfUri,
      `GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-trino-prepared-statement: ${"p".repeat(1024 * 1024)}\r\n\r\n`,
    );
    expect(text.endsWith("\r\n\r\n1048576")).toBe(true);
  });

  it("is nothing when the address is not well formed", async () => {
    const { selfUri } = await serve(echo);
    const text = await rawExchange(selfUri, "GET /v1/%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(text).toMatch(/content-type: text\/plain/i);
  });
});

describe("the base of links", () => {
  it("is the Host header, which is refused when it cannot be part of a link", async () => {
    const network = await serve(echo);
    expect((await askEcho(network.selfUri, "GET / HTTP/1.1\r\nhost: presto.example:80\r\n")).baseUri).toBe("http://presto.example:80");
    expect((await askEcho(network.selfUri, "GET / HTTP/1.1\r\nhost: [::1]:99\r\n")).baseUri).toBe("http://[::1]:99");
    expect(await rawExchange(network.selfUri, 'GET / HTTP/1.1\r\nhost: a"><b\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 .*The Host header is not valid$/s,
    );
    expect((await askEcho(network.selfUri, "GET / HTTP/1.0\r\n")).baseUri).toBe(network.selfUri);
  });

  it("is what a proxy forwarded, only when it is believed", async () => {
    const head = "GET / HTTP/1.1\r\nhost: inner:8080\r\nx-forwarded-proto: https\r\nx-forwarded-host: outer.example\r\n";
    const closed = await serve(echo);
    expect((await askEcho(closed.selfUri, head)).baseUri).toBe("http://inner:8080");
    const { selfUri } = await serve(echo, { processForwarded: true });
    const cases: readonly (readonly [string, string])[] = [
      [head, "https://outer.example"],
      [`${head}x-forwarded-port: 8443\r\n`, "https://outer.example:8443"],
      [`${head}x-forwarded-port: 443\r\n`, "https://outer.example"],
      ["GET / HTTP/1.1\r\nhost: inner:8080\r\nx-forwarded-host: outer:99, second\r\nx-forwarded-port: 1\r\n", "http://outer:99"],
      ["GET / HTTP/1.1\r\nhost: inner:8080\r\nx-forwarded-proto: https\r\nx-forwarded-port: 443\r\n", "https://inner"],
      ["GET / HTTP/1.1\r\nhost: inner:8080\r\nx-forwarded-proto: javascript\r\nx-forwarded-host: <b>\r\n", "http://inner:8080"],
    ];
    for (const [lines, base] of cases) {
      expect((await askEcho(selfUri, lines)).baseUri).toBe(base);
    }
  });
});

describe("what the handler answers", () => {
  it("keeps its content type to the letter, its repeated headers and its bytes", async () => {
    const bytes = new Uint8Array([9, 0, 255, 10, 7]).subarray(1, 4);
    const { selfUri } = await serve(() =>
      Promise.resolve({ status: 200, headers: { "content-type": "application/json", "x-trino-set-session": ["a=1", "b=2"] }, body: bytes }),
    );
    const text = await rawExchange(selfUri, "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    expect(text).toContain("content-type: application/json\r\n");
    expect(text.match(/x-trino-set-session: [ab]=[12]\r\n/g)).toEqual(["x-trino-set-session: a=1\r\n", "x-trino-set-session: b=2\r\n"]);
    expect(text.endsWith("\r\n\r\n\x00\xff\n")).toBe(true);
    const answer = await open().request(request("GET", `${selfUri}/`), patient);
    expect(answer.headers["x-trino-set-session"]).toEqual(["a=1", "b=2"]);
    expect([...answer.body]).toEqual([0, 255, 10]);
  });

  it("is a plain 500 when it rejects, and cannot smuggle a header", async () => {
    const { selfUri } = await serve((arrived) =>
      arrived.url === "/bad"
        ? Promise.resolve({ ...ok("body"), headers: { "x-trino-set-catalog": "a\r\nx-evil: 1" } })
        : Promise.reject(new Error("boom")),
    );
    expect((await open().request(request("GET", `${selfUri}/`), patient)).status).toBe(500);
    const bad = await rawExchange(selfUri, "GET /bad HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    expect(bad).not.toMatch(/x-evil/);
    expect(bad).toMatch(/^HTTP\/1.1 500 /);
    // The server keeps running.
    expect((await open().request(request("GET", `${selfUri}/`), patient)).status).toBe(500);
  });

  it("has headers of a megabyte", async () => {
    const { selfUri } = await serve(() => Promise.resolve({ ...ok(), headers: { "x-engine-added-prepare": "p".repeat(1024 * 1024) } }));
    for (const network of [open(), new ClientNetwork()]) {
      const answer = await network.request(request("GET", `${selfUri}/`), patient);
      expect(answer.headers["x-engine-added-prepare"]?.length).toBe(1024 * 1024);
      await network.close();
    }
  });
});

describe("a body that is too large", () => {
  it("is refused with 413 and a clear text, even when the client has not sent all of it", async () => {
    const { selfUri } = await serve(echo, { bodyBytesMax: 1000 });
    const text = await rawExchange(selfUri, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100000000\r\n\r\n");
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    expect(text).toContain("Request body is larger than 1000 bytes");
    const chunked = `${(2000).toString(16)}\r\n${"x".repeat(2000)}\r\n`;
    expect(await rawExchange(selfUri, `POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`)).toMatch(
      /^HTTP\/1.1 413 /,
    );
  });

  it("is refused so that our clients can read why", async () => {
    const { selfUri } = await serve(echo, { bodyBytesMax: 1000 });
    for (const network of [open(), new ClientNetwork()]) {
      const answer = await network.request(request("POST", `${selfUri}/`, { body: new Uint8Array(100_000) }), patient);
      expect(answer.status).toBe(413);
      expect(decodeUtf8(answer.body)).toBe("Request body is larger than 1000 bytes");
      await network.close();
    }
  });
});

describe("a client that goes away", () => {
  it("is told to the handler once, and only of its own request", async () => {
    const calls: string[] = [];
    let arrived: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let context: RequestContext | undefined;
    const gone = new Promise<void>((resolve) => {
      void serve((one, its) => {
        its.onAbort(() => {
          calls.push(one.url);
          resolve();
        });
        if (one.url === "/quick") {
          return Promise.resolve(ok());
        }
        context = its;
        arrived();
        return new Promise(() => undefined);
      }).then(({ selfUri }) => {
        const { hostname, port } = new URL(selfUri);
        const socket: Socket = connect(Number(port), hostname);
        socket.write("GET /quick HTTP/1.1\r\nhost: a\r\n\r\n");
        socket.once("data", () => {
          socket.write("GET /slow HTTP/1.1\r\nhost: a\r\n\r\n");
          void waiting.then(() => socket.destroy());
        });
      });
    });
    await gone;
    expect(calls).toEqual(["/slow"]);
    expect(context?.isAborted()).toBe(true);
  });

  it("leaves no listeners behind on a connection that is used again and again", async () => {
    let listeners = 0;
    const { selfUri } = await serve((_one, context) => {
      context.onAbort(() => undefined);
      return Promise.resolve(ok());
    });
    const warned: string[] = [];
    const onWarning = (warning: Error): void => void warned.push(warning.message);
    process.on("warning", onWarning);
    const network = open();
    for (let index = 0; index < 50; index++) {
      listeners += (await network.request(request("GET", `${selfUri}/`), patient)).status;
    }
    process.off("warning", onWarning);
    expect(listeners).toBe(50 * 200);
    expect(warned).toEqual([]);
  });
});

describe("pressure", () => {
  it("is answered with 503 and Retry-After, but health checks still succeed", async () => {
    // The delay is sampled every second; any sample exceeds this limit.
    const { selfUri } = await serve(echo, { eventLoopDelayMsMax: 1e-6 });
    const network = open();
    let answer = await network.request(request("GET", `${selfUri}/v1/statement`), patient);
    while (answer.status !== 503) {
      answer = await network.request(request("GET", `${selfUri}/v1/statement`), patient);
    }
    expect(answer.headers["retry-after"]).toBe("1");
    expect(decodeUtf8(answer.body)).toBe("Server is overloaded, try again");
    for (const path of ["/livez", "/readyz", "/v1/status", "/v1/info", "/v1/info/state", "/v1/status?x"]) {
      expect((await network.request(request("GET", `${selfUri}${path}`), patient)).status, path).toBe(200);
    }
    expect((await network.request(request("GET", `${selfUri}/v1/information`), patient)).status).toBe(503);
    expect((await askEcho(selfUri, "GET http://x:1/v1/status HTTP/1.1\r\nhost: a\r\n")).url).toBe("/v1/status");
  });
});

describe("a request of a node to itself", () => {
  it("never touches the network", async () => {
    const network = await serve(echo);
    const answer = await network.request(request("POST", `${network.selfUri}/v1/x?y`, { body: encodeUtf8("ab") }), patient);
    const got = JSON.parse(decodeUtf8(answer.body)) as Echoed;
    expect(got).toMatchObject({ method: "POST", url: "/v1/x?y", body: [97, 98], baseUri: network.selfUri });
    // No Host header: the request did not go over HTTP.
    expect(got.headers).toEqual({});
  });

  it("times out, can be aborted, and survives a handler that fails", async () => {
    const aborted: string[] = [];
    const network = await serve((arrived, context) => {
      context.onAbort(() => aborted.push(arrived.url));
      return arrived.url === "/fails" ? Promise.reject(new Error("boom")) : new Promise(() => undefined);
    });
    expect(await kindOf(network.request(request("GET", `${network.selfUri}/slow`), { timeoutMs: 1, label: "t" }))).toBe("TIMEOUT");
    expect(
      await kindOf(
        network.request(request("GET", `${network.selfUri}/aborted`), { ...patient, onAbortable: (abort) => queueMicrotask(abort) }),
      ),
    ).toBe("ABORTED");
    expect((await network.request(request("GET", `${network.selfUri}/fails`), patient)).status).toBe(500);
    expect(aborted).toEqual(["/slow", "/aborted"]);
  });
});

describe.each([
  ["between nodes", () => open()],
  [
    "of the command line",
    () => {
      const network = new ClientNetwork();
      closers.push(() => network.close());
      return network;
    },
  ],
])("failures of real sockets, as the network %s tells them", (_name, make) => {
  const ask = (uri: string, method: HttpMethod = "GET", timeoutMs = 20_000): Promise<HttpResponse> =>
    make().request(request(method, `${uri}/`), { timeoutMs, label: "test" });

  it("a refused connection", async () => {
    const server = await startRawServer(() => undefined);
    await server.close();
    expect(await kindOf(ask(server.uri))).toBe("CONNECTION_REFUSED");
  });

  it("an unknown host", async () => {
    expect(await kindOf(ask("http://no-such-host.invalid:1"))).toBe("HOST_UNREACHABLE");
  });

  it("a connection that ends before the answer", async () => {
    const server = await raw((socket) => socket.destroy());
    expect(await kindOf(ask(server.uri))).toBe("CONNECTION_RESET");
    const reset = await raw((socket) => socket.resetAndDestroy());
    expect(await kindOf(ask(reset.uri))).toBe("CONNECTION_RESET");
  });

  it("a connection that ends within the headers", async () => {
    const server = await raw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-le"));
    expect(await kindOf(ask(server.uri))).toBe("CONNECTION_RESET");
  });

  it("a body that is shorter than announced", async () => {
    for (const leave of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
      const server = await raw((socket) => socket.write(rawResponse(200, "half", { "content-length": "8" }), () => leave(socket)));
      expect(await kindOf(ask(server.uri))).toBe("CONNECTION_RESET");
    }
  });

  it("a chunked body without its end", async () => {
    const server = await raw((socket) => socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n"));
    expect(await kindOf(ask(server.uri))).toBe("CONNECTION_RESET");
  });

  it("an answer that does not come, or does not end, in time", async () => {
    const silent = await raw(() => undefined);
    expect(await kindOf(ask(silent.uri, "GET", 20))).toBe("TIMEOUT");
    const endless = await raw((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"));
    expect(await kindOf(ask(endless.uri, "GET", 50))).toBe("TIMEOUT");
  });

  it("an abort", async () => {
    let abort: () => void = () => undefined;
    const server = await raw(() => abort());
    const answer = make().request(request("GET", `${server.uri}/`), {
      ...patient,
      onAbortable: (how) => {
        abort = how;
      },
    });
    expect(await kindOf(answer)).toBe("ABORTED");
  });

  it("something that is not HTTP", async () => {
    const server = await raw((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
    expect(await kindOf(ask(server.uri))).toBe("PROTOCOL_ERROR");
  });

  it("an address that is none, and headers that cannot be sent", async () => {
    expect(await kindOf(ask("nowhere"))).toBe("PROTOCOL_ERROR");
    const server = await raw((socket) => socket.end(rawResponse(200, "")));
    for (const value of ["a\r\nx-evil: 1", "a\nb", "\u0000", "\u{1f600}"]) {
      const sent = make().request(request("GET", `${server.uri}/`, { headers: { "x-engine-source": value } }), patient);
      expect(await kindOf(sent), JSON.stringify(value)).toBe("PROTOCOL_ERROR");
    }
    expect(server.requests).toEqual([]);
  });

  it("any status is an answer, also one without a body", async () => {
    const server = await raw((socket, { text }) => socket.write(rawResponse(Number(/^GET \/(\d+)/.exec(text)?.[1]), "")));
    const network = make();
    for (const status of [503, 500, 404, 302]) {
      const answer = await network.request(request("GET", `${server.uri}/${status}`), patient);
      expect([answer.status, answer.body.length]).toEqual([status, 0]);
    }
  });

  it("connections are used again, and those that the server has closed are not", async () => {
    const server = await raw((socket, { request: index }) => {
      socket.write(rawResponse(200, "fine"));
      if (index === 2) {
        socket.end();
      }
    });
    const network = make();
    for (let index = 0; index < 30; index++) {
      const answer = await network.request(request("GET", `${server.uri}/`), patient);
      expect(decodeUtf8(answer.body)).toBe("fine");
    }
    expect(server.connections()).toBeLessThanOrEqual(12);
  });

  it("a connection that dies under its second request is replaced for what may be asked twice", async () => {
    const server = await raw((socket, { request: index }) => {
      if (index === 1) {
        socket.resetAndDestroy();
      } else {
        socket.write(rawResponse(200, "fine"));
      }
    });
    const network = make();
    for (const method of ["GET", "PUT", "DELETE", "GET", "GET", "GET"] as const) {
      const answer = await network.request(request(method, `${server.uri}/`), patient);
      expect(decodeUtf8(answer.body)).toBe("fine");
    }
  });

  it("a connection that dies under a statement's submission is told: it may have been carried out", async () => {
    const server = await raw((socket, { text }) => {
      if (text.startsWith("POST")) {
        socket.resetAndDestroy();
      } else {
        socket.write(rawResponse(200, ""));
      }
    });
    const network = make();
    for (let index = 0; index < 3; index++) {
      await network.request(request("GET", `${server.uri}/`), patient);
    }
    expect(await kindOf(network.request(request("POST", `${server.uri}/`, { body: encodeUtf8("SELECT 1") }), patient))).toBe(
      "CONNECTION_RESET",
    );
    expect(server.requests.filter((text) => text.startsWith("POST")).length).toBe(1);
  });
});

describe("closing", () => {
  it("resets requests in flight, on both ends, and lets the port go", async () => {
    const network = open();
    let arrived: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await network.serve(() => {
      arrived();
      return new Promise(() => undefined);
    });
    const { selfUri } = network;
    const asker = open();
    const kind = kindOf(asker.request(request("GET", `${selfUri}/`), patient));
    await waiting;
    await network.close();
    expect(await kind).toBe("CONNECTION_RESET");
    expect(await kindOf(asker.request(request("GET", `${selfUri}/`), patient))).toBe("CONNECTION_REFUSED");
    expect(await kindOf(network.request(request("GET", `${selfUri}/`), patient))).toBe("CONNECTION_RESET");
    await network.close();
  });

  it("a taken port is the system's error", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, "127.0.0.1", resolve);
    });
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(open({ port }).serve(echo)).rejects.toMatchObject({ code: "EADDRINUSE", port, address: "127.0.0.1" });
    await new Promise((resolve) => {
      taken.close(resolve);
    });
  });

  it("names itself by a host that others can reach", async () => {
    const all = await serve(echo, { host: "0.0.0.0" });
    expect(all.selfUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const named = await serve(echo, { externalHost: "worker-1.example" });
    expect(named.selfUri).toMatch(/^http:\/\/worker-1\.example:\d+$/);
    const six = await serve(echo, { externalHost: "fe80::1" });
    expect(six.selfUri).toMatch(/^http:\/\/\[fe80::1\]:\d+$/);
  });
});
