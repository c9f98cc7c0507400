/** Statements one after the other, without a person: --execute, --file, and standard input that is not a terminal. */
import type { OutputFormat } from "./formats/formats.ts";
import type { Runner } from "./runner.ts";
import { splitScript } from "./splitter.ts";

export interface BatchOptions {
  readonly format: OutputFormat;
  readonly ignoreErrors: boolean;
}

/** The exit code: 0 when all went well. A server that is not there ends the batch whatever the options say. */
export async function runBatch(runner: Runner, script: string, options: BatchOptions): Promise<number> {
  let exitCode = 0;
  for (const statement of splitScript(script)) {
    const outcome = await runner.run(statement.sql, statement.vertical ? "VERTICAL" : options.format);
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
