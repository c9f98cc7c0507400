/**
 * A catalog whose servers answer wrongly: it gives rows, or an error that is declared and says nothing secret, after a bounded number of
 * requests to these servers alone.
 */
import type { ConnectorFactory, SchemaTableName } from "../../../../../../src/connectors/spi.ts";
import { createNodeMemory } from "../../../../../../src/memory/allocator.ts";
import { type Instance, readTable, World } from "../../../../../unit/connectors/world.ts";
import type { Random } from "../../../random.ts";
import { type FuzzTarget, judgedRefusal, type Verdict } from "../../target.ts";
import { type AnswersInput, drawInput, EditScript, smallerInputs } from "../edits.ts";
import type { AlteredWeb } from "./altered-web.ts";

const restTurns = 10;
const memoryBytes = 128 * 1024 * 1024;

const refusals: ReadonlySet<string> = new Set([
  "FILE_BAD_DATA",
  "FILE_CANNOT_OPEN",
  "FILE_NOT_FOUND",
  "NOT_SUPPORTED",
  "NOT_FOUND",
  "TABLE_NOT_FOUND",
  "CONNECTOR_ERROR",
]);

export interface OpenedCatalog {
  readonly world: World;
  readonly node: Instance;
}

export interface FuzzedCatalog {
  /** For a report. */
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  /** What is read of it, as lines. */
  readonly read: (opened: OpenedCatalog) => Promise<readonly string[]>;
}

export interface WebTargetOptions {
  readonly web: AlteredWeb;
  readonly factory: ConnectorFactory;
  readonly catalogs: readonly FuzzedCatalog[];
  /** Of all servers. */
  readonly origins: readonly string[];
  /** Texts that no error may have. */
  readonly secrets: readonly string[];
}

class WebTarget implements FuzzTarget<AnswersInput> {
  readonly #options: WebTargetOptions;
  readonly #memory = createNodeMemory({ sizeBytes: memoryBytes }).root;
  readonly #counts: number[] = [];
  #sound: string[] = [];

  constructor(options: WebTargetOptions) {
    this.#options = options;
  }

  async open(): Promise<this> {
    const { catalogs, web } = this.#options;
    for (const catalog of catalogs) {
      web.begin(new EditScript([]));
      this.#sound.push(await this.#read(catalog));
      this.#counts.push(web.script.sent);
    }
    return this;
  }

  draw(random: Random): AnswersInput {
    return drawInput(random, this.#counts);
  }

  async run({ edits, statement }: AnswersInput): Promise<Verdict> {
    const { origins, web } = this.#options;
    web.begin(new EditScript(edits));
    const verdict = await this.#judged(statement);
    // Reads that ran beside the one that failed.
    for (let turn = 0; turn < restTurns; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const elsewhere = web.requests.find(({ url }) => !origins.some((origin) => url.startsWith(`${origin}/`)));
    return elsewhere === undefined || verdict.fault !== undefined
      ? verdict
      : { ...verdict, fault: { kind: "request to another server", detail: elsewhere.url } };
  }

  readonly smaller = smallerInputs;

  show({ edits, statement }: AnswersInput): string {
    return `${this.#options.catalogs[statement]?.name ?? ""} ${JSON.stringify(edits)}`;
  }

  async #judged(index: number): Promise<Verdict> {
    try {
      const found = await this.#read(this.#options.catalogs[index] as FuzzedCatalog);
      return { outcome: found === this.#sound[index] ? "rows" : "other rows" };
    } catch (error) {
      return judgedRefusal(error, { names: refusals, secrets: this.#options.secrets });
    }
  }

  async #read({ properties, read }: FuzzedCatalog): Promise<string> {
    const { factory, web } = this.#options;
    const world = new World({ factory, properties, memory: this.#memory, outbound: web.outbound });
    const node = world.start("n");
    try {
      return (await read({ world, node })).join("\n");
    } finally {
      node.connector.close?.();
    }
  }
}

/** Rows as lines; undefined if there is no such table. */
export async function rowsOf({ node, world }: OpenedCatalog, name: SchemaTableName): Promise<readonly string[] | undefined> {
  const { metadata } = node.connector;
  const table = await metadata.getTable(name);
  if (table === undefined) {
    return undefined;
  }
  await metadata.getStatistics?.(table);
  return (await readTable(world, node, table)).map((row) => row.map(String).join());
}

export function openWebTarget(options: WebTargetOptions): Promise<FuzzTarget<AnswersInput>> {
  return new WebTarget(options).open();
}
