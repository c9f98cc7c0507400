/**
 * The tabs by the pattern of WAI-ARIA. Arrow keys choose, F2 or a double click renames, Delete closes, Alt with arrow keys moves a tab; so
 * does the pointer.
 */
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { showToast } from "../../components/toast.tsx";
import { useWantedFocus } from "../wanted-focus.ts";
import { workspace } from "../workspace.ts";
import type { TabDocument } from "./tab-store.ts";

export function TabBar(): JSX.Element {
  const space = workspace();
  const list = useRef<HTMLDivElement>(null);
  const renamed = useSignal("");
  const dragged = useSignal("");
  const focus = useWantedFocus(list);
  const focusTab = (id: string): void => focus(`[data-tab="${CSS.escape(id)}"]`);
  const onKeyDown = (event: KeyboardEvent): void => {
    const focused = event.target instanceof HTMLElement ? event.target.dataset["tab"] : undefined;
    const id = focused ?? space.activeId.value;
    if (renamed.value === "" && handleKey(event, id, () => (renamed.value = id))) {
      event.preventDefault();
      focusTab(space.activeId.value);
    }
  };
  const finish = (id: string, name: string | undefined): void => {
    if (renamed.value === id) {
      renamed.value = "";
      if (name !== undefined) {
        space.rename(id, name);
      }
      focusTab(id);
    }
  };
  const drop = (id: string): void => {
    const to = space.tabs.value.findIndex((tab) => tab.id === id);
    if (dragged.value !== "" && dragged.value !== id) {
      space.move(dragged.value, to);
    }
    dragged.value = "";
  };
  return (
    <div class="sql-tabs">
      <div class="sql-tablist" role="tablist" aria-label="Statements" ref={list} onKeyDown={onKeyDown}>
        {space.tabs.value.map((tab) =>
          renamed.value === tab.id ? (
            <TabName key={tab.id} tab={tab} onDone={(name) => finish(tab.id, name)} />
          ) : (
            <button
              key={tab.id}
              type="button"
              role="tab"
              data-tab={tab.id}
              aria-selected={tab.id === space.activeId.value}
              aria-controls="sql-panel"
              aria-keyshortcuts="F2 Delete Alt+ArrowLeft Alt+ArrowRight"
              tabIndex={tab.id === space.activeId.value ? 0 : -1}
              draggable
              title="F2 renames, Delete closes, Alt with ← or → moves the tab"
              onClick={() => space.activate(tab.id)}
              onDblClick={() => (renamed.value = tab.id)}
              onAuxClick={(event) => event.button === 1 && space.close(tab.id)}
              onDragStart={() => (dragged.value = tab.id)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={() => drop(tab.id)}
            >
              <span class="sql-tab-name">{tab.name}</span>
              <RunningMark id={tab.id} />
              <span class="sql-tab-close" aria-hidden="true" onClick={(event) => closeByPointer(event, tab.id)}>
                ×
              </span>
            </button>
          ),
        )}
      </div>
      <button type="button" class="quiet icon" aria-label="New tab" title="New tab" onClick={() => space.open({})}>
        +
      </button>
      <button type="button" class="quiet small" onClick={reopen} title="Opens the tab again that was closed last">
        Reopen closed
      </button>
    </div>
  );
}

function reopen(): void {
  if (!workspace().reopen()) {
    showToast("No tab was closed in this browser");
  }
}

function RunningMark({ id }: { readonly id: string }): JSX.Element | null {
  return workspace().session(id).isRunning.value ? <span class="sql-tab-running" role="img" aria-label="running" /> : null;
}

function closeByPointer(event: Event, id: string): void {
  event.stopPropagation();
  workspace().close(id);
}

/** True if the key was for the tabs. */
function handleKey({ key, altKey, ctrlKey, metaKey }: KeyboardEvent, id: string, rename: () => void): boolean {
  const space = workspace();
  const ids = space.tabs.value.map((tab) => tab.id);
  const at = ids.indexOf(id);
  if (ctrlKey || metaKey) {
    return false;
  }
  if (altKey) {
    if (key === "ArrowLeft" || key === "ArrowRight") {
      space.move(id, at + (key === "ArrowLeft" ? -1 : 1));
      return true;
    }
    return false;
  }
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + ids.length, Home: 0, End: ids.length - 1 }[key];
  if (next !== undefined) {
    space.activate(ids[next % ids.length] ?? id);
    return true;
  }
  if (key === "F2") {
    rename();
    return false;
  }
  if (key === "Delete") {
    space.close(id);
    return true;
  }
  return false;
}

function TabName({ tab, onDone }: { readonly tab: TabDocument; readonly onDone: (name: string | undefined) => void }): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  // Before the next key.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Enter") {
      onDone(field.current?.value);
    } else if (event.key === "Escape") {
      onDone(undefined);
    }
  };
  return (
    <input
      ref={field}
      class="sql-tab-field"
      aria-label="Name of the tab"
      maxLength={100}
      defaultValue={tab.name}
      onKeyDown={onKeyDown}
      onBlur={() => onDone(field.current?.value)}
    />
  );
}
