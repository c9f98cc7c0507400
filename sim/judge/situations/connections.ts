/** Connections that break, answers that are cut, requests that run twice. Either all rows, or a failure. */
import { counted, failure, orFailure, rowsOf, type Situation } from "../situation.ts";
import { orderKeys, shortAnswers } from "./rows.ts";

const rows = rowsOf(...counted(1500));

function broken(name: string, rest: Pick<Situation, "story" | "rules" | "must"> & Partial<Situation>): Situation {
  return {
    sql: "SELECT custkey FROM tpch.tiny.customer",
    anyOrder: true,
    points: shortAnswers,
    expect: orFailure(rows),
    ...rest,
    name,
    group: "connections",
  };
}

export const connectionSituations: readonly Situation[] = [
  broken("reset-before-submission", {
    story: "The connection of the submission is reset before the server has seen it.",
    must: true,
    rules: [{ fault: "reset", part: "request", on: "submit", nth: 1 }],
  }),
  broken("reset-after-submission", {
    story: "The submission was executed, and its answer lost: it must not be sent again.",
    must: true,
    rules: [{ fault: "reset", part: "answer", on: "submit", nth: 1 }],
  }),
  broken("submission-cut", {
    story: "The JSON of the first answer ends in the middle.",
    must: true,
    rules: [{ fault: "truncated", on: "submit", nth: 1 }],
  }),
  broken("reset-before-poll", {
    story: "The connection of a poll is reset before the server has seen it. The same token may be asked again.",
    must: false,
    rules: [{ fault: "reset", part: "request", on: "poll", nth: 3 }],
    expect: rows,
  }),
  broken("reset-after-poll", {
    story: "The answer to a poll is lost. The same token has the same answer.",
    must: false,
    rules: [{ fault: "reset", part: "answer", on: "poll", nth: 3 }],
    expect: rows,
  }),
  broken("reset-in-mid-body", {
    story: "The connection is reset in the middle of an answer.",
    must: true,
    rules: [{ fault: "reset", on: "poll", nth: 3 }],
  }),
  broken("poll-cut", {
    story: "The JSON of an answer ends in the middle, in a complete message.",
    must: true,
    rules: [{ fault: "truncated", on: "poll", nth: 3 }],
  }),
  broken("submission-executed-twice", {
    story: "A proxy sends the submission twice. The rows of one of the queries are read.",
    must: true,
    rules: [{ fault: "duplicated", on: "submit", nth: 1 }],
    expect: rows,
  }),
  broken("poll-executed-twice", {
    story: "A proxy sends every poll twice.",
    must: true,
    rules: [{ fault: "duplicated", on: "poll" }],
    expect: rows,
  }),
  broken("answer-sent-twice", {
    story: "The bytes of an answer arrive twice, and the connection ends.",
    must: true,
    rules: [{ fault: "duplicated", part: "answer", on: "poll", nth: 3 }],
  }),
  broken("slow-answers", {
    story: "Every answer takes 150 ms.",
    must: true,
    sql: "SELECT x FROM UNNEST(sequence(1, 10)) t(x)",
    rules: [{ fault: "delay", part: "answer", delayMs: 150 }],
    expect: rowsOf(...counted(10)),
  }),
  broken("first-answer-late", {
    story: "The answer to the submission takes three seconds.",
    must: true,
    rules: [{ fault: "delay", part: "answer", delayMs: 3000, on: "submit" }],
    expect: rows,
  }),
  broken("worker-dies", {
    story: "A worker dies when the first page has been sent: all rows, or a failure.",
    must: true,
    sql: "SELECT orderkey FROM tpch.tiny.orders ORDER BY orderkey",
    points: {},
    rules: [{ fault: "worker-killed", page: 1 }],
    expect: { kind: "rows-or-failure", rows: orderKeys.map((key) => [key]) },
  }),
  broken("coordinator-restarts", {
    story: "The coordinator restarts after the third page and forgets the query.",
    must: true,
    rules: [{ fault: "coordinator-restarted", page: 3 }],
    expect: failure,
    patienceMs: 45_000,
  }),
];
