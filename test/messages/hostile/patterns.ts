/**
 * Types for the type patterns of signatures, and arguments of these types.
 */
import { build, parsePattern, type TypePattern } from "../../../src/functions/registry/type-patterns.ts";
import { decimalType, type Type } from "../../../src/types/type.ts";
import { charType, varcharType } from "../../../src/types/type.ts";
import type { Random } from "../../oracle/fuzz/random.ts";
import { anyType, valueOf } from "./values.ts";

function leaf(text: string, random: Random): Type {
  const precision = (): number => random.pick([0, 3, 6, 9, 12]);
  switch (text) {
    case "decimal(p,s)":
      return random.pick([
        decimalType(1, 0),
        decimalType(10, 2),
        decimalType(18, 18),
        decimalType(19, 0),
        decimalType(38, 0),
        decimalType(38, 20),
      ]);
    case "varchar":
    case "varchar(x)":
      return random.pick<Type>([{ kind: "varchar" }, varcharType(1), varcharType(10)]);
    case "char(x)":
      return charType(random.pick([1, 5]));
    case "timestamp(p)":
      return { kind: "timestamp", precision: precision() };
    case "timestamp(p) with time zone":
      return { kind: "timestamp with time zone", precision: precision() };
    case "time(p)":
      return { kind: "time", precision: precision() };
    case "time(p) with time zone":
      return { kind: "time with time zone", precision: precision() };
    case "any":
      return anyType(random);
    default:
      return { kind: text } as Type;
  }
}

/** A type that matches the pattern; binds each type variable to one type. */
export function typeOf(text: string, variables: Map<string, Type>, random: Random): Type {
  return fill(parsePattern(text), variables, random);
}

function fill({ kind, text, inner }: TypePattern, variables: Map<string, Type>, random: Random): Type {
  const parts = inner.map((part) => fill(part, variables, random));
  switch (kind) {
    case "variable": {
      const bound = variables.get(text) ?? anyType(random);
      variables.set(text, bound);
      return bound;
    }
    case "leaf":
      return leaf(text, random);
    default:
      return build(kind, parts);
  }
}

/** A value of the type; for function types, a lambda that returns a parameter, a constant or an error. */
export function argumentOf(type: Type, random: Random): string {
  if (type.kind !== "function") {
    return valueOf(type, random);
  }
  const names = type.args.map((_, index) => `p${index}`);
  return `(${names.join(", ")}) -> ${random.chance(30) ? random.pick(names) : random.chance(20) ? "1 / 0" : valueOf(type.result, random)}`;
}
