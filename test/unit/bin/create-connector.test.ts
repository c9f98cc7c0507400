/** The project that `orrery create-connector` writes. The packed package compiles and runs one (test/package). */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createConnector } from "../../../src/bin/create-connector.ts";

let folder = "";
let errors = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-create-"));
  errors = "";
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    errors += String(text);
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

describe("orrery create-connector", () => {
  it("writes a project with the name of the connector everywhere", () => {
    const project = join(folder, "my-store");
    expect(createConnector(["my-store", "--folder", project])).toBe(0);
    const files = readdirSync(project, { recursive: true, encoding: "utf8" }).toSorted();
    expect(files).toEqual([
      ".gitignore",
      "README.md",
      "package.json",
      "src",
      "src/connector.test.ts",
      "src/connector.ts",
      "src/main.ts",
      "tsconfig.json",
    ]);
    const text = (name: string): string => readFileSync(join(project, name), "utf8");
    expect(JSON.parse(text("package.json"))).toMatchObject({ name: "my-store", type: "module" });
    expect(JSON.parse(text("tsconfig.json"))).toMatchObject({ compilerOptions: { strict: true } });
    expect(text("src/connector.ts")).toContain('export const myStore: ConnectorFactory = {\n  name: "my-store",');
    for (const file of files.filter((name) => name.includes("."))) {
      expect(text(file), file).not.toMatch(/\{\{|\}\}[^;)]|undefined\./);
    }
  });

  it("writes over no file", () => {
    writeFileSync(join(folder, "mine.txt"), "mine");
    expect(createConnector(["my-store", "--folder", folder])).toBe(1);
    expect(errors).toContain("is not empty");
    expect(readdirSync(folder)).toEqual(["mine.txt"]);
  });

  it("says what cannot be written", () => {
    writeFileSync(join(folder, "file"), "");
    expect(createConnector(["my-store", "--folder", join(folder, "file/below")])).toBe(1);
    expect(errors).toContain("cannot be written");
  });

  it.each(["My-Store", "../up", "a b", "-x-", "1st", "constructor;"])("refuses the name %j", (name) => {
    expect(createConnector([name, "--folder", join(folder, "new")])).toBe(2);
    expect(existsSync(join(folder, "new"))).toBe(false);
  });

  it("needs a name", () => {
    expect(createConnector([])).toBe(2);
    expect(createConnector(["a", "b"])).toBe(2);
  });
});
