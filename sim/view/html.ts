/**
 * Builds one self-contained page: script, style, and the runs as deflated columns. Neither the build nor the page uses the network.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import type { ViewedRun } from "./facts.ts";
import { pack } from "./page/model/format.ts";

/** The folder of the page's sources; works from a source file and from a bundle. */
function pageFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) {
      return join(folder, "sim/view/page");
    }
    if (folder === dirname(folder)) {
      throw new Error("this program is not inside its project: the page's sources are not here");
    }
  }
}

async function bundle(): Promise<{ readonly script: string; readonly style: string; readonly body: string }> {
  const folder = pageFolder();
  const esbuild = await import("esbuild");
  const [script, style] = await Promise.all([
    esbuild.build({
      entryPoints: [join(folder, "main.ts")],
      bundle: true,
      write: false,
      format: "iife",
      target: "es2022",
      minify: true,
      charset: "utf8",
      logLevel: "error",
    }),
    esbuild.transform(readFileSync(join(folder, "page.css"), "utf8"), { loader: "css", minify: true, charset: "utf8" }),
  ]);
  // The text of a script element ends at the first closing tag, even inside a string.
  const text = (script.outputFiles[0]?.text ?? "").replaceAll("</script", "<\\/script").trim();
  return { script: text, style: style.code.trim(), body: readFileSync(join(folder, "page.html"), "utf8").trim() };
}

function embed({ facts, entries }: ViewedRun): string {
  const parts = [new TextEncoder().encode(JSON.stringify(facts)), pack(entries)];
  // Base64, which cannot end the element or be parsed as markup.
  const lines = parts.map((part) => deflateSync(part, { level: 9 }).toString("base64"));
  return `<script type="application/octet-stream" data-run>\n${lines.join("\n")}\n</script>`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

export async function pageOf(runs: readonly ViewedRun[]): Promise<string> {
  const { script, style, body } = await bundle();
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    "<title>Orrery</title>",
    '<link rel="icon" href="data:,">',
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    body,
    ...runs.map(embed),
    `<script>${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}
