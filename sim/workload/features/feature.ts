import type { Stream } from "../../world/streams.ts";

/** A statement for one part of the engine. */
export type Feature = (stream: Stream) => string;
