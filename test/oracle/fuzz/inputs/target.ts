/**
 * What a fuzzer of inputs is made of: a generator, an oracle for one input, and smaller inputs for the shrinker. The runner has the rest.
 */
import type { Random } from "../random.ts";

/** A failure of the program. `kind` stays the same while an input is made smaller. */
export interface Fault {
  readonly kind: string;
  readonly detail: string;
}

export interface Verdict {
  /** How the input was answered, for the counts: a status, the name of an error, `read`. */
  readonly outcome: string;
  readonly fault?: Fault;
}

export interface FuzzTarget<Input> {
  /** The same decisions draw the same input. */
  draw(random: Random): Input;
  run(input: Input): Verdict | Promise<Verdict>;
  /** Smaller inputs, the smallest first. */
  smaller(input: Input): Iterable<Input>;
  /** For a report. */
  show(input: Input): string;
  /** Throws if what was fuzzed does not work any more. */
  check?(): Promise<void>;
  close?(): Promise<void>;
}

/** A path of the machine, or a line of a stack. */
const leak = /(?:^|[\s"'(])\/(?:home|root|tmp|usr|var|work|data)\/\S|node_modules|\bat \S+ \(?\S+\.(?:ts|js):\d+/;

/** What a text for a user tells of the program; undefined if nothing. */
export function leakIn(text: string): Fault | undefined {
  const found = leak.exec(text);
  return found === null ? undefined : { kind: "tells of the program", detail: text.slice(found.index, found.index + 200) };
}

/** An error that no user may see. */
export function unexpected(error: unknown): Verdict {
  const { name = "Error", message = String(error), stack = "" } = error instanceof Error ? error : {};
  const place = stack.split("\n").slice(1, 4).join("\n");
  return { outcome: "unexpected", fault: { kind: `unexpected ${name}`, detail: `${message.slice(0, 300)}\n${place}` } };
}
