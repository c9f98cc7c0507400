import type { Scrubber } from "./scrub.ts";
import type { RecordingWriter } from "./writer.ts";

/** Shared by the wrappers of the ports. */
export interface RecordingContext {
  readonly writer: RecordingWriter;
  readonly scrubber: Scrubber;
  /** True while an observer reads the node: what it reads is not recorded. */
  readonly isObserved: boolean;
  /** Records an input and delivers it when its turn comes. */
  input(record: (atNanos: number) => void, deliver: () => void): void;
}
