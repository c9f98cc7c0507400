/** Shapes of syntax that several operators ask for. */
import {
  type Block,
  type CaseClause,
  type DefaultClause,
  isArrowFunction,
  isAwaitExpression,
  isBinaryExpression,
  isBlock,
  isCaseClause,
  isClassDeclaration,
  isClassExpression,
  isConstructorDeclaration,
  isDefaultClause,
  isExpressionStatement,
  isFunctionDeclaration,
  isFunctionExpression,
  isGetAccessorDeclaration,
  isMethodDeclaration,
  isSetAccessorDeclaration,
  type Node,
  type SourceFile,
  type Statement,
  SyntaxKind,
} from "typescript/unstable/ast";
import { textOf } from "../edit.ts";

/** Nodes whose statements are a list, so that one can be removed or put before another. */
export function hasStatementList(node: Node): node is Block | CaseClause | DefaultClause {
  return isBlock(node) || isCaseClause(node) || isDefaultClause(node);
}

export function isFunctionLike(node: Node): boolean {
  return (
    isFunctionDeclaration(node) ||
    isMethodDeclaration(node) ||
    isArrowFunction(node) ||
    isFunctionExpression(node) ||
    isConstructorDeclaration(node) ||
    isGetAccessorDeclaration(node) ||
    isSetAccessorDeclaration(node)
  );
}

export function isClassLike(node: Node): boolean {
  return isClassDeclaration(node) || isClassExpression(node);
}

export function isAssignmentOperator(kind: SyntaxKind): boolean {
  return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
}

/** `b = a` where both are among the texts. */
export function isAssignmentOfLeft(statement: Statement, source: SourceFile, texts: readonly string[]): boolean {
  if (!isExpressionStatement(statement) || !isBinaryExpression(statement.expression)) {
    return false;
  }
  const { left, operatorToken, right } = statement.expression;
  return operatorToken.kind === SyntaxKind.EqualsToken && [left, right].every((side) => texts.includes(textOf(side, source)));
}

/** Whether the node, or one below it in the same function, passes the test. */
function contains(node: Node, test: (node: Node) => boolean): boolean {
  if (test(node)) {
    return true;
  }
  let found = false;
  node.forEachChild((child) => {
    found ||= !isFunctionLike(child) && !isClassLike(child) && contains(child, test);
  });
  return found;
}

export function containsAwait(node: Node): boolean {
  return contains(node, isAwaitExpression);
}
