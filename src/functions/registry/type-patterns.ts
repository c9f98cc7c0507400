/**
 * Type patterns of signatures: `array(T)`, `map(K,V)`, `function(T,U)`, `row(K,V)`. Leaves are type names; a variable is one capital
 * letter. Matching has two steps: bind the variables, then compute the coerced type of each argument.
 */
import {
  arrayType,
  classifierType,
  displayType,
  functionType,
  mapType,
  qdigestType,
  tupleType,
  type Type,
  UNKNOWN,
} from "../../types/type.ts";
import { commonSuperType } from "./coercion.ts";

/** A leaf is a type name as registry/resolution.ts knows it, including `varchar(x)`. */
export interface TypePattern {
  readonly kind: "variable" | "leaf" | "array" | "map" | "function" | "row" | "qdigest" | "Classifier";
  readonly text: string;
  readonly inner: readonly TypePattern[];
}

export type Binding = Map<string, Type>;

const constructors: ReadonlySet<string> = new Set(["array", "map", "function", "row", "qdigest", "Classifier"]);

export function parsePattern(text: string): TypePattern {
  const match = /^(array|map|function|row|qdigest|Classifier)\((.*)\)$/.exec(text);
  if (match === null || !constructors.has(match[1] as string)) {
    return { kind: /^[A-Z]$/.test(text) ? "variable" : "leaf", text, inner: [] };
  }
  return { kind: match[1] as TypePattern["kind"], text, inner: splitArguments(match[2] as string).map(parsePattern) };
}

function splitArguments(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const character = text[at];
    if (character === "(") {
      depth += 1;
    } else if (character === ")") {
      depth -= 1;
    } else if ((character === "," && depth === 0) || character === undefined) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts;
}

/** The component types of `type` that correspond to the pattern's components; undefined if the shapes differ. */
function innerOf(pattern: TypePattern, type: Type): readonly Type[] | undefined {
  switch (pattern.kind) {
    case "array":
    case "qdigest":
    case "Classifier":
      return type.kind === pattern.kind ? [type.element] : undefined;
    case "map":
      return type.kind === "map" ? [type.key, type.value] : undefined;
    case "row": {
      const types = type.kind === "row" ? type.fields.map((field) => field.type) : undefined;
      return types?.length === pattern.inner.length ? types : undefined;
    }
    case "function": {
      const types = type.kind === "function" ? [...type.args, type.result] : undefined;
      return types?.length === pattern.inner.length ? types : undefined;
    }
    default:
      return [];
  }
}

/** Binds the variables that `type` determines; false if they conflict. */
export function bind(pattern: TypePattern, type: Type, coerce: boolean, binding: Binding): boolean {
  if (pattern.kind === "variable") {
    const bound = binding.get(pattern.text);
    const common: Type | undefined = bound === undefined ? type : commonSuperType(bound, type);
    if (
      common === undefined ||
      type.kind === "function" ||
      (!coerce && bound !== undefined && displayType(common) !== displayType(bound))
    ) {
      return false;
    }
    binding.set(pattern.text, common);
    return true;
  }
  if (pattern.kind === "leaf" || (coerce && type.kind === "unknown" && pattern.kind !== "function")) {
    return true;
  }
  const inner = innerOf(pattern, type);
  if (inner === undefined) {
    return false;
  }
  // A function's parameter types follow from the other arguments; only its result type adds information.
  const told = pattern.kind === "function" ? inner.length - 1 : 0;
  return pattern.inner.every((part, index) => index < told || bind(part, inner[index] as Type, coerce, binding));
}

export type MatchLeaf = (pattern: string, type: Type) => Type | undefined;

/** Argument type after coercion; undefined if a leaf does not match. */
export function substitutePattern(pattern: TypePattern, type: Type, binding: Binding, matchLeaf: MatchLeaf): Type | undefined {
  switch (pattern.kind) {
    case "variable":
      return binding.get(pattern.text) ?? UNKNOWN;
    case "leaf":
      return matchLeaf(pattern.text, type);
    default: {
      const inner = innerOf(pattern, type);
      const types: Type[] = [];
      for (const [index, part] of pattern.inner.entries()) {
        const found = substitutePattern(part, inner?.[index] ?? UNKNOWN, binding, matchLeaf);
        if (found === undefined) {
          return undefined;
        }
        types.push(found);
      }
      return build(pattern.kind, types);
    }
  }
}

export function build(kind: "array" | "map" | "function" | "row" | "qdigest" | "Classifier", types: readonly Type[]): Type {
  const [first = UNKNOWN, second = UNKNOWN] = types;
  switch (kind) {
    case "array":
      return arrayType(first);
    case "qdigest":
      return qdigestType(first);
    case "Classifier":
      return classifierType(first);
    case "map":
      return mapType(first, second);
    case "row":
      return tupleType(types);
    case "function":
      return functionType(types.slice(0, -1), types.at(-1) ?? UNKNOWN);
  }
}
