import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accessOf } from "../../../src/protocol/http/access.ts";
import { hashOf, RequestSigner } from "../../../src/protocol/http/internal-signature.ts";

const secret = "0123456789abcdef";
const request = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT", "DELETE"),
  target: fc.webPath().map((path) => `/v1${path}`),
  body: fc.uint8Array({ maxLength: 40 }),
  nowMs: fc.integer({ min: 0, max: 4e12 }),
});

function signer(nowMs: number, own = secret): RequestSigner {
  return new RequestSigner({ secret: own, nodeId: "worker-1", wallMillis: () => nowMs });
}

describe("a signature between nodes", () => {
  it("is taken within five minutes, and names the sender and the body", () => {
    fc.assert(
      fc.property(request, fc.integer({ min: -300_000, max: 300_000 }), ({ method, target, body, nowMs }, skewMs) => {
        const header = signer(nowMs).sign(method, target, body);
        expect(signer(nowMs + skewMs).verify(method, target, header)).toEqual({
          kind: "signed",
          nodeId: "worker-1",
          bodyHash: hashOf(body),
        });
      }),
    );
  });

  it("is refused later and earlier", () => {
    fc.assert(
      fc.property(request, fc.integer({ min: 300_001 }), fc.boolean(), ({ method, target, body, nowMs }, skewMs, isLater) => {
        const header = signer(nowMs).sign(method, target, body);
        expect(signer(nowMs + (isLater ? skewMs : -skewMs)).verify(method, target, header).kind).toBe("refused");
      }),
    );
  });

  it("is refused for another method, target or secret", () => {
    fc.assert(
      fc.property(request, request, fc.string({ minLength: 16 }), (one, other, otherSecret) => {
        const header = signer(one.nowMs).sign(one.method, one.target, one.body);
        if (one.method !== other.method) {
          expect(signer(one.nowMs).verify(other.method, one.target, header).kind).toBe("refused");
        }
        if (one.target !== other.target) {
          expect(signer(one.nowMs).verify(one.method, other.target, header).kind).toBe("refused");
        }
        if (otherSecret !== secret) {
          expect(signer(one.nowMs, otherSecret).verify(one.method, one.target, header).kind).toBe("refused");
        }
      }),
    );
  });

  it("is refused with any of its characters changed", () => {
    fc.assert(
      fc.property(
        request,
        fc.nat(),
        fc.constantFrom(...Array.from("0123456789abcdefvw-. ")),
        ({ method, target, body, nowMs }, at, character) => {
          const header = signer(nowMs).sign(method, target, body);
          const index = at % header.length;
          fc.pre(header[index] !== character);
          const changed = header.slice(0, index) + character + header.slice(index + 1);
          expect(signer(nowMs).verify(method, target, changed).kind).toBe("refused");
        },
      ),
    );
  });

  it("is refused if it is missing, sent twice or anything else", () => {
    const header = signer(0).sign("GET", "/v1/x", new Uint8Array(0));
    for (const wrong of [undefined, "", "v1", [header, header], `${header}, ${header}`, `${header} `, header.replace("v1", "v2")]) {
      expect(signer(0).verify("GET", "/v1/x", wrong).kind).toBe("refused");
    }
  });
});

describe("access", () => {
  it.each([
    ["GET", "/v1/status", "public"],
    ["HEAD", "/v1/status", "public"],
    ["GET", "/readyz?x", "public"],
    ["GET", "/v1/task", "user"],
    ["GET", "/v1/task/a.1.0/status", "user"],
    ["POST", "/v1/task/a.1.0", "internal"],
    ["POST", "/v1/task/a.1.0/", "internal"],
    ["POST", "http://else:1/v1/task/a.1.0?x", "internal"],
    ["HEAD", "/v1/task/a.1.0/results/0/0", "internal"],
    ["GET", "/v1/task/%61/results/0/0?a=/v1/status", "internal"],
    ["PUT", "/v1/announcement/w", "internal"],
    ["PUT", "/v1/info/state", "internal"],
    ["POST", "/v1/statement", "user"],
    ["GET", "/v1/nothing", "user"],
  ] as const)("%s %s is %s", (method, url, access) => {
    expect(accessOf({ method, url }, "coordinator")).toBe(access);
  });

  it("of a catalog's end depends on the node: DROP CATALOG on a coordinator, between nodes on a worker", () => {
    expect(accessOf({ method: "DELETE", url: "/v1/catalog/c" }, "coordinator")).toBe("user");
    expect(accessOf({ method: "DELETE", url: "/v1/catalog/c" }, "worker")).toBe("internal");
  });
});
