import type { Scrubber } from "./scrub.ts";
import type { RecordingWriter } from "./writer.ts";

/** Shared by the wrappers of the ports. */
export interface RecordingContext {
  readonly writer: RecordingWriter;
  readonly scrubber: Scrubber;
  /** Records an input and delivers it when its turn comes. */
  input(record: (atNanos: number) => void, deliver: () => void): void;
}
