/** Command lines of the programs of the package. */
import type { Command, CommanderError } from "commander";

/** Exit code for a wrong command line. */
export const usageCode = 2;

/** Undefined if the arguments fit the command; otherwise the exit code: 0 after help or the version, 2 for a wrong command line. */
export function parseArguments(command: Command, argv: readonly string[]): number | undefined {
  try {
    command.parse([...argv], { from: "user" });
    return undefined;
  } catch (error) {
    return (error as CommanderError).exitCode === 0 ? 0 : usageCode;
  }
}
