/**
 * Parses the lists of situations: a statement up to `;`, then lines with the expected outcome. `error: NAME message` is the error (a
 * message between slashes is a regular expression; no message matches any), `headers: {..}` adds request headers.
 */

export interface Situation {
  /** `casts.sql:12` */
  readonly place: string;
  readonly sql: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent if the statement succeeds. */
  readonly error?: { readonly name: string; readonly message?: string };
}

export function parseSituations(file: string, text: string): readonly Situation[] {
  const situations: Situation[] = [];
  let open: { readonly place: string; readonly lines: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const place = `${file}:${index + 1}`;
    const note = /^(error|headers): (.*)$/.exec(line);
    if (open === undefined && (line.trim() === "" || line.startsWith("--"))) {
      continue;
    }
    if (open === undefined && note !== null) {
      const last = situations.pop();
      if (last === undefined) {
        throw new Error(`${place}: a note below no statement`);
      }
      situations.push(noted(last, note[1] as string, note[2] as string));
      continue;
    }
    open ??= { place, lines: [] };
    open.lines.push(line);
    if (line.endsWith(";")) {
      situations.push({ place: open.place, sql: open.lines.join("\n").slice(0, -1), headers: {} });
      open = undefined;
    }
  }
  if (open !== undefined) {
    throw new Error(`${open.place}: a statement without its ';'`);
  }
  return situations;
}

function noted(situation: Situation, kind: string, text: string): Situation {
  if (kind === "headers") {
    return { ...situation, headers: JSON.parse(text) as Record<string, string> };
  }
  const space = text.indexOf(" ");
  const error = space < 0 ? { name: text } : { name: text.slice(0, space), message: text.slice(space + 1) };
  return { ...situation, error };
}

/** True if a message matches the expected one. */
export function isMessage(message: string, wanted: string): boolean {
  const pattern = /^\/(.*)\/$/s.exec(wanted)?.[1];
  return pattern === undefined ? message === wanted : new RegExp(`^${pattern}$`, "s").test(message);
}
