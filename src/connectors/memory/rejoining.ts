/**
 * The time after a restart of the coordinator in which the workers announce themselves again. A copy on a worker that has yet to do so is
 * neither there nor lost: who needs it waits.
 */
import type { Timer } from "../../ports/clock.ts";
import { Signal } from "../../ports/signal.ts";
import type { ConnectorContext } from "../spi.ts";
import type { PartCopy } from "./table.ts";

/** A worker that does not announce itself for that long is gone: the default of discovery.max-age. */
const rejoinMs = 15_000;

export class Rejoining {
  readonly #context: ConnectorContext;
  readonly #news = new Signal();
  #timer: Timer | undefined;
  #stop: (() => void) | undefined;

  constructor(context: ConnectorContext) {
    this.#context = context;
  }

  /** `onChange` is called when a worker has come, `onEnd` when those that have not are lost. */
  begin({ onChange, onEnd }: { readonly onChange: () => void; readonly onEnd: () => void }): void {
    this.#stop = this.#context.onNodesChange(() => {
      this.#news.fire();
      onChange();
    });
    this.#timer = this.#context.ports.clock.timer("memory-workers-rejoin", rejoinMs, () => {
      this.close();
      onEnd();
    });
  }

  /** True if it is not known yet whether the node of the copy is still there. */
  isOpen({ nodeId }: PartCopy): boolean {
    return this.#timer !== undefined && this.#context.incarnationOf(nodeId) === undefined;
  }

  /** Resolves when it holds, or when all that will come has come. */
  async until(holds: () => boolean): Promise<void> {
    while (this.#timer !== undefined && !holds()) {
      await this.#news.next();
    }
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#stop?.();
    this.#stop = undefined;
    this.#news.fire();
  }
}
