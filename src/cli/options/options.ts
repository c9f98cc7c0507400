/**
 * The command line's flags.
 */
import { Command, InvalidArgumentError, Option } from "commander";
import { type OutputFormat, outputFormats } from "../formats/formats.ts";
import { type ServerAddress, serverAddress } from "./server-address.ts";
import { assignment, format } from "./values.ts";

export interface CliOptions {
  /** `http://host:port` */
  readonly server: string;
  readonly user: string;
  /** Ask for a password, or take it from the environment. */
  readonly password: boolean;
  /** Accept certificates that cannot be verified, and passwords over plain HTTP. */
  readonly insecure: boolean;
  /** Token of `Authorization: Bearer`, in the place of a password. */
  readonly accessToken?: string;
  /** PEM files: certificates that sign the server's; the client's private key and certificate. */
  readonly truststorePath?: string;
  readonly keystorePath?: string;
  readonly keystorePassword?: string;
  readonly source: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly timezone?: string;
  readonly clientInfo?: string;
  readonly clientTags: readonly string[];
  readonly traceToken?: string;
  readonly resourceEstimates: Readonly<Record<string, string>>;
  readonly extraCredentials: Readonly<Record<string, string>>;
  readonly session: Readonly<Record<string, string>>;
  readonly execute?: string;
  readonly file?: string;
  readonly ignoreErrors: boolean;
  readonly outputFormat?: OutputFormat;
  readonly outputFormatInteractive?: OutputFormat;
  /** Command line of the pager; empty for none. Absent: that of the environment. */
  readonly pager?: string;
  /** Path of the file that a shell reads first; `false` for none. Absent: the one in the home directory. */
  readonly rc?: string | false;
  /** Absent: on a terminal only. */
  readonly progress?: boolean;
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
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
}

interface Parsed {
  readonly server?: string;
  readonly ssl?: boolean;
  readonly catalog?: string;
  readonly schema?: string;
  readonly execute?: string;
  readonly file?: string;
  readonly outputFormat?: OutputFormat;
  readonly outputFormatInteractive?: OutputFormat;
  readonly user: string;
  readonly password?: boolean;
  readonly insecure?: boolean;
  readonly accessToken?: string;
  readonly truststorePath?: string;
  readonly keystorePath?: string;
  readonly keystorePassword?: string;
  readonly source: string;
  readonly session?: Readonly<Record<string, string>>;
  readonly timezone: string;
  readonly clientInfo?: string;
  readonly clientTags?: string;
  readonly traceToken?: string;
  readonly resourceEstimate?: Readonly<Record<string, string>>;
  readonly extraCredential?: Readonly<Record<string, string>>;
  readonly ignoreErrors?: boolean;
  readonly pager?: string | false;
  readonly rc?: string | boolean;
  readonly progress?: boolean;
  readonly debug?: boolean;
}

const defaultServer = "http://127.0.0.1:8080";

export function parseOptions(argv: readonly string[], defaults: OptionDefaults): CliOptions {
  try {
    const command = commandFor(defaults);
    command.parse([...argv], { from: "user" });
    return optionsOf(command, defaults);
  } catch (error) {
    if (isCommanderError(error)) {
      throw new NoRun(error.exitCode === 0 ? 0 : 2);
    }
    throw error;
  }
}

function commandFor(defaults: OptionDefaults): Command {
  return new Command("orrery")
    .description("Runs SQL statements on an Orrery server, from the command line, from a file or in an interactive shell.")
    .argument("[url]", "address of the coordinator: http://host:port/catalog/schema")
    .version(defaults.version)
    .option("--server <address>", `address of the coordinator (default: $ORRERY_SERVER, or ${defaultServer})`)
    .option("--catalog <name>", "default catalog")
    .option("--schema <name>", "default schema")
    .option("-e, --execute <sql>", "execute the statements and exit")
    .option("-f, --file <path>", "execute the statements of a file and exit; - is standard input")
    .addOption(
      new Option("--output-format <format>", "output format (default: CSV, and AUTO in the shell)")
        .choices(outputFormats)
        .argParser(format),
    )
    .addOption(new Option("--output-format-interactive <format>", "output format of the shell").choices(outputFormats).argParser(format))
    .option("--user <name>", "user name", defaults.user)
    .option("--password", "ask for a password, or take it from $ORRERY_PASSWORD; needs https")
    .option("--access-token <token>", "token for authentication; needs https")
    .option("--truststore-path <file>", "PEM file of the certificates that sign the server's")
    .option("--keystore-path <file>", "PEM file with the private key and the certificate of the client")
    .option("--keystore-password <password>", "password of the private key")
    .option("--ssl", "connect with https")
    .option("--insecure", "accept any certificate, and a password over http")
    .option("--source <name>", "name of the source of the query", "orrery-cli")
    .option("--session <property=value>", "session property (may be repeated)", assignment("property=value"))
    .option("--timezone <zone>", "session time zone", defaults.timezone)
    .option("--client-info <text>", "extra information about the client")
    .option("--client-tags <tags>", "comma-separated client tags")
    .option("--trace-token <token>", "trace token")
    .option("--resource-estimate <resource=value>", "resource estimate (may be repeated)", assignment("resource=value"))
    .option("--extra-credential <name=value>", "extra credential (may be repeated)", assignment("name=value"))
    .option("--ignore-errors", "continue with the next statement after an error")
    .option("--progress", "show progress, also where standard error is not a terminal")
    .option("--no-progress", "do not show progress")
    .option("--pager <command>", "pager for long results (default: $ORRERY_PAGER, $PAGER, or less -FRSX)")
    .option("--no-pager", "do not use a pager")
    .option("--rc <path>", "file of commands that the shell runs first (default: ~/.orreryrc)")
    .option("--no-rc", "do not run it")
    .option("--debug", "print debug information about queries and failures")
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: defaults.writeOut, writeErr: defaults.writeError });
}

function isCommanderError(error: unknown): error is Error & { readonly exitCode: number } {
  return error instanceof Error && "exitCode" in error && typeof error.exitCode === "number" && !(error instanceof NoRun);
}

function optionsOf(command: Command, defaults: OptionDefaults): CliOptions {
  const parsed = command.opts<Parsed>();
  const [url] = command.args;
  const fail = (complaint: string): never => {
    defaults.writeError(`error: ${complaint}\n`);
    throw new NoRun(2);
  };
  const address = addressOf(parsed, { url, environment: defaults.environment, fail });
  const catalog = parsed.catalog ?? address.catalog;
  const schema = parsed.schema ?? address.schema;
  if (parsed.execute !== undefined && parsed.file !== undefined) {
    fail("--execute and --file exclude each other");
  }
  if (schema !== undefined && catalog === undefined) {
    fail("--schema needs --catalog");
  }
  if (parsed.ssl === true && !address.server.startsWith("https:")) {
    fail(`--ssl contradicts ${address.server}`);
  }
  if (parsed.password === true && parsed.insecure !== true && !address.server.startsWith("https:")) {
    fail("Authentication using username/password requires HTTPS to be enabled (--ssl), or --insecure");
  }
  if (parsed.accessToken !== undefined && parsed.insecure !== true && !address.server.startsWith("https:")) {
    fail("Authentication using an access token requires HTTPS to be enabled (--ssl), or --insecure");
  }
  if (parsed.accessToken !== undefined && parsed.password === true) {
    fail("--access-token and --password exclude each other");
  }
  const { accessToken, keystorePassword, keystorePath, truststorePath } = parsed;
  const { outputFormat, outputFormatInteractive, execute, file, timezone, clientInfo, traceToken, user, source, progress, rc } = parsed;
  const { pager } = parsed;
  return {
    server: address.server,
    user,
    source,
    timezone,
    password: parsed.password ?? false,
    insecure: parsed.insecure ?? false,
    clientTags: (parsed.clientTags ?? "").split(",").filter((tag) => tag.trim() !== ""),
    resourceEstimates: parsed.resourceEstimate ?? {},
    extraCredentials: parsed.extraCredential ?? {},
    session: parsed.session ?? {},
    ignoreErrors: parsed.ignoreErrors ?? false,
    debug: parsed.debug ?? false,
    ...(accessToken === undefined ? {} : { accessToken }),
    ...(truststorePath === undefined ? {} : { truststorePath }),
    ...(keystorePath === undefined ? {} : { keystorePath }),
    ...(keystorePassword === undefined ? {} : { keystorePassword }),
    ...(catalog === undefined ? {} : { catalog }),
    ...(schema === undefined ? {} : { schema }),
    ...(clientInfo === undefined ? {} : { clientInfo }),
    ...(traceToken === undefined ? {} : { traceToken }),
    ...(execute === undefined ? {} : { execute }),
    ...(file === undefined ? {} : { file }),
    ...(outputFormat === undefined ? {} : { outputFormat }),
    ...(outputFormatInteractive === undefined ? {} : { outputFormatInteractive }),
    ...(progress === undefined ? {} : { progress }),
    ...(typeof rc === "string" || rc === false ? { rc } : {}),
    ...(typeof pager === "string" ? { pager } : pager === false ? { pager: "" } : {}),
  };
}

interface AddressSources {
  readonly url: string | undefined;
  readonly environment: OptionDefaults["environment"];
  readonly fail: (complaint: string) => never;
}

/** The positional address, --server, ORRERY_SERVER, the default: the first that is given. */
function addressOf({ server, ssl }: Parsed, { url, environment, fail }: AddressSources): ServerAddress {
  if (url !== undefined && server !== undefined) {
    fail("the address is given twice: as an argument and by --server");
  }
  const fromEnvironment = environment["ORRERY_SERVER"];
  const text = url ?? server ?? (fromEnvironment === "" ? undefined : fromEnvironment) ?? (ssl === true ? "127.0.0.1:8080" : defaultServer);
  const address = serverAddress(text, { https: ssl === true });
  const origin = url !== undefined ? "" : server !== undefined ? "--server: " : "ORRERY_SERVER: ";
  if (address === undefined) {
    const advice = url !== undefined && /\s/.test(url) ? "; SQL is given with --execute" : "";
    return fail(`${origin}'${text}' is not an address; expected http://host:port/catalog/schema${advice}`);
  }
  return address;
}

/** The argument of `.open`. */
export function addressToOpen(text: string): ServerAddress {
  const address = serverAddress(text);
  if (address === undefined) {
    throw new InvalidArgumentError("expected http://host:port/catalog/schema");
  }
  return address;
}
