/** Planted violations of the model of retries. */
import { describe, expect, it } from "vitest";
import { retry } from "../../../../sim/checkers/models/retry.ts";
import type { PlannedUser } from "../../../../sim/plan.ts";
import { FabricatedRun } from "./fabricated.ts";

const query = "20260101_000000_00000_aaaaa";
const status = `task-status GET /v1/task/${query}.1.0/status`;
const fetch = `exchange-fetch GET /v1/task/${query}.1.0/results/0/3`;
const user: PlannedUser = { name: "u1", startNanos: 0, statements: [] };
const properties = { "query.remote-task.max-error-duration": "1s", "exchange.max-error-duration": "1s" };

class Asker {
  readonly run = new FabricatedRun(retry, { properties, users: [user] });
  #count = 0;

  /** Sends the request and gets the outcome one millisecond later. */
  asks(ms: number, what: string, outcome: string, link = "c>w1"): this {
    const title = `m${++this.#count} ${link} ${what.split(" ", 1)[0] ?? ""}`;
    const [from = ""] = link.split(">");
    this.run.note(ms, from, "request", `m${this.#count} ${link} ${what}`);
    this.run.note(ms + 1, from, /^\d/.test(outcome) ? "answer" : "network-error", `${title} ${outcome}`);
    return this;
  }

  get said(): readonly string[] {
    return this.run.said;
  }
}

const fails = (...times: readonly number[]): Asker => {
  const asker = new Asker();
  for (const ms of times) {
    asker.asks(ms, status, "TIMEOUT");
  }
  return asker;
};

describe("the model of retries", () => {
  it("accepts Presto's pauses, and forgets failures with a success", () => {
    const asker = fails(0, 51, 152, 353, 854)
      .asks(860 + 500, status, "200")
      .asks(1_361, status, "200")
      .asks(1_362, status, "503");
    expect(asker.asks(1_413, status, "200").said).toEqual([]);
    const fetches = new Asker().asks(0, fetch, "503", "w2>w1").asks(1, fetch, "TIMEOUT", "w2>w1").asks(52, fetch, "200", "w2>w1");
    expect(fetches.asks(53, fetch, "200", "w2>w1").said).toEqual([]);
    expect(fetches.run.held).toBeGreaterThan(3);
  });

  it("reports a pause that is too short, at the first and at later attempts", () => {
    expect(fails(0, 2).said.join()).toContain("1.0 ms after failure 1 in a row, not after at least 50 ms");
    expect(fails(0, 51, 152, 203).said.join()).toContain("after failure 3 in a row, not after at least 200 ms");
    const fetches = new Asker().asks(0, fetch, "503", "w2>w1").asks(1, fetch, "TIMEOUT", "w2>w1").asks(3, fetch, "200", "w2>w1");
    expect(fetches.said.join()).toContain("after failure 2 in a row, not after at least 50 ms");
  });

  it("reports a pause in seconds that was meant in milliseconds", () => {
    expect(fails(0, 50_001).said.join()).toContain("was repeated as late as 50000 ms after failure 1 in a row");
  });

  it("accepts a pause that a fault point shortens, or that a fault prolongs", () => {
    const asker = fails(0);
    asker.run.note(1, "c", "point", "task-retries-at-once");
    expect(asker.asks(2, status, "200").said).toEqual([]);
    const held = fails(0);
    held.run.note(2, "world", "fault", "pause c 10s");
    expect(held.asks(10_000, status, "200").said).toEqual([]);
  });

  it("reports attempts after failures that are for good, and a query that is not told", () => {
    const asker = fails(0, 51, 500, 1_100);
    expect(asker.said).toEqual([]);
    expect(asker.asks(1_700, status, "TIMEOUT").said.join()).toContain("4 failures in 1100 ms, which are for good");
    const silent = fails(0, 51, 500, 1_100);
    expect(silent.run.answer(5_000, "/v1/info").said.join()).toContain(`${query} goes on although requests`);
    const told = fails(0, 51, 500, 1_100);
    expect(told.run.transition(1_200, "query", query, "RUNNING -> FAILED").answer(5_000, "/v1/info").said).toEqual([]);
    const stageless = fails(0, 51, 500, 1_100);
    const gone = stageless.run.transition(1_200, "stage", `${query}.1`, "RUNNING -> CANCELED");
    expect(gone.answer(5_000, "/v1/info").said).toEqual([]);
  });

  it("reports announcements that are repeated without a pause", () => {
    const announce = "announcement PUT /v1/announcement/w1";
    const announced = (...times: readonly number[]): readonly string[] =>
      times.reduce((asker, ms) => asker.asks(ms, announce, "TIMEOUT", "w1>c"), new Asker()).said;
    expect(announced(0, 21, 62, 143)).toEqual([]);
    expect(announced(0, 1, 2, 3).join()).toContain("not after at least 1 ms");
    expect(announced(0, 10_000).join()).toContain("was repeated as late as");
    // The interval between two announcements is 3 s: a failed one does not wait for it.
    expect(announced(0, 3_000).join()).toContain("was repeated as late as");
    expect(announced(0, 2_000)).toEqual([]);
  });

  it("reports a submission that is repeated although it may have been executed", () => {
    const post = "statement-submit POST /v1/statement";
    const twice = (outcome: string): readonly string[] => new Asker().asks(0, post, outcome, "u1>c").asks(9, post, "200", "u1>c").said;
    expect(twice("CONNECTION_REFUSED")).toEqual([]);
    expect(twice("503")).toEqual([]);
    expect(twice("TIMEOUT").join()).toContain("u1 submits a statement again after TIMEOUT");
    const next = new Asker().asks(0, post, "TIMEOUT", "u1>c");
    next.run.note(5, "u1", "submit", "SELECT 1");
    expect(next.asks(6, post, "200", "u1>c").said).toEqual([]);
  });

  it("reports a client that does not wait for Retry-After", () => {
    const poll = `statement-poll GET /v1/statement/${query}/1?slug=x`;
    const asker = (ms: number): readonly string[] => {
      const client = new Asker().asks(0, poll, "503", "u1>c");
      client.run.client(1, `/v1/statement/${query}/1?slug=x`, { status: 503, headers: { "retry-after": "1" } });
      return client.asks(ms, poll, "200", "u1>c").said;
    };
    expect(asker(1_001)).toEqual([]);
    expect(asker(51).join()).toContain("950 ms before Retry-After allows");
    // A client whose own request was reset does not see what the copy beside it was told.
    const client = new Asker().asks(0, poll.replace(" ", "-again "), "503", "u1>c");
    client.run.client(1, `/v1/statement/${query}/1?slug=x`, { status: 503, headers: { "retry-after": "1" } });
    expect(client.asks(2, poll, "200", "u1>c").said).toEqual([]);
  });

  it("lets a client that gives a statement up submit another one at once", () => {
    const post = "statement-submit POST /v1/statement";
    const refused = (): Asker => {
      const client = new Asker().asks(0, post, "503", "u1>c");
      client.run.client(1, "/v1/statement", { method: "POST", status: 503, headers: { "retry-after": "1" } });
      return client;
    };
    expect(refused().asks(51, post, "200", "u1>c").said.join()).toContain("950 ms before Retry-After allows");
    const next = refused();
    next.run.note(50, "u1", "submit", "SELECT 2");
    expect(next.asks(51, post, "200", "u1>c").said).toEqual([]);
  });
});
