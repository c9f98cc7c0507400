/**
 * Protects against web pages of other sites. A page can send requests to any address that its browser reaches. With a name of its own that
 * resolves to this machine (DNS rebinding), it can even read the responses. Programs are not affected: they send neither an Origin header
 * nor foreign host names.
 */
import { hostname } from "node:os";
import { isIP } from "node:net";
import { RefusedRequest } from "./intake.ts";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface OriginOptions {
  /**
   * The server is reachable from this machine only. A request with a foreign host name then comes from a browser, or from a proxy that the
   * configuration must name.
   */
  readonly listensOnLoop: boolean;
  /** The server is behind a proxy. */
  readonly processForwarded: boolean;
  /** Host names of the server, in addition to reserved names. */
  readonly hosts: readonly string[];
  /** `http://host:port` under which the client sees the server, according to the proxy. */
  readonly baseUri: () => string;
}

interface CheckedRequest {
  readonly method: string;
  /** The request target, which may be an absolute URI. */
  readonly target: string;
  readonly headers: Headers;
}

/** Top-level domains that are never registered publicly (RFC 2606, 6761, 6762, 8375 and ICANN's .internal). */
const reservedNames = /(?:^|\.)(?:localhost|local|internal|test|example|invalid|home\.arpa)$/;

/** Returns the refusal, or undefined if the request is allowed. */
export function refusalOf(request: CheckedRequest, options: OriginOptions): RefusedRequest | undefined {
  const authority = authorityOf(request);
  const host = authority === undefined ? undefined : hostOf(authority);
  if (authority !== undefined && host === undefined) {
    return new RefusedRequest(400, "The Host header is not valid");
  }
  const own = host === undefined || isOwnName(host, options.hosts);
  const strict = options.listensOnLoop && !options.processForwarded;
  if (!own && (strict || isOfBrowser(request.headers))) {
    return new RefusedRequest(403, `This server is not known as '${host}'; if that is a name of it, set http-server.allowed-hosts`);
  }
  const isOwn = (address: string): boolean => isAddressOf(address, [authority, hostIn(options.baseUri())]);
  return isCrossSite(request, isOwn) ? new RefusedRequest(403, "Requests of other sites are not allowed") : undefined;
}

/** An absolute URI in the target takes precedence over the Host header. */
function authorityOf({ target, headers }: CheckedRequest): string | undefined {
  const whole = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
  const authority = whole ?? text(headers, "host");
  return authority === undefined || authority === "" ? undefined : authority.toLowerCase();
}

/** The host without the port; undefined if `authority` is malformed. */
function hostOf(authority: string): string | undefined {
  const [, bracketed, name] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::\d{0,5})?$/.exec(authority) ?? [];
  return bracketed ?? name?.replace(/\.$/, "");
}

/** IP addresses, names without a dot and reserved names cannot be rebound by an attacker. */
function isOwnName(host: string, hosts: readonly string[]): boolean {
  return (
    isIP(host) !== 0 ||
    !host.includes(".") ||
    /\.\d+$/.test(host) ||
    reservedNames.test(host) ||
    host === hostname().toLowerCase() ||
    hosts.some((one) => one.toLowerCase() === host)
  );
}

/** Node's own fetch sends Sec-Fetch-Mode, but no Sec-Fetch-Site. */
function isOfBrowser(headers: Headers): boolean {
  return (
    ["origin", "referer", "sec-fetch-site", "sec-fetch-dest"].some((name) => headers[name] !== undefined) ||
    (text(headers, "user-agent") ?? "").startsWith("Mozilla/")
  );
}

/** Following a link from another site is allowed; all other requests of foreign pages are refused. */
function isCrossSite({ method, headers }: CheckedRequest, isOwn: (address: string) => boolean): boolean {
  const isRead = method === "GET" || method === "HEAD";
  const origin = text(headers, "origin");
  if (origin !== undefined && !isOwn(origin)) {
    return true;
  }
  const site = text(headers, "sec-fetch-site");
  const isForeign = site === "cross-site" || site === "same-site";
  if (isForeign && !(isRead && text(headers, "sec-fetch-mode") === "navigate")) {
    return true;
  }
  // Browsers before 2020 send no Origin header with a form.
  const referer = text(headers, "referer");
  return !isRead && origin === undefined && referer !== undefined && !isOwn(referer);
}

/**
 * True if an address belongs to one of the authorities; the default port of its scheme may be omitted in either. False for anything that is
 * not an address, such as the origin `null`.
 */
function isAddressOf(address: string, authorities: readonly (string | undefined)[]): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { protocol, host } = new URL(address);
  return authorities.some((authority) => {
    const own = `${protocol}//${authority ?? ""}`;
    return authority !== undefined && URL.canParse(own) && new URL(own).host === host;
  });
}

function hostIn(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}

function text(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}
