/** CURRENT_DATE, CURRENT_TIMESTAMP and the like: constants of the query's start in the session's time zone. */
import type { CurrentTime } from "../../sql/ast.ts";
import { DATE, TIMESTAMP } from "../../types/type.ts";
import type { PlanSession } from "../context.ts";
import type { RowExpression } from "../expression.ts";
import { constant } from "../expressions.ts";
import { notSupported, type Placed } from "./errors.ts";

const dayMillis = 86400000;

/** Milliseconds since 1970-01-01 00:00:00 on the session's clock. Zones are UTC and fixed offsets; others are taken as UTC. */
function localStartMillis(session: PlanSession): number {
  const offset = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/.exec(session.timeZone);
  if (offset === null) return session.startMillis;
  const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
  return session.startMillis + (offset[1] === "-" ? -minutes : minutes) * 60000;
}

export function currentTime(name: CurrentTime["function"], at: Placed, session: PlanSession): RowExpression {
  const millis = localStartMillis(session);
  switch (name) {
    case "CURRENT_DATE":
      return constant(DATE, Math.floor(millis / dayMillis));
    case "CURRENT_TIMESTAMP":
    case "LOCALTIMESTAMP":
      return constant(TIMESTAMP, (BigInt(millis) * 1000n).toString());
    case "CURRENT_TIME":
    case "LOCALTIME":
      throw notSupported(at, "Type time is not supported");
  }
}
