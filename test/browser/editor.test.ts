/**
 * The SQL editor in a real Chromium against a real server, used as people do: by keyboard and pointer. Without Chromium, these tests are
 * skipped and `npm test` says so; if CI is set, they must run.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Download, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseJson } from "../../src/protocol/json.ts";
import { openDuckDb } from "../support/oracle/duckdb.ts";
import { findChromium, isChromiumRequired } from "../support/programs/chromium.ts";
import { type RunningServer, startServer, stopServer } from "../support/programs/server-process.ts";

const wide = 2n ** 63n - 1n;
const sales = "day,city,amount\n2026-01-01,Oslo,10\n2026-01-02,Rome,25\n2026-01-03,Bern,17\n";

interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the page and of its console, with violations of the content security policy. */
  readonly errors: string[];
}

describe.runIf(findChromium() !== undefined || isChromiumRequired())("the SQL editor", () => {
  const folder = mkdtempSync(join(tmpdir(), "orrery-editor-"));
  /** Not in the folder of the data: each file there is a table. */
  const downloads = mkdtempSync(join(tmpdir(), "orrery-downloads-"));
  let server: RunningServer;
  let browser: Browser;

  beforeAll(async () => {
    writeFileSync(join(folder, "sales.csv"), sales);
    // Playwright wants a path where findChromium may have a name.
    const executablePath = execFileSync("sh", ["-c", 'command -v "$0"', findChromium() ?? ""], { encoding: "utf8" }).trim();
    [server, browser] = await Promise.all([startServer(["--data", folder]), chromium.launch({ executablePath, args: ["--no-sandbox"] })]);
  });
  afterAll(async () => {
    await browser?.close();
    await stopServer(server);
    rmSync(folder, { recursive: true, force: true });
    rmSync(downloads, { recursive: true, force: true });
  });

  async function pageOf(context: BrowserContext, errors: string[], address: string): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => (["error", "warning"].includes(message.type()) ? errors.push(message.text()) : undefined));
    await page.goto(`${server.uri}/#/${address}`);
    await page.locator(".cm-content").waitFor();
    return page;
  }

  async function open(
    address = "editor",
    options: { readonly width?: number; readonly height?: number; readonly dark?: boolean } = {},
  ): Promise<Opened> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
      colorScheme: options.dark === true ? "dark" : "light",
      acceptDownloads: true,
    });
    const errors: string[] = [];
    return { context, errors, page: await pageOf(context, errors, address) };
  }

  async function finish({ context, errors }: Opened): Promise<void> {
    expect(errors).toEqual([]);
    await context.close();
  }

  /** With keys: CodeMirror takes a selection that a script makes a moment later, or not, if it has just got the focus. */
  async function write(page: Page, sql: string): Promise<void> {
    await page.locator(".cm-content").focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(sql);
    await expect.poll(() => page.locator(".cm-line").allTextContents()).toEqual(sql.split("\n"));
  }

  /** Runs the whole text, and waits for the end. */
  async function run(page: Page, sql: string, button = "Run all"): Promise<void> {
    await write(page, sql);
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.locator('.sql-toolbar button:text-is("Cancel")').waitFor({ state: "detached" });
    await page.locator(".sql-result-head").waitFor();
  }

  const cell = (page: Page, row: number, column: number) => page.locator(`#cell-${row}-${column}`);
  const address = (sql: string): string => `editor?catalog=tpch&schema=tiny&sql=${encodeURIComponent(sql)}`;

  async function violations(page: Page): Promise<readonly string[]> {
    await page.evaluate(axe.source);
    const found = await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
      "axe.run(document).then(({ violations }) => violations)",
    );
    return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`));
  }

  it.each([
    ["light", {}],
    ["dark", { dark: true }],
    ["on a phone", { width: 390, height: 844 }],
  ])("is accessible: %s", async (_name, options) => {
    const opened = await open("editor", options);
    const { page } = opened;
    expect(await violations(page)).toEqual([]);
    await run(page, "SELECT 1 AS a, NULL AS n, 'x' AS t; SELECT nope FROM tpch.tiny.nation");
    await page.locator(".cm-lintRange-error").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("group", { name: "Results" }).getByRole("button").first().click();
    await page.getByRole("button", { name: "History" }).click();
    await page.getByText("SELECT nope").first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Chart" }).click();
    await page.locator(".sql-plot canvas").waitFor();
    expect(await violations(page)).toEqual([]);
    // Nothing is wider than the window.
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await finish(opened);
  });

  it("is used by keyboard alone, and the text is no trap", async () => {
    const opened = await open();
    const { page } = opened;
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.className + ' ' + document.activeElement.textContent.slice(0, 40)");
    for (let pressed = 0; pressed < 60 && !(await focused()).includes("cm-content"); pressed++) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.type("SELECT 41 + 1 AS answer;\nSELECT 2");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Home");
    // The statement at the cursor runs, not the other.
    await page.keyboard.press("Control+Enter");
    await cell(page, 0, 0).getByText("42", { exact: true }).waitFor();
    expect(await page.locator(".grid").getAttribute("aria-rowcount")).toBe("2");
    await page.keyboard.press("Tab");
    expect(await page.locator(".cm-line").first().textContent()).toBe("  SELECT 41 + 1 AS answer;");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await focused()).toContain("sql-splitter");
    for (let pressed = 0; pressed < 20 && !(await focused()).startsWith("grid"); pressed++) {
      await page.keyboard.press("Tab");
    }
    expect(await focused()).toMatch(/^grid/);
    await page.keyboard.press("Shift+Tab");
    expect(await focused()).not.toMatch(/^grid/);
    await finish(opened);
  });

  it("keeps 64-bit integers and decimals exact in the grid, the clipboard and every export", async () => {
    const opened = await open();
    const { page } = opened;
    await run(
      page,
      `SELECT ${wide} AS big, -${wide} - 1 AS low, decimal '12345678901234567890123456789.012345678' AS d, CAST(NULL AS bigint) AS n`,
    );
    expect(await Promise.all([0, 1, 2, 3].map((column) => cell(page, 0, column).textContent()))).toEqual([
      "9223372036854775807",
      "-9223372036854775808",
      "12345678901234567890123456789.012345678",
      "NULL",
    ]);
    const expected = ["9223372036854775807", "-9223372036854775808", "12345678901234567890123456789.012345678", null];
    await cell(page, 0, 0).click();
    await page.keyboard.press("Control+a");
    const copied = await page.evaluate<string>(`(() => { const data = new DataTransfer();
      document.querySelector(".grid").dispatchEvent(new ClipboardEvent("copy", { clipboardData: data, bubbles: true })); return data.getData("text/plain"); })()`);
    expect(copied).toBe(expected.map((text) => text ?? "").join("\t"));
    const save = async (name: string): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
      return pathOf(download);
    };
    const duckDb = await openDuckDb({ threads: 1 });
    const csv = await save("CSV");
    expect(await duckDb.rows(`SELECT * FROM read_csv('${csv}', all_varchar = true, header = true)`)).toEqual([expected]);
    const parquet = await save("Parquet");
    expect(await duckDb.rows(`SELECT * FROM read_parquet('${parquet}')`)).toEqual([[wide, -wide - 1n, expected[2], null]]);
    expect((await duckDb.rows(`DESCRIBE SELECT * FROM read_parquet('${parquet}')`)).map(([, type]) => type)).toEqual([
      "BIGINT",
      "BIGINT",
      "DECIMAL(38,9)",
      "BIGINT",
    ]);
    duckDb.close();
    expect(parseJson(readFileSync(await save("JSON"), "utf8"))).toEqual([{ big: wide, low: -wide - 1n, d: expected[2], n: null }]);
    await finish(opened);
  });

  /** CodeMirror's popup takes no keys in its first 75 milliseconds, so that it does not catch those that were meant for the text. */
  async function popupTakesKeys(page: Page): Promise<void> {
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 100))");
  }

  async function pathOf(download: Download): Promise<string> {
    const path = join(downloads, download.suggestedFilename());
    await download.saveAs(path);
    return path;
  }

  it("shows hostile values as text", async () => {
    const opened = await open();
    const { page } = opened;
    const hostile = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
    await run(page, `SELECT '${hostile.replaceAll("'", "''")}' AS "<b>name</b>", json '{"a":"<i>"}' AS j, ARRAY['<u>'] AS a`);
    expect(await cell(page, 0, 0).textContent()).toBe(hostile);
    expect(await page.locator(".grid-name").first().textContent()).toContain("<b>name</b>");
    await cell(page, 0, 0).dblclick();
    expect(await page.locator("dialog[open] pre").textContent()).toBe(hostile);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "History" }).click();
    await page.getByRole("button", { name: "Chart" }).click();
    await page.getByText("A chart needs a column of numbers").waitFor();
    await run(page, `SELECT * FROM tpch.tiny."${hostile.replaceAll('"', '""')}"`);
    expect(await page.locator(".sql-error").textContent()).toContain("<img src=x");
    expect(await page.title()).not.toContain("owned");
    expect(await page.locator(".sql-editor img, .sql-editor script, .sql-editor b, .sql-editor u").count()).toBe(0);
    await finish(opened);
  });

  it("keeps 100,000 rows, says that there are more, and renders what is in view", async () => {
    const opened = await open();
    const { page } = opened;
    await run(
      page,
      "SELECT x * 7919 % 10000, 'row ' || CAST(x AS varchar), y FROM UNNEST(sequence(1, 11)) a (y) CROSS JOIN UNNEST(sequence(1, 10000)) b (x)",
    );
    expect(await page.locator(".sql-note").textContent()).toContain("The result has more than these 100,000 rows");
    expect(await page.locator(".grid").getAttribute("aria-rowcount")).toBe("100001");
    const rendered = (): Promise<number> => page.locator('.grid-body [role="row"]').count();
    expect(await rendered()).toBeLessThan(80);
    await page.locator(".grid").focus();
    await page.keyboard.press("Control+End");
    await cell(page, 99_999, 2).waitFor();
    expect(await page.locator('[data-row="99999"][data-column="-1"]').textContent()).toBe("100000");
    expect(await rendered()).toBeLessThan(80);
    // Each of 60 jumps through the rows is in the next frame's document.
    const late = await page.evaluate<number>(`(async () => { const grid = document.querySelector(".grid"); let late = 0;
      for (let step = 0; step < 60; step++) { const row = (step * 7919) % 99000; grid.scrollTop = row * 25;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        late += document.getElementById("cell-" + (row + 2) + "-0") === null ? 1 : 0; } return late; })()`);
    expect(late).toBe(0);
    // The head sorts by the column's type.
    await page.locator(".grid-sort").first().click();
    await page.locator('[aria-sort="ascending"]').waitFor();
    await page.locator(".grid-sort").first().click();
    await page.locator('[aria-sort="descending"]').waitFor();
    await page.evaluate('document.querySelector(".grid").scrollTop = 0');
    await expect.poll(() => cell(page, 0, 0).textContent()).toBe("9999");
    const keys = (await page.locator('.grid-body [data-column="0"]').allTextContents()).slice(0, 20).map(Number);
    expect(keys).toEqual(keys.toSorted((a, b) => b - a));
    // The order of a column is not that of another result's columns.
    await page.locator(".grid-sort").nth(2).click();
    await page.locator('[aria-sort="ascending"]').waitFor();
    await run(page, "SELECT 'b' AS only UNION ALL SELECT 'a'");
    await expect.poll(() => page.locator('[aria-sort="none"]').count()).toBe(1);
    await finish(opened);
  });

  it("keeps tabs through a reload and beside another window; renames, moves, closes by keyboard", async () => {
    const opened = await open();
    const { page, context, errors } = opened;
    const names = (of: Page): Promise<string[]> => of.locator(".sql-tab-name").allTextContents();
    await write(page, "SELECT 'first'");
    await page.getByRole("button", { name: "New tab" }).click();
    await write(page, "SELECT 'second'");
    const other = await pageOf(context, errors, "editor");
    expect(await names(other)).toEqual(["Query 1", "Query 2"]);
    await other.getByRole("button", { name: "New tab" }).click();
    await write(other, "SELECT 'of the other window'");
    await expect.poll(() => names(page)).toEqual(["Query 1", "Query 2", "Query 3"]);
    await page.getByRole("tab", { name: "Query 2" }).focus();
    await page.keyboard.press("F2");
    await page.keyboard.type("Orders by day");
    await page.keyboard.press("Enter");
    await page.locator('[role="tab"]:focus').waitFor();
    await page.keyboard.press("Alt+ArrowLeft");
    await expect.poll(() => names(other)).toEqual(["Orders by day", "Query 1", "Query 3"]);
    await page.reload();
    await page.locator(".cm-content").waitFor();
    await expect.poll(() => names(page)).toEqual(["Orders by day", "Query 1", "Query 3"]);
    await expect.poll(() => page.locator(".cm-content").textContent()).toBe("SELECT 'second'");
    await page.getByRole("tab", { name: "Orders by day" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.locator(".cm-content").textContent()).toBe("SELECT 'first'");
    // A text that another window changes is taken over, and the change can be undone.
    await other.getByRole("tab", { name: "Query 1" }).click();
    await write(other, "SELECT 'changed'");
    await page.locator(".cm-content").getByText("SELECT 'changed'").waitFor();
    await page.getByRole("tab", { name: "Query 1" }).focus();
    await page.keyboard.press("Delete");
    await expect.poll(() => names(page)).toEqual(["Orders by day", "Query 3"]);
    await page.getByRole("button", { name: "Reopen closed" }).click();
    await expect.poll(() => page.locator(".cm-content").textContent()).toBe("SELECT 'changed'");
    await finish(opened);
  });

  it("completes columns behind a dot while the names are fetched, and functions with their signatures", async () => {
    const opened = await open(address("SELECT  FROM nation n"));
    const { page } = opened;
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+Home");
    for (let pressed = 0; pressed < 7; pressed++) {
      await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.type("n.");
    await page.locator(".cm-completionLabel").getByText("regionkey", { exact: true }).waitFor();
    expect(await page.locator(".cm-completionLabel").allTextContents()).toEqual(["comment", "name", "nationkey", "regionkey"]);
    await page.keyboard.type("reg");
    await page.locator(".cm-completionLabel").getByText("nationkey").waitFor({ state: "detached" });
    await page.locator(".cm-tooltip-autocomplete [aria-selected]").waitFor();
    await popupTakesKeys(page);
    await page.keyboard.press("Enter");
    await page.keyboard.type(", approx_d");
    await page.locator(".cm-completionInfo").getByText("approx_distinct(T, double) → bigint").waitFor();
    await popupTakesKeys(page);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".cm-content").textContent()).toBe("SELECT n.regionkey, approx_distinct() FROM nation n");
    await finish(opened);
  });

  it("marks the error of a later statement at its place, with what ran before", async () => {
    const opened = await open(address("SELECT 1;\n\nSELECT name,\n  nope FROM nation;\nSELECT 3"));
    const { page } = opened;
    await page.getByRole("button", { name: "Run all" }).click();
    await page.locator(".cm-lintRange-error").waitFor();
    expect(await page.locator(".cm-lintRange-error").textContent()).toBe("nope");
    expect(await page.locator(".sql-error").textContent()).toContain("COLUMN_NOT_FOUND line 2:3: Column 'nope' cannot be resolved");
    // The statement behind the failed one was not run.
    expect(await page.locator(".sql-result-tabs .badge").allTextContents()).toEqual(["Finished", "Failed", "Queued"]);
    await page.getByRole("button", { name: "Go to the place" }).click();
    expect(await page.locator(".cm-activeLine").textContent()).toBe("  nope FROM nation;");
    await page.getByRole("button", { name: "Explain", exact: true }).click();
    await page.locator(".sql-error").waitFor();
    expect(await page.locator(".cm-lintRange-error").textContent()).toBe("nope");
    await finish(opened);
  });

  it("keeps USE and SET SESSION for the tab, through a reload; explains and analyzes", async () => {
    const opened = await open();
    const { page } = opened;
    await run(page, "USE tpch.tiny; SET SESSION query_max_run_time = '1h'");
    await page.locator(".sql-properties").getByText("query_max_run_time = 1h").waitFor();
    await page.reload();
    await page.locator(".cm-content").waitFor();
    expect(await page.getByLabel("Catalog", { exact: true }).inputValue()).toBe("tpch");
    expect(await page.getByLabel("Schema", { exact: true }).inputValue()).toBe("tiny");
    await run(page, "SHOW SESSION LIKE 'query_max_run_time'");
    expect(await cell(page, 0, 1).textContent()).toBe("1h");
    await page.getByRole("button", { name: "Reset query_max_run_time" }).click();
    await run(page, "SELECT count(*) FROM nation", "Explain");
    await page.locator(".sql-plan").getByText("Fragment 0").waitFor();
    await run(page, "SELECT count(*) FROM nation", "Analyze");
    await page.locator(".sql-plan").getByText("Fragment 1").waitFor();
    await finish(opened);
  });

  it("cancels a running statement, on the server too", async () => {
    const opened = await open();
    const { page } = opened;
    await write(page, "SELECT count(*) FROM tpch.sf1000.lineitem a CROSS JOIN tpch.sf1000.orders b");
    await page.keyboard.press("Control+Enter");
    const link = page.locator('.sql-result-head a[href^="#/queries/"]');
    await page.locator(".sql-stages li").first().waitFor();
    const id = (await link.getAttribute("href"))?.split("/").at(-1) ?? "";
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The statement was canceled").waitFor();
    const state = (): Promise<string> =>
      page.evaluate(`fetch("v1/query/${id}").then((response) => response.json()).then((document) => document.state)`);
    await expect.poll(state).toBe("FAILED");
    await finish(opened);
  });

  it("opens a shared statement and the statement of a query, and runs neither", async () => {
    const opened = await open(address("SELECT 'shared'"));
    const { page } = opened;
    await expect.poll(() => page.locator(".cm-content").textContent()).toBe("SELECT 'shared'");
    expect(await page.getByLabel("Catalog", { exact: true }).inputValue()).toBe("tpch");
    expect(await page.locator(".sql-result-head").count()).toBe(0);
    expect(await page.evaluate("location.hash")).toBe("#/editor");
    await run(page, "SELECT 'of a query'");
    const id = (await page.locator('.sql-result-head a[href^="#/queries/"]').getAttribute("href"))?.split("/").at(-1) ?? "";
    await write(page, "");
    await page.evaluate(`location.hash = "#/editor?query=${id}"`);
    await page.locator(".cm-content").getByText("SELECT 'of a query'").waitFor();
    const known = await page.evaluate<{ query: string }[]>("fetch('v1/query').then((response) => response.json())");
    expect(known.filter(({ query }) => query.includes("shared"))).toEqual([]);
    await finish(opened);
  });

  it("leads from the file of a folder to its chart in three clicks", async () => {
    const opened = await open();
    const { page } = opened;
    const table = page.locator('[data-path="files.default.sales"]');
    await table.hover();
    await table.locator('[data-act="preview"]').click();
    await cell(page, 0, 0).getByText("2026-01-01").waitFor();
    await page.getByRole("button", { name: "Chart" }).click();
    await page.locator(".sql-plot canvas").waitFor();
    expect(await page.locator(".sql-plot").getAttribute("aria-label")).toBe("Lines of amount by day, 3 rows");
    // A click on a column inserts its name.
    await table.click();
    await page.locator('[data-path="files.default.sales.city"]').click();
    await expect.poll(() => page.locator(".cm-content").textContent()).toContain("city");
    // The same by keyboard: from the catalog to the table, its rows, its name.
    const focused = page.locator('[role="treeitem"]:focus');
    await page.locator('[data-path="files"]').focus();
    await page.keyboard.press("Home");
    for (const path of ["files.default", "files.default.sales", "files.default.sales.day"]) {
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => focused.getAttribute("data-path")).toBe(path);
    }
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => focused.getAttribute("data-path")).toBe("files.default.sales");
    await page.keyboard.press("ArrowLeft");
    await page.locator('[data-path="files.default.sales.day"]').waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New tab" }).click();
    await table.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".cm-content").textContent()).toBe("files.default.sales");
    await table.focus();
    await page.keyboard.press("Alt+Enter");
    await expect.poll(() => page.locator(".cm-content").textContent()).toContain("SELECT * FROM files.default.sales");
    await finish(opened);
  });
});
