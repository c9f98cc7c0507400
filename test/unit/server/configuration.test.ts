import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryDefaults } from "../../../src/config.ts";
import { coordinatorMemoryBytes, readConfiguration, type ServerConfiguration, shareOfMachine } from "../../../src/server/configuration.ts";
import { ignoredEnvironmentText } from "../../../src/server/service-environment.ts";
import { ConfigurationError } from "../../../src/server/properties.ts";
import { coordinatorProperties, engineProperties } from "../../../src/server/threads/thread-properties.ts";

let etc: string;

beforeEach(() => {
  etc = mkdtempSync(join(tmpdir(), "orrery-configuration-"));
});

afterEach(() => {
  rmSync(etc, { recursive: true, force: true });
});

function file(path: string, ...lines: string[]): void {
  mkdirSync(join(etc, path, ".."), { recursive: true });
  writeFileSync(join(etc, path), `${lines.join("\n")}\n`);
}

function read(flags: Record<string, string> = {}, environment: Record<string, string> = {}): ServerConfiguration {
  return readConfiguration({ flags, environment, etcFolder: etc });
}

function mistake(flags: Record<string, string> = {}, environment: Record<string, string> = {}): string {
  try {
    read(flags, environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    const { message } = error as Error;
    expect(message).not.toContain("\n");
    return message;
  }
  return "no mistake";
}

describe("where a property comes from", () => {
  it("flags over environment over files over defaults", () => {
    expect(read().port).toBe(8080);
    file("config.properties", "http-server.http.port=1", "query.max-length=10");
    expect(read().port).toBe(1);
    expect(read({}, { ORRERY_HTTP_SERVER_HTTP_PORT: "2" }).port).toBe(2);
    expect(read({}, { ORRERY_PORT: "3" }).port).toBe(3);
    expect(read({ "http-server.http.port": "4" }, { ORRERY_PORT: "3" }).port).toBe(4);
    expect(read({}, { ORRERY_QUERY_MAX_LENGTH: "20" }).properties).toEqual({ "query.max-length": "20" });
    expect(read().properties).toEqual({ "query.max-length": "10" });
  });

  it("node.properties counts as well as config.properties, and the folder may come from the environment", () => {
    file("node.properties", "node.id=alpha", "node.environment=test");
    const configuration = readConfiguration({ flags: {}, environment: { ORRERY_ETC: etc }, etcFolder: undefined });
    expect(configuration.properties).toEqual({ "node.id": "alpha", "node.environment": "test" });
  });

  it("${ENV:NAME} stands for the environment's value, in catalogs too", () => {
    file("config.properties", "http-server.http.host=${ENV:ADDRESS}");
    file("catalog/lake.properties", "connector.name=files", "files.directory=${ENV:HOME_OF_DATA}/lake");
    const configuration = read({}, { ADDRESS: "10.0.0.1", HOME_OF_DATA: "/srv" });
    expect(configuration.host).toBe("10.0.0.1");
    expect(configuration.catalogs).toEqual([{ name: "lake", properties: { "connector.name": "files", "files.directory": "/srv/lake" } }]);
    expect(mistake({}, { ADDRESS: "x" })).toMatch(/lake\.properties:2: environment variable 'HOME_OF_DATA' is not set$/);
  });

  it("the nodes' properties have a memory that fits the machine unless one is given", () => {
    const configuration = read({ "node.workers": "3" });
    expect(configuration.memoryBytes % 65536).toBe(0);
    expect(configuration.memoryBytes).toBeGreaterThanOrEqual(256 * 1024 * 1024);
    expect(configuration.memoryBytes).toBeLessThan(4 * 1024 ** 3);
    expect(engineProperties(configuration)["node.memory"]).toBe(`${configuration.memoryBytes}B`);
    expect(engineProperties(configuration)["query.max-memory-per-node"]).toBe(`${configuration.memoryBytes / 2}B`);
    expect(engineProperties(read({ "node.memory": "300MB" }))["node.memory"]).toBe("300MB");
  });

  it("nodes get two thirds of the machine, and leave a small one room for the process", () => {
    const mebi = 1024 * 1024;
    expect(shareOfMachine(6 * 1024 * mebi, 4)).toBe(1024 * mebi);
    expect(shareOfMachine(64 * 1024 * mebi, 2)).toBe(4 * 1024 * mebi - 65536);
    fc.assert(
      fc.property(fc.integer({ min: 256, max: 4096 }), fc.integer({ min: 1, max: 4 }), (megabytes, nodes) => {
        const share = shareOfMachine(megabytes * mebi, nodes);
        expect(share).toBeGreaterThanOrEqual(32 * mebi);
        expect(share % 65536).toBe(0);
        const isEnough = megabytes >= 128 + nodes * (96 + 32);
        expect(!isEnough || nodes * (share + 96 * mebi) + 128 * mebi <= megabytes * mebi).toBe(true);
      }),
    );
  });

  it("a coordinator beside workers has a quarter of their memory, and a query on a small node more than half", () => {
    const configuration = read({ "node.workers": "2" });
    const properties = engineProperties(configuration);
    const quarter = Math.floor(configuration.memoryBytes / 4 / 65536) * 65536;
    expect(coordinatorProperties(configuration, properties)).toEqual({ ...properties, "node.memory": `${quarter}B` });
    expect(coordinatorMemoryBytes(64 * 1024 * 1024)).toBe(32 * 1024 * 1024);
    const alone = read({ "node.workers": "0" });
    expect(coordinatorProperties(alone, engineProperties(alone))).toEqual(engineProperties(alone));
    const given = read({ "node.memory": "300MB" });
    expect(coordinatorProperties(given, engineProperties(given))["node.memory"]).toBe("300MB");
    const queryBytes = [80, 200, 2000].map((size) => memoryDefaults(size * 1024 ** 2)["query.max-memory-per-node"]);
    expect(queryBytes).toEqual([60, 128, 1000].map((size) => `${size * 1024 ** 2}B`));
  });

  it("workers on threads of the process have time to answer heartbeats unless a time is given", () => {
    const timeout = "failure-detector.heartbeat-timeout";
    expect(engineProperties(read({ "node.workers": "2" }))[timeout]).toBe("15s");
    expect(engineProperties(read({ "node.workers": "2", [timeout]: "3s" }))[timeout]).toBe("3s");
    expect(engineProperties(read({ "node.workers": "0" }))[timeout]).toBeUndefined();
  });
});

describe("catalogs", () => {
  it("take no paths beside rules of access, unless they say so", () => {
    file("rules.json", "{}");
    file("catalog/lake.properties", "connector.name=files", "files.directory=/srv/lake");
    file("catalog/open.properties", "connector.name=files", "files.directory=/srv/open", "files.paths-enabled=true");
    const paths = (flags: Record<string, string>): readonly unknown[] =>
      read(flags).catalogs.map(({ properties }) => properties["files.paths-enabled"]);
    expect(paths({ "access-control.name": "file", "security.config-file": join(etc, "rules.json") })).toEqual(["false", "true"]);
    expect(paths({})).toEqual([undefined, "true"]);
  });

  it("are tpch, tpcds and memory when no file names any", () => {
    expect(read().catalogs.map((catalog) => catalog.name)).toEqual(["memory", "tpcds", "tpch"]);
  });

  it("are the files of etc/catalog, by name, and a data folder's", () => {
    file("catalog/b.properties", "connector.name=memory");
    file("catalog/a.properties", "connector.name=tpch");
    file("catalog/notes.txt", "no catalog");
    expect(read().catalogs.map((catalog) => catalog.name)).toEqual(["a", "b"]);
    const configuration = read({ "node.data-dir": etc });
    expect(configuration.catalogs.map((catalog) => catalog.name)).toEqual(["a", "b", "files"]);
    expect(configuration.catalogs[2]?.properties).toEqual({ "connector.name": "files", "files.directory": etc });
  });

  it("a catalog file of that name stands above the data folder", () => {
    file("catalog/files.properties", "connector.name=memory");
    expect(read({ "node.data-dir": etc }).catalogs).toEqual([{ name: "files", properties: { "connector.name": "memory" } }]);
  });

  it("have names and connectors", () => {
    file("catalog/My-Data.properties", "connector.name=tpch");
    expect(mistake()).toMatch(/My-Data\.properties: a catalog's name is made of a-z, 0-9 and _$/);
    rmSync(join(etc, "catalog"), { recursive: true });
    file("catalog/a.properties", "conector.name=tpch");
    expect(mistake()).toMatch(/a\.properties: property 'connector\.name' is missing$/);
  });
});

describe("variables that Kubernetes injects for services", () => {
  const injected = {
    ORRERY_SERVICE_HOST: "10.0.0.1",
    ORRERY_SERVICE_PORT: "8080",
    ORRERY_SERVICE_PORT_HTTP: "8080",
    ORRERY_PORT: "tcp://10.0.0.1:8080",
    ORRERY_PORT_8080_TCP: "tcp://10.0.0.1:8080",
    ORRERY_PORT_8080_TCP_PROTO: "tcp",
    ORRERY_PORT_8080_TCP_PORT: "8080",
    ORRERY_PORT_8080_TCP_ADDR: "10.0.0.1",
    ORRERY_COORDINATOR_SERVICE_HOST: "10.0.0.2",
    ORRERY_COORDINATOR_SERVICE_PORT: "8080",
    ORRERY_COORDINATOR_PORT: "tcp://10.0.0.2:8080",
    ORRERY_COORDINATOR_PORT_8080_TCP: "tcp://10.0.0.2:8080",
    ORRERY_HTTP_SERVER_HTTP_PORT: "tcp://10.0.0.3:80",
  };

  it("are ignored, and listed in one line", () => {
    expect(read({}, injected)).toEqual(read());
    const text = ignoredEnvironmentText({ ...injected, ORRERY_HOST: "0.0.0.0", OTHER_PORT: "tcp://x" });
    expect(text).toContain(`: ${Object.keys(injected).sort().join(", ")};`);
    expect(ignoredEnvironmentText({ ORRERY_PORT: "9090", ORRERY_HOST: "0.0.0.0" })).toBeUndefined();
  });

  it("leave values of the user's own in force", () => {
    expect(read({}, { ...injected, ORRERY_PORT: "9090", ORRERY_WORKERS: "3" })).toMatchObject({ port: 9090, workers: 3 });
    expect(read({}, { ...injected, ORRERY_HTTP_SERVER_HTTP_PORT: "9091" }).port).toBe(9091);
  });

  it("are still checked for mistakes where they are none of a service", () => {
    expect(mistake({}, { ORRERY_PORT: "http://10.0.0.1" })).toMatch(/^invalid value 'http:\/\/10\.0\.0\.1'/);
    expect(mistake({}, { ORRERY_SERVICE_HOST: "10.0.0.1" })).toMatch(/^environment variable 'ORRERY_SERVICE_HOST' is not known/);
  });
});

describe("mistakes are one clear line", () => {
  it("an unknown name, with the nearest one", () => {
    file("config.properties", "http-server.http.prot=1");
    expect(mistake()).toBe(
      `${join(etc, "config.properties")}: property 'http-server.http.prot' is not known; did you mean 'http-server.http.port'?`,
    );
    rmSync(join(etc, "config.properties"));
    expect(mistake({}, { ORRERY_PROT: "1" })).toBe("environment variable 'ORRERY_PROT' is not known; did you mean 'ORRERY_PORT'?");
    expect(mistake({}, { ORRERY_COMPLETELY_DIFFERENT_THING: "1" })).toBe(
      "environment variable 'ORRERY_COMPLETELY_DIFFERENT_THING' is not known",
    );
    expect(mistake({}, { ORRERY_SERVER: "http://x", ORRERY_COORDINATOR: "http://y", OTHER: "z" })).toBe("no mistake");
  });

  it("a bad value", () => {
    for (const port of ["nine", "-1", "65536", "8080.5", "", "1e3", " 80"]) {
      expect(mistake({ "http-server.http.port": port })).toBe(
        `invalid value '${port}' for property 'http-server.http.port': expected a whole number from 0 to 65535`,
      );
    }
    expect(mistake({ "node.workers": "many" })).toMatch(/^invalid value 'many' for property 'node\.workers'/);
    expect(mistake({ "log.level": "debug" })).toMatch(/'log\.level': expected info, warn, error or silent$/);
    expect(mistake({ "http-server.process-forwarded": "yes" })).toMatch(/expected true or false$/);
    for (const size of ["big", "0B"]) {
      expect(mistake({ "http-server.max-request-body-size": size })).toMatch(/expected a data size such as 64MB$/);
    }
  });

  it("a folder that is not there", () => {
    expect(() => readConfiguration({ flags: {}, environment: {}, etcFolder: join(etc, "no") })).toThrow(
      `configuration folder '${join(etc, "no")}' does not exist`,
    );
    expect(mistake({ "node.data-dir": join(etc, "no") })).toBe(`data folder '${join(etc, "no")}' does not exist`);
    expect(mistake({ "node.data-dir": "x".repeat(5000) })).toBe("data folder 'xxxxxx...' does not exist");
    expect(mistake({ "log.level": "Zm9vYmFyc2VjcmV0MTIzNDU2Nzg5MA" })).toMatch(/^invalid value 'Zm9vYm\.\.\.' for property 'log.level'/);
  });
});

describe("the edge", () => {
  it("has bounds by default, and those that are set", () => {
    expect(read().edge).toEqual({
      limits: { headerMsMax: 20_000, bodyIdleMsMax: 30_000, idleMsMax: 200_000, heldBytesMax: 256 * 1024 * 1024 },
      allowedHosts: [],
    });
    file(
      "config.properties",
      "http-server.max-connections=50",
      "http-server.header-timeout=2s",
      "http-server.body-timeout=1m",
      "http-server.net.max-idle-time=65s",
      "http-server.max-total-request-size=1GB",
      "http-server.allowed-hosts=a.b.com, c.d.org",
    );
    expect(read().edge).toEqual({
      limits: { connectionsMax: 50, headerMsMax: 2000, bodyIdleMsMax: 60_000, idleMsMax: 65_000, heldBytesMax: 1024 ** 3 },
      allowedHosts: ["a.b.com", "c.d.org"],
    });
  });

  it("has no bound that cuts what works", () => {
    expect(mistake({ "http-server.net.max-idle-time": "10s" })).toBe(
      "invalid value '10s' for property 'http-server.net.max-idle-time': expected a duration of 65s at least",
    );
    expect(mistake({ "http-server.header-timeout": "0s" })).toContain("expected a duration of 1s at least");
    expect(mistake({ "http-server.max-connections": "0" })).toContain("expected a whole number from 1 to 1000000");
    expect(mistake({ "http-server.max-connections-per-address": "x" })).toContain("expected a whole number from 1 to 1000000");
    expect(mistake({ "http-server.max-total-request-size": "much" })).toContain("expected a data size such as 256MB");
    expect(mistake({ "http-server.allowed-hosts": "a:80" })).toContain("expected host names without ports");
  });
});
