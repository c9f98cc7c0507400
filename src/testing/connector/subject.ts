/**
 * The connector under test in clusters of this process: the rules ask its instances, as a coordinator and workers would, and send
 * statements. Each cluster is started when the first rule needs it.
 */
import type { CatalogConnector } from "../../connectors/shared/information-schema.ts";
import type {
  ColumnMetadata,
  Connector,
  ConnectorContext,
  ConnectorFactory,
  Constraint,
  Json,
  PageSource,
  Split,
  TableMetadata,
} from "../../connectors/spi.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";
import { Cluster } from "../cluster.ts";
import type { Signal } from "../globals.ts";
import type { QueryResult } from "../query.ts";
import { PlantedFaults } from "./faults.ts";
import { checkPage, type ReadRow, rowsOf } from "./pages.ts";
import { BrokenRule, type ConnectorCheckOptions, mustHold } from "./options.ts";

/** Name of the catalog. */
export const catalogName = "checked";
const patienceMsUsual = 30_000;
const askedEveryMs = 20;
/** Answers of neither a page nor a reason to wait after which a source counts as one that never ends. */
const idleTurnsMax = 1000;

export interface Instance {
  readonly nodeId: string;
  readonly connector: Connector;
  readonly context: ConnectorContext;
}

export interface ReadRequest {
  readonly table: TableMetadata;
  readonly split: Split;
  readonly columns: readonly ColumnMetadata[];
  readonly constraint?: Constraint;
  /** Reads on another node than the coordinator, if the split may be read there. */
  readonly onWorker?: boolean;
  /** Called with each page while it is valid. */
  readonly onPage?: (page: Page, memory: MemoryContext) => Promise<void>;
}

interface Started {
  readonly cluster: Cluster;
  readonly instances: ReadonlyMap<string, Instance>;
}

export class Subject {
  readonly factory: ConnectorFactory;
  readonly options: ConnectorCheckOptions;
  readonly #started = new Map<number, Promise<Started>>();
  #tables: Promise<readonly TableMetadata[]> | undefined;
  readonly #rows = new Map<string, Promise<readonly ReadRow[]>>();
  /** What the nodes have logged. */
  readonly logged: string[] = [];
  /** Of what the catalog reads through the ports of its nodes. */
  readonly faults = new PlantedFaults();

  constructor(factory: ConnectorFactory, options: ConnectorCheckOptions) {
    this.factory = factory;
    this.options = options;
  }

  /** The instance of the coordinator. */
  async coordinator(): Promise<Instance> {
    return this.#instance((await this.#start(1)).instances, "coordinator");
  }

  /** That of a worker of the same cluster. */
  async worker(): Promise<Instance> {
    return this.#instance((await this.#start(1)).instances, "worker-1");
  }

  async metadata(): Promise<Connector["metadata"]> {
    return (await this.coordinator()).connector.metadata;
  }

  /** The tables that are read, as they reach a worker: by way of JSON. */
  tables(): Promise<readonly TableMetadata[]> {
    this.#tables ??= this.#findTables();
    return this.#tables;
  }

  /** All rows of a table in the order of its splits. */
  rowsOf(table: TableMetadata): Promise<readonly ReadRow[]> {
    const name = tableText(table);
    const rows = this.#rows.get(name) ?? this.read(table, table.columns);
    this.#rows.set(name, rows);
    return rows;
  }

  async splitsOf(
    table: TableMetadata,
    options: { readonly columns?: readonly ColumnMetadata[]; readonly constraint?: Constraint } = {},
  ): Promise<readonly Split[]> {
    const { connector } = await this.coordinator();
    const columns = options.columns ?? table.columns;
    return options.constraint === undefined
      ? [...(await connector.getSplits(table, columns))]
      : [...(await connector.getSplits(table, columns, options.constraint))];
  }

  async read(table: TableMetadata, columns: readonly ColumnMetadata[]): Promise<readonly ReadRow[]> {
    const rows: ReadRow[] = [];
    for (const split of await this.splitsOf(table, { columns })) {
      rows.push(...(await this.readSplit({ table, split, columns })));
    }
    return rows;
  }

  /** The rows of a split; checks each page, and what its source says of itself meanwhile. */
  async readSplit(request: ReadRequest): Promise<readonly ReadRow[]> {
    const { columns, onPage, table } = request;
    const rows: ReadRow[] = [];
    await this.withSource(request, async (source, memory) => {
      // Of the same node: its pages are in its memory.
      const scratch = (await this.#reader(request)).context.memory.child("comparison");
      try {
        for await (const page of this.pagesOf(source)) {
          checkPage(memory.linear, page, columns);
          rows.push(...(columns.length === 0 ? noColumns(page.positionCount) : rowsOf(scratch, page)));
          await onPage?.(page, scratch);
        }
      } finally {
        scratch.close();
      }
    }).catch((error: unknown) => {
      throw error instanceof BrokenRule ? new BrokenRule(`${tableText(table)}: ${error.message}`) : error;
    });
    return rows;
  }

  /** Opens a split, and closes it in any case. Its memory must then be free. */
  async withSource(
    request: ReadRequest & { readonly limitBytes?: number },
    use: (source: PageSource, memory: MemoryContext) => Promise<void>,
  ): Promise<void> {
    const { columns, constraint, limitBytes, split, table } = request;
    const { connector, context } = await this.#reader(request);
    const memory = context.memory.child("check", limitBytes);
    const own = { table: throughJson(table.handle), split: throughJson(split.payload), columns, memory };
    const source = connector.createPageSource(constraint === undefined ? own : { ...own, constraint });
    let failure: { readonly error: unknown } | undefined;
    try {
      await use(source, memory);
    } catch (error) {
      failure = { error };
    } finally {
      source.close();
    }
    const left = memory.reservedBytes;
    memory.close();
    if (failure?.error instanceof BrokenRule) {
      throw failure.error;
    }
    mustHold(left === 0, () => `${tableText(table)}: ${left} bytes of memory are still reserved after close()`);
    if (failure !== undefined) {
      throw failure.error;
    }
  }

  /** The pages of a source. Throws BrokenRule if it neither ends, waits nor gives a page, or if it counts its bytes backwards. */
  async *pagesOf(source: PageSource): AsyncGenerator<Page> {
    let idleTurns = 0;
    let bytes = 0;
    while (!source.finished) {
      await this.#within(source.blocked(), "blocked() has not resolved");
      const page = source.nextPage();
      const { completedBytes } = source;
      mustHold(
        Number.isFinite(completedBytes) && completedBytes >= bytes,
        () => `completedBytes went from ${bytes} to ${completedBytes}; it only grows`,
      );
      bytes = completedBytes;
      if (page !== undefined) {
        idleTurns = 0;
        yield page;
      } else if (!source.finished && source.blocked() === undefined) {
        idleTurns += 1;
        mustHold(
          idleTurns < idleTurnsMax,
          () => "there is no page, finished is false and blocked() is undefined: the scan would never end",
        );
      }
    }
  }

  /** Runs a statement in the cluster of so many workers, 1 or 3. */
  async query(sql: string, workers: 1 | 3 = 1): Promise<QueryResult> {
    return queryIn((await this.#start(workers)).cluster, sql);
  }

  /** Runs a statement that is cancelled after so many milliseconds. Resolves when the client is told that it is over. */
  async cancelled(sql: string, afterMs: number): Promise<void> {
    const { cluster } = await this.#start(1);
    await queryIn(cluster, sql, AbortSignal.timeout(afterMs)).catch(() => undefined);
  }

  /** What GET answers, as text. */
  async fetched(path: string): Promise<string> {
    const { cluster } = await this.#start(1);
    return ((await cluster.fetch(path)) as { text(): Promise<string> }).text();
  }

  /** Waits until it holds, for what the connector does after the client has been told; not longer than for `blocked()`. */
  async until(holds: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + (this.options.patienceMs ?? patienceMsUsual);
    while (!(await holds()) && performance.now() < end) {
      await new Promise<void>((resolve) => {
        setTimeout(resolve, askedEveryMs);
      });
    }
  }

  async close(): Promise<void> {
    const all = [...this.#started.values()];
    this.#started.clear();
    for (const started of all) {
      await started.then(
        ({ cluster }) => cluster.close(),
        () => undefined,
      );
    }
  }

  #start(workers: 1 | 3): Promise<Started> {
    let started = this.#started.get(workers);
    if (started === undefined) {
      started = this.#startCluster(workers);
      this.#started.set(workers, started);
    }
    return started;
  }

  async #startCluster(workers: number): Promise<Started> {
    const { prepare = [], properties = {} } = this.options;
    const instances = new Map<string, Instance>();
    const { factory } = this;
    const connector: ConnectorFactory = {
      // Not the own one: it may be that of a connector of the engine.
      name: `checked ${factory.name}`,
      properties: factory.properties,
      create: (given, context): CatalogConnector => {
        const made = factory.create(given, { ...context, ports: this.faults.over(context.ports) });
        instances.set(context.nodeId, { nodeId: context.nodeId, connector: made, context });
        return made;
      },
    };
    const cluster = await Cluster.start({
      workers,
      http: false,
      catalogs: { [catalogName]: { connector, properties }, memory: { "connector.name": "memory" }, tpch: { "connector.name": "tpch" } },
      onLog: ({ event, fields }) => this.logged.push(`${event} ${JSON.stringify(fields)}`),
    });
    try {
      for (const sql of prepare) {
        await queryIn(cluster, sql);
      }
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return { cluster, instances };
  }

  #instance(instances: ReadonlyMap<string, Instance>, nodeId: string): Instance {
    const found = instances.get(nodeId);
    mustHold(found !== undefined, () => `there is no node '${nodeId}', which a split names`);
    return found;
  }

  async #reader({ onWorker = false, split, table }: ReadRequest): Promise<Instance> {
    const { instances } = await this.#start(1);
    const isElsewhere = onWorker && table.coordinatorOnly !== true;
    return this.#instance(instances, split.nodes?.[0] ?? (isElsewhere ? "worker-1" : "coordinator"));
  }

  async #findTables(): Promise<readonly TableMetadata[]> {
    const metadata = await this.metadata();
    const names = this.options.tables?.map(parseName) ?? (await allTables(metadata));
    const found: TableMetadata[] = [];
    for (const name of names) {
      const table = await metadata.getTable(name);
      mustHold(table !== undefined || this.options.tables === undefined, () => `there is no table ${name.schema}.${name.table}`);
      if (table !== undefined) {
        found.push(throughJson(table as unknown as Json) as unknown as TableMetadata);
      }
    }
    mustHold(found.length > 0, () => "the connector lists no table; make one with 'prepare', or name those to read in 'tables'");
    return found;
  }

  async #within(promise: Promise<void> | undefined, otherwise: string): Promise<void> {
    if (promise === undefined) {
      return;
    }
    const patienceMs = this.options.patienceMs ?? patienceMsUsual;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new BrokenRule(`${otherwise} after ${patienceMs} ms`)), patienceMs);
    });
    try {
      await Promise.race([promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function queryIn(cluster: Cluster, sql: string, signal?: Signal): Promise<QueryResult> {
  return cluster.query(sql, { catalog: catalogName, source: "orrery/connector/testing", ...(signal !== undefined && { signal }) });
}

function noColumns(rows: number): readonly ReadRow[] {
  return Array.from({ length: rows }, () => ({ values: [], texts: [] }));
}

function parseName(text: string): TableMetadata["name"] {
  const at = text.indexOf(".");
  if (at <= 0) {
    throw new TypeError(`'${text}' is no table; write 'schema.table'`);
  }
  return { schema: text.slice(0, at), table: text.slice(at + 1) };
}

async function allTables(metadata: Connector["metadata"]): Promise<readonly TableMetadata["name"][]> {
  const names: TableMetadata["name"][] = [];
  for (const schema of await metadata.listSchemas()) {
    for (const table of await metadata.listTables(schema)) {
      names.push({ schema, table });
    }
  }
  return names;
}

export function throughJson(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

export function tableText({ name }: Pick<TableMetadata, "name">): string {
  return `${name.schema}.${name.table}`;
}

/** `"schema"."table"` */
export function sqlName({ name }: Pick<TableMetadata, "name">): string {
  return `${quoted(name.schema)}.${quoted(name.table)}`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
