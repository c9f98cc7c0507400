/**
 * The playground in a real Chromium, from a file and without a network. Without Chromium, these tests are skipped and `npm test` says so;
 * if CI is set, they must run.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPlayground, type PlaygroundPage } from "../../tools/playground/page.ts";
import { root } from "../house/sources.ts";
import { findChromium, isChromiumRequired } from "../support/programs/chromium.ts";
import { axeViolations, type Visit, type VisitOptions, WebBrowser } from "../support/programs/web-browser.ts";

const fastest = "4";
const counts = "SELECT orderstatus, count(*) FROM orders GROUP BY orderstatus ORDER BY 1";

interface State {
  readonly nowNanos: number;
  readonly endNanos: number;
  readonly fingerprint: string;
  readonly isPlaying: boolean;
  readonly actsDone: number;
}

describe.runIf(findChromium() !== undefined || isChromiumRequired())("the playground", () => {
  const folder = mkdtempSync(join(tmpdir(), "orrery-playground-"));
  const file = join(folder, "playground.html");
  const address = pathToFileURL(file).href;
  let browser: WebBrowser;
  let built: PlaygroundPage;

  beforeAll(async () => {
    built = await buildPlayground(root);
    writeFileSync(file, built.html);
    browser = await WebBrowser.start();
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(url: string = address, options: VisitOptions = {}): Promise<Visit & { readonly asked: readonly string[] }> {
    const visit = await browser.open("about:blank", { width: 1280, height: 800, ...options });
    const asked: string[] = [];
    visit.page.on("request", (request) => asked.push(request.url()));
    await visit.context.setOffline(true);
    await visit.page.goto(url);
    await visit.page.locator("#replay", { hasText: "fingerprint" }).waitFor();
    return { ...visit, asked };
  }

  const state = (visit: Visit): Promise<State> => visit.page.evaluate("orreryPlayground.update()");
  /** Until the run stands still. */
  const rest = (visit: Visit): Promise<void> => visit.page.locator("#live-play", { hasText: "Play" }).waitFor();

  async function runStatement(visit: Visit, sql: string, speed = fastest): Promise<void> {
    await visit.page.selectOption("#speed", speed);
    await visit.page.fill("#sql", sql);
    await visit.page.locator("#sql").press("Control+Enter");
  }

  async function finish(visit: Visit & { readonly asked: readonly string[] }): Promise<void> {
    expect(visit.errors).toEqual([]);
    expect(visit.asked.filter((url) => !url.startsWith("file:") && !url.startsWith("blob:") && !url.startsWith("data:"))).toEqual([]);
    await visit.close();
  }

  it("is one file of a size that a phone loads", () => {
    expect(built.html).not.toMatch(/(?:src|href)="(?!data:)/);
    expect(built.gzippedBytes).toBeLessThan(1_200_000);
  });

  it("runs SQL, and shows the rows and the messages", async () => {
    const visit = await open();
    await runStatement(visit, counts);
    await visit.page.locator("#result .state[data-state=FINISHED]").waitFor();
    expect(await visit.page.locator("#result tbody tr").allInnerTexts()).toEqual(["F\t7304", "O\t7333", "P\t363"]);
    await rest(visit);
    const drawn = await visit.page.evaluate<{ legs: number; bars: number; marks: number }>("orreryView.drawn()");
    expect(drawn.legs).toBeGreaterThan(20);
    expect(drawn.bars).toBeGreaterThan(3);
    expect(await visit.page.evaluate("orreryView.app.scenes[0].lanes.map((lane) => lane.name)")).toEqual(["you", "c", "w1", "w2", "w3"]);
    await finish(visit);
  });

  it("says Presto's error", async () => {
    const visit = await open();
    await runStatement(visit, "SELECT regionkey, nme FROM nation");
    await visit.page.locator("#result .failed").waitFor();
    expect(await visit.page.locator("#result .failed").innerText()).toBe(
      "COLUMN_NOT_FOUND USER_ERROR, code 47\nline 1:19: Column 'nme' cannot be resolved",
    );
    await finish(visit);
  });

  it("draws while it plays; a worker killed under a query: it runs again on the others, and so does the next one", async () => {
    const visit = await open();
    await runStatement(visit, "SELECT count(*) FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey", "1");
    // The run goes on while a person watches: messages appear before the statement ends.
    await expect.poll(() => visit.page.evaluate("orreryView.drawn().legs"), { timeout: 30_000 }).toBeGreaterThan(8);
    expect(await state(visit)).toMatchObject({ isPlaying: true });
    await visit.page.getByRole("button", { name: "Kill w1" }).click();
    await visit.page.selectOption("#speed", fastest);
    await visit.page.locator("#result .state[data-state=FINISHED]").waitFor();
    await rest(visit);
    expect(await visit.page.evaluate("orreryView.drawn().faults")).toBe(1);
    expect(await visit.page.locator("#nodes li.down").innerText()).toContain("w1");
    await visit.page.getByRole("button", { name: "Restart w1" }).click();
    await runStatement(visit, "SELECT 42");
    await visit.page.locator("#result .state[data-state=FINISHED]").waitFor();
    await finish(visit);
  });

  it("cuts a link and joins it", async () => {
    const visit = await open();
    await visit.page.getByRole("button", { name: "c – w2" }).click();
    const link = visit.page.getByRole("button", { name: "c – w2 cut" });
    await link.waitFor();
    expect(await link.getAttribute("aria-pressed")).toBe("true");
    await runStatement(visit, counts);
    await visit.page.locator("#result .state").waitFor();
    await expect.poll(() => visit.page.evaluate("orreryView.drawn().brokenLegs"), { timeout: 30_000 }).toBeGreaterThan(0);
    await visit.page.locator("#live-play").click();
    await rest(visit);
    await link.click();
    await visit.page.getByRole("button", { name: "c – w2", exact: true }).waitFor();
    await finish(visit);
  });

  it("goes back in time by a replay with the same fingerprint: by the slider, and on the lanes", async () => {
    const visit = await open();
    await runStatement(visit, counts);
    await visit.page.locator("#result .state[data-state=FINISHED]").waitFor();
    await rest(visit);
    const end = await state(visit);
    const middleMicros = Math.round((1_500_000_000 + end.nowNanos) / 2000);
    await visit.page.locator("#moment").fill(String(middleMicros));
    await visit.page.locator("#replay.same", { hasText: "the same fingerprint" }).waitFor();
    await expect.poll(async () => (await state(visit)).nowNanos).toBe(middleMicros * 1000);
    expect(await visit.page.locator("#result .state").getAttribute("data-state")).not.toBe("FINISHED");
    // Forward again: the same end.
    await visit.page.locator("#live-play").click();
    await visit.page.locator("#result .state[data-state=FINISHED]").waitFor();
    await rest(visit);
    expect(await state(visit)).toMatchObject({ nowNanos: end.nowNanos, fingerprint: end.fingerprint });
    const box = (await visit.page.locator("#lanes").boundingBox()) ?? expect.fail("no lanes");
    await visit.page.mouse.move(box.x + box.width * 0.8, box.y + 8);
    await visit.page.mouse.down();
    await visit.page.mouse.move(box.x + box.width * 0.4, box.y + 8, { steps: 5 });
    await visit.page.mouse.up();
    await expect.poll(async () => (await state(visit)).nowNanos).toBeLessThan(end.nowNanos);
    await visit.page.locator("#replay.same").waitFor();
    expect((await state(visit)).endNanos).toBe(end.endNanos);
    await finish(visit);
  });

  it("is shared by its address: the same run after a reload, and in another window", async () => {
    const visit = await open();
    await visit.page.fill("#seed", "shared");
    await visit.page.selectOption("#workers", "2");
    await visit.page.getByRole("button", { name: "New run" }).click();
    await expect.poll(() => visit.page.locator("#nodes li").count()).toBe(3);
    await runStatement(visit, counts);
    await visit.page.locator("#result .state[data-state=FINISHED]").waitFor();
    await visit.page.getByRole("button", { name: "Kill w2" }).click();
    // The engine answers a moment later: a run that is shared before has another fingerprint.
    await visit.page.locator("#nodes li.down", { hasText: "w2" }).waitFor();
    await rest(visit);
    await visit.page.getByRole("button", { name: "Share" }).click();
    const link = await visit.page.locator("#address").inputValue();
    const { fingerprint } = await state(visit);
    expect(visit.page.url()).toBe(link);
    await visit.page.reload();
    await visit.page.locator("#replay.same", { hasText: fingerprint }).waitFor();
    expect(await visit.page.locator("#result tbody tr").count()).toBe(3);
    const other = await open(link);
    await other.page.locator("#replay.same", { hasText: fingerprint }).waitFor();
    expect(await other.page.locator("#nodes li.down").innerText()).toContain("w2");
    await finish(other);
    await finish(visit);
  });

  it("says what is wrong with an address", async () => {
    const visit = await browser.open(`${address}#workers=99`, { width: 1280, height: 800 });
    await visit.page.locator("#engine-failure").waitFor();
    expect(await visit.page.locator("#engine-failure").innerText()).toBe(
      "This address holds no run: '99' is no number of workers from 1 to 6",
    );
    await visit.close();
  });

  it.each([
    { name: "light", width: 1280, height: 800 },
    { name: "dark", width: 1280, height: 800, isDark: true },
    { name: "a phone", width: 390, height: 844 },
  ])("is accessible and fits: $name", async ({ width, height, isDark }) => {
    const visit = await open(address, { width, height, ...(isDark === undefined ? {} : { isDark }) });
    await runStatement(visit, "SELECT name, regionkey FROM nation");
    await visit.page.locator("#result .state[data-state=FINISHED]").waitFor();
    await visit.page.getByRole("button", { name: "Kill w3" }).click();
    await rest(visit);
    expect(await axeViolations(visit.page)).toEqual([]);
    expect(await visit.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await finish(visit);
  });

  it("is used with the keyboard alone", async () => {
    const visit = await open();
    await visit.page.locator("#speed").selectOption(fastest);
    await visit.page.locator("#run").focus();
    await visit.page.keyboard.press("Enter");
    await visit.page.locator("#result .state[data-state=FINISHED]").waitFor();
    await rest(visit);
    await visit.page.getByRole("button", { name: "Kill w1" }).focus();
    await visit.page.keyboard.press("Enter");
    await visit.page.getByRole("button", { name: "Restart w1" }).waitFor();
    // The focus stays on the button, whose meaning changes.
    expect(await visit.page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Restart w1");
    const before = (await state(visit)).nowNanos;
    await visit.page.locator("#moment").focus();
    await visit.page.keyboard.press("PageDown");
    await visit.page.locator("#replay.same").waitFor();
    expect((await state(visit)).nowNanos).toBeLessThan(before);
    await finish(visit);
  });
});
