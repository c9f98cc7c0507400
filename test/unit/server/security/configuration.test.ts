import { expect, it } from "vitest";
import { readConfiguration } from "../../../../src/server/configuration.ts";

function security(flags: Readonly<Record<string, string>>): ReturnType<typeof readConfiguration>["security"] {
  return readConfiguration({ flags, environment: {}, etcFolder: undefined }).security;
}

const https = { "http-server.https.enabled": "true", "http-server.https.keystore.path": "server.pem" };
const passwords = { "http-server.authentication.type": "password", "file.password-file": "password.db" };

it("takes clients at their word by default", () => {
  expect(security({})).toEqual({ servesHttp: true, tls: undefined, internalHttps: false, authentication: undefined });
  expect(security({ "http-server.authentication.type": "INSECURE" }).authentication).toBeUndefined();
});

it("lets nodes use HTTPS where plain HTTP is not served, or where it is required", () => {
  expect(security(https)).toMatchObject({ internalHttps: false, tls: { port: 8443, refreshMs: 60_000 } });
  expect(security({ ...https, "http-server.http.enabled": "false" })).toMatchObject({ internalHttps: true, servesHttp: false });
  expect(security({ ...https, "internal-communication.https.required": "true" })).toMatchObject({ internalHttps: true, servesHttp: true });
});

it("shuts plain HTTP for users unless it is opened", () => {
  expect(security({ ...https, ...passwords }).authentication).toMatchObject({ types: ["PASSWORD"], allowsInsecureOverHttp: false });
  const opened = { "http-server.authentication.allow-insecure-over-http": "true" };
  expect(security({ ...https, ...passwords, ...opened }).authentication?.allowsInsecureOverHttp).toBe(true);
  expect(security({ ...passwords, "http-server.process-forwarded": "true" }).authentication?.types).toEqual(["PASSWORD"]);
});

it("refuses what cannot be secure", () => {
  const refused: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [passwords, "http-server.authentication.type needs http-server.https.enabled"],
    [{ "http-server.http.enabled": "false" }, "are both false"],
    [{ "http-server.https.enabled": "true" }, "needs http-server.https.keystore.path"],
    [{ "internal-communication.https.required": "true" }, "needs http-server.https.enabled"],
    [{ ...https, "http-server.authentication.type": "PASSWORD" }, "needs file.password-file"],
    [{ ...https, "http-server.authentication.type": "JWT" }, "needs http-server.authentication.jwt.key-file"],
    [{ ...https, "http-server.authentication.type": "CERTIFICATE" }, "needs http-server.https.truststore.path"],
    [{ ...https, "http-server.authentication.type": "KERBEROS" }, "expected PASSWORD, JWT, CERTIFICATE"],
    [{ ...https, ...passwords, "password-authenticator.name": "ldap" }, "expected file"],
    [{ ...https, ...passwords, "file.refresh-period": "often" }, "expected a duration"],
  ];
  for (const [flags, message] of refused) {
    expect(() => security(flags)).toThrow(message);
  }
});

it("takes rights from a file, an address, or a built-in set", () => {
  const rules = { "access-control.name": "file", "security.config-file": "https://rules.example/v1" };
  expect(security(rules).access).toEqual({ location: "https://rules.example/v1", pointer: "", refreshMs: Number.POSITIVE_INFINITY });
  expect(security({ ...rules, "security.refresh-period": "5s" }).access).toMatchObject({ refreshMs: 5000 });
  expect(security({ "access-control.name": "read-only" }).access).toMatchObject({ rights: { catalogs: [{ allow: "read-only" }] } });
  expect(security({ "access-control.name": "default" }).access).toBeUndefined();
  expect(security({ ...https, ...passwords, "access-control.name": "default" }).access).toEqual({ rights: "default" });
  for (const [flags, complaint] of [
    [{ "access-control.name": "toString" }, "expected file, default, read-only, allow-all"],
    [{ "access-control.name": "read-only", "security.config-file": "rules.json" }, "need each other"],
    [{ "access-control.name": "file" }, "need each other"],
  ] as const) {
    expect(() => security(flags)).toThrow(complaint);
  }
});
