/**
 * The command line's flags.
 */
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

/** Ends the program without a run: an error in the flags, or help and version, which have been printed. */
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
    .description("Runs SQL statements on an Orrery server, from the command line, from a file or in an interactive shell.")
    .version(defaults.version)
    .option("--server <address>", "address of the coordinator", serverAddress, "http://127.0.0.1:8080")
    .option("--catalog <name>", "default catalog")
    .option("--schema <name>", "default schema")
    .option("-e, --execute <sql>", "execute the statements and exit")
    .option("-f, --file <path>", "execute the statements of a file and exit; - is standard input")
    .addOption(
      new Option("--output-format <format>", "output format (default: CSV, and ALIGNED in the shell)")
        .choices(outputFormats)
        .argParser(format),
    )
    .option("--user <name>", "user name", defaults.user)
    .option("--source <name>", "name of the source of the query", "orrery-cli")
    .option("--session <property=value>", "session property (may be repeated)", sessionProperty)
    .option("--timezone <zone>", "session time zone", defaults.timezone)
    .option("--client-info <text>", "extra information about the client")
    .option("--client-tags <tags>", "comma-separated client tags")
    .option("--ignore-errors", "continue with the next statement after an error")
    .option("--no-progress", "disable the progress line")
    .option("--debug", "print debug information about queries and failures")
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
