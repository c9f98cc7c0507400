/** Which program an `orrery` command line means. */
import { unknownNameText } from "../server/properties.ts";

/** In the order of `--help`. */
export const programs = {
  server: "start a coordinator and workers in one process, with the web interface (the default)",
  worker: "start a worker and join it to a coordinator",
  cli: "connect to a server: a shell, or one statement",
  query: "run statements over the files of this folder, without a server",
  sim: "run simulated clusters: find, shrink and explain failures",
  "create-connector": "write a project with a connector of your own, and its tests",
  healthcheck: "exit with 0 if a server is ready, for containers",
  help: "show this text, or that of a program",
} as const;

export type ProgramName = keyof typeof programs | "version";

export type Choice = { readonly program: ProgramName; readonly args: readonly string[] } | { readonly problem: string };

export function isKnownProgram(name: string): name is keyof typeof programs {
  return Object.hasOwn(programs, name);
}

/** Flags with which a command line without a program means `query`; all others mean `server`. */
const queryFlags = /^(-c|-e|-f|--command|--execute|--file|--format|--output-format|--local)(=|$)/;

export function choose(argv: readonly string[]): Choice {
  const [first = "", ...rest] = argv;
  if (isKnownProgram(first)) {
    return { program: first, args: rest };
  }
  if (first === "--help" || first === "-h") {
    return { program: "help", args: [] };
  }
  if (first === "--version" || first === "-V") {
    return { program: "version", args: [] };
  }
  if (first.startsWith("-") && !startsWithComment(first)) {
    return { program: queryFlags.test(first) ? "query" : "server", args: argv };
  }
  if (first === "") {
    return argv.length === 0 ? { program: "server", args: [] } : { problem: "The statement is empty" };
  }
  if (/^https?:\/\/\S+$/.test(first)) {
    return { program: "cli", args: ["--server", ...argv] };
  }
  // A statement has more than one word, or a sign that no program's name has.
  return /[^\w-]/.test(first) ? { program: "query", args: argv } : { problem: unknownNameText("Program", first, Object.keys(programs)) };
}

/** A statement, not a flag. */
export function startsWithComment(argument: string): boolean {
  return /^--(\s|$)/.test(argument) && argument.length > 2;
}

export function usage(): string {
  const lines = Object.entries(programs).map(([name, text]) => `  ${name.padEnd(17)} ${text}`);
  return `Usage: orrery [program] [options]
       orrery "SELECT ..." [options]

A distributed SQL engine that speaks the Presto and Trino protocol.

Programs:
${lines.join("\n")}

Examples:
  orrery                                          serve on http://127.0.0.1:8080
  orrery --port 9000 --data ./sales               the same on another port, with a folder of files
  orrery cli                                      a shell at that server
  orrery "SELECT * FROM orders LIMIT 10"          query orders.csv, .json or .parquet in this folder
  orrery "SELECT * FROM orders" --format CSV      rows for another program
  orrery --local                                  a shell over the files of this folder

orrery PROGRAM --help shows the options of a program.
`;
}
