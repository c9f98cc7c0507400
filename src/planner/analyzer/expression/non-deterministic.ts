/**
 * Calls of non-deterministic functions get random bits as an additional argument. Each call in the statement has its own random stream.
 */
import { randomBitsName } from "../../../functions/scalar/math/random-functions.ts";
import { BIGINT } from "../../../types/type.ts";
import type { Call, RowExpression } from "../../plan/typed-expression.ts";
import { call, constant } from "../../plan/expression-tree.ts";
import type { PlanContext } from "../../context.ts";

/** Replacing internal functions, by number of arguments. */
const implementations: Readonly<Record<string, readonly string[]>> = Object.freeze({
  random: ["$random", "$random", "$random_between"],
  rand: ["$random", "$random", "$random_between"],
  uuid: ["$uuid"],
  shuffle: ["", "$shuffle"],
});

export function isNonDeterministic(name: string): boolean {
  return Object.hasOwn(implementations, name);
}

/** `resolved` is the call of the user-visible function with coerced arguments. */
export function withBits(resolved: RowExpression, { drawSeed }: PlanContext): RowExpression {
  const { name, args, type } = resolved as Call;
  const bits = (): RowExpression => call(randomBitsName, BIGINT, [constant(BIGINT, BigInt.asIntN(64, drawSeed()).toString())]);
  return call(implementations[name]?.[args.length] as string, type, [...args, ...(name === "uuid" ? [bits()] : []), bits()]);
}
