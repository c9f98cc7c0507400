/** Operators over values: arguments in another order, and values from before a change. */
import {
  isBinaryExpression,
  isCallExpression,
  isExpressionStatement,
  isIdentifier,
  isNewExpression,
  isPostfixUnaryExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isVariableStatement,
  type Node,
  type SourceFile,
  type Statement,
  SyntaxKind,
} from "typescript/unstable/ast";
import { type Edit, type Operator, textOf } from "../edit.ts";
import { containsAwait, hasStatementList, isAssignmentOperator, isClassLike, isFunctionLike } from "./shapes.ts";

/** `f(a, b)` to `f(b, a)`. The type check drops arguments of two types. */
export const swapArguments: Operator = (node, source) => {
  if (
    (!isCallExpression(node) && !isNewExpression(node)) ||
    node.arguments === undefined ||
    isCommutative(textOf(node.expression, source))
  ) {
    return [];
  }
  const edits: Edit[] = [];
  for (let index = 0; index + 1 < node.arguments.length; index++) {
    const [first, second] = [node.arguments[index], node.arguments[index + 1]];
    if (first === undefined || second === undefined || textOf(first, source) === textOf(second, source)) {
      continue;
    }
    const between = source.text.slice(first.end, second.getStart(source));
    const text = `${textOf(second, source)}${between}${textOf(first, source)}`;
    const marked = `(REACHED(), ${textOf(second, source)})${between}${textOf(first, source)}`;
    const isSpread = [first, second].some(({ kind }) => kind === SyntaxKind.SpreadElement);
    edits.push({ start: first.getStart(source), end: second.end, text, ...(isSpread ? {} : { marked }) });
  }
  return edits;
};

function isCommutative(callee: string): boolean {
  return ["Math.max", "Math.min", "Math.imul", "Math.hypot"].includes(callee);
}

/** Statements after the change that may read the old value. */
const staleStatementsMax = 4;

/**
 * Reads, after a statement that changes a field or waits, the value that the field had before: `this.#n++; f(this.#n)` to
 * `const stale = this.#n; this.#n++; f(stale)`.
 */
export const reuseStaleValue: Operator = (node, source) => {
  const { parent } = node;
  if (parent === undefined || !hasStatementList(parent)) {
    return [];
  }
  const statements: readonly Statement[] = [...parent.statements];
  const at = statements.findIndex((statement) => statement === node);
  const [statement] = statements.slice(at, at + 1);
  if (statement === undefined) {
    return [];
  }
  const changed = changedText(statement, source);
  const waits = changed === undefined && (isExpressionStatement(statement) || isVariableStatement(statement)) && containsAwait(statement);
  if (changed === undefined && !waits) {
    return [];
  }
  const edits: Edit[] = [];
  for (const reader of statements.slice(at + 1, at + 1 + staleStatementsMax)) {
    const read = firstRead(reader, source, changed);
    if (read !== undefined) {
      edits.push(staleEdit(statement, read, source));
      break;
    }
  }
  return edits;
};

function staleEdit(statement: Statement, read: Node, source: SourceFile): Edit {
  const start = statement.getStart(source);
  const rest = `const staleValue = ${textOf(read, source)}; ${source.text.slice(start, read.getStart(source))}staleValue`;
  return { start, end: read.end, text: rest, marked: `REACHED(); ${rest}` };
}

/** The field or variable that a statement assigns. */
function changedText(statement: Statement, source: SourceFile): string | undefined {
  if (!isExpressionStatement(statement)) {
    return undefined;
  }
  const { expression } = statement;
  if (isBinaryExpression(expression) && isAssignmentOperator(expression.operatorToken.kind)) {
    return isPlace(expression.left) ? textOf(expression.left, source) : undefined;
  }
  const isStep = isPostfixUnaryExpression(expression) || isPrefixUnaryExpression(expression);
  return isStep && isPlace(expression.operand) ? textOf(expression.operand, source) : undefined;
}

function isPlace(node: Node): boolean {
  return (
    isIdentifier(node) ||
    (isPropertyAccessExpression(node) && (node.expression.kind === SyntaxKind.ThisKeyword || isPlace(node.expression)))
  );
}

/** The first read of this text, or of any field of `this` if there is none, in this function and before any other change of it. */
function firstRead(statement: Statement, source: SourceFile, text: string | undefined): Node | undefined {
  let found: Node | undefined;
  let stopped = false;
  const walk = (node: Node): void => {
    if (found !== undefined || stopped || isFunctionLike(node) || isClassLike(node)) {
      return;
    }
    const isWanted = text === undefined ? isFieldOfThis(node) && isAssigned(node, source) : isPlace(node) && textOf(node, source) === text;
    if (isWanted) {
      if (isChanged(node)) {
        stopped = true;
      } else if (!isName(node)) {
        found = node;
      }
      return;
    }
    node.forEachChild(walk);
  };
  walk(statement);
  return found;
}

function isFieldOfThis(node: Node): boolean {
  const { parent } = node;
  return (
    isPropertyAccessExpression(node) &&
    node.expression.kind === SyntaxKind.ThisKeyword &&
    !(isCallExpression(parent) && parent.expression === node) &&
    !isPropertyAccessExpression(parent)
  );
}

/** Whether any code of the file assigns the field; a field that is set once is never stale. */
function isAssigned(node: Node, source: SourceFile): boolean {
  const name = textOf(node, source).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return (source.text.match(new RegExp(`${name}\\s*([-+*|&]?=[^=>]|\\+\\+|--)`, "g")) ?? []).length > 1;
}

function isChanged(node: Node): boolean {
  const { parent } = node;
  if (isBinaryExpression(parent) && parent.left === node) {
    return isAssignmentOperator(parent.operatorToken.kind);
  }
  return (
    (isPostfixUnaryExpression(parent) || isPrefixUnaryExpression(parent)) &&
    [SyntaxKind.PlusPlusToken, SyntaxKind.MinusMinusToken].includes(parent.operator as SyntaxKind)
  );
}

/** A name of a property or a declaration, not a value; or the object of a call. */
function isName(node: Node): boolean {
  const { parent } = node;
  return ("name" in parent && parent.name === node) || (isCallExpression(parent) && parent.expression === node);
}
