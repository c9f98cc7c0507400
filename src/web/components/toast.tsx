/** Short messages at the page's edge, also read out by screen readers. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "neutral" | "bad";
}

const shownMs = 5000;
const toastsMax = 4;
const toasts = signal<readonly Toast[]>([]);
let nextId = 1;

export function showToast(text: string, tone: Toast["tone"] = "neutral"): void {
  const id = nextId++;
  toasts.value = [...toasts.value, { id, text, tone }].slice(-toastsMax);
  setTimeout(() => close(id), tone === "bad" ? 2 * shownMs : shownMs);
}

function close(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Stands once, in the frame. */
export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, tone }) => (
        <div key={id} class="toast" data-tone={tone}>
          <span>{text}</span>
          <button type="button" class="quiet" aria-label="Close the message" onClick={() => close(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
