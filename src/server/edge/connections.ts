/**
 * The connections of a node's servers. Bounds their number, also of one address, and the bytes of incomplete requests. At a limit, a new
 * connection replaces an idle one, so that many idle connections cannot keep clients out. If all are busy, the new connection gets an error
 * and is closed.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

export interface ConnectionLimits {
  readonly connectionsMax: number;
  /** Of clients at one address. Behind a proxy all clients have its address. */
  readonly connectionsPerAddressMax?: number;
  /** Bytes of all requests whose headers are incomplete, of all connections together. */
  readonly unfinishedBytesMax: number;
}

interface Connection {
  readonly socket: Socket;
  /** Address of the client, without its port. */
  readonly address: string;
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
  /** Number of connections by the client's address. */
  readonly #counts = new Map<string, number>();
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
    const connection = this.#open(socket, socket.remoteAddress ?? "");
    const { connectionsMax, connectionsPerAddressMax = Number.POSITIVE_INFINITY } = this.#limits;
    const isAddressFull = (this.#counts.get(connection.address) ?? 0) > connectionsPerAddressMax;
    if (isAddressFull || this.#all.size > connectionsMax) {
      this.#fresh.delete(connection);
      if (!this.#evict(isAddressFull ? connection.address : undefined)) {
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

  #open(socket: Socket, address: string): Connection {
    const connection: Connection = { socket, address, requests: 0, bytesRead: 0 };
    this.#all.set(socket, connection);
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1);
    this.#fresh.add(connection);
    socket.once("close", () => this.#remove(connection));
    return connection;
  }

  /** Idempotent. */
  #remove(connection: Connection): void {
    if (!this.#all.delete(connection.socket)) {
      return;
    }
    this.#fresh.delete(connection);
    this.#kept.delete(connection);
    const left = (this.#counts.get(connection.address) ?? 0) - 1;
    if (left > 0) {
      this.#counts.set(connection.address, left);
    } else {
      this.#counts.delete(connection.address);
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
    this.#remove(connection);
    this.#open(secure, connection.address);
  }

  /** Evicts an idle connection, of this address if one is given. Connections without any request go first. */
  #evict(address: string | undefined): boolean {
    for (const idle of [this.#fresh, this.#kept]) {
      for (const connection of idle) {
        if (address === undefined || connection.address === address) {
          this.#remove(connection);
          connection.socket.destroy();
          return true;
        }
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
