/**
 * Prints SQL functions in Trino's layout: one clause on each line, statements indented.
 */
import type { Expression } from "../ast/expression-nodes.ts";
import { indent, type NodePrinter } from "./lines.ts";
import { printIdentifier, printName, printString, printType } from "./names.ts";
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

export function printCreateFunction({ replace, specification }: CreateFunction, printer: NodePrinter): string {
  return `CREATE ${replace ? "OR REPLACE " : ""}${functionLines(specification, printer).join("\n")}`;
}

export function printDropFunction({ ifExists, name, parameters }: DropFunction): string {
  return `DROP FUNCTION ${ifExists ? "IF EXISTS " : ""}${printName(name)}(${parameters.map(printParameter).join(", ")})`;
}

export function functionLines(node: FunctionSpecification, printer: NodePrinter): Lines {
  return [
    `FUNCTION ${printName(node.name)}(${node.parameters.map(printParameter).join(", ")})`,
    `RETURNS ${printType(node.returns.type)}`,
    ...node.characteristics.map(printCharacteristic),
    ...statementLines(node.statement, printer),
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

/** Appends the `;` to the last line. */
function closed(lines: Lines): Lines {
  return lines.map((line, index) => (index === lines.length - 1 ? `${line};` : line));
}

function listLines(statements: readonly ControlStatement[], printer: NodePrinter): Lines {
  return statements.flatMap((statement) => indent(closed(statementLines(statement, printer))));
}

function elseLines(statements: readonly ControlStatement[] | undefined, printer: NodePrinter): Lines {
  return statements === undefined ? [] : ["ELSE", ...listLines(statements, printer)];
}

function guardedLines(head: string, { condition, statements }: GuardedStatements, printer: NodePrinter): Lines {
  return [`${head} ${printer.expression(condition)} THEN`, ...listLines(statements, printer)];
}

function statementLines(node: ControlStatement, printer: NodePrinter): Lines {
  const label = "label" in node && node.label !== undefined ? `${printIdentifier(node.label)}: ` : "";
  switch (node.kind) {
    case "ReturnStatement":
      return [`RETURN ${printer.expression(node.value)}`];
    case "AssignmentStatement":
      return [`SET ${printIdentifier(node.target)} = ${printer.expression(node.value)}`];
    case "IterateStatement":
      return [`ITERATE ${printIdentifier(node.label)}`];
    case "LeaveStatement":
      return [`LEAVE ${printIdentifier(node.label)}`];
    case "CaseStatement": {
      const whens = node.whenClauses.flatMap((clause) => indent(guardedLines("WHEN", clause, printer)));
      const operand = node.operand === undefined ? "" : ` ${printer.expression(node.operand)}`;
      return [`CASE${operand}`, ...whens, ...indent(elseLines(node.otherwise, printer)), "END CASE"];
    }
    case "IfStatement": {
      const branches = node.branches.flatMap((branch, index) => guardedLines(index === 0 ? "IF" : "ELSEIF", branch, printer));
      return [...branches, ...elseLines(node.otherwise, printer), "END IF"];
    }
    case "CompoundStatement":
      return [
        "BEGIN",
        ...indent(node.declarations.map((declaration) => printDeclaration(declaration, printer))),
        ...listLines(node.statements, printer),
        "END",
      ];
    case "LoopStatement":
      return [`${label}LOOP`, ...listLines(node.statements, printer), "END LOOP"];
    case "WhileStatement":
      return [`${label}WHILE ${printer.expression(node.condition)} DO`, ...listLines(node.statements, printer), "END WHILE"];
    case "RepeatStatement":
      return [`${label}REPEAT`, ...listLines(node.statements, printer), `UNTIL ${printer.expression(node.condition)}`, "END REPEAT"];
    case "ForStatement": {
      const range = `${printLower(node.lower, printer)} TO ${printer.expression(node.upper)}`;
      const step = node.step === undefined ? "" : ` BY ${printer.expression(node.step)}`;
      return [`${label}FOR ${printIdentifier(node.counter)} IN ${range}${step} DO`, ...listLines(node.statements, printer), "END FOR"];
    }
  }
}

/** Adds parentheses where the following TO would be read as part of an interval: INTERVAL '1' DAY TO SECOND. */
function printLower(lower: Expression, printer: NodePrinter): string {
  const text = printer.expression(lower);
  return /INTERVAL\b.*\b(YEAR|MONTH|WEEK|DAY|HOUR|MINUTE|SECOND)$/s.test(text) ? `(${text})` : text;
}

function printDeclaration({ defaultValue, names, type }: VariableDeclaration, printer: NodePrinter): string {
  const value = defaultValue === undefined ? "" : ` DEFAULT ${printer.expression(defaultValue)}`;
  return `DECLARE ${names.map(printIdentifier).join(", ")} ${printType(type)}${value};`;
}
