/**
 * Expressions of times, timestamps with time zone, intervals, char, varbinary and UUIDs. A zone is not part of a comparison (equal values
 * of different zones may represent a group), so all expressions on one depend on the instant only.
 */
import { type Kind, type Text, text, type } from "../dialects.ts";
import { BIGINT, type Expression, make, VARCHAR } from "./generated-expression.ts";
import type { ExpressionSource } from "./source.ts";

const zones = ["UTC", "America/New_York", "Asia/Kolkata", "Europe/Berlin"];

/** Milliseconds by which a date can move and keep a four-digit year. */
const movedMax = 2e13;

function milliseconds(part: Expression): string {
  return `to_milliseconds(${part.text.duckdb})`;
}

export function drawPlain(source: ExpressionSource, kind: Kind, depth: number): Expression {
  const { random } = source;
  const a = source.of(kind, depth);
  const { engine, duckdb } = a.text;
  switch (kind) {
    case "time": {
      const days = source.of("days", depth);
      const sign = random.pick(["+", "-"]);
      const stamp = source.of("timestamp", depth);
      const unit = random.pick(["hour", "minute", "second"]);
      const amount = random.below(90);
      return random.pick([
        make({ engine: `(${engine} ${sign} ${days.text.engine})`, duckdb: `(${duckdb} ${sign} ${milliseconds(days)})` }, a.type, [a, days]),
        make(text`CAST(${stamp.text} AS ${{ engine: "time(3)", duckdb: "time" }})`, a.type, [stamp]),
        make(
          { engine: `date_trunc('${unit}', ${engine})`, duckdb: `CAST(date_trunc('${unit}', DATE '2000-01-01' + ${duckdb}) AS time)` },
          a.type,
          [a],
        ),
        make({ engine: `date_add('${unit}', ${amount}, ${engine})`, duckdb: `(${duckdb} + INTERVAL '${amount}' ${unit})` }, a.type, [a]),
      ]);
    }
    case "zoned": {
      const days = source.of("days", depth);
      const stamp = source.of("timestamp", depth);
      const zone = random.pick(zones);
      const made = [
        make({ engine: `(${engine} AT TIME ZONE '${zone}')`, duckdb }, a.type, [a]),
        make({ engine: `with_timezone(${stamp.text.engine}, 'UTC')`, duckdb: `(${stamp.text.duckdb} AT TIME ZONE 'UTC')` }, a.type, [
          stamp,
        ]),
        make(
          { engine: `CAST(${stamp.text.engine} AS timestamp(3) with time zone)`, duckdb: `CAST(${stamp.text.duckdb} AS timestamptz)` },
          a.type,
          [stamp],
        ),
      ];
      if (days.bound <= movedMax) {
        made.push(make({ engine: `(${engine} + ${days.text.engine})`, duckdb: `(${duckdb} + ${milliseconds(days)})` }, a.type, [a, days]));
      }
      return random.pick(made);
    }
    case "days": {
      const b = source.of("days", depth);
      const [from, to] = [source.of("timestamp", depth), source.of("timestamp", depth)];
      const factor = random.below(4);
      return random.pick([
        make(text`(${a.text} ${random.pick(["+", "-"])} ${b.text})`, a.type, [a, b], a.bound + b.bound, true),
        make(text`(${a.text} * ${factor})`, a.type, [a], a.bound * factor, true),
        make(
          { engine: `(${to.text.engine} - ${from.text.engine})`, duckdb: `(epoch_ms(${to.text.duckdb}) - epoch_ms(${from.text.duckdb}))` },
          a.type,
          [from, to],
          1e15,
          true,
        ),
      ]);
    }
    case "months": {
      const b = source.of("months", depth);
      return a.bound + b.bound > 1e8
        ? a
        : random.pick([
            make(text`(${a.text} ${random.pick(["+", "-"])} ${b.text})`, a.type, [a, b], a.bound + b.bound, true),
            make(text`(${a.text} * 2)`, a.type, [a], a.bound * 2, true),
          ]);
    }
    case "char": {
      const string = source.of("varchar", depth);
      const sql = { engine: `CAST(${string.text.engine} AS char(5))`, duckdb: `rpad(substr(${string.text.duckdb}, 1, 5), 5, ' ')` };
      return make(sql, a.type, [string]);
    }
    case "varbinary": {
      const b = source.of("varbinary", depth);
      const string = source.of("varchar", depth);
      const [start, length] = [1 + random.below(3), random.below(3)];
      const digest = random.pick(["md5", "sha256"]);
      return random.pick([
        make(text`(${a.text} || ${b.text})`, a.type, [a, b]),
        make({ engine: `to_utf8(${string.text.engine})`, duckdb: `hex(${string.text.duckdb})` }, a.type, [string]),
        make({ engine: `substr(${engine}, ${start}, ${length})`, duckdb: `substr(${duckdb}, ${2 * start - 1}, ${2 * length})` }, a.type, [
          a,
        ]),
        make({ engine: `${digest}(${engine})`, duckdb: `upper(${digest}(unhex(${duckdb})))` }, a.type, [a]),
        make({ engine: `from_hex(to_hex(${engine}))`, duckdb }, a.type, [a]),
      ]);
    }
    default:
      return a;
  }
}

/** A timestamp plus an interval of either type. */
export function movedBy(source: ExpressionSource, kind: "date" | "timestamp", depth: number): Expression {
  const { random } = source;
  const a = source.of(kind, depth);
  const sign = random.pick(["+", "-"]);
  if (kind === "timestamp" && random.chance(50)) {
    const days = source.of("days", depth);
    return days.bound <= movedMax
      ? make(
          { engine: `(${a.text.engine} ${sign} ${days.text.engine})`, duckdb: `(${a.text.duckdb} ${sign} ${milliseconds(days)})` },
          a.type,
          [a, days],
        )
      : a;
  }
  if (kind === "timestamp" && random.chance(50)) {
    return localTime(source, depth);
  }
  const months = source.of("months", depth);
  if (months.bound > 6000) {
    return a;
  }
  const moved = {
    engine: `(${a.text.engine} ${sign} ${months.text.engine})`,
    duckdb: `CAST(${a.text.duckdb} ${sign} to_months(${months.text.duckdb}) AS ${kind})`,
  };
  return make(moved, a.type, [a, months]);
}

/** The local time of an instant in some zone. */
function localTime(source: ExpressionSource, depth: number): Expression {
  const moment = source.of("zoned", depth);
  const zone = source.random.pick(zones);
  const sql: Text = {
    engine: `CAST(${moment.text.engine} AT TIME ZONE '${zone}' AS timestamp(3))`,
    duckdb: `(${moment.text.duckdb} AT TIME ZONE '${zone}')`,
  };
  return make(sql, type("timestamp"), [moment]);
}

/** A bigint computed from such a value. */
export function numberFromPlain(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  switch (random.below(5)) {
    case 0: {
      const time = source.of("time", depth);
      return make(text`extract(${random.pick(["HOUR", "MINUTE", "SECOND"])} FROM ${time.text})`, BIGINT, [time], 100);
    }
    case 1: {
      const kind = random.pick(["timestamp", "time"] as const);
      const [from, to] = [source.of(kind, depth), source.of(kind, depth)];
      // Whole units; DuckDB's datesub.
      const unit = random.pick(kind === "time" ? ["hour", "minute", "second"] : ["day", "hour", "minute", "second", "week"]);
      const sql = {
        engine: `date_diff('${unit}', ${from.text.engine}, ${to.text.engine})`,
        duckdb: `date_sub('${unit}', ${from.text.duckdb}, ${to.text.duckdb})`,
      };
      return make(sql, BIGINT, [from, to], 1e12);
    }
    case 2: {
      const moment = source.of("zoned", depth);
      const zone = random.pick(zones);
      const part = random.pick(["hour", "day", "minute", "year"]);
      const sql = {
        engine: `${part}(${moment.text.engine} AT TIME ZONE '${zone}')`,
        duckdb: `${part}(${moment.text.duckdb} AT TIME ZONE '${zone}')`,
      };
      return make(sql, BIGINT, [moment], 10_000);
    }
    case 3: {
      const bytes = source.of("varbinary", depth);
      return make({ engine: `length(${bytes.text.engine})`, duckdb: `(length(${bytes.text.duckdb}) // 2)` }, BIGINT, [bytes], 1000);
    }
    default: {
      const duration = source.of("days", depth);
      return make(
        { engine: `to_milliseconds(${duration.text.engine})`, duckdb: `(${duration.text.duckdb})` },
        BIGINT,
        [duration],
        duration.bound,
      );
    }
  }
}

/** Text computed from such a value. */
export function stringFromPlain(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  switch (random.below(4)) {
    case 0: {
      const char = source.of("char", depth);
      return make({ engine: `CAST(${char.text.engine} AS varchar)`, duckdb: `(${char.text.duckdb})` }, VARCHAR, [char]);
    }
    case 1: {
      const bytes = source.of("varbinary", depth);
      return make(
        random.pick([
          { engine: `to_hex(${bytes.text.engine})`, duckdb: `(${bytes.text.duckdb})` },
          { engine: `to_base64(${bytes.text.engine})`, duckdb: `base64(unhex(${bytes.text.duckdb}))` },
        ]),
        VARCHAR,
        [bytes],
      );
    }
    case 2: {
      const identifier = source.of("uuid", depth);
      return make({ engine: `CAST(${identifier.text.engine} AS varchar)`, duckdb: `(${identifier.text.duckdb})` }, VARCHAR, [identifier]);
    }
    default: {
      const stamp = source.of("timestamp", depth);
      const sql = {
        engine: `date_format(${stamp.text.engine}, '%Y-%m-%d %H:%i:%s')`,
        duckdb: `strftime(${stamp.text.duckdb}, '%Y-%m-%d %H:%M:%S')`,
      };
      return make(sql, VARCHAR, [stamp]);
    }
  }
}
