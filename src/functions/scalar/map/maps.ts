/**
 * Map functions with and without lambdas, and string splits that return maps. Keys are never NULL and are unique; entries keep their order
 * of insertion.
 */
import { i32, i64 } from "../../../codegen/builder.ts";
import { BIGINT, mapType, type Type, UNKNOWN, VARCHAR } from "../../../types/type.ts";
import type { HostCall, HostImplementation, HostSteps, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { lambdasInSteps } from "../../runtime/large/lambda-steps.ts";
import { eachInSteps, eachOfLists, filterInSteps, mapInSteps, setNodes } from "../../runtime/large/loops.ts";
import { unitsAtOnce } from "../../runtime/large/texts.ts";
import {
  checkedMap,
  countsOf,
  elementOf,
  type Entries,
  entriesOf,
  invalidArgument,
  type List,
  mapOf,
  messageTextOf,
  ValueSet,
  valueSetOf,
} from "../../runtime/nested-values.ts";
import type { InSteps } from "../../runtime/steps.ts";
import { part, type Value } from "../../runtime/value.ts";
import { splitInSteps } from "../string/occurrences.ts";

function find(type: Type & { readonly kind: "map" }, entries: Entries, key: HostValue): HostValue | undefined {
  const wanted = new ValueSet(type.key, [key]);
  return entries.find(([k]) => wanted.has(k))?.[1];
}

const subscript: HostImplementation = ([map, key], call) => {
  const type = mapOf(call);
  const value = find(type, entriesOf(map), key as HostValue);
  return value === undefined ? invalidArgument(`Key not present in map: ${messageTextOf(type.key, key as HostValue)}`) : value;
};

const ofArrays: HostSteps = function* ([keys, values], call) {
  const [p, q] = [keys as List, values as List];
  if (p.length !== q.length) {
    return invalidArgument("Key and value arrays must be the same length");
  }
  return yield* checkedMap(elementOf(call), yield* mapInSteps(p, (key, index): Entries[number] => [key, q[index] as HostValue]));
};

function rowsOf(value: HostValue | undefined): Entries {
  return (value as List).includes(null) ? invalidArgument("map entry cannot be null") : (value as unknown as Entries);
}

function keyTypeOfRows(call: HostCall): Type {
  const row = elementOf(call);
  return row.kind === "row" ? (row.fields[0]?.type as Type) : UNKNOWN;
}

/** Keys in order of first occurrence, each with the list of its values. */
function* collected(keyType: Type, entries: Entries): InSteps<Entries> {
  const keys = new ValueSet(keyType);
  const result: (readonly [HostValue, HostValue[]])[] = [];
  yield* eachInSteps(
    entries,
    ([key, value]) => {
      if (key === null) {
        return invalidArgument("map key cannot be null");
      }
      const place = keys.place(key);
      if (place === result.length) {
        result.push([key, []]);
      }
      return result[place]?.[1].push(value);
    },
    setNodes,
  );
  return result;
}

function newKeys(keys: ValueSet, entries: Entries): InSteps<Entries> {
  return filterInSteps(entries, ([key]) => keys.add(key), setNodes);
}

/**
 * Entries of the last map first, then the entries that the earlier maps add, from the second to last map backward, as Presto orders them.
 */
const concat: HostSteps = function* (maps, call) {
  const keys = new ValueSet(mapOf(call).key);
  const parts: Entries[] = [];
  for (const map of [...maps].reverse()) {
    parts.push(yield* newKeys(keys, entriesOf(map)));
  }
  if (parts.length === 1) {
    return parts[0] as Entries;
  }
  const result: Entries[number][] = [];
  yield* eachOfLists(parts, (entry) => void result.push(entry));
  return result;
};

const zipWith = lambdasInSteps(function* ([left, right], [lambda], call) {
  const { key: keyType } = mapOf(call);
  const others = yield* valueSetOf(keyType, yield* mapInSteps(entriesOf(right), ([key]) => key));
  const known = new ValueSet(keyType);
  const result: Entries[number][] = [];
  for (const [key, value] of entriesOf(left)) {
    known.add(key);
    const other = others.indexOf(key);
    result.push([key, yield lambda(key, value, other < 0 ? null : (entriesOf(right)[other]?.[1] ?? null))]);
  }
  const rest = yield* filterInSteps(entriesOf(right), ([key]) => !known.has(key), setNodes);
  for (const [key, value] of rest) {
    result.push([key, yield lambda(key, null, value)]);
  }
  return result;
});

function* splitEntries(text: string, between: string, inside: string): InSteps<readonly (readonly [string, string])[]> {
  if (between === "") {
    return invalidArgument("entryDelimiter is empty");
  }
  if (inside === "") {
    return invalidArgument("keyValueDelimiter is empty");
  }
  if (between === inside) {
    return invalidArgument("entryDelimiter and keyValueDelimiter must not be the same");
  }
  const pieces = yield* splitInSteps(text, between);
  const given = pieces.at(-1) === "" ? pieces.slice(0, -1) : pieces;
  const entries: (readonly [string, string])[] = [];
  let units = 0;
  for (const entry of given) {
    const parts = yield* splitInSteps(entry, inside);
    if (parts.length !== 2) {
      return invalidArgument(`Key-value delimiter must appear exactly once in each entry. Bad input: '${entry}'`);
    }
    entries.push(parts as [string, string]);
    units += entry.length + unitsOfEntry;
    if (units >= unitsAtOnce) {
      yield Math.ceil(units / unitsPerStep);
      units = 0;
    }
  }
  return entries;
}

/** What an entry costs beyond its code units, in code units, and those that take as long as a step. */
const unitsOfEntry = 16;
const unitsPerStep = 64;

const splitToMap: HostSteps = function* ([text, between, inside]) {
  const entries = yield* splitEntries(text as string, between as string, inside as string);
  const seen = new ValueSet(VARCHAR);
  yield* eachInSteps(entries, ([key]) => (seen.add(key) ? undefined : invalidArgument(`Duplicate keys (${key}) are not allowed`)));
  return entries;
};

/** A million numbers take some milliseconds. */
function norm(entries: Entries): number {
  let sum = 0;
  for (const [, value] of entries) {
    sum += (value as number) ** 2;
  }
  return Math.sqrt(sum);
}

const isNullValue = ([, value]: Entries[number]): boolean => value === null;

const cosine: HostSteps = function* ([left, right], call) {
  const [p, q] = [entriesOf(left), entriesOf(right)];
  if (p.length === 0 || q.length === 0 || p.some(isNullValue) || q.some(isNullValue)) {
    return null;
  }
  const keys = new ValueSet(mapOf(call).key);
  yield* eachInSteps(q, ([key]) => void keys.place(key), setNodes);
  let product = 0;
  yield* eachInSteps(
    p,
    ([key, value]) => {
      product += (value as number) * ((q[keys.indexOf(key)]?.[1] as number | undefined) ?? 0);
    },
    setNodes,
  );
  return product / (norm(p) * norm(q));
};

const map = "map(K,V)";

const comparableKey = { constraint: "comparable", constrained: ["K"] } as const;

export const mapDefinitions: readonly ScalarDefinition[] = [
  {
    name: "map",
    args: [],
    returns: "map(unknown,unknown)",
    description: "Empty map",
    returnType: () => mapType(UNKNOWN, UNKNOWN),
    host: () => [],
    example: { sql: "map()", result: "{}" },
  },
  {
    name: "map",
    args: ["array(K)", "array(V)"],
    returns: map,
    ...comparableKey,
    description: "Map from an array of keys and an array of values",
    steps: ofArrays,
    example: { sql: "map(ARRAY['a', 'b'], ARRAY[1, NULL])", result: "{a=1, b=null}" },
  },
  {
    name: "$subscript",
    args: [map, "K"],
    returns: "V",
    givesNull: true,
    description: "Value of the key; fails if the key is absent",
    host: subscript,
  },
  {
    name: "element_at",
    args: [map, "K"],
    returns: "V",
    givesNull: true,
    description: "Value of the key, or NULL",
    host: ([entries, key], call) => find(mapOf(call), entriesOf(entries), key as HostValue) ?? null,
    example: { sql: "element_at(map(ARRAY['a'], ARRAY[1]), 'a')", result: "1" },
  },
  {
    name: "cardinality",
    args: [map],
    returns: "bigint",
    description: "Number of entries in the map",
    emit: ({ b }, [given]) => ({ type: BIGINT, parts: [b.temp(i64.extendI32U(i32.load(part(given as Value, 0))))], isNull: undefined }),
    example: { sql: "cardinality(map(ARRAY[1, 2], ARRAY[3, 4]))", result: "2" },
  },
  {
    name: "map_keys",
    args: [map],
    returns: "array(K)",
    description: "Array of the keys",
    *steps([entries]) {
      return yield* mapInSteps(entriesOf(entries), ([key]) => key);
    },
    example: { sql: "map_keys(map(ARRAY[1, 2], ARRAY['a', 'b']))", result: "[1, 2]" },
  },
  {
    name: "map_values",
    args: [map],
    returns: "array(V)",
    description: "Array of the values",
    *steps([entries]) {
      return yield* mapInSteps(entriesOf(entries), ([, value]) => value);
    },
    example: { sql: "map_values(map(ARRAY[1, 2], ARRAY['a', 'b']))", result: "[a, b]" },
  },
  {
    name: "map_entries",
    args: [map],
    returns: "array(row(K,V))",
    description: "Array of the entries as rows of key and value",
    host: ([entries]) => entries as HostValue,
    example: { sql: "map_entries(map(ARRAY[1], ARRAY['a']))", result: "[[1, a]]" },
  },
  {
    name: "map_from_entries",
    args: ["array(row(K,V))"],
    returns: map,
    ...comparableKey,
    description: "Map from an array of entries",
    *steps([rows], call) {
      return yield* checkedMap(keyTypeOfRows(call), rowsOf(rows));
    },
    example: { sql: "map_from_entries(ARRAY[ROW(1, 'a'), ROW(2, 'b')])", result: "{1=a, 2=b}" },
  },
  {
    name: "multimap_from_entries",
    args: ["array(row(K,V))"],
    returns: "map(K,array(V))",
    ...comparableKey,
    description: "Map from an array of entries, with an array of the values of each key",
    *steps([rows], call) {
      return yield* collected(keyTypeOfRows(call), rowsOf(rows));
    },
    example: { sql: "multimap_from_entries(ARRAY[ROW(1, 'a'), ROW(1, 'b')])", result: "{1=[a, b]}" },
  },
  {
    name: "map_concat",
    args: [map],
    variadic: true,
    returns: map,
    description: "Union of the maps, with the last value of each key",
    steps: concat,
    example: { sql: "map_concat(map(ARRAY[1], ARRAY['a']), map(ARRAY[1], ARRAY['b']))", result: "{1=b}" },
  },
  {
    name: "map_filter",
    args: [map, "function(K,V,boolean)"],
    returns: map,
    description: "Entries for which the lambda is true",
    suspends: true,
    withLambdas: lambdasInSteps(function* ([entries], [lambda]) {
      const result: Entries[number][] = [];
      for (const entry of entriesOf(entries)) {
        if ((yield lambda(...entry)) === true) {
          result.push(entry);
        }
      }
      return result;
    }),
    example: { sql: "map_filter(map(ARRAY[1, 2], ARRAY['a', NULL]), (k, v) -> v IS NOT NULL)", result: "{1=a}" },
  },
  {
    name: "transform_keys",
    args: [map, "function(K,V,T)"],
    returns: "map(T,V)",
    description: "Map with keys transformed by the lambda",
    suspends: true,
    withLambdas: lambdasInSteps(function* ([entries], [lambda], { returnType }) {
      const result: Entries[number][] = [];
      for (const [key, value] of entriesOf(entries)) {
        result.push([yield lambda(key, value), value]);
      }
      return yield* checkedMap(returnType.kind === "map" ? returnType.key : UNKNOWN, result);
    }),
    example: { sql: "transform_keys(map(ARRAY[1, 2], ARRAY['a', 'b']), (k, v) -> k + 1)", result: "{2=a, 3=b}" },
  },
  {
    name: "transform_values",
    args: [map, "function(K,V,T)"],
    returns: "map(K,T)",
    description: "Map with values transformed by the lambda",
    suspends: true,
    withLambdas: lambdasInSteps(function* ([entries], [lambda]) {
      const result: Entries[number][] = [];
      for (const [key, value] of entriesOf(entries)) {
        result.push([key, yield lambda(key, value)]);
      }
      return result;
    }),
    example: { sql: "transform_values(map(ARRAY[1, 2], ARRAY[10, 20]), (k, v) -> v + k)", result: "{1=11, 2=22}" },
  },
  {
    name: "map_zip_with",
    args: ["map(K,T)", "map(K,U)", "function(K,T,U,R)"],
    returns: "map(K,R)",
    description: "Maps merged by key with the lambda, with NULL for a missing value",
    suspends: true,
    withLambdas: zipWith,
    example: {
      sql: "map_zip_with(map(ARRAY[1, 2], ARRAY[10, 20]), map(ARRAY[2, 3], ARRAY[5, 6]), (k, p, q) -> coalesce(p, 0) - coalesce(q, 0))",
      result: "{1=10, 2=15, 3=-6}",
    },
  },
  {
    name: "$map_agg",
    args: ["array(row(K,V))"],
    returns: map,
    ...comparableKey,
    description: "Map of collected entries, with the first value of each key",
    *steps([rows], call) {
      return yield* newKeys(new ValueSet(keyTypeOfRows(call)), rowsOf(rows));
    },
  },
  {
    name: "$multimap_agg",
    args: ["array(row(K,V))"],
    returns: "map(K,array(V))",
    ...comparableKey,
    description: "Map of collected entries, with an array of the values of each key",
    *steps([rows], call) {
      return yield* collected(keyTypeOfRows(call), rowsOf(rows));
    },
  },
  {
    name: "$histogram",
    args: ["array(T)"],
    returns: "map(T,bigint)",
    description: "Map of each collected value to its number of occurrences",
    *steps([values], call) {
      return yield* mapInSteps(yield* countsOf(elementOf(call), values as List), ([value, count]) => [value, BigInt(count)]);
    },
  },
  {
    name: "$map_union",
    args: ["array(map(K,V))"],
    returns: map,
    description: "Union of all collected maps, with the first value of each key",
    *steps([maps], call) {
      const type = elementOf(call);
      const keys = new ValueSet(type.kind === "map" ? type.key : UNKNOWN);
      const result: Entries[number][] = [];
      yield* eachOfLists(
        (maps as List).map(entriesOf),
        (entry) => {
          if (keys.add(entry[0])) {
            result.push(entry);
          }
        },
        setNodes,
      );
      return result;
    },
  },
  {
    name: "split_to_map",
    args: ["varchar", "varchar", "varchar"],
    returns: "map(varchar,varchar)",
    description: "Map from a string split by an entry delimiter and a key-value delimiter",
    returnType: () => mapType(VARCHAR, VARCHAR),
    steps: splitToMap,
    example: { sql: "split_to_map('a=1;b=2', ';', '=')", result: "{a=1, b=2}" },
  },
  {
    name: "split_to_multimap",
    args: ["varchar", "varchar", "varchar"],
    returns: "map(varchar,array(varchar))",
    description: "Multimap from a string split by an entry delimiter and a key-value delimiter",
    *steps([text, between, inside]) {
      return yield* collected(VARCHAR, yield* splitEntries(text as string, between as string, inside as string));
    },
    example: { sql: "split_to_multimap('a=1;a=2', ';', '=')", result: "{a=[1, 2]}" },
  },
  {
    name: "cosine_similarity",
    args: ["map(varchar,double)", "map(varchar,double)"],
    returns: "double",
    givesNull: true,
    description: "Cosine similarity of the sparse vectors",
    steps: cosine,
    example: { sql: "cosine_similarity(map(ARRAY['a'], ARRAY[1e0]), map(ARRAY['a'], ARRAY[2e0]))", result: "1.0" },
  },
];
