/**
 * The record of one overload of a function: signature, null rule, determinism, implementation, description, and an example that is run as
 * its test. A type pattern is a type in the spelling of Presto's SHOW FUNCTIONS, with variables: `bigint`, `varchar(x)`, `decimal(p,s)`,
 * `timestamp(p)`, `T`.
 */
import type { Draws, HostWork } from "../../codegen/host-work.ts";
import type { Address } from "../../memory/memory.ts";
import type { QueryError } from "../../protocol/errors.ts";
import type { NestedValue } from "../../types/nested/nested-order.ts";
import type { Type } from "../../types/type.ts";
import type { AggregateImplementation } from "./aggregate.ts";
import type { EmitScalar } from "../runtime/emit.ts";

/** A SQL value in TypeScript; NestedValue lists the representation of each type. */
export type HostValue = NestedValue;

export interface HostCall {
  readonly argTypes: readonly Type[];
  readonly returnType: Type;
  /** Counts the work of the call; absent where nothing is bounded by it. */
  readonly work?: Pick<HostWork, "count">;
}

/** Memory of the kernel that makes the call: its error block and its arena. */
export interface HostFrame {
  readonly errorBlock: Address;
  /** Control block of the arena. */
  readonly arena: Address;
}

/** Implementation in TypeScript, row by row. May throw QueryError. Sees NULL arguments only if the definition's null rule says so. */
export type HostImplementation = (args: readonly HostValue[], call: HostCall) => HostValue;

/**
 * An implementation that may take long without lambdas. It yields now and then, with the number of steps since the last time, and may be
 * suspended there. Its work until the next yield is some hundred steps, of about a microsecond each.
 */
export type HostSteps = (args: readonly HostValue[], call: HostCall) => Generator<number, HostValue, void>;

/** A lambda argument as a function of values: each call evaluates it for one element. */
export type HostLambda = (...args: readonly HostValue[]) => HostValue;

/** Services for an implementation that calls lambdas or may run for long. */
export interface HostSurroundings {
  readonly work: HostWork;
  readonly draws: Draws;
  /** The error that a lambda left in the error block when it threw a WrittenError. */
  readonly writtenError: () => QueryError;
}

/**
 * Implementation of a function that takes lambdas: `args` are the other arguments in order, followed by the lambdas in order.
 * `surroundings` is undefined if the call has no lambdas.
 */
export type LambdaImplementation = (
  args: readonly HostValue[],
  lambdas: readonly HostLambda[],
  call: HostCall,
  surroundings?: HostSurroundings,
) => HostValue;

/** An implementation on doubles alone, called directly with parameters instead of slots in memory. */
export interface MathBinding {
  readonly name: string;
  readonly parameterCount: number;
  readonly fn: (...args: number[]) => number;
}

export interface Signature {
  readonly name: string;
  readonly args: readonly string[];
  /** The last argument is repeatable; at least one is required. */
  readonly variadic?: true;
  readonly returns: string;
  /** Computes the return type if the pattern's variables cannot express it. */
  readonly returnType?: (argTypes: readonly Type[]) => Type;
  /** Constraint on the type variables, or on those that `constrained` names. */
  readonly constraint?: "comparable" | "orderable";
  readonly constrained?: readonly string[];
  readonly description: string;
}

export interface ScalarDefinition extends Signature {
  /** "seen": the implementation sees NULL arguments. By default a function is strict: NULL if any argument is NULL. */
  readonly nulls?: "seen";
  /** The result may be NULL although no argument is. */
  readonly givesNull?: true;
  readonly deterministic?: false;
  /** The implementation accepts timestamps of more than six fraction digits as they are. */
  readonly seesPicos?: true;
  /** Alternative to `seesPicos`: the implementation sees microseconds only, and the result takes the picoseconds of the argument. */
  readonly keepsPicos?: true;
  /** Cheap and never fails, so it may run on the unspecified value under a NULL. */
  readonly total?: true;
  readonly emit?: EmitScalar;
  readonly host?: HostImplementation;
  /**
   * Alternative to `host`: makes an implementation per node. It may cache what it derives from arguments (compiled patterns), never data
   * that changes results.
   */
  readonly makeHost?: () => HostImplementation;
  /** Alternative to `host`, for functions whose work may be much more than the size of their arguments and their result. */
  readonly steps?: HostSteps;
  /** Makes `steps` per node, as `makeHost` makes `host`. */
  readonly makeSteps?: () => HostSteps;
  /** Alternative to `host`, for functions that take lambdas. */
  readonly withLambdas?: LambdaImplementation;
  /** `withLambdas` runs as a long call by itself. Otherwise the results of its lambdas are kept until it ends. */
  readonly suspends?: true;
  /** Makes `withLambdas` per node, as `makeHost` makes `host`. */
  readonly makeWithLambdas?: () => LambdaImplementation;
  /** Host functions on doubles that `emit` calls. */
  readonly math?: readonly MathBinding[];
  readonly example?: { readonly sql: string; readonly result: string | null };
}

export interface AggregateDefinition extends Signature {
  readonly make: (argTypes: readonly Type[], returnType: Type) => AggregateImplementation;
}
