/**
 * Names from users never index plain objects: `constructor`, `__proto__` and similar names behave like any other name. Each statement and
 * each request runs with such a name and with a neutral one of the same length; apart from the name, the answers must be equal. In
 * addition, no engine code may look up the name on `Object.prototype` (trap.ts).
 */
import { runInThisContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectorFactories } from "../../src/connectors/registry.ts";
import { parseProperties } from "../../src/server/properties.ts";
import { DirectCluster } from "../unit/coordinator/direct-cluster.ts";
import { callsOf, type Door, doorsOf, statementsOf } from "./names.ts";
import { setTrap, type Trap } from "./trap.ts";

const hostile = ["__proto__", "constructor", "toString", "hasOwnProperty"];
const trapped = "trapped_name";

let cluster: DirectCluster;

beforeAll(async () => {
  cluster = await DirectCluster.start({
    workerCount: 1,
    forgetful: true,
    factories: connectorFactories,
    catalogs: [
      { name: "memory", properties: { "connector.name": "memory" } },
      { name: "tpch", properties: { "connector.name": "tpch" } },
    ],
  });
  await cluster.untilWorkers(1);
});

afterAll(() => cluster.close());

/** A name of the same length and kind that no object has. */
function neutralFor(name: string): string {
  return name.startsWith("__") ? "__pruto__" : `${name.slice(0, -2)}zq`;
}

/** Removes the name and values that differ between any two answers. */
function blank(text: string, name: string): string {
  return text
    .replaceAll(/\d{8}_\d{6}_\d{5}_\w{5}/g, "<query>")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?/g, "<time>")
    .replaceAll(/"(\w*(?:Time|Millis|Bytes|Memory|slug|Uptime|uptime|lastHeartbeat)\w*)":("[^"]*"|[\d.]+)/g, '"$1":0')
    .replaceAll(/\/[xy][0-9a-f]{8,}\//g, "/<slug>/")
    .replaceAll(new RegExp(name, "gi"), "<name>")
    .replaceAll(new RegExp(name.replaceAll("_", ""), "gi"), "<name>");
}

async function outcomeOf(sql: string, name: string, headers = {}): Promise<string> {
  const {
    rows,
    columns,
    error,
    headers: told,
  } = await cluster.run(sql, { "x-engine-client-capabilities": "PARAMETRIC_DATETIME", ...headers });
  const session = Object.entries(told).filter(([header]) => header.startsWith("x-engine-"));
  const outcome = error === undefined ? { rows, columns, session } : { error: `${error.errorName}: ${error.message}` };
  return blank(JSON.stringify(outcome), name);
}

async function answerOf(door: Door, name: string): Promise<{ readonly status: number; readonly text: string }> {
  const { method, path, body = "", headers = {} } = door;
  if (path.startsWith("/v1/statement") && method === "POST") {
    const { status, text } = await cluster.ask(method as "POST", `${cluster.coordinator.selfUri}${path}`, body, headers);
    const nextUri = status === 200 ? (JSON.parse(text) as { nextUri?: string }).nextUri : undefined;
    const { rows, error, state } = nextUri === undefined ? { rows: [], error: undefined, state: "" } : await cluster.follow(nextUri);
    const outcome = status === 200 ? JSON.stringify([rows, error?.errorName, error?.message, state]) : text;
    return { status, text: blank(outcome, name) };
  }
  const { status, text } = await cluster.ask(method, `${cluster.coordinator.selfUri}${path}`, body, headers);
  return { status, text: blank(text, name) };
}

describe.each(hostile)("%s", (name) => {
  test("in statements", async () => {
    const neutral = neutralFor(name);
    const [statements, others] = [statementsOf(name), statementsOf(neutral)];
    for (const [index, sql] of statements.entries()) {
      expect(`${sql}: ${await outcomeOf(sql, name)}`).toBe(`${sql}: ${await outcomeOf(others[index] as string, neutral)}`);
    }
  });

  test("in headers, paths and documents", async () => {
    const neutral = neutralFor(name);
    const [doors, others] = [doorsOf(name), doorsOf(neutral)];
    for (const [index, door] of doors.entries()) {
      const answer = await answerOf(door, name);
      expect({ door, ...answer }).toEqual({ door, ...(await answerOf(others[index] as Door, neutral)) });
      expect(answer.status, JSON.stringify(door)).toBeLessThan(500);
    }
  });
});

describe("no code of the engine looks for a name from outside on Object.prototype", () => {
  let trap: Trap;
  const trapNames = [trapped, trapped.toUpperCase(), trapped.replaceAll("_", ""), `${trapped}x`];
  const withTrap = async (run: () => Promise<void>): Promise<readonly string[]> => {
    trap = setTrap(trapNames);
    try {
      await run();
      return trap.places();
    } finally {
      trap.release();
    }
  };

  test("statements", async () => {
    const session = {
      "x-engine-prepared-statement": `${trapped}=SELECT%201`,
      "x-engine-extra-credential": `${trapped}=x`,
      "x-engine-role": `${trapped}=NONE`,
    };
    const places = await withTrap(async () => {
      for (const sql of statementsOf(trapped)) {
        await cluster.run(sql, session);
      }
      for (const sql of callsOf(trapped)) {
        await cluster.run(sql);
      }
    });
    expect(places).toEqual([]);
  });

  test("headers, paths and documents", async () => {
    const places = await withTrap(async () => {
      for (const door of doorsOf(trapped)) {
        await answerOf(door, trapped);
      }
    });
    expect(places).toEqual([]);
  });

  test("property files", async () => {
    const read = (text: string): unknown => {
      try {
        return [...parseProperties(text, { source: "config.properties", environment: { HOME: "/" } })];
      } catch (error) {
        return (error as Error).message;
      }
    };
    const places = await withTrap(async () => {
      read(`${trapped}=1\na=\${ENV:${trapped}}`);
    });
    expect(places).toEqual([]);
    expect(read("__proto__=1\nconstructor=2")).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
    ]);
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect(read(`a=\${ENV:${name}}`)).toBe(`config.properties:1: environment variable '${name}' is not set`);
    }
  });

  test("the trap notices reads and writes, not own members", async () => {
    const filename = "/project/src/sample/sample.ts";
    const lookUp = runInThisContext("(object, name) => object[name]", { filename }) as (object: object, name: string) => unknown;
    const put = runInThisContext("\n(object, name) => (object[name] = 1)", { filename }) as (object: object, name: string) => unknown;
    expect(await withTrap(async () => void lookUp({ [trapped]: "own" }, trapped))).toEqual([]);
    expect(await withTrap(async () => void lookUp({}, trapped))).toEqual(["src/sample/sample.ts:1"]);
    expect(await withTrap(async () => void put({}, trapped))).toEqual(["src/sample/sample.ts:2"]);
  });
});
