/**
 * Moves the focus to an element that the next rendering makes or makes focusable. Frames are no measure for it: a window in the background
 * has none.
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Returns a function that asks for the focus of the first element that matches a selector within `box`. */
export function useWantedFocus(box: { readonly current: HTMLElement | null }): (selector: string) => void {
  const wanted = useRef<string | undefined>(undefined);
  const [, render] = useState(0);
  useLayoutEffect(() => {
    const element = wanted.current === undefined ? null : (box.current?.querySelector<HTMLElement>(wanted.current) ?? null);
    if (element !== null) {
      wanted.current = undefined;
      element.focus();
    }
  });
  return (selector) => {
    wanted.current = selector;
    render((count) => count + 1);
  };
}
