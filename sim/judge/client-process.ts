/** One run of the client's program. Its environment says what to do, its standard output is the rows, its exit code the outcome. */
import { spawn } from "node:child_process";

/** Exit code of a client that cannot do what a situation asks. */
export const cannotCode = 64;

export interface ClientRun {
  readonly output: string;
  readonly errors: string;
  /** Exit code, or the name of the signal that ended it. */
  readonly code: number | string;
  readonly hung: boolean;
}

export interface ClientOptions {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Time after which the program counts as hanging, in milliseconds. */
  readonly patienceMs: number;
  /** Receives a function that sends SIGINT to the program. */
  readonly onInterruptible: (interrupt: () => void) => void;
}

const outputCharactersMax = 64 * 1024 * 1024;

export function runClient({ command, environment, onInterruptible, patienceMs }: ClientOptions): Promise<ClientRun> {
  const [file = "", ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    let hung = false;
    const killChild = (): void => void child.kill("SIGKILL");
    process.once("exit", killChild);
    const timer = setTimeout(() => {
      hung = true;
      killChild();
    }, patienceMs);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += output.length < outputCharactersMax ? text : "";
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += errors.length < 10_000 ? text : "";
    });
    child.once("error", (error) => {
      clearTimeout(timer);
      process.off("exit", killChild);
      reject(new Error(`Cannot run ${command.join(" ")}: ${error.message}`));
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      process.off("exit", killChild);
      resolve({ output, errors, code: code ?? signal ?? "unknown", hung });
    });
    onInterruptible(() => void child.kill("SIGINT"));
  });
}
