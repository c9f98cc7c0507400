/** An HTTP server of a test: keeps what it is sent, and answers as the test says. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  /** Status of the answer to the request of this ordinal; undefined: none, the connection stays open. */
  status: (ordinal: number) => number | undefined = () => 200;
  readonly #server: Server;
  #callbacks: (() => void)[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const status = this.status(this.requests.length);
        const { headers, method = "", url = "" } = request;
        this.requests.push({ method, url, headers, body: Buffer.concat(parts) });
        if (status !== undefined) {
          response.writeHead(status, { "content-type": "application/json" }).end("{}");
        }
        for (const callback of this.#callbacks) {
          callback();
        }
      });
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => {
      receiver.#server.listen(0, "127.0.0.1", resolve);
    });
    return receiver;
  }

  get uri(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when what has arrived satisfies the condition. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (holds()) {
          this.#callbacks = this.#callbacks.filter((one) => one !== check);
          resolve();
        }
      };
      this.#callbacks.push(check);
      check();
    });
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
