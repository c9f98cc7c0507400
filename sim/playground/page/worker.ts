/**
 * The engine and the simulator in a thread of their own: a browser compiles WebAssembly there without a bound on its size, and the page
 * stays responsive.
 */
import { SharedState } from "../../shared.ts";
import { type Order, Player, type Update } from "../player.ts";

export type Report = { readonly kind: "update"; readonly update: Update } | { readonly kind: "failed"; readonly message: string };

/** The scope of a worker, which the types of a page do not have. */
const scope = globalThis as unknown as {
  postMessage(report: Report): void;
  onmessage: ((event: MessageEvent<Order>) => void) | null;
};

const frameMs = 16;
const orders: Order[] = [];
let wake: (() => void) | undefined;

const player = new Player({
  shared: new SharedState(),
  post: (update) => scope.postMessage({ kind: "update", update }),
  nowMs: () => performance.now(),
  isInterrupted: () => orders.length > 0,
});

scope.onmessage = ({ data }) => {
  // Of several places that a person drags over, the last one counts.
  if (data.kind === "seek" && orders.at(-1)?.kind === "seek") {
    orders.pop();
  }
  orders.push(data);
  wake?.();
};

/** Waits for an order, or for the next frame. */
function pause(isPlaying: boolean): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve;
    if (orders.length > 0) {
      resolve();
    } else if (isPlaying) {
      setTimeout(resolve, frameMs);
    }
  });
}

async function work(): Promise<never> {
  for (let lastMs = performance.now(); ; ) {
    await pause(player.isPlaying);
    const nowMs = performance.now();
    for (let order = orders.shift(); order !== undefined; order = orders.shift()) {
      await player.order(order);
      lastMs = performance.now();
    }
    if (player.isPlaying) {
      await player.tick(Math.min(250, nowMs - Math.min(nowMs, lastMs)));
    }
    lastMs = nowMs;
  }
}

function fail(error: unknown): void {
  scope.postMessage({ kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}

addEventListener("unhandledrejection", ({ reason }) => fail(reason));
work().catch(fail);
