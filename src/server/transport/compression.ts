/**
 * Response compression by `Accept-Encoding`, outside the engine: gzip, deflate and Brotli of Node's zlib. Nodes do not request it from each
 * other, and small responses are not worth it.
 */
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, deflate, deflateSync, gzip, gzipSync } from "node:zlib";
import type { HttpResponse } from "../../ports/network.ts";

export type ContentEncoding = "gzip" | "deflate" | "br";

/** Responses up to this size fit about one packet, and compressing takes longer than sending. */
export const uncompressedBytesMax = 1024;

/**
 * Up to this size the event loop compresses faster than a round trip to the thread pool: 25 us for 10 kB, 50 us for 30 kB, against 100 us.
 */
const compressedAtOnceBytesMax = 32 * 1024;

/** The fastest level: on a loopback connection CPU time is the bottleneck. */
const zlibOptions = { level: 1 };
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

interface Compressor {
  readonly atOnce: (body: Uint8Array) => Uint8Array;
  readonly inThread: (body: Uint8Array) => Promise<Uint8Array>;
}

const gzipInThread = promisify(gzip);
const deflateInThread = promisify(deflate);
const brotliInThread = promisify(brotliCompress);

const compressors: Readonly<Record<ContentEncoding, Compressor>> = {
  gzip: { atOnce: (body) => gzipSync(body, zlibOptions), inThread: (body) => gzipInThread(body, zlibOptions) },
  deflate: { atOnce: (body) => deflateSync(body, zlibOptions), inThread: (body) => deflateInThread(body, zlibOptions) },
  br: { atOnce: (body) => brotliCompressSync(body, brotliOptions), inThread: (body) => brotliInThread(body, brotliOptions) },
};

const compressible = /^(?:application\/(?:json|javascript)|text\/[a-z]+|image\/svg\+xml)\b/;

/** The encoding with the largest weight, the first one among equals; `*` selects gzip. */
export function encodingFor(acceptEncoding: string | undefined): ContentEncoding | undefined {
  const asked = (acceptEncoding ?? "").split(",").map((entry) => {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });
  const gzipIsNamed = asked.some(({ name }) => name === "gzip" || name === "x-gzip");
  let best: { readonly encoding: ContentEncoding | undefined; readonly weight: number } = { encoding: undefined, weight: 0 };
  for (const { name, weight } of asked) {
    const encoding = encodingNamed(name === "*" && !gzipIsNamed ? "gzip" : name);
    if ((encoding !== undefined || name === "identity") && weight > best.weight) {
      best = { encoding, weight };
    }
  }
  return best.encoding;
}

function encodingNamed(name: string): ContentEncoding | undefined {
  switch (name) {
    case "gzip":
    case "x-gzip":
      return "gzip";
    case "deflate":
    case "br":
      return name;
    default:
      return undefined;
  }
}

function mayCompress({ status, headers, body }: HttpResponse): boolean {
  const type = headers["content-type"];
  return (
    body.length > uncompressedBytesMax &&
    status !== 206 &&
    headers["content-encoding"] === undefined &&
    typeof type === "string" &&
    compressible.test(type)
  );
}

/** Compresses the response if the client accepts it and it becomes smaller; otherwise returns it unchanged. */
export async function compressed(response: HttpResponse, acceptEncoding: string | undefined): Promise<HttpResponse> {
  if (!mayCompress(response)) {
    return response;
  }
  const headers = { ...response.headers, vary: "accept-encoding" };
  const encoding = encodingFor(acceptEncoding);
  if (encoding === undefined) {
    return { ...response, headers };
  }
  const { atOnce, inThread } = compressors[encoding];
  const body = response.body.length <= compressedAtOnceBytesMax ? atOnce(response.body) : await inThread(response.body);
  return body.length >= response.body.length
    ? { ...response, headers }
    : { ...response, headers: { ...headers, "content-encoding": encoding }, body };
}
