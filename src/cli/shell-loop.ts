/**
 * The loop of the interactive shell: reads entries and runs them until the user leaves.
 */
import type { TerminalReader } from "./editor/reader.ts";
import type { TextOutput } from "./output/output.ts";
import type { Shell } from "./shell.ts";

export async function runShellLoop(shell: Shell, reader: TerminalReader, stdout: TextOutput): Promise<void> {
  let isLeaving = false;
  while (!shell.isOver) {
    const entry = await reader.read({ prompt: shell.prompt, continuation: shell.continuation, text: shell.takeNextText() });
    switch (entry.kind) {
      case "end":
        return;
      case "interrupt":
        if (entry.wasEmpty && isLeaving) {
          return;
        }
        isLeaving = entry.wasEmpty;
        await (entry.wasEmpty ? stdout.write("(Ctrl-C again, Ctrl-D or quit to leave)\n") : undefined);
        break;
      case "text":
        isLeaving = false;
        await shell.submit(entry.text);
        break;
    }
  }
}
