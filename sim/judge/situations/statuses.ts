/** Answers with a status other than 200: some are to be repeated, none is an end. */
import { counted, failure, orFailure, rowsOf, type Situation } from "../situation.ts";
import { shortAnswers } from "./rows.ts";

const rows = rowsOf(...counted(1500));

function faulty(name: string, rest: Pick<Situation, "story" | "rules" | "expect" | "must"> & Partial<Situation>): Situation {
  return { sql: "SELECT custkey FROM tpch.tiny.customer", anyOrder: true, points: shortAnswers, ...rest, name, group: "statuses" };
}

export const statusSituations: readonly Situation[] = [
  faulty("overloaded-submission", {
    story: "The submission gets 503 with Retry-After: 1, and was not executed.",
    must: false,
    rules: [{ fault: "overloaded", on: "submit", nth: 1 }],
    expect: rows,
  }),
  faulty("overloaded-poll", {
    story: "A poll gets 503 with Retry-After: 1.",
    must: false,
    rules: [{ fault: "overloaded", on: "poll", nth: 3 }],
    expect: rows,
  }),
  faulty("overloaded-thrice", {
    story: "A poll gets 503 without Retry-After, three times.",
    must: false,
    rules: [{ fault: "status", status: 503, on: "poll", nth: 3, times: 3 }],
    expect: rows,
  }),
  faulty("overloaded-often", {
    story: "A third of the polls, drawn by the seed, get 503.",
    must: false,
    rules: [{ fault: "status", status: 503, on: "poll", percent: 33 }],
    expect: rows,
  }),
  faulty("bad-gateway", {
    story: "A poll gets 502 of a proxy, in HTML.",
    must: false,
    rules: [{ fault: "status", status: 502, body: "<html><h1>Bad Gateway</h1></html>", on: "poll", nth: 2 }],
    expect: rows,
  }),
  faulty("gateway-timeout", {
    story: "A poll gets 504 of a proxy.",
    must: false,
    rules: [{ fault: "status", status: 504, on: "poll", nth: 2 }],
    expect: rows,
  }),
  faulty("too-many-requests", {
    story: "A poll gets 429 with Retry-After: 1.",
    must: false,
    rules: [{ fault: "status", status: 429, retryAfterSeconds: 1, on: "poll", nth: 2 }],
    expect: rows,
  }),
  faulty("server-error", {
    story: "Every poll from the third on gets 500: a failure, and not the end of the rows.",
    must: true,
    rules: [{ fault: "status", status: 500, on: "poll", nth: 3, times: 1000 }],
    expect: failure,
  }),
  faulty("not-found", {
    story: "The coordinator does not know the query any more: 404.",
    must: true,
    rules: [{ fault: "status", status: 404, on: "poll", nth: 3, times: 1000 }],
    expect: failure,
  }),
  faulty("gone", {
    story: "The token is already gone: 410.",
    must: true,
    rules: [{ fault: "gone", nth: 3, times: 1000 }],
    expect: failure,
  }),
  faulty("unauthorized", {
    story: "A poll gets 401.",
    must: true,
    rules: [{ fault: "status", status: 401, on: "poll", nth: 2, times: 1000 }],
    expect: failure,
  }),
  faulty("empty-success", {
    story: "A poll gets 200 without a body.",
    must: true,
    rules: [{ fault: "status", status: 200, body: "", on: "poll", nth: 3, times: 1000 }],
    expect: failure,
  }),
  faulty("proxy-page", {
    story: "A poll gets 200 with a page of HTML, once.",
    must: true,
    rules: [{ fault: "status", status: 200, body: "<html>Log in</html>", on: "poll", nth: 3 }],
    expect: orFailure(rows),
  }),
];
