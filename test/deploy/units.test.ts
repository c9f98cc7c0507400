/** The compose file and the systemd units: what they give the server is accepted, and what they promise holds. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { nodeConfig } from "../../src/config.ts";
import { readConfiguration } from "../../src/server/configuration.ts";
import { startFailureCode } from "../../src/server/program.ts";
import { parseDurationMs } from "../../src/protocol/units.ts";
import { root } from "../house/sources.ts";
import { FinalStage } from "./image.ts";

interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly read_only: boolean;
  readonly tmpfs: readonly string[];
  readonly cap_drop: readonly string[];
  readonly stop_grace_period: string;
  readonly deploy?: { readonly replicas: number };
}

const graceMs = nodeConfig({ nodeId: "x", catalogs: [] }).shutdownGraceMs;

describe("compose.yaml", () => {
  const { services } = parse(readFileSync(join(root, "deploy/compose.yaml"), "utf8"), { merge: true }) as {
    readonly services: { readonly coordinator: Service; readonly worker: Service };
  };

  it("starts a coordinator without tasks and three workers that find it", () => {
    const { ORRERY_ETC: _, ...image } = new FinalStage().environment;
    const read = ({ environment }: Service) =>
      readConfiguration({ flags: {}, environment: { ...image, ...environment }, etcFolder: undefined });
    const { coordinator, worker } = services;
    const config = nodeConfig({ nodeId: "x", catalogs: [] }, read(coordinator).properties);
    expect(read(coordinator)).toMatchObject({ host: "0.0.0.0", port: 8080, workers: 0 });
    expect([config.role, config.coordinator.requiredWorkers]).toEqual(["coordinator", worker.deploy?.replicas]);
    expect(read(worker)).toMatchObject({ host: "0.0.0.0", port: 8080 });
    expect(worker.environment["ORRERY_COORDINATOR"]).toBe("http://coordinator:8080");
    expect([coordinator.command, worker.command]).toEqual([["server"], ["worker"]]);
  });

  it.each(Object.entries(services))("closes the %s in, and lets it drain", (_name, service) => {
    expect(service).toMatchObject({ read_only: true, tmpfs: ["/tmp"], cap_drop: ["ALL"] });
    expect(parseDurationMs(service.stop_grace_period)).toBeGreaterThan(graceMs);
    expect((service.ports ?? []).every((port) => port.startsWith("127.0.0.1:"))).toBe(true);
  });
});

const units = ["orrery.service", "orrery-worker.service"];

/** Values by name; a name may have several. */
function settingsOf(unit: string): ReadonlyMap<string, readonly string[]> {
  const settings = new Map<string, string[]>();
  for (const line of readFileSync(join(root, "deploy/systemd", unit), "utf8").split("\n")) {
    const [, name, value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      settings.set(name, [...(settings.get(name) ?? []), value]);
    }
  }
  return settings;
}

describe.each(units)("%s", (unit) => {
  const settings = settingsOf(unit);

  it("runs a program of the package with variables that it knows", () => {
    const [, program, kind] = /^\/usr\/bin\/node \/opt\/orrery\/(\S+) (\w+)$/.exec(settings.get("ExecStart")?.[0] ?? "") ?? [];
    expect(`/opt/orrery/${program}`).toBe(new FinalStage().words("ENTRYPOINT")[1]);
    expect(kind).toBe(unit === "orrery.service" ? "server" : "worker");
    const variables = Object.fromEntries((settings.get("Environment") ?? []).map((one) => one.split("=") as [string, string]));
    const { ORRERY_ETC: _, ...environment } = variables;
    const [state] = settings.get("StateDirectory") ?? [];
    expect(readConfiguration({ flags: {}, environment, etcFolder: undefined }).spillFolder).toBe(`%S/${state}/spill`);
  });

  it("drains, and does not start again what cannot start", () => {
    expect(settings.get("KillSignal")).toEqual(["SIGTERM"]);
    expect(Number(settings.get("TimeoutStopSec")) * 1000).toBeGreaterThan(graceMs);
    expect(settings.get("RestartPreventExitStatus")).toEqual([String(startFailureCode)]);
  });

  const hasAnalyzer = spawnSync("systemd-analyze", ["--version"]).status === 0;

  it.runIf(hasAnalyzer)("satisfies systemd, and is exposed little", () => {
    const folder = mkdtempSync(join(tmpdir(), "orrery-units-"));
    const path = join(folder, unit);
    cpSync(join(root, "deploy/systemd", unit), path);
    try {
      const verified = spawnSync("systemd-analyze", ["verify", "--man=no", path], { encoding: "utf8" });
      const told = verified.stderr.split("\n").filter((line) => line.includes(unit) && !line.includes("is not executable"));
      expect(told).toEqual([]);
      const report = execFileSync("systemd-analyze", ["security", "--offline=true", "--no-pager", path], { encoding: "utf8" });
      expect(Number(/exposure level for \S+: ([\d.]+)/.exec(report)?.[1])).toBeLessThan(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
