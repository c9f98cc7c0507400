/**
 * Tab completion: keywords, names that the server knows, and commands of the shell, by what the place of the cursor asks for.
 */
import type { ClientSession } from "../../client/session.ts";
import { commands } from "../commands/commands.ts";
import type { Candidate } from "../editor/menu.ts";
import type { Completions } from "../editor/reader.ts";
import { isKeyword, keywords } from "../sql/keywords.ts";
import { quotedName } from "../sql/words.ts";
import { contextAt, type CursorContext } from "./context.ts";
import type { Metadata, NamedItem } from "./metadata.ts";
import { columnsOf, tableOf } from "./resolve.ts";
import { StatementScope } from "./scope.ts";

const candidatesMax = 1000;

/** Words that begin a statement. */
const statementWords: readonly string[] = (
  "ALTER ANALYZE CALL COMMENT COMMIT CREATE DEALLOCATE DELETE DESCRIBE DROP EXECUTE EXPLAIN GRANT INSERT MERGE PREPARE REFRESH RESET " +
  "REVOKE ROLLBACK SELECT SET SHOW START TABLE TRUNCATE UPDATE USE VALUES WITH"
).split(" ");
/** Words that stand nowhere else. */
const onlyFirst: ReadonlySet<string> = new Set("CALL COMMIT DEALLOCATE GRANT REFRESH REVOKE ROLLBACK START TRUNCATE".split(" "));
const laterWords: readonly string[] = keywords.filter((word) => !onlyFirst.has(word));
const bareCommands: readonly string[] = ["clear", "exit", "help", "history", "quit"];

/** What the argument of a command is. */
const commandArguments: Readonly<Record<string, "relation" | "schema" | "catalog">> = {
  "\\d": "relation",
  ".schema": "relation",
  ".columns": "relation",
  "\\dt": "schema",
  "\\c": "schema",
  ".use": "schema",
  "\\dn": "catalog",
};

export class Completion {
  readonly #metadata: Metadata;
  readonly #session: () => ClientSession;

  constructor(metadata: Metadata, session: () => ClientSession) {
    this.#metadata = metadata;
    this.#session = session;
  }

  /** Candidates for the word before the cursor. */
  async complete(text: string, cursor: number): Promise<Completions> {
    const command = /^\s*(\\\S*|\.[A-Za-z]*)(\s+)?/.exec(text.slice(0, cursor));
    if (command !== null) {
      return await this.#completeCommand(text, cursor, command);
    }
    const context = contextAt(text, cursor);
    return { from: context.from, candidates: await this.#candidates(context) };
  }

  async #completeCommand(text: string, cursor: number, [all, name = "", blank]: RegExpExecArray): Promise<Completions> {
    if (blank === undefined) {
      const names = commands.flatMap((known) => known.names.map((text) => ({ text, detail: known.help })));
      return { from: cursor - name.length, candidates: names.filter((known) => known.text.startsWith(name)).toSorted(byText) };
    }
    const expected = commandArguments[name];
    // The argument is a name as it would be in a statement.
    const context = { ...contextAt(text.slice(all.length), cursor - all.length) };
    const candidates = expected === undefined ? [] : await this.#candidates({ ...context, expected });
    return { from: context.from + all.length, candidates };
  }

  async #candidates(context: CursorContext): Promise<readonly Candidate[]> {
    const { expected, prefix } = context;
    switch (expected) {
      case "nothing":
        return [];
      case "statement":
        return [...words(statementWords, context), ...words(bareCommands, context, "command")];
      case "keyword":
        return prefix === "" ? [] : words(laterWords, context);
      case "property":
        return names(await this.#metadata.properties(), context);
      case "catalog":
        return names(await this.#metadata.catalogs(), context);
      case "schema":
        return names(await this.#schemas(context), context);
      case "relation":
        return names(await this.#relations(context), context);
      case "expression":
        return await this.#expressions(context);
    }
  }

  /** Schemas of the catalog in use and catalogs; schemas of a catalog behind its name. */
  async #schemas({ qualifiers }: CursorContext): Promise<readonly NamedItem[]> {
    const { catalog } = this.#session();
    const [first] = qualifiers;
    if (first !== undefined) {
      return qualifiers.length === 1 ? await this.#metadata.schemas(first) : [];
    }
    const [schemas, catalogs] = await Promise.all([
      catalog === undefined ? [] : this.#metadata.schemas(catalog),
      this.#metadata.catalogs(),
    ]);
    return [...schemas, ...catalogs];
  }

  async #relations(context: CursorContext): Promise<readonly NamedItem[]> {
    const { catalog, schema } = this.#session();
    const [first, second] = context.qualifiers;
    if (first !== undefined && second !== undefined) {
      return await this.#metadata.tables(first, second);
    }
    if (first !== undefined) {
      // Behind one name: tables of a schema of the catalog in use, or schemas of a catalog.
      const [tables, schemas] = await Promise.all([
        catalog === undefined ? [] : this.#metadata.tables(catalog, first),
        this.#metadata.schemas(first),
      ]);
      return [...tables, ...schemas];
    }
    const expressions = new StatementScope(context.words).expressionNamesAt(context.index);
    const tables = catalog === undefined || schema === undefined ? [] : this.#metadata.tables(catalog, schema);
    const all = await Promise.all([tables, this.#schemas(context)]);
    return [...expressions.map((name) => ({ name, detail: "with" })), ...all.flat()];
  }

  async #expressions(context: CursorContext): Promise<readonly Candidate[]> {
    const { qualifiers, prefix } = context;
    const relations = new StatementScope(context.words).relationsAt(context.index);
    const inScope = qualifiers.length === 0 ? relations : relations.filter((relation) => isNamed(relation, qualifiers));
    const session = this.#session();
    const columns = names(await columnsOf(inScope, this.#metadata, session), context);
    if (qualifiers.length > 0) {
      return columns.length > 0 ? columns : await this.#qualified(context);
    }
    const aliases = relations.flatMap((relation) => {
      const name = relation.alias ?? relation.name.at(-1);
      return name === undefined ? [] : [{ name, detail: "table" }];
    });
    if (prefix === "") {
      return [...columns, ...(relations.length > 1 ? names(aliases, context) : [])];
    }
    const functions = context.isQuoted ? [] : await this.#metadata.functions();
    const calls = names(functions, context).map(({ text, detail }) => ({ text: `${text}(`, ...(detail === undefined ? {} : { detail }) }));
    return distinct([...columns, ...names(aliases, context), ...calls, ...words(laterWords, context)]);
  }

  /** A name before a dot that is no relation of the statement: the user writes the FROM clause later. */
  async #qualified(context: CursorContext): Promise<readonly Candidate[]> {
    const table = tableOf(context.qualifiers, this.#session());
    return table === undefined ? [] : names(await this.#metadata.columns(table), context);
  }
}

function isNamed(relation: { readonly name: readonly string[]; readonly alias?: string }, qualifiers: readonly string[]): boolean {
  if (relation.alias !== undefined) {
    return qualifiers.length === 1 && relation.alias === qualifiers[0];
  }
  const tail = relation.name.slice(-qualifiers.length);
  return tail.length === qualifiers.length && tail.every((part, index) => part === qualifiers[index]);
}

/** Names that begin with the prefix, in quotes where they have to be. */
function names(items: readonly NamedItem[], { prefix, isQuoted }: CursorContext): readonly Candidate[] {
  const folded = prefix.toLowerCase();
  const matching = items.filter(({ name }) => name.toLowerCase().startsWith(folded)).slice(0, candidatesMax);
  return matching.map(({ name, detail }) => ({
    text: isQuoted ? `"${name.replaceAll('"', '""')}"` : quotedName(name, isReservedName),
    detail,
  }));
}

/** A name that is also a rare keyword needs no quotes. */
function isReservedName(name: string): boolean {
  return (
    isKeyword(name) && !/^(add|catalog|column|comment|data|first|last|range|schema|session|sets|start|stats|tables|view|views)$/.test(name)
  );
}

/** In the case that the user types. */
function words(list: readonly string[], { prefix, isQuoted }: CursorContext, detail?: string): readonly Candidate[] {
  const upper = prefix.toUpperCase();
  const isSmall = prefix !== "" && prefix === prefix.toLowerCase();
  const matching = isQuoted ? [] : list.filter((word) => word.toUpperCase().startsWith(upper));
  return matching.map((word) => ({ text: isSmall ? word.toLowerCase() : word, ...(detail === undefined ? {} : { detail }) }));
}

function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...new Map(candidates.toReversed().map((candidate) => [candidate.text, candidate])).values()].toReversed();
}

function byText(one: Candidate, other: Candidate): number {
  return one.text < other.text ? -1 : one.text > other.text ? 1 : 0;
}
