/**
 * Expressions of arrays, maps, rows and JSON, and of scalar kinds computed from them, with lambdas. NULL elements, values and fields occur
 * only in the kinds of null-elements.ts and null-entries.ts (the dialects compare them differently; the oracle's files cover that). Sets
 * are sorted, because their order is undefined. Functions of NULL are guarded where DuckDB skips NULL.
 */
import { join, type Kind, type Text, text, type } from "../dialects.ts";
import { elementMax, fieldOf, guarded, lambda, parameterOf, predicate, present } from "./elements.ts";
import { BIGINT, BOOLEAN, type Expression, make, VARCHAR } from "./generated-expression.ts";
import { conditionOnGaps, drawGaps, drawParts, numberFromGaps, stringFromGaps } from "./null-entries.ts";
import { conditionOnHoles, drawHoles, drawLists, numberFromHoles, numbersWithoutHoles, stringFromHoles, zipped } from "./null-elements.ts";
import { words } from "./literals.ts";
import type { Random } from "../random.ts";
import type { ExpressionSource } from "./source.ts";

const BIGINTS = type("bigints");
const TEXTS = type("texts");
const MAP = type("map");
const ROW = type("row");
const JSON_TYPE = type("json");

type ListKind = "bigints" | "texts";

function literalText(random: Random): string {
  return `'${random.pick(words)}'`;
}

export function drawStructured(source: ExpressionSource, kind: Kind, depth: number): Expression {
  switch (kind) {
    case "bigints":
    case "texts":
      return drawList(source, kind, depth);
    case "map":
      return drawMap(source, depth);
    case "row":
      return drawRow(source, depth);
    case "holes":
      return drawHoles(source, depth);
    case "lists":
      return drawLists(source, depth);
    case "gaps":
      return drawGaps(source, depth);
    case "parts":
      return drawParts(source, depth);
    default:
      return drawDocument(source, depth);
  }
}

function drawList(source: ExpressionSource, kind: ListKind, depth: number): Expression {
  const { random } = source;
  const a = source.of(kind, depth);
  const like = (sql: Text, parts: readonly Expression[], bound = a.bound): Expression => make(sql, a.type, parts, bound, true);
  const { engine, duckdb } = a.text;
  switch (random.below(10)) {
    case 0: {
      const b = source.of(kind, depth);
      const call = random.pick([
        { engine: `(${engine} || ${b.text.engine})`, duckdb: `list_concat(${duckdb}, ${b.text.duckdb})` },
        {
          engine: `array_sort(array_union(${engine}, ${b.text.engine}))`,
          duckdb: `list_sort(list_distinct(list_concat(${duckdb}, ${b.text.duckdb})))`,
        },
        {
          engine: `array_sort(array_intersect(${engine}, ${b.text.engine}))`,
          duckdb: `list_sort(list_distinct(list_intersect(${duckdb}, ${b.text.duckdb})))`,
        },
        {
          engine: `array_sort(array_except(${engine}, ${b.text.engine}))`,
          duckdb: `list_sort(list_distinct(list_filter(${duckdb}, lambda other: NOT list_contains(${b.text.duckdb}, other))))`,
        },
      ]);
      return like(guarded(call.engine, [a, b], call.duckdb), [a, b], Math.max(a.bound, b.bound));
    }
    case 7: {
      // NULL arrays are omitted.
      const b = source.of(kind, depth);
      const empty = kind === "bigints" ? "CAST([] AS bigint[])" : "CAST([] AS varchar[])";
      const both = `list_concat(coalesce(${duckdb}, ${empty}), coalesce(${b.text.duckdb}, ${empty}))`;
      return like({ engine: `flatten(ARRAY[${engine}, ${b.text.engine}])`, duckdb: both }, [a, b], Math.max(a.bound, b.bound));
    }
    case 1:
      return like(
        random.pick([
          { engine: `array_sort(array_distinct(${engine}))`, duckdb: `list_sort(list_distinct(${duckdb}))` },
          { engine: `array_sort(${engine})`, duckdb: `list_sort(${duckdb})` },
          { engine: `reverse(${engine})`, duckdb: `list_reverse(${duckdb})` },
          {
            engine: `array_sort(${engine}, (l, r) -> IF(l < r, 1, IF(l = r, 0, -1)))`,
            duckdb: `list_reverse_sort(${duckdb})`,
          },
        ]),
        [a],
      );
    case 2: {
      const [start, length] = [1 + random.below(3), random.below(3)];
      return like({ engine: `slice(${engine}, ${start}, ${length})`, duckdb: `list_slice(${duckdb}, ${start}, ${start + length - 1})` }, [
        a,
      ]);
    }
    case 3: {
      const chosen = predicate(source, a);
      return like({ engine: `filter(${engine}, ${chosen.engine})`, duckdb: `list_filter(${duckdb}, ${chosen.duckdb})` }, [a, chosen.body]);
    }
    case 4: {
      const changed = lambda(source, parameterOf(source, a), (inside) => {
        const drawn = inside.of(kind === "bigints" ? "bigint" : "varchar", 1);
        return { ...drawn, text: present(drawn, kind === "bigints" ? "CAST(0 AS bigint)" : "''") };
      });
      if (kind === "bigints" && !(changed.body.bound <= elementMax)) {
        return a;
      }
      return like(
        { engine: `transform(${engine}, ${changed.engine})`, duckdb: `list_transform(${duckdb}, ${changed.duckdb})` },
        [a, changed.body],
        changed.body.bound,
      );
    }
    case 5: {
      const literal = kind === "bigints" ? String(random.below(5)) : literalText(random);
      return like({ engine: `array_remove(${engine}, ${literal})`, duckdb: `list_filter(${duckdb}, lambda other: other <> ${literal})` }, [
        a,
      ]);
    }
    case 6:
      return kind === "bigints" ? numbersMade(source, depth) : textsMade(source, depth);
    default:
      return a;
  }
}

function numbersMade(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  switch (random.below(7)) {
    case 3:
    case 4:
      return numbersWithoutHoles(source, depth);
    case 5:
      return zipped(source, depth, "bigints");
    case 0: {
      const parts = Array.from({ length: 1 + random.below(3) }, () => source.of("integer", depth));
      const list = join(
        parts.map((part) => text`CAST(${present(part, "0")} AS bigint)`),
        ", ",
      );
      const bound = Math.max(...parts.map((part) => part.bound));
      return bound <= elementMax
        ? make(text`${{ engine: "ARRAY", duckdb: "" }}[${list}]`, BIGINTS, parts, bound, true)
        : source.leaf("bigints");
    }
    case 1: {
      const [from, to, step] = [random.below(4), random.below(8), 1 + random.below(2)];
      const sql = {
        engine: `sequence(CAST(${from} AS bigint), ${from + to}, ${step})`,
        duckdb: `generate_series(CAST(${from} AS bigint), ${from + to}, ${step})`,
      };
      return make(sql, BIGINTS, [], 12, true);
    }
    case 2: {
      const texts = source.of("texts", depth);
      const sql = {
        engine: `transform(${texts.text.engine}, item -> length(item))`,
        duckdb: `list_transform(${texts.text.duckdb}, lambda item: CAST(length(item) AS bigint))`,
      };
      return make(sql, BIGINTS, [texts], 1000, true);
    }
    default: {
      const map = source.of("map", depth);
      return make(text`map_values(${map.text})`, BIGINTS, [map], map.bound, true);
    }
  }
}

function textsMade(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  if (random.chance(50)) {
    const map = source.of("map", depth);
    return make(text`map_keys(${map.text})`, TEXTS, [map]);
  }
  if (random.chance(50)) {
    const string = source.of("varchar", depth);
    const separator = random.pick(["a", " ", "%", "日"]);
    const sql = { engine: `split(${string.text.engine}, '${separator}')`, duckdb: `string_split(${string.text.duckdb}, '${separator}')` };
    return make(sql, TEXTS, [string]);
  }
  const parts = Array.from({ length: 1 + random.below(3) }, () => source.of("varchar", depth));
  const list = join(
    parts.map((part) => text`CAST(${present(part, "''")} AS varchar)`),
    ", ",
  );
  return make(text`${{ engine: "ARRAY", duckdb: "" }}[${list}]`, TEXTS, parts);
}

function drawMap(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const a = source.of("map", depth);
  const value: Expression = { text: text`v${source.level}`, type: BIGINT, bound: a.bound, exact: true, variable: true };
  const key: Expression = { text: text`k${source.level}`, type: VARCHAR, bound: 0, exact: true, variable: true };
  // DuckDB has no lambdas over maps; its map entries are a list of structs.
  const inEntries = (sql: string): string =>
    sql
      .replaceAll(new RegExp(`\\b${key.text.duckdb}\\b`, "g"), "entry.key")
      .replaceAll(new RegExp(`\\b${value.text.duckdb}\\b`, "g"), "entry.value");
  const parameters = `(${key.text.engine}, ${value.text.engine})`;
  switch (random.below(5)) {
    case 3: {
      const b = source.of("map", depth);
      // The last value of a key wins. The oracle omits NULL maps, and compares maps entry by entry.
      const sql = guarded(
        `map_from_entries(array_sort(map_entries(map_concat(${a.text.engine}, ${b.text.engine}))))`,
        [a, b],
        `map_from_entries(list_sort(map_entries(map_concat(${a.text.duckdb}, ${b.text.duckdb}))))`,
      );
      return make(sql, MAP, [a, b], Math.max(a.bound, b.bound));
    }
    case 0: {
      const drawn = source.inside([key, value]).condition(1);
      const body = present(drawn, "false");
      const sql = {
        engine: `map_filter(${a.text.engine}, ${parameters} -> ${body.engine})`,
        duckdb: `map_from_entries(list_filter(map_entries(${a.text.duckdb}), lambda entry: ${inEntries(body.duckdb)}))`,
      };
      return make(sql, MAP, [a, drawn], a.bound);
    }
    case 1: {
      const drawn = source.inside([key, value]).of("bigint", 1);
      if (!(drawn.bound <= elementMax)) {
        return a;
      }
      const body = present(drawn, "CAST(0 AS bigint)");
      const entries = `list_transform(map_entries(${a.text.duckdb}), lambda entry: {'k': entry.key, 'v': ${inEntries(body.duckdb)}})`;
      const sql = { engine: `transform_values(${a.text.engine}, ${parameters} -> ${body.engine})`, duckdb: `map_from_entries(${entries})` };
      return make(sql, MAP, [a, drawn], drawn.bound);
    }
    case 2: {
      const parts = [source.of("integer", depth), source.of("integer", depth)];
      const bound = Math.max(...parts.map((part) => part.bound));
      const list = join(
        parts.map((part) => text`CAST(${present(part, "0")} AS bigint)`),
        ", ",
      );
      const sql = { engine: `MAP(ARRAY[CAST('a' AS varchar), 'b'], ARRAY[${list.engine}])`, duckdb: `MAP(['a', 'b'], [${list.duckdb}])` };
      return bound <= elementMax ? make(sql, MAP, parts, bound) : a;
    }
    default:
      return a;
  }
}

function drawRow(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  if (random.chance(50)) {
    return source.of("row", depth);
  }
  const [a, b] = [source.of("integer", depth), source.of("varchar", depth)];
  const [number, string] = [present(a, "0"), present(b, "''")];
  const sql = {
    engine: `CAST(ROW(${number.engine}, ${string.engine}) AS row(a bigint, b varchar))`,
    duckdb: `CAST({'a': ${number.duckdb}, 'b': ${string.duckdb}} AS struct(a bigint, b varchar))`,
  };
  return make(sql, ROW, [a, b], a.bound);
}

const paths = ["$.a", "$.b", "$[0]", "$.a.b", "$.b[1]", "$[2].a"];

function drawDocument(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  switch (random.below(4)) {
    case 0: {
      const a = source.of("json", depth);
      const path = random.pick(paths);
      const sql = {
        engine: `json_extract(${a.text.engine}, '${path}')`,
        duckdb: `CAST(json_extract(CAST(${a.text.duckdb} AS json), '${path}') AS varchar)`,
      };
      return make(sql, JSON_TYPE, [a]);
    }
    case 1: {
      const part = source.of(random.pick(["bigint", "boolean", "bigints", "integer", "holes", "lists"] as const), depth);
      const sql = { engine: `CAST(${part.text.engine} AS json)`, duckdb: `CAST(to_json(${part.text.duckdb}) AS varchar)` };
      return make({ engine: sql.engine, duckdb: `CASE WHEN ${part.text.duckdb} IS NOT NULL THEN ${sql.duckdb} END` }, JSON_TYPE, [part]);
    }
    default:
      return source.of("json", depth);
  }
}

/** A bigint computed from a structured value. */
export function numberFrom(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const list = (): Expression => source.of(random.pick(["bigints", "texts"] as const), depth);
  switch (random.below(10)) {
    case 7:
      return numberFromHoles(source, depth);
    case 9:
      return numberFromGaps(source, depth);
    case 0: {
      const a = list();
      return make({ engine: `cardinality(${a.text.engine})`, duckdb: `CAST(len(${a.text.duckdb}) AS bigint)` }, BIGINT, [a], 1000);
    }
    case 1: {
      const a = source.of("bigints", depth);
      const place = random.pick([1, 2, 3, -1, -2]);
      const sql = { engine: `element_at(${a.text.engine}, ${place})`, duckdb: `list_extract(${a.text.duckdb}, ${place})` };
      return make(sql, BIGINT, [a], a.bound);
    }
    case 2: {
      const a = source.of("bigints", depth);
      if (!(a.bound <= elementMax)) {
        return source.leaf("bigint");
      }
      const add = {
        engine: `reduce(${a.text.engine}, CAST(0 AS bigint), (s, e) -> s + e, s -> s)`,
        duckdb: `CAST(coalesce(list_sum(${a.text.duckdb}), 0) AS bigint)`,
      };
      return make(guarded(add.engine, [a], add.duckdb), BIGINT, [a], a.bound * 1000);
    }
    case 3: {
      const a = source.of("bigints", depth);
      const call = random.pick(["max", "min"]);
      return make({ engine: `array_${call}(${a.text.engine})`, duckdb: `list_${call}(${a.text.duckdb})` }, BIGINT, [a], a.bound);
    }
    case 4: {
      const a = list();
      const literal = a.type.kind === "bigints" ? String(random.below(5)) : literalText(random);
      const call = {
        engine: `array_position(${a.text.engine}, ${literal})`,
        duckdb: `coalesce(list_position(${a.text.duckdb}, ${literal}), 0)`,
      };
      return make(guarded(call.engine, [a], call.duckdb), BIGINT, [a], 1000);
    }
    case 5: {
      const a = source.of("map", depth);
      const key = random.pick(["a", "b", "z"]);
      return make(
        random.pick([
          { engine: `element_at(${a.text.engine}, '${key}')`, duckdb: `(${a.text.duckdb})['${key}']` },
          { engine: `cardinality(${a.text.engine})`, duckdb: `CAST(cardinality(${a.text.duckdb}) AS bigint)` },
        ]),
        BIGINT,
        [a],
        Math.max(a.bound, 10),
      );
    }
    case 6: {
      const a = source.of("row", depth);
      return make(fieldOf(a, "a"), BIGINT, [a], a.bound);
    }
    default: {
      const a = source.of("json", depth);
      const document = `CAST(${a.text.duckdb} AS json)`;
      return make(
        {
          engine: `json_array_length(${a.text.engine})`,
          duckdb: `CASE WHEN json_type(${document}) = 'ARRAY' THEN CAST(json_array_length(${document}) AS bigint) END`,
        },
        BIGINT,
        [a],
        100,
      );
    }
  }
}

/** A condition on a structured value. */
export function conditionOn(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const a = source.of(random.pick(["bigints", "texts"] as const), depth);
  switch (random.below(6)) {
    case 3:
      return conditionOnHoles(source, depth);
    case 5:
      return conditionOnGaps(source, depth);
    case 0: {
      const chosen = predicate(source, a);
      const count = `len(list_filter(${a.text.duckdb}, ${chosen.duckdb}))`;
      const sql = random.pick([
        { engine: `any_match(${a.text.engine}, ${chosen.engine})`, duckdb: `(${count} > 0)` },
        { engine: `none_match(${a.text.engine}, ${chosen.engine})`, duckdb: `(${count} = 0)` },
        { engine: `all_match(${a.text.engine}, ${chosen.engine})`, duckdb: `(${count} = len(${a.text.duckdb}))` },
      ]);
      return make(sql, BOOLEAN, [a, chosen.body]);
    }
    case 1: {
      const b = source.of(a.type.kind, depth);
      const sql = guarded(`arrays_overlap(${a.text.engine}, ${b.text.engine})`, [a, b], `list_has_any(${a.text.duckdb}, ${b.text.duckdb})`);
      return make(sql, BOOLEAN, [a, b]);
    }
    case 2: {
      const part = source.of(a.type.kind === "bigints" ? "bigint" : "varchar", depth);
      const sql = guarded(
        `contains(${a.text.engine}, ${part.text.engine})`,
        [a, part],
        `list_contains(${a.text.duckdb}, ${part.text.duckdb})`,
      );
      return make(sql, BOOLEAN, [a, part]);
    }
    default: {
      const document = source.of("json", depth);
      const sql = {
        engine: `is_json_scalar(${document.text.engine})`,
        duckdb: `(json_type(CAST(${document.text.duckdb} AS json)) NOT IN ('OBJECT', 'ARRAY'))`,
      };
      return make(sql, BOOLEAN, [document]);
    }
  }
}

/** Text computed from a structured value. */
export function stringFrom(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  switch (random.below(7)) {
    case 4:
      return stringFromHoles(source, depth);
    case 6:
      return stringFromGaps(source, depth);
    case 0: {
      const a = source.of("texts", depth);
      const sql = random.pick([
        { engine: `array_join(${a.text.engine}, '-')`, duckdb: `array_to_string(${a.text.duckdb}, '-')` },
        { engine: `element_at(${a.text.engine}, 1)`, duckdb: `list_extract(${a.text.duckdb}, 1)` },
        { engine: `array_max(${a.text.engine})`, duckdb: `list_max(${a.text.duckdb})` },
        { engine: `element_at(${a.text.engine}, -1)`, duckdb: `list_extract(${a.text.duckdb}, -1)` },
      ]);
      return make(sql, VARCHAR, [a]);
    }
    case 1: {
      const a = source.of("row", depth);
      return make(fieldOf(a, "b"), VARCHAR, [a]);
    }
    case 2: {
      const a = source.of("json", depth);
      const path = random.pick(paths);
      // DuckDB's operator also returns the text of non-scalars.
      const document = `CAST(${a.text.duckdb} AS json)`;
      const sql = {
        engine: `json_extract_scalar(${a.text.engine}, '${path}')`,
        duckdb: `CASE WHEN json_type(${document}, '${path}') NOT IN ('OBJECT', 'ARRAY', 'NULL') THEN json_extract_string(${document}, '${path}') END`,
      };
      return make(sql, VARCHAR, [a]);
    }
    case 3: {
      const a = source.of("json", depth);
      return make({ engine: `json_format(${a.text.engine})`, duckdb: `(${a.text.duckdb})` }, VARCHAR, [a]);
    }
    default: {
      const a = source.of("bigints", depth);
      const sql = { engine: `array_join(${a.text.engine}, ',')`, duckdb: `array_to_string(${a.text.duckdb}, ',')` };
      return make(sql, VARCHAR, [a]);
    }
  }
}
