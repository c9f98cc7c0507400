import { expect, it } from "vitest";
import { principalOf } from "../../../../src/server/security/certificate.ts";
import { userMapping } from "../../../../src/server/security/user-mapping.ts";

it("keeps a principal without a pattern", () => {
  const mapping = userMapping("p", "");
  expect([mapping("alice@example.com"), mapping(""), mapping("a\nb"), mapping("x".repeat(1001))]).toEqual([
    "alice@example.com",
    undefined,
    undefined,
    undefined,
  ]);
});

it("takes the first group of a pattern that matches the whole principal", () => {
  const mapping = userMapping("p", "(.*?)(?:@example\\.com)?|admin");
  expect([mapping("alice@example.com"), mapping("alice"), mapping("@example.com")]).toEqual(["alice", "alice", undefined]);
  expect(userMapping("p", "(\\w+)@a")("alice@ab")).toBeUndefined();
});

it("refuses patterns without a user", () => {
  expect(() => userMapping("p", ".*")).toThrow("invalid value '.*' for property 'p': expected a group, which is the user");
  expect(() => userMapping("p", "(")).toThrow("expected a regular expression");
});

it("writes a subject as RFC 2253 does", () => {
  expect(principalOf({ subject: "O=Acme\nOU=Sales\nCN=alice" })).toBe("CN=alice,OU=Sales,O=Acme");
});
