/**
 * The real transport over loopback, and peers below HTTP that misbehave in ways no real server does.
 */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { HttpMethod, HttpResponse } from "../../src/ports/network.ts";
import { RealNetwork } from "../../src/server/transport/network.ts";
import { type AskOptions, askOver, bodyBytesMax, type ObservedHandler } from "./observation.ts";

/** Handles a request whose head has arrived; `request` counts from 0 over all connections. */
export type RawPeer = (socket: Socket, request: number) => void;

export class RealSide {
  readonly a: RealNetwork = realNetwork();
  readonly b: RealNetwork = realNetwork();
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  #target = "";

  async serve(handler: ObservedHandler): Promise<void> {
    await this.b.serve(handler.handle);
    this.#target = this.b.selfUri;
  }

  /** Directs requests to a peer that handles raw bytes. Returns a function that counts the requests that arrived. */
  async servePeer(peer: RawPeer): Promise<() => number> {
    let requests = 0;
    this.#target = await this.#listen((socket) => {
      let text = "";
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1");
        if (text.includes("\r\n\r\n")) {
          text = "";
          peer(socket, requests++);
        }
      });
    });
    return () => requests;
  }

  /** Directs requests through a relay that can stop forwarding bytes without closing connections. */
  async serveThroughRelay(handler: ObservedHandler): Promise<{ freeze(): void }> {
    await this.serve(handler);
    const { port } = new URL(this.#target);
    let frozen = false;
    this.#target = await this.#listen((socket) => {
      const onward = connect(Number(port), "127.0.0.1");
      this.#keep(onward);
      const carry = (from: Socket, to: Socket): void => {
        from.on("data", (chunk: Buffer) => void (frozen || to.write(chunk)));
        from.on("close", () => void (frozen || to.destroy()));
      };
      carry(socket, onward);
      carry(onward, socket);
    });
    return {
      freeze: () => {
        frozen = true;
      },
    };
  }

  /** Directs requests to a port without a listener: the local port of an open connection, which no other process can get meanwhile. */
  async serveNobody(): Promise<void> {
    const { port } = new URL(await this.#listen(() => undefined));
    const holding = connect(Number(port), "127.0.0.1");
    this.#keep(holding);
    await once(holding, "connect");
    this.#target = `http://127.0.0.1:${holding.localPort}`;
  }

  /** Directs requests to a port that resets every connection at once. */
  async serveResets(): Promise<void> {
    this.#target = await this.#listen((socket) => socket.resetAndDestroy());
  }

  ask(method: HttpMethod, options: AskOptions = {}): Promise<HttpResponse> {
    return askOver(this.a, this.#target, method, options);
  }

  /**
   * Sends a POST by hand over its own connection: the head and half of the body, and the other half when the caller calls the returned
   * function, which resolves with the status line.
   */
  async askInHalves(path: string): Promise<() => Promise<string>> {
    const { host, port } = new URL(this.#target);
    const socket = connect(Number(port), "127.0.0.1");
    this.#keep(socket);
    await once(socket, "connect");
    socket.write(`POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 8\r\n\r\nhalf`);
    return async () => {
      const answered = once(socket, "data");
      socket.write("rest");
      const [chunk] = (await answered) as [Buffer];
      return chunk.toString("latin1").split("\r\n")[0] ?? "";
    };
  }

  async close(): Promise<void> {
    await this.a.close();
    await this.b.close();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    for (const server of this.#servers) {
      server.close();
    }
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => undefined);
  }

  async #listen(onConnection: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      this.#keep(socket);
      onConnection(socket);
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
}

function realNetwork(): RealNetwork {
  return new RealNetwork({ host: "127.0.0.1", port: 0, bodyBytesMax, eventLoopDelayMsMax: 60_000, processForwarded: false });
}

/** Polls `holds` and resolves as soon as it is true, or after a minute; the situation then reports that it never was. */
export async function eventually(holds: () => boolean): Promise<void> {
  for (let waited = 0; waited < 60_000 && !holds(); waited += 5) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}
