/**
 * Answers compressed as the client asks for it (`Accept-Encoding`), outside the engine: gzip, deflate and Brotli of Node's zlib. Nodes do not ask each other for it, and
 * small answers are not worth it.
 */
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, deflate, deflateSync, gzip, gzipSync } from "node:zlib";
import type { HttpResponse } from "../../ports/network.ts";

export type ContentEncoding = "gzip" | "deflate" | "br";

/** Up to here an answer fits a packet or so, and compressing it takes longer than sending it. */
export const uncompressedBytesMax = 1024;

/** Up to here the event loop compresses it in less time than the way to a thread of the pool and back takes: 25 us for 10 kB, 50 us for 30 kB, against 100 us. */
const compressedAtOnceBytesMax = 32 * 1024;

/** The fastest level: on a loopback connection the processor is what there is too little of. */
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

/** Of the encodings with the largest weight the one that the client names first; `*` is gzip. */
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

/** The answer as the client asked for it; the same one where it asked for nothing, or where nothing is gained. */
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
