/** The Helm chart, rendered with given values. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { root } from "../house/sources.ts";
import { Templates } from "./templates.ts";

const chartFolder = join(root, "deploy/helm/orrery");

export type Fields = { readonly [name: string]: unknown };

export function chartFile(path: string): string {
  return readFileSync(join(chartFolder, path), "utf8");
}

export const defaultValues = parse(chartFile("values.yaml")) as Fields;

function merged(base: unknown, over: unknown): unknown {
  const isMap = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isMap(base) || !isMap(over)) {
    return over;
  }
  const names = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries([...names].map((name) => [name, name in over ? merged(base[name], over[name]) : base[name]]));
}

function valuesWith(over: Fields): Fields {
  return merged(defaultValues, over) as Fields;
}

/** Texts by the template's name. */
export function renderedTexts(over: Fields = {}, release = "orrery"): ReadonlyMap<string, string> {
  const chart = parse(chartFile("Chart.yaml")) as { readonly name: string; readonly version: string; readonly appVersion: string };
  const given = {
    Values: valuesWith(over),
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    Release: { Name: release, Namespace: "test", Service: "Helm" },
  };
  const templates = new Templates();
  const names = readdirSync(join(chartFolder, "templates")).sort((a, b) => Number(b.endsWith(".tpl")) - Number(a.endsWith(".tpl")));
  return new Map(names.map((name) => [name, templates.render(chartFile(`templates/${name}`), given)]));
}

/** Objects of Kubernetes by `Kind/name`. */
export function rendered(over: Fields = {}, release = "orrery"): ReadonlyMap<string, Fields> {
  const objects = [...renderedTexts(over, release)]
    .filter(([name]) => name.endsWith(".yaml"))
    .flatMap(([, text]) => parseAllDocuments(text))
    .flatMap((document): readonly Fields[] => {
      const [problem] = document.errors;
      if (problem !== undefined) {
        throw problem;
      }
      const object = document.toJS() as Fields | null;
      return object === null ? [] : [object];
    });
  return new Map(objects.map((one) => [`${String(one["kind"])}/${String((one["metadata"] as Fields)["name"])}`, one]));
}
