/**
 * The branches of a source file, and the same source with a counter in each. A branch is an arm that may or may not run:
 *
 * | construct             | branches                                                                  |
 * | --------------------- | ------------------------------------------------------------------------- |
 * | `if`                  | the statement, and the other way; `else if` is the branches of its own `if` |
 * | `a ? b : c`           | both                                                                      |
 * | `&&`, `\|\|`, `??`, and their assignments | the right operand                                     |
 * | `switch`              | each case with statements; labels that share statements are one branch    |
 * | `catch`               | its block                                                                 |
 * | loops                 | the body                                                                  |
 *
 * Counters are statements or the left operand of a comma, so the source computes the same with them. No line is added.
 */

export type BranchKind = "then" | "else" | "?" | ":" | "&&" | "||" | "??" | "case" | "catch" | "loop";

export interface Branch {
  /** Path from the project's folder: `src/worker/worker.ts`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly kind: BranchKind;
  /** Enclosing function, kind and source text; unique in the file and independent of its line. */
  readonly text: string;
}

/** A node of the syntax tree, as ESTree has it, with offsets into the source. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

export interface Instrumented {
  readonly code: string;
  readonly branches: readonly Branch[];
}

/** Name of the array of counters in an instrumented program. */
export const countersName = "orreryBranches";

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** What closes comes before what opens at the same offset, the innermost first. */
  readonly closes: boolean;
}

const textCharsMax = 150;

/** `firstCounter` is the number of the file's first counter; the others follow. */
export function instrument(
  source: string,
  file: string,
  { program, firstCounter }: { readonly program: SyntaxNode; readonly firstCounter: number },
): Instrumented {
  const walker = new Walker(source, file, firstCounter);
  walker.visit(program, "");
  return { code: walker.code(), branches: walker.branches };
}

class Walker {
  readonly branches: Branch[] = [];
  readonly #source: string;
  readonly #file: string;
  readonly #firstCounter: number;
  readonly #insertions: Insertion[] = [];
  readonly #lineStarts: readonly number[];
  readonly #texts = new Map<string, number>();

  constructor(source: string, file: string, firstCounter: number) {
    this.#source = source;
    this.#file = file;
    this.#firstCounter = firstCounter;
    this.#lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  code(): string {
    const order = this.#insertions.map((insertion, ordinal) => ({ ...insertion, ordinal }));
    order.sort((a, b) => a.at - b.at || Number(b.closes) - Number(a.closes) || (a.closes ? b.ordinal - a.ordinal : a.ordinal - b.ordinal));
    const parts: string[] = [];
    let from = 0;
    for (const { at, text } of order) {
      parts.push(this.#source.slice(from, at), text);
      from = at;
    }
    return [...parts, this.#source.slice(from)].join("");
  }

  /** `within` is the name of the enclosing function: `Worker.#start`. */
  visit(node: SyntaxNode, within: string): void {
    const inner = nameWithin(node, within);
    switch (node.type) {
      case "IfStatement":
        this.#if(node, inner);
        break;
      case "ConditionalExpression":
        this.#expression(node["consequent"] as SyntaxNode, { kind: "?", within: inner, head: this.#text(node["test"] as SyntaxNode) });
        this.#expression(node["alternate"] as SyntaxNode, { kind: ":", within: inner, head: this.#text(node["test"] as SyntaxNode) });
        break;
      case "LogicalExpression":
        this.#expression(node["right"] as SyntaxNode, {
          kind: node["operator"] as BranchKind,
          within: inner,
          head: this.#text(node["left"] as SyntaxNode),
        });
        break;
      case "AssignmentExpression":
        if (["&&=", "||=", "??="].includes(String(node["operator"]))) {
          this.#expression(node["right"] as SyntaxNode, {
            kind: String(node["operator"]).slice(0, 2) as BranchKind,
            within: inner,
            head: this.#text(node["left"] as SyntaxNode),
          });
        }
        break;
      case "SwitchCase":
        this.#case(node, inner);
        break;
      case "CatchClause":
        this.#block(node["body"] as SyntaxNode, { kind: "catch", within: inner, head: "" });
        break;
      case "ForStatement":
      case "ForOfStatement":
      case "ForInStatement":
      case "WhileStatement":
      case "DoWhileStatement": {
        const body = node["body"] as SyntaxNode;
        this.#block(body, {
          kind: "loop",
          within: inner,
          head: this.#source.slice(node.start, node.type === "DoWhileStatement" ? node.end : body.start),
        });
        break;
      }
      default:
    }
    for (const child of childrenOf(node)) {
      this.visit(child, inner);
    }
  }

  #if(node: SyntaxNode, within: string): void {
    const consequent = node["consequent"] as SyntaxNode;
    const alternate = node["alternate"] as SyntaxNode | null;
    const head = this.#text(node["test"] as SyntaxNode);
    if (alternate === null) {
      // Registered before the statement, so that what closes the statement comes first.
      const at = consequent.end;
      const index = this.#insertions.length;
      this.#block(consequent, { kind: "then", within, head });
      this.#insertions.splice(index, 0, {
        at,
        text: ` else{${this.#count({ kind: "else", within, head, at: node.start })};}`,
        closes: true,
      });
      return;
    }
    this.#block(consequent, { kind: "then", within, head });
    if (alternate.type !== "IfStatement") {
      this.#block(alternate, { kind: "else", within, head });
    }
  }

  #case(node: SyntaxNode, within: string): void {
    const [first] = node["consequent"] as readonly SyntaxNode[];
    if (first !== undefined) {
      const test = node["test"] as SyntaxNode | null;
      const counter = this.#count({ kind: "case", within, head: test === null ? "default" : this.#text(test), at: node.start });
      this.#insertions.push({ at: first.start, text: `${counter};`, closes: false });
    }
  }

  #block(node: SyntaxNode, { kind, within, head }: { readonly kind: BranchKind; readonly within: string; readonly head: string }): void {
    const counter = this.#count({ kind, within, head, at: node.start });
    if (node.type === "BlockStatement") {
      this.#insertions.push({ at: node.start + 1, text: `${counter};`, closes: false });
    } else {
      this.#insertions.push({ at: node.start, text: `{${counter};`, closes: false }, { at: node.end, text: "}", closes: true });
    }
  }

  #expression(
    node: SyntaxNode,
    { kind, within, head }: { readonly kind: BranchKind; readonly within: string; readonly head: string },
  ): void {
    const text = kind === "?" || kind === ":" ? `${head} ${kind} ${this.#text(node)}` : `${head} ${kind} ${this.#text(node)}`;
    const counter = this.#count({ kind, within, head: text, at: node.start });
    this.#insertions.push({ at: node.start, text: `(${counter},`, closes: false }, { at: node.end, text: ")", closes: true });
  }

  /** Registers a branch; returns the expression that counts it. */
  #count({
    kind,
    within,
    head,
    at,
  }: {
    readonly kind: BranchKind;
    readonly within: string;
    readonly head: string;
    readonly at: number;
  }): string {
    const words = kind === "?" || kind === ":" || kind === "&&" || kind === "||" || kind === "??" ? head : wordsOf(kind, head);
    const text = cut(`${within === "" ? "" : `${within}: `}${words}`.replace(/\s+/g, " ").trim());
    const known = this.#texts.get(text) ?? 0;
    this.#texts.set(text, known + 1);
    const number = this.#firstCounter + this.branches.length;
    this.branches.push({ file: this.#file, line: this.#lineOf(at), kind, text: known === 0 ? text : `${text} (${known + 1})` });
    return `${countersName}[${number}]++`;
  }

  #text(node: SyntaxNode): string {
    return this.#source.slice(node.start, node.end).replace(/\s+/g, " ");
  }

  #lineOf(offset: number): number {
    let [low, high] = [0, this.#lineStarts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] as number) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low + 1;
  }
}

function wordsOf(kind: BranchKind, head: string): string {
  switch (kind) {
    case "then":
      return `if (${head})`;
    case "else":
      return `else of if (${head})`;
    case "case":
      return head === "default" ? head : `case ${head}`;
    case "catch":
      return "catch";
    default:
      return head;
  }
}

/** Long texts keep both ends. */
function cut(text: string): string {
  const half = textCharsMax / 2;
  return text.length <= textCharsMax ? text : `${text.slice(0, half)} ... ${text.slice(-half)}`;
}

const functions: ReadonlySet<string> = new Set(["FunctionExpression", "ArrowFunctionExpression", "FunctionDeclaration"]);

/** Extends the name at classes, methods and functions with a name. */
function nameWithin(node: SyntaxNode, within: string): string {
  const named = (name: unknown): string => {
    const { type, name: text } = (name ?? {}) as { readonly type?: string; readonly name?: string };
    const own = text === undefined ? "" : type === "PrivateIdentifier" ? `#${text}` : text;
    return own === "" ? within : within === "" ? own : `${within}.${own}`;
  };
  switch (node.type) {
    case "ClassDeclaration":
    case "FunctionDeclaration":
    case "VariableDeclarator":
      return node.type === "VariableDeclarator" && !functions.has(String((node["init"] as SyntaxNode | null)?.type))
        ? within
        : named(node["id"]);
    case "MethodDefinition":
      return named(node["key"]);
    case "Property":
    case "PropertyDefinition":
      return functions.has(String((node["value"] as SyntaxNode | null)?.type)) ? named(node["key"]) : within;
    default:
      return within;
  }
}

function* childrenOf(node: SyntaxNode): Generator<SyntaxNode> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) {
        if (isNode(item)) {
          yield item;
        }
      }
    } else if (isNode(value)) {
      yield value;
    }
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as { readonly type?: unknown }).type === "string";
}
