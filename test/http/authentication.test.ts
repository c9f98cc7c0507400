/** Users at the doors of a real cluster: HTTPS, passwords, tokens, certificates, and those who have none or another's. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuthentication } from "../../src/server/security/create-authentication.ts";
import { securityConfiguration, securityProperties } from "../../src/server/security/configuration.ts";
import { isPasswordOf } from "../../src/server/security/password-hash.ts";
import { basic, certificatePath, type Reply, SecureClient, tlsOf } from "../support/certificates/certificates.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";

/** Passwords `secret` (bcrypt of cost 8) and `enigma` (PBKDF2). */
const passwordFile = `alice:$2y$08$H0ahCdm53zYAJuVXaIugL.T7iJipyHCj2QdacpdfKt94PQ28yaaM2
__proto__:1000:5b4240333032306164:5a92c7f04a609183d7e0c641a5ae35ba4db1172a1402725a486a8e7222f4bd66
`;
const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });

let folder: string;
let cluster: LoopbackCluster;
const anyone = new SecureClient();
const alice = new SecureClient("alice");
const stranger = new SecureClient("stranger");

function propertiesOf(values: Readonly<Record<string, string>>): Parameters<typeof securityConfiguration>[0] {
  const text = (name: string): string => values[name] ?? securityProperties.find((one) => one.name === name)?.default ?? "";
  return { text, flag: (name) => text(name) === "true", integer: (name) => Number(text(name)), processForwarded: true };
}

function token(claims: Readonly<Record<string, unknown>>, key = keys.privateKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: "RS256" }).setExpirationTime("1h").sign(key);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-users-"));
  writeFileSync(join(folder, "password.db"), passwordFile);
  writeFileSync(join(folder, "jwt.pem"), keys.publicKey.export({ type: "spki", format: "pem" }));
  const { authentication } = securityConfiguration(
    propertiesOf({
      "http-server.https.enabled": "true",
      "http-server.https.keystore.path": certificatePath("server"),
      "http-server.https.truststore.path": certificatePath("ca"),
      "http-server.authentication.type": "PASSWORD,JWT,CERTIFICATE",
      "http-server.authentication.jwt.key-file": join(folder, "jwt.pem"),
      "http-server.authentication.jwt.required-issuer": "the issuer",
      "http-server.authentication.certificate.user-mapping.pattern": "CN=([a-z]+),OU=Sales,O=Acme",
      "file.password-file": join(folder, "password.db"),
    }),
  );
  const checker = { matches: (hash: string, password: string) => Promise.resolve(isPasswordOf(hash, password)), close: () => undefined };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  cluster = await startLoopbackCluster({
    security: (role) => ({
      https: { tls: tlsOf({ truststorePath: certificatePath("ca") }), port: 0, servesHttp: role === "coordinator", isInternal: true },
      authentication:
        role === "worker" || authentication === undefined ? "nodes-only" : createAuthentication(authentication, { checker, log }),
    }),
  });
});

afterAll(async () => {
  await Promise.all([anyone.close(), alice.close(), stranger.close()]);
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

const whoAmI = "SELECT current_user";
const uri = (): string => cluster.httpsUri ?? "";

describe("a user", () => {
  it("is who the password, the token or the certificate says", async () => {
    expect(await anyone.rows(uri(), whoAmI, basic("alice", "secret"))).toEqual([["alice"]]);
    expect(await anyone.rows(uri(), whoAmI, basic("__proto__", "enigma"))).toEqual([["__proto__"]]);
    const authorization = `Bearer ${await token({ sub: "bob", iss: "the issuer" })}`;
    expect(await anyone.rows(uri(), whoAmI, { authorization })).toEqual([["bob"]]);
    expect(await alice.rows(uri(), whoAmI)).toEqual([["alice"]]);
    expect(await alice.rows(uri(), "SELECT count(*) FROM tpch.tiny.orders GROUP BY orderstatus = 'x'")).toEqual([[15000]]);
  });

  it("without credentials is told which are expected", async () => {
    const reply = await anyone.ask(`${uri()}/v1/statement`, { method: "POST", body: whoAmI, headers: { "x-trino-user": "alice" } });
    expect(reply).toMatchObject({ status: 401, text: "Unauthorized" });
    expect(reply.headers["www-authenticate"]).toEqual(['Basic realm="Orrery"', 'Bearer realm="Orrery"']);
    const ofScript = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };
    expect((await anyone.ask(`${uri()}/v1/query`, { headers: ofScript })).headers["www-authenticate"]).toBeUndefined();
  });

  it("with wrong credentials gets nothing, whoever it is", async () => {
    for (const headers of [
      basic("alice", "enigma"),
      basic("nobody", "secret"),
      basic("constructor", "secret"),
      basic("alice ", "secret"),
    ]) {
      expect(await anyone.rows(uri(), whoAmI, headers)).toBe("401 Access Denied: Invalid credentials");
    }
    expect(await anyone.rows(uri(), whoAmI, basic("alice", ""))).toBe("401 Malformed credentials: password is empty");
    expect(await anyone.rows(uri(), whoAmI, { authorization: "Basic !" })).toBe("401 Malformed credentials: token");
    expect(await stranger.rows(uri(), whoAmI)).toBe("401 Unauthorized");
  });

  it("is not believed with a token of another key, issuer, time or algorithm", async () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { sub: "bob", iss: "the issuer" };
    const pem = new TextEncoder().encode(keys.publicKey.export({ type: "spki", format: "pem" }).toString());
    const tokens = [
      await token(claims, other),
      await token({ sub: "bob", iss: "another" }),
      await token({ sub: "bob" }),
      await token({ iss: "the issuer" }),
      await new SignJWT(claims).setProtectedHeader({ alg: "RS256" }).setExpirationTime(1).sign(keys.privateKey),
      `${part({ alg: "none" })}.${part(claims)}.`,
      // The public key as the secret of a symmetric algorithm.
      await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).setExpirationTime("1h").sign(pem),
      "a.b.c",
    ];
    for (const one of tokens) {
      expect(await anyone.rows(uri(), whoAmI, { authorization: `Bearer ${one}` })).toMatch(/^401 Invalid JWT/);
    }
  });

  it("cannot be another user by a header of any family, nor by the server's own", async () => {
    for (const name of ["x-trino-user", "x-presto-user", "x-engine-user", "x-trino-original-user", "x-engine-original-user"]) {
      const user = name.endsWith("original-user") ? { [name.replace("original-user", "user")]: "alice" } : {};
      expect(await anyone.rows(uri(), whoAmI, { ...basic("alice", "secret"), ...user, [name]: "root" })).toMatch(
        /^403 Access Denied: User alice cannot impersonate user root/,
      );
    }
    const forged = { "x-engine-authenticated-user": "root", "x-engine-authenticated-principal": "root" };
    expect(await anyone.rows(uri(), whoAmI, { ...basic("alice", "secret"), ...forged })).toEqual([["alice"]]);
    expect(await anyone.rows(uri(), whoAmI, forged)).toBe("401 Unauthorized");
    expect(await anyone.rows(uri(), whoAmI, { ...basic("alice", "secret"), "x-trino-user": "alice" })).toEqual([["alice"]]);
  });

  it("cannot come by plain HTTP, except by a proxy that had HTTPS", async () => {
    const { hostname } = new URL(uri());
    const http = cluster.httpUri ?? "";
    expect(hostname).toBe("127.0.0.1");
    expect(await anyone.rows(http, whoAmI, basic("alice", "secret"))).toBe("403 Authentication over HTTP is not enabled");
    const proxied = { ...basic("alice", "secret"), "x-forwarded-proto": "https", "x-forwarded-host": new URL(uri()).host };
    expect(await anyone.rows(http, whoAmI, proxied)).toEqual([["alice"]]);
  });
});

describe("the login page", () => {
  const login = (body: string): Promise<Reply> => anyone.ask(`${uri()}/ui/login`, { method: "POST", body });
  const cookieOf = ({ headers }: Reply): string => String(headers["set-cookie"]).split(";")[0] ?? "";

  it("gives a cookie for a password, which all resources take until the logout", async () => {
    const reply = await login("username=alice&password=secret");
    expect(reply).toMatchObject({
      status: 204,
      headers: { "set-cookie": expect.stringMatching(/; HttpOnly; SameSite=Strict; .*Secure$/) as string },
    });
    const cookie = cookieOf(reply);
    expect(await anyone.rows(uri(), whoAmI, { cookie })).toEqual([["alice"]]);
    expect((await anyone.ask(`${uri()}/v1/query`, { headers: { cookie } })).headers["x-engine-authenticated-user"]).toBe("alice");
    expect(await anyone.rows(uri(), whoAmI, { cookie, "x-trino-user": "bob" })).toMatch(/^403 /);
    // Another site cannot use it: its requests are refused, with and without the cookie.
    const foreign = { cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect(await anyone.rows(uri(), whoAmI, foreign)).toBe("403 Requests of other sites are not allowed");
    const ended = await anyone.ask(`${uri()}/ui/logout`, { method: "POST", headers: { cookie } });
    expect(String(ended.headers["set-cookie"])).toMatch(/^orrery-session=; .*Max-Age=0/);
    expect(await anyone.rows(uri(), whoAmI, { cookie })).toBe("401 Unauthorized");
  });

  it("gives none for anything else", async () => {
    for (const body of [
      "",
      "username=alice&password=enigma",
      "username=nobody&password=secret",
      '{"username":["alice"],"password":"secret"}',
      "{",
      "x".repeat(20_000),
    ]) {
      const { headers, status } = await login(body);
      expect([body.slice(0, 40), status, headers["set-cookie"]]).toEqual([body.slice(0, 40), 401, undefined]);
    }
    expect((await login('{"username":"alice","password":"secret"}')).status).toBe(204);
    const plain = await anyone.ask(`${cluster.httpUri ?? ""}/ui/login`, { method: "POST", body: "username=alice&password=secret" });
    expect([plain.status, plain.headers["set-cookie"]]).toEqual([403, undefined]);
  });
});

describe("without credentials", () => {
  it("health and facts about the node are open, and everything else is shut on every node", async () => {
    for (const path of ["/livez", "/readyz", "/v1/info", "/v1/info/state", "/v1/status"]) {
      expect(`${path} ${(await anyone.ask(uri() + path)).status}`).toBe(`${path} 200`);
    }
    const shut = [
      "/v1/query",
      "/v1/cluster",
      "/v1/node",
      "/v1/task",
      "/v1/resourceGroupState",
      "/ui/api/query",
      "/metrics",
      "/v1/openapi.json",
    ];
    for (const node of [uri(), ...cluster.workerUris]) {
      for (const path of [
        ...shut,
        "/v1/query/../query",
        "//v1/query",
        "/v1/info/../query",
        "/V1/QUERY",
        "/nothing",
        "/v1/info/%2e%2e/query",
      ]) {
        expect(`${path} ${(await anyone.ask(node + path)).status}`).toBe(`${path} 401`);
      }
    }
  });

  it("nodes come by HTTPS only, with a signature", async () => {
    const announcement = `/v1/announcement/worker-9`;
    expect((await anyone.ask(`${cluster.httpUri ?? ""}${announcement}`, { method: "PUT", body: "{}" })).status).toBe(403);
    expect((await alice.ask(`${uri()}${announcement}`, { method: "PUT", body: "{}" })).status).toBe(401);
    expect((await stranger.ask(`${uri()}${announcement}`, { method: "PUT", body: "{}" })).text).toBe(
      "The certificate of the node is not trusted",
    );
  });
});

describe("an address that guesses passwords", () => {
  it("has to wait after some, and who has logged in from it before does not", async () => {
    expect(await anyone.rows(uri(), whoAmI, basic("alice", "secret"))).toEqual([["alice"]]);
    const guess = (password: string): Promise<Reply> => anyone.ask(`${uri()}/v1/query`, { headers: basic("alice", password) });
    let refused = await guess("guess");
    for (let turn = 0; turn < 30 && refused.status === 401; turn++) {
      refused = await guess(`guess ${turn}`);
    }
    expect(refused).toMatchObject({ status: 429, headers: { "retry-after": expect.stringMatching(/^[1-3]$/) as string } });
    const body = "username=__proto__&password=wrong";
    expect((await anyone.ask(`${uri()}/ui/login`, { method: "POST", body })).status).toBe(429);
    expect(await anyone.rows(uri(), whoAmI, basic("alice", "secret"))).toEqual([["alice"]]);
  });
});
