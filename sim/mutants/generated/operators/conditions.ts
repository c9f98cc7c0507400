/** Operators over conditions: what is compared, how conditions are combined, and which branch is taken. */
import {
  type BinaryExpression,
  type Expression,
  isBinaryExpression,
  isBlock,
  isConditionalExpression,
  isDoStatement,
  isForStatement,
  isIfStatement,
  isPrefixUnaryExpression,
  isWhileStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { type Edit, type Operator, replaceExpression, textOf } from "../edit.ts";
import { hasStatementList, isAssignmentOfLeft } from "./shapes.ts";

const opposite: ReadonlyMap<SyntaxKind, string> = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [SyntaxKind.ExclamationEqualsEqualsToken, "==="],
]);

const boundary: ReadonlyMap<SyntaxKind, string> = new Map([
  [SyntaxKind.LessThanToken, "<="],
  [SyntaxKind.LessThanEqualsToken, "<"],
  [SyntaxKind.GreaterThanToken, ">="],
  [SyntaxKind.GreaterThanEqualsToken, ">"],
]);

function withOperator({ left, right }: BinaryExpression, source: SourceFile, operator: string): string {
  return `${textOf(left, source)} ${operator} ${textOf(right, source)}`;
}

/** The condition that decides whether code below the node runs. */
function conditionOf(node: Node): Expression | undefined {
  if (isIfStatement(node) || isWhileStatement(node) || isDoStatement(node)) {
    return node.expression;
  }
  return isForStatement(node) || isConditionalExpression(node) ? node.condition : undefined;
}

/** `if (ready)` to `if (!ready)`; `a === b` to `a !== b`. */
export const negateCondition: Operator = (node, source) => {
  if (isBinaryExpression(node)) {
    const operator = opposite.get(node.operatorToken.kind);
    return operator === undefined ? [] : [replaceExpression(node, source, withOperator(node, source, operator))];
  }
  const condition = conditionOf(node);
  if (condition === undefined || (isBinaryExpression(condition) && opposite.has(condition.operatorToken.kind))) {
    return [];
  }
  if (isPrefixUnaryExpression(condition) && condition.operator === SyntaxKind.ExclamationToken) {
    return [replaceExpression(condition, source, textOf(condition.operand, source))];
  }
  return [replaceExpression(condition, source, `!(${textOf(condition, source)})`)];
};

/** `<` to `<=` and the like. */
export const moveBoundary: Operator = (node, source) => {
  const operator = isBinaryExpression(node) ? boundary.get(node.operatorToken.kind) : undefined;
  return operator === undefined || !isBinaryExpression(node) || keepsMaximum(node, source)
    ? []
    : [replaceExpression(node, source, withOperator(node, source, operator))];
};

/** `if (a > b) { b = a; }` and `a > b ? a : b`: equal values make no difference, so the mutant is equivalent. */
function keepsMaximum(comparison: BinaryExpression, source: SourceFile): boolean {
  const { parent } = comparison;
  const sides = [textOf(comparison.left, source), textOf(comparison.right, source)];
  if (isIfStatement(parent) && parent.expression === comparison && parent.elseStatement === undefined && isBlock(parent.thenStatement)) {
    const [only, ...more] = parent.thenStatement.statements;
    return more.length === 0 && only !== undefined && isAssignmentOfLeft(only, source, sides);
  }
  return (
    isConditionalExpression(parent) &&
    parent.condition === comparison &&
    sides.includes(textOf(parent.whenTrue, source)) &&
    sides.includes(textOf(parent.whenFalse, source))
  );
}

/** `&&` to `||` and back; one of the two operands alone. */
export const combineConditions: Operator = (node, source) => {
  if (!isBinaryExpression(node)) {
    return [];
  }
  const { operatorToken, left, right } = node;
  const other = new Map([
    [SyntaxKind.AmpersandAmpersandToken, "||"],
    [SyntaxKind.BarBarToken, "&&"],
  ]).get(operatorToken.kind);
  if (other === undefined) {
    return operatorToken.kind === SyntaxKind.QuestionQuestionToken ? [replaceExpression(node, source, textOf(right, source))] : [];
  }
  return [`((${textOf(left, source)}) ${other} (${textOf(right, source)}))`, textOf(left, source), textOf(right, source)].map((text) =>
    replaceExpression(node, source, text),
  );
};

/** `a ? b : c` to one of its branches. */
export const takeOneBranch: Operator = (node, source) =>
  isConditionalExpression(node)
    ? [node.whenTrue, node.whenFalse].map((branch) => replaceExpression(node, source, textOf(branch, source)))
    : [];

/** Removes `else`, including `else if`. */
export const dropElse: Operator = (node) => {
  if (!isIfStatement(node) || node.elseStatement === undefined) {
    return [];
  }
  const edit: Edit = { start: node.thenStatement.end, end: node.elseStatement.end, text: "", marked: " else { REACHED(); }" };
  return [edit];
};

/** `if (condition) { ... }` to `{ ... }`. */
export const dropCondition: Operator = (node, source) => {
  if (!isIfStatement(node) || !isBlock(node.thenStatement) || node.elseStatement !== undefined || !hasStatementList(node.parent)) {
    return [];
  }
  const body = textOf(node.thenStatement, source);
  return [{ start: node.getStart(source), end: node.end, text: body, marked: `REACHED(); ${body}` }];
};
