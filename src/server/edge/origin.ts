/**
 * Keeps web pages of other sites away. A page may send requests to any address that its browser reaches, and by a name of its own that it points to this machine (DNS
 * rebinding) it may even read the answers. Programs are not meant: they send neither an origin nor names that somebody else owns.
 */
import { hostname } from "node:os";
import { isIP } from "node:net";
import { RefusedRequest } from "./intake.ts";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface OriginOptions {
  /** The server is reached from this machine only: what comes by a foreign name comes by way of a browser, or of a proxy that must be announced. */
  readonly listensOnLoop: boolean;
  /** A proxy stands before the server. */
  readonly processForwarded: boolean;
  /** Names of the server beside those that nobody else can own. */
  readonly hosts: readonly string[];
  /** `http://host:port`, as a proxy says that the client sees the server. */
  readonly baseUri: () => string;
}

interface CheckedRequest {
  readonly method: string;
  /** The request's target, which may be a whole address. */
  readonly target: string;
  readonly headers: Headers;
}

/** Top-level names that the public name service never gives to anyone (RFC 2606, 6761, 6762, 8375 and ICANN's .internal). */
const reservedNames = /(?:^|\.)(?:localhost|local|internal|test|example|invalid|home\.arpa)$/;

/** Why the request is refused; undefined when it is not. */
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

/** A whole address as the target counts before the header. */
function authorityOf({ target, headers }: CheckedRequest): string | undefined {
  const whole = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
  const authority = whole ?? text(headers, "host");
  return authority === undefined || authority === "" ? undefined : authority.toLowerCase();
}

/** Without the port; undefined when it is none. */
function hostOf(authority: string): string | undefined {
  const [, bracketed, name] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::\d{0,5})?$/.exec(authority) ?? [];
  return bracketed ?? name?.replace(/\.$/, "");
}

/** An address, a name without a dot or below a reserved one is nobody's to point elsewhere. */
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

/** A link from elsewhere may be followed; nothing else of a foreign page is let in. */
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
  // Browsers of before 2020 send no origin with a form.
  const referer = text(headers, "referer");
  return !isRead && origin === undefined && referer !== undefined && !isOwn(referer);
}

/** Whether an address is below one of the authorities; the port that its scheme implies may be left out of either. What is no address, as the origin `null`, is not. */
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
