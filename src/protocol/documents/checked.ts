/** Validates documents by their schema without copying them. */
import {
  array,
  compile,
  config,
  custom,
  record,
  union,
  ZodArray,
  ZodLazy,
  ZodObject,
  ZodOptional,
  ZodRecord,
  type ZodString,
  type ZodType,
  ZodUnion,
} from "zod";
import type { Schema } from "../http/http.ts";

/**
 * Validates like the schema, but returns a valid document as it is: members that the schema does not name stay. Only for schemas that do
 * not transform: defaults and transformations would be lost.
 */
export function checked<T>(schema: ZodType<T>): Schema<T> {
  const isValid = validatorOnUse(schema);
  return { safeParse: (value) => (isValid(value) ? { success: true, data: value as T } : schema.safeParse(value)) };
}

/** Says by generated code whether a value is valid. */
export function validatorOnUse(schema: ZodType): (value: unknown) => boolean {
  const compiled = compiledOnUse(() => withoutCycles(schema));
  return (value) => compiled().validate(value);
}

/** Parses like the schema, several times as fast. Where the schema refers to itself, as for JSON values, a valid value stays as it is. */
export function compiledReader<T>(schema: ZodType<T>): Schema<T> {
  const compiled = compiledOnUse(() => withoutCycles(schema) as ZodType<T>);
  return {
    safeParse: (value) => {
      const parsed = compiled().safeParse(value);
      // The schema itself describes what is wrong.
      return parsed.success ? parsed : schema.safeParse(value);
    },
  };
}

/**
 * The schema as one generated function, made when it is first used, so that a program starts without it. Where code must not be generated,
 * as in a page, the schema itself.
 */
function compiledOnUse<T extends ZodType>(schema: () => T): () => T {
  let compiled: T | undefined;
  return () => (compiled ??= config().jitless === true ? schema() : compile(schema()));
}

/**
 * A schema that accepts the same values and contains no reference to itself: zod compiles no other. A reference becomes a function that
 * runs the generated code of what it refers to. A part without a reference stays as it is; one with a reference may have no checks of its
 * own besides the types of its members. `path` holds the lazy schemas that contain this one.
 */
export function withoutCycles(schema: ZodType, path: ReadonlyMap<ZodType, (value: unknown) => boolean> = new Map()): ZodType {
  const inside = (child: unknown): ZodType => withoutCycles(child as ZodType, path);
  if (schema instanceof ZodLazy) {
    const known = path.get(schema);
    if (known !== undefined) {
      return custom(known);
    }
    const isValid = compiledOnUse(() => withoutCycles(schema));
    return withoutCycles(schema.unwrap() as ZodType, new Map([...path, [schema, (value) => isValid().validate(value)]]));
  }
  if (schema instanceof ZodObject) {
    const members = Object.entries(schema.shape as Readonly<Record<string, ZodType>>).map(
      ([name, child]) => [name, child, inside(child)] as const,
    );
    const changed = members.filter(([, child, one]) => child !== one);
    return changed.length === 0 ? schema : schema.safeExtend(Object.fromEntries(changed.map(([name, , one]) => [name, one])));
  }
  if (schema instanceof ZodArray) {
    const element = inside(schema.element);
    return element === schema.element ? schema : array(element);
  }
  if (schema instanceof ZodOptional) {
    const inner = inside(schema.unwrap());
    return inner === schema.unwrap() ? schema : inner.optional();
  }
  if (schema instanceof ZodRecord) {
    const value = inside(schema.valueType);
    return value === schema.valueType ? schema : record(schema.keyType as ZodString, value);
  }
  if (schema instanceof ZodUnion) {
    const options = (schema.options as readonly ZodType[]).map((option) => [option, inside(option)] as const);
    return options.every(([option, one]) => option === one) ? schema : union(options.map(([, one]) => one));
  }
  return schema;
}
