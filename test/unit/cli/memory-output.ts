/**
 * An output that collects what is written.
 */
import type { TextOutput } from "../../../src/cli/output/output.ts";

export class MemoryOutput implements TextOutput {
  text = "";
  readonly isTerminal: boolean;
  readonly width: number;
  readonly height: number;

  constructor(options: { readonly isTerminal?: boolean; readonly width?: number; readonly height?: number } = {}) {
    this.isTerminal = options.isTerminal ?? false;
    this.width = options.width ?? 80;
    this.height = options.height ?? 24;
  }

  write(text: string): Promise<void> {
    this.text += text;
    return Promise.resolve();
  }

  /** The text written since the last call. */
  take(): string {
    const { text } = this;
    this.text = "";
    return text;
  }
}
