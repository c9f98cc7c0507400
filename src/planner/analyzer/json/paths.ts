/**
 * Checks paths of SQL/JSON functions: their syntax, that all variables are passed, and types that are known without a document.
 */
import { PathSyntaxError, parsePath } from "../../../functions/scalar/json/path/parse.ts";
import { isSqlItem } from "../../../functions/scalar/json/path/items.ts";
import { compileLikeRegex } from "../../../functions/scalar/json/path/like-regex.ts";
import { insideOf, type PathNode, type PathPredicate } from "../../../functions/scalar/json/path/path.ts";
import { resolveScalar } from "../../../functions/registry/registry.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type { JsonPathLiteral } from "../../../sql/ast/ast.ts";
import { BOOLEAN, displayType, DOUBLE, INTEGER, isCharacter, isNumeric, type Type, varcharType } from "../../../types/type.ts";
import { semanticError } from "../errors.ts";

/** By parameter name as written in the path. Undefined means a JSON value. */
export type ParameterTypes = ReadonlyMap<string, Type | undefined>;

/** Throws errors of a path with their location in the statement. */
export function checkPath(literal: JsonPathLiteral, parameters: ParameterTypes): void {
  let root: PathNode;
  try {
    ({ root } = parsePath(literal.value));
  } catch (error) {
    throw error instanceof PathSyntaxError ? syntaxError(literal, error) : error;
  }
  new PathChecker(literal, parameters).check(root);
}

/** The location is that of the error inside the literal, after the opening quote. */
function syntaxError({ value, location }: JsonPathLiteral, { offset, message }: PathSyntaxError): QueryError {
  const lines = value.slice(0, offset).split("\n");
  const column = (lines.at(-1) ?? "").length + 1;
  const place =
    lines.length === 1
      ? { lineNumber: location.lineNumber, columnNumber: location.columnNumber + column }
      : { lineNumber: location.lineNumber + lines.length - 1, columnNumber: column };
  return new QueryError("SYNTAX_ERROR", message, place);
}

const operatorNames = Object.freeze({ "+": "$add", "-": "$subtract", "*": "$multiply", "/": "$divide", "%": "$modulus" });

class PathChecker {
  readonly #literal: JsonPathLiteral;
  readonly #parameters: ParameterTypes;

  constructor(literal: JsonPathLiteral, parameters: ParameterTypes) {
    this.#literal = literal;
    this.#parameters = parameters;
  }

  check(node: PathNode | PathPredicate): Type | undefined {
    switch (node.kind) {
      case "literal":
        return typeof node.item === "boolean" ? BOOLEAN : isSqlItem(node.item) ? node.item.type : undefined;
      case "variable":
        return this.#variable(node.name);
      case "last":
        return INTEGER;
      case "sign":
        return this.#sign(node.sign, this.check(node.base));
      case "arithmetic":
        return this.#arithmetic(operatorNames[node.operator], this.check(node.left), this.check(node.right));
      case "method":
        return this.#method(node.method, this.check(node.base));
      case "filter": {
        const type = this.check(node.base);
        this.check(node.predicate);
        return type;
      }
      case "like":
        this.#regexp(node.pattern, node.flags);
        this.check(node.value);
        return undefined;
      default:
        for (const inner of insideOf(node)) {
          this.check(inner);
        }
        return undefined;
    }
  }

  #fail(message: string): QueryError {
    return semanticError("INVALID_PATH", this.#literal, message);
  }

  #variable(name: string): Type | undefined {
    if (this.#parameters.has(name)) {
      return this.#parameters.get(name);
    }
    const isNear = [...this.#parameters.keys()].some((other) => other.toUpperCase() === name.toUpperCase());
    const hint = isNear ? `. Try quoting "${name}" in the PASSING clause to match case` : "";
    throw this.#fail(`no value passed for parameter ${name}${hint}`);
  }

  #sign(sign: "+" | "-", type: Type | undefined): Type | undefined {
    if (type === undefined || isNumeric(type)) {
      return type;
    }
    const start = sign === "+" ? "Invalid" : "invalid";
    throw this.#fail(`${start} operand type (${displayType(type)}) in JSON path arithmetic unary expression`);
  }

  #arithmetic(name: string, left: Type | undefined, right: Type | undefined): Type | undefined {
    if (left === undefined || right === undefined) {
      return undefined;
    }
    const resolved = resolveScalar(name, [left, right]);
    if (!("error" in resolved)) {
      return resolved.returnType;
    }
    const types = `${displayType(left)} and ${displayType(right)}`;
    const cause = resolved.error === "MISMATCH" ? resolved.message : "";
    throw this.#fail(`invalid operand types (${types}) in JSON path arithmetic binary expression: ${cause}`);
  }

  #method(method: (PathNode & { readonly kind: "method" })["method"], type: Type | undefined): Type | undefined {
    const refuse = (fits: boolean): void => {
      if (type !== undefined && !fits) {
        throw this.#fail(`cannot perform JSON path ${method}() method with ${displayType(type)} argument`);
      }
    };
    switch (method) {
      case "type":
        return varcharType(27);
      case "size":
        return INTEGER;
      case "double":
        refuse(type !== undefined && (isNumeric(type) || isCharacter(type)));
        return DOUBLE;
      case "ceiling":
      case "floor":
      case "abs":
        refuse(type !== undefined && isNumeric(type));
        return undefined;
      case "keyvalue":
        refuse(false);
        return undefined;
      case "datetime":
        refuse(type !== undefined && isCharacter(type));
        return undefined;
    }
  }

  #regexp(pattern: string, flags: string): void {
    try {
      compileLikeRegex(pattern, flags);
    } catch (error) {
      throw error instanceof QueryError ? this.#fail(`invalid like_regex pattern in JSON path: ${error.message}`) : error;
    }
  }
}
