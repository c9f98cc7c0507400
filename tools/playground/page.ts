/**
 * Builds the playground as one self-contained page: style, script, and the deflated text of the engine's thread. The page uses no network,
 * and its policy forbids it.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import type { Plugin } from "esbuild";

export interface PlaygroundPage {
  readonly html: string;
  /** Bytes of the engine's script before it is deflated. */
  readonly engineBytes: number;
  readonly gzippedBytes: number;
}

/** A page reaches no files and databases, and draws no statements: it is smaller without their connectors and answers. */
const leftOut: Plugin = {
  name: "left-out",
  setup: ({ onLoad }) => {
    onLoad({ filter: /src[\\/]connectors[\\/]outside\.ts$/ }, () => ({
      contents: "export const outsideConnectorFactories = [];",
      loader: "js",
    }));
    onLoad({ filter: /sim[\\/]workload[\\/]known-answers\.ts$/ }, () => ({
      contents: "export const knownAnswers = {};",
      loader: "js",
    }));
  },
};

async function bundle(root: string, entry: string): Promise<string> {
  const esbuild = await import("esbuild");
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(root, "sim/playground/page", entry)],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    charset: "utf8",
    logLevel: "error",
    plugins: [leftOut],
  });
  return (outputFiles[0]?.text ?? "").trim();
}

async function style(root: string): Promise<string> {
  const esbuild = await import("esbuild");
  const text = ["sim/view/page/page.css", "sim/playground/page/playground.css"].map((path) => readFileSync(join(root, path), "utf8"));
  const { code } = await esbuild.transform(text.join("\n"), { loader: "css", minify: true, charset: "utf8" });
  return code.trim();
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** The page that shows a run, with the console behind its header. */
function bodyOf(root: string): string {
  const view = readFileSync(join(root, "sim/view/page/page.html"), "utf8").trim();
  const console = readFileSync(join(root, "sim/playground/page/playground.html"), "utf8").trim();
  return view.replace("</header>", () => `</header>\n${console}`);
}

export async function buildPlayground(root: string): Promise<PlaygroundPage> {
  const [main, engine, css] = await Promise.all([bundle(root, "main.ts"), bundle(root, "worker.ts"), style(root)]);
  // The text of a script element ends at the first closing tag, even inside a string.
  const script = main.replaceAll("</script", "<\\/script");
  const policy = [
    "default-src 'none'",
    // The engine compiles WebAssembly in a worker, which the page makes from its own text.
    `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
    "worker-src blob:",
    `style-src ${hashOf(css)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const html = [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    "<title>Orrery playground</title>",
    '<link rel="icon" href="data:,">',
    `<style>${css}</style>`,
    "</head>",
    "<body>",
    bodyOf(root),
    `<script type="application/octet-stream" data-engine>\n${deflateSync(engine, { level: 9 }).toString("base64")}\n</script>`,
    `<script>${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
  return { html, engineBytes: Buffer.byteLength(engine), gzippedBytes: gzipSync(html, { level: 9 }).length };
}
