/**
 * The package as its user has it: packed, installed offline, run as another user in folders that it cannot write, imported, compiled
 * against, and bundled for a browser.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksOf } from "../../tools/docs/blocks.ts";
import { root } from "../house/sources.ts";
import { InstalledPackage } from "./installed.ts";

const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly publishConfig: unknown;
  readonly dependencies?: unknown;
}

interface Bill {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes: unknown;
    readonly licenses: unknown;
  }[];
}

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
let installed: InstalledPackage;

beforeAll(async () => {
  installed = await InstalledPackage.create();
});
afterAll(() => installed.remove());

describe("the tarball", () => {
  it("is small", () => {
    expect(installed.packedBytes).toBeLessThan(5 * 1024 * 1024);
  });

  it("holds what is built and nothing of the development", () => {
    const allowed = [
      /^(package\.json|README\.md|LICENSE)$/,
      /^dist\/package\/(orrery|server|worker|password-thread|cli|sim)\.js$/,
      /^dist\/package\/worker-thread\.cjs$/,
      /^dist\/package\/programs\/((node|worker-thread|fastify|mysql2|pg|pg-cursor|undici|tpcds-texts|load)\.cjs|hashes\.json)$/,
      /^dist\/package\/chunks\/[\w-]+\.js$/,
      /^dist\/package\/lib\/[\w-]+(\.d\.ts|\.js)$/,
      /^dist\/package\/web\/(index\.html|assets\/[\w.-]+\.(js|css|html|svg|wasm|woff2))$/,
      /^dist\/package\/(bom\.cdx\.json|simulator-page\.json|third-party-licenses\.txt)$/,
    ];
    const paths = installed.files.map(({ path }) => path);
    expect(paths.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist/package/orrery.js", "dist/package/web/index.html"]));
  });

  it("holds all that its manifest names", () => {
    const named = [
      ...Object.values(manifest.bin),
      ...Object.values(manifest.exports).flatMap((one) => (typeof one === "string" ? [one] : [one.types, one.default])),
    ].map((path) => path.replace(/^\.\//, ""));
    expect(named.filter((path) => !installed.files.some((file) => file.path === path))).toEqual([]);
  });

  it("can be published, with provenance, and has no dependencies", () => {
    expect(manifest).toMatchObject({ name: "orrery", license: "Apache-2.0", publishConfig: { access: "public", provenance: true } });
    expect(manifest.private).toBeUndefined();
    expect(manifest.dependencies).toBeUndefined();
    expect(readFileSync(join(root, "LICENSE"), "utf8")).toContain("Apache License");
  });

  it("keeps the licenses of what is bundled", () => {
    const text = readFileSync(join(installed.project, "node_modules/orrery/dist/package/third-party-licenses.txt"), "utf8");
    for (const name of ["commander", "fastify", "jsts", "pg", "pg-cursor", "preact", "undici", "zod"]) {
      expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
    }
  });

  it("has a bill of materials with each bundled package, its license and its hash in the lockfile", () => {
    const file = (name: string): string => readFileSync(join(installed.project, "node_modules/orrery/dist/package", name), "utf8");
    const bill = JSON.parse(file("bom.cdx.json")) as Bill;
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.5", metadata: { component: { name: "orrery" } } });
    // Packages with one text stand above it.
    const heads = [...file("third-party-licenses.txt").matchAll(/^-{80}\n\n((?:\S+ \S+ \(.*\)\n?)+)/gm)].map(([, head = ""]) => head);
    const licensed = heads.flatMap((head) => [...head.matchAll(/^(\S+) (\S+) \(/gm)].map(([, name, version]) => `${name} ${version}`));
    expect(bill.components.map(({ name, version }) => `${name} ${version}`).toSorted()).toEqual(licensed.toSorted());
    for (const { name, version, purl, hashes, licenses } of bill.components) {
      expect(purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`);
      expect(licenses, name).toHaveLength(1);
      expect(hashes, name).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    }
  });
});

describe("the program, run by another user in a folder that it cannot write", () => {
  it("tells its version and its help", async () => {
    expect(await installed.orrery(["--version"])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
    const help = await installed.orrery(["--help"]);
    expect(help.code).toBe(0);
    for (const program of ["server", "worker", "cli", "query", "sim", "create-connector", "healthcheck"]) {
      expect(help.stdout).toMatch(new RegExp(`^ {2}${program} `, "m"));
      const own = await installed.orrery([program, "--help"]);
      expect(own).toMatchObject({ code: 0, stderr: "" });
      // Not as the project's own scripts name it.
      expect(own.stdout).toMatch(/^Usage: (npx )?orrery/);
      expect(own.stdout).not.toContain("npm ");
    }
  });

  it("names what was meant", async () => {
    expect(await installed.orrery(["sever"])).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean 'server'?") });
    expect(await installed.orrery(["query", "--fromat", "CSV"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--format") });
    expect(await installed.orrery(["server", "--prot", "1"])).toMatchObject({ code: 100, stderr: expect.stringContaining("--port") });
  });

  it("starts where a dead process of another user has left its folder", async () => {
    const { stdout: dead } = await run(process.execPath, ["-p", "process.pid"]);
    // The name that a node gives its folder for spilled pages.
    const left = join(tmpdir(), `orrery-${hostname().replaceAll(/[^A-Za-z0-9.]/g, "_")}-${dead.trim()}-AbCdEf`);
    mkdirSync(left, { mode: 0o700 });
    try {
      expect(await installed.orrery(["SELECT 1"])).toEqual({ code: 0, stdout: '"1"\n', stderr: "" });
    } finally {
      rmSync(left, { recursive: true, force: true });
    }
  });

  it("runs statements over the files at hand", async () => {
    const cwd = installed.workFolder("files");
    writeFileSync(join(cwd, "sales.csv"), "city,amount\nRome,1\nOslo,2\n");
    expect(await installed.orrery(["SELECT 1"], { cwd: installed.project })).toEqual({ code: 0, stdout: '"1"\n', stderr: "" });
    const sum = "SELECT city, amount + 1 AS more FROM sales ORDER BY city";
    expect(await installed.orrery([sum, "--format", "JSON"], { cwd })).toMatchObject({
      code: 0,
      stdout: '{"city":"Oslo","more":3}\n{"city":"Rome","more":2}\n',
    });
    expect(await installed.orrery(["-c", sum, "--format=TSV"], { cwd })).toMatchObject({ code: 0, stdout: "Oslo\t3\nRome\t2\n" });
    expect(await installed.orrery(["-- a comment\nSELECT 3"], { cwd })).toMatchObject({ code: 0, stdout: '"3"\n' });
    expect(await installed.orrery(["query"], { cwd, input: "SELECT 1; SELECT 2;" })).toMatchObject({ code: 0, stdout: '"1"\n"2"\n' });
    expect(await installed.orrery(["SELECT x FROM sales"], { cwd })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("line 1:8: Column 'x' cannot be resolved"),
    });
  });

  it("ends when its reader does", async () => {
    const many = '"$0" "SELECT * FROM tpch.tiny.lineitem" --format TSV 2>/dev/null | head -n 1';
    const { stdout } = await run("sh", ["-c", many, installed.program], { cwd: installed.project, env: installed.environment });
    expect(stdout).toMatch(/^1\t1552\t/);
  });

  it("serves, and answers queries, health checks and browsers", async () => {
    const { found, stop } = await installed.start(["--port", "0", "--workers", "1"], /listens on (http:\S+?);.*npx orrery cli/);
    const uri = found[1] ?? "";
    expect(await installed.orrery(["healthcheck", uri])).toEqual({ code: 0, stdout: `${uri}: ready\n`, stderr: "" });
    const count = ["SELECT count(*) FROM tpch.tiny.nation", "--server", uri];
    expect(await installed.orrery(count)).toMatchObject({ code: 0, stdout: '"25"\n' });
    expect(await installed.orrery(["cli", "--server", uri, "--execute", "SELECT 7"])).toMatchObject({ code: 0, stdout: '"7"\n' });
    const page = await (await fetch(uri)).text();
    const script = /src="(ui\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? "";
    expect((await fetch(`${uri}/${script}`)).headers.get("content-type")).toMatch(/javascript/);
    expect(await stop()).toBe(0);
    expect(await installed.orrery(["healthcheck", uri])).toMatchObject({ code: 1, stdout: "" });
  });

  it("simulates, and shows a run as a page", async () => {
    const cwd = installed.workFolder("runs");
    const page = join(cwd, "run.html");
    expect(await installed.orrery(["sim", "--seed", "3"], { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining("PASS") });
    expect(await installed.orrery(["sim", "view", "3", "--out", page], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(page, "utf8")).toMatch(/<script type="application\/octet-stream" data-run>/);
    expect(await installed.orrery(["sim", "mutants"], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining("checkout") });
  });
});

interface Example {
  readonly name: string;
  readonly code: string;
  readonly printed: string;
}

/** The blocks of docs/embedding.md, each with what the page says that it prints. */
const examples: readonly Example[] = blocksOf(readFileSync(join(root, "docs/embedding.md"), "utf8")).flatMap((block, index, blocks) =>
  block.language === "ts" ? [{ name: `line ${block.line}`, code: block.text, printed: blocks[index + 1]?.text ?? "" }] : [],
);

/** A project of its own beside the installed package. */
function consumer(name: string): string {
  const folder = installed.workFolder(name);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(installed.project, "node_modules/orrery"), join(folder, "node_modules/orrery"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  return folder;
}

async function compile(folder: string, options: object, include: readonly string[]): Promise<string> {
  const compilerOptions = { strict: true, skipLibCheck: false, noEmit: true, target: "ES2022", ...options };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: include }));
  const tsc = join(root, "node_modules/.bin/tsc");
  return run(process.execPath, [tsc, "-p", folder]).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}

const everyEntry = [
  'import * as orrery from "orrery";',
  'import * as client from "orrery/client";',
  'import * as connector from "orrery/connector";',
  'import * as rules from "orrery/connector/testing";',
  'import * as sim from "orrery/sim";',
  'import * as testing from "orrery/testing";',
  "export const sameClass: typeof orrery.Client = client.Client;",
  "export const all = [orrery.createCluster, client.createClient, connector.PageBuilder, rules.checkConnector, sim.simulate, sim.createWorld, testing.withCluster];",
  "",
].join("\n");

describe("the libraries", () => {
  it("compile under strict, with NodeNext and with a bundler's resolution, with no types but their own", async () => {
    const folder = consumer("types");
    writeFileSync(join(folder, "entries.ts"), everyEntry);
    const bare = { types: [], lib: ["ES2022"] };
    expect(await compile(folder, { ...bare, module: "NodeNext", moduleResolution: "NodeNext" }, ["entries.ts"])).toBe("");
    expect(await compile(folder, { ...bare, module: "ESNext", moduleResolution: "bundler" }, ["entries.ts"])).toBe("");
    const page = { types: [], lib: ["ES2022", "DOM"], module: "ESNext", moduleResolution: "bundler", exactOptionalPropertyTypes: true };
    writeFileSync(
      join(folder, "page.ts"),
      'import { createClient } from "orrery/client";\nexport const q = createClient().query("SELECT 1", { signal: new AbortController().signal });\n',
    );
    expect(await compile(folder, page, ["page.ts"])).toBe("");
  });

  it("compile the example of a simulated program, and give plans the type of the user's fast-check", async () => {
    const folder = consumer("simulated");
    for (const name of ["@types", "fast-check"]) {
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
    }
    writeFileSync(join(folder, "log.ts"), readFileSync(join(root, "examples/replicated-log/log.ts"), "utf8"));
    writeFileSync(
      join(folder, "plans.ts"),
      [
        'import fc from "fast-check";',
        'import { type WorldPlan, worldPlans } from "orrery/sim";',
        'export const plans: fc.Arbitrary<WorldPlan> = worldPlans(fc, fc.constant, { nodes: ["a"], untilMs: 5 });',
        "fc.assert(fc.property(plans, ({ faults }) => faults.every(({ atMs }) => atMs < 5)));",
        "",
      ].join("\n"),
    );
    // The declarations of fast-check are not ours to check.
    const options = { types: ["node"], lib: ["ES2023"], module: "NodeNext", skipLibCheck: true };
    expect(await compile(folder, options, ["log.ts", "plans.ts"])).toBe("");
  });

  it("compile and run a project of create-connector, whose tests pass", async () => {
    const parent = installed.workFolder("projects");
    const made = await installed.orrery(["create-connector", "my-connector"], { cwd: parent });
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const project = join(parent, "my-connector");
    mkdirSync(join(project, "node_modules/.bin"), { recursive: true });
    symlinkSync(join(installed.project, "node_modules/orrery"), join(project, "node_modules/orrery"));
    for (const name of ["@types", "typescript", ".bin/tsc"]) {
      symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
    }
    const { stdout } = await run("npm", ["test"], { cwd: project });
    expect(stdout).toMatch(/pass (1[6-9]|2\d)\n/);
    const started = await run("npm", ["start", "--silent", "--", "SELECT max(id) FROM my_connector.default.greetings"], { cwd: project });
    expect(started.stdout).toBe("2\n");
  });

  it("find a mistake of their user", async () => {
    const folder = consumer("mistakes");
    writeFileSync(join(folder, "wrong.ts"), 'import { createClient } from "orrery/client";\ncreateClient({ sever: "x" });\n');
    const told = await compile(folder, { types: [], lib: ["ES2022"], module: "NodeNext" }, ["wrong.ts"]);
    expect(told).toMatch(/wrong\.ts\(2,16\): error TS2561.*'server'/);
  });

  it("do what the examples of the documentation print", async () => {
    const folder = consumer("examples");
    symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
    const files = await Promise.all(
      examples.map(async ({ code }, index) => {
        writeFileSync(join(folder, `example-${index}.ts`), code);
        writeFileSync(join(folder, `example-${index}.js`), (await transform(code, { loader: "ts", format: "esm" })).code);
        return `example-${index}.ts`;
      }),
    );
    expect(examples.length).toBeGreaterThan(4);
    expect(await compile(folder, { types: ["node"], lib: ["ES2023"], module: "NodeNext" }, files)).toBe("");
    for (const [index, { name, printed }] of examples.entries()) {
      const { stdout } = await run(process.execPath, [join(folder, `example-${index}.js`)], { cwd: folder });
      expect(`${name}\n${stdout.trim()}`).toBe(`${name}\n${printed.trim()}`);
    }
  });

  it("give the client to browsers without anything of Node", async () => {
    const folder = consumer("browser");
    writeFileSync(join(folder, "page.js"), 'import { createClient } from "orrery/client"; globalThis.client = createClient;\n');
    const { outputFiles, metafile } = await build({
      entryPoints: [join(folder, "page.js")],
      bundle: true,
      write: false,
      minify: true,
      platform: "browser",
      format: "esm",
      metafile: true,
    });
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
    expect(gzipSync(outputFiles[0]?.contents ?? "").length).toBeLessThan(60_000);
  });
});
