/** Edits of a document of JSON that keep it one: values become others of their kind or of another, go, come twice, or nest. */
import type { Random } from "../../random.ts";

const texts = [
  "",
  "x",
  "../../../etc/passwd",
  "/etc/passwd",
  "file:///etc/passwd",
  "s3://other/t/a.parquet",
  "%2e%2e/%2e%2e/x",
  "%zz%",
  "\u0000",
  "é".repeat(2000),
  "-1",
  "9223372036854775808",
  "true",
  "null",
  "{}",
  "2024-02-30",
  "__proto__",
  "constructor",
  "PARQUET",
  "decimal(99,3)",
  "struct",
];
const numbers = [0, -1, 1, 2, 3, 127, 1e9, 2 ** 31, 2 ** 53, -(2 ** 53), 1e300, 0.5];
const depths = [3, 70, 600] as const;
const copies = [2, 3, 300] as const;

type Place = readonly [holder: Record<string, unknown> | unknown[], key: string | number];

function placesOf(value: unknown, places: Place[] = []): readonly Place[] {
  if (Array.isArray(value)) {
    value.forEach((one, index) => {
      places.push([value, index]);
      placesOf(one, places);
    });
  } else if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) {
    for (const [key, one] of Object.entries(value)) {
      places.push([value as Record<string, unknown>, key]);
      placesOf(one, places);
    }
  }
  return places;
}

function other(random: Random, value: unknown, all: readonly Place[]): unknown {
  switch (random.below(6)) {
    case 0:
      return random.pick([null, true, {}, [], 0, "text"]);
    case 1: {
      const [holder, key] = random.pick(all);
      return structuredClone((holder as Record<string, unknown>)[key as string]);
    }
    case 2: {
      let nested = value;
      const isList = random.chance(50);
      for (let depth = random.pick(depths); depth > 0; depth--) {
        nested = isList ? [nested] : { type: nested };
      }
      return nested;
    }
    default:
      if (value instanceof Uint8Array) {
        return value.slice(0, random.below(value.length + 1));
      }
      return typeof value === "number"
        ? random.chance(50)
          ? random.pick(numbers)
          : value + random.below(5) - 2
        : typeof value === "string"
          ? random.chance(70)
            ? random.pick(texts)
            : value.slice(0, random.below(value.length + 1)) + random.pick(texts)
          : random.pick([null, "text", 1, !(value === true)]);
  }
}

/** Changes one place of a copy. */
export function editJson(random: Random, document: unknown): unknown {
  const root: unknown[] = [structuredClone(document)];
  const places = placesOf(root);
  const [holder, key] = random.pick(places);
  const held = holder as Record<string, unknown>;
  const value = held[key as string];
  switch (random.below(8)) {
    case 0:
      if (Array.isArray(holder)) {
        holder.splice(key as number, 1);
      } else {
        delete held[key];
      }
      break;
    case 1:
      if (Array.isArray(holder)) {
        holder.push(...Array.from({ length: random.pick(copies) }, () => structuredClone(value)));
      } else {
        Object.defineProperty(held, random.pick(texts), { value, enumerable: true, configurable: true, writable: true });
      }
      break;
    default:
      held[key as string] = other(random, value, places);
  }
  return root[0];
}
