/** A real HTTP server in front of a handler: carries out how each request ends on its connection. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { RequestEnding } from "../../src/chaos/door.ts";
import type { Headers, HttpMethod, HttpRequest, HttpResponse } from "../../src/ports/network.ts";
import { textResponse } from "../../src/protocol/http/http.ts";

export interface HttpDoorOptions {
  readonly host: string;
  /** 0 for a free port. */
  readonly port: number;
  /** `onLeave` calls back if the client leaves before the answer. */
  readonly handler: (request: HttpRequest, onLeave: (callback: () => void) => void) => Promise<RequestEnding>;
}

const bodyBytesMax = 16 * 1024 * 1024;
const headerBytesMax = 2 * 1024 * 1024;
const gzipBytesMin = 1400;
const methods: readonly string[] = ["GET", "POST", "PUT", "DELETE", "HEAD"];

export class HttpDoor {
  readonly #options: HttpDoorOptions;
  readonly #server: Server;

  constructor(options: HttpDoorOptions) {
    this.#options = options;
    this.#server = createServer({ maxHeaderSize: headerBytesMax, keepAliveTimeout: 75_000 }, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** `http://host:port` */
  get uri(): string {
    const { address, family, port } = this.#server.address() as AddressInfo;
    const host = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : address;
    return `http://${family === "IPv6" && host.includes(":") ? `[${host}]` : host}:${port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#options.port, this.#options.host, resolve);
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = incoming;
    const body = await bodyOf(incoming);
    if (body === undefined || !methods.includes(method)) {
      const refusal =
        body === undefined ? textResponse(413, `Request body is larger than ${bodyBytesMax} bytes`) : textResponse(405, method);
      send(outgoing, refusal, undefined);
      return;
    }
    const request: HttpRequest = {
      method: method as HttpMethod,
      url: url.replace(/^https?:\/\/[^/?#]+/, ""),
      headers: headersOf(incoming),
      body,
    };
    const ending = await this.#options.handler(request, (callback) =>
      outgoing.once("close", () => {
        if (!outgoing.writableEnded) {
          callback();
        }
      }),
    );
    end(outgoing, ending, incoming.headers["accept-encoding"]?.toString());
  }
}

function end(outgoing: ServerResponse, ending: RequestEnding, acceptEncoding: string | undefined): void {
  switch (ending.kind) {
    case "answered":
      send(outgoing, ending.response, acceptEncoding);
      break;
    case "answered-twice": {
      const bytes = messageBytes(ending.response);
      outgoing.socket?.end(Buffer.concat([bytes, bytes]));
      break;
    }
    case "reset":
      reset(outgoing, ending.response);
      break;
    case "silent":
      break;
  }
}

/** Half of the body is flushed before the connection is reset. */
function reset(outgoing: ServerResponse, response: HttpResponse | undefined): void {
  const { socket } = outgoing;
  if (response === undefined || response.body.length < 2 || socket === null) {
    socket?.resetAndDestroy();
    return;
  }
  const bytes = messageBytes(response);
  socket.write(bytes.subarray(0, bytes.length - (response.body.length >> 1)), () => socket.resetAndDestroy());
}

function messageBytes({ body, headers, status }: HttpResponse): Buffer {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`));
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} \r\n${lines.join("")}content-length: ${body.length}\r\n\r\n`, "latin1"), body]);
}

function send(outgoing: ServerResponse, { body, headers, status }: HttpResponse, acceptEncoding: string | undefined): void {
  const zips = body.length >= gzipBytesMin && headers["content-encoding"] === undefined && /\bgzip\b/.test(acceptEncoding ?? "");
  const bytes = zips ? gzipSync(body) : body;
  outgoing.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    outgoing.setHeader(name, typeof value === "string" ? value : [...value]);
  }
  if (zips) {
    outgoing.setHeader("content-encoding", "gzip");
    outgoing.setHeader("vary", "accept-encoding");
  }
  if (status !== 204 && status !== 304) {
    outgoing.setHeader("content-length", bytes.length);
  }
  outgoing.end(bytes);
}

/** Undefined if the body is too large. */
async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bodyBytesMax) {
      return undefined;
    }
    parts.push(part);
  }
  return Uint8Array.from(Buffer.concat(parts));
}

function headersOf(incoming: IncomingMessage): Headers {
  return Object.fromEntries(
    Object.entries(incoming.headersDistinct).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value.length === 1 ? (value[0] as string) : value]],
    ),
  );
}
