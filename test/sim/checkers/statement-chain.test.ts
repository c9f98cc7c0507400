/**
 * The checker of the statement chain: each header family's own chain is accepted, another family's is not.
 */
import { describe, expect, it } from "vitest";
import { StatementChainOracle } from "../../../sim/checkers/protocol/statement-chain.ts";
import { Facts } from "../../../sim/checkers/facts.ts";
import type { Circumstances } from "../../../sim/checkers/results/results.ts";
import type { HttpMethod } from "../../../src/ports/network.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";

const id = "20260101_000000_00000_aaaaa";
const columns = [{ name: "n", type: "bigint" }];

interface Answer {
  readonly state: string;
  readonly data?: readonly unknown[];
  readonly columns?: readonly unknown[];
  readonly error?: unknown;
  readonly isLast?: true;
}

interface Again {
  /** Answers to the last token once more, in the same life of the coordinator or in the next one. */
  readonly again?: Answer;
  readonly isOneLife?: true;
  readonly facts?: Facts;
}

/** Violations in a query's answers, one per token; the first is the answer to POST. */
function checked(family: string, answers: readonly Answer[], { again, facts = new Facts(), isOneLife }: Again = {}): readonly string[] {
  const said: string[] = [];
  const circumstances = { troubled: () => true, causes: { coordinator: "c", facts } } as Circumstances;
  const oracle = new StatementChainOracle(
    { violate: (_kind, _oracle, sentence) => said.push(sentence), held: () => undefined },
    circumstances,
  );
  facts.note("c", "start", "life 1", 0);
  const answer = ({ state, isLast, ...members }: Answer, token: number): void => {
    const nextUri = `http://c/v1/statement/${id}/${token + 1}?slug=x`;
    const document = { id, ...(isLast === true ? {} : { nextUri }), ...members, stats: { state } };
    const method: HttpMethod = token === 0 ? "POST" : "GET";
    const url = token === 0 ? "/v1/statement" : `/v1/statement/${id}/${token}?slug=x`;
    const request = { method, url, headers: { [`x-${family}-user`]: "u" }, body: new Uint8Array(0) };
    oracle.observe("u", request, { status: 200, headers: {}, body: encodeUtf8(JSON.stringify(document)) });
  };
  answers.forEach(answer);
  if (again !== undefined) {
    if (isOneLife !== true) {
      facts.note("c", "start", "life 2", 1);
    }
    answer(again, answers.length - 1);
  }
  return said;
}

const queued: Answer = { state: "QUEUED" };
const running: Answer = { state: "RUNNING", columns };
const rows: Answer = { state: "RUNNING", columns, data: [[1]] };
const lastRows: Answer = { state: "FINISHED", columns, data: [[2]], isLast: true };
const lastEmpty: Answer = { state: "FINISHED", columns, isLast: true };
const failed: Answer = { state: "FAILED", error: {}, isLast: true };

const cancelled: Answer = { state: "FAILED", error: { errorName: "USER_CANCELED" }, isLast: true };

describe("the oracle of the statement chain", () => {
  it("accepts a document that another life makes anew, and not another end than a failure that the journal has", () => {
    expect(checked("engine", [running, rows], { again: running })).toEqual([]);
    expect(checked("engine", [running, lastRows], { again: failed })).toEqual([]);
    expect(checked("engine", [running, cancelled], { again: { ...cancelled, columns } })).toEqual([]);
    expect(checked("engine", [running, cancelled], { again: rows })).toEqual([
      `u: token 1 of ${id} was FAILED with USER_CANCELED, and is RUNNING in another life`,
    ]);
    expect(checked("engine", [running, cancelled], { again: failed })).toEqual([expect.stringContaining("and is FAILED in another life")]);
    const lost = new Facts();
    lost.note("c", "start", "life 1", 0);
    lost.note("c", "crash", "life 1", 0);
    expect(checked("engine", [running, cancelled], { again: rows, facts: lost })).toEqual([]);
  });

  it("refuses other bytes in one life", () => {
    expect(checked("engine", [running, rows], { again: running, isOneLife: true })).toEqual([
      `u: token 1 of ${id} was answered with different bytes the second time`,
    ]);
  });

  it.each([
    ["engine", [running, rows, lastRows]],
    ["engine", [running, lastEmpty]],
    ["engine", [failed]],
    ["presto", [queued, rows, lastRows]],
    ["presto", [queued, failed]],
    ["trino", [queued, rows, lastEmpty]],
    ["trino", [queued, lastEmpty]],
    ["trino", [queued, rows, failed]],
  ])("holds the chain of %s", (family, answers) => {
    expect(checked(family, answers)).toEqual([]);
  });

  it.each([
    ["engine", [running, rows, lastEmpty], "had rows, and its last response to a client of engine has none"],
    ["presto", [queued, rows, lastEmpty], "had rows, and its last response to a client of presto has none"],
    ["presto", [running, lastRows], "to a client of presto is no query that is QUEUED and goes on"],
    ["presto", [failed], "to a client of presto is no query that is QUEUED and goes on"],
    ["trino", [failed], "to a client of trino is no query that is QUEUED and goes on"],
    ["trino", [{ ...queued, columns }, lastEmpty], "to a client of trino is no query that is QUEUED and goes on"],
    ["trino", [queued, lastRows], "to a client of trino carries rows"],
  ])("refuses in the chain of %s what its clients do not expect", (family, answers, sentence) => {
    expect(checked(family, answers)).toEqual([expect.stringContaining(sentence)]);
  });
});
