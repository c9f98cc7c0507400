/**
 * The record of one overload of a function: signature, null rule, determinism, meaning, description and an example that is its test. The catalogue
 * gathers them; a pattern is a type as Presto's SHOW FUNCTIONS spells it, with variables: `bigint`, `varchar(x)`, `decimal(p,s)`, `timestamp(p)`, `T`.
 */
import type { Draws, HostWork } from "../../codegen/host-work.ts";
import type { Address } from "../../memory/memory.ts";
import type { QueryError } from "../../protocol/errors.ts";
import type { NestedValue } from "../../types/nested/nested-order.ts";
import type { Type } from "../../types/type.ts";
import type { AggregateImplementation } from "./aggregate.ts";
import type { EmitScalar } from "../runtime/emit.ts";

/** What a host function sees; which value stands for which type is told at NestedValue. */
export type HostValue = NestedValue;

export interface HostCall {
  readonly argTypes: readonly Type[];
  readonly returnType: Type;
}

/** Where a call's kernel keeps its errors and its strings. */
export interface HostFrame {
  readonly errorBlock: Address;
  /** Control block of the arena. */
  readonly arena: Address;
}

/** Meaning in TypeScript, row by row. May throw QueryErrors. NULL arguments only when the definition's null rule says so. */
export type HostImplementation = (args: readonly HostValue[], call: HostCall) => HostValue;

/** A lambda as the functions that take one see it: each call gives its value for one element. */
export type HostLambda = (...args: readonly HostValue[]) => HostValue;

/** What a meaning that may work long is run in. */
export interface HostSurroundings {
  readonly work: HostWork;
  readonly draws: Draws;
  /** The error that a lambda left in the error block when it threw a WrittenError. */
  readonly writtenError: () => QueryError;
}

/** Meaning of a function that takes lambdas: `args` without them, in order, then the lambdas in order. `surroundings` are absent where there are no lambdas. */
export type LambdaImplementation = (
  args: readonly HostValue[],
  lambdas: readonly HostLambda[],
  call: HostCall,
  surroundings?: HostSurroundings,
) => HostValue;

/** A meaning on doubles alone, called without the detour over memory. */
export interface MathBinding {
  readonly name: string;
  readonly parameterCount: number;
  readonly fn: (...args: number[]) => number;
}

export interface Signature {
  readonly name: string;
  readonly args: readonly string[];
  /** The last argument may come any number of times, once at least. */
  readonly variadic?: true;
  readonly returns: string;
  /** Where the return type is no plain function of the pattern's variables. */
  readonly returnType?: (argTypes: readonly Type[]) => Type;
  /** What the variables stand for, or those of them that `constrained` names. */
  readonly constraint?: "comparable" | "orderable";
  readonly constrained?: readonly string[];
  readonly description: string;
}

export interface ScalarDefinition extends Signature {
  /** Strict functions (the rule) are NULL when an argument is, and their code never sees one. */
  readonly nulls?: "seen";
  /** May be NULL although no argument is. */
  readonly givesNull?: true;
  readonly deterministic?: false;
  /** Of functions of moments with more digits than microseconds have: it takes them as they are. */
  readonly seesPicos?: true;
  /** In place of it: its result has the picoseconds of its argument, of which it knows nothing. */
  readonly keepsPicos?: true;
  /** Cheap and never fails: may run on the unspecified value under a NULL. */
  readonly total?: true;
  readonly emit?: EmitScalar;
  readonly host?: HostImplementation;
  /** In place of `host`: a meaning of one node's own, which may remember what it has made of its arguments (compiled patterns), never what they mean. */
  readonly makeHost?: () => HostImplementation;
  /** In place of `host`, for functions whose arguments are functions. */
  readonly withLambdas?: LambdaImplementation;
  /** In place of `withLambdas`, as `makeHost` of `host`. */
  readonly makeWithLambdas?: () => LambdaImplementation;
  /** Functions on doubles that `emit` calls. */
  readonly math?: readonly MathBinding[];
  readonly example?: { readonly sql: string; readonly result: string | null };
}

export interface AggregateDefinition extends Signature {
  readonly make: (argTypes: readonly Type[], returnType: Type) => AggregateImplementation;
}
