import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { type OriginOptions, refusalOf } from "../../../../src/server/edge/origin.ts";

const onLoopback: OriginOptions = { listensOnLoop: true, processForwarded: false, hosts: [], baseUri: () => "http://127.0.0.1:8080" };
const abroad: OriginOptions = { ...onLoopback, listensOnLoop: false };

function asked(
  headers: Readonly<Record<string, string>>,
  options: Partial<OriginOptions> = {},
  more: { method?: string; target?: string } = {},
): string | undefined {
  return refusalOf({ method: "POST", target: "/v1/statement", headers, ...more }, { ...onLoopback, ...options })?.message;
}

const isForeign = "Requests of other sites are not allowed";
const isUnknown = /^This server is not known as /;

describe("requests of programs", () => {
  it("pass under every reserved name", () => {
    for (const host of [
      "127.0.0.1:8080",
      "127.1:8080",
      "[::1]:8080",
      "10.1.2.3",
      "localhost:8080",
      "LOCALHOST",
      "localhost.:8080",
      "coordinator:8080",
      "orrery_coordinator_1",
      "trino.default.svc.cluster.local:8080",
      "host.docker.internal:8080",
      "presto.example:80",
      "",
      hostname(),
    ]) {
      expect(asked({ host }), host).toBeUndefined();
    }
    expect(asked({})).toBeUndefined();
  });

  it("pass with the headers that real clients send", () => {
    const clients: readonly Readonly<Record<string, string>>[] = [
      { "user-agent": "trino-python-client/0.339.0", "content-type": "text/plain; charset=utf-8", "accept-encoding": "gzip, deflate" },
      { "user-agent": "axios/1.7.2", "content-type": "application/x-www-form-urlencoded", accept: "application/json, text/plain, */*" },
      // Node's fetch.
      { "user-agent": "node", "sec-fetch-mode": "cors", "accept-language": "*", accept: "*/*", "content-type": "text/plain;charset=UTF-8" },
      { "user-agent": "presto-client-node", "transfer-encoding": "chunked" },
      { "user-agent": "okhttp/4.12", "content-type": "application/json" },
    ];
    for (const headers of clients) {
      for (const host of ["127.0.0.1:8080", "localhost:8080", "coordinator:8080"]) {
        expect(asked({ host, ...headers })).toBeUndefined();
      }
      expect(asked({ host: "trino.company.com", ...headers }, abroad)).toBeUndefined();
      expect(asked({ host: "x", ...headers }, {}, { method: "DELETE", target: "http://127.0.0.1:8080/v1/statement/q/1" })).toBeUndefined();
    }
  });
});

describe("a page of another site", () => {
  const host = "127.0.0.1:8080";

  it("cannot send a request, simple or not", () => {
    for (const origin of [
      "http://evil.com",
      "https://127.0.0.1.evil.com",
      "null",
      "http://127.0.0.1:8081",
      "http://localhost:8080",
      "file://",
      "x",
    ]) {
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "GET"]) {
        expect(asked({ host, origin }, {}, { method }), `${method} ${origin}`).toBe(isForeign);
      }
    }
    expect(asked({ origin: "null" })).toBe(isForeign);
  });

  it("cannot send a form from a browser that tells no origin", () => {
    expect(asked({ host, referer: "http://evil.com/page" })).toBe(isForeign);
    expect(asked({ host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" })).toBe(isForeign);
    expect(asked({ host, "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" })).toBe(isForeign);
    expect(asked({ host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }, {}, { method: "GET" })).toBe(isForeign);
  });

  it("may link to us", () => {
    const link = { host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", referer: "http://evil.com/" };
    expect(asked(link, {}, { method: "GET" })).toBeUndefined();
  });

  it("cannot point a name of its own to us", () => {
    for (const name of ["evil.com:8080", "a.evil.co.uk", "127.0.0.1.evil.com", "localhost.evil.com", "evil.com."]) {
      for (const method of ["POST", "GET"]) {
        const own = { host: name, origin: `http://${name}` };
        expect(asked(own, onLoopback, { method }), name).toMatch(isUnknown);
        expect(asked(own, abroad, { method }), name).toMatch(isUnknown);
        expect(asked({ host: name }, onLoopback, { method }), name).toMatch(isUnknown);
        expect(asked({ host: name, "user-agent": "Mozilla/5.0 (X11)" }, abroad, { method }), name).toMatch(isUnknown);
      }
      expect(asked({ host: "localhost", origin: `http://${name}` }, onLoopback, { target: `http://${name}/v1/statement` })).toMatch(
        isUnknown,
      );
    }
    expect(asked({ host: "a b" })).toBe("The Host header is not valid");
    expect(asked({ host: "a@evil.com" })).toBe("The Host header is not valid");
  });
});

describe("our own pages", () => {
  it("may ask what they like", () => {
    const page = (host: string, origin: string): string | undefined =>
      asked({ host, origin, referer: `${origin}/ui`, "sec-fetch-site": "same-origin", "user-agent": "Mozilla/5.0" }, abroad);
    expect(page("127.0.0.1:8080", "http://127.0.0.1:8080")).toBeUndefined();
    expect(page("localhost:80", "http://localhost")).toBeUndefined();
    expect(page("coordinator", "http://coordinator:80")).toBeUndefined();
    expect(page("[::1]:8080", "http://[::1]:8080")).toBeUndefined();
    expect(page("coordinator:443", "http://coordinator")).toBe(isForeign);
  });

  it("come by the names that the configuration gives, and through the proxy that it believes", () => {
    const own = { host: "trino.company.com", origin: "https://trino.company.com" };
    expect(asked(own, abroad)).toMatch(isUnknown);
    expect(asked(own, { ...abroad, hosts: ["Trino.company.com"] })).toBeUndefined();
    // The proxy forwards under another host name than its own.
    const proxied = { host: "inner:8080", origin: "https://trino.company.com" };
    expect(asked(proxied, abroad)).toBe(isForeign);
    expect(asked(proxied, { ...abroad, processForwarded: true, baseUri: () => "https://trino.company.com/prefix" })).toBeUndefined();
    expect(asked({ host: "trino.company.com" }, { ...onLoopback, processForwarded: true })).toBeUndefined();
  });
});
