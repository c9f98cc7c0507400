/** A connector that reads a file before each page, and others that take a failure of it wrongly. */
import type { ConnectorFactory, PageSourceRequest } from "../../../src/connectors/spi.ts";
import type { Page } from "../../../src/page/page.ts";
import type { Storage } from "../../../src/ports/storage.ts";
import { QueryError } from "../../../src/protocol/errors.ts";
import { type Broken, factoryOf, NumbersSource } from "./broken.ts";

const rule = "a source that fails inside a split says so, leaves nothing, and is read again";

class FileSource extends NumbersSource {
  readonly #file: Storage;
  #reading: Promise<void> | undefined;
  #isRead = false;
  protected failure: { readonly error: unknown } | undefined;

  constructor(request: PageSourceRequest, file: Storage) {
    super(request);
    this.#file = file;
  }

  override blocked(): Promise<void> | undefined {
    if (!this.#isRead && !this.finished && this.failure === undefined) {
      this.#reading ??= this.#file.read("broken.ts", 0, 1).then(
        () => {
          this.#isRead = true;
          this.#reading = undefined;
        },
        (error: unknown) => this.fail(error),
      );
    }
    return this.#isRead || this.failure !== undefined ? undefined : this.#reading;
  }

  protected fail(error: unknown): void {
    this.failure = { error: new QueryError("CONNECTOR_ERROR", "The numbers cannot be read", undefined, { cause: error }) };
  }

  override nextPage(): Page | undefined {
    if (this.failure !== undefined) {
      throw this.failure.error;
    }
    if (this.finished || this.blocked() !== undefined) {
      return undefined;
    }
    this.#isRead = false;
    return super.nextPage();
  }
}

function reading(create: (request: PageSourceRequest, file: Storage) => FileSource): ConnectorFactory {
  return {
    ...factoryOf(() => ({})),
    create: (properties, { ports }) => {
      const file = ports.openFolder(import.meta.dirname);
      return { ...factoryOf(() => ({})).create(properties, {} as never), createPageSource: (request) => create(request, file) };
    },
  };
}

export const readingFactory: ConnectorFactory = reading((request, file) => new FileSource(request, file));

export const failingSources: readonly Broken[] = [
  {
    name: "takes a failure for its end",
    factory: reading(
      (request, file) =>
        new (class extends FileSource {
          protected override fail(): void {
            this.next = Number.MAX_SAFE_INTEGER;
          }
        })(request, file),
    ),
    rule,
    problem: /it ends as if these were all rows: row 0 was/,
  },
  {
    name: "fails with the error of the disk",
    factory: reading(
      (request, file) =>
        new (class extends FileSource {
          protected override fail(error: unknown): void {
            this.failure = { error };
          }
        })(request, file),
    ),
    rule,
    problem: /which is no QueryError/,
  },
  {
    name: "keeps memory when it has failed",
    factory: reading(
      (request, file) =>
        new (class extends FileSource {
          protected override fail(error: unknown): void {
            request.memory.allocate(64);
            super.fail(error);
          }
        })(request, file),
    ),
    rule,
    problem: /a source that fails: .* bytes of memory are still reserved/,
  },
  {
    name: "is not read again after a failure",
    factory: (() => {
      let failure: unknown;
      return reading(
        (request, file) =>
          new (class extends FileSource {
            override nextPage(): Page | undefined {
              if (failure !== undefined) {
                throw failure;
              }
              return super.nextPage();
            }

            protected override fail(error: unknown): void {
              super.fail(error);
              failure = this.failure?.error;
            }
          })(request, file),
      );
    })(),
    rule,
    problem: /The numbers cannot be read/,
  },
  {
    name: "waits for a server after its source is closed",
    factory: asking(),
    rule: "what waits for a server ends with its query and with its source",
    problem: /is closed, and still waits for a server that does not answer/,
  },
];

/** Asks a server before its first page, and never gives up. Nothing answers at the address, which is all that it wants to know. */
function asking(): ConnectorFactory {
  return {
    ...factoryOf(() => ({})),
    create: (properties, { ports }) => ({
      ...factoryOf(() => ({})).create(properties, {} as never),
      createPageSource: (request) => {
        const options = { label: "ask", timeoutMs: 60_000, bodyBytesMax: 0 };
        const asked = ports.outbound?.request({ method: "GET", url: "http://127.0.0.1:1/", headers: {}, body: new Uint8Array(0) }, options);
        let waiting: Promise<void> | undefined = asked?.then(
          () => undefined,
          () => {
            waiting = undefined;
          },
        );
        return new (class extends NumbersSource {
          override blocked(): Promise<void> | undefined {
            return waiting;
          }

          override nextPage(): Page | undefined {
            return waiting === undefined ? super.nextPage() : undefined;
          }
        })(request);
      },
    }),
  };
}
