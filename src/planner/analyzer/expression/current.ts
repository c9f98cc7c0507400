/**
 * CURRENT_DATE, CURRENT_TIMESTAMP and similar functions: constants computed from the query's start in the session's time zone.
 */
import { pack, packTime, picosOfMicros, roundTime, roundZoned } from "../../../functions/scalar/datetime/zoned.ts";
import { roundTimestamp } from "../../../functions/runtime/formats.ts";
import { timestampOf } from "../../../functions/scalar/datetime/long-timestamps.ts";
import type { CurrentTime } from "../../../sql/ast/ast.ts";
import { DATE, type Type } from "../../../types/type.ts";
import { utcKey, zoneKeyOf } from "../../../types/time/zones.ts";
import type { PlanSession } from "../../context.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { constant } from "../../plan/expression-tree.ts";
import { sessionOffset, sessionToday } from "../../session-zone.ts";
import { requirePrecision } from "../scope/types.ts";

export interface CurrentOptions {
  readonly name: CurrentTime["function"];
  /** Fractional digits of the second; 3 by default. */
  readonly precision?: number;
}

const precisionTypes: Readonly<Record<CurrentTime["function"], string>> = Object.freeze({
  CURRENT_DATE: "DATE",
  CURRENT_TIMESTAMP: "TIMESTAMP WITH TIME ZONE",
  LOCALTIMESTAMP: "TIMESTAMP",
  CURRENT_TIME: "TIME WITH TIME ZONE",
  LOCALTIME: "TIME",
});

export function currentTime({ name, precision = 3 }: CurrentOptions, session: PlanSession): RowExpression {
  requirePrecision(precisionTypes[name], precision);
  const offset = sessionOffset(session);
  const instant = BigInt(session.startMillis) * 1000n;
  const local = instant + BigInt(offset) * 1_000_000n;
  const zoned = pack(instant, zoneKeyOf(session.timeZone) ?? utcKey);
  const time = roundTime(picosOfMicros(local), precision);
  const moment = (kind: Exclude<Type["kind"], "row">, value: bigint) => constant({ kind, precision } as Type, value.toString());
  switch (name) {
    case "CURRENT_DATE":
      return constant(DATE, sessionToday(session));
    case "CURRENT_TIMESTAMP":
      return moment("timestamp with time zone", roundZoned(zoned, precision));
    case "LOCALTIMESTAMP":
      return moment("timestamp", timestampOf({ kind: "timestamp", precision }, { micros: roundTimestamp(local, precision), picos: 0n }));
    case "CURRENT_TIME":
      return moment("time with time zone", packTime(time, Math.trunc(offset / 60)));
    case "LOCALTIME":
      return moment("time", time);
  }
}
