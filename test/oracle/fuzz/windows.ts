/**
 * Window functions with deterministic results: functions that depend on the order of rows are ordered by all their columns (rows that tie
 * in all of them are interchangeable); ranks and frames of peers may have any order. All totally ordered windows of one SELECT use the same
 * order, because ties in one order are not ties in another.
 */
import { isInteger, isOrderable, join, type Text, text, type } from "./dialects.ts";
import type { Expression } from "./expressions/generated-expression.ts";
import { Expressions } from "./expressions/expression-generator.ts";
import type { Random } from "./random.ts";

const frames: readonly (readonly [string, string])[] = [
  ["UNBOUNDED PRECEDING", "CURRENT ROW"],
  ["2 PRECEDING", "1 FOLLOWING"],
  ["CURRENT ROW", "UNBOUNDED FOLLOWING"],
  ["1 FOLLOWING", "3 FOLLOWING"],
  ["3 PRECEDING", "1 PRECEDING"],
  ["UNBOUNDED PRECEDING", "UNBOUNDED FOLLOWING"],
  ["CURRENT ROW", "CURRENT ROW"],
  ["1 PRECEDING", "CURRENT ROW"],
];

function orderBy(random: Random, keys: readonly Expression[]): Text {
  const list = keys.map((key) => text`${key.text}${random.pick(["", " DESC"])} NULLS ${random.pick(["LAST", "FIRST"])}`);
  return text`ORDER BY ${join(list, ", ")}`;
}

/**
 * In the engine, a window specification may start with a name of the WINDOW clause. The name alone is the window itself; a window with an
 * order already has its partition.
 */
function over(all: readonly (Text | string)[]): Text {
  const parts = all.map((part) => text`${part}`).filter(({ engine, duckdb }) => engine !== "" || duckdb !== "");
  const engine = parts.map((part) => part.engine).filter((part, index) => !(isWindowName(part) && isWindowName(parts[index + 1]?.engine)));
  const duckdb = parts.map((part) => part.duckdb).filter((part) => part !== "");
  const [first = ""] = engine;
  const isNamed = engine.length === 1 && isWindowName(first);
  return { engine: isNamed ? `OVER ${first}` : `OVER (${engine.join(" ")})`, duckdb: `OVER (${duckdb.join(" ")})` };
}

function isWindowName(part: string | undefined): boolean {
  return /^w\d+$/.test(part ?? "");
}

export interface WholeOrder {
  readonly partition: Text | string;
  readonly total: Text;
  /** Named windows: with the partition only, and with the partition and the order. */
  readonly named?: { readonly partition: string; readonly total: string };
}

/** `name` creates names for the WINDOW clause. */
export function drawWholeOrder(random: Random, columns: readonly Expression[], name: () => string): WholeOrder {
  const partition = random.chance(60) ? text`PARTITION BY ${random.pick(columns).text}` : "";
  const order = { partition, total: orderBy(random, random.shuffle(columns)) };
  return random.chance(25) ? { ...order, named: { partition: name(), total: name() } } : order;
}

/** ` WINDOW ...`, or empty. DuckDB gets each window inline. */
export function windowClause(order: WholeOrder | undefined): Text {
  if (order?.named === undefined) {
    return text``;
  }
  const { partition, total } = order.named;
  const first = text`${order.partition}`.engine;
  return { engine: ` WINDOW ${partition} AS (${first}), ${total} AS (${partition} ${order.total.engine})`, duckdb: "" };
}

export function drawWindow(random: Random, columns: readonly Expression[], order: WholeOrder): Expression {
  const { named } = order;
  const partition = named === undefined ? order.partition : { engine: named.partition, duckdb: text`${order.partition}`.duckdb };
  const total = named === undefined ? order.total : { engine: named.total, duckdb: order.total.duckdb };
  const partial = orderBy(random, random.shuffle(columns).slice(0, 1 + random.below(2)));
  const source = new Expressions(random, { columns });
  const argument = source.any(random.below(2));
  const made = (sql: Text, like: Pick<Expression, "type" | "bound" | "exact">): Expression => ({ ...like, text: sql, variable: true });
  const number = { type: type("bigint"), bound: 1e6, exact: true };
  const rows = drawRows(random);
  // The oracle expects IGNORE NULLS inside the parentheses.
  const treatment = random.chance(30) ? " IGNORE NULLS" : random.pick(["", "", " RESPECT NULLS"]);
  const ignore = { engine: treatment, duckdb: "" };
  const inside = { engine: "", duckdb: treatment };
  if (random.chance(4)) {
    return made(drawMeasure(random, partition, total), { ...number, bound: 1e6 });
  }
  switch (random.below(8)) {
    case 7: {
      const offset = drawOffsetFrame(random, columns, partition);
      return offset === undefined ? made(text`row_number() ${over([partition, total])}`, number) : made(offset, { ...number, bound: 1e9 });
    }
    case 0:
      return made(text`row_number() ${over([partition, total])}`, number);
    case 1:
      return made(text`ntile(${1 + random.below(5)}) ${over([partition, total])}`, number);
    case 2:
      return made(text`${random.pick(["rank", "dense_rank"])}() ${over([partition, partial])}`, number);
    case 3: {
      const sql = text`${random.pick(["percent_rank", "cume_dist"])}() ${over([partition, partial])}`;
      return made(sql, { type: type("double"), bound: 1, exact: false });
    }
    case 4: {
      const call = random.pick(["lag", "lead"]);
      const fallback = random.chance(30) ? text`, ${source.leaf(argument.type.kind).text}` : text``;
      const offset = fallback.engine === "" && random.chance(40) ? "" : `, ${random.below(4)}`;
      const typed = argument.type.kind === "decimal" && fallback.engine !== "" ? text`` : fallback;
      return made(text`${call}(${argument.text}${offset}${typed}${inside})${ignore} ${over([partition, total])}`, {
        ...argument,
        bound: Number.POSITIVE_INFINITY,
        exact: false,
      });
    }
    case 5: {
      const call = random.pick([
        text`first_value(${argument.text}${inside})`,
        text`last_value(${argument.text}${inside})`,
        text`nth_value(${argument.text}, ${1 + random.below(3)}${inside})`,
      ]);
      return made(text`${call}${ignore} ${over([partition, total, rows])}`, argument);
    }
    default: {
      const compared = isOrderable(argument.type.kind) ? argument : source.leaf("integer");
      return made(aggregateOver(random, { argument: compared, partition, total, partial, rows, source }), {
        ...windowAggregateType(compared),
        bound: Number.POSITIVE_INFINITY,
        exact: false,
      });
    }
  }
}

/** A measure of a row pattern that any rows match: the number of frame rows in the match, or in some variables. */
function drawMeasure(random: Random, partition: Text | string, total: Text): Text {
  const [following, most] = [random.below(5), 1 + random.below(4)];
  const measure = random.pick(["count(*)", "count(U.*)", "count(A.*)", "FINAL count(U.*)"]);
  const recognized = `AFTER MATCH SKIP PAST LAST ROW PATTERN (A{1,${most}}) SUBSET U = (A) DEFINE A AS true`;
  const skipped = random.chance(50) ? recognized.replace("PAST LAST ROW", "TO NEXT ROW") : undefined;
  const frame = `ROWS BETWEEN CURRENT ROW AND ${following === 0 ? "CURRENT ROW" : `${following} FOLLOWING`}`;
  const matched = Math.min(following, most - 1);
  // The next match begins after the last one, unless each row starts its own.
  if (skipped === undefined && matched > 0) {
    return drawMeasure(random, partition, total);
  }
  return {
    engine: `m ${over([partition, total, `MEASURES ${measure} AS m ${frame} ${skipped ?? recognized}`]).engine}`,
    duckdb: `count(*) ${over([partition, total, `ROWS BETWEEN CURRENT ROW AND ${matched} FOLLOWING`]).duckdb}`,
  };
}

/** A ROWS frame. A row pattern that any rows match acts as one, too, as long as the match. */
function drawRows(random: Random): Text {
  if (!random.chance(15)) {
    return text`ROWS BETWEEN ${random.pick(frames).join(" AND ")}`;
  }
  const [following, most] = [random.below(5), 1 + random.below(4)];
  const [pattern, matched] = random.pick([
    ["A+", following],
    [`A{1,${most}}`, Math.min(following, most - 1)],
    ["A+?", 0],
    [`A (B | C){,${most}}`, Math.min(following, most)],
    [`A {- B*? -} C{,${most}}`, Math.min(following, most)],
  ] as const);
  const end = following === 0 ? "CURRENT ROW" : `${following} FOLLOWING`;
  const recognized = `AFTER MATCH SKIP TO NEXT ROW ${random.pick(["", "INITIAL ", "SEEK "])}PATTERN (${pattern}) DEFINE A AS true`;
  return {
    engine: `ROWS BETWEEN CURRENT ROW AND ${end} ${recognized}`,
    duckdb: `ROWS BETWEEN CURRENT ROW AND ${matched} FOLLOWING`,
  };
}

/** A RANGE frame with a distance from the current row's key: numbers, or dates with intervals. */
function drawOffsetFrame(random: Random, columns: readonly Expression[], partition: Text | string): Text | undefined {
  const keys = columns.filter(
    ({ type: { kind }, bound }) => ((isInteger(kind) || kind === "decimal") && bound < 1e6) || kind === "date" || kind === "timestamp",
  );
  if (keys.length === 0) {
    return undefined;
  }
  const key = random.pick(keys);
  const isDate = key.type.kind === "date" || key.type.kind === "timestamp";
  const distance = (): Text => {
    const number = random.pick([0, 1, 2, 5, 40]);
    return isDate ? text`INTERVAL '${number}' DAY` : text`${number}`;
  };
  const bounds = random.pick([
    text`${distance()} PRECEDING AND ${distance()} FOLLOWING`,
    text`${distance()} PRECEDING AND CURRENT ROW`,
    text`CURRENT ROW AND ${distance()} FOLLOWING`,
    text`UNBOUNDED PRECEDING AND ${distance()} FOLLOWING`,
    text`${distance()} PRECEDING AND UNBOUNDED FOLLOWING`,
    text`${distance()} FOLLOWING AND UNBOUNDED FOLLOWING`,
    text`UNBOUNDED PRECEDING AND ${distance()} PRECEDING`,
  ]);
  const counted = random.pick(columns);
  return text`count(${counted.text}) ${over([partition, orderBy(random, [key]), text`RANGE BETWEEN ${bounds}`])}`;
}

function windowAggregateType(argument: Expression): Pick<Expression, "type"> {
  return isSummable(argument) ? { type: type(argument.type.kind === "double" ? "double" : "bigint") } : { type: argument.type };
}

function isSummable({ type: { kind }, bound, exact }: Expression): boolean {
  return bound < 1e9 && (isInteger(kind) || (kind === "double" && exact));
}

function aggregateOver(
  random: Random,
  parts: {
    readonly argument: Expression;
    readonly partition: Text | string;
    readonly total: Text;
    readonly partial: Text;
    readonly rows: Text;
    readonly source: Expressions;
  },
): Text {
  const { argument, partition, total, partial, rows, source } = parts;
  const sum = text`sum(${argument.text})`;
  const filter = random.chance(20) ? text` FILTER (WHERE ${source.condition(1).text})` : text``;
  const call = isSummable(argument) ? sum : random.pick([text`min(${argument.text})`, text`max(${argument.text})`]);
  const frame = random.pick(frames);
  const window = random.pick([
    over([partition]),
    over([partition, partial]),
    over([partition, total, rows]),
    over([partition, partial, `GROUPS BETWEEN ${frame.join(" AND ")}`]),
    over([
      partition,
      partial,
      `RANGE BETWEEN ${random.pick(["UNBOUNDED PRECEDING AND CURRENT ROW", "CURRENT ROW AND UNBOUNDED FOLLOWING"])}`,
    ]),
  ]);
  const made = text`${call}${filter} ${window}`;
  return isSummable(argument) && argument.type.kind !== "double" ? { engine: made.engine, duckdb: `CAST(${made.duckdb} AS bigint)` } : made;
}
