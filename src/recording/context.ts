import type { Scrubber } from "./scrub.ts";
import type { RecordingWriter } from "./writer.ts";

/** What the wrappers of the single ports share. */
export interface RecordingContext {
  readonly writer: RecordingWriter;
  readonly scrubber: Scrubber;
  /** Writes an input down and hands it in, when its turn has come. */
  input(record: (atNanos: number) => void, deliver: () => void): void;
}
