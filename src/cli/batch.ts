/**
 * Non-interactive execution of statements: --execute, --file, and standard input that is not a terminal.
 */
import type { OutputFormat } from "./formats/formats.ts";
import type { Runner } from "./runner.ts";
import { splitScript } from "./splitter.ts";

export interface BatchOptions {
  readonly format: OutputFormat;
  readonly ignoreErrors: boolean;
}

/** Returns the exit code: 0 if all statements succeeded. An unreachable server ends the batch, whatever the options are. */
export async function runBatch(runner: Runner, script: string, options: BatchOptions): Promise<number> {
  let exitCode = 0;
  for (const statement of splitScript(script)) {
    const outcome = await runner.run(statement.sql, { format: statement.vertical ? "VERTICAL" : options.format });
    if (outcome === "CANCELED") {
      return 130;
    }
    if (outcome !== "FINISHED") {
      exitCode = 1;
      if (!options.ignoreErrors || outcome === "UNREACHABLE") {
        return exitCode;
      }
    }
  }
  return exitCode;
}
