/** Configuration that a JSON file of its own describes, read again when the file has changed. */
import { parseDurationMs } from "../protocol/units.ts";
import { shownValue } from "../protocol/shown-value.ts";
import { ConfigurationError } from "./properties.ts";
import { watchChanges, WatchedFile } from "./security/watched-file.ts";

export interface ConfiguredFile {
  readonly path: string;
  readonly refreshMs: number;
}

/** Undefined without a path. `name`: of the property that has the interval. Throws ConfigurationError. */
export function configuredFile(path: string, name: string, interval: string): ConfiguredFile | undefined {
  const refreshMs = parseDurationMs(interval);
  if (refreshMs === undefined) {
    throw new ConfigurationError(`invalid value '${shownValue(interval)}' for property '${name}': expected a duration such as 5s`);
  }
  return path === "" ? undefined : { path, refreshMs };
}

export interface WatchedDocument<T> {
  /** As the file describes it now. */
  readonly document: () => T;
  /** Calls back after each change that is taken over, until the returned function is called. */
  readonly watch: (take: (document: T) => void) => () => void;
}

/** Throws ConfigurationError. */
export function watchedDocument<T>(
  file: ConfiguredFile | undefined,
  options: {
    readonly what: string;
    /** Throws an error with a one-line message. */
    readonly parse: (text: string) => T;
    readonly onComplaint: (reason: string) => void;
  },
): WatchedDocument<T> | undefined {
  if (file === undefined) {
    return undefined;
  }
  const { path, refreshMs } = file;
  const { onComplaint, parse, what } = options;
  try {
    const watched = new WatchedFile({ path, refreshMs, parse, onComplaint });
    const document = (): T => watched.value();
    return { document, watch: (take) => watchChanges(document, refreshMs, take) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`the file of ${what} ${path} cannot be used: ${code ?? message}`);
  }
}
