/**
 * A server below HTTP: the test controls each connection byte by byte, for behavior that a correct server never shows.
 */
import { createServer, type AddressInfo, type Socket } from "node:net";

export interface RawServer {
  readonly uri: string;
  /** Number of connections accepted so far. */
  readonly connections: () => number;
  /** The requests whose head has arrived, as text. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Handles a request whose head and body have arrived. `connection` counts from 0; `request` counts from 0 within its connection. */
export type RawAnswer = (socket: Socket, arrived: { readonly text: string; readonly connection: number; readonly request: number }) => void;

export async function startRawServer(answer: RawAnswer): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    const connection = connections++;
    let request = 0;
    let text = "";
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
      for (let end = endOfRequest(text); end !== undefined; end = endOfRequest(text)) {
        const whole = text.slice(0, end);
        text = text.slice(end);
        requests.push(whole);
        answer(socket, { text: whole, connection, request: request++ });
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    requests,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) {
          socket.destroy();
        }
        server.close(() => resolve());
      }),
  };
}

function endOfRequest(text: string): number | undefined {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) {
    return undefined;
  }
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length ? head + 4 + length : undefined;
}

/** A complete response as bytes on the wire. */
export function rawResponse(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ "content-length": String(Buffer.byteLength(body)), ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** Sends bytes to a server and reads until it closes the connection or `enough` matches. */
export async function rawExchange(uri: string, bytes: string, enough?: RegExp): Promise<string> {
  const { connect } = await import("node:net");
  const { hostname, port } = new URL(uri);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    const end = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setEncoding("latin1");
    socket.on("connect", () => socket.write(bytes, "latin1"));
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (enough?.test(text) === true) {
        end();
      }
    });
    socket.on("end", end);
    socket.on("error", reject);
  });
}
