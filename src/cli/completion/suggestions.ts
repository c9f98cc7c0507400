/**
 * `Did you mean`: names near to the one that an error says does not exist. The server's messages are Presto's to the letter, so the client
 * asks for the names that could have been meant.
 */
import type { ClientSession } from "../../client/session.ts";
import type { StatementError } from "../../protocol/documents/statement.ts";
import { keywords } from "../sql/keywords.ts";
import { wordsOf } from "../sql/words.ts";
import type { Metadata, NamedItem } from "./metadata.ts";
import { nearest } from "./nearest.ts";
import { columnsOf } from "./resolve.ts";
import { StatementScope } from "./scope.ts";

export class Suggestions {
  readonly #metadata: Metadata;
  readonly #session: () => ClientSession;

  constructor(metadata: Metadata, session: () => ClientSession) {
    this.#metadata = metadata;
    this.#session = session;
  }

  /** `name` or `one, other or third`; undefined if nothing is near. */
  async suggest(sql: string, error: StatementError): Promise<string | undefined> {
    const found = await this.#namesNear(sql, error);
    return found.length === 0 ? undefined : listed(found);
  }

  async #namesNear(sql: string, error: StatementError): Promise<readonly string[]> {
    const { message } = error;
    const quoted = /'([^']+)'/.exec(message)?.[1] ?? "";
    switch (error.errorName) {
      case "COLUMN_NOT_FOUND":
        return nearest(lastPart(quoted), namesOf(await this.#columnsAt(sql, error)));
      case "TABLE_NOT_FOUND":
        return await this.#tablesNear(quoted);
      case "SCHEMA_NOT_FOUND":
        return await this.#schemasNear(quoted);
      case "CATALOG_NOT_FOUND":
      case "MISSING_CATALOG_NAME":
        return nearest(quoted, namesOf(await this.#metadata.catalogs()));
      case "FUNCTION_NOT_FOUND":
        return nearest(quoted, namesOf(await this.#metadata.functions()));
      case "INVALID_SESSION_PROPERTY":
        return nearest(quoted, namesOf(await this.#metadata.properties()));
      case "SYNTAX_ERROR":
        return this.#keywordsNear(quoted, message);
      default:
        return [];
    }
  }

  async #columnsAt(sql: string, { errorLocation }: StatementError): Promise<readonly NamedItem[]> {
    const words = wordsOf(sql);
    const offset = errorLocation === undefined ? 0 : offsetOf(sql, errorLocation);
    const index = words.findIndex(({ to }) => to > offset);
    return await columnsOf(new StatementScope(words).relationsAt(Math.max(0, index)), this.#metadata, this.#session());
  }

  /** The message names the table in full; the suggestion has the schema only if it is not the one in use. */
  async #tablesNear(name: string): Promise<readonly string[]> {
    const [catalog = "", schema = "", ...rest] = name.split(".");
    const tables = await this.#metadata.tables(catalog, schema);
    const { catalog: usedCatalog, schema: usedSchema } = this.#session();
    const isUsed = catalog === usedCatalog && schema === usedSchema;
    return nearest(rest.join("."), namesOf(tables)).map((table) => (isUsed ? table : `${catalog}.${schema}.${table}`));
  }

  async #schemasNear(name: string): Promise<readonly string[]> {
    const dot = name.indexOf(".");
    const catalog = dot === -1 ? this.#session().catalog : name.slice(0, dot);
    const schemas = catalog === undefined ? [] : await this.#metadata.schemas(catalog);
    return nearest(name.slice(dot + 1), namesOf(schemas));
  }

  /** Only words that the grammar expects at this place, if the message lists them. */
  #keywordsNear(word: string, message: string): readonly string[] {
    const expected = message.split("Expecting:")[1];
    const listed = [...(expected ?? "").matchAll(/'([A-Z_]+)'/g)].map(([, keyword = ""]) => keyword);
    // Messages write the query itself as <query>.
    const begins = expected?.includes("<query>") === true ? ["SELECT", "WITH", "VALUES", "TABLE"] : [];
    const candidates = expected === undefined ? keywords : [...listed, ...begins];
    return /^[a-z_]{3,}$/i.test(word) ? nearest(word, candidates) : [];
  }
}

function namesOf(items: readonly NamedItem[]): readonly string[] {
  return items.map(({ name }) => name);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function offsetOf(text: string, { lineNumber, columnNumber }: { readonly lineNumber: number; readonly columnNumber: number }): number {
  const lines = text.split("\n").slice(0, lineNumber - 1);
  return lines.reduce((sum, line) => sum + line.length + 1, 0) + columnNumber - 1;
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}`;
}
