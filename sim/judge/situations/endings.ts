/** Ends before the last row: the client tells the server. */
import type { Situation } from "../situation.ts";

/** A statement without end: a row a poll. */
const endless: NonNullable<Situation["script"]> = (_request, { token }) =>
  token === 0 ? { more: true, state: "QUEUED" } : { more: true, columns: [["x", "bigint"]], data: `[[${token}]]`, delayMs: 25 };

function ending(name: string, rest: Pick<Situation, "story" | "action"> & Partial<Situation>): Situation {
  return {
    must: false,
    sql: "SELECT x FROM endless",
    script: endless,
    expect: { kind: "stopped" },
    extraRules: ["leaves-query-running"],
    patienceMs: 20_000,
    ...rest,
    name,
    group: "endings",
  };
}

export const endingSituations: readonly Situation[] = [
  ending("cancel", { story: "The caller cancels after the first row: the client deletes the query.", action: "cancel" }),
  ending("interrupt", { story: "The program gets SIGINT while rows arrive: it deletes the query and ends.", action: "interrupt" }),
  ending("gives-up-on-500", {
    story: "The client gives up because of an answer with status 500, and deletes the query that still runs.",
    action: "read",
    expect: { kind: "failure" },
    script: (request, step) =>
      step.token < 3
        ? endless(request, step)
        : { more: false, instead: { status: 500, headers: { "content-type": "text/plain" }, body: "Broken" } },
  }),
];
