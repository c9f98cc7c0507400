/** Validates documents by their schema without copying them. */
import { compile, config, type z } from "zod";
import type { Schema } from "../http/http.ts";

/**
 * Validates like the schema, but returns a valid document as it is: members that the schema does not name stay. Only for schemas that do
 * not transform: defaults and transformations would be lost.
 */
export function checked<T>(schema: z.ZodType<T>): Schema<T> {
  const compiled = compiledOnUse(schema);
  return { safeParse: (value) => (compiled().validate(value) ? { success: true, data: value as T } : schema.safeParse(value)) };
}

/** Parses like the schema, several times as fast. */
export function compiledReader<T>(schema: z.ZodType<T>): Schema<T> {
  const compiled = compiledOnUse(schema);
  return { safeParse: (value) => compiled().safeParse(value) };
}

/**
 * The schema as one generated function, made when it is first used, so that a program starts without it. Where code must not be generated,
 * as in a page, the schema itself.
 */
export function compiledOnUse<T extends z.ZodType>(schema: T): () => T {
  let compiled: T | undefined;
  return () => (compiled ??= config().jitless === true ? schema : compile(schema));
}
