/**
 * What commands of the shell change.
 */
import type { OutputFormat } from "./formats/formats.ts";

export interface Settings {
  format: OutputFormat;
  /** `\x`: rows as one column a line. AUTO does so if a row is wider than the window. */
  expanded: "on" | "off" | "auto";
  timing: boolean;
  pager: boolean;
  nullText: string;
}

/** The format of the next result. */
export function formatOf(settings: Settings): OutputFormat {
  return settings.expanded === "on" ? "VERTICAL" : settings.expanded === "auto" ? "AUTO" : settings.format;
}
