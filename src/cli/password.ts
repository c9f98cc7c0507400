/**
 * The password: from the environment, or typed on the terminal, which does not show it.
 */
import type { TerminalInput } from "./editor/reader.ts";

export function passwordOf(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return environment["ORRERY_PASSWORD"] ?? environment["TRINO_PASSWORD"];
}

export interface PromptStreams {
  readonly input: TerminalInput & { off(event: "data", listener: (text: string) => void): unknown };
  readonly output: { write(text: string): unknown };
}

/** Returns undefined after Ctrl-C or Ctrl-D. */
export function askPassword({ input, output }: PromptStreams): Promise<string | undefined> {
  return new Promise((resolve) => {
    let typed = "";
    const end = (password: string | undefined): void => {
      input.off("data", take);
      input.setRawMode(false);
      input.pause();
      output.write("\n");
      resolve(password);
    };
    const take = (text: string): void => {
      for (const character of text) {
        if (character === "\r" || character === "\n") {
          end(typed);
          return;
        }
        if (character === "\u0003" || character === "\u0004") {
          end(undefined);
          return;
        }
        typed =
          character === "\u007f" || character === "\b"
            ? Array.from(typed).slice(0, -1).join("")
            : character === "\u0015"
              ? ""
              : typed + character;
      }
    };
    output.write("Password: ");
    input.setEncoding("utf8");
    input.setRawMode(true);
    input.on("data", take);
    input.resume();
  });
}
