/**
 * The page of a query in a real Chromium against a real server, used as people do: by pointer and keyboard. Without Chromium, these tests
 * are skipped and `npm test` says so; if CI is set, they must run.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { tpcdsQueries } from "../support/oracle/tpcds-files.ts";
import { findChromium, isChromiumRequired } from "../support/programs/chromium.ts";
import { type RunningServer, startServer, stopServer } from "../support/programs/server-process.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Tables as small as these have two tasks. */
const smallTasks = { ORRERY_OPTIMIZER_MIN_INPUT_ROWS_PER_TASK: "20000" };

const joinSql = `SELECT n.name, count(*) AS orders FROM tpch.tiny.lineitem l JOIN tpch.tiny.orders o ON l.orderkey = o.orderkey
JOIN tpch.tiny.customer c ON o.custkey = c.custkey JOIN tpch.tiny.nation n ON c.nationkey = n.nationkey
WHERE l.quantity > 10 GROUP BY n.name ORDER BY orders DESC LIMIT 10`;
/** Would run for many minutes: 22 billion pairs. */
const longSql = "SELECT count(*) FROM tpch.sf1.orders a JOIN tpch.tiny.orders b ON a.orderkey <> b.orderkey";

interface Document {
  queryId: string;
  state: string;
  outputStage: {
    stageId: string;
    plan: { root: object; estimates?: object };
    tasks: { stats: { pipelines: { drivers: object[] }[] } }[];
    subStages: unknown[];
  };
  [member: string]: unknown;
}

/** The page shows it sooner or later, however busy the machine. */
function eventually<Value>(value: () => Promise<Value>) {
  return expect.poll(value, { timeout: 60_000 });
}

describe.runIf(findChromium() !== undefined || isChromiumRequired())("the page of a query", () => {
  let server: RunningServer;
  let browser: Browser;
  let context: BrowserContext;
  let joinId: string;
  let far: Cluster;
  let folder: string;
  const errors: string[] = [];

  beforeAll(async () => {
    // Playwright wants a path where findChromium may have a name.
    const executablePath = execFileSync("sh", ["-c", 'command -v "$0"', findChromium() ?? ""], { encoding: "utf8" }).trim();
    folder = mkdtempSync(join(tmpdir(), "orrery-page-"));
    far = await withCluster({ workers: 0, catalogs: { tpch: { "connector.name": "tpch" } } });
    const routing = {
      clusters: [{ name: "big", "connection-url": `jdbc:trino://${new URL(far.uri).host}` }],
      rules: [{ queryText: ".*far away.*", cluster: "big" }],
    };
    const routingFile = join(folder, "routing.json");
    writeFileSync(routingFile, JSON.stringify(routing));
    [server, browser] = await Promise.all([
      startServer(["--workers", "2"], { environment: { ...smallTasks, ORRERY_QUERY_ROUTING_CONFIG_FILE: routingFile } }),
      chromium.launch({ executablePath, args: ["--no-sandbox"] }),
    ]);
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
    joinId = await run(joinSql);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([stopServer(server), far?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  async function submit(sql: string): Promise<{ readonly id: string; readonly nextUri?: string }> {
    const headers = { "x-engine-user": "ada", "x-engine-catalog": "tpcds", "x-engine-schema": "tiny" };
    const response = await fetch(`${server.uri}/v1/statement`, { method: "POST", body: sql, headers });
    return (await response.json()) as { id: string; nextUri?: string };
  }

  /** Runs a statement to its end, whatever that is; returns its id. */
  async function run(sql: string): Promise<string> {
    let answer = await submit(sql);
    while (answer.nextUri !== undefined) {
      answer = (await (await fetch(answer.nextUri)).json()) as typeof answer;
    }
    return answer.id;
  }

  async function documentOf(id: string): Promise<Document> {
    return (await (await fetch(`${server.uri}/v1/query/${id}`)).json()) as Document;
  }

  async function open(id: string, tab = "", within = context): Promise<Page> {
    const page = await within.newPage();
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => (["error", "warning"].includes(message.type()) ? errors.push(message.text()) : undefined));
    await page.goto(`${server.uri}/#/queries/${id}${tab === "" ? "" : `/${tab}`}`);
    await page.locator(".query-page").waitFor();
    return page;
  }

  /** Shows a document that the server did not make: the page knows only what the resource answers. */
  async function openDocument(document: Document, tab: string): Promise<Page> {
    const page = await context.newPage();
    await page.route(`**/v1/query/${document.queryId}`, (route) => route.fulfill({ json: document }));
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${server.uri}/#/queries/${document.queryId}/${tab}`);
    await page.locator(".query-page").waitFor();
    return page;
  }

  async function finish(page: Page): Promise<void> {
    expect(errors).toEqual([]);
    await page.close();
  }

  const transformOf = (page: Page): Promise<string | null> => page.locator("g.drawing").getAttribute("transform");
  const countOf = (page: Page, selector: string): Promise<number> => page.locator(selector).count();

  it("shows the statement formatted and colored, and as it was written", async () => {
    const page = await open(joinId);
    await page.getByRole("button", { name: "Formatted", pressed: true }).waitFor();
    const code = page.locator("pre.code");
    expect(await code.innerText()).toContain("GROUP BY n.name\nORDER BY orders DESC\nLIMIT 10");
    expect(await code.locator(".code-keyword").first().innerText()).toBe("SELECT");
    await page.getByRole("button", { name: "As written" }).click();
    expect((await code.innerText()).trim()).toBe(joinSql);
    expect(await page.locator(".page-head .badge").innerText()).toBe("Finished");
    await finish(page);
  });

  it("names the cluster that runs a query, and leads to the query there", async () => {
    const page = await open(await run('SELECT count(*) AS "far away" FROM tpch.tiny.nation'));
    const card = page.locator("section.card", { has: page.getByRole("heading", { name: "Other cluster" }) });
    await eventually(() => card.innerText()).toMatch(/Cluster\s+big\s+Query there\s+\d{8}_\d{6}_\d{5}_\w{5}/);
    const link = card.getByRole("link");
    const id = await link.innerText();
    expect(await link.getAttribute("href")).toBe(`${far.uri}/v1/query/${id}`);
    expect((await far.query(`SELECT state FROM system.runtime.queries WHERE query_id = '${id}'`)).rows).toEqual([["FINISHED"]]);
    const facts = page.locator("section.card", { has: page.getByRole("heading", { name: "Rows and bytes" }) });
    expect(await facts.innerText()).toMatch(/Output\s+1 rows/);
    const [there] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
    await there.waitForLoadState();
    expect(new URL(there.url()).host).toBe(new URL(far.uri).host);
    await there.close();
    await finish(page);
    const own = await open(joinId);
    await own.getByRole("heading", { name: "Session", exact: true }).waitFor();
    expect(await own.getByRole("heading", { name: "Other cluster" }).count()).toBe(0);
    await finish(own);
  });

  it("draws every node of the plan with its rows, and the details of the one that is clicked", async () => {
    const page = await open(joinId, "plan");
    await page.locator("[data-node]").first().waitFor();
    const join = page.locator("g.node", { hasText: "Inner join" }).first();
    await eventually(() => join.textContent()).toMatch(/48\.2K \+ \d+K build → 48\.2K rows/);
    await eventually(() => page.locator("g.node.fused", { hasText: "Filter" }).textContent()).toContain("runs in table scan");
    await page.getByRole("button", { name: "Fit" }).click();
    await join.locator("[data-node]").click();
    const details = page.locator(".plan-details");
    expect(await details.innerText()).toContain("orderkey = orderkey");
    await eventually(() => details.locator("tbody tr").count()).toBe(2);
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
    await finish(page);
  });

  it("pans and zooms by wheel, drag, buttons and keys, and goes from node to node", async () => {
    const page = await open(joinId, "plan");
    const svg = page.locator(".plan-svg");
    await page.locator("[data-node]").first().waitFor();
    const start = await transformOf(page);
    const moved: (() => Promise<void>)[] = [
      async () => {
        await svg.hover({ position: { x: 200, y: 200 } });
        await page.mouse.wheel(0, -240);
      },
      async () => {
        await page.mouse.down();
        await page.mouse.move(700, 480, { steps: 4 });
        await page.mouse.up();
      },
      () => page.getByRole("button", { name: "Zoom out" }).click(),
      async () => {
        await svg.focus();
        await page.keyboard.press("ArrowDown");
      },
      () => page.keyboard.press("+"),
      () => page.keyboard.press("0"),
    ];
    let before = start;
    for (const move of moved) {
      await move();
      await eventually(() => transformOf(page)).not.toBe(before);
      before = await transformOf(page);
    }
    await page.keyboard.press("Tab");
    for (let press = 0; press < 20 && (await page.evaluate("document.activeElement.dataset.node")) === undefined; press++) {
      await page.keyboard.press("Tab");
    }
    const first = await page.evaluate<string>("document.activeElement.dataset.node");
    await page.keyboard.press("ArrowDown");
    const next = await page.evaluate<string>("document.activeElement.dataset.node");
    expect(next).not.toBe(first);
    await page.keyboard.press("Enter");
    expect(await page.locator(".plan-details h2").innerText()).toContain(`node ${next}, `);
    await finish(page);
  });

  it("collapses a subtree and a stage, and expands all again", async () => {
    const page = await open(joinId, "plan");
    await page.locator("[data-node]").first().waitFor();
    const all = await countOf(page, "g.node");
    const stages = await countOf(page, "g.stage");
    await page.locator("[data-stage='2']").press("Enter");
    await eventually(() => countOf(page, "g.stage.collapsed")).toBe(1);
    expect(await countOf(page, "g.node")).toBeLessThan(all);
    expect(await countOf(page, "g.stage")).toBe(stages);
    await page.locator("[data-node='0']").press(" ");
    await eventually(() => countOf(page, "g.node")).toBe(1);
    expect(await page.locator("[data-toggle='0']").textContent()).toContain(`+${all - 1}`);
    await page.getByRole("button", { name: "Expand all" }).click();
    await eventually(() => countOf(page, "g.node")).toBe(all);
    await finish(page);
  });

  it("says how far estimates were from the truth, and what a query waits for", async () => {
    const document = await documentOf(joinId);
    const id = (document.outputStage.plan.root as { source: { id: string } }).source.id;
    const live: Document = {
      ...document,
      queryId: "20140206_200000_00001_dk5x2",
      state: "RUNNING",
      waitReason: "CLIENT",
      waitMessage: "The client has not asked for results for 12 seconds",
      outputStage: { ...document.outputStage, plan: { ...document.outputStage.plan, estimates: { [id]: { outputRowCount: 2 } } } },
    };
    const page = await openDocument(live, "plan");
    expect(await page.locator(".query-wait").innerText()).toBe("The client has not asked for results for 12 seconds.");
    const node = page.locator("g.node", { has: page.locator(`[data-node='${id}']`) });
    expect(await node.locator("[data-accuracy='fair']").textContent()).toBe("est ↑ 5×");
    await node.locator("[data-node]").click();
    expect(await page.locator(".plan-details").innerText()).toContain("5.0× more than estimated");
    await finish(page);
  });

  it("marks the place of an error in the text, on every tab", async () => {
    const id = await run("SELECT name,\n  nope\nFROM tpch.tiny.nation");
    const page = await open(id);
    expect(await page.locator("pre.code mark").innerText()).toBe("nope");
    for (const tab of ["Plan", "Stages", "Timeline", "JSON"]) {
      await page.getByRole("tab", { name: tab }).click();
      const banner = page.locator(".query-error");
      expect(await banner.innerText()).toContain("Column 'nope' cannot be resolved");
      expect(await banner.locator(".excerpt").innerText()).toBe("  nope\n  ^");
    }
    await page.getByRole("tab", { name: "Plan" }).click();
    await page.getByText("It failed before it was planned.").waitFor();
    await page.getByRole("link", { name: "Details" }).click();
    expect(await page.locator(".error-view").innerText()).toContain("line 2, column 3");
    await finish(page);
  });

  it("follows a running query, cancels it, and then asks no more", async () => {
    const { id, nextUri = "" } = await submit(longSql);
    void fetch(nextUri).catch(() => undefined);
    const page = await open(id, "stages");
    const splits = page.locator(".query-times");
    await eventually(() => splits.innerText()).toMatch(/CPU [^0]/);
    const before = await splits.innerText();
    await eventually(() => splits.innerText()).not.toBe(before);
    expect(await countOf(page, "[role=progressbar]")).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".page-head .badge", { hasText: "Canceled" }).waitFor();
    expect(await page.locator(".query-error").innerText()).toContain("Query was canceled");
    expect(await countOf(page, "button.danger")).toBe(0);
    expect((await documentOf(id)).state).toBe("FAILED");
    await finish(page);
  });

  it("leads to the editor, and saves a report that holds plan, counters and versions", async () => {
    const page = await open(joinId);
    expect(await page.getByRole("link", { name: "Run again" }).getAttribute("href")).toBe(`#/editor?query=${joinId}`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Bug report" }).click()]);
    expect(download.suggestedFilename()).toBe(`orrery-${joinId}.json`);
    const report = JSON.parse(readFileSync(await download.path(), "utf8")) as Record<string, unknown> & { query: Document };
    expect(report["statement"]).toBe(joinSql);
    expect(report["server"]).toMatchObject({ nodeVersion: { version: expect.any(String) } });
    expect(report.query.outputStage.plan.root).toMatchObject({ kind: "Output" });
    await finish(page);
  });

  it("draws the plan of TPC-DS q64 whole, and stages, tasks and operators as tables", async () => {
    const q64 = tpcdsQueries().find(({ name }) => name === "q64")?.text ?? expect.fail("no q64");
    const page = await open(await run(q64), "plan");
    await page.locator("[data-node]").first().waitFor();
    const nodes = await countOf(page, "g.node");
    const stages = await countOf(page, "g.stage");
    expect(nodes).toBeGreaterThan(120);
    await page.getByRole("tab", { name: "Stages" }).click();
    await page.getByRole("region", { name: "Stages", exact: true }).waitFor();
    expect(await countOf(page, "[aria-label='Stages'] tbody tr")).toBe(stages);
    await page.getByRole("button", { name: "Tasks of stage 2", exact: true }).click();
    await page.getByRole("heading", { name: "Tasks of stage 2" }).waitFor();
    expect(page.url()).toContain("?stage=2");
    await page.reload();
    await page.getByRole("heading", { name: "Tasks of stage 2" }).waitFor();
    await finish(page);
  });

  it("keeps thousands of drivers and megabytes of JSON out of the document", async () => {
    const document = await documentOf(joinId);
    const drivers = Array.from({ length: 20_000 }, (_, driverId) => ({
      driverId,
      createTime: "2014-02-06T20:00:00.000Z",
      startTime: "2014-02-06T20:00:00.001Z",
      endTime: "2014-02-06T20:00:00.002Z",
      note: "x".repeat(400),
    }));
    const [task] = document.outputStage.tasks;
    const large: Document = {
      ...document,
      queryId: "20140206_200000_00002_dk5x2",
      outputStage: {
        ...document.outputStage,
        tasks: [{ ...task, stats: { ...task?.stats, pipelines: (task?.stats.pipelines ?? []).map((one) => ({ ...one, drivers })) } }],
      },
    };
    expect(JSON.stringify(large).length).toBeGreaterThan(10_000_000);
    const page = await openDocument(large, "timeline");
    await page.getByRole("button", { name: "Task 0.0" }).click();
    await page.locator(".timeline-row", { hasText: /^Driver 5\./ }).waitFor();
    expect(await countOf(page, ".timeline-row")).toBeLessThan(100);
    await page.locator(".timeline-box").evaluate((box) => box.scrollTo(0, box.scrollHeight));
    const lastStage = Math.max(
      ...Array.from(JSON.stringify(document).matchAll(/"stageId":"[^"]*\.(\d+)"/g), ([, number]) => Number(number)),
    );
    await page.locator(".timeline-row", { hasText: `Stage ${lastStage}` }).waitFor();
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByRole("button", { name: "Expand all" }).click();
    await eventually(() => page.locator(".json .muted").first().innerText()).toMatch(/^1\d\d,\d{3} lines$/);
    expect(await countOf(page, ".json-line")).toBeLessThan(100);
    await finish(page);
  });

  it("has no violation that axe finds, in both themes and on a phone", async () => {
    const failed = await run("SELECT name,\n  nope\nFROM tpch.tiny.nation");
    for (const [width, height, colorScheme] of [
      [1440, 900, "light"],
      [1440, 900, "dark"],
      [390, 844, "light"],
    ] as const) {
      const own = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
      const page = await open(joinId, "", own);
      await page.evaluate(axeSource);
      for (const [id, tab, ready] of [
        [joinId, "", ".code-keyword"],
        [joinId, "/plan", "[data-node]"],
        [joinId, "/stages", "[aria-label='Stages'] tbody tr"],
        [joinId, "/timeline", ".timeline-row"],
        [joinId, "/json", ".json-line"],
        [failed, "/error", "pre.code mark"],
      ] as const) {
        await page.evaluate(`location.hash = "#/queries/${id}${tab}"`);
        await page.locator(ready).first().waitFor();
        if (tab === "/plan") {
          await page.locator("[data-node='1']").press("Enter");
          await page.locator(".plan-details").waitFor();
        }
        const violations = await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
          "axe.run().then((result) => result.violations)",
        );
        const found = violations.flatMap((rule) =>
          rule.nodes.map(({ html, failureSummary }) => `${rule.id} ${html.slice(0, 200)} ${failureSummary}`),
        );
        expect({ width, colorScheme, tab, found }).toEqual({ width, colorScheme, tab, found: [] });
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      }
      expect(errors).toEqual([]);
      await own.close();
    }
  });

  it("says that a query is unknown", async () => {
    const page = await context.newPage();
    await page.goto(`${server.uri}/#/queries/20140206_200000_00009_none0`);
    await page.getByText("There is no query 20140206_200000_00009_none0").waitFor();
    await page.close();
  });
});
