/**
 * Commands that change how results are shown and where they go.
 */
import { type OutputFormat, outputFormats } from "../formats/formats.ts";
import { type CommandContext, CommandError, type ShellCommand } from "./command.ts";

/** Names of DuckDB's and psql's formats. */
const otherNames: Readonly<Record<string, OutputFormat>> = {
  ascii: "ALIGNED",
  box: "ALIGNED",
  column: "ALIGNED",
  csv: "CSV_HEADER",
  duckbox: "AUTO",
  json: "JSON",
  jsonlines: "JSON",
  line: "VERTICAL",
  list: "CSV_UNQUOTED",
  null: "NULL",
  table: "ALIGNED",
  tabs: "TSV_HEADER",
  trash: "NULL",
  tsv: "TSV_HEADER",
};

export const settingCommands: readonly ShellCommand[] = [
  {
    names: [".mode"],
    argument: "[FORMAT]",
    help: "set the output format: auto, aligned, vertical, csv, json, markdown, ...",
    run: setMode,
  },
  { names: ["\\x"], argument: "[on|off|auto]", help: "show rows as one column a line", run: setExpanded },
  { names: ["\\timing", ".timer"], argument: "[on|off]", help: "show the time of each statement", run: setTiming },
  { names: ["\\pset"], argument: "OPTION VALUE", help: "set pager on|off, format FORMAT, null TEXT", run: setOption },
  { names: [".nullvalue"], argument: "TEXT", help: "show NULL as TEXT", run: setNullText },
  {
    names: ["\\o", ".output"],
    argument: "[FILE]",
    help: "send rows to a file; without a name, to the terminal",
    run: (context, path) => context.sendTo(path === "" || path === "stdout" ? undefined : path),
  },
];

async function setMode(context: CommandContext, name: string): Promise<void> {
  if (name === "") {
    return context.print(`Output format is ${context.settings.format}\n`);
  }
  const upper = name.toUpperCase();
  const format = otherNames[name.toLowerCase()] ?? outputFormats.find((known) => known === upper);
  if (format === undefined) {
    throw new CommandError(`unknown format ${name}; one of ${outputFormats.map((known) => known.toLowerCase()).join(", ")}`);
  }
  context.settings.format = format;
  context.settings.expanded = "off";
}

async function setExpanded(context: CommandContext, value: string): Promise<void> {
  const { settings } = context;
  settings.expanded = value.toLowerCase() === "auto" ? "auto" : switched(value, settings.expanded === "on") ? "on" : "off";
  const words = { on: "on", off: "off", auto: "used automatically" };
  await context.print(`Expanded display is ${words[settings.expanded]}\n`);
}

async function setTiming(context: CommandContext, value: string): Promise<void> {
  context.settings.timing = switched(value, context.settings.timing);
  await context.print(`Timing is ${context.settings.timing ? "on" : "off"}\n`);
}

async function setOption(context: CommandContext, argument: string): Promise<void> {
  const [option = "", value = ""] = /^(\S*)\s*(.*)$/s.exec(argument)?.slice(1) ?? [];
  switch (option.toLowerCase()) {
    case "pager":
      context.settings.pager = switched(value, context.settings.pager);
      return context.print(`Pager is ${context.settings.pager ? "used for long output" : "off"}\n`);
    case "format":
      return setMode(context, value);
    case "expanded":
    case "x":
      return setExpanded(context, value);
    case "null":
      return setNullText(context, value);
    default:
      throw new CommandError(`unknown option ${option}; one of pager, format, expanded, null`);
  }
}

function setNullText(context: CommandContext, value: string): Promise<void> {
  context.settings.nullText = /^'(.*)'$/s.exec(value)?.[1] ?? value;
  return Promise.resolve();
}

/** Without a value, the other one. */
function switched(value: string, before: boolean): boolean {
  switch (value.toLowerCase()) {
    case "":
      return !before;
    case "on":
    case "true":
    case "1":
      return true;
    case "off":
    case "false":
    case "0":
      return false;
    default:
      throw new CommandError(`expected on or off, not ${value}`);
  }
}
