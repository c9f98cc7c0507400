/** Copies a text to the clipboard and says so. */
import type { ComponentChildren, JSX } from "preact";
import { showToast } from "./toast.tsx";

/** Browsers offer the clipboard only to secure pages; elsewhere the older command copies a selection. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const active = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (active instanceof HTMLElement) {
    active.focus();
  }
  return isCopied;
}

interface CopyProps {
  /** A function is called at the click. */
  readonly text: string | (() => string);
  /** What was copied, for the message: `Link`. */
  readonly what: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

export function CopyButton({ text, what, class: className, children }: CopyProps): JSX.Element {
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(typeof text === "string" ? text : text());
    showToast(isCopied ? `${what} copied` : "The browser does not allow copying", isCopied ? "neutral" : "bad");
  };
  return (
    <button type="button" class={className} onClick={() => void copy()}>
      {children ?? `Copy ${what.toLowerCase()}`}
    </button>
  );
}
