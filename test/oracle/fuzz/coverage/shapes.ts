/**
 * The productions of a tree whose nodes are TypeScript interfaces, read from the declarations, so that new nodes and options are included
 * automatically. A production is a node (`Join`), an optional field that is present (`Query.offset`), a non-empty list (`Select.items[]`)
 * or a literal value of a field (`Join.type=LEFT`, `Select.distinct=true`).
 */

interface Field {
  readonly name: string;
  readonly optional: boolean;
  /** As declared, with aliases of literal types expanded. */
  readonly type: string;
}

interface Shape {
  readonly name: string;
  /** Empty for a part of a node; several for nodes that differ only in kind. */
  readonly kinds: readonly string[];
  readonly fields: readonly Field[];
}

/** Locations and identifiers of nodes, which are not choices of a statement. */
const unread: ReadonlySet<string> = new Set(["kind", "location", "id"]);

export class Shapes {
  readonly #shapes = new Map<string, Shape>();
  readonly #kinds = new Map<string, Shape>();

  /** `sources` are texts of modules. */
  constructor(sources: readonly string[]) {
    const texts = sources.map(withoutComments);
    const words = new Map(texts.flatMap(declaredWords));
    for (const [name, { parents, body }] of new Map(texts.flatMap(declaredInterfaces))) {
      const fields = fieldsOf(body, words);
      const kinds = wordsOf(fields.find((field) => field.name === "kind")?.type ?? "");
      this.#shapes.set(name, { name, kinds, fields: [...parents.flatMap((parent) => this.#shapes.get(parent)?.fields ?? []), ...fields] });
    }
    for (const shape of this.#shapes.values()) {
      for (const kind of shape.kinds) {
        this.#kinds.set(kind, shape);
      }
    }
  }

  /** All productions of trees with a root of these interfaces. */
  productions(): readonly string[] {
    const reached = new Set<Shape>(this.#kinds.values());
    // The set grows during the iteration.
    for (const shape of reached) {
      for (const { type } of shape.fields.filter(isRead)) {
        for (const inner of this.#named(type)) {
          reached.add(inner);
        }
      }
    }
    return [...reached].flatMap(({ name, kinds, fields }) => [
      name,
      ...(kinds.length > 1 ? kinds.map((kind) => `${name}.kind=${kind}`) : []),
      ...fields.filter(isRead).flatMap((field) => choicesOf(name, field)),
    ]);
  }

  /** Reports the productions of a tree. */
  note(root: unknown, add: (production: string) => void): void {
    const waiting: (readonly [value: unknown, declared: Shape | undefined])[] = [[root, undefined]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [value, declared] = next;
      if (Array.isArray(value)) {
        waiting.push(...value.map((inner: unknown) => [inner, declared] as const));
      } else if (typeof value === "object" && value !== null) {
        const node = value as Readonly<Record<string, unknown>>;
        const shape = this.#kinds.get(String(node["kind"])) ?? declared;
        if (shape === undefined) {
          continue;
        }
        add(shape.name);
        if (shape.kinds.length > 1) {
          add(`${shape.name}.kind=${String(node["kind"])}`);
        }
        for (const field of shape.fields.filter(isRead)) {
          noteField(shape.name, field, node[field.name], add);
          waiting.push([node[field.name], this.#named(field.type)[0]]);
        }
      }
    }
  }

  /** Interfaces without a kind that a type refers to. */
  #named(type: string): readonly Shape[] {
    return [...type.matchAll(/\b[A-Z]\w+/g)].flatMap(([name]) => {
      const shape = this.#shapes.get(name);
      return shape === undefined || shape.kinds.length > 0 ? [] : [shape];
    });
  }
}

function isRead({ name }: Field): boolean {
  return !unread.has(name);
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
}

/** Literal types such as `export type X = "A" | "B";`, by name. */
function declaredWords(source: string): readonly (readonly [string, string])[] {
  return [...source.matchAll(/^export type (\w+) =([^;{]*);/gm)].flatMap(([, name = "", type = ""]) =>
    type.includes('"') ? [[name, type.trim()] as const] : [],
  );
}

interface Declaration {
  readonly parents: readonly string[];
  readonly body: string;
}

function declaredInterfaces(source: string): readonly (readonly [string, Declaration])[] {
  return [...source.matchAll(/^(?:export )?interface (\w+)(?: extends ([^{]*))? \{$([\s\S]*?)^\}/gm)].map(
    ([, name = "", parents = "", body = ""]) => [name, { parents: parents.split(",").map((parent) => parent.trim()), body }] as const,
  );
}

/** A field begins at the indentation of the body and ends before the next one. */
function fieldsOf(body: string, words: ReadonlyMap<string, string>): readonly Field[] {
  return body.split(/^ {2}(?=readonly )/m).flatMap((declaration) => {
    const [, name = "", mark, type] = /^readonly (\w+)(\??): ([\s\S]*);\s*$/.exec(declaration) ?? [];
    const spelled = type?.replaceAll(/\b[A-Z]\w+/g, (word) => words.get(word) ?? word);
    return spelled === undefined ? [] : [{ name, optional: mark === "?", type: spelled }];
  });
}

/** The literal values of a field. */
function wordsOf(type: string): readonly string[] {
  return type === "boolean" ? ["true", "false"] : type.includes("{") ? [] : [...type.matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word);
}

function choicesOf(shape: string, { name, optional, type }: Field): readonly string[] {
  const path = `${shape}.${name}`;
  return [...(optional ? [path] : []), ...(type.endsWith("[]") ? [`${path}[]`] : []), ...wordsOf(type).map((word) => `${path}=${word}`)];
}

function noteField(shape: string, { name, optional, type }: Field, value: unknown, add: (production: string) => void): void {
  if (value === undefined) {
    return;
  }
  const path = `${shape}.${name}`;
  if (optional) {
    add(path);
  }
  if (Array.isArray(value) && value.length > 0) {
    add(`${path}[]`);
  }
  const word = typeof value === "boolean" ? String(value) : value;
  if (typeof word === "string" && wordsOf(type).includes(word)) {
    add(`${path}=${word}`);
  }
}
