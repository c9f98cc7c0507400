/**
 * The page: reads its embedded runs and shows them. Everything is in this document; it sends no requests.
 */
import { h } from "./dom.ts";
import { type RunFacts, unpack } from "./model/format.ts";
import { buildRun, type Run } from "./model/model.ts";
import { showRuns } from "./show.ts";

async function inflate(base64: string): Promise<Uint8Array> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    bytes[index] = text.charCodeAt(index);
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function readRuns(): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const element of document.querySelectorAll<HTMLScriptElement>("script[data-run]")) {
    const [facts = "", entries = ""] = (element.textContent ?? "").trim().split("\n");
    const about = JSON.parse(new TextDecoder().decode(await inflate(facts))) as RunFacts;
    runs.push(buildRun(unpack(await inflate(entries)), about));
    // The element's text would occupy the memory twice.
    element.remove();
  }
  return runs;
}

async function start(): Promise<void> {
  showRuns(await readRuns());
}

start().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  document.body.replaceChildren(h("p", { class: "failure" }, `The run cannot be shown: ${message}`));
  throw error;
});
