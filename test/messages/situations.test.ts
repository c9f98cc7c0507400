/**
 * Errors equal those of Presto and Trino, situation by situation: name, code, type, message and location.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectorFactories } from "../../src/connectors/registry.ts";
import { FormatError } from "../../src/functions/scalar/string/format/specifier.ts";
import { JsonError } from "../../src/functions/scalar/json/path/errors.ts";
import { PathSyntaxError } from "../../src/functions/scalar/json/path/parse.ts";
import { errorCatalogue, type ErrorName, QueryError } from "../../src/protocol/errors.ts";
import { DirectCluster } from "../unit/coordinator/direct-cluster.ts";
import { testingConnectorFactory } from "../unit/execution/operators/table-function/testing-functions.ts";
import { limitSituations } from "./limits.ts";
import { elsewhere } from "./places/elsewhere.ts";
import { placesIn, RaisedPlaces } from "./places/places.ts";
import { isMessage, parseSituations, type Situation } from "./situations.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "situations");
const situationsOf = (file: string): readonly Situation[] => parseSituations(file, readFileSync(join(folder, file), "utf8"));
const files = readdirSync(folder).filter((name) => name.endsWith(".sql") && name !== "setup.sql");

const sessionHeaders = {
  "x-engine-catalog": "memory",
  "x-engine-schema": "s1",
  "x-engine-client-capabilities": "PARAMETRIC_DATETIME",
};

let cluster: DirectCluster;
const raised = new RaisedPlaces([QueryError, JsonError, PathSyntaxError, FormatError]);

beforeAll(async () => {
  cluster = await DirectCluster.start({
    workerCount: 0,
    factories: [...connectorFactories, testingConnectorFactory],
    catalogs: ["memory", "tpch", "blackhole", "tpcds", "testing"].map((name) => ({ name, properties: { "connector.name": name } })),
  });
  for (const { sql } of situationsOf("setup.sql")) {
    await cluster.rows(sql);
  }
});

afterAll(() => cluster.close());

interface ErrorDocument {
  readonly errorName: string;
  readonly errorCode: number;
  readonly errorType: string;
  readonly message: string;
  readonly errorLocation?: { readonly lineNumber: number; readonly columnNumber: number };
}

async function check({ sql, headers, error: wanted }: Situation): Promise<void> {
  const given = Object.entries({ ...sessionHeaders, ...headers }).filter(([, value]) => value !== "");
  const error = (await cluster.run(sql, Object.fromEntries(given))).error as ErrorDocument | undefined;
  if (wanted === undefined) {
    expect(error?.message).toBeUndefined();
    return;
  }
  const told = error === undefined ? "no error" : `${error.errorName} ${error.message}`;
  const asWanted = error !== undefined && isMessage(error.message, wanted.message ?? error.message);
  expect(told).toBe(`${wanted.name} ${asWanted ? error.message : wanted.message}`);
  const { code, type } = errorCatalogue[wanted.name as ErrorName];
  expect([error?.errorCode, error?.errorType]).toEqual([code, type]);
  const [, line, column] = /^line (\d+):(\d+): /.exec(error?.message ?? "") ?? [];
  expect(error?.errorLocation).toEqual(line === undefined ? undefined : { lineNumber: Number(line), columnNumber: Number(column) });
}

for (const file of files) {
  describe(file, () => {
    for (const situation of situationsOf(file)) {
      test(`${situation.place} ${situation.sql.slice(0, 100)}`, () => check(situation));
    }
  });
}

describe("limits of the language", () => {
  for (const situation of limitSituations) {
    test(situation.place, () => check(situation));
  }
});

test("no statement is asked twice, and the engine was never surprised", () => {
  expect(cluster.warnings).toEqual([]);
  const situations = files.flatMap(situationsOf);
  const texts = situations.map(({ sql, headers }) => JSON.stringify([sql, headers]));
  expect(new Set(texts).size).toBe(texts.length);
});

/** The rooms whose errors statements can raise; errors of nodes, networks and files have tests of their own. */
const rooms =
  "sql types functions planner execution/expressions execution/operators/pattern execution/operators/table-function connectors/memory connectors/system".split(
    " ",
  );

test("each place that raises an error is reached by a situation, or a reason says why not", () => {
  raised.release();
  const places = placesIn(rooms.map((room) => `src/${room}`));
  const missed = places.filter(({ at }) => !raised.lines.has(at)).map(({ text }) => text);
  const excuses = elsewhere.flatMap(({ places: texts }) => texts);
  expect(missed.filter((text) => !excuses.some((start) => text.startsWith(start)))).toEqual([]);
  // Every excuse is needed: its place exists and is not reached.
  expect(excuses.filter((start) => !missed.some((text) => text.startsWith(start)))).toEqual([]);
});
