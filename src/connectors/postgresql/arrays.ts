/** The text form of arrays: `{1,NULL,"a \"b\""}`, nested for each dimension, with bounds before it if they do not begin at 1. */

/** Levels of an array (PostgreSQL's MAXDIM). */
export const dimensionsMax = 6;

export type ArrayItem = null | string | readonly ArrayItem[];

/** undefined if the text is no array. */
export function parseArray(text: string): readonly ArrayItem[] | undefined {
  const start = text.startsWith("[") ? text.indexOf("=") + 1 : 0;
  const reader = new ArrayReader(text, start);
  const items = reader.array();
  return items !== undefined && reader.position === text.length ? items : undefined;
}

class ArrayReader {
  position: number;
  readonly #text: string;

  constructor(text: string, position: number) {
    this.#text = text;
    this.position = position;
  }

  array(depth = 1): readonly ArrayItem[] | undefined {
    if (this.#text[this.position] !== "{" || depth > dimensionsMax) {
      return undefined;
    }
    this.position++;
    const items: ArrayItem[] = [];
    if (this.#text[this.position] === "}") {
      this.position++;
      return items;
    }
    for (;;) {
      const item = this.#item(depth);
      if (item === undefined) {
        return undefined;
      }
      items.push(item);
      const next = this.#text[this.position++];
      if (next === "}") {
        return items;
      }
      if (next !== ",") {
        return undefined;
      }
    }
  }

  #item(depth: number): ArrayItem | undefined {
    const first = this.#text[this.position];
    if (first === "{") {
      return this.array(depth + 1);
    }
    return first === '"' ? this.#quoted() : this.#plain();
  }

  #quoted(): string | undefined {
    let value = "";
    for (let at = this.position + 1; at < this.#text.length; at++) {
      const unit = this.#text[at] as string;
      if (unit === '"') {
        this.position = at + 1;
        return value;
      }
      value += unit === "\\" ? (this.#text[++at] ?? "") : unit;
    }
    return undefined;
  }

  #plain(): string | null | undefined {
    const start = this.position;
    while (this.position < this.#text.length && this.#text[this.position] !== "," && this.#text[this.position] !== "}") {
      this.position++;
    }
    const value = this.#text.slice(start, this.position);
    return value === "" ? undefined : value === "NULL" ? null : value;
  }
}
