/** Idle time of transactions: between the end of one statement and the next. */
import { describe, expect, it } from "vitest";
import { Transactions } from "../../../../src/coordinator/query/transactions.ts";
import { ManualClock } from "../../../support/manual-clock.ts";
import { FakeNetwork, fakePorts } from "../fakes.ts";

const timeoutMs = 1000;
const mode = { isolation: "READ COMMITTED", readOnly: true } as const;

async function begun() {
  const clock = new ManualClock();
  const transactions = new Transactions(fakePorts(clock, new FakeNetwork()), timeoutMs);
  const id = await transactions.begin(mode, "alice");
  const use = (queryId: string) => transactions.use(id, { user: "alice", queryId, endsIt: false });
  return { clock, transactions, id, use };
}

describe("a transaction", () => {
  it("ends when no statement has run for its time-out, also when none ever has", async () => {
    const { clock, id, transactions, use } = await begun();
    await clock.advance(timeoutMs);
    transactions.done(use("q1"));
    await clock.advance(timeoutMs);
    expect(transactions.has(id)).toBe(true);
    await clock.advance(1);
    expect(transactions.has(id)).toBe(false);
    expect(() => use("q2")).toThrow("Unknown transaction ID");
  });

  it("is not idle while one of its statements runs, however long that takes", async () => {
    const { clock, id, transactions, use } = await begun();
    const first = use("q1");
    const second = use("q2");
    await clock.advance(5 * timeoutMs);
    expect(transactions.all()).toMatchObject([{ transactionId: id, idleTimeSecs: 0 }]);
    transactions.done(first);
    await clock.advance(5 * timeoutMs);
    transactions.done(second);
    await clock.advance(timeoutMs);
    expect(transactions.all()).toMatchObject([{ transactionId: id, idleTimeSecs: 1 }]);
    await clock.advance(1);
    expect(transactions.all()).toEqual([]);
  });

  it("is not kept by a statement that ends after it", async () => {
    const { clock, transactions, use } = await begun();
    const transaction = use("q1");
    transactions.end(transaction, { commits: true, queryId: "q1" });
    transactions.done(transaction);
    await clock.advance(5 * timeoutMs);
    expect(transactions.all()).toEqual([]);
  });
});
