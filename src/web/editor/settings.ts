/** Settings of the editor in this browser. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { login } from "../api/login.ts";

export interface EditorSettings {
  /** Rows of a result that are kept. */
  readonly rowsMax: number;
  /** The user that statements run as, if the coordinator asks for no login. */
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

/** Who statements run as: the user who has logged in, or else the setting. */
export const statementUser: ReadonlySignal<string> = computed(() => login.value.user ?? settings.value.user);

export function changeSettings(changes: Partial<EditorSettings>): void {
  settings.value = checked({ ...settings.value, ...changes });
  try {
    localStorage.setItem(key, JSON.stringify(settings.value));
  } catch {
    // Without storage the setting lasts until the page is left.
  }
}
