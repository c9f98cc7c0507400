/** Planted violations of the model of long polls. */
import { describe, expect, it } from "vitest";
import { longPolls } from "../../../../sim/checkers/models/long-polls.ts";
import { FabricatedRun } from "./fabricated.ts";

const id = "20260101_000000_00000_aaaaa";
const uri = (token: number, more = ""): string => `/v1/statement/${id}/${token}?slug=s1${more}`;
const body = (state: string, more: object = {}): object => ({ id, nextUri: "http://c:8080/next", stats: { state }, ...more });
const run = (): FabricatedRun => new FabricatedRun(longPolls);

/** The second poll of a query that is RUNNING: it arrives at 1,000 ms. */
function poll(ms: number, document: object, more = ""): FabricatedRun {
  return run()
    .answer(1, uri(1), { body: body("RUNNING") })
    .answer(ms, uri(2, more), { arrivedMs: 1_000, body: document });
}

const task = `${id}.1.0`;

function status(elapsedMs: number, version: number, { state = "RUNNING", max = "1s" } = {}): FabricatedRun {
  const sentHeaders = { "x-engine-current-version": "4", "x-engine-max-wait": max };
  const arrivedMs = 1_000;
  return run().answer(arrivedMs + elapsedMs, `/v1/task/${task}/status`, {
    from: "c",
    to: "w1",
    sentHeaders,
    arrivedMs,
    body: { state, version },
  });
}

const read = `/v1/task/${task}/results/0/3`;

function pages(elapsedMs: number, statusCode: number, complete = "false", arrange?: (run: FabricatedRun) => void): FabricatedRun {
  const fabricated = run().note(1_000, "w1", "serve", `m1 w2>w1 exchange-fetch GET ${read}`);
  arrange?.(fabricated);
  const headers = { "x-engine-buffer-complete": complete };
  return fabricated.answer(1_000 + elapsedMs, read, { from: "w2", to: "w1", status: statusCode, headers, arrivedMs: 1_000 });
}

describe("the model of long polls", () => {
  it("accepts polls that are answered with news, or after their wait", () => {
    for (const accepted of [
      poll(1_001, body("FINISHING")),
      poll(1_001, body("RUNNING", { data: [[1]] })),
      poll(2_000, body("RUNNING")),
      poll(1_100, body("RUNNING"), "&maxWait=100ms"),
      status(0, 5),
      status(0, 4, { state: "FINISHED" }),
      status(1_000, 4),
      pages(0, 200),
      pages(0, 204, "true"),
      pages(2_000, 204),
    ]) {
      expect(accepted.said).toEqual([]);
      expect(accepted.held).toBeGreaterThan(0);
    }
  });

  it("accepts a response without news that somebody asked for", () => {
    const point = run()
      .answer(1, uri(1), { body: body("RUNNING") })
      .note(1_000, "c", "point", "statement-poll-at-once");
    expect(point.answer(1_000, uri(2), { body: body("RUNNING") }).said).toEqual([]);
    expect(pages(5, 204, "false", (other) => other.note(1_005, "w1", "serve", `m2 w2>w1 exchange-fetch GET ${read}`)).said).toEqual([]);
    const gone = (fabricated: FabricatedRun): void => {
      fabricated.note(1_000, "w2", "request", `m1 w2>w1 exchange-fetch GET ${read}`);
      fabricated.note(1_001, "w2", "network-error", "m1 w2>w1 exchange-fetch ABORTED");
    };
    expect(pages(5, 204, "false", gone).said).toEqual([]);
  });

  it("reports a poll that waits longer than it may", () => {
    expect(poll(4_000, body("FINISHING")).said.join()).toContain("after 3000 ms, and might wait 1000 ms");
    expect(poll(101_000, body("FINISHING"), "&maxWait=100ms").said.join()).toContain("and might wait 100 ms");
    expect(status(9_000, 5).said.join()).toContain("and might wait 1000 ms");
    expect(pages(9_000, 200).said.join()).toContain("and might wait 2000 ms");
    const submission = run().answer(5_000, "/v1/statement", { method: "POST", arrivedMs: 1, body: body("QUEUED") });
    expect(submission.said.join()).toContain("and might wait 1000 ms");
  });

  it("excuses answers that a slow disk of the coordinator delays, and no others", () => {
    const slow = (node: string): string[] =>
      new FabricatedRun(longPolls, { faults: [{ kind: "slow-disk", node, factor: 5_000, atNanos: 0, untilNanos: 1e9 }] })
        .answer(1, uri(1), { body: body("RUNNING") })
        .answer(4_000, uri(2), { arrivedMs: 1_000, body: body("RUNNING", { data: [[1]] }) }).said;
    expect(slow("c")).toEqual([]);
    expect(slow("w1").join()).toContain("after 3000 ms");
  });

  it("reports a poll that is answered without news", () => {
    expect(poll(1_001, body("RUNNING")).said.join()).toContain("without news after 1.0 of 1000 ms");
    expect(status(1, 4).said.join()).toContain("without news after 1.0 of 1000 ms");
    expect(status(1, 4, { max: "1000s" }).said.join()).toContain("of 1000000 ms");
    expect(pages(1, 204).said.join()).toContain("without news after 1.0 of 2000 ms");
  });

  describe("of a node that waits at the coordinator", () => {
    const path = "/v1/announcement/w1";
    const announced = (): FabricatedRun => run().answer(1, path, { method: "PUT", from: "w1", status: 202 });
    const waited = (ms: number, status: number, fabricated = announced(), nodeId = "w1"): FabricatedRun =>
      fabricated.answer(1_000 + ms, path, {
        from: "w1",
        status,
        arrivedMs: 1_000,
        sentHeaders: { "x-engine-max-wait": "2s" },
        body: { nodeId },
      });

    it("accepts its announcement after the wait, and 404 when it is not known", () => {
      for (const accepted of [
        waited(2_000, 200),
        waited(5, 200, announced().answer(1_003, path, { method: "PUT", from: "w1", status: 202 })),
        waited(5, 404, announced().answer(1_003, path, { method: "DELETE", from: "w1", status: 204 })),
        waited(5, 404, run()),
        waited(5, 404, announced().note(900, "c", "start", "")),
        waited(90_000, 404),
        waited(5, 503),
      ]) {
        expect(accepted.said).toEqual([]);
      }
    });

    it("reports another answer", () => {
      expect(waited(5, 404).said.join()).toContain("c does not know w1, whose announcement it accepted 1004 ms ago");
      const refused = announced().answer(500, path, { method: "PUT", from: "w1", status: 409 });
      expect(waited(5, 404, refused).said.join()).toContain("accepted 1004 ms ago");
      expect(waited(2_000, 201).said.join()).toContain("c answered the wait of w1 with 201");
      expect(waited(2_000, 200, announced(), "w2").said.join()).toContain('with 200 {"nodeId":"w2"}');
      expect(waited(5, 200).said.join()).toContain("without news after 5.0 of 2000 ms");
      expect(waited(9_000, 200).said.join()).toContain("after 9000 ms, and might wait 2000 ms");
    });
  });

  it("reports an end that the poll is not told of", () => {
    const late = run()
      .answer(1, uri(1), { body: body("RUNNING") })
      .transition(1_100, "query", id, "RUNNING -> FAILED");
    expect(late.answer(1_900, uri(2), { arrivedMs: 1_000, body: body("FAILED", { nextUri: undefined }) }).said.join()).toContain(
      "800 ms after it had ended",
    );
  });
});
