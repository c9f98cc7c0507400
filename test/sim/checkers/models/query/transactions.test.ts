/** Planted violations of the model of transactions. */
import { describe, expect, it } from "vitest";
import { transactions } from "../../../../../sim/checkers/models/transactions.ts";
import { FabricatedRun } from "../fabricated.ts";

const open = "7e3";

/** A statement: when it arrives and ends, and how. The first one begins the transaction, in 100 ms. */
interface Told {
  readonly sql?: string;
  readonly user?: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly errorName?: string;
}

function told(...statements: readonly Told[]): readonly string[] {
  const run = new FabricatedRun(transactions, { properties: { "transaction.idle-timeout": "2s" } });
  const all: readonly Told[] = [{ sql: "START TRANSACTION", fromMs: 1, toMs: 100 }, ...statements];
  for (const [place, { sql = "SELECT 1", user = "u1", fromMs, toMs, errorName }] of all.entries()) {
    const id = `q${place}`;
    const sentHeaders = { "x-engine-user": user, ...(place > 0 && { "x-engine-transaction-id": open }) };
    const chain = `/v1/statement/${id}/1?slug=s`;
    run.answer(fromMs, "/v1/statement", { method: "POST", sent: sql, sentHeaders, body: { id, stats: { state: "QUEUED" } } });
    run.transition(toMs, "query", id, `RUNNING -> ${errorName === undefined ? "FINISHED" : "FAILED"}`);
    const headers = place > 0 ? {} : { "x-engine-started-transaction-id": open };
    const error = errorName === undefined ? {} : { error: { errorName } };
    run.answer(toMs, chain, { sentHeaders, headers, body: { id, stats: { state: "FINISHED" }, ...error } });
  }
  return run.end(99_000).said;
}

const unknown = { errorName: "UNKNOWN_TRANSACTION" };
const aborted = { errorName: "TRANSACTION_ALREADY_ABORTED" };

describe("the model of transactions", () => {
  it.each<[string, readonly Told[]]>([
    [
      "statements one after the other, also long ones",
      [
        { fromMs: 200, toMs: 9_000 },
        { sql: "COMMIT", fromMs: 9_010, toMs: 9_020 },
      ],
    ],
    [
      "one that is too late, and what follows",
      [
        { fromMs: 2_500, toMs: 2_510, ...unknown },
        { fromMs: 2_520, toMs: 2_530, ...unknown },
      ],
    ],
    ["one near the time-out, either way", [{ fromMs: 2_101, toMs: 2_110, ...unknown }]],
    ["one that is known near the time-out", [{ fromMs: 2_101, toMs: 2_110 }]],
    [
      "one after the end",
      [
        { sql: "COMMIT", fromMs: 110, toMs: 120 },
        { fromMs: 130, toMs: 140, ...unknown },
      ],
    ],
    [
      "another user's",
      [
        { fromMs: 110, toMs: 120, user: "u2", ...unknown },
        { fromMs: 130, toMs: 140 },
      ],
    ],
    [
      "one after a failure",
      [
        { fromMs: 110, toMs: 120, errorName: "DIVISION_BY_ZERO" },
        { fromMs: 130, toMs: 140, ...aborted },
      ],
    ],
  ])("accepts %s", (_, statements) => {
    expect(told(...statements)).toEqual([]);
  });

  it.each<[string, readonly Told[], string]>([
    ["a transaction that is forgotten too early", [{ fromMs: 900, toMs: 910, ...unknown }], "unknown, 909 ms after"],
    [
      "one that is forgotten while it runs",
      [
        { fromMs: 110, toMs: 5_000 },
        { fromMs: 5_010, toMs: 5_020, ...unknown },
      ],
      "unknown, 20 ms after",
    ],
    ["one that outlives its time-out", [{ fromMs: 2_500, toMs: 2_510 }], "carried out 2400 ms after"],
    [
      "one that outlives its end",
      [
        { sql: "ROLLBACK", fromMs: 110, toMs: 120 },
        { fromMs: 130, toMs: 140 },
      ],
      "carried out after its end",
    ],
    [
      "one that is aborted by nothing",
      [
        { fromMs: 110, toMs: 120 },
        { fromMs: 130, toMs: 140, ...aborted },
      ],
      "none of its statements has failed",
    ],
  ])("speaks of %s", (_, statements, sentence) => {
    expect(told(...statements).join()).toContain(sentence);
  });
});
