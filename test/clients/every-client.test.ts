/**
 * One suite for every client library that this project can install; adapters list what a library does not support.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import type { CaseName } from "./adapters/adapter.ts";
import { clientAdapters } from "./adapters/all.ts";
import { Bench, cases } from "./cases.ts";

let cluster: LoopbackCluster;
const report: string[] = [];

beforeAll(async () => {
  cluster = await startLoopbackCluster();
});

afterAll(async () => {
  await cluster.stop();
  process.stdout.write(`${report.join("\n")}\n`);
});

const names = Object.keys(cases) as CaseName[];

describe.each(clientAdapters.map((client, index) => ({ ...client, index })))("$name", (client) => {
  const asked = names.filter((name) => client.lacks[name] === undefined);
  let passed = 0;

  it.each(asked)("%s", async (name) => {
    await cases[name](new Bench(cluster, client, client.index));
    passed++;
  });

  afterAll(() => {
    const lacking = names.filter((name) => client.lacks[name] !== undefined).map((name) => `${name}: ${client.lacks[name]}`);
    report.push(`${client.name}: ${passed} of ${asked.length} pass; of the suite's ${names.length} it lacks ${lacking.length}`);
    report.push(...lacking.map((line) => `    lacks ${line}`));
  });
});

it("covers every client once", () => {
  expect(new Set(clientAdapters.map(({ name }) => name)).size).toBe(clientAdapters.length);
});
