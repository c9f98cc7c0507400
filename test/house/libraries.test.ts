/** Rules for libraries: exact versions, a lockfile without registry addresses, no install scripts, and no use of private parts. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, root } from "./sources.ts";

function json(name: string): unknown {
  return JSON.parse(readFileSync(join(root, name), "utf8"));
}

const manifest = json("package.json") as Readonly<Record<"dependencies" | "devDependencies", Readonly<Record<string, string>> | undefined>>;
const lock = json("package-lock.json") as {
  readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly hasInstallScript?: boolean; readonly dev?: boolean }>>;
};

describe("libraries", () => {
  it("have exact versions", () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it("are in the lockfile without the address of a registry", () => {
    expect(Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it("are bundled: who installs the package installs no other, and runs no script of one", () => {
    expect(manifest.dependencies).toBeUndefined();
    const installed = Object.entries(lock.packages).filter(([name, entry]) => name !== "" && entry.dev !== true);
    expect(installed.map(([name]) => name)).toEqual([]);
  });

  it("are used by what they declare: nothing reads the inside of a schema", () => {
    const inside = /\._zod\b|\._def\b|\bschema\.def\b/;
    const files = ["src", "sim", "scenarios", "bench"].flatMap((folder) => filesBelow(join(root, folder)));
    expect(files.filter((file) => inside.test(readFileSync(file, "utf8"))).map((file) => relative(root, file))).toEqual([]);
  });
});
