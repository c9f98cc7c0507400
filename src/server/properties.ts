/**
 * Parser of Presto-style property files: `name=value` lines, `#` comments, `${ENV:NAME}` replaced from the environment. It does not read
 * files.
 */
import { shownName } from "../protocol/shown-value.ts";
import { ownMember } from "../types/own.ts";

/** A mistake in the configuration, with a one-line message for the user. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

const propertyName = /^[A-Za-z_][\w.-]*$/;

export function parseProperties(
  text: string,
  options: { readonly source: string; readonly environment: Readonly<Record<string, string | undefined>> },
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let lineNumber = 0;
  for (const line of text.split(/\r?\n/)) {
    lineNumber++;
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#") || trimmed.startsWith("!")) {
      continue;
    }
    const equals = trimmed.indexOf("=");
    const name = equals < 0 ? "" : trimmed.slice(0, equals).trim();
    if (!propertyName.test(name)) {
      // The line may hold a secret whose name was forgotten, so it is not printed.
      throw new ConfigurationError(`${options.source}:${lineNumber}: expected 'name=value'`);
    }
    if (values.has(name)) {
      throw new ConfigurationError(`${options.source}:${lineNumber}: property '${shownName(name)}' is set twice`);
    }
    values.set(name, substitute(trimmed.slice(equals + 1).trim(), `${options.source}:${lineNumber}`, options.environment));
  }
  return values;
}

/** Throws ConfigurationError with the place. */
export function substitute(value: string, place: string, environment: Readonly<Record<string, string | undefined>>): string {
  return value.replaceAll(/\$\{ENV:([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const found = ownMember(environment, name);
    if (found === undefined) {
      throw new ConfigurationError(`${place}: environment variable '${name}' is not set`);
    }
    return found;
  });
}

/** The environment variable of a property: `http-server.http.port` is `ORRERY_HTTP_SERVER_HTTP_PORT`. */
export function environmentName(property: string): string {
  return `ORRERY_${property.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}

/** The known name with the smallest edit distance to `name`, if it is close enough; for suggestions. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + cost));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

export function unknownNameText(kind: string, name: string, known: Iterable<string>): string {
  const near = nearestName(name, known);
  return `${kind} '${name}' is not known${near === undefined ? "" : `; did you mean '${near}'?`}`;
}
