/**
 * Small unified diffs that are located by content instead of line numbers: a hunk applies where its old lines are, so that a mutant
 * survives nearby changes. `@@ text` is an anchor: the hunk applies at the first match after the first line that contains the text. Without
 * an anchor, the match must be unique.
 */

export interface Hunk {
  readonly anchor: string;
  /** Context and removed lines, in order, which must exist. */
  readonly before: readonly string[];
  /** Context and added lines, which replace them. */
  readonly after: readonly string[];
}

export interface FilePatch {
  /** Path from the project's root. */
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

/** Throws an Error that names the invalid line. */
export function parseDiff(text: string): readonly FilePatch[] {
  const patches: { path: string; hunks: { anchor: string; before: string[]; after: string[] }[] }[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const patch = patches.at(-1);
    const hunk = patch?.hunks.at(-1);
    if (line.startsWith("--- ")) {
      patches.push({ path: line.slice(4).replace(/^a\//, "").trim(), hunks: [] });
    } else if (line.startsWith("+++ ") && hunk === undefined) {
      continue;
    } else if (line.startsWith("@@")) {
      if (patch === undefined) {
        throw new Error(`line ${index + 1} of the diff: a hunk before any file`);
      }
      patch.hunks.push({ anchor: line.replace(/^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)?/, "").trim(), before: [], after: [] });
    } else if (hunk !== undefined) {
      takeLine(hunk, line, index);
    } else if (line.trim() !== "") {
      throw new Error(`line ${index + 1} of the diff belongs to no hunk: ${line}`);
    }
  }
  for (const { path, hunks } of patches) {
    for (const hunk of hunks) {
      // The empty line at the end of a file is not context.
      while (hunk.before.at(-1) === "" && hunk.after.at(-1) === "") {
        hunk.before.pop();
        hunk.after.pop();
      }
      if (hunk.before.length === 0) {
        throw new Error(`a hunk of ${path} has no line to be found by`);
      }
    }
    if (hunks.length === 0) {
      throw new Error(`${path} has no hunk`);
    }
  }
  if (patches.length === 0) {
    throw new Error("there is no diff");
  }
  return patches;
}

function takeLine(hunk: { readonly before: string[]; readonly after: string[] }, line: string, index: number): void {
  const content = line.slice(1);
  switch (line[0]) {
    case undefined:
    case " ":
      hunk.before.push(content);
      hunk.after.push(content);
      return;
    case "-":
      hunk.before.push(content);
      return;
    case "+":
      hunk.after.push(content);
      return;
    default:
      throw new Error(`line ${index + 1} of the diff begins with none of ' ', '-', '+': ${line}`);
  }
}

/** Throws an Error with the text that was not found, or was found twice. */
export function applyHunks(source: string, { path, hunks }: FilePatch): string {
  let lines = source.split("\n");
  for (const hunk of hunks) {
    const at = place(lines, hunk, path);
    lines = [...lines.slice(0, at), ...hunk.after, ...lines.slice(at + hunk.before.length)];
  }
  return lines.join("\n");
}

function place(lines: readonly string[], { anchor, before }: Hunk, path: string): number {
  const from = anchor === "" ? 0 : lines.findIndex((line) => line.includes(anchor));
  if (from < 0) {
    throw new Error(`${path} has no line with '${anchor}'`);
  }
  // Tries an exact match first, then one that ignores indentation.
  for (const same of [(a: string, b: string) => a === b, (a: string, b: string) => a.trim() === b.trim()]) {
    const found = lines.flatMap((_, at) =>
      at >= from && at + before.length <= lines.length && before.every((line, k) => same(line, lines[at + k] ?? "")) ? [at] : [],
    );
    const [first] = found;
    if (first !== undefined && (found.length === 1 || anchor !== "")) {
      return first;
    }
    if (first !== undefined) {
      throw new Error(`${path} has ${found.length} places like '${before.join("\n").trim()}': the hunk needs an anchor or more context`);
    }
  }
  throw new Error(`${path} has no place like '${before.join("\n").trim()}'`);
}
