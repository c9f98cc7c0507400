/**
 * Files in an object store: an S3 server that checks signatures, and a web server, in the whole engine. DuckDB writes the files and is the
 * oracle.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RealOutbound } from "../../src/server/ports/outbound.ts";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { S3Server, type StoreFault } from "../support/stores/s3-server.ts";

const keys = { accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", sessionToken: "a+token/of==" };
const faults: readonly StoreFault[] = ["slow-down", "reset", "cut-short", "error-500", "half-list"];
let requests = 0;
let folder: string;
let s3: S3Server;
let web: Server;
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
  cluster = await withCluster({
    http: false,
    catalogs: {
      s3: { ...store, "s3.aws-secret-key": keys.secretKey },
      wrong: { ...store, "s3.aws-secret-key": "hush-hush" },
      web: { "connector.name": "files", "files.directory": `http://127.0.0.1:${(web.address() as AddressInfo).port}` },
      some: {
        "connector.name": "files",
        "files.directory": `http://127.0.0.1:${(web.address() as AddressInfo).port}/`,
        "http.files": "lines.csv, items.parquet",
      },
    },
  });
});

afterAll(async () => {
  await cluster.close();
  await s3.close();
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
