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

interface PageParts {
  readonly script: string;
  readonly style: string;
  readonly body: string;
}

/** Where the page comes from: built, in the installed package; its sources, in the project. */
function pageOrigin(): { readonly built: string } | { readonly sources: string } {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const built = join(folder, "simulator-page.json");
    if (existsSync(built)) {
      return { built };
    }
    if (existsSync(join(folder, "package.json"))) {
      return { sources: join(folder, "sim/view/page") };
    }
    if (folder === dirname(folder)) {
      throw new Error("this program is not inside its project: the page's sources are not here");
    }
  }
}

async function pageParts(): Promise<PageParts> {
  const origin = pageOrigin();
  const parts = "built" in origin ? (JSON.parse(readFileSync(origin.built, "utf8")) as PageParts) : await bundle(origin.sources);
  // The text of a script element ends at the first closing tag, even inside a string.
  return { script: parts.script.replaceAll("</script", "<\\/script").trim(), style: parts.style.trim(), body: parts.body.trim() };
}

/** tools/package/build.mjs does the same for the package. */
async function bundle(folder: string): Promise<PageParts> {
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
  return { script: script.outputFiles[0]?.text ?? "", style: style.code, body: readFileSync(join(folder, "page.html"), "utf8") };
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
  const { script, style, body } = await pageParts();
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
