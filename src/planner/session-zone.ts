/**
 * Binds a plan to the session's time zone. The zone and the current date become constants of the plan, so that workers need no session.
 * Casts and functions without them would mean UTC and 1970-01-01. Applies to expressions evaluated during planning, and to every plan
 * before optimization.
 */
import { BIGINT, DATE, isLongMoment, isNested, microsPrecision, type Type, varcharType } from "../types/type.ts";
import { offsetAt, utcKey, zoneId, zoneKeyOf } from "../types/time/zones.ts";
import type { PlanSession } from "./context.ts";
import type { Cast, Constant, RowExpression } from "./plan/typed-expression.ts";
import { call, cast, childrenOf, constant, isConstant, withChildren } from "./plan/expression-tree.ts";
import { castElements } from "./plan/nested-casts.ts";
import type { PlanNode } from "./plan/node.ts";
import { mapExpressions, rewritePlan } from "./plan/plan-tree.ts";

const secondsPerDay = 86_400;

/** Returns the zone id as values show it. Returns UTC for an unknown zone; such statements are rejected. */
export function sessionZone(session: PlanSession): string {
  return zoneId(zoneKeyOf(session.timeZone) ?? utcKey);
}

/** Offset of the session's zone from UTC at the start of the query, in seconds; positive east of Greenwich. */
export function sessionOffset(session: PlanSession): number {
  return offsetAt(zoneKeyOf(session.timeZone) ?? utcKey, Math.floor(session.startMillis / 1000));
}

/** Current date in the session's zone, in days since 1970-01-01. */
export function sessionToday(session: PlanSession): number {
  return Math.floor((Math.floor(session.startMillis / 1000) + sessionOffset(session)) / secondsPerDay);
}

const functionsOfZone: Readonly<Record<string, readonly [name: string, argumentCount: number]>> = Object.freeze({
  from_unixtime: ["from_unixtime", 1],
  from_iso8601_timestamp: ["$from_iso8601_timestamp", 1],
  from_iso8601_timestamp_nanos: ["$from_iso8601_timestamp_nanos", 1],
  parse_datetime: ["$parse_datetime", 2],
});

export function withSessionZone(expression: RowExpression, session: PlanSession): RowExpression {
  if (expression.kind === "constant" || expression.kind === "variable") {
    return expression;
  }
  const changed = withChildren(
    expression,
    childrenOf(expression).map((child) => withSessionZone(child, session)),
  );
  if (changed.kind === "cast") {
    return castInSession(changed, session);
  }
  const zoned = changed.kind === "call" ? functionsOfZone[changed.name] : undefined;
  if (changed.kind !== "call" || zoned === undefined || changed.args.length !== zoned[1] || sessionZone(session) === "UTC") {
    return changed;
  }
  return call(zoned[0], changed.type, [...changed.args, zoneConstant(session)]);
}

export function planWithSessionZone(plan: PlanNode, session: PlanSession): PlanNode {
  return rewritePlan(plan, (node) => mapExpressions(node, (expression) => withSessionZone(expression, session)));
}

function zoneConstant(session: PlanSession): Constant {
  const zone = sessionZone(session);
  return constant(varcharType(zone.length), zone);
}

/** Returns the same object if the cast does not depend on the session. */
function castInSession(expression: Cast, session: PlanSession): RowExpression {
  const { arg, type, safe } = expression;
  const isUtc = sessionZone(session) === "UTC";
  if (isConstant(arg, null)) {
    return expression;
  }
  const today = () => constant(DATE, sessionToday(session));
  // Intermediate values have picosecond precision only if the type has more digits than microseconds.
  const [long, precision] = isLongMoment(type) ? ["long_", 12] : ["", microsPrecision];
  const local: Type = { kind: "timestamp", precision };
  const zoned: Type = { kind: "timestamp with time zone", precision };
  const back = (value: RowExpression) => cast(value, type, safe);
  switch (`${arg.type.kind} -> ${type.kind}`) {
    case "timestamp -> timestamp with time zone":
    case "date -> timestamp with time zone":
      return isUtc ? expression : inZone(cast(arg, timestampType(type), safe), type, session);
    case "varchar -> timestamp with time zone":
      return isUtc ? expression : trying(expression, back(call(`$${long}timestamp_in_zone`, zoned, [arg, zoneConstant(session)])));
    case "time -> timestamp":
      return back(call(`$${long}timestamp_of_time`, local, [arg, today()]));
    case "time -> timestamp with time zone":
      return inZone(cast(call(`$${long}timestamp_of_time`, local, [arg, today()]), timestampType(type)), type, session);
    case "time with time zone -> timestamp": {
      const digits = arg.type.kind === "time with time zone" ? arg.type.precision : 3;
      return back(call(`$${long}timestamp_of_time`, local, [cast(arg, { kind: "time", precision: digits }), today()]));
    }
    case "time with time zone -> timestamp with time zone":
      return back(call(`$${long}timestamp_of_time`, zoned, [arg, today()]));
    case "varchar -> time with time zone":
      return isUtc
        ? expression
        : trying(expression, back(call("$time_in_offset", { kind: "time with time zone", precision: 12 }, [arg, offsetConstant(session)])));
    case "time -> time with time zone":
      return isUtc ? expression : withOffset(cast(arg, timeType(type), safe), type, session);
    case "timestamp -> time with time zone":
      return isUtc ? expression : withOffset(cast(arg, timeType(type), safe), type, session);
    default:
      return isNested(type) ? nestedInSession(expression, session) : expression;
  }
}

/** Returns the same object if no inner cast depends on the session. */
function nestedInSession(expression: Cast, session: PlanSession): RowExpression {
  let isTouched = false;
  const changed = castElements(expression, (element) => {
    const inSession = castInSession(element, session);
    isTouched ||= inSession !== element;
    return inSession;
  });
  return isTouched ? changed : expression;
}

function precisionOf(type: Type): number {
  return "precision" in type ? type.precision : 3;
}

function timestampType(type: Type): Type {
  return { kind: "timestamp", precision: precisionOf(type) };
}

function timeType(type: Type): Type {
  return { kind: "time", precision: precisionOf(type) };
}

function inZone(local: RowExpression, type: Type, session: PlanSession): RowExpression {
  return call("with_timezone", type, [local, zoneConstant(session)]);
}

function withOffset(time: RowExpression, type: Type, session: PlanSession): RowExpression {
  return call("$time_with_offset", type, [time, offsetConstant(session)]);
}

/** Offset of the session's zone from UTC in whole minutes; positive east of Greenwich. */
function offsetConstant(session: PlanSession): Constant {
  return constant(BIGINT, String(Math.trunc(sessionOffset(session) / 60)));
}

/** TRY_CAST swallows errors of the replacing call, but not errors of the value that is cast. */
function trying({ safe, arg }: Cast, value: RowExpression): RowExpression {
  return safe ? { kind: "special", form: "TRY", type: value.type, args: [value, arg] } : value;
}
