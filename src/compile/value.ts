/**
 * A SQL value while a kernel computes with it. Lives in the functions room, whose kernel code reads it; operators import it from here.
 */
export { part, partTypes, type Value, valueOf } from "../functions/value.ts";
