/**
 * A coordinator and three workers in processes of their own. While statements run, a worker that the seed draws gets SIGKILL at a moment
 * that the seed draws, and is started again afterwards. Counts what clients see, and the time that it costs them.
 */
import { createHash } from "node:crypto";
import { request } from "undici";
import { type Program, type RunningServer, startProgram, startServer, stopServer } from "../../test/support/programs/server-process.ts";
import { median, quantile, say, table } from "../figures.ts";

export interface KillsOptions {
  readonly tries: number;
  /** TPC-H scale factor of the tables. */
  readonly scale: string;
  readonly seed: number;
  /** retry-policy of the cluster. */
  readonly policy: "NONE" | "QUERY";
  /** Names of the statements; all if empty. */
  readonly statements: readonly string[];
}

export interface Kill {
  readonly statement: string;
  readonly outcome: "exact" | "declared" | "wrong" | "hung";
  /** The statement was running when the worker died. */
  readonly landed: boolean;
  /** Time beyond that of the undisturbed statement. */
  readonly addedMs: number;
  readonly detail: string;
}

const workerNames = ["worker-1", "worker-2", "worker-3"] as const;
const undisturbedRuns = 3;
const hungMs = 120_000;
const restartMs = 60_000;
/** A worker dies within this share of the undisturbed time. */
const momentShare = 0.9;

interface Statement {
  readonly name: string;
  /** The statements of one try, by its number. Rows of all of them count. */
  readonly sql: (run: number) => readonly string[];
  /** Run after each try, without being judged. */
  readonly after?: (run: number) => string;
}

function statementsOf(scale: string): readonly Statement[] {
  const from = (name: string): string => `tpch."sf${scale}".${name}`;
  const [lineitem, orders, customer] = [from("lineitem"), from("orders"), from("customer")];
  const one = (name: string, sql: string): Statement => ({ name, sql: () => [sql] });
  const copied = `SELECT orderkey, custkey, totalprice, orderdate FROM ${orders}`;
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
    {
      name: "create table",
      sql: (run) => [
        `CREATE TABLE memory.default.kills_${run} AS ${copied}`,
        `SELECT count(*), sum(orderkey), sum(CAST(totalprice * 100 AS bigint)) FROM memory.default.kills_${run}`,
      ],
      after: (run) => `DROP TABLE IF EXISTS memory.default.kills_${run}`,
    },
  ];
}

interface Outcome {
  readonly digest: string;
  readonly error: string | undefined;
  readonly ms: number;
}

interface Document {
  readonly nextUri?: string;
  readonly data?: readonly unknown[];
  readonly error?: { readonly errorName: string; readonly message: string };
}

/** Of rows in their order, which does not depend on the nodes. */
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

/** Runs the statements one after the other. Any answer that is not a document of a statement counts as an error. */
async function run(uri: string, statements: readonly string[]): Promise<Outcome> {
  const digest = new Digest();
  const began = performance.now();
  let error: string | undefined;
  for (const sql of statements) {
    let document = await ask("POST", `${uri}/v1/statement`, sql);
    for (;;) {
      for (const row of document.data ?? []) {
        digest.add(row);
      }
      if (document.nextUri === undefined) {
        break;
      }
      document = await ask("GET", document.nextUri);
    }
    error ??= document.error === undefined ? undefined : `${document.error.errorName}: ${document.error.message}`;
    if (error !== undefined) {
      break;
    }
  }
  return { digest: digest.text(), error, ms: performance.now() - began };
}

async function ask(method: "GET" | "POST", url: string, body?: string): Promise<Document> {
  const answer = await request(url, {
    method,
    headers: { "x-engine-user": "bench" },
    headersTimeout: hungMs,
    bodyTimeout: hungMs,
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) {
    throw new Error(`${method} ${url} was answered with ${answer.statusCode}: ${text}`);
  }
  return JSON.parse(text) as Document;
}

/** mulberry32: the same draws for the same seed. */
function drawer(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

class Cluster {
  readonly #workers = new Map<string, Program>();
  readonly #environment: Record<string, string>;

  private constructor(
    readonly server: RunningServer,
    environment: Record<string, string>,
  ) {
    this.#environment = environment;
  }

  static async start(policy: KillsOptions["policy"]): Promise<Cluster> {
    const environment = {
      ORRERY_NODE_SCHEDULER_INCLUDE_COORDINATOR: "false",
      ORRERY_RETRY_POLICY: policy,
      ORRERY_NODE_MEMORY: "768MB",
      ORRERY_QUERY_MAX_MEMORY_PER_NODE: "512MB",
    };
    const server = await startServer(["--workers", "0"], { environment });
    const cluster = new Cluster(server, environment);
    for (const name of workerNames) {
      cluster.startWorker(name);
    }
    await cluster.complete();
    return cluster;
  }

  startWorker(name: string): void {
    const args = ["--coordinator", this.server.uri, "--node-id", name];
    this.#workers.set(name, startProgram("worker", args, { environment: this.#environment }));
  }

  async kill(name: string): Promise<void> {
    const worker = this.#workers.get(name);
    worker?.kill("SIGKILL");
    await worker?.ended;
  }

  /** Resolves when all workers are used. */
  async complete(): Promise<void> {
    const until = performance.now() + restartMs;
    for (;;) {
      const answer = await request(`${this.server.uri}/v1/cluster`);
      const { activeWorkers } = (await answer.body.json()) as { readonly activeWorkers: number };
      if (activeWorkers === workerNames.length) {
        return;
      }
      if (performance.now() > until) {
        throw new Error(`${activeWorkers} of ${workerNames.length} workers are active after ${restartMs} ms`);
      }
      await pause(100);
    }
  }

  async stop(): Promise<void> {
    for (const worker of this.#workers.values()) {
      worker.kill("SIGKILL");
    }
    await stopServer(this.server);
  }
}

interface Expected {
  readonly digest: string;
  readonly ms: number;
}

/** Called with each try. */
export async function killWorkers(options: KillsOptions, onKill: (kill: Kill) => void = () => undefined): Promise<readonly Kill[]> {
  const wanted = statementsOf(options.scale).filter(({ name }) => options.statements.length === 0 || options.statements.includes(name));
  if (wanted.length === 0) {
    throw new Error(`No statement ${options.statements.join(", ")}`);
  }
  const cluster = await Cluster.start(options.policy);
  try {
    const expected = new Map<string, Expected>();
    for (const statement of wanted) {
      expected.set(statement.name, await undisturbed(cluster, statement));
    }
    const draw = drawer(options.seed);
    const kills: Kill[] = [];
    for (let number = 0; number < options.tries; number++) {
      const statement = wanted[number % wanted.length] as Statement;
      const victim = workerNames[Math.floor(draw() * workerNames.length)] as string;
      const kill = await strike(cluster, { statement, victim, number, share: draw(), expected: expected.get(statement.name) as Expected });
      kills.push(kill);
      onKill(kill);
    }
    return kills;
  } finally {
    await cluster.stop();
  }
}

async function undisturbed(cluster: Cluster, statement: Statement): Promise<Expected> {
  const times: number[] = [];
  let digest = "";
  for (let number = 0; number < undisturbedRuns; number++) {
    const outcome = await run(cluster.server.uri, statement.sql(-1 - number).map(withoutSign));
    await tidy(cluster, statement, -1 - number);
    if (outcome.error !== undefined || (digest !== "" && digest !== outcome.digest)) {
      throw new Error(`${statement.name} without kills: ${outcome.error ?? "other rows than before"}`);
    }
    digest = outcome.digest;
    times.push(outcome.ms);
  }
  return { digest, ms: median(times) };
}

/** Names of tables have no signs. */
function withoutSign(sql: string): string {
  return sql.replaceAll("kills_-", "kills_before_");
}

async function tidy(cluster: Cluster, { after }: Statement, number: number): Promise<void> {
  if (after !== undefined) {
    await run(cluster.server.uri, [withoutSign(after(number))]);
  }
}

interface Strike {
  readonly statement: Statement;
  readonly victim: string;
  readonly number: number;
  /** Moment within the undisturbed time, from 0 to 1. */
  readonly share: number;
  readonly expected: Expected;
}

async function strike(cluster: Cluster, { statement, victim, number, share, expected }: Strike): Promise<Kill> {
  let isOver = false;
  const running = run(cluster.server.uri, statement.sql(number)).then(
    (outcome) => outcome,
    (error: unknown): Outcome => ({ digest: "", error: `no statement: ${String(error)}`, ms: 0 }),
  );
  void running.then(() => {
    isOver = true;
  });
  await pause(share * momentShare * expected.ms);
  const landed = !isOver;
  await cluster.kill(victim);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hung = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), hungMs);
  });
  const outcome = await Promise.race([running, hung]);
  clearTimeout(timer);
  cluster.startWorker(victim);
  await cluster.complete();
  await tidy(cluster, statement, number);
  const shared = { statement: statement.name, landed, addedMs: (outcome?.ms ?? hungMs) - expected.ms };
  if (outcome === undefined) {
    return { ...shared, outcome: "hung", detail: `${statement.name} has no end after ${hungMs} ms` };
  }
  if (outcome.error !== undefined) {
    return { ...shared, outcome: outcome.error.startsWith("no statement") ? "wrong" : "declared", detail: outcome.error };
  }
  const isExact = outcome.digest === expected.digest;
  return { ...shared, outcome: isExact ? "exact" : "wrong", detail: isExact ? "" : `${statement.name} has other rows` };
}

export async function measureKills(options: KillsOptions): Promise<void> {
  say(
    `SIGKILL of one of three workers while a statement runs, scale ${options.scale}, retry-policy ${options.policy}, seed ${options.seed}`,
  );
  const kills = await killWorkers(options, ({ detail, statement }) => {
    if (detail !== "") {
      say(`${statement}: ${detail}`);
    }
  });
  const count = (of: readonly Kill[], outcome: Kill["outcome"]): string => String(of.filter((kill) => kill.outcome === outcome).length);
  const ms = (of: readonly Kill[], q: number): string => {
    const added = of.filter(({ landed, outcome }) => landed && outcome === "exact").map(({ addedMs }) => addedMs);
    return added.length === 0 ? "-" : quantile(added, q).toFixed(0);
  };
  const line = (name: string, of: readonly Kill[]): readonly string[] => [
    name,
    String(of.length),
    String(of.filter(({ landed }) => landed).length),
    count(of, "exact"),
    count(of, "declared"),
    count(of, "wrong"),
    count(of, "hung"),
    ms(of, 0.5),
    ms(of, 0.99),
  ];
  const names = [...new Set(kills.map(({ statement }) => statement))];
  say(
    table([
      ["statement", "tried", "landed", "exact", "declared", "wrong", "hung", "added ms p50", "p99"],
      ...names.map((name) =>
        line(
          name,
          kills.filter(({ statement }) => statement === name),
        ),
      ),
      line("all", kills),
    ]),
  );
}
