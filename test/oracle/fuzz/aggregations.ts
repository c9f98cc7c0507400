/**
 * Aggregates that do not depend on the order of rows, in both dialects.
 */
import { isInteger, isOrderable, join, type SqlType, type Text, text, type } from "./dialects.ts";
import { BIGINT, type Expression } from "./expressions/generated-expression.ts";
import type { Expressions } from "./expressions/expression-generator.ts";
import type { Random } from "./random.ts";

const rowsOfGroupMax = 1e5;

export function drawAggregation(random: Random, source: Expressions): Expression {
  const argument = source.any(random.below(3));
  const filter = random.chance(20) ? text` FILTER (WHERE ${source.condition(1).text})` : text``;
  const distinct = random.chance(20) ? "DISTINCT " : "";
  const bigint = type("bigint");
  const result = (sql: Text, resultType: SqlType, bound = Number.POSITIVE_INFINITY, exact = false): Expression => {
    return { text: sql, type: resultType, bound, exact, variable: true };
  };
  const { kind, scale } = argument.type;
  const sum = argument.bound * rowsOfGroupMax;
  switch (random.below(18)) {
    case 0:
      return result(text`count(*)${filter}`, bigint, 1e6);
    case 1:
      return result(text`count(${distinct}${argument.text})${filter}`, bigint, 1e6);
    case 2:
    case 3:
      if (isInteger(kind) && sum < 1e17) {
        const call = text`sum(${distinct}${argument.text})${filter}`;
        return result({ engine: call.engine, duckdb: `CAST(${call.duckdb} AS bigint)` }, bigint, sum);
      }
      if (kind === "decimal" && sum < 1e27) {
        return result(text`sum(${distinct}${argument.text})${filter}`, type("decimal", 38, scale), sum);
      }
      if (kind === "double" && argument.exact && sum < 1e12) {
        return result(text`sum(${distinct}${argument.text})${filter}`, type("double"), sum);
      }
      break;
    case 4:
      if ((isInteger(kind) || (kind === "double" && argument.exact)) && sum < 1e12) {
        return result(text`avg(${distinct}${argument.text})${filter}`, type("double"));
      }
      break;
    case 7:
      if ((isInteger(kind) || (kind === "double" && argument.exact)) && argument.bound < 1e6) {
        const call = random.pick(["stddev", "var_pop", "stddev_pop", "variance", "var_samp"]);
        return result(text`${call}(CAST(${argument.text} AS double))${filter}`, type("double"));
      }
      break;
    case 8:
      if (kind === "boolean") {
        const call = text`count_if(${argument.text})${filter}`;
        return result({ engine: call.engine, duckdb: `coalesce(${call.duckdb}, 0)` }, bigint, 1e6);
      }
      if (kind === "bigint") {
        const call = random.pick(["and", "or"]);
        return result(text`${{ engine: `bitwise_${call}_agg`, duckdb: `bit_${call}` }}(${argument.text})${filter}`, bigint);
      }
      break;
    case 5:
      if (kind === "boolean") {
        return result(text`${random.pick(["bool_and", "bool_or"])}(${argument.text})${filter}`, argument.type);
      }
      break;
    case 9:
      if (kind === "decimal" && argument.type.precision <= 18 && sum < 1e15) {
        return decimalAverage(argument, { distinct, filter });
      }
      break;
    case 10:
      if ((kind === "days" || kind === "months") && sum < 1e17) {
        const call = text`sum(${argument.text})${filter}`;
        return result(
          { engine: call.engine, duckdb: `CAST(${call.duckdb} AS ${kind === "days" ? "bigint" : "integer"})` },
          argument.type,
          sum,
        );
      }
      break;
    case 11:
      return listOf(random, source, filter);
    case 12:
      return ofExtreme(random, source, filter);
    case 13:
      return ofHistogram(random, source, filter);
    case 14:
      return ofText(random, source, distinct, filter);
    case 15:
    case 16:
      return reduced(random, source, filter);
    case 17:
      return inOrder(random, source, filter);
    default:
  }
  if (!isOrderable(kind)) {
    return result(text`count(${distinct}${argument.text})${filter}`, bigint, 1e6);
  }
  return result(text`${random.pick(["min", "max"])}(${argument.text})${filter}`, argument.type, argument.bound, argument.exact);
}

/** Rounded half up to the argument's scale. DuckDB's own average is a double, so its exact sum is divided in integer units of the scale. */
function decimalAverage(
  { text: argument, type: of, bound }: Expression,
  asked: { readonly distinct: string; readonly filter: Text },
): Expression {
  const call = text`(${asked.distinct}${argument})${asked.filter}`;
  const unit = 10 ** of.scale;
  const whole = `CAST(sum${call.duckdb} * ${unit} AS hugeint)`;
  const count = `count${call.duckdb}`;
  const rounded = `sign(${whole}) * ((2 * abs(${whole}) + ${count}) // nullif(2 * ${count}, 0))`;
  const exact = `CAST(CAST(CAST(${rounded} AS hugeint) AS decimal(38, 0)) / ${unit} AS decimal(${of.precision}, ${of.scale}))`;
  return {
    text: { engine: `avg${call.engine}`, duckdb: of.scale === 0 ? `CAST(${rounded} AS decimal(${of.precision}, 0))` : exact },
    type: of,
    bound,
    exact: false,
    variable: true,
  };
}

/** All values, sorted, so that the order of rows cannot be observed. */
function listOf(random: Random, source: Expressions, filter: Text): Expression {
  const argument = source.of(random.pick(["bigint", "varchar"] as const), 1);
  const order = random.pick(["", " DESC"]);
  const distinct = random.pick(["", "DISTINCT "]);
  const given = filter.engine === "" ? text` FILTER (WHERE ${argument.text} IS NOT NULL)` : undefined;
  const call = (name: string): Text => text`${name}(${distinct}${argument.text} ORDER BY ${argument.text}${order})${given ?? filter}`;
  const list = {
    text: { engine: call("array_agg").engine, duckdb: call("list").duckdb },
    bound: argument.bound,
    exact: true,
    variable: true,
  };
  return given !== undefined && argument.bound <= 1e9
    ? { ...list, type: type(argument.type.kind === "bigint" ? "bigints" : "texts") }
    : {
        // Includes NULLs, because only their number is used.
        ...list,
        text: { engine: `cardinality(${list.text.engine})`, duckdb: `CAST(len(${list.text.duckdb}) AS bigint)` },
        type: BIGINT,
        bound: rowsOfGroupMax,
      };
}

/** Texts of a group in order, with a separator. */
function ofText(random: Random, source: Expressions, distinct: string, filter: Text): Expression {
  const argument = source.of("varchar", 1);
  // The oracle does not accept constants in ORDER BY.
  if (!argument.variable) {
    return { text: text`count(*)${filter}`, type: BIGINT, bound: rowsOfGroupMax, exact: true, variable: true };
  }
  const between = random.pick([", ", "", "日"]);
  const order = `${argument.text.engine}${random.pick(["", " DESC"])}`;
  const engine = `listagg(${distinct}${argument.text.engine}, '${between}') WITHIN GROUP (ORDER BY ${order})${filter.engine}`;
  const duckOrder = `${argument.text.duckdb}${order.slice(argument.text.engine.length)}`;
  const duckdb = `string_agg(${distinct}${argument.text.duckdb}, '${between}' ORDER BY ${duckOrder})${filter.duckdb}`;
  return { text: { engine, duckdb }, type: type("varchar"), bound: 0, exact: true, variable: true };
}

/** Sums, minimums and maximums computed with a lambda. */
function reduced(random: Random, source: Expressions, filter: Text): Expression {
  const argument = source.of(random.pick(["integer", "bigint"] as const), 1);
  const value = text`CAST(${argument.text} AS bigint)`;
  const isSum = argument.bound * rowsOfGroupMax < 1e17;
  const [start, step, call] = isSum
    ? (["0", "s + t", "sum"] as const)
    : random.pick([
        ["-9223372036854775808", "greatest(s, t)", "max"],
        ["9223372036854775807", "least(s, t)", "min"],
      ] as const);
  const engine = `reduce_agg(${value.engine}, BIGINT '${start}', (s, t) -> ${step}, (s, t) -> ${step})${filter.engine}`;
  const duckdb = `CAST(${call}(${value.duckdb})${filter.duckdb} AS bigint)`;
  return {
    text: { engine, duckdb },
    type: BIGINT,
    bound: isSum ? argument.bound * rowsOfGroupMax : argument.bound,
    exact: true,
    variable: true,
  };
}

/** Values ordered by other columns first: rows that tie in all of them are interchangeable. NULLs are kept. */
function inOrder(random: Random, source: Expressions, filter: Text): Expression {
  const argument = source.of("bigint", 1);
  const keys = [
    source.leaf(random.pick(["varchar", "integer", "date", "double"] as const)),
    source.leaf(random.pick(["boolean", "decimal", "integer"] as const)),
    argument,
  ].slice(random.below(3));
  const order = keys
    .filter(({ variable }) => variable)
    .map(({ text: key }) => text`${key}${random.pick(["", " DESC"])} NULLS ${random.pick(["LAST", "FIRST"])}`);
  // The oracle does not accept constants in ORDER BY. Without any key, all values are equal.
  const ordered = order.length === 0 ? text`` : text` ORDER BY ${join(order, ", ")}`;
  const sql = {
    engine: `array_agg(${argument.text.engine}${ordered.engine})${filter.engine}`,
    duckdb: `list(${argument.text.duckdb}${ordered.duckdb})${filter.duckdb}`,
  };
  return { text: sql, type: type("holes"), bound: argument.bound, exact: true, variable: true };
}

/** The value for the largest or smallest key is computed from that key, so that rows with equal keys agree. */
function ofExtreme(random: Random, source: Expressions, filter: Text): Expression {
  const key = source.leaf(random.pick(["integer", "varchar", "date", "bigint"] as const));
  const which = random.pick(["max", "min"]);
  const other = source.leaf(key.type.kind);
  const of = text`nullif(${key.text}, ${other.variable ? key.text : other.text})`;
  const sql = {
    engine: `${which}_by(${of.engine}, ${key.text.engine})${filter.engine}`,
    duckdb: `arg_${which}_null(${of.duckdb}, ${key.text.duckdb})${filter.duckdb}`,
  };
  return { text: sql, type: key.type, bound: key.bound, exact: key.exact, variable: true };
}

/** Maps of counts and of keys; an empty map becomes NULL. */
function ofHistogram(random: Random, source: Expressions, filter: Text): Expression {
  const key = source.of(random.pick(["varchar", "varchar", "bigint"] as const), 1);
  const condition = filter.engine === "" ? text`` : filter;
  if (key.type.kind === "varchar" && random.chance(60)) {
    const word = random.pick(["a", "", "日本", "ab"]);
    const counted = text`nullif(count(CASE WHEN ${key.text} = '${word}' THEN 1 END)${condition}, 0)`;
    return {
      text: { engine: `element_at(histogram(${key.text.engine})${condition.engine}, '${word}')`, duckdb: counted.duckdb },
      type: BIGINT,
      bound: rowsOfGroupMax,
      exact: true,
      variable: true,
    };
  }
  return {
    text: {
      engine: `cardinality(map_agg(${key.text.engine}, ${key.text.engine})${condition.engine})`,
      duckdb: `nullif(count(DISTINCT ${key.text.duckdb})${condition.duckdb}, 0)`,
    },
    type: BIGINT,
    bound: rowsOfGroupMax,
    exact: true,
    variable: true,
  };
}
