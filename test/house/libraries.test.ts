/** Rules for libraries: exact versions, a lockfile without registry addresses, no install scripts, and no use of private parts. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

function json(name: string): unknown {
  return JSON.parse(readFileSync(join(root, name), "utf8"));
}

const manifest = json("package.json") as Readonly<Record<"dependencies" | "devDependencies", Readonly<Record<string, string>>>>;
const lock = json("package-lock.json") as {
  readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly hasInstallScript?: boolean; readonly dev?: boolean }>>;
};

/** esbuild's script checks its binary, which is a package of its own. */
const installScriptsAllowed: readonly string[] = ["node_modules/esbuild"];

describe("libraries", () => {
  it("have exact versions", () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it("are in the lockfile without the address of a registry", () => {
    expect(Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it("run no scripts when the program is installed", () => {
    const scripts = Object.entries(lock.packages).filter(([, entry]) => entry.hasInstallScript === true && entry.dev !== true);
    expect(scripts.map(([name]) => name)).toEqual(installScriptsAllowed);
  });

  it("are used by what they declare: nothing reads the inside of a schema", () => {
    const inside = /\._zod\b|\._def\b|\bschema\.def\b/;
    const found = ["src", "sim", "scenarios", "bench"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => join(folder, name))
        .filter((name) => inside.test(readFileSync(join(root, name), "utf8"))),
    );
    expect(found).toEqual([]);
  });
});
