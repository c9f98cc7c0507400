/** Signs of the frame. */
import type { JSX } from "preact";
import type { Theme } from "./theme.ts";

/** An orrery: a sun, an orbit, a planet. The favicon in index.html is the same drawing. */
export function Logo(): JSX.Element {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" aria-hidden="true">
      <circle cx="12" cy="12" r="3" fill="currentColor" stroke="none" />
      <ellipse cx="12" cy="12" rx="10" ry="5.2" transform="rotate(-28 12 12)" />
      <circle cx="20.2" cy="6.6" r="2.1" fill="currentColor" stroke="none" />
    </svg>
  );
}

const shapes: Readonly<Record<Theme, JSX.Element>> = {
  system: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" stroke="none" />
    </>
  ),
  light: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4" />
    </>
  ),
  dark: <path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z" />,
};

export function ThemeIcon({ theme }: { readonly theme: Theme }): JSX.Element {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      aria-hidden="true"
    >
      {shapes[theme]}
    </svg>
  );
}
