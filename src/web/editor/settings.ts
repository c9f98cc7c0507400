/** Settings of the editor in this browser. */
import { signal } from "@preact/signals";

export interface EditorSettings {
  /** Rows of a result that are kept. */
  readonly rowsMax: number;
  /** The user that statements run as. */
  readonly user: string;
}

const key = "orrery.editor.settings";
const defaults: EditorSettings = { rowsMax: 100_000, user: "web" };
/** A browser shows at most so many rows in one scrolled area. */
export const rowsMaxMax = 500_000;

function stored(): EditorSettings {
  try {
    const { rowsMax, user } = JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<EditorSettings>;
    return checked({ rowsMax: rowsMax ?? defaults.rowsMax, user: user ?? defaults.user });
  } catch {
    return defaults;
  }
}

function checked({ rowsMax, user }: EditorSettings): EditorSettings {
  const isCount = Number.isSafeInteger(rowsMax) && rowsMax > 0;
  const name = String(user).trim();
  return { rowsMax: isCount ? Math.min(rowsMax, rowsMaxMax) : defaults.rowsMax, user: name === "" ? defaults.user : name };
}

export const settings = signal<EditorSettings>(stored());

export function changeSettings(changes: Partial<EditorSettings>): void {
  settings.value = checked({ ...settings.value, ...changes });
  try {
    localStorage.setItem(key, JSON.stringify(settings.value));
  } catch {
    // Without storage the setting lasts until the page is left.
  }
}
