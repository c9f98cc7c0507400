/**
 * Shared functions over arrays and maps as TypeScript values: sets of elements, text for messages, construction of maps.
 */
import { QueryError } from "../../protocol/errors.ts";
import { compareNested } from "../../types/nested/nested-order.ts";
import { displayType, innerTypes, isNested, type Type, VARCHAR } from "../../types/type.ts";
import type { HostCall, HostValue } from "../registry/definition.ts";
import { castToText } from "../cast/text-casts.ts";
import { eachInSteps, isLarge, setNodes } from "./large/loops.ts";
import { Places } from "./large/places.ts";
import type { InSteps } from "./steps.ts";

export type List = readonly HostValue[];

/** A map. */
export type Entries = readonly (readonly [HostValue, HostValue])[];

export function invalidArgument(message: string): never {
  throw new QueryError("INVALID_FUNCTION_ARGUMENT", message);
}

/** Element type of argument `index`, an array. */
export function elementOf({ argTypes }: HostCall, index = 0): Type {
  const type = argTypes[index];
  return type?.kind === "array" ? type.element : badArgument(type);
}

export function mapOf({ argTypes }: HostCall, index = 0): Type & { readonly kind: "map" } {
  const type = argTypes[index];
  return type?.kind === "map" ? type : badArgument(type);
}

function badArgument(type: Type | undefined): never {
  throw new Error(`a function of arrays and maps is called with ${type === undefined ? "nothing" : displayType(type)}`);
}

/** Elements of a value that a message shows. */
const shownNodesMax = 1_000;

/** Text of a value in a message; `...` stands for the elements behind the first 1,000. */
export function messageTextOf(type: Type, value: HostValue): string {
  return shownText(type, value, { nodesLeft: shownNodesMax });
}

export function textOfValue(type: Type, value: HostValue): string {
  return shownText(type, value, { nodesLeft: Number.POSITIVE_INFINITY });
}

function shownText(type: Type, value: HostValue, shown: { nodesLeft: number }): string {
  if (value === null) {
    return "null";
  }
  const list = <T>(items: readonly T[], textOf: (item: T, index: number) => string): string => {
    const texts: string[] = [];
    for (const [index, item] of items.entries()) {
      if (shown.nodesLeft-- <= 0) {
        texts.push("...");
        break;
      }
      texts.push(textOf(item, index));
    }
    return texts.join(", ");
  };
  switch (type.kind) {
    case "array":
      return `[${list(value as List, (item) => shownText(type.element, item, shown))}]`;
    case "row":
      return `[${list(value as List, (item, index) => shownText(type.fields[index]?.type as Type, item, shown))}]`;
    case "map":
      return `{${list(value as unknown as Entries, ([k, v]) => `${shownText(type.key, k, shown)}=${shownText(type.value, v, shown)}`)}}`;
    default:
      return String(castToText(type)([value], { argTypes: [type], returnType: VARCHAR }));
  }
}

/** Key of a value for a JavaScript Map: equal for values that are not distinct. Undefined if the value is too large for one. */
function keyOf(type: Type, value: HostValue): string | number | bigint | boolean | undefined {
  switch (type.kind) {
    case "array":
    case "map":
    case "row":
      return isLarge(value) ? undefined : textKey(type, value);
    case "timestamp with time zone":
    case "time with time zone":
      // The instant without the zone.
      return (value as bigint) >> 32n;
    default:
      break;
  }
  if (value instanceof Uint8Array) {
    return binaryKey(value);
  }
  return typeof value === "number" ? (Object.is(value, -0) ? 0 : value) : (value as string | bigint | boolean);
}

/** Bytes that are arguments of one call. */
const keyBytesAtOnce = 32_768;

/** A character for each byte. */
function binaryKey(value: Uint8Array): string {
  let key = "";
  for (let from = 0; from < value.length; from += keyBytesAtOnce) {
    key += String.fromCharCode(...value.subarray(from, from + keyBytesAtOnce));
  }
  return key;
}

/** A text that is equal for values of the type that are not distinct, and for no others. */
function textKey(type: Type, value: HostValue): string {
  if (value === null) {
    return "n";
  }
  switch (type.kind) {
    case "array":
      return `[${(value as List).map((item) => textKey(type.element, item)).join()}]`;
    case "row":
      return `[${(value as List).map((item, index) => textKey(type.fields[index]?.type as Type, item)).join()}]`;
    case "map": {
      const entries = [...(value as unknown as Entries)].sort(([a], [b]) => compareNested(type.key, a, b));
      return `[${entries.map(([key, inner]) => `${textKey(type.key, key)}=${textKey(type.value, inner)}`).join()}]`;
    }
    case "char": {
      let length = (value as string).length;
      while (length > 0 && (value as string)[length - 1] === " ") {
        length--;
      }
      return `${length}:${(value as string).slice(0, length)}`;
    }
    default: {
      const key = String(keyOf(type, value));
      return typeof value === "string" || value instanceof Uint8Array ? `${key.length}:${key}` : key;
    }
  }
}

/** A set of values under IS NOT DISTINCT FROM: hashed, or a binary search for those that are large. */
export class ValueSet {
  readonly #hashed = new Places();
  readonly #sorted: { readonly value: HostValue; readonly index: number }[] = [];
  #size = 0;

  readonly #type: Type;

  constructor(type: Type, values: Iterable<HostValue> = []) {
    this.#type = type;

    for (const value of values) {
      this.add(value);
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Ordinal of the value in order of insertion; -1 if absent. */
  indexOf(value: HostValue): number {
    const key = value === null ? null : keyOf(this.#type, value);
    if (key !== undefined) {
      return this.#hashed.get(key) ?? -1;
    }
    const found = this.#sorted[this.#placeOf(value)];
    return found !== undefined && compareNested(this.#type, found.value, value) === 0 ? found.index : -1;
  }

  has(value: HostValue): boolean {
    return this.indexOf(value) >= 0;
  }

  /** Returns whether the value is new; its ordinal is then the previous size. */
  add(value: HostValue): boolean {
    const size = this.#size;
    return this.place(value) === size && this.#size > size;
  }

  /** Adds the value unless it is there. Returns its ordinal. */
  place(value: HostValue): number {
    const key = value === null ? null : keyOf(this.#type, value);
    if (key !== undefined) {
      const known = this.#hashed.get(key);
      if (known === undefined) {
        this.#hashed.set(key, this.#size);
        return this.#size++;
      }
      return known;
    }
    const place = this.#placeOf(value);
    const found = this.#sorted[place];
    if (found !== undefined && compareNested(this.#type, found.value, value) === 0) {
      return found.index;
    }
    this.#sorted.splice(place, 0, { value, index: this.#size });
    return this.#size++;
  }

  #placeOf(value: HostValue): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareNested(this.#type, this.#sorted[middle]?.value ?? null, value) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

export function* valueSetOf(type: Type, values: List): InSteps<ValueSet> {
  const set = new ValueSet(type);
  yield* eachInSteps(values, (value) => set.place(value), setNodes);
  return set;
}

/** Number of occurrences of each value, in order of first occurrence. */
export function* countsOf(type: Type, values: List): InSteps<readonly (readonly [value: HostValue, count: number])[]> {
  const seen = new ValueSet(type);
  const counts: [HostValue, number][] = [];
  yield* eachInSteps(
    values,
    (value) => {
      const place = seen.place(value);
      if (place === counts.length) {
        counts.push([value, 0]);
      }
      (counts[place] as [HostValue, number])[1] += 1;
    },
    setNodes,
  );
  return counts;
}

export function entriesOf(map: HostValue | undefined): Entries {
  return map as unknown as Entries;
}

/** Whether a non-NULL value contains a NULL. */
export function holdsNull(type: Type, value: HostValue): boolean {
  if (!isNested(type) || value === null) {
    return false;
  }
  const inner = innerTypes(type);
  const items = type.kind === "map" ? entriesOf(value).flat() : (value as List);
  return items.some((item, index) => item === null || holdsNull(inner[index % inner.length] as Type, item));
}

/** SQL equality: a value that contains NaN equals nothing. NULLs inside are equal to each other here. */
export function isEqual(type: Type, a: HostValue, b: HostValue): boolean {
  return compareNested(type, a, b) === 0 && !holdsNan(a);
}

function holdsNan(value: HostValue): boolean {
  return Number.isNaN(value) || (Array.isArray(value) && (value as List).some(holdsNan));
}

/** Builds a map; fails with Presto's error if a key is NULL, contains a NULL or is repeated. */
export function* checkedMap(keyType: Type, entries: Entries): InSteps<HostValue> {
  const keys = new ValueSet(keyType);
  yield* eachInSteps(
    entries,
    ([key]) => {
      if (key === null) {
        return invalidArgument("map key cannot be null");
      }
      if (holdsNull(keyType, key)) {
        return invalidArgument(`map key cannot be indeterminate: ${messageTextOf(keyType, key)}`);
      }
      return keys.add(key) ? undefined : invalidArgument(`Duplicate map keys (${messageTextOf(keyType, key)}) are not allowed`);
    },
    setNodes,
  );
  return entries;
}
