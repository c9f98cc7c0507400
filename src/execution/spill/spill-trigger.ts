/** Decides for one operator when it spills. */
import type { OperatorContext } from "../operators/operator.ts";
import { isTight, type Revocable, worthwhileBytesMin } from "./memory-revoker.ts";

export class SpillTrigger {
  readonly #context: OperatorContext;
  readonly #operator: Revocable;
  readonly #isEnabled: boolean;
  readonly #bytesMax: number;

  constructor(context: OperatorContext, operator: Revocable) {
    this.#context = context;
    this.#operator = operator;
    this.#isEnabled = (context.session.properties["spill_enabled"] ?? String(context.services.limits.spillEnabled ?? true)) === "true";
    this.#bytesMax = context.memory.knobs.value("revocable-bytes");
    if (this.#isEnabled) {
      context.services.revoker?.add(operator);
    }
  }

  /**
   * What to do before the operator takes up to so many more bytes: `grow`, `spill` its own memory, or wait for another operator and ask
   * again.
   */
  beforeGrowth(bytes: number): "grow" | "spill" | Promise<void> {
    if (!this.#isEnabled) {
      return "grow";
    }
    const { memory, services } = this.#context;
    const own = this.#operator.revocableBytes;
    if (own > 0 && (own + bytes > this.#bytesMax || services.ports.points.fires("operator-spills-early"))) {
      return "spill";
    }
    const near = memory.nearLimit(bytes);
    if (near === undefined) {
      return "grow";
    }
    const largest = services.revoker?.largest(near) ?? this.#operator;
    if (largest !== this.#operator && (largest.revocableBytes >= worthwhileBytesMin || memory.availableBytes < bytes)) {
      return largest.revoke();
    }
    return own >= worthwhileBytesMin || (own > 0 && memory.availableBytes < bytes) ? "spill" : "grow";
  }

  /** Whether the operator, at the end of its input, should spill rather than take so many more bytes. */
  mustSpill(bytes: number): boolean {
    const { memory, services } = this.#context;
    return this.#isEnabled && (isTight(memory, bytes) || services.ports.points.fires("operator-spills-early"));
  }

  close(): void {
    this.#context.services.revoker?.remove(this.#operator);
  }
}
