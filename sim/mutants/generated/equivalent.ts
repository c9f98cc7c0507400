/**
 * Changes that no user of the engine can notice, by rule. They are drawn like all others and then left out, so that the report can say how
 * many each rule has left out. A rule speaks of what the code is for, never of one place; what a user could notice, however rarely, stays.
 */
import {
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isIfStatement,
  isMethodDeclaration,
  isNumericLiteral,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isShorthandPropertyAssignment,
  isVariableDeclaration,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { type Edit, textOf } from "./edit.ts";

interface Changed {
  /** The node that an operator was asked about. */
  readonly node: Node;
  readonly source: SourceFile;
  readonly operator: string;
  readonly edit: Edit;
}

interface Rule {
  readonly name: string;
  readonly reason: string;
  readonly holds: (changed: Changed) => boolean;
}

/** From this value on, a change by one is a change by less than a hundred thousandth. */
const largeUnit = 100_000;
/** Multipliers of a hash have as many bits as its lanes. */
const multiplierMin = 2 ** 16;
/** From this value on, a millisecond is at most a hundredth. */
const pauseMsMin = 100;
const ofTime = /(nanos|micros|millis|seconds|ms)\b/i;

export const rules: readonly Rule[] = [
  {
    name: "labels",
    reason: "The label of a request or a timer is read by people and by the simulator. No node and no client sees it.",
    holds: ({ node }) => isBelow(node, isLabel),
  },
  {
    name: "ties",
    reason: "`a < b ? -1 : 1` and `a <= b ? -1 : 1` differ only in the order of equal keys, which no contract names.",
    holds: ({ node, operator }) => operator === "move-boundary" && isComparator(node.parent),
  },
  {
    name: "units",
    reason: "A time that is divided by 999,999 instead of 1,000,000 differs by less than documents and timers show.",
    holds: ({ node, operator, source }) =>
      operator === "off-by-one" &&
      isNumericLiteral(node) &&
      Number(node.text) >= largeUnit &&
      isFactor(node) &&
      ofTime.test(textOf(node.parent, source)),
  },
  {
    name: "pauses",
    reason: "A pause of 501 ms instead of 500 differs by less than a timer is late, and by less than any document promises.",
    holds: ({ node, operator, source }) =>
      operator === "off-by-one" &&
      isNumericLiteral(node) &&
      Number(node.text) >= pauseMsMin &&
      isBelow(node, (outer) => isPause(outer, source)),
  },
  {
    name: "rounded timers",
    reason: "A timer that is rounded to the millisecond below fires again a millisecond later, and a timer is never exact.",
    holds: ({ node, operator, source }) =>
      operator === "other-end" && isRounding(node) && ofTime.test(textOf(node, source)) && isBelow(node, isTimer),
  },
  {
    name: "multipliers",
    reason: "A checksum is made and compared by the same function of the same build. Another odd multiplier is as good as the first.",
    holds: ({ node, operator, source }) =>
      operator === "off-by-one" && isNumericLiteral(node) && Number(node.text) >= multiplierMin && isPrime(node, source),
  },
  {
    name: "checks",
    reason: "A member that says in its comment that it is for checks is read by tests and by the simulator alone.",
    holds: ({ node, source }) => isBelow(node, (outer) => isForChecks(outer, source)),
  },
  {
    name: "points",
    reason:
      "A fault point never fires in production. What runs only if one fires, and a change that makes it never fire, is the simulator's.",
    holds: (changed) => leavesPointOut(changed) || isBelow(changed.node, (outer) => runsByPoint(outer, changed.source)),
  },
];

/** Name of the first rule that leaves the change out. */
export function equivalenceOf(changed: Changed): string | undefined {
  return rules.find(({ holds }) => holds(changed))?.name;
}

function isBelow(node: Node, holds: (node: Node) => boolean): boolean {
  for (let outer: Node | undefined = node; outer !== undefined; outer = outer.parent) {
    if (holds(outer)) {
      return true;
    }
  }
  return false;
}

/** `label: ...` of an options object that is passed to a call. */
function isLabel(node: Node): boolean {
  const isMember = isPropertyAssignment(node) || isShorthandPropertyAssignment(node);
  return isMember && "text" in node.name && node.name.text === "label";
}

function isComparator(node: Node | undefined): boolean {
  if (node === undefined || !isConditionalExpression(node)) {
    return false;
  }
  const sides = [node.whenTrue, node.whenFalse].map((side) => side.getText().replace(/[()\s]/g, ""));
  return sides.includes("-1") && sides.includes("1");
}

function isFactor(node: Node): boolean {
  const { parent } = node;
  return (
    isBinaryExpression(parent) &&
    [SyntaxKind.AsteriskToken, SyntaxKind.SlashToken].includes(parent.operatorToken.kind) &&
    parent.right === node
  );
}

/** A constant that is called by its unit: `backoffMs`. */
function isPause(node: Node, source: SourceFile): boolean {
  return isVariableDeclaration(node) && textOf(node.name, source).endsWith("Ms");
}

function isRounding(node: Node): boolean {
  return isCallExpression(node) && isPropertyAccessExpression(node.expression) && ["ceil", "floor"].includes(node.expression.name.text);
}

/** The second argument of `clock.timer`. */
function isTimer(node: Node): boolean {
  const { parent } = node;
  const isOfTimer = parent !== undefined && isCallExpression(parent) && isPropertyAccessExpression(parent.expression);
  return isOfTimer && parent.expression.name.text === "timer" && parent.arguments[1] === node;
}

/** An operand of Math.imul, or a constant that is called a prime. */
function isPrime(node: Node, source: SourceFile): boolean {
  return isBelow(
    node,
    (outer) =>
      (isVariableDeclaration(outer) && /^prime\d*$/.test(textOf(outer.name, source))) ||
      (isCallExpression(outer) && isPropertyAccessExpression(outer.expression) && outer.expression.name.text === "imul"),
  );
}

/** The comment right before a member of a class. */
function isForChecks(node: Node, source: SourceFile): boolean {
  const isMember =
    node.parent !== undefined && (node.parent.kind === SyntaxKind.ClassDeclaration || node.parent.kind === SyntaxKind.ClassExpression);
  const comment = isMember
    ? /\/\*\*([^/]*?)\*\/\s*$/.exec(source.text.slice(Math.max(0, node.getStart(source) - 400), node.getStart(source)))
    : null;
  return /\bfor (?:\w+ )?checks\b/i.test(comment?.[1] ?? "");
}

/** Whether an expression is true only if a fault point fires. A method of the same source that returns such an expression is one. */
function isPoint(node: Node, source: SourceFile): boolean {
  if (isParenthesizedExpression(node)) {
    return isPoint(node.expression, source);
  }
  if (isBinaryExpression(node)) {
    return node.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken && [node.left, node.right].some((side) => isPoint(side, source));
  }
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) {
    return false;
  }
  const { name, expression } = node.expression;
  if (name.text === "fires") {
    return true;
  }
  return expression.kind === SyntaxKind.ThisKeyword && isPointMethod(name.text, source);
}

function isPointMethod(name: string, source: SourceFile): boolean {
  let found = false;
  const walk = (node: Node): void => {
    if (isMethodDeclaration(node) && textOf(node.name, source) === name) {
      const [only, ...more] = node.body?.statements ?? [];
      const value = only !== undefined && isReturnStatement(only) ? only.expression : undefined;
      // A method that calls itself would never end here.
      found ||= more.length === 0 && value !== undefined && !textOf(value, source).includes(`${name}(`) && isPoint(value, source);
      return;
    }
    node.forEachChild(walk);
  };
  source.forEachChild(walk);
  return found;
}

/** Code that runs only if a fault point fires, or matters only then: the branch behind it, and what must hold beside it. */
function runsByPoint(node: Node, source: SourceFile): boolean {
  const { parent } = node;
  if (parent === undefined) {
    return false;
  }
  if (isIfStatement(parent)) {
    return parent.thenStatement === node && isPoint(parent.expression, source);
  }
  if (isBinaryExpression(parent) && parent.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken) {
    return isPoint(parent.left === node ? parent.right : parent.left, source);
  }
  return isConditionalExpression(parent) && parent.whenTrue === node && isPoint(parent.condition, source);
}

/** The new text is that of the old one where no fault point fires. */
function leavesPointOut({ node, source, operator, edit }: Changed): boolean {
  if (isConditionalExpression(node)) {
    return operator === "take-one-branch" && isPoint(node.condition, source) && edit.text === textOf(node.whenFalse, source);
  }
  if (isBinaryExpression(node) && operator === "combine-conditions") {
    const { left, right, operatorToken } = node;
    const isOr = operatorToken.kind === SyntaxKind.BarBarToken;
    const isAnd = operatorToken.kind === SyntaxKind.AmpersandAmpersandToken;
    const isNeutral = (side: Node): boolean => (isOr && isPoint(side, source)) || (isAnd && isNegatedPoint(side, source));
    return (isNeutral(right) && edit.text === textOf(left, source)) || (isNeutral(left) && edit.text === textOf(right, source));
  }
  if (!isIfStatement(node) || node.elseStatement !== undefined) {
    return false;
  }
  return isPoint(node.expression, source)
    ? operator === "drop-conditional" || operator === "drop-guard"
    : operator === "drop-condition" && isNegatedPoint(node.expression, source);
}

/** `!` before a point: true where no fault point fires. */
function isNegatedPoint(node: Node, source: SourceFile): boolean {
  return isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken && isPoint(node.operand, source);
}
