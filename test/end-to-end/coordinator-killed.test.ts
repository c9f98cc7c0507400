/**
 * The process of the coordinator is killed in the middle of a result and started again, or another one takes over: its client gets each row
 * once. A server that was started beside it in the same directory leaves its files alone.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { request } from "undici";
import { type RunningServer, startProgram, startServer } from "../support/programs/server-process.ts";

interface Document {
  readonly nextUri?: string;
  readonly data?: readonly unknown[];
  readonly error?: { readonly errorName: string; readonly message: string };
}

let folder: string;
let server: RunningServer | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-killed-"));
});

afterEach(async () => {
  server?.kill("SIGKILL");
  await server?.ended;
  rmSync(folder, { recursive: true, force: true });
});

const environmentOf = (): Record<string, string> => ({
  ORRERY_QUERY_HISTORY_DIRECTORY: folder,
  ORRERY_QUERY_HISTORY_ENABLED: "true",
  ORRERY_FAILURE_DETECTOR_HEARTBEAT_TIMEOUT: "5m",
});

async function started(port = "0", workers = "2"): Promise<RunningServer> {
  const environment = environmentOf();
  server = await startServer(["--workers", workers, "--port", port], { environment });
  return server;
}

async function document(method: "GET" | "POST", uri: string, family: string, body?: string): Promise<Document> {
  const headers = { [`x-${family}-user`]: "ann" };
  const answer = await request(uri, { method, headers, ...(body === undefined ? {} : { body }) });
  expect(answer.statusCode).toBe(200);
  return (await answer.body.json()) as Document;
}

/** Small answers, so that there are many tokens. */
const poll = (uri: string | undefined, family: string): Promise<Document> => document("GET", `${uri}&targetResultSize=16kB`, family);

/** Waits for the end of the server that runs. Resolves to a function that resolves when it has taken over. */
async function standby(): Promise<() => Promise<RunningServer>> {
  const environment = { ...environmentOf(), ORRERY_COORDINATOR_STANDBY_ENABLED: "true" };
  const program = startProgram("server", ["--workers", "2", "--port", "0"], { environment });
  const [, uri] = await program.waitFor(/stands by on (http:\/\/[^:]+:\d+):/);
  server = { ...program, uri: String(uri) };
  expect((await request(`${uri}/readyz`)).statusCode).toBe(503);
  expect((await request(`${uri}/v1/statement`, { method: "POST", body: "SELECT 1" })).statusCode).toBe(503);
  return async () => {
    await program.waitFor(/listens on/);
    return { ...program, uri: String(uri) };
  };
}

it.each([
  ["engine", "is started again"],
  ["trino", "has another one on stand-by"],
])("goes on at the token that the client has, family %s, if the coordinator %s", async (family, what) => {
  const sql = "SELECT orderkey, linenumber, shipmode, extendedprice FROM tpch.tiny.lineitem WHERE quantity < 20";
  const first = await started();
  const rows: unknown[] = [];
  let last = await document("POST", `${first.uri}/v1/statement`, family, sql);
  while (rows.length < 3_000) {
    last = await poll(last.nextUri, family);
    rows.push(...(last.data ?? []));
  }
  // The answer is lost, and the client asks for the same token again.
  const lost = await poll(last.nextUri, family);
  expect(lost.data?.length).toBeGreaterThan(0);
  const takenOver = what === "is started again" ? () => started(new URL(first.uri).port) : await standby();
  first.kill("SIGKILL");
  await first.ended;
  // A load balancer would lead the address of the first one to the next.
  const { uri } = await takenOver();
  last = { ...last, nextUri: String(last.nextUri).replace(first.uri, uri) };
  while (last.nextUri !== undefined) {
    last = await poll(last.nextUri, family);
    rows.push(...(last.data ?? []));
  }
  expect(last.error).toBeUndefined();
  let whole = await document("POST", `${uri}/v1/statement`, family, sql);
  const expected: unknown[] = [];
  while (whole.nextUri !== undefined) {
    whole = await poll(whole.nextUri, family);
    expected.push(...(whole.data ?? []));
  }
  expect(rows.length).toBe(expected.length);
  expect(rows).toEqual(expected);
});

it("ends a statement that writes with an error that says why, and an unknown query stays unknown", async () => {
  const first = await started();
  const sql = "CREATE TABLE memory.default.t AS SELECT l.* FROM tpch.sf1.lineitem l CROSS JOIN tpch.tiny.nation";
  const { nextUri } = await document("POST", `${first.uri}/v1/statement`, "engine", sql);
  const read = await document("POST", `${first.uri}/v1/statement`, "engine", "SELECT orderkey FROM tpch.sf1.lineitem");
  const beside = await started("0", "1");
  expect(beside.errors()).toContain(
    `The query history is not kept: process ${first.process.pid} at ${first.uri} uses the directory ${folder}`,
  );
  expect(await document("POST", `${beside.uri}/v1/statement`, "engine", "SELECT 1")).toHaveProperty("nextUri");
  beside.kill("SIGKILL");
  await beside.ended;
  first.kill("SIGKILL");
  await first.ended;
  await started(new URL(first.uri).port);
  // A query that waits for its client can be ended: it does not go on when that comes.
  const id = /statement\/(\w+)\//.exec(String(read.nextUri))?.[1];
  const statuses: number[] = [];
  for (const method of ["PUT", "DELETE", "PUT"] as const) {
    const path = `/v1/query/${id}${method === "PUT" ? "/killed" : ""}`;
    statuses.push((await request(`${first.uri}${path}`, { method, headers: { "x-engine-user": "ann" }, body: "no" })).statusCode);
  }
  expect(statuses).toEqual([202, 204, 409]);
  expect((await document("GET", String(read.nextUri), "engine")).error).toMatchObject({ errorName: "ADMINISTRATIVELY_KILLED" });
  // Nobody takes the id of a query whose client has not come yet.
  const stranger = String(nextUri).replace(/\/\d+\?slug=\w+/, "?slug=x1");
  expect((await request(stranger, { method: "PUT", headers: { "x-engine-user": "eve" }, body: "SELECT 1" })).statusCode).toBe(409);
  let last: Document = { nextUri: nextUri as string };
  while (last.nextUri !== undefined) {
    last = await poll(last.nextUri, "engine");
  }
  expect(last.error).toMatchObject({
    errorName: "SERVER_STARTING_UP",
    message: "The coordinator was restarted, and the query cannot go on: what it has done is not known",
  });
  const wrongSlug = String(nextUri).replace(/slug=\w+/, "slug=x1");
  expect((await request(wrongSlug)).statusCode).toBe(404);
});
