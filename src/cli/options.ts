/** The command line's flags, as values. Called by main.ts. */
import { Command, InvalidArgumentError, Option } from "commander";
import { type OutputFormat, outputFormats } from "./formats/formats.ts";

export interface CliOptions {
  /** `http://host:port` */
  readonly server: string;
  readonly user: string;
  readonly source: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly timezone?: string;
  readonly clientInfo?: string;
  readonly clientTags: readonly string[];
  readonly session: Readonly<Record<string, string>>;
  readonly execute?: string;
  readonly file?: string;
  readonly ignoreErrors: boolean;
  readonly outputFormat?: OutputFormat;
  readonly progress: boolean;
  readonly debug: boolean;
}

/** Flags that make no run: an error in them, or help and version, which have been written. */
export class NoRun extends Error {
  override readonly name = "NoRun";
  constructor(readonly exitCode: number) {
    super("nothing to run");
  }
}

export interface OptionDefaults {
  readonly user: string;
  readonly timezone: string;
  readonly version: string;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
}

interface Parsed extends Omit<CliOptions, "clientTags" | "session" | "ignoreErrors" | "debug"> {
  readonly clientTags?: string;
  readonly session?: Readonly<Record<string, string>>;
  readonly ignoreErrors?: boolean;
  readonly debug?: boolean;
}

export function parseOptions(argv: readonly string[], defaults: OptionDefaults): CliOptions {
  const command = new Command("orrery")
    .description("Runs SQL on an Orrery server: a statement, a file of them, or an interactive shell.")
    .version(defaults.version)
    .option("--server <address>", "address of the coordinator", serverAddress, "http://127.0.0.1:8080")
    .option("--catalog <name>", "catalog of names that have none")
    .option("--schema <name>", "schema of names that have none")
    .option("-e, --execute <sql>", "run these statements and exit")
    .option("-f, --file <path>", "run the statements of a file and exit; - is standard input")
    .addOption(
      new Option("--output-format <format>", "format of results (CSV, and ALIGNED in the shell)").choices(outputFormats).argParser(format),
    )
    .option("--user <name>", "user to run as", defaults.user)
    .option("--source <name>", "name of this program in the server's list of queries", "orrery-cli")
    .option("--session <property=value>", "session property; may be given many times", sessionProperty)
    .option("--timezone <zone>", "time zone of the session", defaults.timezone)
    .option("--client-info <text>", "anything, shown with the query")
    .option("--client-tags <tags>", "tags, with commas between")
    .option("--ignore-errors", "go on with the next statement when one fails")
    .option("--no-progress", "no line of progress while a query runs")
    .option("--debug", "more about queries and failures")
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: defaults.writeOut, writeErr: defaults.writeError });
  try {
    const parsed = command.parse([...argv], { from: "user" }).opts<Parsed>();
    checkOptions(parsed, defaults);
    return {
      ...parsed,
      clientTags: (parsed.clientTags ?? "").split(",").filter((tag) => tag.trim() !== ""),
      session: parsed.session ?? {},
      ignoreErrors: parsed.ignoreErrors ?? false,
      debug: parsed.debug ?? false,
    };
  } catch (error) {
    if (isCommanderError(error)) {
      throw new NoRun(error.exitCode === 0 ? 0 : 2);
    }
    throw error;
  }
}

function isCommanderError(error: unknown): error is Error & { readonly exitCode: number } {
  return error instanceof Error && "exitCode" in error && typeof error.exitCode === "number" && !(error instanceof NoRun);
}

function checkOptions(options: Parsed, defaults: OptionDefaults): void {
  const complaint =
    options.execute !== undefined && options.file !== undefined
      ? "--execute and --file exclude each other"
      : options.schema !== undefined && options.catalog === undefined
        ? "--schema needs --catalog"
        : undefined;
  if (complaint !== undefined) {
    defaults.writeError(`error: ${complaint}\n`);
    throw new NoRun(2);
  }
}

function serverAddress(text: string): string {
  const address = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address) || new URL(address).pathname !== "/") {
    throw new InvalidArgumentError("Expected http://host:port.");
  }
  return new URL(address).origin;
}

function format(text: string): OutputFormat {
  const upper = text.toUpperCase();
  const known = outputFormats.find((name) => name === upper);
  if (known === undefined) {
    throw new InvalidArgumentError(`Allowed choices are ${outputFormats.join(", ")}.`);
  }
  return known;
}

function sessionProperty(text: string, before: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const equals = text.indexOf("=");
  if (equals < 1) {
    throw new InvalidArgumentError("Expected property=value.");
  }
  return { ...before, [text.slice(0, equals).trim()]: text.slice(equals + 1) };
}
