/** The session that answers change: the client sends it with the next statement. */
import { displayNames, firstHeader } from "../../../src/protocol/http/headers.ts";
import type { Headers } from "../../../src/ports/network.ts";
import { failure, rowsOf, type Situation } from "../situation.ts";
import type { Tape } from "../tape.ts";

function header(headers: Headers, suffix: string): string {
  return Object.values(displayNames)
    .map((prefix) => firstHeader(headers, `${prefix}${suffix}`.toLowerCase()))
    .filter((value) => value !== undefined)
    .join(",");
}

/** The last submission must have a header with this text. */
function lastSends(suffix: string, wanted: RegExp): (tape: Tape) => string | undefined {
  return (tape) => {
    const last = tape.of("submit").at(-1);
    const sent = last === undefined ? "" : header(last.headers, suffix);
    return wanted.test(sent) ? undefined : `The last statement has '${sent}' in the header ${suffix}; expected ${wanted.source}`;
  };
}

function session(name: string, rest: Pick<Situation, "story" | "sql" | "expect"> & Partial<Situation>): Situation {
  return { must: false, ...rest, name, group: "session" };
}

/** A model server that answers the first statement with session headers, and the others with a row. */
function sets(suffix: string, value: string): NonNullable<Situation["script"]> {
  return (request, { token }) => {
    const isFirst = new TextDecoder().decode(request.body) === "FIRST";
    return token === 0 && isFirst
      ? { more: false, session: { [suffix]: value }, columns: [["result", "boolean"]], data: "[[true]]" }
      : { more: false, columns: [["x", "bigint"]], data: "[[1]]" };
  };
}

export const sessionSituations: readonly Situation[] = [
  session("set-session", {
    story: "SET SESSION counts for the next statement.",
    sql: "SHOW SESSION LIKE 'query_max_run_time'",
    setup: ["SET SESSION query_max_run_time = '42m'"],
    expect: { kind: "stopped" },
    look: lastSends("Session", /query_max_run_time=42m/),
  }),
  session("reset-session", {
    story: "RESET SESSION takes the property back.",
    sql: "SELECT 1",
    setup: ["SET SESSION query_max_run_time = '42m'", "SELECT 2", "RESET SESSION query_max_run_time"],
    expect: rowsOf(1n),
    look: (tape) => {
      const [, second] = tape.of("submit");
      const last = tape.of("submit").at(-1);
      return !/query_max_run_time=42m/.test(header(second?.headers ?? {}, "Session"))
        ? "The statement after SET SESSION does not send the property"
        : /query_max_run_time/.test(header(last?.headers ?? {}, "Session"))
          ? "The statement after RESET SESSION still sends the property"
          : undefined;
    },
  }),
  session("use", {
    story: "USE changes catalog and schema.",
    sql: "SELECT count(*) FROM nation",
    setup: ["USE tpch.sf1"],
    expect: rowsOf(25n),
    look: lastSends("Schema", /^sf1$/),
  }),
  session("prepare", {
    story: "A prepared statement is sent with EXECUTE.",
    sql: "EXECUTE one USING 41",
    setup: ["PREPARE one FROM SELECT x + 1 FROM (VALUES CAST(? AS bigint)) t(x)"],
    expect: rowsOf(42n),
    look: lastSends("Prepared-Statement", /^one=/),
  }),
  session("deallocate", {
    story: "A statement that was deallocated is not sent any more, and cannot be executed.",
    sql: "EXECUTE one",
    setup: ["PREPARE one FROM SELECT 1", "DEALLOCATE PREPARE one"],
    expect: failure,
    look: (tape) => {
      const [, second] = tape.of("submit");
      const last = tape.of("submit").at(-1);
      return !header(second?.headers ?? {}, "Prepared-Statement").startsWith("one=")
        ? "The statement after PREPARE does not send the prepared statement"
        : header(last?.headers ?? {}, "Prepared-Statement") === ""
          ? undefined
          : "The statement after DEALLOCATE still sends the prepared statement";
    },
  }),
  session("transaction", {
    story: "Statements of a transaction name it.",
    sql: "COMMIT",
    setup: ["START TRANSACTION", "SELECT 1"],
    expect: { kind: "stopped" },
    look: (tape) => {
      const [, second] = tape.of("submit");
      const last = tape.of("submit").at(-1);
      const id = header(second?.headers ?? {}, "Transaction-Id");
      return id === "" || id === "NONE" || header(last?.headers ?? {}, "Transaction-Id") !== id
        ? "The statements after START TRANSACTION do not name the transaction"
        : undefined;
    },
  }),
  session("role", {
    story: "An answer sets a role; the next statement has it.",
    sql: "SELECT 1",
    setup: ["FIRST"],
    script: sets("Set-Role", "tpch=ROLE%7Badmin%7D"),
    expect: rowsOf(1n),
    look: lastSends("Role", /tpch=ROLE(%7B|\{)admin(%7D|\})/),
  }),
];
