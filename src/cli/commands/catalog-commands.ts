/**
 * Commands that list and describe catalogs, schemas, tables and functions. Each runs a statement that the user could have typed.
 */
import { isKeyword } from "../sql/keywords.ts";
import { quotedName } from "../sql/words.ts";
import { type CommandContext, CommandError, type ShellCommand } from "./command.ts";

/** Tables whose definitions `.schema` shows at most. */
const definitionsMax = 100;

export const catalogCommands: readonly ShellCommand[] = [
  { names: ["\\l"], help: "list catalogs", run: (context) => done(context.query("SHOW CATALOGS")) },
  {
    names: ["\\dn"],
    argument: "[CATALOG]",
    help: "list schemas",
    run: (context, catalog) => done(context.query(catalog === "" ? "SHOW SCHEMAS" : `SHOW SCHEMAS FROM ${catalog}`)),
  },
  {
    names: ["\\dt"],
    argument: "[SCHEMA]",
    help: "list tables",
    run: (context, schema) => done(context.query(schema === "" ? "SHOW TABLES" : `SHOW TABLES FROM ${schema}`)),
  },
  {
    names: ["\\d", ".columns"],
    argument: "[TABLE]",
    help: "describe a table; without a name, list tables",
    run: (context, table) => done(context.query(table === "" ? "SHOW TABLES" : `DESCRIBE ${table}`)),
  },
  {
    names: ["\\df"],
    argument: "[PATTERN]",
    help: "list functions; % and _ are wildcards",
    run: (context, pattern) => done(context.query(pattern === "" ? "SHOW FUNCTIONS" : `SHOW FUNCTIONS LIKE ${literal(pattern)}`)),
  },
  {
    names: [".tables"],
    argument: "[PATTERN]",
    help: "list tables, like \\dt; % and _ are wildcards",
    run: (context, pattern) => done(context.query(pattern === "" ? "SHOW TABLES" : `SHOW TABLES LIKE ${literal(pattern)}`)),
  },
  { names: [".schema"], argument: "[TABLE]", help: "show the statements that create a table, or all tables", run: showDefinitions },
  { names: ["\\c", ".use"], argument: "[CATALOG.SCHEMA]", help: "use a schema; without a name, show the connection", run: useSchema },
];

async function done(outcome: Promise<unknown>): Promise<void> {
  await outcome;
}

function literal(text: string): string {
  const bare = /^'(.*)'$/.exec(text)?.[1] ?? text;
  return `'${bare.replaceAll("'", "''")}'`;
}

async function showDefinitions(context: CommandContext, table: string): Promise<void> {
  const names = table === "" ? await context.rows("SHOW TABLES") : [[table]];
  for (const [name] of (names ?? []).slice(0, definitionsMax)) {
    const text = table === "" ? quotedName(String(name), isKeyword) : table;
    const rows = await context.rows(`SHOW CREATE TABLE ${text}`);
    for (const [definition] of rows ?? []) {
      await context.print(`${String(definition)};\n`);
    }
  }
  if ((names?.length ?? 0) > definitionsMax) {
    await context.print(`-- ${(names?.length ?? 0) - definitionsMax} more tables\n`);
  }
}

/** `\c schema`, `\c catalog.schema`; a name such as sf0.1 is put in quotes. */
async function useSchema(context: CommandContext, argument: string): Promise<void> {
  if (argument === "" || argument === "-") {
    return context.describeConnection();
  }
  const [, catalog, schema] = /^(?:([A-Za-z_]\w*)\.)?([A-Za-z_][^"\s]*)$/.exec(argument) ?? [];
  if (schema === undefined && !/^("[^"]*"|\w+)(\.("[^"]*"|\w+))?$/.test(argument)) {
    throw new CommandError("expected \\c [CATALOG.]SCHEMA");
  }
  const name = (text: string): string => quotedName(text.toLowerCase(), isKeyword);
  await context.query(`USE ${schema === undefined ? argument : catalog === undefined ? name(schema) : `${name(catalog)}.${name(schema)}`}`);
}
