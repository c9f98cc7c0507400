/**
 * Syntax nodes of SQL functions, inline (`WITH FUNCTION`) or stored in a catalog, and of the control statements in their bodies.
 */
import type { Expression, Identifier, Location, QualifiedName, TypeSyntax } from "./expression-nodes.ts";

interface Located {
  readonly location: Location;
}

/** `FUNCTION f(x bigint) RETURNS bigint RETURN x + 1` */
export interface FunctionSpecification extends Located {
  readonly kind: "FunctionSpecification";
  readonly name: QualifiedName;
  readonly parameters: readonly ParameterDeclaration[];
  readonly returns: ReturnsClause;
  /** As written; the analyzer rejects duplicates. */
  readonly characteristics: readonly RoutineCharacteristic[];
  readonly statement: ControlStatement;
}

/** The analyzer rejects parameters without a name, except in DROP FUNCTION. */
export interface ParameterDeclaration extends Located {
  readonly kind: "ParameterDeclaration";
  readonly name?: Identifier;
  readonly type: TypeSyntax;
}

export interface ReturnsClause extends Located {
  readonly kind: "ReturnsClause";
  readonly type: TypeSyntax;
}

export type RoutineCharacteristic =
  | LanguageCharacteristic
  | DeterministicCharacteristic
  | NullInputCharacteristic
  | SecurityCharacteristic
  | CommentCharacteristic;

export interface LanguageCharacteristic extends Located {
  readonly kind: "LanguageCharacteristic";
  readonly language: Identifier;
}

export interface DeterministicCharacteristic extends Located {
  readonly kind: "DeterministicCharacteristic";
  readonly deterministic: boolean;
}

/** CALLED ON NULL INPUT or RETURNS NULL ON NULL INPUT. */
export interface NullInputCharacteristic extends Located {
  readonly kind: "NullInputCharacteristic";
  readonly calledOnNull: boolean;
}

export interface SecurityCharacteristic extends Located {
  readonly kind: "SecurityCharacteristic";
  readonly security: "DEFINER" | "INVOKER";
}

export interface CommentCharacteristic extends Located {
  readonly kind: "CommentCharacteristic";
  readonly comment: string;
}

export type ControlStatement =
  | ReturnStatement
  | AssignmentStatement
  | CaseStatement
  | IfStatement
  | IterateStatement
  | LeaveStatement
  | CompoundStatement
  | LoopStatement
  | WhileStatement
  | RepeatStatement
  | ForStatement;

export interface ReturnStatement extends Located {
  readonly kind: "ReturnStatement";
  readonly value: Expression;
}

/** `SET x = value` */
export interface AssignmentStatement extends Located {
  readonly kind: "AssignmentStatement";
  readonly target: Identifier;
  readonly value: Expression;
}

/** A condition with its statements: WHEN, IF or ELSEIF. */
export interface GuardedStatements extends Located {
  readonly kind: "GuardedStatements";
  readonly condition: Expression;
  readonly statements: readonly ControlStatement[];
}

/** A searched CASE has no operand. */
export interface CaseStatement extends Located {
  readonly kind: "CaseStatement";
  readonly operand?: Expression;
  readonly whenClauses: readonly GuardedStatements[];
  readonly otherwise?: readonly ControlStatement[];
}

/** The first branch is IF, the others are ELSEIF. */
export interface IfStatement extends Located {
  readonly kind: "IfStatement";
  readonly branches: readonly GuardedStatements[];
  readonly otherwise?: readonly ControlStatement[];
}

export interface IterateStatement extends Located {
  readonly kind: "IterateStatement";
  readonly label: Identifier;
}

export interface LeaveStatement extends Located {
  readonly kind: "LeaveStatement";
  readonly label: Identifier;
}

/** `BEGIN DECLARE ...; ... END` */
export interface CompoundStatement extends Located {
  readonly kind: "CompoundStatement";
  readonly declarations: readonly VariableDeclaration[];
  readonly statements: readonly ControlStatement[];
}

/** `DECLARE a, b bigint DEFAULT 0` */
export interface VariableDeclaration extends Located {
  readonly kind: "VariableDeclaration";
  readonly names: readonly Identifier[];
  readonly type: TypeSyntax;
  readonly defaultValue?: Expression;
}

export interface LoopStatement extends Located {
  readonly kind: "LoopStatement";
  readonly label?: Identifier;
  readonly statements: readonly ControlStatement[];
}

export interface WhileStatement extends Located {
  readonly kind: "WhileStatement";
  readonly label?: Identifier;
  readonly condition: Expression;
  readonly statements: readonly ControlStatement[];
}

/** Evaluates the condition after the statements and ends when it is true. */
export interface RepeatStatement extends Located {
  readonly kind: "RepeatStatement";
  readonly label?: Identifier;
  readonly statements: readonly ControlStatement[];
  readonly condition: Expression;
}

/** `FOR i IN lower TO upper BY step DO`. The loop declares the counter, which its statements can read. */
export interface ForStatement extends Located {
  readonly kind: "ForStatement";
  readonly label?: Identifier;
  readonly counter: Identifier;
  readonly lower: Expression;
  readonly upper: Expression;
  /** Absent means 1. */
  readonly step?: Expression;
  readonly statements: readonly ControlStatement[];
}

export interface CreateFunction extends Located {
  readonly kind: "CreateFunction";
  readonly specification: FunctionSpecification;
  readonly replace: boolean;
}

/** The parameter types select one overload. */
export interface DropFunction extends Located {
  readonly kind: "DropFunction";
  readonly name: QualifiedName;
  readonly parameters: readonly ParameterDeclaration[];
  readonly ifExists: boolean;
}

export type RoutineStatement = CreateFunction | DropFunction;
