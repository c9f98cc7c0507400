/** Time in the playground: played, paused, gone back by a replay, and taken into another course. */
import { describe, expect, it } from "vitest";
import { type Order, Player, type Update } from "../../../sim/playground/player.ts";
import { type Deed, defaultCluster, readyNanos } from "../../../sim/playground/script.ts";
import { SharedState } from "../../../sim/shared.ts";
import type { TraceEntry } from "../../../sim/world/world.ts";

const shared = new SharedState();
const ms = 1_000_000;
const sql = (text: string): Order => ({ kind: "act", deed: { kind: "sql", sql: text } });
const deed = (one: Deed): Order => ({ kind: "act", deed: one });
const join = "SELECT count(*) FROM orders o JOIN customer c ON o.custkey = c.custkey";

/** A player with what its page knows of the run. */
class Page {
  readonly entries: TraceEntry[] = [];
  readonly #player: Player;
  latest: Update | undefined;
  /** Another order waits. */
  isInterrupted = false;
  #clockMs = 0;

  constructor(options: { readonly msPerLook?: number } = {}) {
    this.#player = new Player({
      shared,
      // The clock moves with each look, so that pieces of work end early.
      nowMs: () => (this.#clockMs += options.msPerLook ?? 0),
      isInterrupted: () => this.isInterrupted,
      post: (update) => {
        this.entries.length = update.entriesKept;
        this.entries.push(...update.entries);
        this.latest = { ...update, statements: update.statements ?? this.latest?.statements ?? [] };
      },
    });
  }

  static async open(options: { readonly msPerLook?: number } = {}): Promise<Page> {
    const page = new Page(options);
    await page.order({ kind: "open", script: { cluster: defaultCluster, acts: [] }, atNanos: undefined, fingerprint: "" });
    return page;
  }

  get update(): Update {
    return this.latest ?? expect.fail("no update");
  }

  order(order: Order): Promise<void> {
    return this.#player.order(order);
  }

  /** Plays to the end of the last statement. */
  async play(speed: Extract<Order, { kind: "play" }>["speed"] = "fastest"): Promise<void> {
    await this.order({ kind: "play", speed });
    while (this.#player.isPlaying) {
      await this.#player.tick(16);
    }
  }
}

describe("a player", () => {
  it("opens a cluster that is ready, and stands still", async () => {
    const page = await Page.open();
    expect(page.update).toMatchObject({ nowNanos: readyNanos, endNanos: readyNanos, isPlaying: false, actsDone: 0, replay: undefined });
    expect(page.update.nodes).toEqual(["c", "w1", "w2", "w3"].map((name) => ({ name, isUp: true })));
  });

  it("plays until the last statement has ended, the same at every speed", async () => {
    const fast = await Page.open();
    await fast.order(sql(join));
    await fast.play();
    expect(fast.update.statements).toMatchObject([{ state: "FINISHED", rows: [["15000"]] }]);
    const slow = await Page.open({ msPerLook: 1 });
    await slow.order(sql(join));
    await slow.play(20 * ms);
    expect(slow.update.fingerprint).toBe(fast.update.fingerprint);
    expect(slow.entries).toEqual(fast.entries);
  });

  it("goes back by a replay with the same fingerprint, and forward again into the known future", async () => {
    const page = await Page.open({ msPerLook: 1 });
    await page.order(sql(join));
    await page.order(deed({ kind: "slow", from: "c", to: "w1" }));
    await page.play();
    const end = page.update;
    const entries = [...page.entries];
    const middle = Math.floor((readyNanos + end.nowNanos) / 2);
    await page.order({ kind: "seek", atNanos: middle });
    expect(page.update).toMatchObject({ nowNanos: middle, endNanos: end.endNanos, replay: { isSame: true }, actsDone: 2 });
    expect(page.update.statements).toMatchObject([{ isOver: false }]);
    // The lanes still show what comes.
    expect(page.entries).toEqual(entries);
    await page.order({ kind: "seek", atNanos: end.nowNanos });
    expect(page.update.fingerprint).toBe(end.fingerprint);
    await page.order({ kind: "seek", atNanos: 0 });
    expect(page.update).toMatchObject({ actsDone: 0, statements: [] });
    await page.play();
    expect(page.update.fingerprint).toBe(end.fingerprint);
    expect(page.entries).toEqual(entries);
  });

  it("tells of a replay that a second order interrupted and went on with", async () => {
    const page = await Page.open({ msPerLook: 30 });
    await page.order(sql(join));
    await page.play();
    const middle = Math.floor((readyNanos + page.update.nowNanos) / 2);
    page.isInterrupted = true;
    await page.order({ kind: "seek", atNanos: middle });
    expect(page.update.nowNanos).toBeLessThan(middle);
    expect(page.update.replay).toBeUndefined();
    page.isInterrupted = false;
    await page.order({ kind: "seek", atNanos: middle });
    expect(page.update).toMatchObject({ nowNanos: middle, replay: { isSame: true } });
  });

  it("takes another course when somebody does something in the past", async () => {
    const page = await Page.open();
    await page.order(sql(join));
    await page.play();
    const end = page.update;
    await page.order({ kind: "seek", atNanos: readyNanos + 30 * ms });
    await page.order(deed({ kind: "kill", node: "w2" }));
    expect(page.update.endNanos).toBe(readyNanos + 30 * ms);
    expect(page.entries.at(-1)).toMatchObject({ atNanos: readyNanos + 30 * ms });
    await page.play();
    expect(page.update.script.acts.map(({ kind }) => kind)).toEqual(["sql", "kill"]);
    expect(page.update.fingerprint).not.toBe(end.fingerprint);
    expect(page.update.nodes[2]).toEqual({ name: "w2", isUp: false });
  });

  it("opens a run that was shared, and says whether it is the same", async () => {
    const page = await Page.open();
    await page.order(sql(join));
    await page.order(deed({ kind: "slow", from: "w1", to: "w2" }));
    await page.play();
    const { script, nowNanos, fingerprint } = page.update;
    const other = await Page.open();
    await other.order({ kind: "open", script, atNanos: nowNanos, fingerprint });
    expect(other.update).toMatchObject({ fingerprint, actsDone: 2, replay: { isSame: true } });
    expect(other.entries).toEqual(page.entries);
    await other.order({ kind: "open", script, atNanos: nowNanos - 10 * ms, fingerprint });
    expect(other.update.replay).toMatchObject({ isSame: false });
  });

  it("steps from entry to entry", async () => {
    const page = await Page.open();
    await page.order(sql("SELECT 1"));
    const before = page.entries.length;
    await page.order({ kind: "step" });
    expect(page.entries.length).toBeGreaterThan(before);
    expect(page.entries.length).toBeLessThan(before + 5);
  });

  it("steps to the end of an instant, so that an address shared from there leads to the same run", async () => {
    const page = await Page.open();
    await page.order(sql(join));
    const other = await Page.open();
    for (let step = 0; step < 24; step++) {
      await page.order({ kind: "step" });
      if (step < 15) {
        continue;
      }
      const { script, nowNanos, fingerprint } = page.update;
      await other.order({ kind: "open", script, atNanos: nowNanos, fingerprint });
      expect(other.update.replay, `step ${step}`).toMatchObject({ isSame: true });
    }
  });

  it("stops by itself when nothing runs", async () => {
    const page = await Page.open();
    await page.play();
    expect(page.update.nowNanos).toBeGreaterThan(readyNanos + 59_000 * ms);
    expect(page.update.isPlaying).toBe(false);
  });
});
