/**
 * Random SQL functions, in the shapes that the parser produces.
 */
import fc from "fast-check";
import type {
  ControlStatement,
  FunctionSpecification,
  GuardedStatements,
  ParameterDeclaration,
  RoutineCharacteristic,
  Statement,
  VariableDeclaration,
} from "../../../src/sql/ast/ast.ts";
import { anyExpression, anyQuery, flag, identifier, list, location, maybe, qualifiedName, text, type } from "./trees.ts";

const parameter = fc
  .tuple(maybe("name", identifier), type)
  .map(([name, of]): ParameterDeclaration => ({ kind: "ParameterDeclaration", ...name, type: of, location }));

const characteristic: fc.Arbitrary<RoutineCharacteristic> = fc.oneof(
  identifier.map((language): RoutineCharacteristic => ({ kind: "LanguageCharacteristic", language, location })),
  flag.map((deterministic): RoutineCharacteristic => ({ kind: "DeterministicCharacteristic", deterministic, location })),
  flag.map((calledOnNull): RoutineCharacteristic => ({ kind: "NullInputCharacteristic", calledOnNull, location })),
  fc
    .constantFrom("DEFINER" as const, "INVOKER" as const)
    .map((security): RoutineCharacteristic => ({ kind: "SecurityCharacteristic", security, location })),
  text.map((comment): RoutineCharacteristic => ({ kind: "CommentCharacteristic", comment, location })),
);

const declaration = fc
  .tuple(list(identifier), type, maybe("defaultValue", anyExpression))
  .map(([names, of, value]): VariableDeclaration => ({ kind: "VariableDeclaration", names, type: of, ...value, location }));

const statements = fc.letrec<{ statement: ControlStatement; guarded: GuardedStatements }>((tie) => {
  const several = list(tie("statement"));
  const guarded = list(tie("guarded"));
  // `array` after a type is the old syntax of an array type.
  const label = maybe(
    "label",
    identifier.filter(({ delimited, value }) => delimited || value !== "array"),
  );
  const otherwise = maybe("otherwise", several);
  return {
    guarded: fc
      .tuple(anyExpression, several)
      .map(([condition, inside]): GuardedStatements => ({ kind: "GuardedStatements", condition, statements: inside, location })),
    statement: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      anyExpression.map((value): ControlStatement => ({ kind: "ReturnStatement", value, location })),
      fc
        .tuple(identifier, anyExpression)
        .map(([target, value]): ControlStatement => ({ kind: "AssignmentStatement", target, value, location })),
      identifier.chain((of) =>
        fc.constantFrom<ControlStatement>(
          { kind: "IterateStatement", label: of, location },
          { kind: "LeaveStatement", label: of, location },
        ),
      ),
      fc
        .tuple(maybe("operand", anyExpression), guarded, otherwise)
        .map(([operand, whenClauses, other]): ControlStatement => ({ kind: "CaseStatement", ...operand, whenClauses, ...other, location })),
      fc.tuple(guarded, otherwise).map(([branches, other]): ControlStatement => ({ kind: "IfStatement", branches, ...other, location })),
      fc
        .tuple(list(declaration, 0), list(tie("statement"), 0))
        .map(([declarations, inside]): ControlStatement => ({ kind: "CompoundStatement", declarations, statements: inside, location })),
      fc.tuple(label, several).map(([of, inside]): ControlStatement => ({ kind: "LoopStatement", ...of, statements: inside, location })),
      fc
        .tuple(label, anyExpression, several)
        .map(([of, condition, inside]): ControlStatement => ({ kind: "WhileStatement", ...of, condition, statements: inside, location })),
      fc
        .tuple(label, several, anyExpression)
        .map(([of, inside, condition]): ControlStatement => ({ kind: "RepeatStatement", ...of, statements: inside, condition, location })),
      fc.tuple(label, identifier, anyExpression, anyExpression, maybe("step", anyExpression), several).map(
        ([of, counter, lower, upper, step, inside]): ControlStatement => ({
          kind: "ForStatement",
          ...of,
          counter,
          lower,
          upper,
          ...step,
          statements: inside,
          location,
        }),
      ),
    ),
  };
});

const specification: fc.Arbitrary<FunctionSpecification> = fc
  .tuple(qualifiedName, list(parameter, 0), type, list(characteristic, 0), statements.statement)
  .map(
    ([name, parameters, of, characteristics, statement]): FunctionSpecification => ({
      kind: "FunctionSpecification",
      name,
      parameters,
      returns: { kind: "ReturnsClause", type: of, location },
      characteristics,
      statement,
      location,
    }),
  );

/** A parenthesis after a body that ends with an expression would be parsed as call arguments. */
const behindFunctions = anyQuery.filter(({ body }) => !startsWithParenthesis(body));

function startsWithParenthesis(body: { readonly kind: string; readonly terms?: readonly { readonly kind: string }[] }): boolean {
  const [first] = body.terms ?? [];
  return body.kind === "TableSubquery" || (first !== undefined && startsWithParenthesis(first));
}

const rootQuery = fc.tuple(behindFunctions, list(specification)).map(([query, functions]) => ({ ...query, functions, location }));

export const routineStatements: fc.Arbitrary<Statement> = fc.oneof(
  rootQuery,
  fc.tuple(qualifiedName, rootQuery).map(([table, query]): Statement => ({ kind: "Insert", table, query, location })),
  fc
    .tuple(qualifiedName, flag, rootQuery)
    .map(([name, replace, query]): Statement => ({ kind: "CreateView", name, replace, query, location })),
  fc.tuple(specification, flag).map(([of, replace]): Statement => ({ kind: "CreateFunction", specification: of, replace, location })),
  fc
    .tuple(qualifiedName, list(parameter, 0), flag)
    .map(([name, parameters, ifExists]): Statement => ({ kind: "DropFunction", name, parameters, ifExists, location })),
  maybe("schema", qualifiedName).map((schema): Statement => ({ kind: "ShowFunctions", ...schema, location })),
  qualifiedName.map((name): Statement => ({ kind: "ShowCreate", object: "FUNCTION", name, location })),
);
