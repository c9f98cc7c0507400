/**
 * The registry of the shell's commands, and the help.
 */
import { nearest } from "../completion/nearest.ts";
import { watchSecondsDefault } from "../splitter.ts";
import { catalogCommands } from "./catalog-commands.ts";
import { type CommandContext, CommandError, type ShellCommand } from "./command.ts";
import { settingCommands } from "./setting-commands.ts";

/** Shortest time between two runs of `\watch`, in seconds. */
const watchSecondsMin = 0.1;

const shellCommands: readonly ShellCommand[] = [
  { names: ["\\?", "\\h", "\\help", ".help", "help"], help: "show this text", run: (context) => context.print(helpText()) },
  {
    names: ["\\q", "\\quit", ".quit", ".exit", "quit", "exit"],
    help: "quit (or Ctrl-D)",
    run: (context) => {
      context.quit();
      return Promise.resolve();
    },
  },
  {
    names: ["\\e", "\\edit", ".edit"],
    argument: "[FILE]",
    help: "edit the last statement in $EDITOR (or Ctrl-X Ctrl-E)",
    run: (context, path) => context.edit(path === "" ? undefined : path),
  },
  { names: ["\\g", "\\go"], help: "run the last statement again", run: (context) => context.again({}) },
  { names: ["\\gx", "\\G"], help: "run it again, one column a line", run: (context) => context.again({ format: "VERTICAL" }) },
  { names: ["\\watch"], argument: "[SECONDS]", help: "run it again and again, until Ctrl-C", run: watch },
  { names: ["\\i", ".read"], argument: "FILE", help: "run the statements and commands of a file", run: runFile },
  { names: [".open"], argument: "URL", help: "connect to another server", run: open },
  { names: ["\\s", "history", ".history"], help: "list previous statements", run: (context) => context.printHistory() },
  { names: ["clear", "\\clear", ".clear"], help: "clear the screen", run: (context) => context.print("\u001b[H\u001b[2J") },
];

export const commands: readonly ShellCommand[] = [...catalogCommands, ...settingCommands, ...shellCommands];

/** Words that are commands without a backslash or a dot, and only alone. */
const bareWords: ReadonlySet<string> = new Set(["help", "quit", "exit", "history", "clear"]);

export interface CommandLine {
  readonly name: string;
  readonly argument: string;
}

/** Returns undefined if the line is not a command. A trailing `;` is ignored. */
export function commandOf(line: string): CommandLine | undefined {
  const text = line.trim().replace(/\s*;\s*$/, "");
  if (bareWords.has(text.toLowerCase())) {
    return { name: text.toLowerCase(), argument: "" };
  }
  const match = /^(\\\S*|\.[A-Za-z]+)(?:\s+([^]*))?$/.exec(text);
  return match === null ? undefined : { name: match[1] ?? "", argument: (match[2] ?? "").trim() };
}

export async function runCommand({ name, argument }: CommandLine, context: CommandContext): Promise<void> {
  const command = find(name);
  if (command === undefined) {
    const [meant] = nearest(
      name,
      commands.flatMap((known) => known.names),
    );
    await context.print(`Unknown command ${name}${meant === undefined ? "" : `; did you mean ${meant}?`}; type help for the list\n`);
    return;
  }
  try {
    await command.run(context, argument);
  } catch (error) {
    if (!(error instanceof CommandError)) {
      throw error;
    }
    await context.print(`${name}: ${error.message}\n`);
  }
}

/** Case counts for \g and \G only. */
function find(name: string): ShellCommand | undefined {
  const exact = commands.find((command) => command.names.includes(name));
  // psql's + asks for more columns; there are none.
  const folded = name.toLowerCase().replace(/\+$/, "");
  return exact ?? commands.find((command) => command.names.includes(folded));
}

async function watch(context: CommandContext, argument: string): Promise<void> {
  const seconds = argument === "" ? watchSecondsDefault : Number(argument);
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new CommandError(`expected a number of seconds, not ${argument}`);
  }
  await context.again({ watchSeconds: Math.max(seconds, watchSecondsMin) });
}

function runFile(context: CommandContext, path: string): Promise<void> {
  if (path === "") {
    throw new CommandError("expected the name of a file");
  }
  return context.runFile(path);
}

function open(context: CommandContext, target: string): Promise<void> {
  if (target === "") {
    throw new CommandError("expected an address, such as http://localhost:8080/catalog/schema");
  }
  return context.open(target);
}

const editing = `
A statement ends with ; or \\g, with \\G or \\gx for one column a line, or with \\watch.
It can span several lines; Enter runs it when it is complete.

  Tab              complete names          Ctrl-R           search in history
  Up, Down         lines, then history     Right            take the grey suggestion
  Ctrl-C           cancel, clear           Ctrl-X Ctrl-E    edit in $EDITOR
  Alt-Enter        another line            Ctrl-_           undo

`;

function helpText(): string {
  const width = Math.max(...commands.map((command) => usageOf(command).length));
  const lines = commands.map((command) => `  ${usageOf(command).padEnd(width)}  ${command.help}\n`);
  return `${editing}${lines.join("")}\n`;
}

function usageOf({ names, argument }: ShellCommand): string {
  const shown = names.filter((name, index) => index === 0 || name.startsWith(".")).join(", ");
  return argument === undefined ? shown : `${shown} ${argument}`;
}
