/**
 * Real programs as child processes, for end-to-end tests and benchmarks: start, wait for output, stop.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The directory of package.json, from a source file or from a bundle. */
function findProjectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    if (folder === dirname(folder)) {
      throw new Error("no package.json in any folder above this script");
    }
    folder = dirname(folder);
  }
  return folder;
}

export const projectRoot: string = findProjectRoot();

export interface Program {
  readonly process: ChildProcess;
  /** The output so far. */
  readonly output: () => string;
  readonly errors: () => string;
  /** Resolves with the first match of `pattern` in standard output; rejects if the program ends before. */
  waitFor(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Resolves with the exit code or the name of the signal. */
  readonly ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
}

export interface ProgramOptions {
  readonly environment?: Record<string, string>;
  readonly input?: string;
  /** Folder of another work tree of the project, whose program is started; this one if absent. */
  readonly root?: string;
  /** A script that is started in place of the program of build.mjs. */
  readonly script?: string;
  /** Limit of file descriptors for the program. */
  readonly descriptorsMax?: number;
  /** File to which the program's process id is written before it starts, such as the one of a control group. */
  readonly joinedFile?: string;
}

/** Servers of tests would share the history of the project's folder; a test that looks at it names a directory. */
const withoutHistory = {
  ORRERY_QUERY_HISTORY_ENABLED: "false",
  ORRERY_QUERY_RECOVERY_ENABLED: "false",
  ORRERY_TABLE_RECOVERY_ENABLED: "false",
};

/** `program` is a program of build.mjs: server, worker, cli, sim. */
export function startProgram(program: string, args: readonly string[], options: ProgramOptions = {}): Program {
  const environment: Record<string, string | undefined> = {
    ...(options.environment?.["ORRERY_QUERY_HISTORY_DIRECTORY"] === undefined ? withoutHistory : {}),
    ...process.env,
    ...options.environment,
  };
  // Node options of the test process must not reach the program.
  for (const name of ["NODE_OPTIONS", "NODE_V8_COVERAGE"]) {
    if (options.environment?.[name] === undefined) {
      delete environment[name];
    }
  }
  // The test command collects the programs' coverage. Its own sweep has that of the simulator, whose files are the largest.
  const coverage = program === "sim" ? undefined : environment["PROGRAM_COVERAGE"];
  if (coverage !== undefined && environment["NODE_V8_COVERAGE"] === undefined) {
    environment["NODE_V8_COVERAGE"] = coverage;
  }
  const root = options.root ?? projectRoot;
  const started = options.script === undefined ? [join(root, "build.mjs"), program] : [options.script];
  const command = [process.execPath, ...started, ...args];
  const prepared = [
    ...(options.descriptorsMax === undefined ? [] : [`ulimit -n ${options.descriptorsMax}`]),
    ...(options.joinedFile === undefined ? [] : [`echo $$ > ${options.joinedFile}`]),
  ];
  const [file, ...rest] = prepared.length === 0 ? command : ["sh", "-c", [...prepared, 'exec "$0" "$@"'].join("; "), ...command];
  const child = spawn(file as string, rest, {
    cwd: root,
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  // Ends the program if the test or benchmark ends early.
  const killChild = (): void => void child.kill("SIGKILL");
  process.once("exit", killChild);
  child.once("close", () => process.off("exit", killChild));
  let output = "";
  let errors = "";
  const watchers = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    for (const watcher of watchers) {
      watcher();
    }
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.stdin.end(options.input ?? "");
  const ended = new Promise<number | string>((resolve) => {
    child.on("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  return {
    process: child,
    output: () => output,
    errors: () => errors,
    ended,
    kill: (signal) => void child.kill(signal),
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(output);
          if (match !== null) {
            watchers.delete(look);
            resolve(match);
          }
        };
        watchers.add(look);
        look();
        void ended.then((code) => reject(new Error(`${program} ended with ${code} before it wrote ${pattern}\n${output}${errors}`)));
      }),
  };
}

export interface RunningServer extends Program {
  readonly uri: string;
}

export async function startServer(args: readonly string[] = [], options: ProgramOptions = {}): Promise<RunningServer> {
  const program = startProgram("server", ["--port", "0", ...args], options);
  const [, uri] = await program.waitFor(/listens on (http:\/\/\S+);/);
  return { ...program, uri: uri as string };
}

export async function stopServer(server: Program): Promise<number | string> {
  server.kill("SIGTERM");
  return server.ended;
}

/** Runs a program to its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<{ readonly code: number | string; readonly output: string; readonly errors: string }> {
  const running = startProgram(program, args, options);
  const code = await running.ended;
  return { code, output: running.output(), errors: running.errors() };
}
