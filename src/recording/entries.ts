/**
 * The entries of a recording, in the order in which the node observed them. An input starts a step: the entries up to the next input are
 * what the node read and did in response. Inputs reach a recorded node one at a time, each after the previous one is fully processed.
 */
import type { Headers, HttpMethod, NetworkErrorKind } from "../ports/network.ts";
import type { StorageEntry, StorageErrorKind } from "../ports/storage.ts";

export const recordingVersion = 1;
export const recordingEnding = ".orrery-recording";
/**
 * Header of requests between nodes with the sender's recording and its request number. The engine never sees it, and clients never get it.
 */
export const causeHeader = "x-orrery-recording";

/** The first line of a recording. */
export interface RecordingHeader {
  readonly orreryRecording: typeof recordingVersion;
  /** Id of this recording, which covers one incarnation of one node. */
  readonly id: string;
  readonly nodeId: string;
  /** The node's configuration (NodeConfig as JSON) without secrets. */
  readonly config: unknown;
  /** Wall milliseconds and monotonic nanoseconds at the same instant, to align several recordings. */
  readonly wallMillis: number;
  readonly monotonicNanos: number;
  readonly engineVersion: string;
  readonly platform: string;
  /** Literals of statements, rows and everything derived from them are omitted. */
  readonly scrubbed: boolean;
  readonly blockBytes: number;
  /** The first blocks, which are kept; later blocks go to a ring of `ringBlocks`. */
  readonly headBlocks: number;
  readonly ringBlocks: number;
}

/** Recorded bytes: in full, or only their length and hash. */
export interface Content {
  readonly length: number;
  /** Undefined if literals are scrubbed. */
  readonly hash: number | undefined;
  /** Undefined if omitted: an output, scrubbed bytes, or bytes that the replay produces itself. */
  readonly bytes: Uint8Array | undefined;
}

export interface Cause {
  /** Id of the sender's recording. */
  readonly from: string;
  readonly request: number;
}

export interface RecordedRequest {
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Content;
}

/** Time of an input, in nanoseconds of the node's monotonic clock. */
interface Timed {
  readonly atNanos: number;
}

/** `outside` is an operation on the node that is not a request: `join`, `access`, `user-groups`, `resource-groups`, `shutdown`, `close`. */
export type InputEntry = Timed &
  (
    | { readonly kind: "outside"; readonly name: string; readonly value: string }
    | { readonly kind: "served"; readonly selfUri: string }
    | { readonly kind: "closed" }
    | ({
        readonly kind: "arrived";
        readonly id: number;
        readonly cause: Cause | undefined;
        readonly remoteAddress: string;
        readonly baseUri: string;
      } & RecordedRequest)
    | { readonly kind: "gone"; readonly id: number }
    | { readonly kind: "answered"; readonly id: number; readonly status: number; readonly headers: Headers; readonly body: Content }
    | { readonly kind: "failed"; readonly id: number; readonly error: NetworkErrorKind; readonly message: string }
    | { readonly kind: "fired"; readonly id: number }
    | { readonly kind: "resumed"; readonly id: number }
    | { readonly kind: "stored"; readonly id: number; readonly entries: readonly StorageEntry[] | undefined; readonly body: Content }
    | {
        readonly kind: "storage-failed";
        readonly id: number;
        readonly error: StorageErrorKind;
        readonly path: string;
        readonly message: string;
      }
  );

/** A value that the node reads in the middle of a step. */
export type ReadEntry =
  | { readonly kind: "monotonic"; readonly nanos: number }
  | { readonly kind: "cpu"; readonly nanos: number }
  | { readonly kind: "wall"; readonly millis: number }
  | { readonly kind: "drawn-number"; readonly stream: string; readonly bound: number; readonly value: number }
  | { readonly kind: "drawn-text"; readonly stream: string; readonly alphabet: string; readonly text: string };

export type StorageOperation = "list" | "stat" | "read" | "write" | "append" | "rename" | "remove" | "sync";

export type OutputEntry =
  | { readonly kind: "serve" }
  | { readonly kind: "close" }
  | ({ readonly kind: "request"; readonly id: number; readonly label: string; readonly timeoutMs: number } & RecordedRequest)
  | { readonly kind: "abort"; readonly id: number }
  | { readonly kind: "answer"; readonly id: number; readonly status: number; readonly headers: Headers; readonly body: Content }
  | { readonly kind: "no-answer"; readonly id: number }
  | { readonly kind: "timer"; readonly id: number; readonly label: string; readonly delayMs: number }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "turn"; readonly id: number; readonly workUnits: number }
  | { readonly kind: "folder"; readonly folder: number; readonly path: string }
  | {
      readonly kind: "storage";
      readonly id: number;
      /** 0 is the node's own disk. */
      readonly folder: number;
      readonly operation: StorageOperation;
      readonly path: string;
      /** Target path of `rename`. */
      readonly to: string;
      readonly offset: number;
      readonly length: number;
      readonly body: Content;
    };

/** A remark of the recorder for readers, neither input nor output. The error's name is empty until a response has reported it. */
export type RemarkEntry = { readonly kind: "query-failed"; readonly queryId: string; readonly errorName: string };

export type RecordedEntry = InputEntry | ReadEntry | OutputEntry | RemarkEntry;
export type EntryKind = RecordedEntry["kind"];

/** Tags of the entries on disk are positions in this list. New kinds are appended. */
export const entryKinds: readonly EntryKind[] = [
  "monotonic",
  "cpu",
  "wall",
  "resumed",
  "turn",
  "fired",
  "timer",
  "cancel",
  "arrived",
  "answer",
  "request",
  "answered",
  "failed",
  "gone",
  "abort",
  "no-answer",
  "drawn-number",
  "drawn-text",
  "storage",
  "stored",
  "storage-failed",
  "folder",
  "serve",
  "served",
  "close",
  "closed",
  "outside",
  "query-failed",
];

const inputKinds: readonly EntryKind[] = [
  "resumed",
  "fired",
  "arrived",
  "answered",
  "failed",
  "gone",
  "stored",
  "storage-failed",
  "served",
  "closed",
  "outside",
];

export function isInput(entry: RecordedEntry): entry is InputEntry {
  return inputKinds.includes(entry.kind);
}
