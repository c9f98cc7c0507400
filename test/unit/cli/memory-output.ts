/**
 * An output that collects what is written.
 */
import type { TextOutput } from "../../../src/cli/terminal.ts";

export class MemoryOutput implements TextOutput {
  text = "";
  readonly isTerminal: boolean;
  readonly width: number;

  constructor(options: { readonly isTerminal?: boolean; readonly width?: number } = {}) {
    this.isTerminal = options.isTerminal ?? false;
    this.width = options.width ?? 80;
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
