/** The Helm chart: what its objects say fits together, and the server accepts what they give it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { engineVersion, nodeConfig } from "../../src/config.ts";
import { infoRoutes } from "../../src/worker/info-resource.ts";
import { metricFamilies } from "../../src/server/operations/metrics/families.ts";
import { readConfiguration } from "../../src/server/configuration.ts";
import { parse } from "yaml";
import { chartFile, defaultValues, type Fields, rendered, renderedTexts } from "./chart.ts";
import { FinalStage } from "./image.ts";

const everything: Fields = {
  worker: {
    autoscaling: { enabled: true },
    annotations: { a: "b" },
    tolerations: [{ key: "x", operator: "Exists" }],
    nodeSelector: { k: "v" },
  },
  podMonitor: { enabled: true, labels: { release: "prometheus" } },
  secrets: ["lake-keys"],
  catalogs: { lake: "connector.name=files\nfiles.directory=${ENV:LAKE_FOLDER}\n" },
  config: { "query.max-run-time": "2h", "query.max-history": 50 },
};
const cases: readonly Fields[] = [{}, everything, { nameOverride: "sql", serviceAccount: { name: "existing" }, service: { port: 80 } }];

/** `a.b.0.c`; throws where nothing is. */
function at(value: unknown, path: string): unknown {
  return path.split(".").reduce((inner, name) => {
    const next = (inner as Fields | undefined)?.[name];
    if (next === undefined) {
      throw new Error(`there is no ${path}`);
    }
    return next;
  }, value);
}

function deployment(objects: ReadonlyMap<string, Fields>, component: string): Fields {
  return objects.get([...objects.keys()].find((key) => key.startsWith("Deployment/") && key.endsWith(`-${component}`)) ?? "") as Fields;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: unknown;
}

/** What a pod's container sees, with the facts of one pod. */
function environmentOf(pod: Fields): Readonly<Record<string, string>> {
  const variables = at(pod, "spec.template.spec.containers.0.env") as readonly Variable[];
  const facts: Readonly<Record<string, string>> = { "metadata.name": "orrery-worker-6c5d-x2x", "status.podIP": "10.1.2.3" };
  const secretOf = ({ valueFrom }: Variable): string | undefined =>
    JSON.stringify(valueFrom) === '{"secretKeyRef":{"name":"orrery-internal","key":"shared-secret"}}' ? "0123456789abcdef" : undefined;
  const valueOf = (one: Variable): string => one.value ?? secretOf(one) ?? facts[at(one, "valueFrom.fieldRef.fieldPath") as string] ?? "";
  return {
    ...new FinalStage().environment,
    ...Object.fromEntries(variables.map((one) => [one.name, valueOf(one)])),
    LAKE_FOLDER: "/lake",
  };
}

const folders: string[] = [];

/** The mounted directory of the configuration. */
function configurationOf(objects: ReadonlyMap<string, Fields>, pod: Fields): string {
  const folder = mkdtempSync(join(tmpdir(), "orrery-chart-"));
  folders.push(folder);
  const volumes = at(pod, "spec.template.spec.volumes") as readonly Fields[];
  const volume = volumes.find(({ name }) => name === "config");
  const data = at(objects.get(`ConfigMap/${String(at(volume, "configMap.name"))}`), "data") as Readonly<Record<string, string>>;
  for (const { key, path } of at(volume, "configMap.items") as readonly { readonly key: string; readonly path: string }[]) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), data[key] as string);
  }
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) {
    rmSync(folder, { recursive: true });
  }
});

describe.each(cases.map((values) => [values] as const))("with values %j", (values) => {
  const objects = rendered(values);

  it("selects the pods that it means", () => {
    for (const component of ["coordinator", "worker"]) {
      const one = deployment(objects, component);
      const labels = at(one, "spec.template.metadata.labels") as Fields;
      expect(labels).toMatchObject(at(one, "spec.selector.matchLabels") as Fields);
    }
    const labels = at(deployment(objects, "coordinator"), "spec.template.metadata.labels");
    const [service] = [...objects.values()].filter(({ kind }) => kind === "Service");
    expect(labels).toMatchObject(at(service, "spec.selector") as Fields);
    for (const [kind, component] of [
      ["PodDisruptionBudget", "worker"],
      ["PodMonitor", "worker"],
      ["PodMonitor", "coordinator"],
    ] as const) {
      const selecting = [...objects.values()].find((one) => one["kind"] === kind);
      if (selecting !== undefined) {
        expect(at(deployment(objects, component), "spec.template.metadata.labels")).toMatchObject(
          at(selecting, "spec.selector.matchLabels") as Fields,
        );
      }
    }
  });

  it.each(["coordinator", "worker"])("gives the %s what the server accepts", (component) => {
    const one = deployment(objects, component);
    const environment = environmentOf(one);
    const read = readConfiguration({ flags: {}, environment, etcFolder: configurationOf(objects, one) });
    const isWorker = component === "worker";
    expect(read).toMatchObject({ host: "0.0.0.0", port: 8080, externalHost: "10.1.2.3", spillFolder: "/var/lib/orrery" });
    const config = nodeConfig({ catalogs: read.catalogs, ...(isWorker ? { role: "worker" } : {}) }, read.properties);
    expect(config.nodeId).toBe("orrery-worker-6c5d-x2x");
    expect(config.catalogs.map(({ name }) => name)).toEqual(
      Object.keys({ ...(defaultValues["catalogs"] as Fields), ...(values["catalogs"] as Fields) }).sort(),
    );
    if (isWorker) {
      const { port } = at(
        [...objects.values()].find(({ kind }) => kind === "Service"),
        "spec.ports.0",
      ) as { readonly port: number };
      const name = String(
        at(
          [...objects.values()].find(({ kind }) => kind === "Service"),
          "metadata.name",
        ),
      );
      expect(environment["ORRERY_COORDINATOR"]).toBe(`http://${name}:${port}`);
    } else {
      expect(read.workers).toBe(0);
      expect(config.role).toBe("coordinator");
      expect(config.coordinator.requiredWorkers).toBe(1);
    }
    // The drain ends before the pod is killed, and nothing but the signal begins it.
    const grace = at(one, "spec.template.spec.terminationGracePeriodSeconds") as number;
    expect(config.shutdownGraceMs).toBeGreaterThan(0);
    expect(grace * 1000).toBeGreaterThan(config.shutdownGraceMs);
    expect(JSON.stringify(one)).not.toContain("preStop");
  });

  it.each(["coordinator", "worker"])("lets the %s write nowhere but on its volumes, as nobody", (component) => {
    const spec = at(deployment(objects, component), "spec.template.spec") as Fields;
    const [container] = at(spec, "containers") as readonly Fields[];
    expect(at(container, "securityContext")).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    const user = new FinalStage().text("USER").split(":").map(Number);
    expect(at(spec, "securityContext")).toMatchObject({ runAsNonRoot: true, runAsUser: user[0], runAsGroup: user[1] });
    expect([at(spec, "automountServiceAccountToken"), at(spec, "enableServiceLinks")]).toEqual([false, false]);
    const volumes = (at(spec, "volumes") as readonly Fields[]).map(({ name }) => name);
    const mounts = at(container, "volumeMounts") as readonly Fields[];
    expect(mounts.map(({ name }) => name)).toEqual(volumes);
    expect(mounts.filter(({ readOnly }) => readOnly !== true).map(({ mountPath }) => mountPath)).toEqual(["/var/lib/orrery", "/tmp"]);
    expect(at(container, "args")).toEqual([component === "worker" ? "worker" : "server"]);
  });

  it("probes paths that the node has, on the port that it names", () => {
    const facts = {} as Parameters<typeof infoRoutes>[0];
    const paths = infoRoutes(facts).map(({ pattern }) => pattern);
    for (const component of ["coordinator", "worker"]) {
      const [container] = at(deployment(objects, component), "spec.template.spec.containers") as readonly Fields[];
      const ports = (at(container, "ports") as readonly Fields[]).map(({ name }) => name);
      for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
        expect(paths).toContain(at(container, `${probe}.httpGet.path`));
        expect(ports).toContain(at(container, `${probe}.httpGet.port`));
      }
    }
  });
});

describe("the autoscaler", () => {
  it("follows a metric of the server, and alone decides the number of workers", () => {
    const objects = rendered(everything);
    const scaler = [...objects.values()].find(({ kind }) => kind === "HorizontalPodAutoscaler");
    expect(Object.keys(metricFamilies)).toContain(at(scaler, "spec.metrics.0.external.metric.name"));
    expect(at(scaler, "spec.metrics.0.external.metric.selector.matchLabels")).toEqual({ state: "QUEUED" });
    expect(objects.has(`Deployment/${String(at(scaler, "spec.scaleTargetRef.name"))}`)).toBe(true);
    expect(at(deployment(objects, "worker"), "spec")).not.toHaveProperty("replicas");
    expect(at(deployment(rendered(), "worker"), "spec.replicas")).toBe(3);
    expect([...rendered().values()].some(({ kind }) => kind === "HorizontalPodAutoscaler" || kind === "PodMonitor")).toBe(false);
  });
});

describe("values", () => {
  it("are all in the schema, and the schema names no others", () => {
    const schema = JSON.parse(chartFile("values.schema.json")) as Fields;
    const wrong: string[] = [];
    const walk = (value: unknown, described: Fields, path: string): void => {
      const properties = described["properties"] as Readonly<Record<string, Fields>> | undefined;
      if (properties === undefined || typeof value !== "object" || value === null) {
        return;
      }
      const known = new Set(Object.keys(properties));
      for (const [name, inner] of Object.entries(value)) {
        if (!known.delete(name)) {
          wrong.push(`${path}${name} is not in the schema`);
        } else {
          walk(inner, properties[name] as Fields, `${path}${name}.`);
        }
      }
      wrong.push(...[...known].filter((name) => !["global", "nameOverride"].includes(name)).map((name) => `${path}${name} has no value`));
    };
    walk(defaultValues, schema, "");
    expect(wrong).toEqual([]);
  });

  it("are all used by a template", () => {
    const texts = [...renderedTexts().keys()].map((name) => chartFile(`templates/${name}`)).join("\n");
    const leaves = (value: unknown): readonly string[] => Object.entries((value ?? {}) as Fields).map(([name]) => name);
    const used = [
      ...leaves(defaultValues),
      ...["coordinator", "worker", "service", "podMonitor", "image"].flatMap((name) => leaves(defaultValues[name])),
    ];
    expect(used.filter((name) => !new RegExp(`\\.${name}\\b`).test(texts))).toEqual([]);
  });

  it("have versions of the program", () => {
    const { appVersion } = parse(chartFile("Chart.yaml")) as { readonly appVersion: string };
    expect(engineVersion).toBe(appVersion);
  });
});
