/**
 * Shared by the server programs: one-line fatal errors, and graceful shutdown on signals.
 */
import { QueryError } from "../protocol/errors.ts";
import { ConfigurationError } from "./properties.ts";
import { ignoredEnvironmentText } from "./service-environment.ts";

/** Exit code of Presto's launcher for a failed start. */
export const startFailureCode = 100;

export function explainStartFailure(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof QueryError) {
    return `Configuration error: ${error.message}`;
  }
  const cause = error as NodeJS.ErrnoException & { port?: number; address?: string };
  switch (cause.code) {
    case "EADDRINUSE":
      return `Port ${cause.port} on ${cause.address} is taken by another program; choose another with --port (0 picks a free one)`;
    case "EACCES":
      return `Not allowed to listen on ${cause.address ?? ""}:${cause.port ?? ""}; choose a port above 1023 with --port`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `This machine has no address '${cause.address ?? ""}' to listen on; choose another with --host`;
    default:
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** A line on standard error if variables of the environment were ignored. */
export function tellIgnoredEnvironment(): void {
  const text = ignoredEnvironmentText(process.env);
  if (text !== undefined) {
    process.stderr.write(`${text}\n`);
  }
}

/**
 * The first SIGTERM or SIGINT calls `end` and exits with 0 when it resolves; a second one exits at once. An unhandled rejection is a bug:
 * it is printed and ends the process.
 */
export function endOnSignals(end: (signal: string) => Promise<void>): void {
  let ending = false;
  const onSignal = (signal: string): void => {
    if (ending) {
      process.stderr.write("Stopped at once\n");
      process.exit(130);
    }
    ending = true;
    end(signal).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${explainStartFailure(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => onSignal("SIGTERM"));
  process.on("SIGINT", () => onSignal("SIGINT"));
  process.on("unhandledRejection", (error) => {
    process.stderr.write(`Unhandled rejection: ${explainStartFailure(error)}\n`);
    process.exit(1);
  });
}
