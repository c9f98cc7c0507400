/** Operators over numbers: constants, units, signs, steps, and the first or the last of a list. */
import {
  isBigIntLiteral,
  isBinaryExpression,
  isCallExpression,
  isElementAccessExpression,
  isEnumMember,
  isIdentifier,
  isNumericLiteral,
  isPostfixUnaryExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  type Node,
  SyntaxKind,
} from "typescript/unstable/ast";
import { type Operator, replaceExpression, textOf } from "../edit.ts";

/** Names that end in a unit of time or size. */
const unitName = /(Ms|Nanos|Micros|Seconds|Millis|Bytes)$/;

function isPropertyName(node: Node): boolean {
  const { parent } = node;
  return isEnumMember(parent) || ("name" in parent && parent.name === node);
}

/** `5` to `4` and to `6`; `list.length` to `list.length - 1`. */
export const offByOne: Operator = (node, source) => {
  if (isNumericLiteral(node) && !isPropertyName(node)) {
    const value = Number(node.text);
    return Number.isSafeInteger(value) ? [value + 1, value - 1].map((next) => replaceExpression(node, source, written(next))) : [];
  }
  if (isBigIntLiteral(node) && !isPropertyName(node)) {
    return [replaceExpression(node, source, `(${textOf(node, source)} + 1n)`)];
  }
  const isLength = isPropertyAccessExpression(node) && ["length", "size", "byteLength"].includes(node.name.text) && isRead(node);
  return isLength ? [replaceExpression(node, source, `(${textOf(node, source)} - 1)`)] : [];
};

function written(value: number): string {
  return value < 0 ? `(${value})` : String(value);
}

/** A read of a variable, not a target of an assignment, a step or a call. */
function isRead(node: Node): boolean {
  const { parent } = node;
  if (isBinaryExpression(parent) && parent.left === node) {
    return parent.operatorToken.kind < SyntaxKind.FirstAssignment || parent.operatorToken.kind > SyntaxKind.LastAssignment;
  }
  return (
    !isPostfixUnaryExpression(parent) &&
    !(isPrefixUnaryExpression(parent) && parent.operand === node) &&
    !(isCallExpression(parent) && parent.expression === node)
  );
}

/** A constant times 1,000 or by 1,000, or none of it; a value with a unit in its name likewise. */
export const changeUnit: Operator = (node, source) => {
  const text = textOf(node, source);
  if (isPropertyName(node)) {
    return [];
  }
  if (isNumericLiteral(node)) {
    const value = Number(node.text);
    return value < 2 ? [] : [`${text} * 1000`, `${text} / 1000`, "0"].map((next) => replaceExpression(node, source, `(${next})`));
  }
  if (isBigIntLiteral(node)) {
    return /^[01]n$/.test(text) ? [] : [`${text} * 1000n`, `${text} / 1000n`].map((next) => replaceExpression(node, source, `(${next})`));
  }
  const isNamed = (isIdentifier(node) || isPropertyAccessExpression(node)) && unitName.test(text) && isOperand(node) && isRead(node);
  return isNamed ? ["* 1000", "/ 1000"].map((change) => replaceExpression(node, source, `(${text} ${change})`)) : [];
};

/** An operand of an operator, or an argument: an identifier elsewhere may be a name. */
function isOperand(node: Node): boolean {
  const { parent } = node;
  return isBinaryExpression(parent) || (isCallExpression(parent) && parent.arguments.some((argument) => argument === node));
}

const otherSign: ReadonlyMap<SyntaxKind, string> = new Map([
  [SyntaxKind.PlusToken, "-"],
  [SyntaxKind.MinusToken, "+"],
  [SyntaxKind.AsteriskToken, "+"],
  [SyntaxKind.SlashToken, "*"],
  [SyntaxKind.PercentToken, "+"],
  [SyntaxKind.AmpersandToken, "|"],
  [SyntaxKind.BarToken, "&"],
  [SyntaxKind.LessThanLessThanToken, ">>"],
  [SyntaxKind.PlusEqualsToken, "-="],
  [SyntaxKind.MinusEqualsToken, "+="],
]);

/** `a + b` to `a - b` or to `a`; `+=` to `-=` or to `=`; `++` to `--`. */
export const changeArithmetic: Operator = (node, source) => {
  if (isBinaryExpression(node)) {
    const other = otherSign.get(node.operatorToken.kind);
    if (other === undefined) {
      return [];
    }
    const [left, right] = [textOf(node.left, source), textOf(node.right, source)];
    const isStep = node.operatorToken.kind === SyntaxKind.PlusEqualsToken;
    return [`(${left} ${other} ${right})`, isStep ? `(${left} = ${right})` : ""]
      .filter((text) => text !== "")
      .map((text) => replaceExpression(node, source, text));
  }
  if (!isPostfixUnaryExpression(node) && !isPrefixUnaryExpression(node)) {
    return [];
  }
  const step = new Map<SyntaxKind, string>([
    [SyntaxKind.PlusPlusToken, "--"],
    [SyntaxKind.MinusMinusToken, "++"],
  ]).get(node.operator);
  const operand = textOf(node.operand, source);
  return step === undefined
    ? []
    : [replaceExpression(node, source, isPostfixUnaryExpression(node) ? `${operand}${step}` : `${step}${operand}`)];
};

/** `true` to `false` and back. */
export const flipBoolean: Operator = (node, source) => {
  if (node.kind !== SyntaxKind.TrueKeyword && node.kind !== SyntaxKind.FalseKeyword) {
    return [];
  }
  return [replaceExpression(node, source, node.kind === SyntaxKind.TrueKeyword ? "false" : "true")];
};

const otherEnd: Readonly<Record<string, string>> = {
  shift: "pop",
  pop: "shift",
  push: "unshift",
  unshift: "push",
  indexOf: "lastIndexOf",
  lastIndexOf: "indexOf",
  find: "findLast",
  findIndex: "findLastIndex",
  some: "every",
  every: "some",
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
};

/** The first for the last, the least for the most, some for all. */
export const otherEndOfList: Operator = (node, source) => {
  if (isElementAccessExpression(node) && textOf(node.argumentExpression, source) === "0" && isRead(node)) {
    return [replaceExpression(node, source, `${textOf(node.expression, source)}.at(-1)`)];
  }
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) {
    return [];
  }
  const { expression, name } = node.expression;
  const [first] = node.arguments;
  if (name.text === "at" && first !== undefined && textOf(first, source) === "-1") {
    return [replaceExpression(first, source, "0")];
  }
  const other = Object.hasOwn(otherEnd, name.text) ? otherEnd[name.text] : undefined;
  if (other === undefined) {
    return [];
  }
  const call = `${source.text.slice(expression.getStart(source), name.getStart(source))}${other}${source.text.slice(name.end, node.end)}`;
  return [replaceExpression(node, source, call)];
};
