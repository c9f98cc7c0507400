/**
 * Renders the chart's templates: the subset of Go's templates and of Helm's functions that they use. Anything else throws, so a template
 * that needs more is found here.
 */
import { createHash } from "node:crypto";
import { stringify } from "yaml";

type Value = unknown;
type Scope = { readonly dot: Value; readonly root: Value; readonly variables: ReadonlyMap<string, Value> };

type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "output"; readonly expression: string }
  | {
      readonly kind: "if" | "with" | "range";
      readonly expression: string;
      readonly body: readonly Part[];
      readonly otherwise: readonly Part[];
    };

export class Templates {
  readonly #defined = new Map<string, readonly Part[]>();

  /** Collects the definitions of a file, and returns what it outputs for this root. */
  render(text: string, root: Value): string {
    const parts = this.#parse(text);
    return this.#output(parts, { dot: root, root, variables: new Map() });
  }

  #parse(text: string): readonly Part[] {
    const tokens = tokensOf(text);
    const [parts] = this.#block(tokens, 0);
    return parts;
  }

  /** Up to the `end` or `else` at the returned position. */
  #block(tokens: readonly Token[], from: number): readonly [readonly Part[], number] {
    const parts: Part[] = [];
    let at = from;
    while (at < tokens.length) {
      const token = tokens[at] as Token;
      if (!token.isAction) {
        parts.push({ kind: "text", text: token.text });
        at++;
        continue;
      }
      const [word = "", rest = ""] = /^(\w*)\s*([\s\S]*)$/.exec(token.text)?.slice(1) ?? [];
      if (word === "end" || word === "else") {
        return [parts, at];
      }
      if (word === "define") {
        const [body, end] = this.#block(tokens, at + 1);
        this.#defined.set(JSON.parse(rest) as string, body);
        at = end + 1;
      } else if (word === "if" || word === "with" || word === "range") {
        const [body, middle] = this.#block(tokens, at + 1);
        const hasElse = tokens[middle]?.text === "else";
        const [otherwise, end] = hasElse ? this.#block(tokens, middle + 1) : [[], middle];
        parts.push({ kind: word, expression: rest, body, otherwise });
        at = end + 1;
      } else {
        parts.push({ kind: "output", expression: token.text });
        at++;
      }
    }
    return [parts, at];
  }

  #output(parts: readonly Part[], scope: Scope): string {
    return parts.map((part) => this.#part(part, scope)).join("");
  }

  #part(part: Part, scope: Scope): string {
    switch (part.kind) {
      case "text":
        return part.text;
      case "output":
        return textOf(this.#value(part.expression, scope));
      case "if":
        return this.#output(isTrue(this.#value(part.expression, scope)) ? part.body : part.otherwise, scope);
      case "with": {
        const dot = this.#value(part.expression, scope);
        return isTrue(dot) ? this.#output(part.body, { ...scope, dot }) : this.#output(part.otherwise, scope);
      }
      case "range":
        return this.#range(part.expression, part.body, scope);
    }
  }

  #range(expression: string, body: readonly Part[], scope: Scope): string {
    const named = /^(\$\w+),\s*(\$\w+)\s*:=\s*([\s\S]*)$/.exec(expression);
    const found = this.#value(named?.[3] ?? expression, scope);
    const entries = Array.isArray(found)
      ? found.map((value, index): [Value, Value] => [index, value])
      : Object.entries((found ?? {}) as object).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries
      .map(([key, dot]) => {
        const variables = new Map(scope.variables);
        if (named !== null) {
          variables.set(named[1] ?? "", key).set(named[2] ?? "", dot);
        }
        return this.#output(body, { ...scope, dot, variables });
      })
      .join("");
  }

  #value(expression: string, scope: Scope): Value {
    const words = [...expression.matchAll(/"(?:[^"\\]|\\.)*"|[()|]|[^\s()|]+/g)].map(([word]) => word);
    let at = 0;
    const operand = (): Value => {
      const word = words[at++] ?? "";
      if (word === "(") {
        const value = pipeline();
        at++;
        return value;
      }
      return this.#operand(word, scope);
    };
    const command = (piped: readonly Value[]): Value => {
      const name = words[at] ?? "";
      if (!/^[a-zA-Z]\w*$/.test(name)) {
        return operand();
      }
      at++;
      const args: Value[] = [];
      while (at < words.length && words[at] !== "|" && words[at] !== ")") {
        args.push(operand());
      }
      return this.#call(name, [...args, ...piped]);
    };
    const pipeline = (): Value => {
      let value = command([]);
      while (words[at] === "|") {
        at++;
        value = command([value]);
      }
      return value;
    };
    return pipeline();
  }

  #operand(word: string, { dot, root, variables }: Scope): Value {
    if (word.startsWith('"')) {
      return JSON.parse(word);
    }
    if (/^-?\d+$/.test(word)) {
      return Number(word);
    }
    const [head = "", ...path] = word.split(".");
    const start = head === "" ? dot : head === "$" ? root : variables.get(head);
    if (head !== "" && head !== "$" && !variables.has(head)) {
      throw new Error(`'${word}' is no value`);
    }
    return path.filter((name) => name !== "").reduce<Value>((value, name) => (value as Record<string, Value> | undefined)?.[name], start);
  }

  #call(name: string, args: readonly Value[]): Value {
    const [first, second, third] = args;
    switch (name) {
      case "include": {
        const body = this.#defined.get(first as string);
        if (body === undefined) {
          throw new Error(`there is no template '${String(first)}'`);
        }
        return this.#output(body, { dot: second, root: second, variables: new Map() });
      }
      case "default":
        return isTrue(second) ? second : first;
      case "not":
        return !isTrue(first);
      case "quote":
        return JSON.stringify(textOf(first));
      case "printf":
        return args.slice(1).reduce<string>((text, value) => text.replace(/%[sd]/, () => textOf(value)), first as string);
      case "toYaml":
        return stringify(first, { lineWidth: 0, sortMapEntries: true }).trimEnd();
      case "nindent":
        return `\n${indented(second as string, first as number)}`;
      case "sha256sum":
        return createHash("sha256")
          .update(first as string)
          .digest("hex");
      case "trim":
        return (first as string).trim();
      case "trunc":
        return (second as string).slice(0, first as number);
      case "trimSuffix":
        return (second as string).endsWith(first as string) ? (second as string).slice(0, -(first as string).length) : second;
      case "int":
        return Math.trunc(Number(first));
      case "add":
        return Number(first) + Number(second) + Number(third ?? 0);
      default:
        throw new Error(`function '${name}' is not known`);
    }
  }
}

interface Token {
  readonly isAction: boolean;
  readonly text: string;
}

/** `{{-` and `-}}` take the white space beside them away; comments are left out. */
function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const action = /(\s*)\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}(\s*)/y;
  let at = 0;
  while (at < text.length) {
    const next = text.slice(at).search(/\s*\{\{/);
    if (next !== 0) {
      const end = next < 0 ? text.length : at + next;
      tokens.push({ isAction: false, text: text.slice(at, end) });
      at = end;
      continue;
    }
    action.lastIndex = at;
    const match = action.exec(text);
    if (match === null) {
      throw new Error(`an action does not end: ${text.slice(at, at + 40)}`);
    }
    const [whole, before = "", trimsBefore, inside = "", trimsAfter, after = ""] = match;
    tokens.push({ isAction: false, text: trimsBefore === "-" ? "" : before });
    if (!inside.startsWith("/*")) {
      tokens.push({ isAction: true, text: inside });
    }
    // What follows without a trim is the beginning of the next text.
    at += trimsAfter === "-" ? whole.length : whole.length - after.length;
  }
  return tokens;
}

function isTrue(value: Value): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === "") {
    return false;
  }
  return typeof value !== "object" || Object.keys(value).length > 0;
}

function textOf(value: Value): string {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value === "number" || typeof value === "boolean") {
    return String(value);
  }
  throw new Error(`a template outputs ${JSON.stringify(value)}`);
}

function indented(text: string, spaces: number): string {
  return text
    .split("\n")
    .map((line) => " ".repeat(spaces) + line)
    .join("\n");
}
