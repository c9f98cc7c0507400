/**
 * The page of `npm run sim -- view` in a real Chromium. Without Chromium, these tests are skipped and `npm test` says so; if CI is set,
 * they must run.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findScenario } from "../../scenarios/index.ts";
import type { ViewedRun } from "../../sim/view/facts.ts";
import { pageOf } from "../../sim/view/html.ts";
import { runToView } from "../../sim/view/viewed.ts";
import { Browser, findChromium, isChromiumRequired, type Tab } from "../support/programs/chromium.ts";
import { repeatEntries } from "../support/long-run.ts";
import { toldQuery, toldRun } from "../support/told-run.ts";

interface Drawn {
  readonly marks: number;
  readonly legs: number;
  readonly brokenLegs: number;
  readonly bars: number;
  readonly faults: number;
  readonly labels: number;
  readonly violations: number;
  readonly highlighted: number;
  readonly dense: boolean;
}

const ready = "window.orreryView !== undefined";

describe.runIf(findChromium() !== undefined || isChromiumRequired())("the page of a run", () => {
  const folder = mkdtempSync(join(tmpdir(), "orrery-view-"));
  let browser: Browser;
  let viewed: ViewedRun;
  let files = 0;

  beforeAll(async () => {
    browser = Browser.start();
    const scenario = findScenario("worker-crash");
    viewed = await runToView(scenario?.plan("1") ?? expect.fail("no scenario"), { name: "worker-crash" });
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(
    runs: readonly ViewedRun[],
    size: { readonly width?: number; readonly height?: number; readonly dark?: boolean } = {},
  ): Promise<Tab> {
    const file = join(folder, `${files++}.html`);
    writeFileSync(file, await pageOf(runs));
    return browser.open(file, { width: 1280, height: 720, ready, ...size });
  }

  const drawn = (tab: Tab): Promise<Drawn> => tab.evaluate("orreryView.drawn()");
  const text = (tab: Tab, selector: string): Promise<string> =>
    tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`);
  const click = (tab: Tab, selector: string): Promise<void> => tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
  /** Number of the first entry whose detail contains the words. */
  const entryOf = (tab: Tab, kind: string, words: string): Promise<number> =>
    tab.evaluate(`(() => { const { columns } = orreryView.runs[0]; for (let at = 0; at < columns.count; at++) {
      const detail = (columns.message[at] < 0 ? "" : "m" + columns.message[at] + " ") + columns.texts[columns.text[at]];
      const isKind = columns.kinds[columns.kind[at]] === ${JSON.stringify(kind)};
      if (isKind && detail.startsWith(${JSON.stringify(words)})) return at; } return -1; })()`);
  /** Position of an entry on the screen. */
  const pointOf = (tab: Tab, entry: number, scene = 0): Promise<{ x: number; y: number }> =>
    tab.evaluate(`(() => { const box = document.getElementById("lanes").getBoundingClientRect(); const at = orreryView.pointOf(${scene}, ${entry});
      return { x: box.left + at.x, y: box.top + at.y }; })()`);

  async function finish(tab: Tab): Promise<void> {
    expect(tab.watched).toEqual({ errors: [], requests: [] });
    await tab.close();
  }

  it("draws every message, state, fault and violation of a told run, and asks the network for nothing", async () => {
    const tab = await open([toldRun()]);
    // Without the hidden heartbeat: two legs each of m1, m2 and m7, one of m3 and m4, four of m5.
    expect(await drawn(tab)).toMatchObject({ legs: 12, brokenLegs: 4, bars: 3, violations: 1, dense: false });
    expect(await tab.evaluate("orreryView.app.scenes[0].lanes.map((lane) => lane.name)")).toEqual(["world", "u1", "c", "w1", "w2"]);
    expect(await text(tab, "#verdict")).toBe("FAIL safety ›");
    expect(await text(tab, "#title")).toBe("told");
    await finish(tab);
  });

  it("paints what it says it draws: the lanes of the picture are not empty", async () => {
    const tab = await open([toldRun()]);
    const colours =
      await tab.evaluate<number>(`(() => { const canvas = document.getElementById("base"); const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size; })()`);
    expect(colours).toBeGreaterThan(50);
    await finish(tab);
  });

  it("shows a run of the simulator according to its trace", async () => {
    const tab = await open([viewed]);
    const counts = await tab.evaluate<{ entries: number; messages: number; faults: number; statements: number }>(
      "(({ columns, messages, faults, statements }) => ({ entries: columns.count, messages: messages.count, faults: faults.length, statements: statements.length }))(orreryView.runs[0])",
    );
    const of = (kind: string): number => viewed.entries.filter((entry) => entry.kind === kind).length;
    expect(counts).toEqual({ entries: viewed.entries.length, messages: of("request"), faults: of("fault"), statements: of("submit") });
    expect(await text(tab, "#verdict")).toBe(of("violation") === 0 ? "PASS" : expect.stringContaining("FAIL"));
    expect((await drawn(tab)).faults).toBeGreaterThan(0);
    await finish(tab);
  });

  it("selects the clicked entry, shows its details and highlights its causes", async () => {
    const tab = await open([toldRun()]);
    const refused = await entryOf(tab, "refused", "m7");
    const { x, y } = await pointOf(tab, refused);
    expect(
      await tab.evaluate(
        `(() => { const box = document.getElementById("lanes").getBoundingClientRect(); return orreryView.hitTest(${x} - box.left, ${y} - box.top).entry; })()`,
      ),
    ).toBe(refused);
    await tab.click(x, y);
    await tab.waitFor(`orreryView.app.selected?.entry === ${refused}`);
    expect(await text(tab, "#pane h2")).toBe("refused at w1");
    expect(await text(tab, "#pane .detail")).toBe("m7 c>w1 task-status");
    expect(await text(tab, "#live")).toContain("refused at w1");
    expect((await drawn(tab)).highlighted).toBeGreaterThan(3);
    // Its cause is the request; the key selects it.
    await tab.press("[", "BracketLeft");
    await tab.waitFor(`orreryView.app.selected.entry === ${await entryOf(tab, "request", "m7")}`);
    await finish(tab);
  });

  it("has messages under the pointer, not only their ends", async () => {
    const tab = await open([toldRun()]);
    const [from, to] = [await pointOf(tab, await entryOf(tab, "request", "m2")), await pointOf(tab, await entryOf(tab, "serve", "m2"))];
    const hit = await tab.evaluate<{ kind: string; entry: number }>(
      `(() => { const box = document.getElementById("lanes").getBoundingClientRect(); return orreryView.hitTest(${(from.x + to.x) / 2} - box.left, ${(from.y + to.y) / 2} - box.top); })()`,
    );
    expect(hit).toMatchObject({ kind: "leg", entry: await entryOf(tab, "request", "m2") });
    await tab.mouse("mouseMoved", (from.x + to.x) / 2, (from.y + to.y) / 2);
    await tab.waitFor('!document.getElementById("tip").hidden');
    expect(await text(tab, ".tip-title")).toBe("request arrived after 1.000 ms");
    await finish(tab);
  });

  it("filters by kind, place and words", async () => {
    const tab = await open([toldRun()]);
    const before = await drawn(tab);
    await click(tab, "#groups button:nth-child(2)");
    const withHeartbeats = await drawn(tab);
    expect(withHeartbeats.legs - before.legs).toBe(1);
    expect(withHeartbeats.brokenLegs - before.brokenLegs).toBe(1);
    await click(tab, "#tab-filter");
    await tab.evaluate('document.getElementById("filter-words").focus()');
    await tab.type("kind:lost");
    await tab.waitFor('orreryView.app.filter.expression === "kind:lost"');
    // Two lost messages; the violation is never hidden.
    expect(await drawn(tab)).toMatchObject({ legs: 2, brokenLegs: 2, marks: 3, violations: 1 });
    await click(tab, ".places .check:nth-child(5) input");
    expect(await tab.evaluate("orreryView.app.scenes[0].lanes.map((lane) => lane.name)")).toEqual(["world", "u1", "c", "w1"]);
    expect((await drawn(tab)).legs).toBe(1);
    await finish(tab);
  });

  it("finds, counts and goes round", async () => {
    const tab = await open([toldRun()]);
    await tab.press("/", "Slash");
    await tab.type("task-status kind:request");
    await tab.waitFor('document.getElementById("find-count").textContent === "– / 3"');
    for (const expected of ["m4", "m5", "m7", "m4"]) {
      await tab.press("Enter");
      await tab.waitFor(`orreryView.app.selected?.entry === ${await entryOf(tab, "request", expected)}`);
    }
    expect(await text(tab, "#find-count")).toBe("1 / 3");
    await finish(tab);
  });

  it("scrubs: the playhead follows the pointer on the times, the keys, and the list follows it", async () => {
    const tab = await open([toldRun()]);
    const { x } = await pointOf(tab, await entryOf(tab, "refused", "m7"));
    const top = await tab.evaluate<number>('document.getElementById("lanes").getBoundingClientRect().top');
    await tab.mouse("mousePressed", 400, top + 8, { button: "left", buttons: 1, clickCount: 1 });
    await tab.mouse("mouseMoved", x, top + 8, { button: "left", buttons: 1 });
    await tab.mouse("mouseReleased", x, top + 8, { button: "left", clickCount: 1 });
    await tab.waitFor("Math.abs(orreryView.app.playheadNanos - 5002e6) < 2e6");
    expect(Math.abs(Number.parseFloat(await text(tab, "#time")) - 5.002)).toBeLessThan(0.002);
    await tab.waitFor('document.querySelector("#entries .current") !== null');
    await tab.evaluate('document.getElementById("lanes").focus()');
    await tab.press("Home");
    await tab.waitFor("orreryView.app.playheadNanos === 0");
    await tab.press("ArrowRight");
    await tab.press("ArrowRight");
    await tab.waitFor("orreryView.app.selected?.entry === 1");
    await finish(tab);
  });

  it("zooms at the pointer, fits again, and has the clock's own scale", async () => {
    const tab = await open([toldRun()]);
    const entry = await entryOf(tab, "serve", "m2");
    const { x, y } = await pointOf(tab, entry);
    const span = "orreryView.app.view.perPx";
    const before = await tab.evaluate<number>(span);
    await tab.mouse("mouseWheel", x, y, { deltaX: 0, deltaY: -400 });
    await tab.waitFor(`${span} < ${before / 2}`);
    expect(Math.abs((await pointOf(tab, entry)).x - x)).toBeLessThan(1.5);
    await tab.press("0", "Digit0");
    await tab.waitFor(`${span} === ${before}`);
    await tab.press("t", "KeyT");
    await tab.waitFor('orreryView.app.scaleKind === "clock"');
    // On the time scale, five silent seconds take most of the picture.
    const [early, late] = [
      await pointOf(tab, await entryOf(tab, "network-error", "m6")),
      await pointOf(tab, await entryOf(tab, "request", "m7")),
    ];
    expect(late.x - early.x).toBeGreaterThan(600);
    await finish(tab);
  });

  it("jumps to the violation and shows its sentence whole", async () => {
    const tab = await open([toldRun()]);
    await tab.press("v", "KeyV");
    await tab.waitFor("orreryView.app.selected !== undefined");
    expect(await text(tab, "#pane h2")).toBe("violation at world");
    expect(await text(tab, "#pane .detail")).toBe("safety results u1 got an error and nothing had failed");
    expect((await drawn(tab)).violations).toBe(1);
    await click(tab, "#tab-run");
    expect(await text(tab, "button.violation span")).toBe("u1 got an error and nothing had failed");
    await finish(tab);
  });

  it("lists statements, and shows one's messages alone", async () => {
    const tab = await open([toldRun()]);
    await click(tab, "#tab-statements");
    expect(await text(tab, ".statement code")).toBe("SELECT 1");
    await click(tab, ".statement");
    await tab.waitFor(`orreryView.app.emphasised === "${toldQuery}"`);
    expect(await tab.evaluate('document.querySelector(".statement").getAttribute("aria-pressed")')).toBe("true");
    await tab.press("Escape");
    await tab.waitFor('orreryView.app.emphasised === ""');
    await finish(tab);
  });

  it("compares two runs, and jumps to where they part", async () => {
    const told = toldRun("A");
    const other = toldRun("B");
    const tab = await open([told, { ...other, entries: other.entries.filter(({ kind }) => kind !== "lost") }]);
    expect(await tab.evaluate("orreryView.app.difference.counts")).toEqual({
      same: told.entries.length - 1,
      shifted: 0,
      onlyA: 1,
      onlyB: 0,
    });
    expect(await tab.evaluate("orreryView.app.scenes.map(({ lanes }) => lanes.length)")).toEqual([5, 5]);
    // Both runs use the same time scale, one below the other.
    const lost = await entryOf(tab, "serve", "m2");
    expect((await pointOf(tab, lost, 0)).x).toBe((await pointOf(tab, lost - 1, 1)).x);
    await tab.press("d", "KeyD");
    await tab.waitFor("orreryView.app.selected !== undefined");
    expect(await text(tab, "#pane h2")).toBe("Two runs");
    await click(tab, "#tab-entry");
    expect(await text(tab, "#pane h2")).toBe("lost at c");
    expect(await text(tab, "#pane dl")).toContain("only in A");
    await finish(tab);
  });

  it("stays itself when users write markup", async () => {
    const evil = `</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"><b>`;
    const told = toldRun(evil);
    const entries = told.entries.map((entry) =>
      entry.kind === "submit" || entry.kind === "violation" ? { ...entry, detail: `safety o ${evil}` } : entry,
    );
    const tab = await open([{ facts: { ...told.facts, planText: evil }, entries }]);
    await tab.press("v", "KeyV");
    await click(tab, "#tab-run");
    await click(tab, "#tab-statements");
    expect(await text(tab, ".statement code")).toBe(`safety o ${evil}`);
    expect(
      await tab.evaluate(
        '[window.hacked === undefined, document.querySelectorAll("img, b > b").length, document.querySelectorAll("script").length]',
      ),
    ).toEqual([true, 0, 1]);
    await finish(tab);
  });

  it("shows 300,000 entries: heights from afar, each entry from near, and no element for each", async () => {
    const entries = repeatEntries(viewed.entries, 300_000);
    const tab = await open([{ ...viewed, entries }]);
    expect(await tab.evaluate("orreryView.runs[0].columns.count")).toBe(entries.length);
    expect(await drawn(tab)).toMatchObject({ dense: true });
    expect(await tab.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThan(1500);
    await tab.evaluate(`(() => { for (let step = 0; step < 9; step++) { orreryView.app.zoomBy(0.5); orreryView.stage.paint(); } })()`);
    const near = await drawn(tab);
    expect(near.dense).toBe(false);
    expect(near.marks).toBeGreaterThan(0);
    // From the whole run to one entry in the middle: it must be visible, and large enough to click.
    await tab.evaluate("orreryView.app.fit()");
    const middle = await tab.evaluate<number>(
      "(() => { const entry = orreryView.app.shown[0][100_000]; orreryView.app.select({ scene: 0, entry }, { reveal: true }); return entry; })()",
    );
    const { x } = await pointOf(tab, middle);
    expect(x).toBeGreaterThan(84);
    expect(x).toBeLessThan(1280 * 0.71);
    expect((await drawn(tab)).dense).toBe(false);
    await tab.press("ArrowRight");
    await tab.waitFor(`orreryView.app.selected.entry > ${middle}`);
    await finish(tab);
  });

  it("fits a narrow window and a dark one, and every control has a name", async () => {
    const tab = await open([toldRun()], { width: 420, height: 800, dark: true });
    expect(await tab.evaluate("document.documentElement.scrollWidth <= 420")).toBe(true);
    expect(await tab.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(17, 20, 26)");
    const nameless = await tab.evaluate<string[]>(
      `[...document.querySelectorAll("button, input, select, canvas:not([aria-hidden])")].filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length)).map((one) => one.outerHTML)`,
    );
    expect(nameless).toEqual([]);
    // The window gets its size after it has been opened, and is drawn anew in the next frame.
    await tab.waitFor("orreryView.drawn().legs === 12");
    await finish(tab);
  });
});
