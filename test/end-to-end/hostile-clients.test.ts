/**
 * A server under attack: many connections, incomplete requests, web pages of other sites. Real processes, real sockets.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { rawExchange } from "../support/raw-server.ts";
import { type RunningServer, runProgram, startServer, stopServer } from "../support/programs/server-process.ts";

const patience = { ORRERY_FAILURE_DETECTOR_HEARTBEAT_TIMEOUT: "5m", ORRERY_SHUTDOWN_GRACE_PERIOD: "5m" };
const sockets: Socket[] = [];
let server: RunningServer | undefined;

afterEach(async () => {
  for (const socket of sockets.splice(0)) {
    socket.destroy();
  }
  server?.kill("SIGKILL");
  await server?.ended;
  server = undefined;
});

async function crowd(uri: string, count: number, first = ""): Promise<void> {
  const { hostname, port } = new URL(uri);
  for (let index = 0; index < count; index++) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined).resume();
    sockets.push(socket);
    await once(socket, "connect");
    socket.write(first);
  }
}

async function workersOf(uri: string): Promise<readonly string[]> {
  const services = (await (await fetch(`${uri}/v1/service/presto`)).json()) as { services: { properties: { http: string } }[] };
  return services.services.map((service) => service.properties.http).filter((http) => http !== uri);
}

async function answers(uri: string): Promise<void> {
  const { code, output, errors } = await runProgram("cli", [
    "--server",
    uri,
    "--execute",
    "SELECT count(*) FROM tpch.tiny.lineitem l JOIN tpch.tiny.orders o ON l.orderkey = o.orderkey",
  ]);
  expect(`${code} ${output}${errors}`).toBe('0 "60175"\n');
}

describe("1,200 connections that ask nothing, with 1,024 file descriptors", () => {
  it("keep nobody out, on the coordinator's port and on the workers'", async () => {
    server = await startServer(["--workers", "2"], { environment: patience, descriptorsMax: 1024 });
    await crowd(server.uri, 1200);
    await answers(server.uri);
    for (const worker of await workersOf(server.uri)) {
      await crowd(worker, 600, "GET /v1/info HTTP/1.1\r\nhost: a\r\nx-");
    }
    await answers(server.uri);
    expect(await stopServer(server)).toBe(0);
    expect(server.errors()).toMatch(/^SIGTERM: /);
  });

  it("do not end the process where the bound is above the limit: it has no descriptor left, and lives", async () => {
    server = await startServer(["--workers", "2"], {
      environment: { ...patience, ORRERY_HTTP_SERVER_MAX_CONNECTIONS: "100000", ORRERY_HTTP_SERVER_HEADER_TIMEOUT: "3s" },
      descriptorsMax: 1024,
    });
    await crowd(server.uri, 1200);
    // The header timeout closes all of them.
    await Promise.all(sockets.filter((socket) => !socket.closed).map((socket) => once(socket, "close")));
    await answers(server.uri);
    expect(await stopServer(server)).toBe(0);
  });
});

describe("a web page", () => {
  const statement = "CREATE TABLE memory.default.made_by_a_page (x bigint)";

  function post(uri: string, headers: Readonly<Record<string, string>>): Promise<string> {
    const lines = Object.entries({ "content-type": "text/plain", connection: "close", ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return rawExchange(uri, `POST /v1/statement HTTP/1.1\r\n${head}content-length: ${statement.length}\r\n\r\n${statement}`);
  }

  it("cannot run a statement, by a simple request or by a name that it points here", async () => {
    server = await startServer(["--workers", "1"], { environment: patience });
    const { host } = new URL(server.uri);
    const user = { "x-trino-user": "page" };
    for (const headers of [
      { host, origin: "http://evil.com" },
      { host, origin: "null", "content-type": "application/x-www-form-urlencoded" },
      { host, referer: "https://evil.com/page" },
      { host: "evil.com", origin: "http://evil.com" },
      { host: "evil.com" },
    ]) {
      expect(await post(server.uri, { ...headers, ...user })).toMatch(/^HTTP\/1.1 403 /);
    }
    const shown = await runProgram("cli", ["--server", server.uri, "--execute", "SHOW TABLES FROM memory.default"]);
    expect(shown.output).toBe("");
    expect(await (await fetch(`${server.uri}/v1/query`)).text()).not.toContain("made_by_a_page");
    // A program that sends the same bytes is a legitimate client.
    expect(await post(server.uri, { host, ...user })).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe("a server that other machines reach", () => {
  it("says at its start that it has no authentication", async () => {
    server = await startServer(["--workers", "1", "--host", "0.0.0.0"], { environment: patience });
    expect(server.errors()).toMatch(/^Warning: --host 0.0.0.0 lets other machines connect, and there is no authentication:/);
    expect(server.errors()).toMatch(/"level":"warn".*"event":"open-to-network","host":"0.0.0.0"/);
    await stopServer(server);
    server = await startServer(["--workers", "1"], { environment: patience });
    expect(server.errors()).toBe("");
  });
});
