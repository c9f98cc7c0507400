/**
 * Changes that no user of the engine can notice, by rule. They are drawn like all others and then left out, so that the report can say how
 * many each rule has left out. A rule speaks of what the code is for, never of one place; what a user could notice, however rarely, stays.
 */
import {
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isNumericLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isVariableDeclaration,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { textOf } from "./edit.ts";

interface Changed {
  /** The node that an operator was asked about. */
  readonly node: Node;
  readonly source: SourceFile;
  readonly operator: string;
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
