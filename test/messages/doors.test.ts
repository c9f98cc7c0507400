/**
 * Every request with a body gets malformed bodies: the status must be below 500, and a 400 says in plain text what is wrong. Malformed
 * bodies are invalid JSON, JSON of another kind, and the documents' own examples with each member in turn omitted, renamed or replaced.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectorFactories } from "../../src/connectors/registry.ts";
import { documents } from "../../src/protocol/documents/documents.ts";
import { DirectCluster } from "../unit/coordinator/direct-cluster.ts";
import { unlikeMessage } from "./shape.ts";

let cluster: DirectCluster;

beforeAll(async () => {
  cluster = await DirectCluster.start({
    workerCount: 1,
    factories: connectorFactories,
    catalogs: ["memory", "tpch", "blackhole"].map((name) => ({ name, properties: { "connector.name": name } })),
  });
  await cluster.untilWorkers(1);
});

afterAll(() => cluster.close());

beforeEach(() => {
  cluster.warnings.length = 0;
});

const taskId = "20200101_000000_00000_aaaaa.1.0";
const liveWrites = { owner: { incarnation: "a", nodeId: "b" }, next: 3, live: [[1, 2]] };

interface BodyDoor {
  readonly method: "POST" | "PUT";
  readonly path: string;
  /** A valid body, to be mutated. */
  readonly example: unknown;
}

const doors: readonly BodyDoor[] = [
  ...documents
    .filter(({ direction }) => direction === "request")
    .map(({ method, pattern, example }) => ({
      method: method as "POST" | "PUT",
      path: pattern.replace("{taskId}", taskId).replace("{nodeId}", "worker-1"),
      // SHUTTING_DOWN would end the node.
      example: example === "SHUTTING_DOWN" ? "ACTIVE" : example,
    })),
  ...["memory", "tpch", "blackhole", "system", "nosuch"].map(
    (catalog): BodyDoor => ({ method: "POST", path: `/v1/catalog/${catalog}/call`, example: liveWrites }),
  ),
  ...["killed", "preempted"].map(
    (end): BodyDoor => ({ method: "PUT", path: `/v1/query/20200101_000000_00000_aaaaa/${end}`, example: "x" }),
  ),
];

const noJson = [
  "",
  " ",
  "{",
  "[",
  '{"a":',
  '{"a":1,}',
  "nul",
  "NaN",
  "undefined",
  "'x'",
  '"\\ud800',
  '"\\x"',
  "1e",
  "01",
  "\u0000",
  "\ufeff{}",
  "{}{}",
  `${"[".repeat(100_000)}`,
];
const otherJson: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  "",
  "x",
  [],
  [[]],
  {},
  { a: { b: [] } },
  [null],
  { __proto__: 1 },
  { length: 3 },
];
const replacements: readonly unknown[] = [
  null,
  "rubbish",
  -1,
  1.5,
  1e300,
  true,
  [],
  [null],
  {},
  { kind: "x" },
  "__proto__",
  "9".repeat(30),
  "😀",
];

/** The document with one value changed, for each position and each change. */
function spoiled(document: unknown): readonly unknown[] {
  const inside = Array.isArray(document)
    ? document.slice(0, 3).flatMap((member: unknown, index) => spoiled(member).map((other) => document.with(index, other) as unknown))
    : typeof document === "object" && document !== null
      ? Object.entries(document).flatMap(([key, member]) => [
          ...spoiled(member).map((other) => ({ ...document, [key]: other })),
          Object.fromEntries(Object.entries(document).filter(([name]) => name !== key)),
          Object.fromEntries(Object.entries(document).map(([name, value]) => [name === key ? "__proto__" : name, value])),
        ])
      : [];
  return [...inside, ...replacements];
}

async function answer(door: BodyDoor, uri: string, body: string | Uint8Array): Promise<void> {
  const { status, text, headers } = await cluster.ask(door.method, `${uri}${door.path}`, body);
  const what = `${door.method} ${door.path} ${typeof body === "string" ? body.slice(0, 300) : `bytes ${body.join()}`}: ${status} ${text.slice(0, 300)}`;
  expect(status, what).toBeLessThan(500);
  if (status === 400) {
    expect(headers["content-type"], what).toBe("text/plain");
    expect(unlikeMessage(text), what).toBeUndefined();
  }
}

describe.each(doors.map((door) => [`${door.method} ${door.path}`, door] as const))("%s", (_, door) => {
  test("deeply nested documents are rejected or harmless", async () => {
    for (const node of cluster.nodes) {
      for (const depth of [999, 5000, 200_000]) {
        await answer(door, node.selfUri, `${"[".repeat(depth)}${"]".repeat(depth)}`);
        await answer(door, node.selfUri, `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
        await answer(
          door,
          node.selfUri,
          JSON.stringify(door.example).replace(/:(?=[{["\d])/, `:${"[".repeat(depth)}${"]".repeat(depth)},"rest":`),
        );
      }
    }
    expect(cluster.warnings.filter((warning) => warning.includes("unexpected"))).toEqual([]);
  });

  test("invalid JSON is rejected", async () => {
    for (const node of cluster.nodes) {
      for (const body of noJson) {
        await answer(door, node.selfUri, body);
      }
      await answer(door, node.selfUri, Uint8Array.of(0x22, 0xff, 0xfe, 0x22));
      await answer(door, node.selfUri, Uint8Array.of(0xc3, 0x28));
    }
    expect(cluster.warnings.filter((warning) => warning.includes("unexpected"))).toEqual([]);
  });

  test("other documents, and its own with a place spoiled, are refused or harmless", async () => {
    for (const node of cluster.nodes) {
      for (const document of [...otherJson, ...spoiled(door.example)]) {
        await answer(door, node.selfUri, JSON.stringify(document));
      }
    }
    expect(cluster.warnings.filter((warning) => warning.includes("unexpected"))).toEqual([]);
  });
});

test("the catalogs of the nodes take the calls that their instances send, and no others", async () => {
  const worker = cluster.nodes[1]?.selfUri ?? "";
  const call = async (document: unknown): Promise<readonly [number, string]> => {
    const { status, text } = await cluster.ask("POST", `${worker}/v1/catalog/memory/call`, JSON.stringify(document));
    return [status, text];
  };
  expect(await call(liveWrites)).toEqual([200, '{"result":null}']);
  expect(await call({})).toEqual([400, "The call of catalog memory is not valid: owner must be an object"]);
  expect(await call(null)).toEqual([400, "The call of catalog memory is not valid: the call must be an object"]);
  expect(await call({ ...liveWrites, next: 1.5 })).toEqual([
    400,
    "The call of catalog memory is not valid: next must be the number of a write",
  ]);
  expect(await call({ ...liveWrites, live: [[1]] })).toEqual([
    400,
    "The call of catalog memory is not valid: live must hold pairs of the numbers of writes",
  ]);
});

test("the cluster is unchanged", async () => {
  // The mutated announcement named a worker that does not exist.
  await cluster.ask("DELETE", `${cluster.coordinator.selfUri}/v1/announcement/worker-1`);
  await cluster.untilWorkers(1);
  expect((await cluster.run("SELECT count(*) FROM tpch.tiny.nation")).rows).toEqual([[25]]);
});
