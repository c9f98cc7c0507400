/**
 * What a fuzzer of inputs is made of: a generator, an oracle for one input, and smaller inputs for the shrinker. The runner has the rest.
 */
import { unlikeMessage } from "../../../messages/shape.ts";
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

export interface Refusals {
  /** Names of errors by which a connector may refuse what it reads. */
  readonly names: ReadonlySet<string>;
  /** What else is wrong with an error; undefined if nothing is. */
  readonly unlike?: (errorName: string, message: string) => string | undefined;
  /** What a message must not tell. */
  readonly secrets?: readonly string[];
}

/** An error of a connector that reads altered input: a refusal with a message that is fit for users, or what no user may see. */
export function judgedRefusal(error: unknown, { names, unlike = () => undefined, secrets = [] }: Refusals): Verdict {
  const { errorName, message, name: kind } = error as Error & { readonly errorName?: string };
  if (kind === "MemoryLimitExceeded") {
    return { outcome: "more memory than the limit" };
  }
  if (errorName === undefined || !names.has(errorName)) {
    return unexpected(error);
  }
  const shown = message.slice(0, 500);
  if (secrets.some((secret) => message.includes(secret))) {
    return { outcome: errorName, fault: { kind: "secret", detail: shown } };
  }
  const wrong = unlike(errorName, message) ?? unlikeMessage(message.slice(0, 2000));
  const fault = leakIn(message) ?? (wrong === undefined ? undefined : { kind: "message", detail: `${wrong}: ${shown}` });
  return { outcome: errorName, ...(fault !== undefined && { fault }) };
}
