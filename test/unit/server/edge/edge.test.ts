/**
 * A node's network with slow, idle or many clients, on real sockets with small limits.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { HttpResponse, RequestHandler } from "../../../../src/ports/network.ts";
import type { EdgeLimits } from "../../../../src/server/edge/edge.ts";
import type { RealNetwork } from "../../../../src/server/transport/network.ts";
import { encodeUtf8 } from "../../../../src/types/utf8.ts";
import { rawExchange } from "../../../support/raw-server.ts";
import { closedAfterEach } from "../../../support/real-networks.ts";

const { open } = closedAfterEach();
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) {
    socket.destroy();
  }
});

interface Client {
  readonly socket: Socket;
  /** All bytes received, once the server has closed the connection. */
  readonly closed: Promise<string>;
  /** Resolves when the received text matches. */
  got(pattern: RegExp): Promise<string>;
}

async function client(uri: string): Promise<Client> {
  const { hostname, port } = new URL(uri);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let text = "";
  const watchers = new Set<() => void>();
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
    watchers.forEach((watch) => watch());
  });
  socket.on("error", () => undefined);
  const closed = new Promise<string>((resolve) => {
    socket.on("close", () => resolve(text));
  });
  await once(socket, "connect");
  return {
    socket,
    closed,
    got: (pattern) =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          if (pattern.test(text)) {
            watchers.delete(watch);
            resolve(text);
          }
        };
        watchers.add(watch);
        watch();
        void closed.then(() => reject(new Error(`closed after ${text}`)));
      }),
  };
}

function ok(text: string): HttpResponse {
  return { status: 200, headers: { "content-type": "text/plain" }, body: encodeUtf8(text) };
}

const sizes: RequestHandler = (arrived) => Promise.resolve(ok(`${arrived.body.length} bytes`));

async function serve(limits: Partial<EdgeLimits>, options: { readonly handler?: RequestHandler; readonly bodyBytesMax?: number } = {}) {
  const network: RealNetwork = open({ limits, bodyBytesMax: options.bodyBytesMax ?? 16 * 1024 * 1024 });
  await network.serve(options.handler ?? sizes);
  return network.selfUri;
}

/** Sends a complete request on its own connection. */
function ask(uri: string, body = ""): Promise<string> {
  return rawExchange(uri, `POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

const head = (length: number): string => `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n`;

describe("a slow client", () => {
  it("that sends no request, or part of its headers, is closed after the header time-out", async () => {
    const uri = await serve({ headerMsMax: 100 });
    const silent = await client(uri);
    const partial = await client(uri);
    partial.socket.write("GET / HTTP/1.1\r\nhost: a\r\nx-");
    expect(await silent.closed).toMatch(/^HTTP\/1.1 408 /);
    expect(await partial.closed).toMatch(/^HTTP\/1.1 408 /);
    expect(await ask(uri)).toMatch(/^HTTP\/1.1 200 /);
  });

  it("that begins a second request is closed as well", async () => {
    const uri = await serve({ headerMsMax: 100 });
    const kept = await client(uri);
    kept.socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await kept.got(/0 bytes$/);
    kept.socket.write("GET / HT");
    expect(await kept.closed).toMatch(/0 bytesHTTP\/1.1 408 /);
  });

  it("whose body pauses is answered with 408 and closed", async () => {
    const uri = await serve({ bodyIdleMsMax: 50 });
    const half = await client(uri);
    half.socket.write(`${head(100)}SELECT`);
    expect(await half.closed).toMatch(/^HTTP\/1.1 408 .*The body of the request did not arrive in time$/s);
    const chunked = await client(uri);
    chunked.socket.write("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n6\r\nSELECT\r\n");
    expect(await chunked.closed).toMatch(/^HTTP\/1.1 408 /);
  });

  it("whose body never pauses, and never ends, is closed too", async () => {
    const uri = await serve({ requestMsMax: 300, headerMsMax: 100 });
    const drop = await client(uri);
    drop.socket.write(head(1_000_000));
    const timer = setInterval(() => drop.socket.write("x"), 10);
    expect(await drop.closed).toMatch(/^HTTP\/1.1 408 /);
    clearInterval(timer);
  });

  it("that does not take its answer is closed after the idle time", async () => {
    const large = new Uint8Array(8 * 1024 * 1024);
    const uri = await serve({ idleMsMax: 100 }, { handler: () => Promise.resolve({ ...ok(""), body: large }) });
    const lazy = await client(uri);
    lazy.socket.pause();
    lazy.socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    // A socket that does not read notices a close only by writing.
    const timer = setInterval(() => lazy.socket.write("x"), 20);
    expect((await lazy.closed).length).toBeLessThan(large.length);
    clearInterval(timer);
  });
});

describe("connections beyond the bound", () => {
  it("take the place of those that never asked anything, the oldest first, then of those between two requests", async () => {
    const uri = await serve({ connectionsMax: 3 });
    const kept = await client(uri);
    kept.socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await kept.got(/0 bytes$/);
    const first = await client(uri);
    const second = await client(uri);
    const third = await client(uri);
    expect(await first.closed).toBe("");
    kept.socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await kept.got(/0 bytes.*0 bytes$/s);
    for (const one of [second, third]) {
      one.socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
      await one.got(/0 bytes$/);
    }
    const fourth = await client(uri);
    expect(await kept.closed).toMatch(/0 bytes$/);
    for (const one of [second, third, fourth]) {
      one.socket.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
      expect(await one.closed).toMatch(/0 bytes$/);
    }
  });

  it("are told so where all others are busy, and no request is lost", async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let arrived = 0;
    const handler: RequestHandler = async () => {
      arrived++;
      await gate;
      return ok("done");
    };
    const uri = await serve({ connectionsMax: 2 }, { handler });
    const busy = [await client(uri), await client(uri)];
    for (const one of busy) {
      one.socket.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    }
    while (arrived < 2) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await (await client(uri)).closed).toMatch(/^HTTP\/1.1 503 .*Too many connections$/s);
    go();
    for (const one of busy) {
      expect(await one.closed).toMatch(/done$/);
    }
    expect(await ask(uri)).toMatch(/done$/);
  });

  it("of one address take the place of its own idle ones, and count no longer once they are closed", async () => {
    const uri = await serve({ connectionsPerAddressMax: 2 });
    const first = await client(uri);
    const second = await client(uri);
    const third = await client(uri);
    expect(await first.closed).toBe("");
    for (const one of [second, third]) {
      one.socket.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
      expect(await one.closed).toMatch(/0 bytes$/);
    }
    const [fourth, fifth] = [await client(uri), await client(uri)];
    for (const one of [fourth, fifth]) {
      one.socket.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
      expect(await one.closed).toMatch(/0 bytes$/);
    }
  });

  it("leave nothing behind: a thousand come and go through a bound of eight", async () => {
    const uri = await serve({ connectionsMax: 8 });
    for (let round = 0; round < 50; round++) {
      await Promise.all(Array.from({ length: 20 }, () => client(uri)));
      expect(await ask(uri, "x")).toMatch(/1 bytes$/);
    }
  });
});

describe("requests that are not complete", () => {
  const mebibyte = 1024 * 1024;

  it("hold a bounded sum of bodies: a large one more is refused, a small one is not", async () => {
    const uri = await serve({ heldBytesMax: 4 * mebibyte, bodyIdleMsMax: 60_000 });
    const half: Client[] = [];
    const answered: string[] = [];
    for (let index = 0; index < 8; index++) {
      const one = await client(uri);
      half.push(one);
      void one.closed.then((text) => answered.push(text));
      one.socket.write(head(8 * mebibyte) + "x".repeat(mebibyte));
    }
    while (answered.length < 5) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const text of answered) {
      expect(text).toMatch(/^HTTP\/1.1 503 .*retry-after: 1.*The server holds too many large requests, try again$/s);
    }
    expect(await ask(uri, "x".repeat(1000))).toMatch(/1000 bytes$/);
    for (const one of half) {
      one.socket.destroy();
    }
    // Their bytes are released once the server has seen the disconnects.
    let text = "";
    while (!text.endsWith(`${2 * mebibyte} bytes`)) {
      text = await ask(uri, "x".repeat(2 * mebibyte));
      expect(text).toMatch(/^HTTP\/1.1 (200|503) /);
    }
  });

  it("count until they are answered", async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let isHeld = false;
    const handler: RequestHandler = async (arrived) => {
      if (!isHeld) {
        isHeld = true;
        await gate;
      }
      return ok(`${arrived.body.length} bytes`);
    };
    const uri = await serve({ heldBytesMax: 3 * mebibyte }, { handler });
    const first = ask(uri, "x".repeat(mebibyte));
    while (!isHeld) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await ask(uri, "x".repeat(2 * mebibyte))).toMatch(/^HTTP\/1.1 503 /);
    go();
    expect(await first).toMatch(/1048576 bytes$/);
    expect(await ask(uri, "x".repeat(mebibyte))).toMatch(/1048576 bytes$/);
  });

  it("hold a bounded sum of headers, before and after these are complete", async () => {
    const uri = await serve({ unfinishedBytesMax: mebibyte, heldBytesMax: mebibyte });
    const long = `GET / HTTP/1.1\r\nhost: a\r\nx-a: ${"x".repeat(900_000)}`;
    const some = await Promise.all(Array.from({ length: 3 }, () => client(uri)));
    for (const one of some) {
      one.socket.write(long);
    }
    // Two of the three are closed.
    await Promise.race([
      Promise.all([some[0]?.closed, some[1]?.closed]),
      Promise.all([some[0]?.closed, some[2]?.closed]),
      Promise.all([some[1]?.closed, some[2]?.closed]),
    ]);
    expect(await ask(uri, "x")).toMatch(/1 bytes$/);
    const finished = await rawExchange(uri, `GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-a: ${"x".repeat(1_200_000)}\r\n\r\n`);
    expect(finished).toMatch(/^HTTP\/1.1 503 /);
  });

  it("may come byte by byte", async () => {
    const uri = await serve({});
    const length = 60_000;
    const pieces = Array.from({ length }, () => "1\r\nx\r\n").join("");
    const text = await rawExchange(
      uri,
      `POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`,
    );
    expect(text).toMatch(/60000 bytes$/);
  });
});
