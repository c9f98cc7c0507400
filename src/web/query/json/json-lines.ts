/**
 * A JSON document as lines of a tree. Only what is open has lines, so that large documents cost what is shown of them. Pure.
 */

export interface JsonLine {
  /** Path of the value: `/outputStage/tasks/0`. */
  readonly path: string;
  readonly depth: number;
  /** Name of the member or number of the element; empty for the root. */
  readonly name: string;
  readonly kind: "object" | "array" | "string" | "number" | "other";
  /** The value, or for objects and arrays what they hold. Long texts are cut. */
  readonly text: string;
  readonly canOpen: boolean;
  readonly isOpen: boolean;
}

const textCharsMax = 400;
/** Elements of one array or object that are shown at once; more have a line that says so. */
const membersMax = 20_000;

export function jsonLines(document: unknown, open: ReadonlySet<string>): readonly JsonLine[] {
  const lines: JsonLine[] = [];
  const visit = (value: unknown, name: string, path: string, depth: number): void => {
    const isOpen = open.has(path);
    const line = lineOf(value, { name, path, depth, isOpen });
    lines.push(line);
    if (line.canOpen && isOpen) {
      for (const [key, inner] of membersOf(value as object)) {
        visit(inner, key, `${path}/${key}`, depth + 1);
      }
    }
  };
  visit(document, "", "", 0);
  return lines;
}

function membersOf(value: object): readonly (readonly [string, unknown])[] {
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  return members.length > membersMax
    ? [...members.slice(0, membersMax), [`${members.length - membersMax} more`, "not shown; download the document"]]
    : members;
}

function lineOf(value: unknown, place: Pick<JsonLine, "name" | "path" | "depth" | "isOpen">): JsonLine {
  if (typeof value === "object" && value !== null) {
    const isArray = Array.isArray(value);
    const size = isArray ? value.length : Object.keys(value).length;
    const text = isArray ? `[${size === 0 ? "" : `${size}`}]` : `{${size === 0 ? "" : `${size}`}}`;
    return { ...place, kind: isArray ? "array" : "object", text, canOpen: size > 0, isOpen: place.isOpen && size > 0 };
  }
  const kind = typeof value === "string" ? "string" : typeof value === "number" ? "number" : "other";
  const text = JSON.stringify(value) ?? "null";
  return {
    ...place,
    kind,
    text: text.length > textCharsMax ? `${text.slice(0, textCharsMax)}… (${text.length - 2} characters)` : text,
    canOpen: false,
    isOpen: false,
  };
}

/** Paths of objects and arrays down to a depth, at most `max` of them. */
export function pathsTo(document: unknown, depthMax: number, max: number): ReadonlySet<string> {
  const paths = new Set<string>();
  let level: readonly (readonly [string, unknown])[] = [["", document]];
  for (let depth = 0; depth < depthMax && level.length > 0; depth++) {
    const next: (readonly [string, unknown])[] = [];
    for (const [path, value] of level) {
      if (typeof value === "object" && value !== null && paths.size < max) {
        paths.add(path);
        for (const [key, inner] of membersOf(value)) {
          next.push([`${path}/${key}`, inner]);
        }
      }
    }
    level = next;
  }
  return paths;
}
