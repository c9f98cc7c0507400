import { expect, it } from "vitest";
import { identityOf, withIdentity, withoutIdentity } from "../../../src/protocol/http/identity.ts";
import { Scrubber } from "../../../src/recording/scrub.ts";

const claimed = { "x-engine-authenticated-user": "root", "x-engine-authenticated-principal": "root" };
const credentials = { authorization: "Bearer secret-token", cookie: "orrery-session=secret-id; a=b" };

it("reaches the node without the credentials, and in the place of any other", () => {
  const headers = withIdentity({ ...claimed, ...credentials, accept: "*/*" }, { user: "\u00e4 b,c", principal: "CN=\u00e4" });
  expect(JSON.stringify(headers)).not.toMatch(/secret|root/);
  expect(headers).toMatchObject({ accept: "*/*" });
  expect(identityOf(headers)).toEqual({ user: "\u00e4 b,c", principal: "CN=\u00e4" });
});

it("is none if only the client says so", () => {
  expect(identityOf(withoutIdentity({ ...claimed, accept: "*/*" }))).toBeUndefined();
  expect(withoutIdentity({ accept: "*/*" })).toEqual({ accept: "*/*" });
});

it("leaves no credentials in a recording, of a server without users either", () => {
  const seen = new Scrubber({ literals: false }).headers({
    ...credentials,
    "set-cookie": ["orrery-session=secret-id"],
    "proxy-authorization": "Basic c2VjcmV0OnNlY3JldA==",
    "x-trino-extra-credential": "name=secret",
  });
  expect(JSON.stringify(seen)).not.toMatch(/secret-|c2VjcmV0OnNlY3JldA|=secret/);
  expect(Object.keys(seen)).toEqual(["authorization", "cookie", "set-cookie", "proxy-authorization", "x-trino-extra-credential"]);
});
