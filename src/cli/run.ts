/**
 * The command line without its process: everything it needs comes in `CliWorld`, so that a program can run a shell or a batch on an engine
 * of its own. Returns exit codes: 0 on success, 1 if a statement failed or the server was unreachable, 130 after Ctrl-C.
 */
import { homedir } from "node:os";
import { join } from "node:path";
import { ClientError } from "../client/requester.ts";
import { type ClientSession, clientSession } from "../client/session.ts";
import type { Clock } from "../ports/clock.ts";
import type { Network } from "../ports/network.ts";
import { AuthorizedNetwork, basicCredentials, bearerCredentials } from "./authorization.ts";
import { runBatch as runScript } from "./batch.ts";
import { Completion } from "./completion/completion.ts";
import { Metadata } from "./completion/metadata.ts";
import { nearest } from "./completion/nearest.ts";
import { Suggestions } from "./completion/suggestions.ts";
import { Connection, type Endpoint } from "./connection.ts";
import { TerminalReader } from "./editor/reader.ts";
import { hasColors, painter } from "./formats/style.ts";
import { stringWidthOf } from "./formats/text.ts";
import { FileHistory } from "./history.ts";
import { addressToOpen, type CliOptions } from "./options/options.ts";
import { StreamOutput } from "./output/output.ts";
import { shellHost } from "./shell-host.ts";
import { runShellLoop } from "./shell-loop.ts";
import { Shell, shellSettings } from "./shell.ts";
import { Runner } from "./runner.ts";

export interface OpenedDatabase extends Endpoint {
  readonly catalog?: string;
  readonly schema?: string;
}

export interface CliWorld {
  readonly clock: Clock;
  /** Reaches the server of the options. */
  readonly network: Network;
  /** Reaches servers that `.open` names. */
  readonly networkToOpen: () => Network;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Calls back when the user presses Ctrl-C outside of the shell; the listener returns false if nothing was running. */
  readonly onInterrupt: (listener: () => boolean) => void;
  /** Stops the process, as Ctrl-Z does; resolves when it continues. */
  readonly suspend: () => Promise<void>;
  /** Opens a file or a folder that `.open` names, in an engine of this process. Absent: `.open` takes addresses only. */
  readonly openFile?: (path: string) => Promise<OpenedDatabase>;
}

export interface RunOptions {
  readonly options: CliOptions;
  readonly world: CliWorld;
  readonly password?: string;
}

/** How long a refused connection is retried, in milliseconds; a server that was just started may not listen yet. */
const submitRetryMsMax = 1_000;

/** Runs the interactive shell until the user leaves. */
export async function runShell(run: RunOptions): Promise<number> {
  const { options, world } = run;
  const { environment, stdout: out } = world;
  const { connection, stdout, stderr } = partsOf(run);
  if (!(await isSessionValid(connection, options, stderr))) {
    return 1;
  }
  const colors = hasColors(out.isTTY, environment);
  const paint = painter(colors);
  const metadata = new Metadata(connection, world.clock);
  const suggestions = new Suggestions(metadata, () => connection.session);
  const runner = new Runner({
    connection,
    clock: world.clock,
    stdout,
    stderr,
    interactive: true,
    progress: options.progress === false ? "off" : "on",
    debug: options.debug,
    suggest: (sql, error) => suggestions.suggest(sql, error),
  });
  const history = new FileHistory(environment["ORRERY_HISTORY_FILE"] ?? join(homedir(), ".orrery_history"));
  const settings = shellSettings(options.outputFormatInteractive ?? options.outputFormat, options.pager !== "");
  const host = shellHost({
    environment,
    pager: options.pager,
    borrow: (action) => reader.lend(action),
    open: async (target) => {
      const database = await databaseOf(target, run);
      connection.open(database, sessionIn(connection.session, database));
    },
  });
  const shell = new Shell({
    connection,
    runner,
    clock: world.clock,
    stdout,
    paint,
    settings,
    history,
    host,
    onNamesChanged: () => metadata.forget(),
  });
  const completion = new Completion(metadata, () => connection.session);
  const reader: TerminalReader = new TerminalReader({
    input: world.stdin,
    output: out,
    clock: world.clock,
    hasColors: colors,
    textWidth: await stringWidthOf(),
    history: () => history.entries,
    isComplete: (text) => shell.isComplete(text),
    complete: (text, cursor) => completion.complete(text, cursor),
    edit: (text) => host.edit(text),
    suspend: world.suspend,
    onBusyKey: (key) => (key === "cancel" ? shell.interrupt() : shell.cancelPartially()),
  });
  // The terminal sends Ctrl-C as a signal while another program has it.
  world.onInterrupt(() => {
    shell.interrupt();
    return true;
  });
  reader.take();
  try {
    await runRcFile(shell, host, options);
    await runShellLoop(shell, reader, stdout);
    return 0;
  } finally {
    reader.release();
    await shell.close();
  }
}

/** Runs the statements of a script and prints nothing but their rows on standard output. */
export async function runBatch(run: RunOptions, script: string): Promise<number> {
  const { options, world } = run;
  const { connection, stdout, stderr } = partsOf(run);
  if (!(await isSessionValid(connection, options, stderr))) {
    return 1;
  }
  const suggestions = new Suggestions(new Metadata(connection, world.clock), () => connection.session);
  const runner = new Runner({
    connection,
    clock: world.clock,
    stdout,
    stderr,
    interactive: false,
    progress: options.progress === false ? "off" : options.progress === true ? "lines" : "on",
    debug: options.debug,
    // A program that reads standard error gets the server's words alone.
    ...(stderr.isTerminal ? { suggest: (sql, error) => suggestions.suggest(sql, error) } : {}),
  });
  stdout.onClosed = () => runner.cancel();
  world.onInterrupt(() => {
    const { isRunning } = runner;
    runner.cancel();
    return isRunning;
  });
  return await runScript(runner, script, { format: options.outputFormat ?? "CSV", ignoreErrors: options.ignoreErrors });
}

interface Parts {
  readonly connection: Connection;
  readonly stdout: StreamOutput;
  readonly stderr: StreamOutput;
}

function partsOf({ options, world, password }: RunOptions): Parts {
  const { clock, network, stdout, stderr } = world;
  const { server, user } = options;
  const { accessToken } = options;
  const credentials =
    accessToken !== undefined ? bearerCredentials(accessToken) : password === undefined ? undefined : basicCredentials(user, password);
  const authorized = credentials === undefined ? network : new AuthorizedNetwork(network, { server, credentials });
  return {
    connection: new Connection({ server, network: authorized }, sessionOf(options), { clock, submitRetryMsMax }),
    stdout: new StreamOutput(stdout),
    stderr: new StreamOutput(stderr),
  };
}

function sessionOf(options: CliOptions): ClientSession {
  const { user, source, catalog, schema, timezone, clientInfo, clientTags, traceToken, resourceEstimates, extraCredentials } = options;
  return clientSession(user, {
    source,
    ...(catalog === undefined ? {} : { catalog }),
    ...(schema === undefined ? {} : { schema }),
    ...(timezone === undefined ? {} : { timeZone: timezone }),
    ...(clientInfo === undefined ? {} : { clientInfo }),
    ...(traceToken === undefined ? {} : { traceToken }),
    clientTags,
    resourceEstimates,
    extraCredentials,
    properties: options.session,
  });
}

/** A password is not sent to another server. */
async function databaseOf(target: string, { world }: RunOptions): Promise<OpenedDatabase> {
  const isPath = !/^https?:\/\//i.test(target);
  if (isPath && world.openFile !== undefined) {
    return await world.openFile(target);
  }
  const address = addressToOpen(target);
  return { ...address, network: world.networkToOpen() };
}

/** Catalog and schema are those of the new server; prepared statements and transactions stay with the old one. */
function sessionIn(session: ClientSession, { catalog, schema }: OpenedDatabase): ClientSession {
  const { catalog: _catalog, schema: _schema, transactionId: _transaction, ...rest } = session;
  return {
    ...rest,
    preparedStatements: {},
    ...(catalog === undefined ? {} : { catalog }),
    ...(schema === undefined ? {} : { schema }),
  };
}

/** Refuses properties that the server does not know before anything runs. True if there are none, or if the server cannot be asked. */
async function isSessionValid(connection: Connection, options: CliOptions, stderr: StreamOutput): Promise<boolean> {
  const names = Object.keys(options.session);
  if (names.length === 0) {
    return true;
  }
  try {
    const run = connection.asking().submit("SHOW SESSION");
    await run.collect();
    if (run.error === undefined) {
      return true;
    }
    const known = await connection
      .asking({ ...connection.session, properties: {} })
      .submit("SHOW SESSION")
      .collect();
    const unknown = names.find((name) => run.error?.message.includes(`'${name}'`) === true) ?? "";
    const [meant] = nearest(
      unknown,
      known.map(([name]) => String(name)),
    );
    await stderr.write(`--session: ${run.error.message}${meant === undefined ? "" : `; did you mean ${meant}?`}\n`);
    return false;
  } catch (error) {
    if (error instanceof ClientError) {
      // The first statement says what is wrong with the server.
      return true;
    }
    throw error;
  }
}

/** Nothing is said of a file in the home directory that does not exist. */
async function runRcFile(shell: Shell, host: ReturnType<typeof shellHost>, { rc }: CliOptions): Promise<void> {
  if (rc === false) {
    return;
  }
  const path = rc ?? join(homedir(), ".orreryrc");
  if (rc !== undefined || (await host.hasFile(path))) {
    await shell.runFile(path);
  }
}
