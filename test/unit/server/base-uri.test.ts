import { describe, expect, it } from "vitest";
import { baseUriOf } from "../../../src/server/transport/base-uri.ts";

const selfUri = "http://127.0.0.1:8080";
const believed = { processForwarded: true, selfUri };

describe("the base of links behind proxies", () => {
  it.each([
    // The examples of RFC 7239, section 4.
    ['for=192.0.2.43, for="[2001:db8:cafe::17]"', "http://inner:1"],
    ["for=192.0.2.60; proto=http; by=203.0.113.43", "http://inner:1"],
    ["for=192.0.2.60;proto=https;host=outer.example", "https://outer.example"],
    ["Host=outer.example;PROTO=HTTPS", "https://outer.example"],
    ['host="outer.example:8443";proto=https', "https://outer.example:8443"],
    ['host="[2001:db8::1]:99"', "http://[2001:db8::1]:99"],
    ["host=first;proto=https, host=second;proto=http", "https://first"],
    ["for=1, host=second", "http://inner:1"],
    ['host="out\\er"', "http://outer"],
    ["proto=javascript;host=<b>", "http://inner:1"],
    ["host", "http://inner:1"],
    ["", "http://inner:1"],
  ])("follows Forwarded: %s", (forwarded, base) => {
    expect(baseUriOf({ host: "inner:1", forwarded }, believed)).toBe(base);
    expect(baseUriOf({ host: "inner:1", forwarded }, { processForwarded: false, selfUri })).toBe("http://inner:1");
  });

  it("believes the standard's header before X-Forwarded-Proto and -Host", () => {
    const headers = { host: "inner:1", forwarded: "proto=https;host=a", "x-forwarded-proto": "http", "x-forwarded-host": "b" };
    expect(baseUriOf(headers, believed)).toBe("https://a");
    expect(baseUriOf({ ...headers, forwarded: "proto=https" }, believed)).toBe("https://b");
  });

  it.each([
    ["/trino", "/trino"],
    ["/trino/", "/trino"],
    ["/a/b-c.d~e%20", "/a/b-c.d~e%20"],
    ["/first, /second", "/first"],
    ["trino", ""],
    ["/", ""],
    ["//evil.example", ""],
    ['/"><script>', ""],
    ["/a?b", ""],
  ])("puts X-Forwarded-Prefix %s before its paths", (prefix, found) => {
    const headers = { host: "inner:1", "x-forwarded-host": "outer", "x-forwarded-prefix": prefix };
    expect(baseUriOf(headers, believed)).toBe(`http://outer${found}`);
    expect(baseUriOf({ "x-forwarded-prefix": prefix }, believed)).toBe(`${selfUri}${found}`);
    expect(baseUriOf(headers, { processForwarded: false, selfUri })).toBe("http://inner:1");
  });
});
