/** Validates documents by their schema without copying them. */
import type { z } from "zod";
import type { Schema } from "../http/http.ts";

/**
 * Validates like the schema, but returns a valid document as it is: members that the schema does not name stay. Only for schemas that do
 * not transform: defaults and transformations would be lost.
 */
export function checked<T>(schema: z.ZodType<T>): Schema<T> {
  return { safeParse: (value) => (schema.validate(value) ? { success: true, data: value as T } : schema.safeParse(value)) };
}
