/**
 * The header `X-Orrery-Chaos`: rules for the query of the request that carries it, in the syntax of structured fields.
 *
 *   X-Orrery-Chaos: overloaded;on=poll;nth=2, worker-killed;page=3
 */
import { parseRule, type Rule, RuleError } from "./vocabulary.ts";

export const chaosHeader = "x-orrery-chaos";

/** Rules of a header, each hitting once unless it says otherwise. Throws RuleError. */
export function parseChaosHeader(text: string): readonly Rule[] {
  return splitOutsideQuotes(text, ",").map((item) => {
    const [fault = "", ...parameters] = splitOutsideQuotes(item, ";");
    const members: Record<string, unknown> = { times: 1 };
    for (const parameter of parameters) {
      const [name = "", value] = splitOutsideQuotes(parameter, "=");
      if (!/^[A-Za-z]+$/.test(name)) {
        throw new RuleError(`'${parameter}' is not a parameter of a rule; expected name=value`);
      }
      members[name] = value === undefined ? true : valueOf(value);
    }
    return parseRule({ ...members, fault });
  });
}

function valueOf(text: string): unknown {
  if (/^".*"$/.test(text)) {
    return text.slice(1, -1);
  }
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let quoted = false;
  for (const sign of text) {
    if (sign === '"') {
      quoted = !quoted;
    }
    if (sign === separator && !quoted) {
      parts.push(part.trim());
      part = "";
    } else {
      part += sign;
    }
  }
  return [...parts, part.trim()];
}
