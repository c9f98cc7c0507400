/** The rules of the SPI: our own connectors that need no server keep them, and each is broken by a connector that breaks it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { connectorProject } from "../../../src/bin/connector-project.ts";
import { blackholeConnectorFactory } from "../../../src/connectors/blackhole/blackhole.ts";
import { fakerConnectorFactory } from "../../../src/connectors/faker/faker.ts";
import { filesConnectorFactory } from "../../../src/connectors/files/files.ts";
import { sqliteConnectorFactory } from "../../../src/connectors/sqlite/sqlite.ts";
import type { ConnectorFactory } from "../../../src/connectors/spi.ts";
import { memoryConnectorFactory } from "../../../src/connectors/memory/memory.ts";
import { tpchConnectorFactory } from "../../../src/connectors/tpch/tpch.ts";
import { written } from "../../support/programs/sqlite.ts";
import { brokenConnectors, soundFactory } from "./broken.ts";
import { failingSources, readingFactory } from "./failing-sources.ts";
import { checkConnector, connectorKit } from "../../../src/testing/connector/index.ts";

const folder = mkdtempSync(join(tmpdir(), "orrery-kit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All rules but writing, secrets, failures of ports and operations that are taken over. */
const readingCount = 16;
const dropped = "rows are dropped on purpose";
const writesDropped = {
  "what is written is read back": dropped,
  "a write that fails leaves nothing": dropped,
  "a write that is cancelled leaves nothing": dropped,
  "rows become visible with their commit, once": dropped,
};

it("tpch", async () => {
  const report = await checkConnector(tpchConnectorFactory, { tables: ["tiny.nation"] });
  expect(report.broken).toEqual([]);
  expect(report.held).toHaveLength(readingCount);
});

it("memory", async () => {
  const report = await checkConnector(memoryConnectorFactory, {
    prepare: ["CREATE TABLE default.t AS SELECT *, ARRAY[name] AS names FROM tpch.tiny.nation"],
  });
  expect(report.broken).toEqual([]);
  expect(report.held).toHaveLength(readingCount + 4);
});

it("files", async () => {
  writeFileSync(join(folder, "cities.csv"), "city,people,since\nRome,2800000,1871-02-03\nOslo,700000,\n");
  writeFileSync(join(folder, "events.json"), '{"id":1,"tags":["a","b"]}\n{"id":2,"tags":null}\n');
  const report = await checkConnector(filesConnectorFactory, {
    properties: { "files.directory": folder, "files.writes-enabled": "true" },
    tables: ["default.cities", "default.events"],
  });
  expect(report.broken).toEqual([]);
  expect(report.held).toHaveLength(readingCount + 5);
});

it("faker", async () => {
  const report = await checkConnector(fakerConnectorFactory, {
    properties: { "faker.default-limit": "40" },
    prepare: ["CREATE TABLE default.t (n bigint, v varchar(9), c char(3), d decimal(30, 2), t timestamp(6), u uuid, b boolean, r real)"],
    except: writesDropped,
  });
  expect(report.broken).toEqual([]);
});

it("blackhole", async () => {
  const report = await checkConnector(blackholeConnectorFactory, {
    properties: { "blackhole.split-count": "2", "blackhole.rows-per-split": "3" },
    prepare: ["CREATE TABLE default.t (n bigint, v varchar, ok boolean)"],
    except: writesDropped,
  });
  expect(report.broken).toEqual([]);
});

it("sqlite", async () => {
  const file = join(folder, "kit.db");
  const statements = [
    "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, price DECIMAL(9,2), day DATE, ok BOOLEAN)",
    "INSERT INTO t VALUES (1, 'a_b', 1.25, '2024-01-02', 1), (2, NULL, NULL, NULL, NULL), (7, 'A%b ', -3, '2023-12-31', 0)",
    'CREATE TABLE "odd_name%" (k INTEGER)',
  ];
  writeFileSync(
    file,
    written((database) => statements.forEach((sql) => database.exec(sql))),
  );
  const report = await checkConnector(sqliteConnectorFactory, { properties: { "sqlite.file": file } });
  expect(report.broken).toEqual([]);
  expect(report.held).toHaveLength(readingCount + 2);
});

const secret = { "numbers.password": "swordfish" };

it("a small connector keeps all rules", async () => {
  const { broken, held, unconcerned } = await checkConnector(soundFactory, { properties: secret });
  expect(broken).toEqual([]);
  expect(held).toHaveLength(readingCount + 1);
  expect(unconcerned.map(({ reason }) => reason)).toEqual([
    "its sources read nothing through the ports of the node",
    "it waits for no server",
    "the connector takes no operation over",
    ...Array(4).fill("the connector does not create and drop tables"),
  ]);
});

it("a small connector that reads a file keeps all rules", async () => {
  const { broken, held } = await checkConnector(readingFactory, { properties: secret });
  expect(broken).toEqual([]);
  expect(held).toHaveLength(readingCount + 2);
});

const allBroken = [...brokenConnectors, ...failingSources];

describe("a connector that", () => {
  it.each(allBroken)("$name", async ({ factory, patienceMs, prepare = [], problem, rule }) => {
    const properties = factory.name === "numbers" ? secret : {};
    const kit = connectorKit(factory, { properties, prepare, ...(patienceMs !== undefined && { patienceMs }) });
    try {
      await expect(kit.rules.find(({ name }) => name === rule)?.check()).rejects.toThrow(problem);
    } finally {
      await kit.close();
    }
  });

  it("breaks each rule is there", () => {
    const { rules } = connectorKit(soundFactory);
    const found = new Set(allBroken.map(({ rule }) => rule));
    expect(rules.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([]);
  });
});

it("the connector of a new project keeps all rules", async () => {
  const project = connectorProject("my-store", "1.0.0");
  const file = join(folder, "my-store.ts");
  writeFileSync(file, project["src/connector.ts"] ?? "");
  const { myStore } = (await import(file)) as { readonly myStore: ConnectorFactory };
  const report = await checkConnector(myStore, { properties: { "my-store.count": "20" } });
  expect(report.broken).toEqual([]);
  expect(report.held).toHaveLength(readingCount);
});

it("names the rules if an exception names none", () => {
  expect(() => connectorKit(soundFactory, { except: { "rows are red": "a typo" } })).toThrow(
    /no rule 'rows are red'; the rules are: schemas/,
  );
});

it("says if there is nothing to read", async () => {
  const { broken } = await checkConnector(memoryConnectorFactory);
  expect(broken[0]?.problem).toBe("the connector lists no table; make one with 'prepare', or name those to read in 'tables'");
});
