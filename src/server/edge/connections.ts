/**
 * The connections of a node's servers. Bounds their number and the bytes of incomplete requests. At the limit, a new connection replaces an
 * idle one, so that many idle connections cannot keep clients out. If all are busy, the new connection gets an error and is closed.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

export interface ConnectionLimits {
  readonly connectionsMax: number;
  /** Bytes of all requests whose headers are incomplete, of all connections together. */
  readonly unfinishedBytesMax: number;
}

interface Connection {
  readonly socket: Socket;
  requests: number;
  /** Bytes that the socket had read when its last request ended. */
  bytesRead: number;
}

const sweepMs = 250;
const refusal =
  "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 20\r\n\r\n";
const refusalText = "Too many connections";

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #all = new Map<Socket, Connection>();
  /** Connections without a complete request so far, in order of arrival. */
  readonly #fresh = new Set<Connection>();
  /** Sockets whose TLS handshake is not complete, by the address of the client. */
  readonly #shaking = new Map<string, Socket>();
  /** Connections between two requests, in order of the end of the last one. */
  readonly #kept = new Set<Connection>();
  readonly #timer: NodeJS.Timeout;

  constructor(servers: readonly Server[], limits: ConnectionLimits) {
    this.#limits = limits;
    for (const server of servers) {
      const isSecure = "setSecureContext" in server;
      server.on("connection", (socket) => this.#add(socket, isSecure));
      server.on("secureConnection", (socket: TLSSocket) => this.#shaken(socket));
      server.on("request", (request, response) => this.#begin(request, response));
    }
    this.#timer = setInterval(() => this.#sweep(), sweepMs);
    this.#timer.unref();
  }

  get count(): number {
    return this.#all.size;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #add(socket: Socket, isSecure: boolean): void {
    if (isSecure) {
      const address = addressOf(socket);
      this.#shaking.set(address, socket);
      socket.once("close", () => this.#shaking.delete(address));
    }
    const connection: Connection = { socket, requests: 0, bytesRead: 0 };
    this.#all.set(socket, connection);
    this.#fresh.add(connection);
    socket.once("close", () => {
      this.#all.delete(socket);
      this.#fresh.delete(connection);
      this.#kept.delete(connection);
    });
    if (this.#all.size > this.#limits.connectionsMax) {
      this.#fresh.delete(connection);
      if (!this.#evict()) {
        if (isSecure) {
          socket.destroy();
          return;
        }
        socket.write(refusal + refusalText);
        socket.destroySoon();
        return;
      }
      this.#fresh.add(connection);
    }
  }

  /** From now on, the connection's bytes and requests are those of its TLS socket. */
  #shaken(secure: TLSSocket): void {
    const address = addressOf(secure);
    const socket = this.#shaking.get(address);
    this.#shaking.delete(address);
    const connection = socket === undefined ? undefined : this.#all.get(socket);
    if (socket === undefined || connection === undefined) {
      secure.destroy();
      return;
    }
    this.#all.delete(socket);
    this.#fresh.delete(connection);
    const successor: Connection = { socket: secure, requests: 0, bytesRead: 0 };
    this.#all.set(secure, successor);
    this.#fresh.add(successor);
    secure.once("close", () => {
      this.#all.delete(secure);
      this.#fresh.delete(successor);
      this.#kept.delete(successor);
    });
  }

  /** Evicts connections without any request first. */
  #evict(): boolean {
    for (const idle of [this.#fresh, this.#kept]) {
      for (const connection of idle) {
        idle.delete(connection);
        this.#all.delete(connection.socket);
        connection.socket.destroy();
        return true;
      }
    }
    return false;
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#all.get(request.socket);
    if (connection === undefined) {
      return;
    }
    this.#fresh.delete(connection);
    this.#kept.delete(connection);
    connection.requests++;
    response.once("close", () => {
      connection.requests--;
      if (connection.requests === 0 && this.#all.has(connection.socket)) {
        connection.bytesRead = connection.socket.bytesRead;
        this.#kept.add(connection);
      }
    });
  }

  /** The HTTP parser buffers incomplete headers internally; only the socket's byte counter shows how much. */
  #sweep(): void {
    const unfinished: { readonly connection: Connection; readonly bytes: number }[] = [];
    let sum = 0;
    for (const idle of [this.#fresh, this.#kept]) {
      for (const connection of idle) {
        const bytes = connection.socket.bytesRead - connection.bytesRead;
        if (bytes > 0) {
          unfinished.push({ connection, bytes });
          sum += bytes;
        }
      }
    }
    if (sum <= this.#limits.unfinishedBytesMax) {
      return;
    }
    unfinished.sort((a, b) => b.bytes - a.bytes);
    for (const { connection, bytes } of unfinished) {
      if (sum <= this.#limits.unfinishedBytesMax) {
        return;
      }
      sum -= bytes;
      connection.socket.destroy();
    }
  }
}

function addressOf({ localPort, remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
