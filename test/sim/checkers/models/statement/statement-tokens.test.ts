/** Planted violations of the model of tokens. */
import { describe, expect, it } from "vitest";
import { tokens } from "../../../../../sim/checkers/models/statement/tokens.ts";
import { FabricatedRun } from "../fabricated.ts";

const id = "20260101_000000_00000_aaaaa";
const uri = (token: number, slug = "s1"): string => `/v1/statement/${id}/${token}?slug=${slug}`;
const next = (token: number): { readonly id: string; readonly nextUri: string } => ({ id, nextUri: `http://c:8080${uri(token)}` });
const put = { method: "PUT", sent: "SELECT 1", body: next(1) } as const;
const submit = `/v1/statement/${id}?slug=s1`;

function submitted(): FabricatedRun {
  return new FabricatedRun(tokens).answer(1, submit, put);
}

describe("the model of tokens", () => {
  it("accepts a chain with repetitions, old and unknown tokens, and what follows its end", () => {
    const run = submitted()
      .answer(2, submit, put)
      .answer(3, uri(1), { body: next(2) })
      .answer(4, uri(1), { body: next(2) });
    run
      .answer(5, submit, { ...put, status: 409, body: "" })
      .answer(6, uri(0), { status: 410 })
      .answer(7, uri(3), { status: 404 });
    run.answer(8, uri(2, "s2"), { status: 404 }).answer(9, uri(2), { method: "HEAD" }).answer(10, uri(2), { body: { id } });
    run.answer(11, uri(2), { body: { id } }).answer(12, uri(2), { method: "DELETE", status: 204 }).answer(13, uri(1), { status: 410 });
    run.note(14, "c", "crash", "life 1").note(14, "c", "start", "life 2").answer(15, uri(2), { status: 404 });
    expect(run.said).toEqual([]);
    expect(run.held).toBeGreaterThan(12);
  });

  it("allows a new life to give up a query whose client does not come", () => {
    const recovered = { properties: { "query-recovery.enabled": "true", "query.client.timeout": "5s" } };
    const asked = (ms: number): readonly string[] =>
      new FabricatedRun(tokens, recovered)
        .answer(1, submit, put)
        .note(3_000, "c", "crash", "life 1")
        .note(4_000, "c", "start", "life 2")
        .answer(ms, uri(1), { status: 404 }).said;
    expect(asked(9_001)).toEqual([]);
    expect(asked(8_000)).toHaveLength(1);
  });

  it("allows a new life to take another statement under the id of a query that it does not have", () => {
    const properties = { "query-recovery.enabled": "true", "query.client.timeout": "5s" };
    const sent = (first: object): readonly string[] =>
      new FabricatedRun(tokens, { properties })
        .answer(1, submit, { ...put, body: first })
        .note(2, "c", "crash", "life 1")
        .note(3, "c", "start", "life 2")
        .answer(4, `/v1/statement/${id}?slug=s2`, { ...put, body: { id, nextUri: `http://c:8080${uri(1, "s2")}` } }).said;
    expect(sent({ id, error: { errorName: "QUERY_QUEUE_FULL" } })).toEqual([]);
    expect(sent(next(1))).toHaveLength(1);
  });

  it("counts a poll from its arrival, if it has the query's slug", () => {
    const polled = (slug: string): string[] =>
      submitted()
        .note(2, "c", "serve", `m2 u1>c statement-poll GET ${uri(1, slug)}`)
        .answer(3, submit, { ...put, status: 409, body: "" }).said;
    expect(polled("s1")).toEqual([]);
    expect(polled("s2")).toHaveLength(1);
  });

  it.each<[string, (run: FabricatedRun) => FabricatedRun]>([
    ["other bytes for the same token", (run) => run.answer(3, uri(1), { body: next(2) }).answer(4, uri(1), { body: { ...next(2), x: 1 } })],
    [
      "an old token",
      (run) =>
        run
          .answer(3, uri(1), { body: next(2) })
          .answer(4, uri(2), { body: next(3) })
          .answer(5, uri(1), { body: next(2) }),
    ],
    [
      "404 for an old token",
      (run) =>
        run
          .answer(3, uri(1), { body: next(2) })
          .answer(4, uri(2), { body: next(3) })
          .answer(5, uri(1), { status: 404 }),
    ],
    ["410 for the next token", (run) => run.answer(3, uri(1), { status: 410 })],
    ["a token that was never announced", (run) => run.answer(3, uri(2), { body: next(3) })],
    ["410 for such a token", (run) => run.answer(3, uri(2), { status: 410 })],
    ["another slug", (run) => run.answer(3, uri(1, "s2"), { body: next(2) })],
    ["410 for another slug", (run) => run.answer(3, uri(1, "s2"), { status: 410 })],
    ["a token that is left out", (run) => run.answer(3, uri(1), { body: next(3) })],
    ["a nextUri with another slug", (run) => run.answer(3, uri(1), { body: { id, nextUri: `http://c:8080${uri(2, "s2")}` } })],
    ["a response after the last", (run) => run.answer(3, uri(1), { body: { id } }).answer(4, uri(2), { body: { id } })],
    ["200 for a cancel", (run) => run.answer(3, uri(1), { method: "DELETE", status: 200 })],
    ["404 for a cancel of a live query", (run) => run.answer(3, uri(1), { method: "DELETE", status: 404 })],
    ["a cancel with a body", (run) => run.answer(3, uri(1), { method: "DELETE", status: 204, body: "x" })],
    ["another text for the same id", (run) => run.answer(3, submit, { ...put, sent: "SELECT 2" })],
    ["another slug for the same id", (run) => run.answer(3, `/v1/statement/${id}?slug=s2`, put)],
    ["409 before a poll", (run) => run.answer(3, submit, { ...put, status: 409, body: "" })],
    ["other bytes for the same submission", (run) => run.answer(3, submit, { ...put, body: next(2) })],
    ["a generated id that exists", (run) => run.answer(3, "/v1/statement", { method: "POST", body: next(1) })],
    ["a query of the former incarnation", (run) => run.note(3, "c", "start", "life 2").answer(4, uri(1), { body: next(2) })],
  ])("reports %s", (_, plant) => {
    expect(plant(submitted()).said).toHaveLength(1);
  });

  it("lets a query go whose client was silent for query.client.timeout, and none before", () => {
    const properties = { "query.client.timeout": "5s" };
    const run = (ms: number): string[] =>
      new FabricatedRun(tokens, { properties }).answer(1, submit, put).answer(ms, uri(1), { status: 410 }).said;
    expect(run(5_001)).toEqual([]);
    expect(run(4_000)).toHaveLength(1);
  });
});
