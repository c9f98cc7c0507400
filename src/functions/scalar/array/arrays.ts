/**
 * Array functions without lambdas. Lengths and element access are kernel code, the others are host functions over lists.
 */
import { i32, i64, select } from "../../../codegen/builder.ts";
import { compareNested } from "../../../types/nested/nested-order.ts";
import { BIGINT, BOOLEAN, UNKNOWN } from "../../../types/type.ts";
import type { HostCall, HostImplementation, HostSteps, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { countBytes, countElements } from "../../runtime/counted.ts";
import { bytesOfValue } from "../../runtime/value-bytes.ts";
import { emitElement, openArray } from "../../runtime/nested-kernels.ts";
import {
  eachInSteps,
  eachOfLists,
  elementsAtOnce,
  elementsPerStep,
  filterInSteps,
  fromInSteps,
  nodesOf,
  setNodes,
  someInSteps,
} from "../../runtime/large/loops.ts";
import { elementOf, invalidArgument, isEqual, type List, ValueSet, valueSetOf } from "../../runtime/nested-values.ts";
import { emitThreeValuedEquals } from "../../runtime/operations.ts";
import { type InSteps, sortInSteps } from "../../runtime/steps.ts";
import { part, type Value } from "../../runtime/value.ts";

const combinationsMax = 100_000;
const combinationSizeMax = 5;
const repeatMax = 10_000;

function distinct(list: List, call: HostCall): InSteps<HostValue[]> {
  const seen = new ValueSet(elementOf(call));
  return filterInSteps(list, (value) => seen.add(value), setNodes);
}

const except: HostSteps = function* ([left, right], call) {
  const seen = yield* valueSetOf(elementOf(call), right as List);
  return yield* filterInSteps(left as List, (value) => seen.add(value), setNodes);
};

/** The result follows the order of the longer array, as in Presto. */
const intersect: HostSteps = function* ([left, right], call) {
  const [p, q] = [left as List, right as List];
  const [longer, shorter] = p.length < q.length ? [q, p] : [p, q];
  const wanted = yield* valueSetOf(elementOf(call), shorter);
  return yield* filterInSteps(yield* distinct(longer, call), (value) => wanted.has(value), setNodes);
};

const overlap: HostSteps = function* ([left, right], call) {
  const [p, q] = [left as List, right as List];
  const known = yield* valueSetOf(elementOf(call), p);
  if (yield* someInSteps(q, (value) => value !== null && known.has(value))) {
    return true;
  }
  return p.length > 0 && q.length > 0 && (p.includes(null) || q.includes(null)) ? null : false;
};

function extreme(sign: 1 | -1): HostSteps {
  return function* ([list], call) {
    const values = list as List;
    const type = elementOf(call);
    if (values.includes(null)) {
      return null;
    }
    let best: HostValue = null;
    yield* eachInSteps(values, (value) => {
      if (best === null || sign * compareNested(type, value, best, sign > 0 ? "NaN first" : "NaN last") > 0) {
        best = value;
      }
    });
    return best;
  };
}

const position: HostSteps = function* ([list, wanted, instance], call) {
  const values = list as List;
  const type = elementOf(call);
  const nth = Number((instance as bigint | undefined) ?? 1n);
  if (nth === 0) {
    return invalidArgument("array_position cannot take a 0-valued instance argument.");
  }
  const places: number[] = [];
  yield* eachInSteps(values, (value, index) => {
    if (value !== null && isEqual(type, value, wanted as HostValue)) {
      places.push(index + 1);
    }
  });
  return BigInt((nth > 0 ? places[nth - 1] : places[places.length + nth]) ?? 0);
};

const combinations: HostImplementation = ([list, size], call) => {
  const values = list as List;
  const length = size as number;
  if (length < 0) {
    return invalidArgument(`combination size must not be negative: ${length}`);
  }
  if (length > combinationSizeMax) {
    return invalidArgument(`combination size must not exceed ${combinationSizeMax}: ${length}`);
  }
  if (length > values.length) {
    return [];
  }
  let count = 1;
  for (let index = 1; index <= length; index++) {
    count = (count * (values.length - index + 1)) / index;
  }
  if (count > combinationsMax) {
    return invalidArgument(`combinations exceed max size of ${combinationsMax}`);
  }
  countElements(call, count * length);
  const picked = Array.from({ length }, (_value, index) => index);
  const result: HostValue[] = [];
  for (;;) {
    result.push(picked.map((index) => values[index] as HostValue));
    const next = picked.findIndex((index, place) => index + 1 < (picked[place + 1] ?? values.length));
    if (next < 0) {
      return result;
    }
    picked[next] = (picked[next] as number) + 1;
    for (let before = 0; before < next; before++) {
      picked[before] = before;
    }
  }
};

const ngrams: HostSteps = function* ([list, size], call) {
  const values = list as List;
  const length = Number(size);
  if (length <= 0) {
    return invalidArgument("N must be positive");
  }
  if (values.length <= length) {
    return [values];
  }
  countElements(call, (values.length - length + 1) * length);
  return yield* fromInSteps(values.length - length + 1, (start) => values.slice(start, start + length), length);
};

const repeat: HostImplementation = ([value, times], call) => {
  if (times === null) {
    return null;
  }
  const count = Number(times);
  if (count < 0) {
    return invalidArgument("count argument of repeat function must be greater than or equal to 0");
  }
  if (count > repeatMax) {
    return invalidArgument(`count argument of repeat function must be less than or equal to ${repeatMax}`);
  }
  countBytes(call, count * (1 + bytesOfValue(value as HostValue)));
  return Array.from({ length: count }, () => value as HostValue);
};

const slice: HostImplementation = ([list, start, length]) => {
  const values = list as List;
  const [from, count] = [Number(start), Number(length)];
  if (count < 0) {
    return invalidArgument("length must be greater than or equal to 0");
  }
  if (from === 0) {
    return invalidArgument("SQL array indices start at 1");
  }
  const first = from > 0 ? from - 1 : values.length + from;
  return first < 0 ? [] : values.slice(first, first + count);
};

/** Takes up to as many comparisons as both arrays have elements, multiplied. */
const containsSequence: HostSteps = function* ([list, wanted], call) {
  const [values, sequence] = [list as List, wanted as List];
  const type = elementOf(call);
  let comparisons = 0;
  for (let start = 0; start + sequence.length <= values.length; start++) {
    let matched = 0;
    while (matched < sequence.length && compareNested(type, values[start + matched] as HostValue, sequence[matched] as HostValue) === 0) {
      comparisons += nodesOf(sequence[matched++]);
      if (comparisons >= elementsAtOnce) {
        yield Math.ceil(comparisons / elementsPerStep);
        comparisons = 0;
      }
    }
    if (matched === sequence.length) {
      return true;
    }
    comparisons++;
    if (comparisons >= elementsAtOnce) {
      yield Math.ceil(comparisons / elementsPerStep);
      comparisons = 0;
    }
  }
  return false;
};

function* concatLists(args: List, call: HostCall): InSteps<HostValue> {
  countElements(
    call,
    args.reduce((sum: number, list) => sum + (list as List).length, 0),
  );
  const result: HostValue[] = [];
  yield* eachOfLists(args as readonly List[], (value) => result.push(value));
  return result;
}

const zip: HostSteps = function* (lists, call) {
  const length = Math.max(...lists.map((list) => (list as List).length));
  countElements(call, length);
  return yield* fromInSteps(length, (index) => lists.map((list) => (list as List)[index] ?? null), lists.length);
};

/** Throws ValueTooLargeError before the text is made. */
function* joined(texts: readonly string[], separator: string, call: HostCall): InSteps<string> {
  let bytes = 0;
  yield* eachInSteps(texts, (text) => {
    bytes += text.length + separator.length;
  });
  countBytes(call, bytes);
  const parts: string[] = [];
  for (let first = 0; first < texts.length; first += elementsAtOnce) {
    parts.push(texts.slice(first, first + elementsAtOnce).join(separator));
    if (parts.length > 1) {
      yield elementsAtOnce / elementsPerStep;
    }
  }
  return parts.join(separator);
}

function zips(): readonly ScalarDefinition[] {
  return [2, 3, 4, 5].map((count): ScalarDefinition => {
    const names = ["A", "B", "C", "D", "E"].slice(0, count);
    return {
      name: "zip",
      args: names.map((name) => `array(${name})`),
      returns: `array(row(${names.join(",")}))`,
      description: "Array of rows of the elements at the same position, padded with NULL",
      steps: zip,
      ...(count === 2 ? { example: { sql: "zip(ARRAY[1, 2], ARRAY['a'])", result: "[[1, a], [2, null]]" } } : {}),
    };
  });
}

const arrayOfT = "array(T)";

export const arrayDefinitions: readonly ScalarDefinition[] = [
  {
    name: "cardinality",
    args: [arrayOfT],
    returns: "bigint",
    description: "Number of elements in the array",
    emit: ({ b }, [list]) => ({ type: BIGINT, parts: [b.temp(i64.extendI32U(emitCount(list as Value)))], isNull: undefined }),
    example: { sql: "cardinality(ARRAY[1, NULL, 3])", result: "3" },
  },
  {
    name: "element_at",
    args: [arrayOfT, "bigint"],
    returns: "T",
    givesNull: true,
    description: "Element at the index, from the end if negative, or NULL",
    emit: (context, [list, at]) => {
      const { b } = context;
      const { type } = list as Value;
      const array = openArray(b, type.kind === "array" ? type.element : UNKNOWN, part(list as Value, 0));
      const place = b.temp(part(at as Value, 0));
      b.if_(i64.eqz(place), () => context.raise("SUBSCRIPT_ZERO"));
      const count = b.temp(i64.extendI32U(array.count));
      const index = b.temp(select(i64.gtS(place, i64.const(0n)), i64.sub(place, i64.const(1n)), i64.add(count, place)));
      const inside = b.temp(i64.ltU(index, count));
      // Out of bounds, element 0 is read and discarded; the read is safe because an encoded array always has its count.
      const value = emitElement(b, array, b.temp(select(inside, i32.wrapI64(index), i32.const(0))));
      // Out of bounds the flag is forced to 1, because the byte read behind an empty array is arbitrary.
      const isNull = b.temp(select(inside, value.isNull ?? i32.const(0), i32.const(1)));
      const parts =
        value.parts.length === 2 && value.parts[1]?.type === "i32"
          ? [value.parts[0], b.temp(select(isNull, i32.const(0), value.parts[1]))]
          : value.parts;
      return { type: value.type, parts: parts as Value["parts"], isNull };
    },
    example: { sql: "element_at(ARRAY['a', 'b', 'c'], -1)", result: "c" },
  },
  {
    name: "contains",
    args: [arrayOfT, "T"],
    returns: "boolean",
    constraint: "comparable",
    givesNull: true,
    description: "Whether the array contains the element",
    emit: ({ b }, [list, wanted]) => {
      const { type } = list as Value;
      const array = openArray(b, type.kind === "array" ? type.element : UNKNOWN, part(list as Value, 0));
      const found = b.local("i32", i32.const(0));
      const unknown = b.local("i32", i32.const(0));
      b.block((done) => {
        b.forRange(i32.const(0), array.count, (index) => {
          const element = emitElement(b, array, index);
          b.if_(
            element.isNull ?? i32.const(0),
            () => b.set(unknown, i32.const(1)),
            () => {
              const equal = emitThreeValuedEquals(b, element, wanted as Value);
              b.set(found, i32.eq(equal, i32.const(1)));
            },
          );
          b.break_(done, found);
        });
      });
      return { type: BOOLEAN, parts: [found], isNull: b.temp(i32.and(unknown, i32.eqz(found))) };
    },
    example: { sql: "contains(ARRAY[1, 2], 2)", result: "true" },
  },
  {
    name: "array_distinct",
    args: [arrayOfT],
    returns: arrayOfT,
    constraint: "comparable",
    description: "Array of the distinct elements",
    steps: ([list], call) => distinct(list as List, call),
    example: { sql: "array_distinct(ARRAY[1, 2, 1, NULL, NULL])", result: "[1, 2, null]" },
  },
  {
    name: "array_except",
    args: [arrayOfT, arrayOfT],
    returns: arrayOfT,
    constraint: "comparable",
    description: "Distinct elements of the first array that are not in the second",
    steps: except,
    example: { sql: "array_except(ARRAY[1, 2, 3, 3], ARRAY[2])", result: "[1, 3]" },
  },
  {
    name: "array_intersect",
    args: [arrayOfT, arrayOfT],
    returns: arrayOfT,
    constraint: "comparable",
    description: "Distinct elements in the intersection of both arrays",
    steps: intersect,
    example: { sql: "array_intersect(ARRAY[1, 2, 2, 3], ARRAY[3, 2])", result: "[2, 3]" },
  },
  {
    name: "array_union",
    args: [arrayOfT, arrayOfT],
    returns: arrayOfT,
    constraint: "comparable",
    description: "Distinct elements in the union of both arrays",
    steps: ([left, right], call) => distinct([...(left as List), ...(right as List)], call),
    example: { sql: "array_union(ARRAY[1, 2], ARRAY[2, 3])", result: "[1, 2, 3]" },
  },
  {
    name: "arrays_overlap",
    args: [arrayOfT, arrayOfT],
    returns: "boolean",
    constraint: "comparable",
    givesNull: true,
    description: "Whether the arrays have a non-NULL element in common",
    steps: overlap,
    example: { sql: "arrays_overlap(ARRAY[1, 2], ARRAY[2, 3])", result: "true" },
  },
  {
    name: "array_join",
    args: ["array(varchar)", "varchar"],
    returns: "varchar",
    description: "Elements concatenated with a delimiter, without NULLs",
    *steps([list, separator], call) {
      return yield* joined((list as List).filter((value) => value !== null) as readonly string[], separator as string, call);
    },
    example: { sql: "array_join(ARRAY['a', NULL, 'b'], '-')", result: "a-b" },
  },
  {
    name: "array_join",
    args: ["array(varchar)", "varchar", "varchar"],
    returns: "varchar",
    description: "Elements concatenated with a delimiter, with a replacement for NULLs",
    *steps([list, separator, missing], call) {
      return yield* joined((list as List).map((value) => value ?? missing) as readonly string[], separator as string, call);
    },
    example: { sql: "array_join(ARRAY['a', NULL, 'b'], '-', '?')", result: "a-?-b" },
  },
  {
    name: "array_max",
    args: [arrayOfT],
    returns: "T",
    constraint: "orderable",
    givesNull: true,
    description: "Largest element, or NULL if any element is NULL",
    steps: extreme(1),
    example: { sql: "array_max(ARRAY[2, 3, 1])", result: "3" },
  },
  {
    name: "array_min",
    args: [arrayOfT],
    returns: "T",
    constraint: "orderable",
    givesNull: true,
    description: "Smallest element, or NULL if any element is NULL",
    steps: extreme(-1),
    example: { sql: "array_min(ARRAY[2, 3, 1])", result: "1" },
  },
  {
    name: "array_position",
    args: [arrayOfT, "T"],
    returns: "bigint",
    constraint: "comparable",
    description: "Position of the first occurrence of the element, or 0",
    steps: position,
    example: { sql: "array_position(ARRAY['a', 'b', 'b'], 'b')", result: "2" },
  },
  {
    name: "array_position",
    args: [arrayOfT, "T", "bigint"],
    returns: "bigint",
    constraint: "comparable",
    description: "Position of the nth occurrence of the element, from the end if negative, or 0",
    steps: position,
    example: { sql: "array_position(ARRAY['a', 'b', 'b'], 'b', -1)", result: "3" },
  },
  {
    name: "array_remove",
    args: [arrayOfT, "T"],
    returns: arrayOfT,
    constraint: "comparable",
    description: "Array without the elements equal to the value",
    *steps([list, unwanted], call) {
      return yield* filterInSteps(list as List, (value) => value === null || !isEqual(elementOf(call), value, unwanted as HostValue));
    },
    example: { sql: "array_remove(ARRAY[1, 2, 1], 1)", result: "[2]" },
  },
  {
    name: "array_sort",
    args: [arrayOfT],
    returns: arrayOfT,
    constraint: "orderable",
    description: "Array sorted in ascending order, NULLs last",
    *steps([list], call) {
      const type = elementOf(call);
      return yield* sortInSteps(list as List, (a, b) => compareNested(type, a, b), nodesOf);
    },
    example: { sql: "array_sort(ARRAY[3, NULL, 1])", result: "[1, 3, null]" },
  },
  {
    name: "combinations",
    args: [arrayOfT, "integer"],
    returns: "array(array(T))",
    description: "Combinations of n elements",
    host: combinations,
    example: { sql: "combinations(ARRAY['a', 'b', 'c'], 2)", result: "[[a, b], [a, c], [b, c]]" },
  },
  {
    name: "concat",
    args: [arrayOfT],
    variadic: true,
    returns: arrayOfT,
    description: "Concatenation of the arrays",
    steps: concatLists as HostSteps,
    example: { sql: "concat(ARRAY[1], ARRAY[2, 3])", result: "[1, 2, 3]" },
  },
  {
    name: "contains_sequence",
    args: [arrayOfT, arrayOfT],
    returns: "boolean",
    constraint: "comparable",
    description: "Whether the array contains the second array as a contiguous subsequence",
    steps: containsSequence,
    example: { sql: "contains_sequence(ARRAY[1, 2, 3], ARRAY[2, 3])", result: "true" },
  },
  {
    name: "flatten",
    args: ["array(array(T))"],
    returns: arrayOfT,
    description: "Concatenation of the nested arrays",
    *steps([lists], call) {
      return yield* concatLists(
        (lists as List).filter((list) => list !== null),
        call,
      );
    },
    example: { sql: "flatten(ARRAY[ARRAY[1, 2], NULL, ARRAY[3]])", result: "[1, 2, 3]" },
  },
  {
    name: "ngrams",
    args: [arrayOfT, "bigint"],
    returns: "array(array(T))",
    description: "Sequences of n adjacent elements",
    steps: ngrams,
    example: { sql: "ngrams(ARRAY['a', 'b', 'c'], 2)", result: "[[a, b], [b, c]]" },
  },
  {
    name: "repeat",
    args: ["T", "bigint"],
    returns: arrayOfT,
    nulls: "seen",
    description: "Array of the element repeated n times",
    host: repeat,
    example: { sql: "repeat('a', 3)", result: "[a, a, a]" },
  },
  {
    name: "reverse",
    args: [arrayOfT],
    returns: arrayOfT,
    description: "Array in reverse order",
    host: ([list]) => [...(list as List)].reverse(),
    example: { sql: "reverse(ARRAY[1, 2, 3])", result: "[3, 2, 1]" },
  },
  {
    name: "slice",
    args: [arrayOfT, "bigint", "bigint"],
    returns: arrayOfT,
    description: "Subarray of a length from a start index, from the end if negative",
    host: slice,
    example: { sql: "slice(ARRAY[1, 2, 3, 4], -2, 2)", result: "[3, 4]" },
  },
  ...zips(),
];

function emitCount(list: Value): ReturnType<typeof i32.load> {
  return i32.load(part(list, 0));
}
