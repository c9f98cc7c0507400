/**
 * `orrery query`, and `orrery "SELECT ..."`: statements in an engine of this process, over the files of a folder. The command line runs
 * them as it does at a server, so formats, errors and exit codes are the same.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import type { Connect } from "../cli/main.ts";
import { startsWithComment } from "./choice.ts";
import { parseArguments, usageCode } from "./command-line.ts";
import { createCluster } from "../embedded/cluster.ts";

interface Options {
  readonly command?: string;
  readonly file?: string;
  readonly format?: string;
  readonly data: string;
  readonly local?: boolean;
  readonly server?: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly session?: readonly string[];
  readonly timezone?: string;
  readonly memory?: string;
  readonly ignoreErrors?: boolean;
  readonly debug?: boolean;
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function commandLine(): Command {
  return (
    new Command("orrery query")
      .usage('[options] ["SELECT ..."]')
      .description(
        "Runs SQL statements in this process, without a server. Files of the current folder are tables: orders.csv, .tsv, .json or .parquet is\n" +
          "orders. Without a statement, statements are read from standard input.",
      )
      .argument("[statement]", "statements, separated by semicolons")
      .option("-c, --command <sql>", "the statements, as a flag (also -e, --execute)")
      .option("-f, --file <path>", "run the statements of a file; - is standard input")
      .option("--format <format>", "ALIGNED, VERTICAL, CSV, TSV, JSON, MARKDOWN ...; by default ALIGNED on a terminal and CSV into a pipe")
      .option("--data <folder>", "folder of the catalog files", ".")
      .option("--local", "start a shell")
      .option("--server <address>", "run the statements at a server instead")
      .option("--catalog <name>", "default catalog (files)")
      .option("--schema <name>", "default schema (default)")
      .option("--session <property=value>", "session property (may be repeated)", collect)
      .option("--timezone <zone>", "session time zone; by default that of the machine")
      .option("--memory <size>", "memory for rows, such as 2GB; by default two thirds of the machine's")
      .option("--ignore-errors", "continue with the next statement after an error")
      .option("--debug", "print debug information about queries and failures")
      .allowExcessArguments(false)
      .exitOverride()
      // Names of the same flags in the shell.
      .addHelpText(
        "after",
        `
Catalogs: files (the folder), memory (CREATE TABLE memory.default.t AS ...), tpch, tpcds, system.
Exit codes: 0, or 1 if a statement failed, 2 for a wrong command line, 130 after Ctrl-C.
`,
      )
  );
}

/** Returns the exit code. */
export async function query(argv: readonly string[]): Promise<number> {
  const command = commandLine();
  const ended = parseArguments(command, argv.map(withoutAlias));
  if (ended !== undefined) {
    return ended;
  }
  const options = command.opts<Options>();
  const [statement] = command.args;
  const problem = problemOf(options, statement);
  if (problem !== undefined) {
    process.stderr.write(`error: ${problem}\n`);
    return usageCode;
  }
  // Loaded as the program of its own that it is, so that the bundler keeps it in its file.
  const { main } = await import("../cli/main.ts");
  return main(cliFlags(options, statement), options.server === undefined ? engineIn(options) : undefined);
}

/** The shell's names of two flags; and a statement that begins with a comment, which looks like a flag. */
function withoutAlias(argument: string): string {
  if (startsWithComment(argument)) {
    return `--command=${argument}`;
  }
  return argument.replace(/^(?:-e|--execute)(?==|$)/, "--command").replace(/^--output-format(?==|$)/, "--format");
}

function problemOf(options: Options, statement: string | undefined): string | undefined {
  if ([statement, options.command, options.file].filter((one) => one !== undefined).length > 1) {
    return "give the statements once: as an argument, with --command or with --file";
  }
  if (!statSync(options.data, { throwIfNoEntry: false })?.isDirectory()) {
    return `folder '${options.data}' does not exist`;
  }
  return undefined;
}

/** The flags of the command line at a server. */
function cliFlags(options: Options, statement: string | undefined): readonly string[] {
  const flags: string[] = [];
  const flag = (name: string, value: string | undefined): void => {
    if (value !== undefined) {
      flags.push(`--${name}=${value}`);
    }
  };
  const script = statement ?? options.command;
  flag("execute", script);
  flag("file", script === undefined && options.local !== true ? (options.file ?? "-") : options.file);
  flag("output-format", options.format ?? (process.stdout.isTTY && options.local !== true ? "ALIGNED" : undefined));
  const isLocal = options.server === undefined;
  flag("server", options.server);
  flag("catalog", options.catalog ?? (isLocal ? "files" : undefined));
  flag("schema", options.schema ?? (isLocal && options.catalog === undefined ? "default" : undefined));
  flag("timezone", options.timezone);
  for (const property of options.session ?? []) {
    flag("session", property);
  }
  return [...flags, ...(options.ignoreErrors === true ? ["--ignore-errors"] : []), ...(options.debug === true ? ["--debug"] : [])];
}

function engineIn(options: Options): Connect {
  return async () => {
    const cluster = await createCluster({
      catalogs: {
        files: { "connector.name": "files", "files.directory": resolve(options.data) },
        memory: { "connector.name": "memory" },
        tpcds: { "connector.name": "tpcds" },
        tpch: { "connector.name": "tpch" },
      },
      properties: options.memory === undefined ? {} : { "node.memory": options.memory, "query.max-memory-per-node": options.memory },
    });
    return { network: cluster.network(), server: cluster.uri };
  };
}
