/**
 * Statements of all shapes for a cluster whose processes die, and the client that runs them. Rows count in their order.
 */
import { createHash, randomUUID } from "node:crypto";
import { request } from "undici";

export interface Statement {
  readonly name: string;
  /** Run before each try, undisturbed. */
  readonly before?: (run: string) => readonly string[];
  /** The statements of one try. Rows of all of them count. */
  readonly sql: (run: string) => readonly string[];
  /** Run after each try, without being judged. */
  readonly after?: (run: string) => readonly string[];
}

export function statementsOf(scale: string): readonly Statement[] {
  const from = (name: string): string => `tpch."sf${scale}".${name}`;
  const [lineitem, orders, customer] = [from("lineitem"), from("orders"), from("customer")];
  const one = (name: string, sql: string): Statement => ({ name, sql: () => [sql] });
  const copied = `SELECT orderkey, custkey, totalprice, orderdate FROM ${orders}`;
  const table = (run: string): string => `memory.default.kills_${run}`;
  const dropped = (run: string): readonly string[] => [`DROP TABLE IF EXISTS ${table(run)}`];
  const sums = (run: string): string =>
    `SELECT count(*), sum(orderkey), sum(CAST(totalprice * 100 AS bigint)), max(orderdate) FROM ${table(run)}`;
  return [
    one(
      "aggregation",
      `SELECT returnflag, linestatus, sum(quantity), sum(CAST(extendedprice * 100 AS bigint)), count(*) FROM ${lineitem} GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
    one("groups", `SELECT orderkey, count(*), sum(quantity) FROM ${lineitem} GROUP BY orderkey HAVING count(*) > 6`),
    one(
      "join",
      `SELECT c.mktsegment, o.orderpriority, count(*), sum(l.quantity) FROM ${customer} c JOIN ${orders} o ON c.custkey = o.custkey JOIN ${lineitem} l ON l.orderkey = o.orderkey GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
    one("sort", `SELECT orderkey, totalprice, clerk FROM ${orders} ORDER BY totalprice DESC, orderkey`),
    one(
      "window",
      `SELECT custkey, orderkey, r, s FROM (SELECT custkey, orderkey, rank() OVER (PARTITION BY custkey ORDER BY totalprice DESC) r, sum(orderkey) OVER (PARTITION BY custkey ORDER BY orderdate, orderkey) s FROM ${orders}) x WHERE r <= 2`,
    ),
    one("stream", `SELECT orderkey, linenumber, shipmode, extendedprice, comment FROM ${lineitem}`),
    { name: "create table", sql: (run) => [`CREATE TABLE ${table(run)} AS ${copied}`, sums(run)], after: dropped },
    {
      name: "insert",
      before: (run) => [`CREATE TABLE ${table(run)} AS ${copied} WHERE orderkey % 7 = 0`],
      sql: (run) => [`INSERT INTO ${table(run)} ${copied}`, sums(run)],
      after: dropped,
    },
    {
      name: "memory table",
      before: (run) => [`CREATE TABLE ${table(run)} AS ${copied}`],
      sql: (run) => [`SELECT orderkey, custkey, totalprice FROM ${table(run)} ORDER BY custkey, orderkey`, sums(run)],
      after: dropped,
    },
  ];
}

export interface Outcome {
  readonly digest: string;
  readonly error: string | undefined;
  readonly ms: number;
}

/** Deadline of one request: far longer than any undisturbed one. */
export const requestMs = 120_000;
/** How long a client waits for a coordinator that refuses connections, and the pause between its attempts. */
const patienceMs = 60_000;
const againMs = 100;
const userHeader = { "x-engine-user": "bench" };

interface Document {
  readonly nextUri?: string;
  readonly data?: readonly unknown[];
  readonly error?: { readonly errorName: string; readonly message: string };
}

class Digest {
  readonly #all = createHash("sha256");
  #count = 0;

  add(row: unknown): void {
    this.#count++;
    this.#all.update(JSON.stringify(row));
  }

  text(): string {
    return `${this.#count} ${this.#all.digest("hex")}`;
  }
}

let submitted = 0;

/** The address of a new query. The submission is a PUT, which can be sent again: it never runs twice. */
function submission(uri: string): string {
  submitted++;
  return `${uri}/v1/statement/kills_${process.pid}_${submitted}?slug=${randomUUID()}`;
}

/**
 * Runs the statements one after the other, up to the first error. Requests whose connection is refused or broken are sent again, as the
 * project's client does. Rejects for an answer that is no document of a statement.
 */
export async function run(uri: string, statements: readonly string[]): Promise<Outcome> {
  const digest = new Digest();
  const began = performance.now();
  for (const sql of statements) {
    let document = await ask("PUT", submission(uri), sql);
    for (;;) {
      for (const row of document.data ?? []) {
        digest.add(row);
      }
      if (document.nextUri === undefined) {
        break;
      }
      document = await ask("GET", document.nextUri);
    }
    if (document.error !== undefined) {
      const { errorName, message } = document.error;
      return { digest: digest.text(), error: `${errorName}: ${message}`, ms: performance.now() - began };
    }
  }
  return { digest: digest.text(), error: undefined, ms: performance.now() - began };
}

async function ask(method: "GET" | "PUT", url: string, body?: string): Promise<Document> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      const answer = await request(url, {
        method,
        headers: userHeader,
        headersTimeout: requestMs,
        bodyTimeout: requestMs,
        ...(body === undefined ? {} : { body }),
      });
      const text = await answer.body.text();
      if (answer.statusCode === 200) {
        return JSON.parse(text) as Document;
      }
      if (answer.statusCode !== 503 || performance.now() > until) {
        throw new Unanswered(`${method} ${url} was answered with ${answer.statusCode}: ${text}`);
      }
    } catch (error) {
      if (error instanceof Unanswered || performance.now() > until) {
        throw error;
      }
    }
    await pause(againMs);
  }
}

class Unanswered extends Error {}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
