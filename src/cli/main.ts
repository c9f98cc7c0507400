/**
 * The command line: `npm run cli -- --server URL --catalog C --schema S --execute "SQL"`. Without --execute it starts a shell.
 */
import { readFile } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { clientSession } from "../client/session.ts";
import { StatementClient } from "../client/statement-client.ts";
import type { Network } from "../ports/network.ts";
import { runBatch } from "./batch.ts";
import { ProcessClock } from "./clock.ts";
import { Completion } from "./completion.ts";
import { FileHistory } from "./history.ts";
import { ClientNetwork } from "./network.ts";
import { type CliOptions, NoRun, parseOptions } from "./options.ts";
import { Runner } from "./runner.ts";
import { Shell } from "./shell.ts";
import { runShellTerminal } from "./shell-terminal.ts";
import { StreamOutput } from "./terminal.ts";

const cliVersion = "0.1.0";

/** How long a refused connection is retried, in milliseconds; a server that was just started may not listen yet. */
const submitRetryMsMax = 1_000;

/** Opens the connection to the coordinator at an address. */
export type Connect = (server: string) => Promise<{ readonly network: Network; readonly server: string }>;

const connectByHttp: Connect = (server) => Promise.resolve({ network: new ClientNetwork(), server });

/**
 * Returns the exit code: 0 on success, 1 if a statement failed or the server was unreachable, 2 for invalid flags, 130 after Ctrl-C.
 * `connect` replaces the connection over HTTP; it is called once the flags are known to be valid.
 */
export async function main(argv: readonly string[], connect: Connect = connectByHttp): Promise<number> {
  try {
    const options = parseOptions(argv, {
      user: userName(),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      version: cliVersion,
      writeOut: (text) => process.stdout.write(text),
      writeError: (text) => process.stderr.write(text),
    });
    return await run(options, connect);
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

async function run(options: CliOptions, connect: Connect): Promise<number> {
  const { network, server } = await connect(options.server);
  const clock = new ProcessClock();
  const client = new StatementClient({ network, clock, server, session: sessionOf(options), submitRetryMsMax });
  const stdout = new StreamOutput(process.stdout);
  const stderr = new StreamOutput(process.stderr);
  const script = await scriptOf(options);
  const interactive = script === undefined;
  const { progress, debug } = options;
  const runner = new Runner({ client, clock, server, stdout, stderr, interactive, progress, debug });
  stdout.onClosed = () => runner.cancel();
  try {
    if (interactive) {
      const history = new FileHistory(join(homedir(), ".orrery_history"));
      const shell = new Shell({ client, runner, stdout, history, format: options.outputFormat ?? "ALIGNED" });
      await runShellTerminal({ shell, runner, history, completion: new Completion(client) });
      return 0;
    }
    process.on("SIGINT", () => endOnInterrupt(runner));
    return await runBatch(runner, script, { format: options.outputFormat ?? "CSV", ignoreErrors: options.ignoreErrors });
  } finally {
    await network.close();
  }
}

function endOnInterrupt(runner: Runner): void {
  if (!runner.isRunning) {
    process.exit(130);
  }
  runner.cancel();
}

function sessionOf(options: CliOptions) {
  return clientSession(options.user, {
    source: options.source,
    ...(options.catalog === undefined ? {} : { catalog: options.catalog }),
    ...(options.schema === undefined ? {} : { schema: options.schema }),
    ...(options.timezone === undefined ? {} : { timeZone: options.timezone }),
    ...(options.clientInfo === undefined ? {} : { clientInfo: options.clientInfo }),
    clientTags: options.clientTags,
    properties: options.session,
  });
}

/** Undefined for a shell. */
async function scriptOf(options: CliOptions): Promise<string | undefined> {
  if (options.execute !== undefined) {
    return options.execute;
  }
  if (options.file !== undefined && options.file !== "-") {
    return await readFile(options.file, "utf8");
  }
  return options.file === "-" || !process.stdin.isTTY ? await readAll(process.stdin) : undefined;
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
