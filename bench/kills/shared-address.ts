/** One address of several servers, as a load balancer has it: connections go to the one that it leads to. */
import { createServer, connect, type Server, type Socket } from "node:net";

export class SharedAddress {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port: number | undefined;

  constructor(port: number) {
    this.#server = createServer((client) => this.#accept(client)).listen(port, "127.0.0.1");
  }

  /** Of new connections. */
  leadTo(port: number): void {
    this.#port = port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  #accept(client: Socket): void {
    if (this.#port === undefined) {
      client.destroy();
      return;
    }
    const server = connect(this.#port, "127.0.0.1");
    const pair = [client, server] as const;
    for (const socket of pair) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        for (const other of pair) {
          other.destroy();
        }
      });
    }
    client.pipe(server);
    server.pipe(client);
  }
}
