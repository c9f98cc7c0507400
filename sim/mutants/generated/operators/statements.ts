/** Operators over statements: forgotten steps, forgotten guards, jumps to elsewhere, and forgotten ends. */
import {
  type Block,
  isAwaitExpression,
  isBinaryExpression,
  isBlock,
  isBreakStatement,
  isCallExpression,
  isCaseClause,
  isCatchClause,
  isConstructorDeclaration,
  isContinueStatement,
  isDeleteExpression,
  isExpressionStatement,
  isIdentifier,
  isIfStatement,
  isObjectLiteralExpression,
  isPostfixUnaryExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isSwitchStatement,
  isThrowStatement,
  isTryStatement,
  isVoidExpression,
  type Expression,
  type Node,
  type SourceFile,
} from "typescript/unstable/ast";
import { type Edit, insertBefore, type Operator, replaceExpression, replaceStatement, textOf } from "../edit.ts";
import { hasStatementList, isAssignmentOperator, isFunctionLike } from "./shapes.ts";

/** Names of what gives something back, wakes somebody, or makes something end or ordered. */
const cleanup =
  /^(clear|release|free|close|dispose|destroy|delete|remove|forget|reset|cancel|abort|stop|end|finish|wake|notify|signal|resolve|settle|give|unsubscribe|off|leave|drop|evict|expire|flush|sort|reverse|unref|abandon|acknowledge)/i;

/** The name of the function that a statement calls, through `await` and `void`. */
function calledName(expression: Expression): string | undefined {
  const inner = isAwaitExpression(expression) || isVoidExpression(expression) ? expression.expression : expression;
  if (!isCallExpression(inner)) {
    return undefined;
  }
  const { expression: callee } = inner;
  const name = isPropertyAccessExpression(callee) ? callee.name.text : isIdentifier(callee) ? callee.text : "";
  return name.replace(/^#/, "");
}

function droppable(node: Node): Expression | undefined {
  if (!isExpressionStatement(node) || !hasStatementList(node.parent)) {
    return undefined;
  }
  return calledName(node.expression) === "super" ? undefined : node.expression;
}

function isCleanup(expression: Expression): boolean {
  if (isDeleteExpression(expression)) {
    return true;
  }
  if (isBinaryExpression(expression) && isAssignmentOperator(expression.operatorToken.kind)) {
    return /^(undefined|0n?|false|\[\]|""|new (Map|Set)\b.*)$/.test(expression.right.getText());
  }
  return cleanup.test(calledName(expression) ?? "");
}

/** Removes a call or an assignment that releases, wakes, ends, clears or sorts. */
export const forgetCleanup: Operator = (node, source) => {
  const expression = droppable(node);
  return expression !== undefined && isCleanup(expression) ? [replaceStatement(node, source, "")] : [];
};

/** Removes any other statement without a result. */
export const dropStatement: Operator = (node, source) => {
  const expression = droppable(node);
  if (expression === undefined || isCleanup(expression)) {
    return [];
  }
  const isEffect =
    calledName(expression) !== undefined ||
    (isBinaryExpression(expression) && isAssignmentOperator(expression.operatorToken.kind)) ||
    isPostfixUnaryExpression(expression) ||
    isPrefixUnaryExpression(expression);
  return isEffect ? [replaceStatement(node, source, "")] : [];
};

/** `list.sort(...)` in an expression to `list`. */
export const forgetSort: Operator = (node, source) => {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression) || isExpressionStatement(node.parent)) {
    return [];
  }
  const { expression, name } = node.expression;
  return ["sort", "toSorted", "reverse", "toReversed"].includes(name.text)
    ? [replaceExpression(node, source, textOf(expression, source))]
    : [];
};

function leaves(block: Block): boolean {
  const last = block.statements.at(-1);
  return last !== undefined && (isReturnStatement(last) || isThrowStatement(last) || isBreakStatement(last) || isContinueStatement(last));
}

/** Removes `if (...) { return; }` and the like, and any other `if` without an `else`. */
export const dropGuard: Operator = (node, source) => {
  const isDroppable =
    isIfStatement(node) && node.elseStatement === undefined && hasStatementList(node.parent) && isBlock(node.thenStatement);
  return isDroppable && isBlock(node.thenStatement) && leaves(node.thenStatement) ? [replaceStatement(node, source, "")] : [];
};

/** Removes an `if` that does not leave. */
export const dropConditional: Operator = (node, source) => {
  const isDroppable =
    isIfStatement(node) && node.elseStatement === undefined && hasStatementList(node.parent) && isBlock(node.thenStatement);
  return isDroppable && isBlock(node.thenStatement) && !leaves(node.thenStatement) ? [replaceStatement(node, source, "")] : [];
};

/** `await step()` to `step()`. */
export const skipAwait: Operator = (node, source) =>
  isAwaitExpression(node) ? [replaceExpression(node, source, textOf(node.expression, source))] : [];

/** `return;` before a statement of a function that returns nothing. */
export const returnEarly: Operator = (node, source) => {
  const { parent } = node;
  if (parent === undefined || !isBlock(parent) || !isFunctionLike(parent.parent) || isConstructorDeclaration(parent.parent)) {
    return [];
  }
  const isInList = isExpressionStatement(node) || isIfStatement(node) || isTryStatement(node);
  return isInList ? [insertBefore(node, source, "return;")] : [];
};

/** `break` to `continue` and back, and neither of them. */
export const changeJump: Operator = (node, source) => {
  if (!isBreakStatement(node) && !isContinueStatement(node)) {
    return [];
  }
  if (!hasStatementList(node.parent) || isCaseClause(node.parent) || node.label !== undefined || breaksSwitch(node)) {
    return [];
  }
  return [replaceStatement(node, source, isBreakStatement(node) ? "continue;" : "break;"), replaceStatement(node, source, "")];
};

function breaksSwitch(node: Node): boolean {
  for (let outer = node.parent; outer !== undefined && !isFunctionLike(outer); outer = outer.parent) {
    if (isSwitchStatement(outer)) {
      return true;
    }
  }
  return false;
}

/** Removes what a `case` does. */
export const dropCase: Operator = (node, source) => {
  if (!isCaseClause(node) || node.statements.length === 0) {
    return [];
  }
  const [first] = node.statements;
  const start = first?.getStart(source) ?? node.end;
  const inner = node.statements.length === 1 && first !== undefined && isBlock(first) ? first.statements : node.statements;
  const last = inner.at(-1);
  const end = last !== undefined && isReturnStatement(last) ? "return;" : "break;";
  return [{ start, end: node.end, text: end, marked: `REACHED(); ${end}` }];
};

/** Empties `catch` and `finally`. */
export const emptyCatch: Operator = (node, source) => {
  const emptied = (block: Block): readonly Edit[] =>
    block.statements.length === 0 ? [] : [{ start: block.getStart(source), end: block.end, text: "{}", marked: "{ REACHED(); }" }];
  if (isCatchClause(node)) {
    return emptied(node.block);
  }
  return isTryStatement(node) && node.finallyBlock !== undefined ? emptied(node.finallyBlock) : [];
};

/** Leaves a member out of an object literal. */
export const dropMember: Operator = (node, source) => {
  const isMember = isPropertyAssignment(node) || isShorthandPropertyAssignment(node) || isSpreadAssignment(node);
  if (!isMember || !isObjectLiteralExpression(node.parent)) {
    return [];
  }
  return [{ start: node.getStart(source), end: endOfMember(node, source), text: "", marked: "...(REACHED(), {})," }];
};

function endOfMember(node: Node, source: SourceFile): number {
  const comma = /^\s*,/.exec(source.text.slice(node.end, node.end + 200));
  return node.end + (comma?.[0].length ?? 0);
}
