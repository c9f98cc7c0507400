/**
 * Functions of any type: greatest, least, typeof, LIKE.
 */
import { i32 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { QueryError } from "../../protocol/errors.ts";
import { BOOLEAN, displayType, type Type } from "../../types/type.ts";
import type { HostValue, ScalarDefinition } from "../registry/definition.ts";
import type { EmitScalar } from "../runtime/emit.ts";
import type { InSteps } from "../runtime/steps.ts";
import { compileLikeInSteps, likeMatches, likeProgramName } from "./string/like.ts";
import { likeSteps } from "./string/like-match.ts";
import { emitCompare } from "../runtime/operations.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";

function extreme(kind: "greatest" | "least"): EmitScalar {
  return ({ b }, args, type) => {
    const [first, ...others] = args as readonly [Value, ...Value[]];
    const best = first.parts.map((expr) => b.local(expr.type, expr));
    for (const other of others) {
      const order = emitCompare(b, other, valueOf(type, ...best), kind === "least" ? "NaN last" : "NaN first");
      const better = kind === "greatest" ? i32.gtS(order, i32.const(0)) : i32.ltS(order, i32.const(0));
      b.if_(better, () => best.forEach((local, index) => b.set(local, part(other, index))));
    }
    return valueOf(type, ...best);
  };
}

function* like([text, pattern, escape]: readonly HostValue[]): InSteps<boolean> {
  const program = yield* compileLikeInSteps(pattern as string, escape as string | undefined);
  return yield* likeSteps(text as string, program);
}

export const generalDefinitions: readonly ScalarDefinition[] = [
  {
    name: "greatest",
    args: ["T"],
    variadic: true,
    returns: "T",
    constraint: "orderable",
    description: "Largest of the arguments, or NULL if any is NULL",
    emit: extreme("greatest"),
    example: { sql: "greatest(1, 3, 2)", result: "3" },
  },
  {
    name: "least",
    args: ["T"],
    variadic: true,
    returns: "T",
    constraint: "orderable",
    description: "Smallest of the arguments, or NULL if any is NULL",
    emit: extreme("least"),
    example: { sql: "least('b', 'a')", result: "a" },
  },
  {
    name: "typeof",
    args: ["T"],
    returns: "varchar",
    nulls: "seen",
    description: "Name of the type of the argument",
    host: (_args, { argTypes }) => displayType(argTypes[0] as Type),
    example: { sql: "typeof(1)", result: "integer" },
  },
  {
    name: "version",
    args: [],
    returns: "varchar",
    description: "Version of the coordinator",
    host: () => {
      throw new QueryError("GENERIC_INTERNAL_ERROR", "version() is a constant once it is analysed");
    },
    example: { sql: "version()", result: "test" },
  },
  {
    name: "like",
    args: ["varchar", "varchar"],
    returns: "boolean",
    description: "Whether the string matches the LIKE pattern",
    steps: like,
    example: { sql: "'abc' LIKE 'a%'", result: "true" },
  },
  {
    name: "like",
    args: ["varchar", "varchar", "varchar"],
    returns: "boolean",
    description: "Whether the string matches the LIKE pattern with an escape character",
    steps: like,
    example: { sql: "'a%c' LIKE 'a#%c' ESCAPE '#'", result: "true" },
  },
  {
    name: "$single_row",
    args: ["bigint"],
    returns: "boolean",
    description: "True for a count of one; fails for a scalar subquery with more rows",
    host: ([rows]) => {
      if ((rows as bigint) > 1n) {
        throw new QueryError("SUBQUERY_MULTIPLE_ROWS", "Scalar sub-query has returned multiple rows");
      }
      return true;
    },
  },
  {
    name: "$single_match",
    args: ["boolean"],
    returns: "boolean",
    description: "True; fails if a target row of MERGE matches more than one source row",
    emit: (context, [isSingle]) => {
      context.b.if_(i32.eqz(part(isSingle as Value, 0)), () => context.raise("MERGE_MATCHES"));
      return valueOf(BOOLEAN, i32.const(1));
    },
  },
  {
    name: "$recursion_goes_on",
    args: ["bigint", "bigint"],
    returns: "boolean",
    description: "False if the recursion has ended; fails if it exceeds the maximum depth",
    host: ([rows, depth]) => {
      if ((rows as bigint) === 0n) {
        return false;
      }
      const hint = "Use 'max_recursion_depth' session property to modify the limit.";
      throw new QueryError("NOT_SUPPORTED", `Recursion depth limit exceeded (${depth}). ${hint}`);
    },
  },
  {
    name: likeProgramName,
    args: ["varchar", "varbinary"],
    returns: "boolean",
    description: "Whether the string matches the compiled LIKE pattern",
    total: true,
    emit: ({ b }, args) => {
      const [text, program] = args as readonly [Value, Value];
      return valueOf(BOOLEAN, b.call(likeMatches(b.kernel), part(text, 0), part(text, 1), part(program, 0) as Expr));
    },
  },
];
