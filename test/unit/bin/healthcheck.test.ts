import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { healthcheck } from "../../../src/bin/healthcheck.ts";

let stop = (): void => undefined;
afterEach(() => {
  stop();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function listen(handler: RequestListener): Promise<number> {
  const server = createServer(handler);
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Exit code and output. */
async function checked(...args: readonly string[]): Promise<readonly [number, string]> {
  let output = "";
  const collect = (text: unknown): boolean => {
    output += String(text);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(collect);
  vi.spyOn(process.stderr, "write").mockImplementation(collect);
  const code = await healthcheck(args);
  vi.restoreAllMocks();
  return [code, output];
}

function info(document: unknown, status = 200): RequestListener {
  return (request, response) => {
    expect(request.url).toBe("/v1/info");
    response.statusCode = status;
    response.end(JSON.stringify(document));
  };
}

describe("the health check", () => {
  it("succeeds when the server says that it is ready", async () => {
    const port = await listen(info({ starting: false }));
    expect(await checked(`http://127.0.0.1:${port}/`)).toEqual([0, `http://127.0.0.1:${port}/: ready\n`]);
    expect((await checked(`127.0.0.1:${port}`))[0]).toBe(0);
  });

  it.each([
    [{ starting: true }, 200, "not ready"],
    [{}, 200, "not ready"],
    [null, 200, "not ready"],
    [{ starting: false }, 503, "status 503"],
  ])("fails when it answers %j with status %i", async (document, status, message) => {
    const [code, output] = await checked(`http://127.0.0.1:${await listen(info(document, status))}`);
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  });

  it("fails when nothing answers, in time or at all", async () => {
    const port = await listen(() => undefined);
    expect((await checked(`http://127.0.0.1:${port}`, "--timeout", "20"))[0]).toBe(1);
    stop();
    expect(await checked(`http://127.0.0.1:${port}`)).toEqual([1, expect.stringContaining("ECONNREFUSED")]);
  });

  it("asks the server of its own container, whatever Kubernetes sets for a service", async () => {
    const port = await listen(info({ starting: false }));
    vi.stubEnv("ORRERY_PORT", String(port));
    expect((await checked())[0]).toBe(0);
    vi.stubEnv("ORRERY_HTTP_SERVER_HTTP_PORT", String(port));
    vi.stubEnv("ORRERY_PORT", "tcp://10.0.0.1:8080");
    expect((await checked())[0]).toBe(0);
    vi.stubEnv("ORRERY_SERVER", "http://127.0.0.1:1");
    expect((await checked())[0]).toBe(1);
  });

  it("refuses a wrong command line", async () => {
    expect((await checked("http://"))[0]).toBe(2);
    expect((await checked("http://127.0.0.1:1", "--timeout", "soon"))[0]).toBe(2);
    expect((await checked("--timeuot", "1"))[0]).toBe(2);
    expect((await checked("--help"))[0]).toBe(0);
  });
});
