/**
 * The files of the web interface: what is served, with which headers, and who is sent where.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Headers, HttpResponse } from "../../../src/ports/network.ts";
import { WebPages } from "../../../src/server/web/pages.ts";

const folder = mkdtempSync(join(tmpdir(), "orrery-web-"));
const page = "<!doctype html><title>Orrery</title>";
const script = "export const answer = 42;".repeat(100);
mkdirSync(join(folder, "assets"));
writeFileSync(join(folder, "index.html"), page);
writeFileSync(join(folder, "assets", "main-ABCD1234.js"), script);
writeFileSync(join(folder, "assets", "main-ABCD1234.js.map"), "{}");
writeFileSync(join(folder, "secret.txt"), "secret");
const pages = new WebPages(pathToFileURL(`${folder}/`));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function get(url: string, headers: Headers = {}): HttpResponse | undefined {
  return pages.answer({ method: "GET", url, headers });
}

function textOf(response: HttpResponse | undefined): string {
  return Buffer.from(response?.body ?? []).toString("utf8");
}

test("the page is served at /, is never kept, and lets no foreign script in", () => {
  const response = get("/?x=1", { accept: "text/html" });
  expect(response?.status).toBe(200);
  expect(textOf(response)).toBe(page);
  expect(response?.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
  });
  const policy = String(response?.headers["content-security-policy"]);
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/script-src[^;]*unsafe|unsafe-eval/);
});

test("assets are compressed for those who accept it, and kept by browsers", () => {
  const plain = get("/ui/assets/main-ABCD1234.js");
  expect(textOf(plain)).toBe(script);
  expect(plain?.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  const small = get("/ui/assets/main-ABCD1234.js", { "accept-encoding": "br, gzip" });
  expect(small?.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(small?.body ?? new Uint8Array()).toString()).toBe(script);
  const unchanged = get("/ui/assets/main-ABCD1234.js", { "if-none-match": String(plain?.headers["etag"]) });
  expect(unchanged).toMatchObject({ status: 304, body: new Uint8Array(0) });
  expect(pages.answer({ method: "HEAD", url: "/", headers: {} })).toMatchObject({ status: 200, body: new Uint8Array(0) });
});

test("a browser that follows infoUri is sent to the page of the query; a program gets the document", () => {
  const id = "20261123_194857_00000_rb95n";
  const sent = get(`/v1/query/${id}`, { accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
  expect(sent?.status).toBe(303);
  const target = new URL(String(sent?.headers["location"]), `http://h:1/prefix/v1/query/${id}`);
  expect(target.href).toBe(`http://h:1/prefix/#/queries/${id}`);
  for (const accept of ["application/json", "*/*", "", "application/json, text/plain, */*"]) {
    expect(get(`/v1/query/${id}`, { accept })).toBeUndefined();
  }
  expect(get("/v1/query", { accept: "text/html" })).toBeUndefined();
  expect(new URL(String(get("/ui")?.headers["location"]), "http://h:1/prefix/ui").href).toBe("http://h:1/prefix/");
  expect(new URL(String(get("/ui/")?.headers["location"]), "http://h:1/prefix/ui/").href).toBe("http://h:1/prefix/");
});

test("nothing but the files of the page is served, whatever the address", () => {
  const part = fc.constantFrom("..", "%2e%2e", "secret.txt", "index.html", "assets", "main-ABCD1234.js.map", "ui", "%00", "\\", ".", "");
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const response = get(`/ui/assets/${parts.join("/")}`);
      expect(textOf(response)).not.toContain("secret");
      expect(response === undefined || [page, script].includes(textOf(response))).toBe(true);
    }),
  );
  expect(get("/ui/assets/main-ABCD1234.js.map")).toBeUndefined();
  expect(get("/secret.txt")).toBeUndefined();
  expect(pages.answer({ method: "POST", url: "/", headers: {} })).toBeUndefined();
});

test("without files there is no page, and nobody is sent to it", () => {
  const none = new WebPages(pathToFileURL(`${folder}/nowhere/`));
  expect(none.answer({ method: "GET", url: "/", headers: {} })).toBeUndefined();
  expect(none.answer({ method: "GET", url: "/v1/query/a_b", headers: { accept: "text/html" } })).toBeUndefined();
});
