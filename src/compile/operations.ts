/**
 * Comparing, hashing and ordering of values in kernels. Lives in the functions room (operators and min/max are made of it); operators import it from here.
 */
export { emitCompare, emitCombineHash, emitEquals, emitHash, emitNotDistinct, emitOrderingKey, nullHash } from "../functions/operations.ts";
