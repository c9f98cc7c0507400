/**
 * The record of one overload of a function: signature, null rule, determinism, meaning, description and an example that is its test. The catalogue
 * gathers them; a pattern is a type as Presto's SHOW FUNCTIONS spells it, with variables: `bigint`, `varchar(x)`, `decimal(p,s)`, `timestamp(p)`, `T`.
 */
import type { NestedValue } from "../types/nested-order.ts";
import type { Type } from "../types/type.ts";
import type { AggregateImplementation } from "./aggregate.ts";
import type { EmitScalar } from "./emit.ts";
import type { MathBinding } from "./host.ts";

/** What a host function sees; which value stands for which type is told at NestedValue. */
export type HostValue = NestedValue;

export interface HostCall {
  readonly argTypes: readonly Type[];
  readonly returnType: Type;
}

/** Meaning in TypeScript, row by row. May throw QueryErrors. NULL arguments only when the definition's null rule says so. */
export type HostMeaning = (args: readonly HostValue[], call: HostCall) => HostValue;

export interface Signature {
  readonly name: string;
  readonly args: readonly string[];
  /** The last argument may come any number of times, once at least. */
  readonly variadic?: true;
  readonly returns: string;
  /** Where the return type is no plain function of the pattern's variables. */
  readonly returnType?: (argTypes: readonly Type[]) => Type;
  /** What T stands for. */
  readonly constraint?: "comparable" | "orderable";
  readonly description: string;
}

export interface ScalarDefinition extends Signature {
  /** Strict functions (the rule) are NULL when an argument is, and their code never sees one. */
  readonly nulls?: "seen";
  /** May be NULL although no argument is. */
  readonly givesNull?: true;
  readonly deterministic?: false;
  /** Cheap and never fails: may run on the unspecified value under a NULL. */
  readonly total?: true;
  readonly emit?: EmitScalar;
  readonly host?: HostMeaning;
  /** In place of `host`: a meaning of one node's own, which may remember what it has made of its arguments (compiled patterns), never what they mean. */
  readonly makeHost?: () => HostMeaning;
  /** Functions on doubles that `emit` calls. */
  readonly math?: readonly MathBinding[];
  readonly example?: { readonly sql: string; readonly result: string | null };
}

export interface AggregateDefinition extends Signature {
  readonly make: (argTypes: readonly Type[], returnType: Type) => AggregateImplementation;
}
