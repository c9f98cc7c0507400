/**
 * Addresses of the pages: `#/queries/ID/plan?sort=-elapsedTime`. The fragment never reaches the server, so addresses survive every proxy
 * and path prefix.
 */
import { computed, signal } from "@preact/signals";

export interface Route {
  /** Path segments, decoded: `["queries", "20260101_000000_00001_abcde", "plan"]`. */
  readonly path: readonly string[];
  readonly parameters: ReadonlyMap<string, string>;
}

function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#/, "").split("?", 2);
  return {
    path: path
      .split("/")
      .filter((part) => part !== "")
      .map(decoded),
    parameters: new Map(new URLSearchParams(search)),
  };
}

/** A malformed escape is kept as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a page. Parameters without a value are left out. */
export function addressOf(path: readonly string[], parameters: Readonly<Record<string, string | undefined>> = {}): string {
  const search = new URLSearchParams(Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, value]] : []))).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`;
}

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

export const route = computed<Route>(() => parseRoute(hash.value));

export function navigate(address: string): void {
  location.hash = address;
}

/** Changes parameters of the current address; `undefined` removes one. A replaced address adds no entry to the browser's history. */
export function setParameters(changes: Readonly<Record<string, string | undefined>>): void {
  const { path, parameters } = route.value;
  history.replaceState(null, "", addressOf(path, { ...Object.fromEntries(parameters), ...changes }));
  hash.value = location.hash;
}
