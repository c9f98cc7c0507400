/** Tabs by the pattern of WAI-ARIA: arrow keys, Home and End move between tabs, Tab leaves them for the panel. */
import type { ComponentChildren, JSX } from "preact";
import { useId, useRef } from "preact/hooks";

export interface Tab<Key extends string = string> {
  readonly key: Key;
  readonly title: ComponentChildren;
  readonly disabled?: boolean;
}

interface TabsProps<Key extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Key>[];
  readonly current: Key;
  readonly onSelect: (key: Key) => void;
  /** Content of the current tab. */
  readonly children: ComponentChildren;
}

export function Tabs<Key extends string>({ label, tabs, current, onSelect, children }: TabsProps<Key>): JSX.Element {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const keys = tabs.filter(({ disabled }) => disabled !== true).map(({ key }) => key);
    const next = keyAfter(keys, current, event.key);
    if (next !== undefined) {
      event.preventDefault();
      onSelect(next);
      list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next)}"]`)?.focus();
    }
  };
  return (
    <div class="tabbed">
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ key, title, disabled }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            data-tab={key}
            aria-selected={key === current}
            aria-controls={`${id}-panel`}
            tabIndex={key === current ? 0 : -1}
            disabled={disabled === true}
            onClick={() => onSelect(key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`} tabIndex={0}>
        {children}
      </div>
    </div>
  );
}

function keyAfter<Key extends string>(keys: readonly Key[], current: Key, pressed: string): Key | undefined {
  const at = keys.indexOf(current);
  switch (pressed) {
    case "ArrowRight":
      return keys[(at + 1) % keys.length];
    case "ArrowLeft":
      return keys[(at - 1 + keys.length) % keys.length];
    case "Home":
      return keys[0];
    case "End":
      return keys.at(-1);
    default:
      return undefined;
  }
}
