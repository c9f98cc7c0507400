/**
 * Code that no mutant is made of: types, imports and exports, assertions, texts of errors, and log lines. A mutant of these changes no
 * result, or only what a person reads.
 */
import {
  isCallExpression,
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isInterfaceDeclaration,
  isNewExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isTemplateExpression,
  isThrowStatement,
  isTypeAliasDeclaration,
  isTypeNode,
  type Node,
  type SourceFile,
} from "typescript/unstable/ast";
import { textOf } from "./edit.ts";

const assertions = new Set(["assert", "unreachable"]);
const errorNames = /(Error|Trap|BadData|Failure)$/;
const logMethods = new Set(["debug", "info", "warn", "error"]);

/** The node and everything below it is left alone. */
export function isExcluded(node: Node, source: SourceFile): boolean {
  if (
    isTypeNode(node) ||
    isInterfaceDeclaration(node) ||
    isTypeAliasDeclaration(node) ||
    isImportDeclaration(node) ||
    isExportDeclaration(node)
  ) {
    return true;
  }
  // The statement may be forgotten, but the error's text and code are left alone.
  if (isThrowStatement(node.parent ?? node) && !isThrowStatement(node)) {
    return true;
  }
  if (isCallExpression(node)) {
    return isAssertion(node.expression) || isLog(node.expression, source);
  }
  if (isNewExpression(node)) {
    return isIdentifier(node.expression) && errorNames.test(node.expression.text) && !isReturnStatement(node.parent);
  }
  return isTemplateExpression(node);
}

/** A statement that is only an assertion or a log line, which no operator may forget either. */
export function isExcludedStatement(expression: Node, source: SourceFile): boolean {
  return isCallExpression(expression) && (isAssertion(expression.expression) || isLog(expression.expression, source));
}

function isAssertion(callee: Node): boolean {
  return isIdentifier(callee) && assertions.has(callee.text);
}

function isLog(callee: Node, source: SourceFile): boolean {
  return (
    isPropertyAccessExpression(callee) &&
    logMethods.has(callee.name.text) &&
    /\blog$/i.test(textOf(callee.expression, source).replace("?", ""))
  );
}
