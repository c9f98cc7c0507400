/** Functions written in SQL -> SQL text, in Trino's layout: a clause a line, statements indented. */
import type { Expression } from "../ast/expression-nodes.ts";
import { printExpression, printIdentifier, printName, printString, printType } from "./expression-printer.ts";
import type {
  ControlStatement,
  CreateFunction,
  DropFunction,
  FunctionSpecification,
  GuardedStatements,
  ParameterDeclaration,
  RoutineCharacteristic,
  VariableDeclaration,
} from "../ast/routines.ts";

type Lines = readonly string[];

export const routinePrinters = {
  CreateFunction: ({ replace, specification }: CreateFunction): string =>
    `CREATE ${replace ? "OR REPLACE " : ""}${functionLines(specification).join("\n")}`,
  DropFunction: ({ ifExists, name, parameters }: DropFunction): string =>
    `DROP FUNCTION ${ifExists ? "IF EXISTS " : ""}${printName(name)}(${parameters.map(printParameter).join(", ")})`,
};

export function functionLines(node: FunctionSpecification): Lines {
  return [
    `FUNCTION ${printName(node.name)}(${node.parameters.map(printParameter).join(", ")})`,
    `RETURNS ${printType(node.returns.type)}`,
    ...node.characteristics.map(printCharacteristic),
    ...statementLines(node.statement),
  ];
}

function printParameter({ name, type }: ParameterDeclaration): string {
  return `${name === undefined ? "" : `${printIdentifier(name)} `}${printType(type)}`;
}

function printCharacteristic(node: RoutineCharacteristic): string {
  switch (node.kind) {
    case "LanguageCharacteristic":
      return `LANGUAGE ${printIdentifier(node.language)}`;
    case "DeterministicCharacteristic":
      return node.deterministic ? "DETERMINISTIC" : "NOT DETERMINISTIC";
    case "NullInputCharacteristic":
      return node.calledOnNull ? "CALLED ON NULL INPUT" : "RETURNS NULL ON NULL INPUT";
    case "SecurityCharacteristic":
      return `SECURITY ${node.security}`;
    case "CommentCharacteristic":
      return `COMMENT ${printString(node.comment)}`;
  }
}

function indent(lines: Lines): Lines {
  return lines.map((line) => `  ${line}`);
}

/** The last line takes what stands behind. */
function closed(lines: Lines): Lines {
  return lines.map((line, index) => (index === lines.length - 1 ? `${line};` : line));
}

function listLines(statements: readonly ControlStatement[]): Lines {
  return statements.flatMap((statement) => indent(closed(statementLines(statement))));
}

function elseLines(statements: readonly ControlStatement[] | undefined): Lines {
  return statements === undefined ? [] : ["ELSE", ...listLines(statements)];
}

function guardedLines(head: string, { condition, statements }: GuardedStatements): Lines {
  return [`${head} ${printExpression(condition)} THEN`, ...listLines(statements)];
}

function statementLines(node: ControlStatement): Lines {
  const label = "label" in node && node.label !== undefined ? `${printIdentifier(node.label)}: ` : "";
  switch (node.kind) {
    case "ReturnStatement":
      return [`RETURN ${printExpression(node.value)}`];
    case "AssignmentStatement":
      return [`SET ${printIdentifier(node.target)} = ${printExpression(node.value)}`];
    case "IterateStatement":
      return [`ITERATE ${printIdentifier(node.label)}`];
    case "LeaveStatement":
      return [`LEAVE ${printIdentifier(node.label)}`];
    case "CaseStatement": {
      const whens = node.whenClauses.flatMap((clause) => indent(guardedLines("WHEN", clause)));
      const operand = node.operand === undefined ? "" : ` ${printExpression(node.operand)}`;
      return [`CASE${operand}`, ...whens, ...indent(elseLines(node.otherwise)), "END CASE"];
    }
    case "IfStatement": {
      const branches = node.branches.flatMap((branch, index) => guardedLines(index === 0 ? "IF" : "ELSEIF", branch));
      return [...branches, ...elseLines(node.otherwise), "END IF"];
    }
    case "CompoundStatement":
      return ["BEGIN", ...indent(node.declarations.map(printDeclaration)), ...listLines(node.statements), "END"];
    case "LoopStatement":
      return [`${label}LOOP`, ...listLines(node.statements), "END LOOP"];
    case "WhileStatement":
      return [`${label}WHILE ${printExpression(node.condition)} DO`, ...listLines(node.statements), "END WHILE"];
    case "RepeatStatement":
      return [`${label}REPEAT`, ...listLines(node.statements), `UNTIL ${printExpression(node.condition)}`, "END REPEAT"];
    case "ForStatement": {
      const range = `${printLower(node.lower)} TO ${printExpression(node.upper)}`;
      const step = node.step === undefined ? "" : ` BY ${printExpression(node.step)}`;
      return [`${label}FOR ${printIdentifier(node.counter)} IN ${range}${step} DO`, ...listLines(node.statements), "END FOR"];
    }
  }
}

/** In parentheses where the TO behind it would be read as that of an interval: INTERVAL '1' DAY TO SECOND. */
function printLower(lower: Expression): string {
  const text = printExpression(lower);
  return /INTERVAL\b.*\b(YEAR|MONTH|WEEK|DAY|HOUR|MINUTE|SECOND)$/s.test(text) ? `(${text})` : text;
}

function printDeclaration({ defaultValue, names, type }: VariableDeclaration): string {
  const value = defaultValue === undefined ? "" : ` DEFAULT ${printExpression(defaultValue)}`;
  return `DECLARE ${names.map(printIdentifier).join(", ")} ${printType(type)}${value};`;
}
