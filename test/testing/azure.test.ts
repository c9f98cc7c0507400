/**
 * Files in a container of Azure: Azurite, behind a proxy that fails every seventh request, in the whole engine. DuckDB writes the files and
 * is the oracle.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesConnectorFactory } from "../../src/connectors/files/files.ts";
import { icebergConnectorFactory } from "../../src/connectors/files/lake/catalog/iceberg-connector.ts";
import { sqliteConnectorFactory } from "../../src/connectors/sqlite/sqlite.ts";
import { RealOutbound } from "../../src/server/ports/outbound.ts";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { accountSas, type AzuriteServer, findAzurite, startAzurite } from "../support/programs/azurite.ts";
import { icebergFiles } from "../oracle/fuzz/inputs/targets/lake-files.ts";
import { isPostgresqlRequired } from "../support/programs/postgresql.ts";
import { written } from "../support/programs/sqlite.ts";
import { checkEnding } from "../support/stores/ending.ts";
import { FaultyProxy, type ProxyFault } from "../support/stores/faulty-proxy.ts";
import { RestCatalogServer } from "../support/stores/rest-catalog-server.ts";

it("finds what Azure's tools find on the host", async () => {
  const home = mkdtempSync(join(tmpdir(), "orrery-azure-"));
  mkdirSync(join(home, ".azure"));
  writeFileSync(join(home, ".azure/config"), "[cloud]\nname = AzureCloud\n\n[storage]\naccount = filed\nkey = a2V5\n");
  const of = (environment: Readonly<Record<string, string>>) => new RealOutbound({ HOME: home, ...environment }).azureSettings();
  expect(await of({})).toEqual({ AZURE_STORAGE_ACCOUNT: "filed", AZURE_STORAGE_KEY: "a2V5" });
  expect(await of({ AZURE_STORAGE_ACCOUNT: "mine" })).toEqual({ AZURE_STORAGE_ACCOUNT: "mine", AZURE_STORAGE_KEY: "a2V5" });
  const variables = { AZURE_STORAGE_ACCOUNT: "mine", AZURE_STORAGE_SAS_TOKEN: "sig=x" };
  expect(await of(variables)).toEqual(variables);
  expect(await of({ AZURE_TENANT_ID: "T" })).toEqual({ AZURE_TENANT_ID: "T" });
  expect(await of({ AZURE_CONFIG_DIR: join(home, "none") })).toEqual({});
  rmSync(home, { recursive: true });
});

describe.runIf(findAzurite() !== undefined || isPostgresqlRequired())("a container of Azure", () => {
  const faults: readonly ProxyFault[] = ["busy", "reset", "cut-short", "error-500", "lost"];
  let folder: string;
  let azurite: AzuriteServer;
  let proxy: FaultyProxy;
  let cluster: Cluster;
  let catalogs: Readonly<Record<string, Readonly<Record<string, string>>>>;
  let rest: RestCatalogServer;
  let instance: DuckDBInstance;
  let duckdb: Awaited<ReturnType<DuckDBInstance["connect"]>>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "orrery-azure-"));
    azurite = await startAzurite();
    proxy = new FaultyProxy(azurite.origin);
    const endpoint = `${await proxy.listen()}/${azurite.account}`;
    instance = await DuckDBInstance.create(":memory:");
    duckdb = await instance.connect();
    const select = `SELECT i AS id, 'name ' || (i * 7919 % 1000) AS name, i / 8 AS amount FROM`;
    await duckdb.run(`COPY (${select} range(20000) AS t(i)) TO '${join(folder, "items.parquet")}' (FORMAT PARQUET, ROW_GROUP_SIZE 8192)`);
    await duckdb.run(`COPY (${select} range(5000) AS t(i)) TO '${join(folder, "lines.csv")}'`);
    await duckdb.run(`COPY (SELECT i AS id, CASE i % 3 WHEN 0 THEN 'a b+c' ELSE 'd=é' END AS part FROM range(900) AS t(i))
      TO '${join(folder, "parts")}' (FORMAT PARQUET, PARTITION_BY part)`);
    writeFileSync(join(folder, "odd (1)+2 ~é%&.csv"), "x\n1\n2\n");
    deltaTable(join(folder, "sales"));
    await asOwner("PUT", "", { query: "restype=container" });
    for (const path of filesBelow("")) {
      await asOwner("PUT", `deep/er/${path}`, { body: readFileSync(join(folder, path)) });
    }
    const shop = written((database) => {
      database.exec("CREATE TABLE t (id INTEGER, name TEXT)");
      database.exec(
        "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i, 'name ' || i FROM n",
      );
    });
    await asOwner("PUT", "databases/shop.db", { body: shop });
    rest = await icebergCatalog();
    let requests = 0;
    proxy.fault = () => (++requests % 7 === 0 ? faults[(requests / 7) % faults.length] : undefined);
    const container = "abfss://lake@orrerytest.dfs.core.windows.net";
    const shared = { "connector.name": "files", "azure.endpoint": endpoint };
    const withKey = { ...shared, "azure.access-key": azurite.key };
    catalogs = {
      azure: { ...withKey, "files.directory": `${container}/deep/er`, "azure.auth-type": "ACCESS_KEY" },
      sas: { ...shared, "files.directory": `${container}/deep/er`, "azure.sas-token": accountSas("rl") },
      wrong: { ...shared, "files.directory": container, "azure.access-key": Buffer.from("hush-hush").toString("base64") },
      cached: {
        ...withKey,
        "files.directory": `${container}/deep/er`,
        "s3.read-ahead-size": "0B",
        "fs.cache.enabled": "true",
        "fs.cache.directories": join(folder, ".cache"),
        "fs.cache.max-sizes": "8MB",
      },
      databases: { ...withKey, "connector.name": "sqlite", "sqlite.directory": `${container}/databases` },
      iceberg: {
        "connector.name": "iceberg",
        "iceberg.catalog.type": "rest",
        "iceberg.rest-catalog.uri": await rest.listen(),
        "iceberg.rest-catalog.warehouse": "w",
        "iceberg.rest-catalog.security": "OAUTH2",
        "iceberg.rest-catalog.oauth2.credential": "reader:hush",
        "iceberg.rest-catalog.oauth2.scope": "PRINCIPAL_ROLE:ALL",
        "iceberg.rest-catalog.vended-credentials-enabled": "true",
        "azure.endpoint": endpoint,
      },
      written: {
        "connector.name": "files",
        "files.directory": "az://lake/out",
        "azure.connection-string": `AccountName=${azurite.account};AccountKey=${azurite.key};BlobEndpoint=${endpoint}`,
        "files.writes-enabled": "true",
        "s3.streaming.part-size": "5MB",
      },
    };
    cluster = await withCluster({ http: false, catalogs });
  });

  afterAll(async () => {
    await cluster.close();
    await rest.close();
    await proxy.close();
    await azurite.close();
    duckdb.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true });
  });

  function filesBelow(path: string): readonly string[] {
    return readdirSync(join(folder, path)).flatMap((name) => {
      const below = path === "" ? name : `${path}/${name}`;
      return statSync(join(folder, below)).isDirectory() ? filesBelow(below) : [below];
    });
  }

  /** A request past the engine and the proxy. */
  async function asOwner(method: string, path: string, { query = "", body }: { query?: string; body?: Uint8Array }): Promise<Buffer> {
    const key = path.split("/").map(encodeURIComponent).join("/");
    const url = `${azurite.origin}/${azurite.account}/lake${path === "" ? "" : `/${key}`}?${query}&${accountSas("rwdlc")}`;
    const headers = { "x-ms-version": "2021-12-02", "x-ms-blob-type": "BlockBlob" };
    const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Names of blobs below a prefix, and of those that have blocks only. */
  async function blobsBelow(prefix: string): Promise<readonly string[]> {
    const list = await asOwner("GET", "", { query: `restype=container&comp=list&include=uncommittedblobs&prefix=${prefix}` });
    return [...String(list).matchAll(/<Name>([^<]*)<\/Name>/g)].map(([, name = ""]) => name);
  }

  async function rows(sql: string, catalog: string): Promise<readonly (readonly unknown[])[]> {
    return (await cluster.query(sql, { catalog, schema: "default" })).rows.map((row) => row.map(String));
  }

  async function expected(sql: string): Promise<readonly (readonly unknown[])[]> {
    return (await duckdb.runAndReadAll(sql)).getRowsJson().map((row) => row.map(String));
  }

  const failure = (sql: string, catalog: string): Promise<string> => rows(sql, catalog).then(String, (error: unknown) => String(error));

  it.each(["azure", "cached"])("is read by catalog %s", async (catalog) => {
    const file = (name: string): string => `'${join(folder, name)}'`;
    const sums = "count(*), sum(id), max(name), sum(amount)";
    for (const [ours, theirs] of [
      ["items", file("items.parquet")],
      ["lines", file("lines.csv")],
    ] as const) {
      expect(await rows(`SELECT ${sums} FROM ${ours}`, catalog), ours).toEqual(await expected(`SELECT ${sums} FROM ${theirs}`));
    }
    const groups = (table: string): string => `SELECT part, count(*), sum(id) FROM ${table} GROUP BY part ORDER BY part`;
    expect(await rows(groups("parts"), catalog)).toEqual(await expected(groups(file("parts/*/*.parquet"))));
    expect(await rows("SELECT sum(x) FROM 'odd (1)+2 ~é%&.csv'", catalog)).toEqual([["3"]]);
    expect((await rows("SHOW TABLES", catalog)).flat()).toEqual(["items", "lines", "odd (1)+2 ~é%&", "parts", "sales", "t"]);
    expect(await rows("SELECT sum(id), max(name) FROM sales", catalog)).toEqual(
      await expected(`SELECT sum(id), max(name) FROM ${file("items.parquet")}`),
    );
    expect(await rows('SELECT version FROM "sales$history"', catalog)).toEqual([["0"]]);
  });

  it("is read with a shared access signature", async () => {
    expect(await rows("SELECT count(*) FROM items", "sas")).toEqual([["20000"]]);
  });

  it("is read from disks the second time", async () => {
    let gets = 0;
    proxy.onRequest = ({ method, url }) => {
      gets += method === "GET" && !url.includes("comp=") ? 1 : 0;
    };
    expect(await rows("SELECT max(name) FROM items", "cached")).toEqual([["name 999"]]);
    proxy.onRequest = () => undefined;
    expect(gets).toBe(0);
  });

  it("refuses wrong keys without a word of them, and blobs that change while they are read", async () => {
    const refused = await failure("SELECT * FROM items", "wrong");
    expect(refused).toContain("403 (AuthorizationFailure)");
    expect(refused).not.toMatch(/hush|sig=|SharedKey/);
    await asOwner("PUT", "deep/er/moving.parquet", { body: readFileSync(join(folder, "items.parquet")) });
    let isChanged = false;
    proxy.onRequest = async ({ method, url }) => {
      if (method === "GET" && url.includes("moving.parquet") && !isChanged) {
        isChanged = true;
        await asOwner("PUT", "deep/er/moving.parquet", { body: Buffer.from("x") });
      }
    };
    const changed = await failure("SELECT sum(id), max(name) FROM moving", "azure");
    proxy.onRequest = () => undefined;
    expect(changed).toContain("moving.parquet: the file changed while it was read");
  });

  it("is written to: blobs of several blocks, partitions, changes, and nothing is left of what fails", async () => {
    const duck = async (table: string, select: string) => {
      const below = join(folder, `.${table}`);
      for (const name of (await blobsBelow(`out/${table}/`)).filter((one) => one.endsWith(".parquet"))) {
        const path = join(below, name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, await asOwner("GET", name, {}));
      }
      return expected(`SELECT ${select} FROM read_parquet('${below}/**/*.parquet', hive_partitioning = true)`);
    };
    const blocks = new Map<string, number>();
    proxy.onRequest = ({ url }) => {
      const [name = ""] = url.split("?");
      if (/[?&]comp=block$/.test(url)) {
        blocks.set(name, (blocks.get(name) ?? 0) + 1);
      }
    };
    const some = "SELECT n AS id, n * 7919 % 1000003 AS a, n * 104729 AS b FROM TABLE(system.builtin.sequence(1, 360000)) AS t(n)";
    await rows(`CREATE TABLE big WITH (format = 'PARQUET', compression_codec = 'NONE') AS ${some}`, "written");
    proxy.onRequest = () => undefined;
    const select = "count(*), sum(id), sum(a), max(b)";
    const source = await rows(`SELECT ${select} FROM (${some})`, "written");
    expect(await rows(`SELECT ${select} FROM big`, "written")).toEqual(source);
    expect(await duck("big", select)).toEqual(source);
    expect(Math.max(...blocks.values())).toBeGreaterThan(1);

    await rows("CREATE TABLE parts (v bigint, k varchar) WITH (partitioned_by = ARRAY['k'])", "written");
    await rows("INSERT INTO parts VALUES (1, 'x'), (2, 'y'), (3, NULL), (10, 'x')", "written");
    await rows("UPDATE parts SET v = v * 2 WHERE k IS NULL", "written");
    const groups = "SELECT k, count(*), sum(v) FROM parts GROUP BY k ORDER BY k";
    const grouped = [
      ["x", "2", "11"],
      ["y", "1", "2"],
      ["null", "1", "6"],
    ];
    expect(await rows(groups, "written")).toEqual(grouped);
    expect(await failure("CREATE TABLE parts (v bigint)", "written")).toContain("already exists");
    const before = await blobsBelow("out/");
    const failing = "SELECT 1 / (n - 9000), CAST(n % 3 AS varchar) FROM TABLE(system.builtin.sequence(1, 9000)) AS t(n)";
    expect(await failure(`INSERT INTO parts ${failing}`, "written")).toContain("Division by zero");
    expect(await rows(groups, "written")).toEqual(grouped);
    expect(await blobsBelow("out/")).toEqual(before);
    await rows("DROP TABLE big", "written");
    await rows("DROP TABLE parts", "written");
    expect(await blobsBelow("out/")).toEqual([]);
  });

  it("has tables of Iceberg in folders and of a catalog that gives signatures, and databases of SQLite", async () => {
    // As in a bucket: 50 rows, of which positions and values are deleted.
    const left = Array.from({ length: 50 }, (_, id) => id)
      .filter((id) => id % 3 !== 0 || id >= 15)
      .filter((id) => id !== 7);
    const [count, sum] = [String(left.length), String(left.reduce((total, id) => total + id, 0))];
    const sql = "SELECT count(*), sum(id), max(place.x) FROM t";
    expect(await rows(sql, "azure")).toEqual([[count, sum, "49.5"]]);
    for (const form of ["account", "host"]) {
      expect((await cluster.query(sql, { catalog: "iceberg", schema: form })).rows.map((row) => row.map(String))).toEqual([
        [count, sum, "49.5"],
      ]);
    }
    const refused = await cluster.query(sql, { catalog: "iceberg", schema: "other" }).then(String, (error: unknown) => String(error));
    expect(refused).toContain("it gave no credentials for the files of the table");
    const named = await cluster.query("SELECT count(*), sum(id), max(name) FROM databases.shop.t");
    expect(named.rows.map((row) => row.map(String))).toEqual([["500", "125250", "name 99"]]);
  });

  it("ends what waits for a server with its query and its source", async () => {
    const checked = [
      [filesConnectorFactory, "azure", "default.t"],
      [icebergConnectorFactory, "iceberg", "host.t"],
      [sqliteConnectorFactory, "databases", "shop.t"],
    ] as const;
    for (const [factory, catalog, table] of checked) {
      const { "connector.name": _name, ...properties } = catalogs[catalog] as Readonly<Record<string, string>>;
      await checkEnding(factory, { properties, tables: [table] });
    }
  });

  /** A table of Iceberg below `deep/er`, and a catalog that gives it with a signature of each form of its name. */
  async function icebergCatalog(): Promise<RestCatalogServer> {
    const host = "orrerytest.dfs.core.windows.net";
    const location = `wasbs://lake@orrerytest.blob.core.windows.net/deep/er/t`;
    const { files } = await icebergFiles(location);
    for (const [path, bytes] of files) {
      await asOwner("PUT", `deep/er/${path}`, { body: bytes });
    }
    const metadata = (): string => Buffer.from(files.get("t/metadata/v1.metadata.json") as Uint8Array).toString();
    const table = (namespace: string, config: Readonly<Record<string, string>>) => ({
      namespace: [namespace],
      name: "t",
      metadata,
      credentials: () => [
        { prefix: "abfss://lake@other.dfs.core.windows.net/", config: { "adls.sas-token.orrerytest": "sig=wrong" } },
        { prefix: `abfss://lake@${host}/deep/`, config },
      ],
    });
    return new RestCatalogServer({
      warehouse: "w",
      prefix: "p",
      clientId: "reader",
      clientSecret: "hush",
      namespaces: [["account"], ["host"], ["other"]],
      tables: [
        table("account", { "adls.sas-token.orrerytest": accountSas("rl") }),
        // Valid for a moment only.
        table("host", { [`adls.sas-token.${host}`]: `?${accountSas("rl")}`, [`adls.sas-token-expires-at-ms.${host}`]: "1" }),
        table("other", { "adls.sas-token.orrerytest2": accountSas("rl") }),
      ],
      keys: { accessKey: "", secretKey: "" },
      pageNames: 10,
    });
  }

  /** One commit of Delta Lake, whose file is that of `items`. */
  function deltaTable(path: string): void {
    mkdirSync(join(path, "_delta_log"), { recursive: true });
    writeFileSync(join(path, "part-0.parquet"), readFileSync(join(folder, "items.parquet")));
    const fields = [
      ["id", "long"],
      ["name", "string"],
      ["amount", "double"],
    ].map(([name, type]) => ({ name, type, nullable: true, metadata: {} }));
    const size = statSync(join(path, "part-0.parquet")).size;
    const actions = [
      { commitInfo: { timestamp: 1_700_000_000_000, operation: "WRITE" } },
      { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
      {
        metaData: {
          id: "t",
          format: { provider: "parquet", options: {} },
          schemaString: JSON.stringify({ type: "struct", fields }),
          partitionColumns: [],
          configuration: {},
        },
      },
      { add: { path: "part-0.parquet", partitionValues: {}, size, modificationTime: 1, dataChange: true } },
    ];
    writeFileSync(join(path, "_delta_log/00000000000000000000.json"), actions.map((one) => JSON.stringify(one)).join("\n"));
  }
});
