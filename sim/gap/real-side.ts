/** The real transport over loopback, and peers below HTTP that do what no well-behaved server does. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { HttpMethod, HttpRequest, HttpResponse } from "../../src/ports/network.ts";
import { RealNetwork } from "../../src/server/network.ts";
import { bodyBytesMax, type ObservedHandler } from "./observation.ts";

/** What a raw peer does with a request whose head has arrived; `request` counts from 0 over all connections. */
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

  /** Requests go to a peer that speaks bytes. */
  async servePeer(peer: RawPeer): Promise<void> {
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
  }

  /** Requests pass through a relay that can stop to carry bytes, without closing anything. */
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

  /** Requests go to a port where nobody listens. */
  async serveNobody(): Promise<void> {
    this.#target = await this.#listen(() => undefined);
    await new Promise((resolve) => this.#servers.pop()?.close(resolve));
  }

  /** Closed with everything else. */
  adopt(server: Server): void {
    this.#servers.push(server);
  }

  set target(uri: string) {
    this.#target = uri;
  }

  ask(
    method: HttpMethod,
    options: {
      readonly timeoutMs?: number;
      readonly onAbortable?: (abort: () => void) => void;
      readonly request?: Partial<HttpRequest>;
    } = {},
  ): Promise<HttpResponse> {
    const request = { method, url: `${this.#target}/x`, headers: {}, body: new Uint8Array(0), ...options.request };
    const { onAbortable } = options;
    return this.a.request(
      { ...request, url: request.url.replace("http://b:8080", this.#target) },
      { timeoutMs: options.timeoutMs ?? 20_000, label: "ask", ...(onAbortable === undefined ? {} : { onAbortable }) },
    );
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

/** Resolves when `holds`, looked at again and again. What is waited for does come: the caller's own request has a time-out. */
export async function eventually(holds: () => boolean, msMax = 5_000): Promise<void> {
  for (let waited = 0; waited < msMax && !holds(); waited += 5) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}
