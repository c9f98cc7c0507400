/** Users of a real server: HTTPS between all nodes, passwords on a thread of their own, and the command line. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterEach, beforeEach, expect, it } from "vitest";
import { basic, certificatePath, SecureClient } from "../support/certificates/certificates.ts";
import { type Program, startProgram } from "../support/programs/server-process.ts";

let folder: string;
const programs: Program[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-users-"));
});

afterEach(async () => {
  for (const program of programs.splice(0)) {
    program.kill("SIGKILL");
    await program.ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

function started(name: string, args: readonly string[], environment: Record<string, string> = {}): Program {
  const program = startProgram(name, args, { environment: { HOME: folder, ...environment } });
  programs.push(program);
  return program;
}

it("log in by HTTPS alone, and a worker of another process joins by HTTPS", async () => {
  writeFileSync(join(folder, "password.db"), "alice:$2y$08$H0ahCdm53zYAJuVXaIugL.T7iJipyHCj2QdacpdfKt94PQ28yaaM2\n");
  const common = [
    "http-server.http.enabled=false",
    "http-server.https.enabled=true",
    `http-server.https.keystore.path=${certificatePath("server")}`,
    "http-server.authentication.type=PASSWORD",
  ].join("\n");
  writeFileSync(join(folder, "config.properties"), `${common}\nhttp-server.https.port=0\nnode.workers=1\n`);
  writeFileSync(
    join(folder, "password-authenticator.properties"),
    `password-authenticator.name=file\nfile.password-file=${join(folder, "password.db")}\n`,
  );
  const server = started("server", ["--etc", folder]);
  const [, uri = ""] = await server.waitFor(/listens on (https:\S+);/);
  const worker = started("worker", ["--etc", folder, "--coordinator", uri, "--node-id", "w"]);
  await worker.waitFor(/listens on https:/);
  const client = new SecureClient();
  const credentials = basic("alice", "secret");
  const nodes = async (): Promise<unknown> =>
    client.rows(uri, "SELECT node_id FROM system.runtime.nodes WHERE state = 'active' ORDER BY 1", credentials);
  while (JSON.stringify(await nodes()) !== '[["coordinator"],["w"],["worker-1"]]') {
    await new Promise((resolve) => setImmediate(resolve));
  }
  const sql = "SELECT regionkey, count(*) FROM tpch.tiny.nation GROUP BY 1 ORDER BY 1";
  expect(await client.rows(uri, sql, credentials)).toEqual([0, 1, 2, 3, 4].map((region) => [region, 5]));
  expect(await client.rows(uri, sql, basic("alice", "wrong"))).toBe("401 Access Denied: Invalid credentials");
  await client.close();
  const asked = ["--server", uri, "--insecure", "--user", "alice", "--password", "--execute", "SELECT current_user"];
  const cli = started("cli", asked, { ORRERY_PASSWORD: "secret" });
  expect([await cli.ended, cli.output()]).toEqual([0, '"alice"\n']);
  const wrong = started("cli", asked, { ORRERY_PASSWORD: "wrong" });
  expect([await wrong.ended, wrong.errors()]).toEqual([1, expect.stringContaining("401: Access Denied: Invalid credentials")]);
  expect(server.errors() + worker.errors() + server.output()).not.toMatch(/secret|wrong|\$2y/);
});

it("of the command line have tokens and certificates too", async () => {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(join(folder, "jwt.pem"), keys.publicKey.export({ type: "spki", format: "pem" }));
  const properties = [
    "http-server.http.enabled=false",
    "http-server.https.enabled=true",
    "http-server.https.port=0",
    `http-server.https.keystore.path=${certificatePath("encrypted")}`,
    "http-server.https.keystore.key=secret",
    `http-server.https.truststore.path=${certificatePath("ca")}`,
    "http-server.authentication.type=CERTIFICATE,JWT",
    `http-server.authentication.jwt.key-file=${join(folder, "jwt.pem")}`,
    "http-server.authentication.certificate.user-mapping.pattern=CN=([a-z]+),.*",
    "node.workers=1",
  ];
  writeFileSync(join(folder, "config.properties"), properties.join("\n"));
  const server = started("server", ["--etc", folder]);
  const [, uri = ""] = await server.waitFor(/listens on (https:\S+);/);
  const run = async (user: string, ...flags: readonly string[]): Promise<readonly unknown[]> => {
    const cli = started("cli", ["--server", uri, "--user", user, ...flags, "--execute", "SELECT current_user"]);
    const code = await cli.ended;
    return [code, code === 0 ? cli.output() : cli.errors().replace(/[\s\S]*status /, "")];
  };
  const trust = ["--truststore-path", certificatePath("ca")];
  expect(await run("alice", ...trust, "--keystore-path", certificatePath("alice"))).toEqual([0, '"alice"\n']);
  const token = await new SignJWT({ sub: "bob" }).setProtectedHeader({ alg: "ES256" }).setExpirationTime("1h").sign(keys.privateKey);
  expect(await run("bob", ...trust, "--access-token", token)).toEqual([0, '"bob"\n']);
  expect(await run("bob", ...trust, "--keystore-path", certificatePath("alice"))).toEqual([
    1,
    expect.stringMatching(/^403: Access Denied/),
  ]);
  expect(await run("alice", ...trust, "--keystore-path", certificatePath("stranger"))).toEqual([
    1,
    expect.stringMatching(/^401: Unauthorized/),
  ]);
  expect((await run("alice", "--access-token", token))[0]).toBe(1);
});
