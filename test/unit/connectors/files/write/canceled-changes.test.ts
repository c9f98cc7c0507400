/**
 * Comments, TRUNCATE TABLE and views of a folder and of a bucket, whose query ends after every single operation: the change is visible and
 * reported as done, or it is not visible and its query was canceled.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesConnectorFactory } from "../../../../../src/connectors/files/files.ts";
import type {
  ColumnMetadata,
  ConnectorMetadata,
  ConnectorQuery,
  Json,
  TableMetadata,
  ViewDefinition,
} from "../../../../../src/connectors/spi.ts";
import type { Outbound } from "../../../../../src/ports/outbound.ts";
import type { Storage } from "../../../../../src/ports/storage.ts";
import { RealOutbound } from "../../../../../src/server/ports/outbound.ts";
import { FolderStorage } from "../../../../../src/server/ports/storage.ts";
import { BIGINT } from "../../../../../src/types/type.ts";
import { S3Server } from "../../../../support/stores/s3-server.ts";
import { type Instance, pagesOf, readTable, World, writeTasks } from "../../world.ts";

const columns: readonly ColumnMetadata[] = [{ name: "id", type: BIGINT }];
const name = { schema: "default", table: "t" };
const viewName = { schema: "default", table: "v" };
const view: ViewDefinition = { sql: "SELECT 1 AS x", owner: "ann", columns: [{ name: "x", type: BIGINT }], security: "INVOKER" };

/** Ends when it is told. */
class EndingQuery implements ConnectorQuery {
  readonly id = "q";
  #isOver = false;
  readonly #callbacks: (() => void)[] = [];

  onEnd(callback: () => void): void {
    if (this.#isOver) {
      callback();
    } else {
      this.#callbacks.push(callback);
    }
  }

  end(): void {
    this.#isOver = true;
    this.#callbacks.splice(0).forEach((callback) => callback());
  }
}

/** Counts operations of storage, or requests to a store. */
class Counter {
  count = 0;
  onCount: () => void = () => undefined;

  readonly note = (): void => {
    this.count++;
    this.onCount();
  };

  storage(inner: Storage): Storage {
    return new Proxy(inner, {
      get: (target, property) => {
        const found: unknown = Reflect.get(target, property);
        return typeof found !== "function"
          ? found
          : (...given: unknown[]): unknown => {
              this.note();
              return (found as (...all: unknown[]) => unknown).apply(target, given);
            };
      },
    });
  }

  outbound(inner: Outbound): Outbound {
    return {
      request: (request, options) => {
        this.note();
        return inner.request(request, options);
      },
      accessKeys: (profile) => inner.accessKeys(profile),
      azureSettings: () => inner.azureSettings(),
      googleCredentials: (file) => inner.googleCredentials(file),
      rsaSignature: (key, bytes) => inner.rsaSignature(key, bytes),
    };
  }
}

type Change = (metadata: ConnectorMetadata, query: ConnectorQuery) => Promise<void> | undefined;

const table = async (metadata: ConnectorMetadata): Promise<TableMetadata> => (await metadata.getTable(name)) as TableMetadata;

const changes: Readonly<Record<string, Change>> = {
  "COMMENT ON TABLE": async (metadata, query) => metadata.setTableComment?.(await table(metadata), "of the table", query),
  "COMMENT ON COLUMN": async (metadata, query) => metadata.setColumnComment?.(await table(metadata), "id", "of the column", query),
  "CREATE VIEW": (metadata, query) => metadata.createView?.(viewName, view, false, query),
  "CREATE OR REPLACE VIEW": (metadata, query) => metadata.createView?.(viewName, { ...view, sql: "SELECT 2 AS x" }, true, query),
  "COMMENT ON VIEW": (metadata, query) => metadata.setViewComment?.(viewName, "of the view", query),
  "COMMENT ON COLUMN of a view": (metadata, query) => metadata.setViewColumnComment?.(viewName, "x", "of its column", query),
  "ALTER VIEW": (metadata, query) => metadata.renameView?.(viewName, { ...viewName, table: "w" }, query),
  "DROP VIEW": (metadata, query) => metadata.dropView?.({ ...viewName, table: "w" }, query),
  "TRUNCATE TABLE": async (metadata, query) => metadata.truncateTable?.(await table(metadata), query),
};

describe.each(["a folder", "a bucket"])("changes of %s", (door) => {
  const counter = new Counter();
  let directory: string;
  let s3: S3Server;
  let world: World;
  let node: Instance;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "orrery-canceled-"));
    s3 = new S3Server({ bucket: "lake", region: "us-east-1", pageKeys: 100, accessKey: "A", secretKey: "B" });
    const endpoint = await s3.listen();
    const bucket = { "s3.endpoint": endpoint, "s3.path-style-access": "true", "s3.aws-access-key": "A", "s3.aws-secret-key": "B" };
    const isFolder = door === "a folder";
    world = new World({
      factory: filesConnectorFactory,
      properties: {
        "files.writes-enabled": "true",
        ...(isFolder ? { "files.directory": directory } : { "files.directory": "s3://lake/x", ...bucket }),
      },
      folder: (path) => counter.storage(new FolderStorage(path, { readOnly: false })),
      outbound: counter.outbound(new RealOutbound({})),
    });
    world.wallMillis = Date.now();
    node = world.start("n");
    const { metadata } = node.connector;
    const handle = (await metadata.beginCreate?.(name, columns)) as Json;
    const pages = pagesOf({ columns, rows: [[1n], [2n]], memory: node.memory, pageRows: 3 });
    await metadata.finishCreate?.(handle, await writeTasks(handle, [{ node, columns, pages }]));
  });

  afterAll(async () => {
    node.connector.close?.();
    await s3.close();
    rmSync(directory, { recursive: true });
  });

  /** All that a change can be seen by. */
  async function state(): Promise<string> {
    const { metadata } = node.connector;
    const found = await table(metadata);
    const rows = await readTable(world, node, found);
    const views = await Promise.all(["v", "w"].map(async (one) => metadata.getView?.({ ...viewName, table: one })));
    return JSON.stringify([found.comment, found.columns.map(({ comment }) => comment), rows.length, views]);
  }

  it.each(Object.keys(changes))("%s is done or canceled, wherever its query ends", async (kind) => {
    const before = await state();
    let canceled = 0;
    // Requests take longer.
    for (let end = 0; ; end += door === "a folder" ? 1 : 2) {
      const query = new EndingQuery();
      let operations = 0;
      counter.onCount = (): void => (operations++ === end ? query.end() : undefined);
      const outcome = await Promise.resolve((changes[kind] as Change)(node.connector.metadata, query)).then(
        () => "done",
        ({ errorName }: { readonly errorName?: string }) => errorName,
      );
      counter.onCount = () => undefined;
      if (outcome === "done") {
        break;
      }
      expect(outcome).toBe("USER_CANCELED");
      expect(await state()).toBe(before);
      canceled++;
    }
    expect(canceled).toBeGreaterThan(0);
    expect(await state()).not.toBe(before);
  });
});
