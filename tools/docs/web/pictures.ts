/** Pictures of the web interface: a server of its own, a fixed mix of queries, and a Chromium without a window. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startServer } from "../../../test/support/programs/server-process.ts";
import { WebBrowser } from "../../../test/support/programs/web-browser.ts";

/** So long the charts fill before the pictures are taken. */
const fillMs = 75_000;
const clients = [
  { user: "ada", source: "superset" },
  { user: "grace", source: "dbt" },
  { user: "barbara", source: "notebook" },
] as const;

const statements: readonly string[] = [
  "SELECT returnflag, linestatus, sum(quantity), avg(extendedprice), count(*)\nFROM tpch.sf1.lineitem\nGROUP BY 1, 2",
  "SELECT c.name, count(*) AS orders\nFROM tpch.sf1.customer c JOIN tpch.sf1.orders o ON c.custkey = o.custkey\nGROUP BY c.name ORDER BY 2 DESC LIMIT 10",
  "SELECT n.name, r.name FROM tpch.tiny.nation n JOIN tpch.tiny.region r ON n.regionkey = r.regionkey",
  "SELECT count(*) FROM tpch.sf1.lineitem WHERE shipdate > DATE '1995-01-01'",
  "SELECT orderpriority, revenue FROM tpch.sf1.orders",
  "SELECT totalprice / (custkey - custkey) FROM tpch.tiny.orders",
];

/** Their clients read nothing. */
const stalled: readonly string[] = ["SELECT * FROM tpch.sf1.lineitem ORDER BY extendedprice", "SELECT * FROM tpch.sf1.orders"];

interface Answer {
  readonly nextUri?: string;
}

async function submit(uri: string, sql: string, client: number): Promise<Answer> {
  const { user, source } = clients[client % clients.length] ?? clients[0];
  const headers = { "x-presto-user": user, "x-presto-source": source };
  return (await (await fetch(`${uri}/v1/statement`, { method: "POST", body: sql, headers })).json()) as Answer;
}

/** Runs the statements in turn until the signal. */
async function work(uri: string, client: number, signal: AbortSignal): Promise<void> {
  for (let turn = client; !signal.aborted; turn++) {
    let answer = await submit(uri, statements[turn % statements.length] ?? "", client);
    while (answer.nextUri !== undefined) {
      answer = (await (await fetch(answer.nextUri)).json()) as Answer;
    }
    await pause(200);
  }
}

/** docs/images/web-*.png */
export async function takeWebPictures(root: string): Promise<void> {
  const folder = join(root, "docs/images");
  mkdirSync(folder, { recursive: true });
  const server = await startServer(["--workers", "2"]);
  const browser = await WebBrowser.start();
  const stop = new AbortController();
  try {
    const visit = await browser.open(`${server.uri}/#/`);
    const { page } = visit;
    for (const [client, sql] of stalled.entries()) {
      await submit(server.uri, sql, client);
    }
    const workers = clients.map((_, client) => work(server.uri, client, stop.signal));
    await pause(fillMs);
    const take = (name: string): Promise<Buffer> => page.screenshot({ path: join(folder, `web-${name}.png`) });
    await take("overview");
    await page.emulateMedia({ colorScheme: "dark" });
    await pause(500);
    await take("overview-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${server.uri}/#/queries`);
    await page.locator("tbody tr[data-index]").first().waitFor();
    await take("queries");
    await page.goto(`${server.uri}/#/workers/worker-1`);
    await page.locator(".node-detail tbody tr").first().waitFor();
    await take("workers");
    await page.goto(`${server.uri}/#/simulator`);
    await page.locator("input[type=file]").setInputFiles(join(root, "fixtures/field/worker-killed-while-producing.orrery-fixture"));
    await page.locator(".page-head [role=status]", { hasText: "entries" }).waitFor();
    await pause(500);
    await take("simulator");
    stop.abort();
    await Promise.allSettled(workers);
    await visit.close();
  } finally {
    stop.abort();
    await browser.close();
    server.kill("SIGKILL");
  }
}
