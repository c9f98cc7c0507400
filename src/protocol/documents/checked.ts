/** Reads documents by their schema and gives a right one back as it came. */
import type { z } from "zod";
import type { Schema } from "../http/http.ts";

/**
 * Like the schema, but a right document is not copied: members that the schema does not name stay. For schemas that only check; the changes that a schema makes to
 * what it reads would be lost.
 */
export function checked<T>(schema: z.ZodType<T>): Schema<T> {
  return { safeParse: (value) => (schema.validate(value) ? { success: true, data: value as T } : schema.safeParse(value)) };
}
