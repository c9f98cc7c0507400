/** Rules of access from an address. msw answers Node's HTTP client. */
import { http } from "msw";
import { setupServer } from "msw/node";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAccessControl } from "../../../../src/server/security/access/access-control.ts";
import { FetchedDocument } from "../../../../src/server/security/access/fetched-document.ts";
import { checkedLocation } from "../../../../src/server/security/access/rules-location.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function started(location: string, pointer = ""): Promise<boolean | undefined> {
  const access = await createAccessControl({ access: { location, pointer, refreshMs: 0 }, authentication: undefined }, log);
  return access?.accessControl().canExecuteQuery("ann");
}

describe("rules at an address", () => {
  const address = "http://rules.example/v1/rules?token=secret";
  const server = setupServer();
  let answer: () => Response;

  beforeEach(() => {
    server.listen({ onUnhandledRequest: "error" });
    server.use(http.get("http://rules.example/v1/rules", () => answer()));
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  });

  afterEach(() => {
    vi.useRealTimers();
    server.close();
  });

  it("are read", async () => {
    answer = () => Response.json({ data: { queries: [] } });
    expect(await started(address, "/data")).toBe(false);
  });

  it.each([
    ["the answer has status 503", () => new Response("token=secret", { status: 503 })],
    ["the answer has status 302", () => Response.redirect("http://elsewhere.example/", 302)],
    ["Invalid access rules at $.tables", () => Response.json({ tables: 1 })],
    ["the answer is larger than 16777216 bytes", () => new Response(" ".repeat(16 * 1024 * 1024 + 1))],
    ["The encoded data was not valid", () => new Response(new Uint8Array([0x22, 0xff, 0x22]))],
    ["is not valid JSON", () => new Response("<html></html>")],
  ])("%s: no start of a server", async (reason, bad) => {
    answer = bad;
    const failure = await started(address).catch((error: unknown) => (error as Error).message);
    expect(failure).toMatch(/^the access rules at http:\/\/rules\.example\/v1\/rules cannot be used: /);
    expect(failure).toContain(reason);
  });

  it("are asked for again in each period, and stay in force when they cannot be had", async () => {
    const heard: string[] = [];
    const note = (text: string): string => {
      heard.push(text);
      return text;
    };
    answer = () => new Response("one");
    const document = await FetchedDocument.open({ address, refreshMs: 1, parse: note, onComplaint: note });
    const after = async (answers: () => Response): Promise<string> => {
      answer = answers;
      for (const before = heard.length; heard.length === before; ) {
        vi.advanceTimersByTime(1000);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return document.value();
    };
    expect(await after(() => new Response("two"))).toBe("two");
    expect(await after(() => new Response("", { status: 503 }))).toBe("two");
    expect(await after(() => Response.error() as Response)).toBe("two");
    expect(await after(() => new Response("three"))).toBe("three");
    expect(heard).toEqual(["one", "two", "the answer has status 503", expect.any(String), "three"]);
  });

  it("are asked for once if no period says otherwise", async () => {
    let asked = 0;
    answer = () => new Response(`${(asked += 1)}`);
    const parse = (text: string): string => text;
    const document = await FetchedDocument.open({ address, refreshMs: Number.POSITIVE_INFINITY, parse, onComplaint: () => undefined });
    expect([document.value(), vi.getTimerCount()]).toEqual(["1", 0]);
  });
});

it("an address with a password is refused without showing it", () => {
  expect(checkedLocation("/etc/http:/rules.json")).toBe("/etc/http:/rules.json");
  for (const bad of ["http://ann:secret@rules.example/", "https://", "http:// secret"]) {
    expect(() => checkedLocation(bad)).toThrow(
      /^invalid value for property 'security\.config-file': expected an address without user and password$/,
    );
  }
});
