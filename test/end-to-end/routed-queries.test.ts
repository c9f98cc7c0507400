/**
 * Statements that go to another cluster by HTTPS with a password, while the process of their own coordinator is killed and started again:
 * each client gets each row once, and nothing is sent twice.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { request } from "undici";
import { basic, certificatePath, SecureClient } from "../support/certificates/certificates.ts";
import { type Program, type RunningServer, startProgram, startServer } from "../support/programs/server-process.ts";

interface Document {
  readonly id: string;
  readonly nextUri?: string;
  readonly data?: readonly unknown[];
  readonly updateCount?: number;
  readonly error?: { readonly errorName: string; readonly message: string };
}

let folder: string;
let far: Program;
let farUri: string;
let near: RunningServer;
const client = new SecureClient();
const gateway = { ...basic("alice", "secret"), "x-trino-user": "alice" };

async function startNear(port = "0"): Promise<void> {
  const environment = { ORRERY_QUERY_HISTORY_DIRECTORY: join(folder, "history"), ORRERY_QUERY_HISTORY_ENABLED: "true" };
  near = await startServer(["--etc", join(folder, "near"), "--workers", "1", "--port", port], { environment });
}

async function startFar(): Promise<void> {
  far = startProgram("server", ["--etc", join(folder, "far")], { environment: { HOME: folder } });
  farUri = String((await far.waitFor(/listens on (https:\S+);/))[1]);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-routed-"));
  const file = (name: string, ...lines: readonly string[]): string => {
    const path = join(folder, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, lines.join("\n"));
    return path;
  };
  const users = file("users.db", "alice:$2y$08$H0ahCdm53zYAJuVXaIugL.T7iJipyHCj2QdacpdfKt94PQ28yaaM2", "");
  const rights = { catalogs: [{ allow: "all" }], impersonation: [{ original_user: "alice", new_user: "ann" }] };
  file("far/password-authenticator.properties", "password-authenticator.name=file", `file.password-file=${users}`);
  file("far/access-control.properties", "access-control.name=file", `security.config-file=${file("rights.json", JSON.stringify(rights))}`);
  file(
    "far/config.properties",
    "http-server.http.enabled=false",
    "http-server.https.enabled=true",
    "http-server.https.port=0",
    `http-server.https.keystore.path=${certificatePath("server")}`,
    "http-server.authentication.type=PASSWORD",
    "node.workers=1",
  );
  await startFar();
  const { port } = new URL(farUri);
  const at = (parameters: string): string => `jdbc:trino://localhost:${port}?SSL=true${parameters}`;
  const trusted = at(`&SSLTrustStorePath=${certificatePath("ca")}`);
  const member = (name: string, url: string, password: string): object => ({
    name,
    "connection-url": url,
    "connection-user": "alice",
    "connection-password": password,
    "max-error-duration": "0s",
  });
  const routing = {
    clusters: [
      member("big", trusted, "secret"),
      member("unverified", at("&SSLVerification=NONE"), "secret"),
      member("untrusted", at(""), "secret"),
      member("wrong", trusted, "guessed"),
    ],
    rules: [{ user: "ann|eve", cluster: "big" }, ...["unverified", "untrusted", "wrong"].map((cluster) => ({ source: cluster, cluster }))],
  };
  file(
    "near/config.properties",
    "failure-detector.heartbeat-timeout=5m",
    `query-routing.config-file=${file("routing.json", JSON.stringify(routing))}`,
  );
  await startNear();
});

afterAll(async () => {
  for (const program of [near, far]) {
    program?.kill("SIGKILL");
    await program?.ended;
  }
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(method: "GET" | "POST", uri: string, headers: Record<string, string>, body?: string): Promise<Document> {
  const answer = await request(uri, { method, headers, ...(body === undefined ? {} : { body }) });
  expect(answer.statusCode).toBe(200);
  return (await answer.body.json()) as Document;
}

const submit = (sql: string, headers: Record<string, string>): Promise<Document> => ask("POST", `${near.uri}/v1/statement`, headers, sql);

/** Small answers, so that there are many tokens. */
const poll = ({ nextUri }: Document, headers: Record<string, string>): Promise<Document> =>
  ask("GET", `${nextUri}&targetResultSize=16kB`, headers);

/** The documents up to one that satisfies the condition, or to the end. */
async function read(from: Document, headers: Record<string, string>, isEnough: (rows: number) => boolean = () => false) {
  let last = from;
  const rows: unknown[] = [];
  while (last.nextUri !== undefined && !isEnough(rows.length)) {
    last = await poll(last, headers);
    rows.push(...(last.data ?? []));
  }
  return { last, rows };
}

const queriesThere = (where: string): Promise<unknown> =>
  client.rows(farUri, `SELECT count(*) FROM system.runtime.queries WHERE user = 'ann' AND ${where}`, gateway);

it("are encrypted, and run there as their user", async () => {
  const whole = (sql: string, headers: Record<string, string>): ReturnType<typeof read> =>
    submit(sql, headers).then((document) => read(document, headers));
  const errorOf = async (headers: Record<string, string>): Promise<unknown> => (await whole("SELECT 1", headers)).last.error;
  expect((await whole("SELECT current_user", { "x-trino-user": "ann" })).rows).toEqual([["ann"]]);
  const bySource = (source: string): Record<string, string> => ({ "x-trino-user": "alice", "x-trino-source": source });
  expect((await whole("SELECT current_user", bySource("unverified"))).rows).toEqual([["alice"]]);
  expect(await errorOf({ "x-trino-user": "eve" })).toMatchObject({
    errorName: "PERMISSION_DENIED",
    message: expect.stringContaining("User alice cannot impersonate user eve"),
  });
  expect(await errorOf(bySource("wrong"))).toMatchObject({
    errorName: "PERMISSION_DENIED",
    message: "Cluster 'wrong' does not accept the credentials of the configuration",
  });
  expect(await errorOf(bySource("untrusted"))).toMatchObject({
    errorName: "REMOTE_HOST_GONE",
    message: expect.stringMatching(/^Cluster 'untrusted' cannot be reached\..*certificate/i),
  });
  expect(near.errors() + far.errors()).not.toMatch(/secret|guessed/);
});

it("go on at the tokens that clients have, and are written once", async () => {
  const [engine, trino] = [{ "x-engine-user": "ann" }, { "x-trino-user": "ann" }];
  const sql = "SELECT orderkey, linenumber, shipmode, extendedprice FROM tpch.tiny.lineitem WHERE quantity < 20";
  const half = (headers: Record<string, string>): ReturnType<typeof read> =>
    submit(sql, headers).then((document) => read(document, headers, (rows) => rows >= 3_000));
  const [first, second, third] = [await half(engine), await half(trino), await half(trino)];
  // The answer is lost, and the client asks for the same token again.
  expect((await poll(first.last, engine)).data?.length).toBeGreaterThan(0);
  expect((await poll(second.last, trino)).data?.length).toBeGreaterThan(0);
  const write = await poll(await submit("CREATE TABLE memory.default.t AS SELECT * FROM tpch.sf1.customer", trino), trino);
  await expect.poll(() => queriesThere("query LIKE 'CREATE%'"), { interval: 5 }).toEqual([[1]]);
  near.kill("SIGKILL");
  await near.ended;
  await startNear(new URL(near.uri).port);
  const there = (await client.rows(farUri, sql, gateway)) as readonly unknown[];
  for (const [{ last, rows }, headers] of [
    [first, engine],
    [second, trino],
    [third, trino],
  ] as const) {
    const end = await read(last, headers);
    expect(end.last.error).toBeUndefined();
    expect(rows.length + end.rows.length).toBe(there.length);
    expect([...rows, ...end.rows]).toEqual(there);
  }
  expect((await read(write, trino)).last).toMatchObject({ updateCount: 150_000 });
  expect(await queriesThere("state = 'FINISHED' AND (query LIKE 'CREATE%' OR query LIKE 'SELECT orderkey%')")).toEqual([[4]]);
});

it("end with a retryable error if the other cluster has forgotten them, too", async () => {
  const trino = { "x-trino-user": "ann" };
  const begun = await read(await submit("SELECT orderkey, comment FROM tpch.tiny.lineitem", trino), trino, (rows) => rows > 0);
  near.kill("SIGKILL");
  far.kill("SIGKILL");
  await Promise.all([near.ended, far.ended]);
  const config = join(folder, "far", "config.properties");
  writeFileSync(config, readFileSync(config, "utf8").replace("https.port=0", `https.port=${new URL(farUri).port}`));
  await startFar();
  await startNear(new URL(near.uri).port);
  expect((await read(begun.last, trino)).last.error).toMatchObject({
    errorName: "SERVER_STARTING_UP",
    message: expect.stringContaining("cluster 'big' does not have its rows any more"),
  });
});
