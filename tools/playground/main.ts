/** `npm run playground`: writes the playground, one page that needs neither a server nor a network. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Command } from "commander";
import { buildPlayground } from "./page.ts";

const root = process.cwd();

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`;
}

const program = new Command("npm run playground --")
  .description("Writes the playground: a simulated cluster of the real engine in one page, for a browser, without a server.")
  .option("--out <file>", "the page", join("dist", "playground.html"))
  .action(async ({ out }: { readonly out: string }) => {
    const file = resolve(root, out);
    const { html, engineBytes, gzippedBytes } = await buildPlayground(root);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, html);
    const size = `${kilobytes(Buffer.byteLength(html))}, ${kilobytes(gzippedBytes)} with gzip; the engine is ${kilobytes(engineBytes)} of it, deflated`;
    process.stdout.write(`${relative(root, file)}: ${size}\nOpen it in a browser: ${pathToFileURL(file).href}\n`);
  });
await program.parseAsync();
