/** Failures of statements: the client reports every one of them. */
import { failure, type Situation } from "../situation.ts";
import { shortAnswers } from "./rows.ts";

function failing(name: string, rest: Pick<Situation, "story" | "sql"> & Partial<Situation>): Situation {
  return { must: true, expect: failure, ...rest, name, group: "failures" };
}

export const failureSituations: readonly Situation[] = [
  failing("syntax-error", { story: "A statement that cannot be parsed.", sql: "SELEC 1" }),
  failing("unknown-table", { story: "A table that does not exist.", sql: "SELECT * FROM tpch.tiny.nothing" }),
  failing("error-after-rows", {
    story: "A statement fails after some of its rows have been sent.",
    sql: "SELECT custkey, 1 / (custkey - 1400) FROM tpch.tiny.customer",
    points: shortAnswers,
  }),
  failing("error-in-the-middle", {
    story: "An answer has rows and an error.",
    sql: "SELECT x FROM t",
    script: (_request, { token }) =>
      token === 0
        ? { more: true, state: "QUEUED" }
        : token < 3
          ? { more: true, columns: [["x", "bigint"]], data: `[[${token}]]` }
          : {
              more: false,
              columns: [["x", "bigint"]],
              data: "[[3]]",
              error: { errorName: "GENERIC_INTERNAL_ERROR", message: "It broke after the third row" },
            },
  }),
  failing("error-at-once", {
    story: "The first answer is the error.",
    sql: "SELECT x FROM t",
    script: () => ({ more: false, error: { errorName: "GENERIC_INTERNAL_ERROR", message: "Not today" } }),
  }),
];
