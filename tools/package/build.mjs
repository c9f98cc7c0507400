/**
 * Builds what the package holds into dist/package: programs, libraries with their types, the web interface, the page of the simulator. All
 * packages that they use are bundled, so the installed package depends on nothing. No source map, no file of the development.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeBillOfMaterials } from "./bill-of-materials.mjs";
import { bundledPackages } from "./bundled-packages.mjs";
import { buildPrograms, userPackages } from "../programs/build.mjs";
import { writeLicenses } from "./licenses.mjs";
import { sharedLibraries } from "./shared-libraries.mjs";
import { writeTypes } from "./types.mjs";

const libraries = {
  client: "src/client/index.ts",
  connector: "src/embedded/connector.ts",
  "connector-testing": "src/testing/connector/index.ts",
  index: "src/embedded/index.ts",
  sim: "sim/index.ts",
  testing: "src/testing/index.ts",
};

/** Bundled CommonJS packages ask for Node's modules with `require`. In a browser it is undefined, and nothing asks for it. */
const requireBanner = 'const require=globalThis.process?.getBuiltinModule?.("module").createRequire(import.meta.url);';

/** What a user of the package types, in the programs' own texts. */
const invocations = [
  [/\bnpm run (cli|sim|worker)(?: --(?!\w))?/g, "npx orrery $1"],
  [/\bnpm start(?: --(?!\w))?/g, "npx orrery server"],
];

/**
 * An example of a function, which stands on lines of its own as the formatter writes it. Documentation and tests read examples from the
 * sources, programs never do, and each program that has the engine would have all of them.
 */
const example = [/^( *)example: \{(?: sql: .* |\n(?:\1 .*\n)+\1)\},$/gm, ""];

/** What a knob is for, which only people read, in the source. */
const knobDescription = [/"[A-Z][^"\n]*\."(?=,?\s*\))/g, '""'];

/** The changes of a source. */
function changesOf(path) {
  if (path.endsWith("/src/ports/knobs.ts")) {
    return [...invocations, knobDescription];
  }
  return path.includes("/src/functions/") ? [...invocations, example] : invocations;
}

/** The sources as the package has them. */
const packageSources = {
  name: "package-sources",
  setup(build) {
    build.onLoad({ filter: /\/(src|sim|scenarios)\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const contents = changesOf(path).reduce((changed, [pattern, name]) => changed.replaceAll(pattern, name), text);
      return contents === text ? undefined : { contents, loader: "ts" };
    });
  },
};

/** `programs`: sources by name. `buildWeb` builds the web interface into a folder. */
export async function buildPackage({ root, programs, buildWeb }) {
  const esbuild = await import("esbuild");
  const folder = join(root, "dist/package");
  rmSync(folder, { recursive: true, force: true });
  const sources = Object.entries(libraries).filter(([, source]) => existsSync(join(root, source)));
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [
      ...Object.entries(programs).map(([name, source]) => ({ in: source, out: name })),
      ...sources.map(([name, source]) => ({ in: source, out: `lib/${name}` })),
    ],
    outdir: "dist/package",
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // Modules lose what is not used; the names of OpenTelemetry alone were 340 kB.
    mainFields: ["module", "main"],
    minify: true,
    legalComments: "none",
    metafile: true,
    chunkNames: "chunks/[name]-[hash]",
    logLevel: "error",
    // The simulator's page and its planted bugs are built from the sources, which the package does not have.
    external: ["esbuild", "rolldown", "rolldown/*", "typescript", ...userPackages],
    banner: { js: requireBanner },
    plugins: [packageSources, sharedLibraries(root)],
  });
  stripBanner(root, metafile);
  chmodSync(join(folder, "orrery.js"), 0o755);
  const program = join(folder, "orrery.js");
  writeFileSync(program, `#!/usr/bin/env node\n${readFileSync(program, "utf8")}`);
  mkdirSync(join(folder, "lib"), { recursive: true });
  writeTypes({ root, entries: Object.fromEntries(sources), folder: join(folder, "lib") });
  await writeSimulatorPage({ root, folder, esbuild });
  const ofPrograms = await buildPrograms({ esbuild, root, folder: "dist/package", plugins: [packageSources] });
  const inputs = [...Object.keys(metafile.inputs), ...ofPrograms, ...((await buildWeb(esbuild, "dist/package/web")) ?? [])];
  const packages = bundledPackages({ root, inputs });
  writeLicenses({ root, packages, file: join(folder, "third-party-licenses.txt") });
  writeBillOfMaterials({ root, packages, file: join(folder, "bom.cdx.json") });
  return sizeOf(folder);
}

/** The client's files are for browsers too: they import nothing of Node, and name `require` only where the bundler's own code does. */
function stripBanner(root, { outputs }) {
  const closure = new Set();
  const visit = (path) => {
    if (!closure.has(path)) {
      closure.add(path);
      for (const { path: next, external } of outputs[path].imports) {
        if (external) {
          throw new Error(`the client imports ${next}, which a browser does not have`);
        }
        visit(next);
      }
    }
  };
  visit("dist/package/lib/client.js");
  for (const path of closure) {
    const text = readFileSync(join(root, path), "utf8");
    const code = text.replace(requireBanner, "");
    writeFileSync(join(root, path), code.includes("require") ? text : code);
  }
}

/** sim/view/html.ts finds it beside the program. */
async function writeSimulatorPage({ root, folder, esbuild }) {
  const page = join(root, "sim/view/page");
  const script = await esbuild.build({
    entryPoints: [join(page, "main.ts")],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minify: true,
    charset: "utf8",
    logLevel: "error",
  });
  const style = await esbuild.transform(readFileSync(join(page, "page.css"), "utf8"), { loader: "css", minify: true, charset: "utf8" });
  const parts = { script: script.outputFiles[0].text, style: style.code, body: readFileSync(join(page, "page.html"), "utf8") };
  writeFileSync(join(folder, "simulator-page.json"), JSON.stringify(parts));
}

function sizeOf(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    bytes += entry.isFile() ? statSync(join(entry.parentPath ?? entry.path, entry.name)).size : 0;
  }
  return bytes;
}
