/**
 * Parses the control statements of SQL functions. Their words are not reserved: a statement begins with one of them, or with a label.
 */
import type { Expression, Identifier, Location } from "../../ast/expression-nodes.ts";
import { parseExpression } from "../expression-parser.ts";
import { parseType } from "../types.ts";
import type { TokenStream } from "../token-stream.ts";
import type { ControlStatement, GuardedStatements, VariableDeclaration } from "../../ast/routines.ts";

/** A statement uses more stack than an expression, here and in every later traversal, so it counts as several levels. */
const statementLevels = 4;

const statementWords = ["BEGIN", "CASE", "FOR", "IF", "ITERATE", "LEAVE", "LOOP", "REPEAT", "RETURN", "SET", "WHILE"] as const;

const loopWords = ["FOR", "LOOP", "REPEAT", "WHILE"] as const;

type LoopWord = (typeof loopWords)[number];

export function parseControlStatement(tokens: TokenStream): ControlStatement {
  return tokens.nested(() => {
    const location = tokens.location();
    if (startsLabel(tokens)) {
      const label = tokens.takeIdentifier();
      tokens.expect(":");
      return parseLoop(tokens, tokens.expectOneOf(loopWords), location, label);
    }
    const word = tokens.expectOneOf(statementWords);
    switch (word) {
      case "BEGIN":
        return parseCompound(tokens, location);
      case "CASE":
        return parseCase(tokens, location);
      case "IF":
        return parseIf(tokens, location);
      case "ITERATE":
        return { kind: "IterateStatement", label: parseLabel(tokens), location };
      case "LEAVE":
        return { kind: "LeaveStatement", label: parseLabel(tokens), location };
      case "RETURN":
        return { kind: "ReturnStatement", value: parseExpression(tokens), location };
      case "SET": {
        const target = tokens.expectIdentifier();
        tokens.expect("=");
        return { kind: "AssignmentStatement", target, value: parseExpression(tokens), location };
      }
      default:
        return parseLoop(tokens, word, location);
    }
  }, statementLevels);
}

/** A label may be a reserved word: Trino's documentation has an example with `outer: FOR`. */
function startsLabel(tokens: TokenStream): boolean {
  return ["quoted", "word"].includes(tokens.peek(0).kind) && tokens.looksAt(":", 1);
}

function parseLabel(tokens: TokenStream): Identifier {
  return tokens.peek(0).kind === "word" ? tokens.takeIdentifier() : tokens.expectIdentifier();
}

/** Parses one or more statements, each followed by `;`, up to one of the words. */
function parseStatements(tokens: TokenStream, ends: readonly string[]): readonly ControlStatement[] {
  return tokens.repeat(
    (count) => count === 0 || !ends.some((word) => tokens.at(word) && !tokens.looksAt(":", 1)),
    () => {
      const statement = parseControlStatement(tokens);
      tokens.expect(";");
      return statement;
    },
  );
}

function parseCompound(tokens: TokenStream, location: Location): ControlStatement {
  const declarations = tokens.repeat(
    () => tokens.at("DECLARE") && tokens.looksAtIdentifier(1),
    () => {
      const declaration = parseDeclaration(tokens);
      tokens.expect(";");
      return declaration;
    },
  );
  const statements = tokens.at("END") ? [] : parseStatements(tokens, ["END"]);
  tokens.expect("END");
  return { kind: "CompoundStatement", declarations, statements, location };
}

function parseDeclaration(tokens: TokenStream): VariableDeclaration {
  const location = tokens.location();
  tokens.expect("DECLARE");
  const names = tokens.list(() => tokens.expectIdentifier());
  const type = parseType(tokens);
  const defaultValue = tokens.accept("DEFAULT") ? { defaultValue: parseExpression(tokens) } : {};
  return { kind: "VariableDeclaration", names, type, ...defaultValue, location };
}

function parseGuarded(tokens: TokenStream, ends: readonly string[], location: Location): GuardedStatements {
  const condition = parseExpression(tokens);
  tokens.expect("THEN");
  return { kind: "GuardedStatements", condition, statements: parseStatements(tokens, ends), location };
}

function parseElse(tokens: TokenStream): { readonly otherwise?: readonly ControlStatement[] } {
  return tokens.accept("ELSE") ? { otherwise: parseStatements(tokens, ["END"]) } : {};
}

const caseEnds: readonly string[] = ["ELSE", "END", "WHEN"];

function parseCase(tokens: TokenStream, location: Location): ControlStatement {
  const operand: { readonly operand?: Expression } = tokens.at("WHEN") ? {} : { operand: parseExpression(tokens) };
  const whenClauses = tokens.repeat(
    (count) => count === 0 || tokens.at("WHEN"),
    () => {
      const whenLocation = tokens.location();
      tokens.expect("WHEN");
      return parseGuarded(tokens, caseEnds, whenLocation);
    },
  );
  const otherwise = parseElse(tokens);
  tokens.expect("END");
  tokens.expect("CASE");
  return { kind: "CaseStatement", ...operand, whenClauses, ...otherwise, location };
}

const ifEnds: readonly string[] = ["ELSE", "ELSEIF", "END"];

function parseIf(tokens: TokenStream, location: Location): ControlStatement {
  const first = parseGuarded(tokens, ifEnds, location);
  const others = tokens.repeat(
    () => tokens.at("ELSEIF"),
    () => {
      const elseIfLocation = tokens.location();
      tokens.advance();
      return parseGuarded(tokens, ifEnds, elseIfLocation);
    },
  );
  const otherwise = parseElse(tokens);
  tokens.expect("END");
  tokens.expect("IF");
  return { kind: "IfStatement", branches: [first, ...others], ...otherwise, location };
}

function parseLoop(tokens: TokenStream, word: LoopWord, location: Location, named?: Identifier): ControlStatement {
  const label = named === undefined ? {} : { label: named };
  switch (word) {
    case "FOR": {
      const counter = tokens.expectIdentifier();
      tokens.expect("IN");
      const lower = parseExpression(tokens);
      tokens.expect("TO");
      const upper = parseExpression(tokens);
      const step = tokens.accept("BY") ? { step: parseExpression(tokens) } : {};
      tokens.expect("DO");
      const statements = parseStatements(tokens, ["END"]);
      tokens.expect("END");
      tokens.expect("FOR");
      return { kind: "ForStatement", ...label, counter, lower, upper, ...step, statements, location };
    }
    case "LOOP": {
      const statements = parseStatements(tokens, ["END"]);
      tokens.expect("END");
      tokens.expect("LOOP");
      return { kind: "LoopStatement", ...label, statements, location };
    }
    case "REPEAT": {
      const statements = parseStatements(tokens, ["UNTIL"]);
      tokens.expect("UNTIL");
      const condition = parseExpression(tokens);
      tokens.expect("END");
      tokens.expect("REPEAT");
      return { kind: "RepeatStatement", ...label, statements, condition, location };
    }
    case "WHILE": {
      const condition = parseExpression(tokens);
      tokens.expect("DO");
      const statements = parseStatements(tokens, ["END"]);
      tokens.expect("END");
      tokens.expect("WHILE");
      return { kind: "WhileStatement", ...label, condition, statements, location };
    }
  }
}
