/**
 * Files in an object store: an S3 server that checks signatures, and a web server, in the whole engine. DuckDB writes the files and is the
 * oracle.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { generateKeyPairSync, type KeyObject, verify } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesConnectorFactory } from "../../src/connectors/files/files.ts";
import { RealOutbound } from "../../src/server/ports/outbound.ts";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { checkEnding } from "../support/stores/ending.ts";
import { S3Server, type StoreFault } from "../support/stores/s3-server.ts";

const keys = { accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", sessionToken: "a+token/of==" };
const faults: readonly StoreFault[] = ["slow-down", "reset", "cut-short", "error-500", "half-list"];
let requests = 0;
let tokenGiver: Server;
let tokensGiven = 0;
let folder: string;
let s3: S3Server;
let google: S3Server;
let web: Server;
let catalogs: Readonly<Record<string, Readonly<Record<string, string>>>>;
let cluster: Cluster;
let duckdb: Awaited<ReturnType<DuckDBInstance["connect"]>>;
let instance: DuckDBInstance;

function filesBelow(path: string): readonly string[] {
  return readdirSync(join(folder, path)).flatMap((name) => {
    const below = path === "" ? name : `${path}/${name}`;
    return statSync(join(folder, below)).isDirectory() ? filesBelow(below) : [below];
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-store-"));
  instance = await DuckDBInstance.create(":memory:");
  duckdb = await instance.connect();
  const rows = `SELECT i AS id, 'name ' || (i * 7919 % 1000) AS name, i / 8 AS amount, DATE '2024-01-01' + CAST(i % 366 AS INTEGER) AS day`;
  await duckdb.run(`COPY (${rows} FROM range(60000) AS t(i)) TO '${join(folder, "items.parquet")}' (FORMAT PARQUET, ROW_GROUP_SIZE 12288)`);
  await duckdb.run(`COPY (${rows} FROM range(50000) AS t(i)) TO '${join(folder, "lines.csv")}'`);
  await duckdb.run(`COPY (${rows}, CASE i % 3 WHEN 0 THEN 'a b+c' ELSE 'd=é' END AS part FROM range(900) AS t(i))
    TO '${join(folder, "parts")}' (FORMAT PARQUET, PARTITION_BY part)`);
  await duckdb.run(`COPY (${rows} FROM range(500) AS t(i)) TO '${join(folder, "notes.json.gz")}' (FORMAT JSON, COMPRESSION GZIP)`);
  writeFileSync(join(folder, "odd (1)+2 ~é%.csv"), "x\n1\n2\n");
  // Every seventh request fails, in turn in each way, and is asked for again.
  const fault = (): StoreFault | undefined => (++requests % 7 === 0 ? faults[(requests / 7) % faults.length] : undefined);
  await duckdb.run(`COPY (SELECT 1 AS id) TO '${join(folder, "Other.parquet")}' (FORMAT PARQUET)`);
  s3 = new S3Server({ bucket: "lake", region: "eu-central-1", pageKeys: 2, ...keys, fault });
  const endpoint = await s3.listen();
  for (const path of filesBelow("")) {
    s3.put(`deep/er/${path}`, readFileSync(join(folder, path)));
  }
  web = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "/").slice(1));
    const full = join(folder, path);
    if (!full.startsWith(folder) || !statSync(full, { throwIfNoEntry: false })) {
      response.writeHead(404).end();
    } else if (statSync(full).isDirectory()) {
      const names = readdirSync(full).map((name) => (statSync(join(full, name)).isDirectory() ? `${name}/` : name));
      response.end(
        `<html><a href="../">up</a>${names.map((name) => `<a href="${encodeURIComponent(name).replace("%2F", "/")}">x</a>`).join("")}`,
      );
    } else {
      const bytes = readFileSync(full);
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
      const [from, to] = range === null ? [0, bytes.length] : [Number(range[1]), Math.min(bytes.length, Number(range[2]) + 1)];
      response.writeHead(range === null ? 200 : 206, {
        etag: `"${statSync(full).mtimeMs}"`,
        "content-length": to - from,
        ...(range !== null && { "content-range": `bytes ${from}-${to - 1}/${bytes.length}` }),
      });
      response.end(request.method === "HEAD" ? undefined : bytes.subarray(from, to));
    }
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  google = new S3Server({ bucket: "lake", region: "auto", pageKeys: 2, ...keys, googleToken: "t0ken", fault });
  const googleEndpoint = await google.listen();
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const tokens = await tokenServer(publicKey);
  const store = {
    "connector.name": "files",
    "files.directory": "s3://lake/deep/er",
    "files.split-size": "1MB",
    "s3.endpoint": endpoint,
    "s3.region": "eu-central-1",
    "s3.path-style-access": "true",
    "s3.aws-access-key": keys.accessKey,
    "s3.aws-session-token": keys.sessionToken,
  };
  catalogs = {
    s3: { ...store, "s3.aws-secret-key": keys.secretKey },
    wrong: { ...store, "s3.aws-secret-key": "hush-hush" },
    cached: {
      ...store,
      "s3.aws-secret-key": keys.secretKey,
      "s3.read-ahead-size": "0B",
      "fs.cache.enabled": "true",
      "fs.cache.directories": `${join(folder, ".cache/a")},${join(folder, ".cache/b")}`,
      "fs.cache.max-sizes": "4MB,8MB",
      "fs.cache.page-size": "64kB",
    },
    written: {
      ...store,
      "files.directory": "s3://lake/out",
      "s3.aws-secret-key": keys.secretKey,
      "s3.streaming.part-size": "5MB",
      "files.writes-enabled": "true",
      "files.leftovers-retention": "1h",
    },
    google: {
      "connector.name": "files",
      "files.directory": "gs://lake/out",
      "gcs.endpoint": googleEndpoint,
      "gcs.json-key": JSON.stringify({
        type: "service_account",
        client_email: "orrery@project.iam.gserviceaccount.com",
        private_key_id: "k1",
        private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
        token_uri: tokens,
      }),
      "s3.streaming.part-size": "5MB",
      "files.writes-enabled": "true",
    },
    web: { "connector.name": "files", "files.directory": `http://127.0.0.1:${(web.address() as AddressInfo).port}` },
    some: {
      "connector.name": "files",
      "files.directory": `http://127.0.0.1:${(web.address() as AddressInfo).port}/`,
      "http.files": "lines.csv, items.parquet",
    },
  };
  cluster = await withCluster({ http: false, catalogs });
});

/** Gives a token for a JSON Web Token of a service account, which it verifies by itself. Returns its address. */
async function tokenServer(publicKey: KeyObject): Promise<string> {
  tokenGiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const form = new URLSearchParams(String(Buffer.concat(parts)));
      const [header = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
      const given = JSON.parse(String(Buffer.from(claims, "base64url"))) as Readonly<Record<string, unknown>>;
      const isRight =
        verify("sha256", Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, "base64url")) &&
        form.get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer" &&
        given["iss"] === "orrery@project.iam.gserviceaccount.com" &&
        given["aud"] === address &&
        Number(given["exp"]) - Number(given["iat"]) === 3600 &&
        Math.abs(Number(given["iat"]) * 1000 - Date.now()) < 600_000;
      tokensGiven++;
      response.writeHead(isRight ? 200 : 400).end(JSON.stringify(isRight ? { access_token: "t0ken", expires_in: 3599 } : {}));
    });
  });
  await new Promise<void>((resolve) => tokenGiver.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(tokenGiver.address() as AddressInfo).port}/token`;
  return address;
}

afterAll(async () => {
  await cluster.close();
  await s3.close();
  await google.close();
  tokenGiver.close();
  tokenGiver.closeAllConnections();
  await new Promise((resolve) => web.close(resolve));
  web.closeAllConnections();
  duckdb.closeSync();
  instance.closeSync();
  rmSync(folder, { recursive: true });
});

async function rows(sql: string, catalog: string): Promise<readonly (readonly unknown[])[]> {
  return (await cluster.query(sql, { catalog, schema: "default" })).rows.map((row) => row.map(String));
}

async function expected(sql: string): Promise<readonly (readonly unknown[])[]> {
  return (await duckdb.runAndReadAll(sql)).getRowsJson().map((row) => row.map(String));
}

const sums = "count(*), sum(id), max(name), sum(amount), min(CAST(day AS varchar))";

it.each(["s3", "web"])("reads files of %s", async (catalog) => {
  const file = (name: string): string => `'${join(folder, name)}'`;
  for (const [ours, theirs] of [
    ["items", file("items.parquet")],
    ["lines", file("lines.csv")],
    ["notes", file("notes.json.gz")],
    ["parts", file("parts/*/*.parquet")],
    ["'parts/**/*.parquet'", file("parts/*/*.parquet")],
  ] as const) {
    expect(await rows(`SELECT ${sums} FROM ${ours}`, catalog), ours).toEqual(await expected(`SELECT ${sums} FROM ${theirs}`));
  }
  const groups = (table: string): string => `SELECT part, count(*), sum(id) FROM ${table} GROUP BY part ORDER BY part`;
  expect(await rows(groups("parts"), catalog)).toEqual(await expected(groups(file("parts/*/*.parquet"))));
  expect(await rows("SELECT sum(x) FROM 'odd (1)+2 ~é%.csv'", catalog)).toEqual([["3"]]);
  expect(await rows('SELECT DISTINCT "$path", "$file_size" FROM items', catalog)).toEqual([
    ["items.parquet", String(statSync(join(folder, "items.parquet")).size)],
  ]);
  expect((await rows("SHOW TABLES", catalog)).flat()).toEqual(["items", "lines", "notes", "odd (1)+2 ~é%", "other", "parts"]);
  await expect(rows("SELECT * FROM 'parts/none.csv'", catalog)).rejects.toMatchObject({ message: expect.stringContaining("has no file") });
});

it("reads the files of a list", async () => {
  expect((await rows("SHOW TABLES", "some")).flat()).toEqual(["items", "lines"]);
  expect(await rows("SELECT count(*) FROM items", "some")).toEqual([["60000"]]);
});

it("refuses wrong keys without a word of them", async () => {
  const failure = await cluster.query("SELECT * FROM items", { catalog: "wrong", schema: "default" }).then(
    () => "",
    (error: unknown) => String(error),
  );
  expect(failure).toContain("403 (SignatureDoesNotMatch)");
  expect(failure).not.toMatch(/hush|AKID|token/);
});

it("takes another version of a file after it has changed", async () => {
  s3.put("deep/er/changing.csv", "x\n1\n");
  expect(await rows("SELECT sum(x) FROM changing", "s3")).toEqual([["1"]]);
  s3.put("deep/er/changing.csv", "x\n5\n");
  expect(await rows("SELECT sum(x) FROM changing", "s3")).toEqual([["5"]]);
  // Between its listing and its first range.
  s3.put("deep/er/moving.parquet", readFileSync(join(folder, "items.parquet")));
  s3.put("deep/er/gone.csv", "x\n1\n");
  s3.onGet = (key) => (key.endsWith("moving.parquet") ? s3.put(key, readFileSync(join(folder, "Other.parquet"))) : undefined);
  await expect(rows("SELECT sum(id), max(name) FROM moving", "s3")).rejects.toMatchObject({
    message: expect.stringContaining("moving.parquet: the file changed while it was read"),
  });
  s3.onGet = (key) => s3.objects.delete(key);
  await expect(rows("SELECT sum(x) FROM gone", "s3")).rejects.toMatchObject({
    message: expect.stringContaining("File gone.csv does not exist"),
  });
  s3.onGet = () => undefined;
});

it("keeps pages of files on disks, and never shows an older version", async () => {
  let gets = 0;
  s3.onGet = () => {
    gets++;
  };
  const asked = async (sql: string): Promise<readonly [unknown, number]> => {
    gets = 0;
    return [await rows(sql, "cached"), gets];
  };
  const sql = `SELECT ${sums} FROM items`;
  const right = await expected(`SELECT ${sums} FROM '${join(folder, "items.parquet")}'`);
  s3.put("deep/er/items.parquet", readFileSync(join(folder, "items.parquet")));
  const [first, firstGets] = await asked(sql);
  expect([first, firstGets > 0]).toEqual([right, true]);
  expect(await asked(sql)).toEqual([right, 0]);
  const lines = "SELECT count(*), max(id) FROM lines";
  expect((await asked(lines))[1]).toBeGreaterThan(0);
  expect(await asked(lines)).toEqual([[["50000", "49999"]], 0]);
  s3.put("deep/er/items.parquet", readFileSync(join(folder, "Other.parquet")));
  expect((await asked("SELECT sum(id) FROM items"))[0]).toEqual([["1"]]);
  s3.put("deep/er/items.parquet", readFileSync(join(folder, "items.parquet")));
  expect(await asked(sql)).toEqual([right, 0]);
  const names = readdirSync(join(folder, ".cache"), { recursive: true }).map(String);
  expect(new Set(names.map((name) => name[0]))).toEqual(new Set(["a", "b"]));
  expect(names.join()).not.toMatch(/items|lake|AKID|127\.0/);
  s3.onGet = () => undefined;
});

it.each([
  [
    { "fs.cache.directories": "/a,/b", "fs.cache.max-sizes": "1GB" },
    "'fs.cache.directories' and 'fs.cache.max-sizes' must have the same size",
  ],
  [{ "fs.cache.directories": "a", "fs.cache.max-sizes": "1GB" }, "Invalid value 'a' for property 'fs.cache.directories'"],
  [{ "fs.cache.directories": "/a", "fs.cache.max-sizes": "1" }, "Invalid value '1' for property 'fs.cache.max-sizes'"],
  [{ "fs.cache.page-size": "16MB" }, "Invalid value '16MB' for property 'fs.cache.page-size'"],
  [{ "files.directory": "/x" }, "Property 'fs.cache.enabled' needs files in an object store"],
])("refuses a cache with %s", async (properties, message) => {
  const catalog = { "connector.name": "files", "files.directory": "s3://lake", "fs.cache.enabled": "true", ...properties };
  await expect(withCluster({ http: false, catalogs: { c: catalog } })).rejects.toThrow(message);
});

it("finds keys as AWS's tools do", async () => {
  const home = join(folder, "home.aws");
  writeFileSync(
    home,
    "[default]\naws_access_key_id = A\naws_secret_access_key = B\n\n[other]\naws_access_key_id=C\naws_secret_access_key=D\naws_session_token=E==\n",
  );
  const of = (environment: Readonly<Record<string, string>>, profile?: string) =>
    new RealOutbound({ HOME: folder, AWS_SHARED_CREDENTIALS_FILE: home, ...environment }).accessKeys(profile);
  const variables = { AWS_ACCESS_KEY_ID: "X", AWS_SECRET_ACCESS_KEY: "Y", AWS_SESSION_TOKEN: "Z" };
  expect(await of({})).toEqual({ accessKey: "A", secretKey: "B" });
  expect(await of(variables)).toEqual({ accessKey: "X", secretKey: "Y", sessionToken: "Z" });
  expect(await of(variables, "other")).toEqual({ accessKey: "C", secretKey: "D", sessionToken: "E==" });
  expect(await of({ AWS_PROFILE: "other" })).toEqual({ accessKey: "C", secretKey: "D", sessionToken: "E==" });
  expect(await of({}, "none")).toBeUndefined();
});

it("writes to and reads from a bucket of Google, whose versions are generations", async () => {
  await rows("CREATE TABLE parts (v bigint, k varchar) WITH (partitioned_by = ARRAY['k'])", "google");
  await rows("INSERT INTO parts VALUES (1, 'x'), (2, 'y'), (3, NULL), (10, 'x')", "google");
  await rows("UPDATE parts SET v = v * 2 WHERE k IS NULL", "google");
  const groups = "SELECT k, count(*), sum(v) FROM parts GROUP BY k ORDER BY k";
  expect(await rows(groups, "google")).toEqual([
    ["x", "2", "11"],
    ["y", "1", "2"],
    ["null", "1", "6"],
  ]);
  await expect(rows("CREATE TABLE parts (v bigint)", "google")).rejects.toThrow("already exists");
  await rows("DROP TABLE parts", "google");
  expect([...google.objects.keys()]).toEqual([]);
  // One for each node: the coordinator and the workers.
  expect(tokensGiven).toBeLessThanOrEqual(4);
});

it("ends what waits for a server with its query and its source, whatever the store", async () => {
  const ofGoogle = { ...catalogs["google"], "files.directory": "gs://lake/in" };
  google.put("in/lines.csv", readFileSync(join(folder, "lines.csv")));
  for (const properties of [catalogs["s3"], catalogs["cached"], ofGoogle, catalogs["some"]]) {
    const { "connector.name": _name, ...given } = properties as Readonly<Record<string, string>>;
    await checkEnding(filesConnectorFactory, { properties: given, tables: ["default.lines"] });
  }
});

describe("writing to a bucket", () => {
  const objectsOf = (table: string): readonly string[] => [...s3.objects.keys()].filter((key) => key.startsWith(`out/${table}/`));
  // If the answer to its beginning was lost, an upload has no parts and nobody knows of it until it is swept by age.
  const uploadsWithParts = (): readonly string[] => [...s3.uploads].filter(([, { parts }]) => parts.size > 0).map(([id]) => id);
  const failure = (sql: string): Promise<string> => rows(sql, "written").then(String, (error: unknown) => (error as Error).message);

  /** What DuckDB reads of the table's files. */
  async function duck(table: string, select: string): Promise<readonly (readonly unknown[])[]> {
    const below = join(folder, `.${table}`);
    for (const key of objectsOf(table)) {
      const path = join(below, key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, s3.objects.get(key)?.bytes ?? "");
    }
    const found = await expected(`SELECT ${select} FROM read_parquet('${below}/**/*.parquet', hive_partitioning = true)`);
    rmSync(below, { recursive: true });
    return found;
  }

  it("has parts that become files, and writes that become visible as one", async () => {
    s3.completed = [];
    const some = "SELECT n AS id, n * 7919 % 1000003 AS a, n * 104729 AS b FROM TABLE(system.builtin.sequence(1, 450000)) AS t(n)";
    const made = `CREATE TABLE big WITH (format = 'PARQUET', compression_codec = 'NONE') AS ${some}`;
    expect(await rows(made, "written")).toEqual([["450000"]]);
    const select = "count(*), sum(id), sum(a), max(b)";
    const source = await rows(`SELECT ${select} FROM (${some})`, "written");
    expect(await rows(`SELECT ${select} FROM big`, "written")).toEqual(source);
    expect(await duck("big", select)).toEqual(source);
    expect(Math.max(...s3.completed)).toBeGreaterThan(1);

    await rows("CREATE TABLE parts (v bigint, k varchar) WITH (partitioned_by = ARRAY['k'])", "written");
    expect(await rows("SELECT count(*) FROM parts", "written")).toEqual([["0"]]);
    await rows("INSERT INTO parts VALUES (1, 'x'), (2, 'y'), (3, NULL)", "written");
    await rows("INSERT INTO parts SELECT 10, 'x'", "written");
    const sums = "k, count(*), sum(v)";
    expect(await rows(`SELECT ${sums} FROM parts GROUP BY k ORDER BY k`, "written")).toEqual([
      ["x", "2", "11"],
      ["y", "1", "2"],
      ["null", "1", "3"],
    ]);
    expect(await duck("parts", "count(*), sum(v)")).toEqual([["4", "16"]]);
    await rows("COMMENT ON TABLE parts IS 'of a bucket'", "written");
    expect(String((await rows("SHOW CREATE TABLE parts", "written"))[0])).toContain("COMMENT 'of a bucket'");
    expect((await rows("SHOW TABLES", "written")).flat()).toEqual(["big", "parts"]);
    expect(await failure("CREATE TABLE parts (v bigint)")).toContain("already exists");
    await rows("CREATE VIEW seen AS SELECT max(v) AS v FROM parts", "written");
    const [[most] = []] = await rows("SELECT max(v) FROM parts", "written");
    expect(await rows("SELECT v FROM seen", "written")).toEqual([[most]]);
    await rows("ALTER VIEW seen RENAME TO shown", "written");
    expect(await rows("SHOW TABLES LIKE 's%n'", "written")).toEqual([["shown"]]);
    await rows("DROP VIEW shown", "written");
    await rows("DROP TABLE big", "written");
    expect(objectsOf("big")).toEqual([]);
    expect(uploadsWithParts()).toEqual([]);
  });

  it("leaves no part when a write fails, and shows no half of one", async () => {
    const before = await rows("SELECT count(*) FROM parts", "written");
    // The rows fail when some files have been staged.
    expect(
      await failure(
        "INSERT INTO parts SELECT 1 / (n - 90000), CAST(n % 50 AS varchar) FROM TABLE(system.builtin.sequence(1, 90000)) AS t(n)",
      ),
    ).toContain("Division by zero");
    // The commit fails when some files are there: the table has none of them.
    let completed = 0;
    s3.onWrite = (method, _key, query) => (method === "POST" && query.has("uploadId") && ++completed > 3 ? 403 : undefined);
    expect(await failure("INSERT INTO parts SELECT n, CAST(n AS varchar) FROM TABLE(system.builtin.sequence(1, 9)) AS t(n)")).toContain(
      "status 403",
    );
    expect(await failure("CREATE TABLE half AS SELECT 1 AS a")).toContain("status 403");
    s3.onWrite = () => undefined;
    expect(await rows("SELECT count(*) FROM parts", "written")).toEqual(before);
    expect(objectsOf("half")).toEqual([]);
    expect(uploadsWithParts()).toEqual([]);
    expect(await duck("parts", "count(*)")).toEqual(before);
    await rows("CREATE TABLE half AS SELECT 1 AS a", "written");
    expect(await rows("SELECT a FROM half", "written")).toEqual([["1"]]);
  });

  it("does not see what a writer that crashed has left, and removes it", async () => {
    const write = "20240131_120000_00000_abcdefgh";
    const file = s3.objects.get(objectsOf("half").find((key) => key.endsWith(".parquet")) ?? "")?.bytes ?? "";
    s3.put(`out/half/${write}/1.parquet`, file);
    s3.uploads.set("crashed", {
      key: `out/half/${write}/2.parquet`,
      parts: new Map([[1, { bytes: Buffer.alloc(1), etag: "1", generation: 1 }]]),
    });
    s3.uploads.set("of others", { key: "out/half/other.bin", parts: new Map([[1, { bytes: Buffer.alloc(1), etag: "1", generation: 1 }]]) });
    // A table that was being created, and one that was being dropped.
    s3.put("out/creating/.orrery-hidden", "x");
    s3.put(`out/creating/${write}/1.parquet`, file);
    expect(await rows("SELECT a FROM half", "written")).toEqual([["1"]]);
    expect((await rows("SHOW TABLES", "written")).flat()).toEqual(["half", "parts"]);
    expect(await failure("SELECT * FROM creating")).toContain("does not exist");
    await rows("INSERT INTO half VALUES 2", "written");
    expect(await rows("SELECT a FROM half ORDER BY a", "written")).toEqual([["1"], ["2"]]);
    expect(objectsOf("half").filter((key) => key.includes(write))).toEqual([]);
    expect(uploadsWithParts()).toEqual(["of others"]);
    await rows("CREATE TABLE creating AS SELECT 5 AS b", "written");
    expect(await rows("SELECT b FROM creating", "written")).toEqual([["5"]]);
    expect(objectsOf("creating").filter((key) => key.includes(write))).toEqual([]);
    // A writer that is at work keeps the name.
    s3.put("out/taken/.orrery-hidden", "x");
    s3.modified.set("out/taken/.orrery-hidden", new Date().toUTCString());
    expect(await failure("CREATE TABLE taken AS SELECT 1 AS a")).toContain("Table 'written.default.taken' is being created or dropped");
    expect(objectsOf("taken")).toEqual(["out/taken/.orrery-hidden"]);
  });

  it("replaces the files of a table by one description", async () => {
    await rows("CREATE TABLE changed (v bigint, k varchar) WITH (partitioned_by = ARRAY['k'])", "written");
    await rows("INSERT INTO changed VALUES (1, 'x'), (2, 'y'), (3, NULL), (10, 'x')", "written");
    await rows("UPDATE changed SET v = v * 2, k = 'z' WHERE k IS NULL", "written");
    await rows(
      "MERGE INTO changed USING (VALUES 1, 7) AS s (a) ON v = a WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (a, 'm')",
      "written",
    );
    expect(await rows("SELECT v, k FROM changed ORDER BY v", "written")).toEqual([
      ["2", "y"],
      ["6", "z"],
      ["7", "m"],
      ["10", "x"],
    ]);
    // Of the writes before nothing is left.
    expect(await duck("changed", "count(*), sum(v)")).toEqual([["4", "25"]]);
  });
});
