/**
 * `orrery/client` in a real Chromium, bundled as a page's author would bundle it: rows, a cancelled query and errors, no address given.
 * The page and the server have one origin, as behind a proxy.
 */
import { spawnSync } from "node:child_process";
import { createServer, request as httpRequest, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, createCluster } from "../../src/embedded/index.ts";
import { root } from "../house/sources.ts";
import { findChromium, isChromiumRequired } from "../support/programs/chromium.ts";

const script = `
import { createClient, ClientError, QueryFailedError } from "./src/client/index.ts";
const text = (value) => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? one + "n" : one));
window.rows = async (sql, options = {}) => text(await createClient(options).query(sql).rows());
window.failure = (sql) => createClient().query(sql).rows().catch((error) => [error instanceof QueryFailedError, error.errorName]);
window.canceled = async (sql) => {
  const abort = new AbortController();
  const query = createClient().query(sql, { signal: abort.signal, onProgress: () => abort.abort(new Error("enough")) });
  return [await query.rows().catch((error) => error.message), query.queryId];
};
window.unreachable = () => createClient({ server: "http://127.0.0.1:1" }).query("SELECT 1").rows()
  .catch((error) => [error instanceof ClientError, error.kind]);
`;

describe.runIf(findChromium() !== undefined || isChromiumRequired())("the client in a browser", () => {
  let cluster: Cluster;
  let server: Server;
  let browser: Browser;
  let address = "";

  beforeAll(async () => {
    cluster = await createCluster({ workers: 1, http: { port: 0 }, properties: { "node.memory": "256MB" } });
    const stdin = { contents: script, resolveDir: root, loader: "js" as const };
    const { outputFiles } = await build({ stdin, absWorkingDir: root, bundle: true, write: false, platform: "browser", format: "esm" });
    server = createServer(pageOr(cluster.uri, outputFiles[0]?.text ?? ""));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const executablePath = spawnSync("which", [findChromium() ?? "chromium"], { encoding: "utf8" }).stdout.trim();
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  });

  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    await cluster?.close();
  });

  it("reads rows from the page's own origin, in each family, and cancels", async () => {
    const page = await browser.newPage();
    await page.goto(address);
    await page.waitForFunction("window.rows !== undefined");
    const sql = "SELECT regionkey, count(*), 'it''s' FROM tpch.tiny.nation WHERE regionkey < 2 GROUP BY 1 ORDER BY 1";
    for (const options of ["{}", '{ family: "presto" }', '{ family: "trino", spooled: true }']) {
      expect(await page.evaluate(`rows(${JSON.stringify(sql)}, ${options})`)).toBe('[["0n","5n","it\'s"],["1n","5n","it\'s"]]');
    }
    expect(await page.evaluate('failure("SELECT x")')).toEqual([true, "COLUMN_NOT_FOUND"]);
    const [message, queryId] = (await page.evaluate('canceled("SELECT count(*) FROM tpch.sf100.lineitem")')) as [string, string];
    expect(message).toBe("enough");
    const [ended] = await cluster
      .query("SELECT state, error_code FROM system.runtime.queries WHERE query_id = ?", { parameters: [queryId] })
      .rows();
    expect(ended).toEqual(["FAILED", "USER_CANCELED"]);
    // What a browser does not explain: no server there, or one that does not allow the origin.
    expect(await page.evaluate("unreachable()")).toEqual([true, "UNREACHABLE"]);
    await page.close();
  });
});

/** The page at `/`, its script, and all other requests to the server with their Host, so that its links lead back here. */
function pageOr(uri: string, code: string): RequestListener {
  return (request, response) => {
    if (request.url === "/" || request.url === "/page.js") {
      response.setHeader("content-type", request.url === "/" ? "text/html" : "text/javascript");
      response.end(request.url === "/" ? '<!doctype html><script type="module" src="page.js"></script>' : code);
      return;
    }
    const { method, headers, url } = request;
    const forwarded = httpRequest(uri, { method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    request.pipe(forwarded);
  };
}
