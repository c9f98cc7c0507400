/** Light or dark: the system's setting, unless the user chose one. */
import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const key = "orrery.theme";
const themes: readonly Theme[] = ["system", "light", "dark"];

function stored(): Theme {
  try {
    return themes.find((one) => one === localStorage.getItem(key)) ?? "system";
  } catch {
    return "system";
  }
}

export const theme = signal<Theme>(stored());
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
/** True if the page is dark now; charts choose their colors by it. */
export const isDark = signal(false);

export function applyTheme(): void {
  isDark.value = theme.value === "dark" || (theme.value === "system" && systemIsDark.matches);
  document.documentElement.dataset["theme"] = isDark.value ? "dark" : "light";
}

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? "system";
  try {
    localStorage.setItem(key, theme.value);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  applyTheme();
}

systemIsDark.addEventListener("change", applyTheme);
