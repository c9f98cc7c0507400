/** A small connector that keeps all rules, and others that break one each. */
import type {
  Connector,
  ConnectorFactory,
  ConnectorMetadata,
  PageSink,
  PageSinkRequest,
  PageSource,
  PageSourceRequest,
  Split,
  TableMetadata,
} from "../../../src/connectors/spi.ts";
import { memoryConnectorFactory } from "../../../src/connectors/memory/memory.ts";
import { PageBuilder } from "../../../src/page/builder.ts";
import type { Page } from "../../../src/page/page.ts";
import { QueryError } from "../../../src/protocol/errors.ts";
import { BIGINT, varcharType } from "../../../src/types/type.ts";

const columns = [
  { name: "id", type: BIGINT },
  { name: "text", type: varcharType(6) },
];
const table: TableMetadata = { name: { schema: "default", table: "numbers" }, columns, handle: { of: "numbers" } };
const splitRows = 4;
const splitCount = 3;

/** Pages of two rows. */
export class NumbersSource implements PageSource {
  readonly #builder: PageBuilder;
  readonly #first: number;
  protected readonly request: PageSourceRequest;
  protected next = 0;
  completedBytes = 0;

  constructor(request: PageSourceRequest) {
    this.request = request;
    this.#first = (request.split as number) * splitRows;
    this.#builder = new PageBuilder(
      request.columns.map(({ type }) => type),
      request.memory,
    );
  }

  get finished(): boolean {
    return this.next >= splitRows;
  }

  blocked(): Promise<void> | undefined {
    return undefined;
  }

  nextPage(): Page | undefined {
    if (this.finished) {
      return undefined;
    }
    this.#builder.reset();
    for (const end = this.next + 2; this.next < end; this.next++) {
      this.append(this.#builder, this.#first + this.next);
      this.completedBytes += 8;
    }
    return this.#builder.build();
  }

  protected append(builder: PageBuilder, id: number): void {
    this.request.columns.forEach(({ name }, index) =>
      name === "id" ? builder.appendBigint(index, BigInt(id)) : builder.appendString(index, this.textOf(id)),
    );
    if (this.request.columns.length === 0) {
      builder.appendRows(1);
    }
  }

  protected textOf(id: number): string {
    return `no ${id}`;
  }

  close(): void {
    this.next = splitRows;
    this.#builder.close();
  }
}

const metadata: ConnectorMetadata = {
  listSchemas: async () => ["default", "empty"],
  listTables: async (schema) => (schema === "default" ? ["numbers"] : []),
  getTable: async (name) => (name.schema === "default" && name.table === "numbers" ? table : undefined),
  getStatistics: async () => ({ rowCount: splitRows * splitCount, columns: { id: { low: 0, high: splitRows * splitCount } } }),
};

const numbers: Connector = {
  metadata,
  getSplits: async () => Array.from({ length: splitCount }, (_, payload): Split => ({ payload, rows: splitRows })),
  createPageSource: (request) => new NumbersSource(request),
};

export function factoryOf(make: (properties: Readonly<Record<string, string>>) => Partial<Connector>): ConnectorFactory {
  return { name: "numbers", properties: ["numbers.password"], create: (properties) => ({ ...numbers, ...make(properties) }) };
}

function withMetadata(changed: Partial<ConnectorMetadata>): ConnectorFactory {
  return factoryOf(() => ({ metadata: { ...metadata, ...changed } }));
}

function withSource(create: (request: PageSourceRequest) => PageSource): ConnectorFactory {
  return factoryOf(() => ({ createPageSource: create }));
}

/** The connector memory with other metadata, or other sinks: a writer. */
function writer(
  change: (own: ConnectorMetadata) => Partial<ConnectorMetadata>,
  changeSink: (sink: PageSink, request: PageSinkRequest) => PageSink = (sink) => sink,
): ConnectorFactory {
  const { name, properties } = memoryConnectorFactory;
  return {
    name,
    properties,
    create(given, context) {
      const own = memoryConnectorFactory.create(given, context);
      const createPageSink = (request: PageSinkRequest): PageSink => changeSink(own.createPageSink?.(request) as PageSink, request);
      return over(own, { metadata: over(own.metadata, change(own.metadata)), createPageSink });
    },
  };
}

/** An object with some members of its own. */
function over<T extends object>(own: T, changed: Partial<T>): T {
  return new Proxy(own, {
    get: (_, key) => {
      const target = key in changed ? changed : own;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

export const soundFactory: ConnectorFactory = factoryOf(() => ({}));

let draws = 0;

export interface Broken {
  readonly name: string;
  readonly factory: ConnectorFactory;
  /** The rule that finds it. */
  readonly rule: string;
  readonly problem: RegExp;
  readonly prepare?: readonly string[];
  /** Of a violation that is found by waiting. */
  readonly patienceMs?: number;
}

export const brokenConnectors: readonly Broken[] = [
  {
    name: "lists schemas as they come",
    factory: withMetadata({ listSchemas: async () => ["empty", "default"] }),
    rule: "schemas and tables are listed in order, each once",
    problem: /'empty' is before 'default'/,
  },
  {
    name: "lists a table that is gone",
    factory: withMetadata({ listTables: async (schema) => (schema === "default" ? ["gone", "numbers"] : []) }),
    rule: "tables that are listed exist",
    problem: /'default.gone'/,
  },
  {
    name: "looks tables up in an object",
    factory: withMetadata({
      getTable: async (name) => (name.schema === "default" ? ({ numbers: table } as Record<string, TableMetadata>)[name.table] : undefined),
    }),
    rule: "unknown and odd names are no tables",
    problem: /'__proto__'/,
  },
  {
    name: "has a handle with a date",
    factory: withMetadata({
      getTable: async (name) =>
        name.schema === "default" && name.table === "numbers" ? { ...table, handle: { of: new Date(0) } as unknown as null } : undefined,
    }),
    rule: "columns have types and names of their own",
    problem: /the handle is not plain JSON/,
  },
  {
    name: "gives its splits in another order each time",
    factory: factoryOf(() => {
      let calls = 0;
      return {
        getSplits: async () => {
          const splits = Array.from({ length: splitCount }, (_, payload): Split => ({ payload }));
          return calls++ % 2 === 0 ? splits : splits.toReversed();
        },
      };
    }),
    rule: "splits are plain data in the same order each time",
    problem: /in another order/,
  },
  {
    name: "counts a hundredth of its rows",
    factory: withMetadata({ getStatistics: async () => ({ rowCount: 12, columns: { id: { low: 0, high: 3 } } }) }),
    rule: "statistics are near the truth",
    problem: /'high' are 0 and 3, and a row has 4/,
  },
  {
    name: "gives texts longer than their type",
    factory: withSource(
      (request) =>
        new (class extends NumbersSource {
          protected override textOf(id: number): string {
            return `number ${id}`;
          }
        })(request),
    ),
    rule: "pages hold what their types allow, until the next one",
    problem: /has 8 characters; varchar\(6\) has at most 6/,
  },
  {
    name: "fills the next page over the one in use",
    factory: withSource(
      (request) =>
        new (class extends NumbersSource {
          override nextPage(): Page | undefined {
            const page = super.nextPage();
            const [id] = page?.columns ?? [];
            if (id !== undefined && id.type.kind === "bigint") {
              setImmediate(() => request.memory.linear.view.setBigInt64(id.values, 77n, true));
            }
            return page;
          }
        })(request),
    ),
    rule: "pages hold what their types allow, until the next one",
    problem: /a page changed before the next was asked for/,
  },
  {
    name: "draws its rows",
    factory: withSource(
      (request) =>
        new (class extends NumbersSource {
          protected override textOf(): string {
            draws += 1;
            return `no ${draws % 999}`;
          }
        })(request),
    ),
    rule: "a split gives the same rows each time, on any node",
    problem: /a split was read twice: row 0 was/,
  },
  {
    name: "has no rows without columns",
    factory: withSource(
      (request) =>
        new (class extends NumbersSource {
          override nextPage(): Page | undefined {
            const page = super.nextPage();
            return page === undefined || request.columns.length > 0 ? page : { ...page, positionCount: 0 };
          }
        })(request),
    ),
    rule: "columns are those asked for, in that order, or none",
    problem: /with the columns \(\) a split has 0 rows, with all 4/,
  },
  {
    name: "gives its columns in its own order",
    factory: withSource(
      (request) =>
        new NumbersSource({ ...request, columns: columns.filter(({ name }) => request.columns.some((one) => one.name === name)) }),
    ),
    rule: "columns are those asked for, in that order, or none",
    problem: /column 'text' is varchar\(6\), and a page has bigint/,
  },
  {
    name: "begins again after its end",
    factory: withSource(
      (request) =>
        new (class extends NumbersSource {
          override nextPage(): Page | undefined {
            const page = super.nextPage();
            if (page === undefined) {
              this.next = 0;
            }
            return page;
          }
        })(request),
    ),
    rule: "a source ends once and for all",
    problem: /finished is false again/,
  },
  {
    name: "never says that it ends",
    factory: withSource(
      (request) =>
        new (class extends NumbersSource {
          override get finished(): boolean {
            return false;
          }
          override nextPage(): Page | undefined {
            return this.next >= splitRows ? undefined : super.nextPage();
          }
        })(request),
    ),
    rule: "a source ends once and for all",
    problem: /the scan would never end/,
  },
  {
    name: "cannot be closed twice",
    factory: withSource((request) => {
      const block = request.memory.allocate(64);
      return new (class extends NumbersSource {
        override close(): void {
          super.close();
          request.memory.free(block);
        }
      })(request);
    }),
    rule: "a source is closed at any moment, more than once",
    problem: /a source that is closed before its first page/,
  },
  {
    name: "keeps memory if it is closed early",
    factory: withSource((request) => {
      const block = request.memory.allocate(64);
      return new (class extends NumbersSource {
        override nextPage(): Page | undefined {
          const page = super.nextPage();
          if (this.finished) {
            request.memory.free(block);
          }
          return page;
        }
      })(request);
    }),
    rule: "a source is closed at any moment, more than once",
    problem: /bytes of memory are still reserved after close/,
  },
  {
    name: "counts bytes backwards",
    factory: withSource(
      (request) =>
        new (class extends NumbersSource {
          override nextPage(): Page | undefined {
            const page = super.nextPage();
            this.completedBytes = 100 - this.next;
            return page;
          }
        })(request),
    ),
    rule: "a split gives the same rows each time, on any node",
    problem: /completedBytes went from 98 to 96/,
  },
  {
    name: "hides that there was too little memory",
    factory: withSource((request) => {
      if (request.memory.availableBytes < 4096) {
        throw new TypeError("null is not an object");
      }
      return new NumbersSource(request);
    }),
    rule: "a source without memory fails with its limit, and gives all back",
    problem: /null is not an object/,
  },
  {
    name: "leaves out the least value of a range",
    factory: withSource(
      (request) =>
        new (class extends NumbersSource {
          readonly #low = request.constraint?.summary.domainOf("id")?.values.span?.low;
          override get finished(): boolean {
            // Skips a split whose last row but one is the bound itself.
            const last = (request.split as number) * splitRows + splitRows - 1;
            return super.finished || (this.#low !== undefined && BigInt(last) - 1n <= (this.#low.value as bigint));
          }
        })(request),
    ),
    rule: "a constraint hides no row that meets it",
    problem:
      /rows meet the condition that 'id' (equals a value|is from a value on|is one of two values); with it given to createPageSource/,
  },
  {
    name: "takes a limit over and forgets it in part",
    factory: factoryOf(() => ({
      metadata: {
        ...metadata,
        pushDown: (_, { aggregation, columns: asked, conditions, limit, orderBy }) =>
          limit === undefined || aggregation !== undefined || conditions.length > 0 || orderBy !== undefined
            ? undefined
            : { handle: { limit: limit - 1 }, columns: asked },
      },
      getSplits: async ({ handle }) => {
        const { limit } = handle as { readonly limit?: number };
        const count = limit === undefined ? splitCount : Math.floor(limit / splitRows);
        return Array.from({ length: count }, (_, payload): Split => ({ payload }));
      },
    })),
    rule: "WHERE, LIMIT and count(*) count the right rows",
    problem: /LIMIT 6\) is 4, and the splits have 6/,
  },
  {
    name: "takes ORDER BY with LIMIT over and forgets the order",
    factory: factoryOf(() => ({
      metadata: {
        ...metadata,
        pushDown: (_, { aggregation, columns: asked, conditions, orderBy }) =>
          orderBy === undefined || aggregation !== undefined || conditions.length > 0
            ? undefined
            : { handle: { of: "numbers", first: 1 }, columns: asked },
      },
      getSplits: async ({ handle }) => {
        const { first = splitCount } = handle as { readonly first?: number };
        return Array.from({ length: first }, (_, payload): Split => ({ payload }));
      },
    })),
    rule: "conditions, orders, aggregations and joins give the rows that they give over a copy of the table",
    problem: /ORDER BY "id" DESC, "text" LIMIT 3 gives/,
  },
  {
    name: "lists its tables every other time",
    factory: factoryOf(() => {
      let calls = 0;
      return {
        metadata: { ...metadata, listTables: async (schema) => (schema === "default" && calls++ % 2 === 0 ? ["numbers"] : []) },
      };
    }),
    rule: "listings of tables and columns match their patterns",
    problem: /SHOW TABLES FROM "default" LIKE 'numbers'/,
  },
  {
    name: "reads something else on a worker",
    factory: {
      ...soundFactory,
      create: (_, { nodeId }) => ({
        ...numbers,
        createPageSource: (request) => new NumbersSource(nodeId === "worker-3" ? { ...request, split: 0 } : request),
      }),
    },
    rule: "SELECT gives the rows of all splits, on one worker and on three in the same order",
    problem: /on one worker there are 12 rows, on three 12/,
  },
  {
    name: "writes its password into the handle",
    factory: factoryOf(({ "numbers.password": password = "" }) => ({
      metadata: {
        ...metadata,
        getTable: async (name) =>
          name.schema === "default" && name.table === "numbers" ? { ...table, handle: { login: `me:${password}` } } : undefined,
      },
    })),
    rule: "secrets of the properties are in no answer",
    problem: /the value of 'numbers.password' is in the answer of getTable for default.numbers/,
  },
  {
    name: "takes no rows from an INSERT",
    factory: writer(() => ({ finishInsert: async () => undefined })),
    prepare: ["CREATE TABLE default.numbers AS SELECT 1 AS n"],
    rule: "what is written is read back",
    problem: /after INSERT the table has the rows/,
  },
  {
    name: "leaves a table that was not finished",
    factory: writer((own) => ({
      beginCreate: async (name, asked, options) => {
        const handle = await own.beginCreate?.(name, asked, options);
        if (handle === undefined) {
          throw new QueryError("NOT_SUPPORTED", "no table");
        }
        await own.finishCreate?.(handle, []);
        return handle;
      },
      finishCreate: async () => undefined,
      abortWrite: async () => undefined,
    })),
    prepare: ["CREATE TABLE default.numbers AS SELECT 1 AS n"],
    rule: "a write that fails leaves nothing",
    problem: /failed, and the table is there/,
  },
  {
    name: "finishes a table that is aborted",
    patienceMs: 1000,
    factory: writer((own) => ({
      abortWrite: async (handle) => {
        await own.finishCreate?.(handle, []);
      },
    })),
    prepare: ["CREATE TABLE default.numbers AS SELECT 1 AS n"],
    rule: "a write that is cancelled leaves nothing",
    problem: /was cancelled, and there are the tables orrery_kit_written/,
  },
  {
    name: "commits the rows of one task alone",
    factory: writer((own) => ({ finishInsert: async (handle, fragments) => own.finishInsert?.(handle, fragments.slice(0, 1)) })),
    prepare: ["CREATE TABLE default.numbers AS SELECT 1 AS n"],
    rule: "rows become visible with their commit, once",
    problem: /after finishInsert the table has the rows/,
  },
  {
    name: "lists a table that is being written",
    factory: writer((own) => ({ listTables: async (schema) => [...(await own.listTables(schema)), "orrery_kit_written"] })),
    prepare: ["CREATE TABLE default.numbers AS SELECT 1 AS n"],
    rule: "rows become visible with their commit, once",
    problem: /a new table is visible before finishCreate/,
  },
  {
    name: "keeps the memory of a sink that is aborted",
    factory: writer(
      () => ({}),
      (sink, { memory }) => {
        const block = memory.allocate(64);
        return over(sink, {
          finish: async () => {
            memory.free(block);
            return sink.finish();
          },
        });
      },
    ),
    prepare: ["CREATE TABLE default.numbers AS SELECT 1 AS n"],
    rule: "a write that fails leaves nothing",
    problem: /bytes of memory are still reserved after abort\(\) of a sink/,
  },
];
