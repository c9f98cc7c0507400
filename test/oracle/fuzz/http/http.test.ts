/** A bounded run of `npm run fuzz -- http`, and of its judge. */
import { expect, it } from "vitest";
import { fuzzHttp, judge } from "./http.ts";

it("finds nothing in some hundred requests", { timeout: 120_000 }, async () => {
  const { failures, statuses } = await fuzzHttp({ seed: 85, requests: 300, from: 0 });
  expect(failures).toEqual([]);
  expect([...statuses.keys()]).toEqual(expect.arrayContaining(["200", "400", "404"]));
});

it.each([
  [undefined, /^no answer/],
  ["garbage", /^not HTTP/],
  ["HTTP/1.1 500 Internal Server Error\r\n\r\nbad", /^status 500/],
  ['HTTP/1.1 200 OK\r\n\r\n{"errorName":"GENERIC_INTERNAL_ERROR"}', /^an internal error/],
  ["HTTP/1.1 400 Bad Request\r\n\r\nno file /tmp/a/b.csv", /^tells of the program/],
  ["HTTP/1.1 400 Bad Request\r\n\r\n    at parse (file.js:10:3)", /^tells of the program/],
])("judges %j", (answer, expected) => {
  expect(judge(answer)).toMatch(expected);
});

it("has nothing against a refusal", () => {
  expect(judge("HTTP/1.1 404 Not Found\r\n\r\nQuery not found")).toBeUndefined();
});
