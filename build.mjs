#!/usr/bin/env node
// Builds the programs into dist/ when a source is newer than the last build, and runs one of them:
//   node build.mjs                  build
//   node build.mjs server [flags]   what `npm start` does; likewise worker, cli, sim, bench, fuzz, test, typecheck
//   node build.mjs package          build what `npm pack` packs into dist/package
// One process: the program runs in this very one, so nothing is paid for a second start.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));
/** Programs of the package, and of the development. */
const packagePrograms = {
  "password-thread": "src/server/security/password-thread.ts",
  cli: "src/cli/main.ts",
  sim: "sim/main.ts",
  orrery: "src/bin/main.ts",
};
const programs = {
  ...packagePrograms,
  bench: "bench/main.ts",
  fuzz: "test/oracle/fuzz/main.ts",
  docs: "tools/docs/main.ts",
  playground: "tools/playground/main.ts",
  test: "test/run.ts",
};

/** Programs that tools/programs/build.mjs builds. */
const serverPrograms = ["server", "worker"];

function newest(path, ending) {
  let latest = 0;
  for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) {
      latest = Math.max(latest, newest(inner, ending));
    } else if (ending.test(entry.name)) {
      latest = Math.max(latest, statSync(join(root, inner)).mtimeMs);
    }
  }
  return latest;
}

function exists(path) {
  return statSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}

function isFresh(stamp) {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built === 0 || readFileSync(stamp, "utf8") !== process.version.split(".")[0]) {
    return false;
  }
  const sources = Math.max(
    ...[
      "src",
      "sim",
      "scenarios",
      "bench",
      "tools",
      "test/oracle",
      "test/plane",
      "test/messages",
      "test/unit/execution",
      "test/unit/page",
      "test/unit/connectors",
    ]
      .filter(exists)
      .map((folder) => newest(folder, /\.(tsx?|mjs|json|html|css)$/)),
    ...[
      "test/run.ts",
      "test/support/programs/coverage-report.ts",
      "test/support/oracle/duckdb.ts",
      "test/oracle/compare.ts",
      "test/unit/coordinator/direct-cluster.ts",
      "test/unit/coordinator/direct-network.ts",
      "package.json",
      "build.mjs",
    ]
      .filter(exists)
      .map((file) => statSync(join(root, file)).mtimeMs),
  );
  return sources <= built;
}

/** Of the compressors, only what is imported: the others compile WebAssembly as they are loaded, which the frame's policy forbids. */
const pureCompressors = {
  name: "pure-compressors",
  setup(build) {
    build.onResolve({ filter: /compressors/ }, async ({ path, pluginData, ...rest }) =>
      pluginData === "resolved" ? undefined : { ...(await build.resolve(path, { ...rest, pluginData: "resolved" })), sideEffects: false },
    );
  },
};

/**
 * The page that shows a run, as a document of its own for the web interface's Simulator page. Returns its address below the page's.
 */
async function buildRunView(esbuild, folder) {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { "run-view": "sim/view/page/embedded.ts", "run-view-style": "sim/view/page/page.css" },
    outdir: `${folder}/assets`,
    bundle: true,
    platform: "browser",
    target: "es2022",
    format: "esm",
    minify: true,
    charset: "utf8",
    metafile: true,
    entryNames: "[name]-[hash]",
    plugins: [pureCompressors],
    logLevel: "error",
  });
  const [style, script] = Object.keys(metafile.outputs)
    .map((output) => basename(output))
    .sort((a, b) => (extname(a) < extname(b) ? -1 : 1));
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
  const text = [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Run</title>',
    `<link rel="stylesheet" href="${style}">\n</head>\n<body>`,
    readFileSync(join(root, "sim/view/page/page.html"), "utf8").trim(),
    `<script type="module" src="${script}"></script>\n</body>\n</html>\n`,
  ].join("\n");
  const name = `run-view-${createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase()}.html`;
  writeFileSync(join(root, folder, "assets", name), text);
  return `ui/assets/${name}`;
}

/** The web interface: static files in a folder, each named by its content. Returns the bundled files. */
async function buildWeb(esbuild, folder) {
  if (!exists("src/web/main.tsx")) {
    return [];
  }
  rmSync(join(root, folder), { recursive: true, force: true });
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["src/web/main.tsx"],
    outdir: `${folder}/assets`,
    bundle: true,
    splitting: true,
    platform: "browser",
    target: "es2022",
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    charset: "utf8",
    metafile: true,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    logLevel: "error",
  });
  const [script, { cssBundle }] = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === "src/web/main.tsx");
  const address = (output) => `ui/assets/${basename(output)}`;
  const style = cssBundle === undefined ? "" : `    <link rel="stylesheet" href="${address(cssBundle)}" />\n`;
  // The browser fetches what the script imports beside the script, not after it.
  const preloads = metafile.outputs[script].imports
    .filter(({ kind }) => kind === "import-statement")
    .map(({ path }) => `    <link rel="modulepreload" href="${address(path)}" />\n`);
  const page = readFileSync(join(root, "src/web/index.html"), "utf8");
  const runView = `    <meta name="run-view" content="${await buildRunView(esbuild, folder)}" />\n`;
  writeFileSync(
    join(root, folder, "index.html"),
    page.replace(
      "  </head>",
      () => `${runView}${style}${preloads.join("")}    <script type="module" src="${address(script)}"></script>\n  </head>`,
    ),
  );
  return Object.keys(metafile.inputs);
}

async function build() {
  const stamp = join(root, "dist", ".stamp");
  if (isFresh(stamp)) {
    return;
  }
  const started = Date.now();
  const esbuild = await import("esbuild");
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: Object.entries(programs)
      .filter(([, source]) => exists(source))
      .map(([name, source]) => ({ in: source, out: name })),
    outdir: "dist",
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    sourcemap: true,
    minifySyntax: true,
    minifyWhitespace: true,
    chunkNames: "chunks/[name]-[hash]",
    logLevel: "error",
    // Packages that look for files beside themselves, or that only tests and benchmarks use, stay where npm put them.
    external: [
      "esbuild",
      "rolldown",
      "rolldown/*",
      "typescript",
      "@duckdb/node-api",
      "vitest",
      "vitest/*",
      "trino-client",
      "presto-client",
      "playwright-core",
      // A bundled CommonJS package that import() loads has no names.
      "undici",
    ],
    // Bundled CommonJS packages ask for Node's modules with require.
    banner: { js: 'import { createRequire as bundledRequire } from "node:module"; const require = bundledRequire(import.meta.url);' },
  });
  const { buildPrograms } = await import("./tools/programs/build.mjs");
  await Promise.all([buildPrograms({ esbuild, root, folder: "dist", sourcemap: true }), buildWeb(esbuild, "dist/web")]);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, process.version.split(".")[0]);
  // A source that changed while the build ran is newer than what was built.
  utimesSync(stamp, started / 1_000, started / 1_000);
  if (process.stderr.isTTY) {
    process.stderr.write(`built in ${Date.now() - started} ms\n`);
  }
}

const [command, ...args] = process.argv.slice(2);
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Orrery needs Node 20.19 or newer; this is ${process.version}\n`);
  process.exit(100);
}
const commands = [...serverPrograms, ...Object.keys(programs)];
if (command !== undefined && !commands.includes(command) && command !== "typecheck" && command !== "package") {
  process.stderr.write(`Unknown program '${command}'; one of: ${commands.join(", ")}\n`);
  process.exit(100);
}
try {
  if (command === "package") {
    const { buildPackage } = await import("./tools/package/build.mjs");
    await buildPackage({ root, programs: packagePrograms, buildWeb });
    process.exit(0);
  }
  await build();
} catch (error) {
  process.stderr.write(`Build failed: ${error.message}\nRun 'npm ci' in the project's folder and try again.\n`);
  if (command === "test") {
    // The test command ends with its sums whatever happens.
    process.stdout.write("0 passed, 1 failed\n");
  }
  process.exit(100);
}
if (command === "typecheck") {
  const { spawnSync } = await import("node:child_process");
  for (const project of ["tsconfig.json", "tsconfig.node.json", "tsconfig.page.json", "tsconfig.web.json"]) {
    const result = spawnSync("npx", ["tsc", "-p", project], { cwd: root, stdio: "inherit" });
    if (result.status !== 0) {
      process.exit(result.status ?? 1);
    }
  }
} else if (command !== undefined) {
  if (command === "server") {
    process.env["ORRERY_QUERY_HISTORY_DIRECTORY"] ??= join(root, "var", "query-history");
  }
  process.argv = [process.argv[0], join(root, "dist", `${command}.js`), ...args];
  await import(pathToFileURL(join(root, "dist", `${command}.js`)).href);
}
