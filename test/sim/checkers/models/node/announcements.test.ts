/** Planted violations of the model of announcements. */
import { describe, expect, it } from "vitest";
import { announcements } from "../../../../../sim/checkers/models/node/announcements.ts";
import { FabricatedRun } from "../fabricated.ts";

const url = "/v1/announcement/w1";

/** An announcement that is sent, received and accepted at once. */
function announced(run: FabricatedRun, ms: number, { state = "ACTIVE", status = 200 } = {}): FabricatedRun {
  const message = `m${ms} w1>c announcement`;
  run.note(ms, "w1", "request", `${message} PUT ${url}`);
  run.answer(ms + 1, url, { from: "w1", method: "PUT", status, sent: `{"state":"${state}"}` });
  return run.note(ms + 2, "w1", "answer", `${message} ${status}`);
}

function worker(): FabricatedRun {
  return announced(new FabricatedRun(announcements, { properties: { "discovery.announce-interval": "3s" } }), 100);
}

describe("the model of announcements", () => {
  it("allows the interval, news, a retry, and the announcement of a new process", () => {
    const run = announced(worker(), 3_102);
    announced(run, 3_500, { state: "SHUTTING_DOWN" });
    announced(run, 6_600, { state: "SHUTTING_DOWN", status: 503 });
    announced(run, 6_650, { state: "SHUTTING_DOWN" }).note(6_700, "w1", "start", "life 2");
    expect(announced(run, 6_800, { state: "SHUTTING_DOWN" }).said).toEqual([]);
    expect(run.held).toBeGreaterThan(2);
  });

  it("speaks of one that comes before its time with nothing new", () => {
    expect(announced(worker(), 150).said.join()).toContain("says nothing new 48 ms after");
  });

  it("allows one that follows a change of the catalogs", () => {
    const run = worker().note(150, "w1", "serve", "m7 c>w1 catalog PUT /v1/catalog/lake");
    expect(announced(run, 160).said).toEqual([]);
  });

  it("speaks of one that comes late, unless a fault struck the worker", () => {
    expect(announced(worker(), 9_000).said.join()).toContain("announces itself 8898 ms after");
  });

  it("knows the announcement that follows a broken wait at the coordinator", () => {
    const broken = () => worker().note(500, "w1", "network-error", "m7 w1>c announcement-watch CONNECTION_RESET");
    expect(announced(broken(), 501).said).toEqual([]);
    expect(announced(broken(), 1_100).said.join()).toContain("announces itself 600 ms after the coordinator did not know it any more");
    const refused = worker().note(500, "w1", "answer", "m7 w1>c announcement-watch 404");
    expect(announced(refused, 1_100).said.join()).toContain("announces itself 600 ms after");
    const known = worker().note(500, "w1", "answer", "m7 w1>c announcement-watch 200");
    expect(announced(known, 501).said.join()).toContain("says nothing new");
  });

  it("allows what a point of the worker repeats", () => {
    expect(announced(worker().note(120, "w1", "point", "announcement-repeated"), 150).said).toEqual([]);
  });
});
