/**
 * Arrays with NULL among their elements, and arrays of such: made, taken apart and asked, never compared by =.
 */
import { join, type Text, text, type } from "../dialects.ts";
import { elementMax, guarded, lambda, parameterOf, predicate, present } from "./elements.ts";
import { BIGINT, BOOLEAN, type Expression, make, VARCHAR } from "./generated-expression.ts";
import type { ExpressionSource } from "./source.ts";

const HOLES = type("holes");
const LISTS = type("lists");
const BIGINTS = type("bigints");

function array(parts: readonly Text[]): Text {
  const list = join(parts, ", ");
  return { engine: `ARRAY[${list.engine}]`, duckdb: `[${list.duckdb}]` };
}

export function drawHoles(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  switch (random.below(8)) {
    case 0: {
      const parts = Array.from({ length: 1 + random.below(3) }, () => source.of("integer", depth));
      const bound = Math.max(...parts.map((part) => part.bound));
      const list = array(parts.map((part) => text`CAST(${part.text} AS bigint)`));
      return bound <= elementMax ? make(list, HOLES, parts, bound, true) : source.leaf("holes");
    }
    case 1: {
      const a = source.of(random.pick(["bigints", "holes"] as const), depth);
      const changed = lambda(source, parameterOf(source, a), (inside) => inside.of("bigint", 1));
      const sql = {
        engine: `transform(${a.text.engine}, ${changed.engine})`,
        duckdb: `list_transform(${a.text.duckdb}, ${changed.duckdb})`,
      };
      return changed.body.bound <= elementMax ? make(sql, HOLES, [a, changed.body], changed.body.bound, true) : source.leaf("holes");
    }
    case 2:
      return zipped(source, depth, "holes");
    case 3: {
      const a = source.of("lists", depth);
      const place = random.pick([1, 2, -1]);
      const sql = { engine: `element_at(${a.text.engine}, ${place})`, duckdb: `list_extract(${a.text.duckdb}, ${place})` };
      return make(sql, HOLES, [a], a.bound, true);
    }
    case 4: {
      // NULL arrays are omitted.
      const a = source.of("lists", depth);
      const sql = { engine: `flatten(${a.text.engine})`, duckdb: `flatten(list_filter(${a.text.duckdb}, lambda one: one IS NOT NULL))` };
      return make(sql, HOLES, [a], a.bound, true);
    }
    case 5: {
      const a = source.of("holes", depth);
      const b = source.of(random.pick(["holes", "holes", "bigint"] as const), depth);
      if (!(b.bound <= elementMax)) {
        return a;
      }
      // NULL is an ordinary element; a NULL array yields nothing.
      const single = b.type.kind === "bigint";
      const both = guarded(
        `(${a.text.engine} || ${b.text.engine})`,
        single ? [a] : [a, b],
        `list_${single ? "append" : "concat"}(${a.text.duckdb}, ${b.text.duckdb})`,
      );
      const turned = guarded(`(${b.text.engine} || ${a.text.engine})`, [a], `list_prepend(${b.text.duckdb}, ${a.text.duckdb})`);
      return make(single && random.chance(50) ? turned : both, HOLES, [a, b], Math.max(a.bound, b.bound), true);
    }
    case 6: {
      const a = source.of("holes", depth);
      const [engine, duckdb] = [a.text.engine, a.text.duckdb];
      const number = random.below(4);
      const sql = random.pick([
        { engine: `array_sort(${engine})`, duckdb: `list_sort(${duckdb}, 'ASC', 'NULLS LAST')` },
        { engine: `reverse(${engine})`, duckdb: `list_reverse(${duckdb})` },
        { engine: `slice(${engine}, 2, ${number})`, duckdb: `list_slice(${duckdb}, 2, ${number + 1})` },
        {
          engine: `array_remove(${engine}, ${number})`,
          duckdb: `list_filter(${duckdb}, lambda other: other IS DISTINCT FROM ${number})`,
        },
      ]);
      return make(sql, HOLES, [a], a.bound, true);
    }
    default:
      return source.leaf("holes");
  }
}

export function drawLists(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  switch (random.below(5)) {
    case 3: {
      const [a, b] = [source.of("lists", depth), source.of(random.pick(["holes", "bigints"] as const), depth)];
      const sql = random.pick([
        guarded(`(${a.text.engine} || ${b.text.engine})`, [a], `list_append(${a.text.duckdb}, ${b.text.duckdb})`),
        guarded(`(${b.text.engine} || ${a.text.engine})`, [a], `list_prepend(${b.text.duckdb}, ${a.text.duckdb})`),
      ]);
      return make(sql, LISTS, [a, b], Math.max(a.bound, b.bound), true);
    }
    case 0: {
      const parts = Array.from({ length: 1 + random.below(2) }, () => source.of(random.pick(["holes", "bigints"] as const), depth));
      return make(array(parts.map((part) => part.text)), LISTS, parts, Math.max(...parts.map((part) => part.bound)), true);
    }
    case 1: {
      const a = source.of(random.pick(["bigints", "holes"] as const), depth);
      const changed = lambda(source, parameterOf(source, a), (inside) => {
        const [first, second] = [inside.leaf("bigint"), inside.leaf("bigint")];
        return make(array([first.text, second.text]), HOLES, [first, second], Math.max(first.bound, second.bound), true);
      });
      const sql = {
        engine: `transform(${a.text.engine}, ${changed.engine})`,
        duckdb: `list_transform(${a.text.duckdb}, ${changed.duckdb})`,
      };
      return make(sql, LISTS, [a, changed.body], changed.body.bound, true);
    }
    case 2: {
      const a = source.of("lists", depth);
      const chosen = lambda(source, parameterOf(source, a), (inside) => {
        const drawn = inside.condition(1);
        return { ...drawn, text: present(drawn, "false") };
      });
      const sql = random.pick([
        { engine: `reverse(${a.text.engine})`, duckdb: `list_reverse(${a.text.duckdb})` },
        { engine: `slice(${a.text.engine}, 1, 2)`, duckdb: `list_slice(${a.text.duckdb}, 1, 2)` },
        { engine: `filter(${a.text.engine}, ${chosen.engine})`, duckdb: `list_filter(${a.text.duckdb}, ${chosen.duckdb})` },
      ]);
      return make(sql, LISTS, [a, chosen.body], a.bound, true);
    }
    default:
      return source.leaf("lists");
  }
}

/** zip of two arrays; the shorter one is filled with NULL. */
export function zipped(source: ExpressionSource, depth: number, kind: "holes" | "bigints"): Expression {
  const { random } = source;
  const lists = [0, 1].map(() => source.of(random.pick(["bigints", "holes"] as const), depth)) as [Expression, Expression];
  const [a, b] = lists;
  const [x, y] = lists.map(({ bound }, index): Expression => {
    return { text: text`${index === 0 ? "x" : "y"}${source.level}`, type: BIGINT, bound, exact: true, variable: true };
  }) as [Expression, Expression];
  const drawn = source.inside([x, y]).of("bigint", 1);
  const body = kind === "bigints" ? present(drawn, "CAST(0 AS bigint)") : drawn.text;
  if (!(drawn.bound <= elementMax)) {
    return source.leaf(kind);
  }
  const place = `i${source.level}`;
  const inPlace = [x, y].reduce((sql, { text: { duckdb } }, index) => {
    return sql.replaceAll(new RegExp(`\\b${duckdb}\\b`, "g"), `list_extract(${(lists[index] as Expression).text.duckdb}, ${place})`);
  }, body.duckdb);
  const places = `generate_series(1, greatest(len(${a.text.duckdb}), len(${b.text.duckdb})))`;
  const engine = `zip_with(${a.text.engine}, ${b.text.engine}, (${x.text.engine}, ${y.text.engine}) -> ${body.engine})`;
  const sql = guarded(engine, lists, `list_transform(${places}, lambda ${place}: ${inPlace})`);
  return make(sql, type(kind), [a, b, drawn], drawn.bound, true);
}

/** No element is NULL. */
export function numbersWithoutHoles(source: ExpressionSource, depth: number): Expression {
  const a = source.of("holes", depth);
  const sql = source.random.pick([
    {
      engine: `filter(${a.text.engine}, one -> one IS NOT NULL)`,
      duckdb: `list_filter(${a.text.duckdb}, lambda one: one IS NOT NULL)`,
    },
    {
      engine: `transform(${a.text.engine}, one -> coalesce(one, BIGINT '7'))`,
      duckdb: `list_transform(${a.text.duckdb}, lambda one: coalesce(one, 7))`,
    },
  ]);
  return make(sql, BIGINTS, [a], Math.max(a.bound, 7), true);
}

export function numberFromHoles(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const a = source.of("holes", depth);
  const { engine, duckdb } = a.text;
  switch (random.below(5)) {
    case 0: {
      const list = source.of(random.pick(["holes", "lists"] as const), depth);
      return make({ engine: `cardinality(${list.text.engine})`, duckdb: `CAST(len(${list.text.duckdb}) AS bigint)` }, BIGINT, [list], 1000);
    }
    case 1: {
      const place = random.pick([1, 2, -1]);
      return make({ engine: `element_at(${engine}, ${place})`, duckdb: `list_extract(${duckdb}, ${place})` }, BIGINT, [a], a.bound);
    }
    case 2: {
      // NULL if one element is NULL.
      const call = random.pick(["max", "min"]);
      const known = `CASE WHEN len(list_filter(${duckdb}, lambda one: one IS NULL)) = 0 THEN list_${call}(${duckdb}) END`;
      return make({ engine: `array_${call}(${engine})`, duckdb: known }, BIGINT, [a], a.bound);
    }
    case 3: {
      const sum = {
        engine: `reduce(${engine}, BIGINT '0', (s, e) -> s + coalesce(e, BIGINT '1'), s -> s)`,
        duckdb: `CAST(coalesce(list_sum(list_transform(${duckdb}, lambda one: coalesce(one, 1))), 0) AS bigint)`,
      };
      return a.bound <= elementMax ? make(guarded(sum.engine, [a], sum.duckdb), BIGINT, [a], a.bound * 1000) : source.leaf("bigint");
    }
    default: {
      const number = random.below(5);
      const call = { engine: `array_position(${engine}, ${number})`, duckdb: `coalesce(list_position(${duckdb}, ${number}), 0)` };
      return make(guarded(call.engine, [a], call.duckdb), BIGINT, [a], 1000);
    }
  }
}

export function conditionOnHoles(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const a = source.of("holes", depth);
  const { engine, duckdb } = a.text;
  switch (random.below(3)) {
    case 0: {
      const number = random.below(5);
      // Membership if other elements are NULL.
      const sql = {
        engine: `coalesce(contains(${engine}, ${number}), false)`,
        duckdb: `coalesce(list_contains(${duckdb}, ${number}), false)`,
      };
      return make(sql, BOOLEAN, [a]);
    }
    case 1: {
      const chosen = predicate(source, a);
      const count = `len(list_filter(${duckdb}, ${chosen.duckdb}))`;
      return make({ engine: `any_match(${engine}, ${chosen.engine})`, duckdb: `(${count} > 0)` }, BOOLEAN, [a, chosen.body]);
    }
    default: {
      const b = source.of(random.pick(["holes", "bigints"] as const), depth);
      return make(text`(${a.text} IS ${random.pick(["", "NOT "])}DISTINCT FROM ${b.text})`, BOOLEAN, [a, b]);
    }
  }
}

export function stringFromHoles(source: ExpressionSource, depth: number): Expression {
  const a = source.of("holes", depth);
  const { engine, duckdb } = a.text;
  const shown = `list_transform(${duckdb}, lambda one: coalesce(CAST(one AS varchar), 'N'))`;
  const sql = source.random.pick([
    { engine: `array_join(${engine}, ',', 'N')`, duckdb: `array_to_string(${shown}, ',')` },
    { engine: `array_join(${engine}, ',')`, duckdb: `array_to_string(list_filter(${duckdb}, lambda one: one IS NOT NULL), ',')` },
    { engine: `json_format(CAST(${engine} AS json))`, duckdb: `CAST(to_json(${duckdb}) AS varchar)` },
  ]);
  return make(guarded(sql.engine, [a], sql.duckdb), VARCHAR, [a]);
}
