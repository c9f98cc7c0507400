/**
 * Builds the programs of the server as files of one role each, which src/server/start/load.ts loads with V8's code cache:
 *
 *   programs/node.cjs            coordinator and worker processes
 *   programs/worker-thread.cjs   a worker on a thread: no coordinator, no planner
 *   programs/fastify.cjs, ...    libraries that are loaded when they are needed
 *   programs/hashes.json         the hash of each
 *   server.js, worker.js, worker-thread.cjs   entries
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { slimMysql } from "./slim-mysql.mjs";

const roles = { node: "src/server/programs.ts", "worker-thread": "src/server/threads/worker-thread.ts" };
/** Each has a file of its own; what a library imports of another one is in both. */
export const libraries = ["fastify", "mysql2", "pg", "pg-cursor", "undici"];

/** Sources of our own that programs share as they do libraries. */
const sharedSources = { "tpcds-texts": "src/connectors/tpcds/data/texts.ts" };

/** Packages that users install beside this one, for connectors that need them. */
export const userPackages = ["@duckdb/node-api"];

/**
 * A file is one expression, the function that load.ts calls, so that its text is compiled as it was read, without a copy. load.ts knows
 * the function by its name.
 */
const wrapper = { banner: "(function orreryProgram(module,exports,require,__filename,__dirname){", footer: "})" };

/** Files beside the programs are found from the folder above them. */
const importMetaUrl = 'const importMetaUrl=require("node:url").pathToFileURL(require("node:path").join(__dirname,"..","program.js")).href;';

/** Libraries have files of their own. */
const separateLibraries = {
  name: "separate-libraries",
  setup(build) {
    build.onResolve({ filter: new RegExp(`^(${libraries.join("|")})$`) }, ({ path, importer }) =>
      importer === "" || importer.includes("node_modules") ? undefined : { path: `./${path}`, external: true },
    );
    for (const [name, source] of Object.entries(sharedSources)) {
      build.onResolve({ filter: new RegExp(`/${basename(source)}$`) }, ({ path, resolveDir }) =>
        resolve(resolveDir, path).endsWith(join("/", source)) ? { path: `./${name}`, external: true } : undefined,
      );
    }
  },
};

/** A thread has no coordinator, so its file has none of its code. The build fails if the module exports a name that is missing here. */
const withoutCoordinator = {
  name: "without-coordinator",
  setup(build) {
    const names = [
      "catalogRoutes",
      "ClusterCatalogs",
      "createCoordinator",
      "createSqlPlanner",
      "QueryHistory",
      "SegmentStore",
      "Transactions",
    ];
    build.onLoad({ filter: /src\/coordinator\/parts\.ts$/ }, () => ({
      contents: names.map((name) => `export function ${name}() { throw new Error("a worker thread has no ${name}"); }`).join("\n"),
      loader: "js",
    }));
  },
};

/** Only the coordinator's description of its interface makes JSON Schemas, and each schema of zod brings the code for it. */
const withoutJsonSchemas = {
  name: "without-json-schemas",
  setup(build) {
    const names = ["extractDefs", "finalize", "handleUnrepresentable", "initializeContext", "processSchema"];
    const methods = ["createStandardJSONSchemaMethod", "createToJSONSchemaMethod"];
    const refuse = '() => { throw new Error("a worker thread makes no JSON Schema"); }';
    build.onLoad({ filter: /zod\/v4\/core\/to-json-schema\.js$/ }, () => ({
      contents: [
        ...names.map((name) => `export const ${name} = ${refuse};`),
        ...methods.map((name) => `export const ${name} = () => ${refuse};`),
      ].join("\n"),
      loader: "js",
    }));
    build.onLoad({ filter: /zod\/v4\/core\/json-schema-processors\.js$/ }, () => ({
      contents: `export const allProcessors = {};\nexport const toJSONSchema = ${refuse};`,
      loader: "js",
    }));
  },
};

/**
 * `folder`: where the entries lie, relative to `root`. Returns the source files that the programs are made of.
 */
export async function buildPrograms({ esbuild, root, folder, plugins = [], sourcemap }) {
  const programs = join(root, folder, "programs");
  mkdirSync(programs, { recursive: true });
  const common = {
    absWorkingDir: root,
    outdir: `${folder}/programs`,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    // Modules lose what is not used; the names of OpenTelemetry alone were 340 kB.
    mainFields: ["module", "main"],
    minify: true,
    legalComments: "none",
    metafile: true,
    sourcemap,
    external: userPackages,
    outExtension: { ".js": ".cjs" },
    banner: { js: wrapper.banner },
    footer: { js: wrapper.footer },
    // With import() of a file the loader could not give the library its cache.
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "importMetaUrl" },
    logLevel: "error",
  };
  const role = (name, more = []) =>
    esbuild.build({
      ...common,
      entryPoints: { [name]: roles[name] },
      banner: { js: `${wrapper.banner}${importMetaUrl}` },
      plugins: [separateLibraries, ...more, ...plugins],
    });
  const built = await Promise.all([
    role("node"),
    role("worker-thread", [withoutCoordinator, withoutJsonSchemas]),
    ...libraries.map((name) =>
      esbuild.build({
        ...common,
        stdin: { contents: `module.exports = require(${JSON.stringify(name)});`, resolveDir: root, sourcefile: `${name}.cjs` },
        outdir: undefined,
        outfile: `${folder}/programs/${name}.cjs`,
        plugins: [slimMysql],
      }),
    ),
    esbuild.build({ ...common, entryPoints: sharedSources }),
    esbuild.build({ ...common, entryPoints: { load: "src/server/start/load.ts" }, sourcemap: false, banner: {}, footer: {} }),
  ]);
  writeHashes(root, programs, built);
  writeEntries(join(root, folder));
  return built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

function writeHashes(root, programs, built) {
  const outputs = built.flatMap(({ metafile }) => Object.keys(metafile.outputs)).filter((path) => path.endsWith(".cjs"));
  const hashes = outputs.map((path) => [
    basename(path, ".cjs"),
    createHash("sha256")
      .update(readFileSync(join(root, path)))
      .digest("hex"),
  ]);
  writeFileSync(join(programs, "hashes.json"), JSON.stringify(Object.fromEntries(hashes)));
}

function writeEntries(folder) {
  for (const program of ["server", "worker"]) {
    rmSync(join(folder, `${program}.js.map`), { force: true });
    writeFileSync(
      join(folder, `${program}.js`),
      `import { createRequire } from "node:module";\ncreateRequire(import.meta.url)("./programs/load.cjs").load("node").${program}();\n`,
    );
  }
  writeFileSync(join(folder, "worker-thread.cjs"), 'require("./programs/load.cjs").load("worker-thread");\n');
}
