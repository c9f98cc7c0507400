/**
 * Expressions before and after the session's time zone is applied.
 */
import { describe, expect, it } from "vitest";
import type { PlanSession } from "../../../src/planner/context.ts";
import type { RowExpression, Variable } from "../../../src/planner/plan/typed-expression.ts";
import { call, cast, expressionKey } from "../../../src/planner/plan/expression-tree.ts";
import { sessionOffset, sessionToday, withSessionZone } from "../../../src/planner/session-zone.ts";
import { DATE, DOUBLE, type Type, VARCHAR } from "../../../src/types/type.ts";

/** 2020-07-01 22:30 in New York; already July 2 in UTC. */
const startMillis = Date.parse("2020-07-02T02:30:00Z");

function session(timeZone: string): PlanSession {
  return { user: "ada", timeZone, startMillis, properties: {} };
}

const variable = (type: Type): Variable => ({ kind: "variable", name: "x", type });
const zoned: Type = { kind: "timestamp with time zone", precision: 3 };
const timestamp: Type = { kind: "timestamp", precision: 0 };
const time: Type = { kind: "time", precision: 3 };
const timeZoned: Type = { kind: "time with time zone", precision: 3 };

function key(expression: RowExpression, zone: string): string {
  return expressionKey(withSessionZone(expression, session(zone)));
}

describe("the session's zone in expressions", () => {
  it("is not mentioned where it is UTC", () => {
    for (const from of [variable(timestamp), variable(DATE), variable(VARCHAR)]) {
      const expression = cast(from, zoned);
      expect(withSessionZone(expression, session("UTC"))).toBe(expression);
      expect(withSessionZone(expression, session("Etc/GMT"))).toBe(expression);
    }
  });

  it("is an argument of the call that stands for a cast", () => {
    expect(key(cast(variable(timestamp), zoned), "america/new_york")).toBe(
      'with_timezone(cast($x:timestamp(3)),"America/New_York":varchar(16)):timestamp(3) with time zone',
    );
    expect(key(cast(variable(VARCHAR), zoned), "+02:00")).toBe(
      'cast($timestamp_in_zone($x,"+02:00":varchar(6)):timestamp(6) with time zone:timestamp(3) with time zone)',
    );
    expect(key(cast(variable(VARCHAR), zoned, true), "+02:00")).toContain("TRY(");
    expect(key(cast(variable(time), timeZoned), "America/New_York")).toBe('$time_with_offset($x,"-240":bigint):time(3) with time zone');
  });

  it("names the day that a time is put on", () => {
    expect(sessionToday(session("UTC")) - sessionToday(session("America/New_York"))).toBe(1);
    expect(sessionOffset(session("America/New_York"))).toBe(-14_400);
    expect(key(cast(variable(time), timestamp), "America/New_York")).toBe(
      `cast($timestamp_of_time($x,${sessionToday(session("America/New_York"))}:date):timestamp(6):timestamp(0))`,
    );
  });

  it("goes with functions that leave it open, inside of others too", () => {
    const seconds = call("from_unixtime", zoned, [variable(DOUBLE)]);
    expect(key(call("year", { kind: "bigint" }, [seconds]), "Asia/Tokyo")).toBe(
      'year(from_unixtime($x,"Asia/Tokyo":varchar(10)):timestamp(3) with time zone):bigint',
    );
    expect(withSessionZone(seconds, session("UTC"))).toBe(seconds);
  });

  it("leaves casts alone that have a zone or need none", () => {
    for (const expression of [cast(variable(zoned), timestamp), cast(variable(zoned), VARCHAR), cast(variable(timestamp), DATE)]) {
      expect(withSessionZone(expression, session("Asia/Tokyo"))).toBe(expression);
    }
  });
});
