/**
 * The effect of HTTP itself on a message, on any network, as the server's transport exhibits it. `npm run sim -- gap` compares these rules
 * with real sockets.
 */
import type { Leg } from "../../src/ports/fates.ts";
import { type Headers, type HttpRequest, type HttpResponse, noBody } from "../../src/ports/network.ts";

const headerBytesMax = 2 * 1024 * 1024;
/** A value that every leg carries as it is. */
const isPlain = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;

/**
 * Returns headers as the receiver sees them: lower-case names, one text value each, surrounding blanks removed (undici keeps trailing
 * blanks of a response). Returns undefined if HTTP cannot carry them.
 */
export function carriedHeaders(headers: Headers, leg: Leg): Headers | undefined {
  const carried: Record<string, string | readonly string[]> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name] as string | readonly string[];
    if (typeof value === "string" && isPlain.test(value)) {
      carried[name.toLowerCase()] = value;
      continue;
    }
    const values = typeof value === "string" ? [value] : value;
    if (values.some((one) => /[^\t\x20-\x7e\x80-\xff]/.test(one))) {
      return undefined;
    }
    const trimmed = values.map((one) => one.replace(leg === "request" ? /^[ \t]+|[ \t]+$/g : /^[ \t]+/, ""));
    carried[name.toLowerCase()] = trimmed.length === 1 ? (trimmed[0] as string) : trimmed;
  }
  return carried;
}

/**
 * Returns the response that a server sends before the node sees the request, or undefined if the request reaches the node. `url` is path
 * and query.
 */
export function refusal(request: HttpRequest, bodyBytesMax: number): HttpResponse | undefined {
  let headerBytes = 0;
  for (const name of Object.keys(request.headers)) {
    headerBytes += name.length + (request.headers[name] as string | readonly string[]).length;
  }
  if (headerBytes > headerBytesMax) {
    return plain(431);
  }
  if (request.url.includes("%") && /%(?![0-9a-fA-F]{2})/.test(request.url.split("?", 1)[0] ?? "")) {
    return plain(400);
  }
  return request.body.length > bodyBytesMax ? plain(413) : undefined;
}

/** Some responses carry no body, even if the handler returned one. */
export function carriedBody(method: string, status: number, body: Uint8Array): Uint8Array {
  return method === "HEAD" || status === 204 || status === 304 ? noBody : copied(body);
}

/** The bytes of a message are the receiver's own. Of no bytes there is one copy, because a buffer costs more than many an event. */
export function copied(body: Uint8Array): Uint8Array {
  return body.length === 0 ? noBody : body.slice();
}

export function plain(status: number): HttpResponse {
  return { status, headers: { "content-type": "text/plain" }, body: noBody };
}
