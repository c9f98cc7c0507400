/**
 * The address under which a client sees the node, from the request's headers: the base of all links in a response. Proxy headers count only
 * if the configuration says so.
 */
import type { Headers } from "../../ports/network.ts";

export interface BaseUriOptions {
  /** `http-server.process-forwarded` */
  readonly processForwarded: boolean;
  /** Used if no header has an address. */
  readonly selfUri: string;
  /** The request came over HTTPS. */
  readonly secure?: boolean;
}

/** The original request according to the proxy. */
interface Forwarded {
  readonly scheme: string | undefined;
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly prefix: string;
}

const hostPort = /:\d+$/;

/** `http://host:port` or `https://host:port`, followed by the proxy's path prefix. */
export function baseUriOf(headers: Headers, { processForwarded, secure = false, selfUri }: BaseUriOptions): string {
  const own = hostIn(firstEntry(headers, "host"));
  const ownScheme = secure ? "https" : "http";
  if (!processForwarded) {
    return own === undefined ? selfUri : `${ownScheme}://${own}`;
  }
  const forwarded = forwardedOf(headers);
  const host = forwarded.host ?? own;
  if (host === undefined) {
    return `${selfUri}${forwarded.prefix}`;
  }
  const scheme = forwarded.scheme ?? ownScheme;
  const { port } = forwarded;
  if (port === undefined || (forwarded.host !== undefined && hostPort.test(forwarded.host))) {
    return `${scheme}://${host}${forwarded.prefix}`;
  }
  const isUsual = port === (scheme === "https" ? "443" : "80");
  return `${scheme}://${host.replace(hostPort, "")}${isUsual ? "" : `:${port}`}${forwarded.prefix}`;
}

/** The standard header (RFC 7239) takes precedence over the older ones. The first proxy is the one that the client connects to. */
function forwardedOf(headers: Headers): Forwarded {
  const standard = forwardedPairs(firstLine(headers, "forwarded"));
  return {
    scheme: schemeIn(standard.get("proto")) ?? schemeIn(firstEntry(headers, "x-forwarded-proto")),
    host: hostIn(standard.get("host")) ?? hostIn(firstEntry(headers, "x-forwarded-host")),
    port: /^\d{1,5}$/.exec(firstEntry(headers, "x-forwarded-port") ?? "")?.[0],
    prefix: prefixIn(firstEntry(headers, "x-forwarded-prefix")),
  };
}

/** The pairs of the first element; values may be quoted. */
function forwardedPairs(line: string | undefined): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  const pair = /\s*([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;,\s"]*))\s*(;|,|$)/gy;
  for (const match of (line ?? "").matchAll(pair)) {
    const [, name = "", quoted, token = "", end] = match;
    pairs.set(name.toLowerCase(), quoted === undefined ? token : quoted.replaceAll(/\\(.)/g, "$1"));
    if (end !== ";") {
      break;
    }
  }
  return pairs;
}

function firstLine(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

function firstEntry(headers: Headers, name: string): string | undefined {
  return firstLine(headers, name)?.split(",")[0]?.trim() || undefined;
}

/** Accepts only text that can be part of a link, because the peer controls the header. */
function hostIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w.:[\]-]+$/.test(text) ? text : undefined;
}

function schemeIn(text: string | undefined): string | undefined {
  return /^https?$/i.exec(text ?? "")?.[0].toLowerCase();
}

/** `/gateway`, without a trailing slash. */
function prefixIn(text: string | undefined): string {
  return /^((?:\/[\w.~%-]+)+)\/?$/.exec(text ?? "")?.[1] ?? "";
}
