/** The ports as programs of a world name them. */
export { type Clock, type MonotonicNanos, sleep, type Timer, type WallMillis } from "../../src/ports/clock.ts";
export {
  type Headers,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type NetworkErrorKind,
  type RequestContext,
  type RequestHandler,
  type RequestOptions,
} from "../../src/ports/network.ts";
export type { Random, RandomStream } from "../../src/ports/random.ts";
export { type Storage, type StorageEntry, StorageError, type StorageErrorKind } from "../../src/ports/storage.ts";
