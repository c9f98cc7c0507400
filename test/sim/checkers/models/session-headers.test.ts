/** Planted violations of the model of session headers. */
import { describe, expect, it } from "vitest";
import { sessionHeaders } from "../../../../sim/checkers/models/statement/session-headers.ts";
import type { Headers } from "../../../../src/ports/network.ts";
import { FabricatedRun } from "./fabricated.ts";

const id = "20260101_000000_00000_aaaaa";
const body = (state: string): object => ({ id, stats: { state } });

function chain(sql: string, family: string, answers: readonly (readonly [string, Headers])[], first: Headers = {}): FabricatedRun {
  const sentHeaders = { [`x-${family}-user`]: "u1" };
  const run = new FabricatedRun(sessionHeaders);
  run.answer(1, "/v1/statement", { method: "POST", sent: sql, sentHeaders, headers: first, body: body("QUEUED") });
  for (const [index, [state, headers]] of answers.entries()) {
    run.answer(index + 2, `/v1/statement/${id}/${index + 1}?slug=s`, { sentHeaders, headers, body: body(state) });
  }
  return run;
}

const set = "SET SESSION join_distribution_type = 'BROADCAST'";
const value = "join_distribution_type=BROADCAST";

describe("the model of session headers", () => {
  it.each<[string, Headers]>([
    [set, { "x-trino-set-session": value }],
    ["RESET SESSION a.b", { "x-trino-clear-session": "a.b" }],
    ['USE memory."de f"', { "x-trino-set-catalog": "memory", "x-trino-set-schema": "de f" }],
    ['PREPARE "Q 3,=é%" FROM SELECT 1', { "x-trino-added-prepare": "Q+3%2C%3D%C3%A9%25=SELECT+1" }],
    ["DEALLOCATE PREPARE q1", { "x-trino-deallocated-prepare": "q1" }],
    ["START TRANSACTION", { "x-trino-started-transaction-id": "7e3" }],
    ["COMMIT", { "x-trino-clear-transaction-id": "true" }],
    ["SELECT 1", {}],
  ])("accepts %s", (sql, headers) => {
    const states = ["QUEUED", "RUNNING", "FINISHED"] as const;
    const known = chain(
      sql,
      "trino",
      states.map((state) => [state, state === "QUEUED" ? {} : headers]),
    );
    expect(known.said).toEqual([]);
    expect(chain(sql, "trino", [["FAILED", {}]]).said).toEqual([]);
  });

  it.each<[string, () => FabricatedRun]>([
    ["a header of another statement", () => chain("SELECT 1", "engine", [["FINISHED", { "x-engine-set-session": value }]])],
    ["another value", () => chain(set, "engine", [["FINISHED", { "x-engine-set-session": "join_distribution_type=PARTITIONED" }]])],
    [
      "a value that is not encoded",
      () => chain("SET SESSION a = 'b c,d'", "engine", [["FINISHED", { "x-engine-set-session": "a=b c,d" }]]),
    ],
    ["another user's prepared statement", () => chain("SELECT 1", "engine", [["FINISHED", { "x-engine-added-prepare": "q1=SELECT" }]])],
    ["another family", () => chain(set, "presto", [["FINISHED", { "x-trino-set-session": value }]])],
    ["a header that is missing at the end", () => chain(set, "engine", [["FINISHED", {}]])],
    [
      "a header that goes again",
      () =>
        chain(set, "engine", [
          ["FINISHING", { "x-engine-set-session": value }],
          ["FINISHING", {}],
        ]),
    ],
    ["a header with a submission of X-Presto", () => chain(set, "presto", [], { "x-presto-set-session": value })],
    ["a change by a statement that failed", () => chain(set, "engine", [["FAILED", { "x-engine-set-session": value }]])],
  ])("reports %s", (_, plant) => {
    expect(plant().said).not.toEqual([]);
  });
});
