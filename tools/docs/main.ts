/** `npm run docs`: writes the generated pages of docs/, and with `outputs` what commands print into the pages that show it. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { refreshJudged } from "./clients/judged.ts";
import { generatedNote } from "./markdown.ts";
import { generatedPages } from "./pages.ts";
import { refreshOutputs } from "./outputs.ts";
import { takePictures } from "./pictures/pictures.ts";
import { takePlaygroundPicture } from "./pictures/playground-picture.ts";
import { takeTerminalPicture } from "./pictures/terminal-picture.ts";
import { takeWebPictures } from "./web/pictures.ts";
import { sizesTable, webSizes } from "./web/sizes.ts";

const root = process.cwd();
const docs = join(root, "docs");

/** Pages that were generated once and are no more. */
function leftovers(pages: ReadonlyMap<string, string>): readonly string[] {
  return readdirSync(docs, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && !pages.has(path))
    .filter((path) => readFileSync(join(docs, path), "utf8").includes(generatedNote));
}

async function writePages(): Promise<void> {
  const pages = await generatedPages(docs);
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(docs, path)), { recursive: true });
    writeFileSync(join(docs, path), text);
  }
  for (const path of leftovers(pages)) {
    rmSync(join(docs, path));
  }
  process.stdout.write(`wrote ${pages.size} pages\n`);
}

const program = new Command("npm run docs --").description("Writes the pages of docs/ that are generated from the sources.");
program.action(writePages);
program
  .command("outputs")
  .description("run the commands whose output README and docs show, and write what they print in its place")
  .option("--only <text>", "only blocks whose command holds the text")
  .action(async ({ only }: { readonly only?: string }) => {
    await refreshOutputs(root, only ?? "");
  });
program
  .command("judge")
  .description("judge the clients that are installed here, some ten minutes, and write the table of docs/clients.md")
  .option("--from <folder>", "verdicts that judge --json has written, as PROGRAM.json")
  .action(async ({ from }: { readonly from?: string }) => {
    await refreshJudged(root, from);
  });
program
  .command("pictures")
  .description(
    "take the pictures of the shell, the simulator's page, the playground and the web interface again; all but the first need a Chromium",
  )
  .option("--only <name>", "one picture: shell, simulator, playground or web")
  .action(async ({ only }: { readonly only?: string }) => {
    if (only === undefined || only === "shell") {
      await takeTerminalPicture(root);
    }
    if (only === undefined || only === "simulator") {
      takePictures(root);
    }
    if (only === undefined || only === "playground") {
      await takePlaygroundPicture(root);
    }
    if (only === undefined || only === "web") {
      await takeWebPictures(root);
    }
  });
program
  .command("sizes")
  .description("print the sizes of the web interface, a row for each page")
  .action(() => {
    process.stdout.write(`${sizesTable(webSizes(join(root, "dist/web")))}\n`);
  });
await program.parseAsync();
