/** Headers of requests between nodes whose values are quantities: `2s`, `1MB`. */
import { parseDataSize, parseDurationMs } from "../units.ts";
import { firstHeader } from "./headers.ts";
import { HttpError, type RoutedRequest } from "./http.ts";

/** Bytes; undefined if there is no such header. Throws HttpError 400. */
export function sizeHeader(request: RoutedRequest, name: string): number | undefined {
  return parsedHeader(request, name, parseDataSize);
}

/** Milliseconds; undefined if there is no such header. Throws HttpError 400. */
export function durationHeader(request: RoutedRequest, name: string): number | undefined {
  return parsedHeader(request, name, parseDurationMs);
}

function parsedHeader(request: RoutedRequest, name: string, parse: (text: string) => number | undefined): number | undefined {
  const text = firstHeader(request.http.headers, name);
  const value = text === undefined ? undefined : parse(text);
  if (text !== undefined && value === undefined) {
    throw new HttpError(400, `Invalid ${name} header: ${text}`);
  }
  return value;
}
