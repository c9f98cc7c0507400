/**
 * The 22 TPC-H queries on a server with little memory, which has to spill: are the rows those of DuckDB, and how much memory does the
 * process take beside the memory that it accounts for?
 */
import { parseDataSize } from "../../src/protocol/units.ts";
import { shareOfMachine } from "../../src/server/configuration.ts";
import { differenceInOrder } from "../../test/oracle/compare.ts";
import { openDuckDb, type Oracle } from "../../test/support/oracle/duckdb.ts";
import { type RunningServer, startServer, stopServer } from "../../test/support/programs/server-process.ts";
import { say } from "../figures.ts";
import { tpchQueries } from "../queries.ts";
import { type Answer, BenchClient, StatementError } from "../statement.ts";
import type { ParquetCompression } from "../table-store.ts";
import { makeMemoryGroup, type MemoryGroup } from "./memory-group.ts";
import { peakResidentBytes, resetPeak } from "./resident.ts";
import { viewsOfFiles, writeTableFiles } from "./table-files.ts";

export interface NodeMemoryOptions {
  readonly scale: string;
  /** As in 2GB: of the whole process, which has a coordinator and its workers. */
  readonly nodeMemory: string;
  readonly threads: number;
  /** Names such as q06. */
  readonly queries: readonly string[];
  readonly compression: ParquetCompression;
  /** The files are kept here. */
  readonly folder: string;
}

/** DuckDB runs beside the server. */
const duckdbMemory = "6GB";
/** A query that takes longer counts as hung. */
const queryMsMax = 1_800_000;
const residentEveryMs = 200;

export async function measureNodeMemory(options: NodeMemoryOptions): Promise<void> {
  const { scale, nodeMemory, folder, compression, queries } = options;
  const limitBytes = parseDataSize(nodeMemory);
  if (limitBytes === undefined) {
    throw new Error(`${nodeMemory} is no data size such as 600MB or 2GB`);
  }
  const group = makeMemoryGroup(limitBytes);
  say(`\nTPC-H scale ${scale} from Parquet files (${compression}) on a node of ${nodeMemory}`);
  say(
    group === undefined
      ? "no control group: the server is told its size, and a peak above it is marked as over"
      : "a control group holds the server and all that it starts",
  );
  const duckdb = await openDuckDb({ threads: options.threads });
  const node = new SmallNode(options, limitBytes, group);
  try {
    await duckdb.run(`SET memory_limit = '${duckdbMemory}'`);
    await writeTableFiles({ folder, scale, compression });
    for (const sql of viewsOfFiles(folder)) {
      await duckdb.run(sql);
    }
    say(headings.map((heading, column) => heading.padStart(widths[column] as number)).join("  "));
    const ends: string[] = [];
    for (const name of queries) {
      const cells = await node.measure(name, duckdb);
      say([name, ...cells].map((cell, column) => cell.padStart(widths[column] as number)).join("  "));
      ends.push(cells[0] as string);
    }
    say([...new Set(ends)].map((end) => `${end} ${ends.filter((one) => one === end).length}`).join(", "));
  } finally {
    await node.stop();
    duckdb.close();
    group?.remove();
  }
}

const headings = ["query", "rows", "s", "peak resident MB", "peak accounted MB", "spilled MB", ""];
const widths = [5, 9, 7, 16, 17, 10, 0];

type Outcome =
  | { readonly end: "answer"; readonly answer: Answer }
  | { readonly end: "declared" | "hung" | "killed"; readonly message: string };

interface Details {
  readonly queryStats: { readonly peakMemoryReservation: string; readonly spilledDataSize?: string };
}

class SmallNode {
  readonly #options: NodeMemoryOptions;
  readonly #limitBytes: number;
  readonly #group: MemoryGroup | undefined;
  #server: RunningServer | undefined;
  #client: BenchClient | undefined;
  /** Of the group so far. */
  #kills = 0;

  constructor(options: NodeMemoryOptions, limitBytes: number, group: MemoryGroup | undefined) {
    this.#options = options;
    this.#limitBytes = limitBytes;
    this.#group = group;
  }

  /** A server that was killed, or whose query hangs, is started again for the next query. */
  async measure(name: string, duckdb: Oracle): Promise<readonly string[]> {
    const sql = tpchQueries().get(name) as string;
    const expected = await duckdb.rows(sql);
    const { server, client } = await this.#open();
    const resident = new ResidentPeak(server.process.pid as number);
    const started = performance.now();
    const outcome = await this.#outcome(client, sql);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const residentBytes = resident.end();
    const residentText = `${megabytes(residentBytes)}${this.#group === undefined && residentBytes > this.#limitBytes ? " (over)" : ""}`;
    if (outcome.end !== "answer") {
      return [outcome.end, seconds, residentText, "", "", outcome.message];
    }
    const { queryStats } = (await client.details(outcome.answer.id)) as Details;
    const found = differenceInOrder(sql, outcome.answer.rows, expected, outcome.answer);
    const [accounted = "", spilled = ""] = [queryStats.peakMemoryReservation, queryStats.spilledDataSize ?? "0B"].map((size) =>
      megabytes(parseDataSize(size) ?? 0),
    );
    return [found === undefined ? "exact" : "wrong", seconds, residentText, accounted, spilled, found ?? ""];
  }

  async stop(): Promise<void> {
    await this.#client?.close();
    if (this.#server !== undefined) {
      await stopServer(this.#server);
    }
  }

  async #open(): Promise<{ readonly server: RunningServer; readonly client: BenchClient }> {
    const { threads, folder } = this.#options;
    const told =
      this.#group === undefined
        ? { environment: { ORRERY_NODE_MEMORY: `${shareOfMachine(this.#limitBytes, threads + 1)}B` } }
        : { joinedFile: this.#group.processesFile };
    this.#server ??= await startServer(["--workers", String(threads), "--data", folder], told);
    this.#client ??= new BenchClient(this.#server.uri, { catalog: "files", schema: "default" });
    return { server: this.#server, client: this.#client };
  }

  async #outcome(client: BenchClient, sql: string): Promise<Outcome> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Outcome>((resolve) => {
      timer = setTimeout(() => resolve({ end: "hung", message: "" }), queryMsMax);
    });
    const ran = client.run(sql).then(
      (answer): Outcome => ({ end: "answer", answer }),
      async (error: unknown): Promise<Outcome> =>
        error instanceof StatementError
          ? { end: "declared", message: error.message }
          : { end: "killed", message: `${await this.#restart()}: ${String(error)}` },
    );
    const outcome = await Promise.race([ran, late]);
    clearTimeout(timer);
    if (outcome.end === "hung") {
      await this.#restart();
    }
    return outcome;
  }

  /** Returns how the server had ended. */
  async #restart(): Promise<string> {
    const server = this.#server;
    const client = this.#client;
    this.#server = undefined;
    this.#client = undefined;
    server?.kill("SIGKILL");
    void client?.close();
    const kills = this.#group?.kills() ?? 0;
    const isOfLimit = kills > this.#kills;
    this.#kills = kills;
    return `ended with ${await server?.ended}${isOfLimit ? " for its limit" : ""}`;
  }
}

/** The largest resident size of a process from here on. */
class ResidentPeak {
  readonly #processId: number;
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;

  constructor(processId: number) {
    this.#processId = processId;
    resetPeak(processId);
    // A process that is killed has no peak any more.
    this.#timer = setInterval(() => this.#look(), residentEveryMs);
  }

  end(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#bytes;
  }

  #look(): void {
    this.#bytes = Math.max(this.#bytes, peakResidentBytes(this.#processId) ?? 0);
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(0);
}
