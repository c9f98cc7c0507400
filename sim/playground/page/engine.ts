/**
 * The engine's thread: starts it from the text that the page holds, and passes orders and updates. The text is deflated, because it is
 * most of the page.
 */
import type { Order, Update } from "../player.ts";
import type { Report } from "./worker.ts";

export interface EngineHooks {
  readonly onUpdate: (update: Update) => void;
  readonly onFailure: (message: string) => void;
}

async function engineText(): Promise<Blob> {
  const element = document.querySelector("script[data-engine]");
  const bytes = Uint8Array.from(atob((element?.textContent ?? "").trim()), (character) => character.charCodeAt(0));
  element?.remove();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Blob([await new Response(stream).arrayBuffer()], { type: "text/javascript" });
}

export class Engine {
  readonly #worker: Worker;

  private constructor(worker: Worker, { onUpdate, onFailure }: EngineHooks) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Report>) => (data.kind === "update" ? onUpdate(data.update) : onFailure(data.message));
    worker.onerror = ({ message }) => onFailure(message);
  }

  static async start(hooks: EngineHooks): Promise<Engine> {
    const address = URL.createObjectURL(await engineText());
    return new Engine(new Worker(address), hooks);
  }

  order(order: Order): void {
    this.#worker.postMessage(order);
  }
}
