/**
 * The pages of the web interface in a real Chromium, served by a real coordinator with real queries. Without Chromium, these tests are
 * skipped and `npm test` says so; if CI is set, they must run.
 */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, isChromiumRequired } from "../support/programs/chromium.ts";
import { projectRoot, type RunningServer, startServer, stopServer } from "../support/programs/server-process.ts";
import { axeViolations, type Visit, type VisitOptions, WebBrowser } from "../support/programs/web-browser.ts";

/** Runs for longer than the tests, in little memory. */
const endless = "SELECT count(*) FROM tpch.sf1000.lineitem";
const phone = { width: 390, height: 844 };

interface Answer {
  readonly id: string;
  readonly nextUri?: string;
  readonly stats: { readonly state: string };
}

async function submit(uri: string, sql: string, user: string, source = "web-test"): Promise<Answer> {
  const headers = { "x-presto-user": user, "x-presto-source": source };
  return (await (await fetch(`${uri}/v1/statement`, { method: "POST", body: sql, headers })).json()) as Answer;
}

async function run(uri: string, sql: string, user: string): Promise<Answer> {
  let answer = await submit(uri, sql, user);
  while (answer.nextUri !== undefined) {
    answer = (await (await fetch(answer.nextUri)).json()) as Answer;
  }
  return answer;
}

const rows = (page: Page) => page.locator(".queries tbody tr[data-index]");

describe.runIf(findChromium() !== undefined || isChromiumRequired())("the web interface", () => {
  let server: RunningServer;
  let browser: WebBrowser;
  let running: Answer;
  let nodeName: string;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(["--workers", "1"]), WebBrowser.start()]);
    await run(server.uri, "SELECT count(*) FROM tpch.tiny.nation", "ada");
    await run(server.uri, "SELECT nosuch FROM tpch.tiny.nation", "ada");
    await run(server.uri, "SELECT 1 / (regionkey - regionkey) FROM tpch.tiny.nation", "grace");
    running = await submit(server.uri, endless, "grace");
    const nodes = (await (await fetch(`${server.uri}/v1/node`)).json()) as readonly { readonly nodeId: string }[];
    nodeName = nodes[0]?.nodeId ?? "";
  });

  afterAll(async () => {
    await browser?.close();
    // A server that is told to stop waits for its queries.
    const live = (await (await fetch(`${server.uri}/v1/query?state=running,queued,planning,starting`)).json()) as readonly {
      queryId: string;
    }[];
    await Promise.all(live.map(({ queryId }) => fetch(`${server.uri}/v1/query/${queryId}`, { method: "DELETE" })));
    await stopServer(server);
  });

  const open = (route: string, options: VisitOptions = {}): Promise<Visit> => browser.open(`${server.uri}/#/${route}`, options);

  async function finish(visit: Visit): Promise<void> {
    expect(visit.errors).toEqual([]);
    await visit.close();
  }

  const looks: readonly (readonly [string, VisitOptions])[] = [
    ["light", {}],
    ["dark", { isDark: true }],
    ["a phone", phone],
  ];

  it.each(looks)("has no violation of axe and nothing beside the window: %s", async (_, options) => {
    const visit = await open("", options);
    const { page } = visit;
    const routes = [
      "",
      "?view=numbers",
      "queries",
      "queries?search=nothing-like-this",
      "workers",
      `workers/${nodeName}`,
      "simulator",
      "nowhere",
    ];
    for (const route of routes) {
      await page.goto(`${server.uri}/#/${route}`);
      await page.locator("#main[aria-busy=false]").waitFor();
      await holds(page, 'document.querySelector("#main .loading") === null');
      expect(await axeViolations(page), route).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth"), route).toBeLessThanOrEqual(options.width ?? 1440);
    }
    await finish(visit);
  });

  it("shows the cluster live on one screen, as charts and as numbers", async () => {
    const visit = await open("");
    const { page } = visit;
    const tile = (name: string) => page.locator(".tiles a", { hasText: name }).locator("b");
    await holds(page, 'document.querySelectorAll(".uplot canvas").length >= 7');
    expect(await tile("Running").textContent()).toBe("1");
    expect(await tile("Finished").textContent()).toBe("1");
    expect(await tile("Failed").textContent()).toBe("2");
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThanOrEqual(900);
    // The rows of the running query are read now: the rate is above zero as soon as two totals are there.
    await holds(page, `/rows.s now (?!0[,; ])[0-9]/.test(document.querySelector('[aria-label^="Rows read"]')?.ariaLabel ?? "")`);
    await page.getByRole("button", { name: "Numbers" }).click();
    expect(new URL(page.url()).hash).toBe("#/?view=numbers");
    expect(await page.locator(".overview .table-scroll").first().locator("tbody tr").count()).toBeGreaterThan(0);
    await page.getByRole("link", { name: "SELECT count(*) FROM tpch.sf1000.lineitem" }).click();
    expect(new URL(page.url()).hash).toBe(`#/queries/${running.id}`);
    await finish(visit);
  });

  it("keeps filters, order and limit in an address that opens the same list elsewhere", async () => {
    const visit = await open("queries");
    const { page } = visit;
    await rows(page).first().waitFor();
    await page.getByRole("button", { name: "Failed", exact: true }).click();
    await page.getByLabel("User", { exact: true }).fill("ada");
    await page.getByLabel("Error type").selectOption("USER_ERROR");
    await page.getByRole("columnheader", { name: "Elapsed" }).getByRole("button").click();
    await holds(page, 'location.hash.includes("user=ada")');
    await holds(page, 'document.querySelectorAll(".queries tbody tr[data-index]").length === 1');
    const hash = new URL(page.url()).hash;
    const parameters = Object.fromEntries(new URLSearchParams(hash.split("?")[1]));
    expect(parameters).toEqual({ state: "failed", user: "ada", errorType: "USER_ERROR", sort: "-elapsedTime" });
    const shared = await open(hash.replace("#/", ""));
    await rows(shared.page).first().waitFor();
    expect(await rows(shared.page).locator(".mono").allTextContents()).toEqual(await rows(page).locator(".mono").allTextContents());
    expect(await shared.page.getByRole("button", { name: "Failed", exact: true }).getAttribute("aria-pressed")).toBe("true");
    expect(await shared.page.getByLabel("User", { exact: true }).inputValue()).toBe("ada");
    expect(await shared.page.getByRole("columnheader", { name: "Elapsed" }).getAttribute("aria-sort")).toBe("descending");
    await finish(shared);
    await finish(visit);
  });

  it("pages through the list by the last query of each page", async () => {
    const visit = await open("queries?limit=3&sort=createTime");
    const { page } = visit;
    await page.getByRole("link", { name: "Next 1" }).click();
    await holds(page, 'document.querySelectorAll(".queries tbody tr[data-index]").length === 1');
    expect(await rows(page).first().textContent()).toContain(running.id);
    expect(await page.locator(".page-head [role=status]").textContent()).toBe("4–4 of 4");
    await page.goBack();
    await holds(page, 'document.querySelectorAll(".queries tbody tr[data-index]").length === 3');
    await finish(visit);
  });

  it("is walked by the keyboard alone", async () => {
    const visit = await open("");
    const { page } = visit;
    const focused = () => page.evaluate('document.activeElement?.textContent?.trim() ?? ""');
    await page.locator("h1").waitFor();
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement?.id")).toBe("main");
    await page.keyboard.press("Shift+Tab");
    for (let step = 0; step < 10 && (await focused()) !== "Queries"; step++) {
      await page.keyboard.press("Shift+Tab");
    }
    await page.keyboard.press("Enter");
    await page.locator("h1", { hasText: "Queries" }).waitFor();
    // The focus is on the new page, and its title says so.
    expect(await page.evaluate("document.activeElement?.id")).toBe("main");
    expect(await page.title()).toContain("Queries");
    await rows(page).nth(2).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("tiny");
    await holds(page, 'location.hash.includes("search=tiny")');
    await holds(page, 'document.querySelectorAll(".queries tbody tr[data-index]").length === 3');
    await page.locator("a.statement").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    expect(await page.evaluate('document.activeElement?.closest("tr")?.dataset["index"]')).toBe("1");
    const statement = await focused();
    await page.keyboard.press("Enter");
    await holds(page, "/^#.queries.[0-9]/.test(location.hash)");
    expect(statement).toContain("nosuch");
    await finish(visit);
  });

  it("sends no request while the page is hidden, and asks at once when it is shown", async () => {
    for (const route of ["", "queries"]) {
      const visit = await open(route, { isClockOurs: true });
      const { page, requests } = visit;
      await page.locator("h1").waitFor();
      await page.clock.runFor(5000);
      await page.waitForLoadState("networkidle");
      await setHidden(page, true);
      const before = requests.length;
      await page.clock.fastForward(600_000);
      expect(requests.slice(before), route).toEqual([]);
      const shown = page.waitForRequest(/\/v1\//);
      await setHidden(page, false);
      await shown;
      await finish(visit);
    }
  });

  it("cancels a query at the second click", async () => {
    const { id } = await submit(server.uri, endless, "edsger");
    const visit = await open(`queries?user=edsger`);
    const { page } = visit;
    await page.getByRole("button", { name: `Cancel ${id}`, exact: true }).click();
    await page.getByRole("button", { name: `Confirm: cancel ${id}` }).click();
    await page.locator(".badge", { hasText: "Canceled" }).waitFor();
    await page.locator(".toast", { hasText: `Query ${id} is canceled` }).waitFor();
    const { state } = (await (await fetch(`${server.uri}/v1/query/${id}`)).json()) as { readonly state: string };
    expect(state).toBe("FAILED");
    await finish(visit);
  });

  it("explains a node's heartbeats and shows the memory of its queries", async () => {
    const { id } = await submit(server.uri, endless, "barbara");
    const visit = await open(`workers/${nodeName}`);
    const { page } = visit;
    await page.getByText("The node answers and takes tasks.").waitFor();
    const queries = page.getByRole("region", { name: "Queries with tasks on this node" });
    await queries.getByRole("link", { name: id }).waitFor();
    await page.getByRole("region", { name: "Coordinator" }).getByText("Event-loop delay").first().waitFor();
    await finish(visit);
  });

  it("renders only the rows in view of a thousand queries", async () => {
    await submit(server.uri, endless, "donald");
    const answer = await fetch(`${server.uri}/v1/query?user=donald&preview=240`);
    const [one] = (await answer.json()) as readonly { readonly queryId: string }[];
    const visit = await browser.open("about:blank");
    const { page } = visit;
    const many = Array.from({ length: 1000 }, (_, index) => ({
      ...one,
      queryId: `20140206_200000_${String(index).padStart(5, "0")}_dk5x2`,
    }));
    await page.route("**/v1/query?*", (route) => route.fulfill({ json: many, headers: { "x-total-count": "1000" } }));
    await page.goto(`${server.uri}/#/queries?limit=1000`);
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBeLessThan(60);
    await page.locator("a.statement").first().focus();
    await page.keyboard.press("End");
    await holds(page, 'document.activeElement?.closest("tr")?.textContent?.includes("_00999_") === true');
    expect(await rows(page).count()).toBeLessThan(60);
    expect(await page.locator("table.data").getAttribute("aria-rowcount")).toBe("1001");
    await finish(visit);
  });

  it("shows a fixture that is dropped, without sending it", async () => {
    const visit = await open("simulator", { isDark: true });
    const { page, requests } = visit;
    await page.locator("input[type=file]").setInputFiles(join(projectRoot, "fixtures/field/worker-killed-while-producing.orrery-fixture"));
    await page.locator(".page-head [role=status]", { hasText: "entries" }).waitFor();
    const frame = page.frames().find((one) => one !== page.mainFrame());
    const drawn = await frame?.evaluate(() => {
      const { orreryView } = globalThis as unknown as {
        readonly orreryView: { drawn(): { readonly legs: number; readonly faults: number } };
      };
      return orreryView.drawn();
    });
    expect(drawn?.legs).toBeGreaterThan(50);
    expect(drawn?.faults).toBe(1);
    expect(requests.filter((path) => !/^\/v1\/(cluster|info)$/.test(path))).toEqual([]);
    await page.locator("input[type=file]").setInputFiles({ name: "x.png", mimeType: "image/png", buffer: Buffer.from("none") });
    await page.getByRole("alert").getByText("x.png: the file is neither a trace, nor a fixture, nor a recording").waitFor();
    expect(visit.errors.filter((text) => !text.includes("x.png"))).toEqual([]);
    await visit.close();
  });

  it("says that a stopped server does not answer, and goes on when it is back", async () => {
    const first = await startServer(["--workers", "1"]);
    const port = new URL(first.uri).port;
    const visit = await browser.open(`${first.uri}/#/workers`);
    const { page } = visit;
    await page.locator(".connection", { hasText: "Live" }).waitFor();
    first.kill("SIGKILL");
    await page.getByRole("alert").getByText("The coordinator does not answer.").waitFor();
    await page.locator(".connection", { hasText: "No answer" }).waitFor();
    const second = await startServer(["--port", port, "--workers", "1"]);
    await page
      .getByRole("button", { name: "Try now" })
      .click({ timeout: 3000 })
      .catch(() => undefined);
    await page.locator(".connection", { hasText: "Live" }).waitFor();
    expect(await page.locator(".silence").count()).toBe(0);
    await page.getByText("1 active worker").waitFor();
    await visit.close();
    second.kill("SIGKILL");
    await second.ended;
  });
});

/** Waits until an expression of the page is true. The policy of the page's content forbids it to evaluate text itself. */
async function holds(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate<boolean>(expression), { timeout: 60_000, message: expression }).toBe(true);
}

/** Chromium without windows has no hidden pages; the page reads this property and this event. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  const state = isHidden ? "hidden" : "visible";
  await page.evaluate(`
    Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} });
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "${state}" });
    document.dispatchEvent(new Event("visibilitychange"));
  `);
}
