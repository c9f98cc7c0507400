/** Validates documents by their schema without copying them. */
import { compile, config, custom, ZodArray, ZodLazy, ZodObject, ZodOptional, ZodRecord, type ZodType, ZodUnion } from "zod";
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
 * runs the generated code of what it refers to. `path` holds the lazy schemas that contain this one.
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
    const shape = Object.fromEntries(Object.entries(schema.def.shape).map(([name, child]) => [name, inside(child)]));
    return schema.clone({ ...schema.def, shape });
  }
  if (schema instanceof ZodArray) {
    return schema.clone({ ...schema.def, element: inside(schema.def.element) });
  }
  if (schema instanceof ZodOptional) {
    return schema.clone({ ...schema.def, innerType: inside(schema.def.innerType) });
  }
  if (schema instanceof ZodRecord) {
    return schema.clone({ ...schema.def, valueType: inside(schema.def.valueType) });
  }
  if (schema instanceof ZodUnion) {
    return schema.clone({ ...schema.def, options: schema.def.options.map(inside) });
  }
  return schema;
}
