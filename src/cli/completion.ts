/**
 * Tab completion: keywords, and the tables of the current schema, fetched once per schema.
 */
import { ClientError } from "../client/requester.ts";
import type { StatementClient } from "../client/statement-client.ts";

const keywords: readonly string[] = (
  "ALL AND ANALYZE AS ASC BETWEEN BY CASE CAST CATALOGS COLUMNS CREATE CROSS DELETE DESC DESCRIBE DISTINCT DROP ELSE END EXCEPT EXISTS EXPLAIN FALSE " +
  "FROM FULL FUNCTIONS GROUP HAVING IN INNER INSERT INTERSECT INTO IS JOIN LEFT LIKE LIMIT NOT NULL OFFSET ON OR ORDER OUTER RESET RIGHT SCHEMAS " +
  "SELECT SESSION SET SHOW TABLE TABLES THEN TRUE UNION USE USING VALUES WHEN WHERE WITH"
).split(" ");
const shellWords: readonly string[] = ["clear", "exit", "help", "history", "quit"];

export class Completion {
  readonly #client: StatementClient;
  readonly #tables = new Map<string, readonly string[]>();

  constructor(client: StatementClient) {
    this.#client = client;
  }

  /** The candidates for the last word of `line`, and that word. */
  async complete(line: string): Promise<readonly [readonly string[], string]> {
    const word = /[\w$]*$/.exec(line)?.[0] ?? "";
    if (word === "") {
      return [[], word];
    }
    const lower = word.toLowerCase();
    const afterDot = line.slice(0, line.length - word.length).endsWith(".");
    const spell = word === lower ? (keyword: string) => keyword.toLowerCase() : (keyword: string) => keyword;
    const words = [...(afterDot ? [] : keywords.map(spell)), ...(line === word ? shellWords : []), ...(await this.#tableNames())];
    return [[...new Set(words)].filter((candidate) => candidate.toLowerCase().startsWith(lower)), word];
  }

  async #tableNames(): Promise<readonly string[]> {
    const { catalog, schema } = this.#client.session;
    if (catalog === undefined || schema === undefined) {
      return [];
    }
    const key = `${catalog}.${schema}`;
    const known = this.#tables.get(key);
    if (known !== undefined) {
      return known;
    }
    const names = await this.#ask();
    if (names.length > 0) {
      this.#tables.set(key, names);
    }
    return names;
  }

  async #ask(): Promise<readonly string[]> {
    try {
      const rows = await this.#client.submit("SHOW TABLES").collect();
      return rows.map(([name]) => String(name));
    } catch (error) {
      if (error instanceof ClientError) {
        return [];
      }
      throw error;
    }
  }
}
