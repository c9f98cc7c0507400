/**
 * Values of flags.
 */
import { InvalidArgumentError } from "commander";
import { type OutputFormat, outputFormats } from "../formats/formats.ts";

export function format(text: string): OutputFormat {
  const upper = text.toUpperCase();
  const known = outputFormats.find((name) => name === upper);
  if (known === undefined) {
    throw new InvalidArgumentError(`Allowed choices are ${outputFormats.join(", ")}.`);
  }
  return known;
}

/** A flag that may be repeated: `name=value`. */
export function assignment(expected: string) {
  return (text: string, before: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> => {
    const equals = text.indexOf("=");
    if (equals < 1) {
      throw new InvalidArgumentError(`Expected ${expected}.`);
    }
    return { ...before, [text.slice(0, equals).trim()]: text.slice(equals + 1) };
  };
}
