/**
 * The command line: `npm run cli -- --server URL --catalog C --schema S --execute "SQL"`. Without --execute it starts a shell.
 */
import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { pathToFileURL } from "node:url";
import type { Network } from "../ports/network.ts";
import { ProcessClock } from "./clock.ts";
import { ClientNetwork } from "../client/http.ts";
import { type CliOptions, NoRun, parseOptions } from "./options/options.ts";
import { askPassword, passwordOf } from "./password.ts";
import { type CliWorld, runBatch, runShell } from "./run.ts";

const cliVersion = "0.1.0";

/** Opens the connection to the coordinator at an address. */
export type Connect = (
  server: string,
  options: { readonly insecure: boolean },
) => Promise<{ readonly network: Network; readonly server: string }>;

const connectByHttp: Connect = (server, options) => Promise.resolve({ network: new ClientNetwork(options), server });

/**
 * Returns the exit code: 0 on success, 1 if a statement failed or the server was unreachable, 2 for invalid flags, 130 after Ctrl-C.
 * `connect` replaces the connection over HTTP; it is called once the flags are known to be valid. `openFile` opens what `.open` names
 * and is not an address.
 */
export async function main(argv: readonly string[], connect: Connect = connectByHttp, openFile?: CliWorld["openFile"]): Promise<number> {
  try {
    const options = parseOptions(argv, {
      user: userName(),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      version: cliVersion,
      environment: process.env,
      writeOut: (text) => process.stdout.write(text),
      writeError: (text) => process.stderr.write(text),
    });
    return await run(options, connect, openFile);
  } catch (error) {
    if (error instanceof NoRun) {
      return error.exitCode;
    }
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without a name, as in containers.
    return process.env["USER"] ?? "anonymous";
  }
}

async function run(given: CliOptions, connect: Connect, openFile: CliWorld["openFile"]): Promise<number> {
  const { network, server } = await connect(given.server, given);
  const options = { ...given, server };
  const { stdin, stdout, stderr, env: environment } = process;
  let http: ClientNetwork | undefined;
  const networkToOpen = (): Network => {
    http ??= new ClientNetwork(options);
    return http;
  };
  const clock = new ProcessClock();
  const opening = { networkToOpen, ...(openFile === undefined ? {} : { openFile }) };
  const world: CliWorld = { clock, network, ...opening, environment, stdin, stdout, stderr, onInterrupt, suspend };
  try {
    const password = options.password ? (passwordOf(environment) ?? (await typedPassword())) : undefined;
    const script = await scriptOf(options);
    const parts = { options, world, ...(password === undefined ? {} : { password }) };
    return await (script === undefined ? runShell(parts) : runBatch(parts, script));
  } finally {
    await network.close();
    await http?.close();
  }
}

async function typedPassword(): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) {
    throw new Error("--password needs a terminal, or ORRERY_PASSWORD");
  }
  const password = await askPassword({ input: stdin, output: stderr });
  if (password === undefined) {
    throw new NoRun(130);
  }
  return password;
}

function onInterrupt(listener: () => boolean): void {
  process.on("SIGINT", () => {
    if (!listener()) {
      process.exit(130);
    }
  });
}

/** Stops the whole job, as the terminal does: a program that started this one would wait otherwise. */
function suspend(): Promise<void> {
  return new Promise((resolve) => {
    // Nothing else is waited for meanwhile, and a process that waits for nothing ends.
    const alive = setInterval(() => undefined, 60_000);
    process.once("SIGCONT", () => {
      clearInterval(alive);
      resolve();
    });
    process.kill(0, "SIGTSTP");
  });
}

/** Undefined for a shell, which needs a terminal on both sides. */
async function scriptOf(options: CliOptions): Promise<string | undefined> {
  if (options.execute !== undefined) {
    return options.execute;
  }
  if (options.file !== undefined && options.file !== "-") {
    return await readFile(options.file, "utf8");
  }
  const { stdin, stdout } = process;
  return options.file === "-" || !stdin.isTTY || !stdout.isTTY ? await readAll(process.stdin) : undefined;
}

async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  stream.setEncoding("utf8");
  let text = "";
  for await (const chunk of stream as AsyncIterable<string>) {
    text += chunk;
  }
  return text;
}

/** True if this file is the program, false if a test imports it. */
function isProgram(): boolean {
  const [, program] = process.argv;
  return program !== undefined && import.meta.url === pathToFileURL(program).href;
}

if (isProgram()) {
  process.exitCode = await main(process.argv.slice(2));
}
