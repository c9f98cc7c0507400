/** The document itself, as a tree of which only the lines in view are in the page. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { countText } from "../../components/format.ts";
import { rowWindow } from "../../components/table-keys.ts";
import type { QueryDetail } from "../model/documents.ts";
import { saveFile } from "../save-file.ts";
import { type JsonLine, jsonLines, pathsTo } from "./json-lines.ts";

const lineHeight = 20;
/** Objects that "Expand all" opens at most. */
const openMax = 200_000;

export function JsonView({ query: document }: { readonly query: QueryDetail }): JSX.Element {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => pathsTo(document, 1, openMax));
  const lines = useMemo(() => jsonLines(document, open), [document, open]);
  const toggle = (path: string): void => {
    setOpen((old) => {
      const next = new Set(old);
      if (!next.delete(path)) {
        next.add(path);
      }
      return next;
    });
  };
  const text = (): string => JSON.stringify(document, null, 2);
  return (
    <div class="json">
      <div class="query-section">
        <span class="muted">{`${countText(lines.length)} lines`}</span>
        <button type="button" onClick={() => setOpen(pathsTo(document, 64, openMax))}>
          Expand all
        </button>
        <button type="button" onClick={() => setOpen(pathsTo(document, 1, openMax))}>
          Collapse
        </button>
        <CopyButton text={text} what="JSON">
          Copy JSON
        </CopyButton>
        <button type="button" onClick={() => saveFile(`${document.queryId}.json`, text())}>
          Download
        </button>
      </div>
      <Lines lines={lines} toggle={toggle} />
    </div>
  );
}

function Lines({ lines, toggle }: { readonly lines: readonly JsonLine[]; readonly toggle: (path: string) => void }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const onScroll = (): void => {
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    const top = Math.floor(scrollTop / (4 * lineHeight)) * 4 * lineHeight;
    setView((old) => (old.top === top && old.height === clientHeight ? old : { top, height: clientHeight }));
  };
  useEffect(onScroll, []);
  const { first, end } = rowWindow({ ...view, rowHeight: lineHeight, rows: lines.length });
  return (
    <div class="json-box" ref={box} tabIndex={0} role="region" aria-label="JSON of the query" onScroll={onScroll}>
      <div class="json-lines" style={{ height: `${lines.length * lineHeight}px` }}>
        <div style={{ transform: `translateY(${first * lineHeight}px)` }}>
          {lines.slice(first, end).map((line) => (
            <Line key={line.path} line={line} toggle={toggle} />
          ))}
        </div>
      </div>
    </div>
  );
}

function Line({ line, toggle }: { readonly line: JsonLine; readonly toggle: (path: string) => void }): JSX.Element {
  const { path, depth, name, kind, text, canOpen, isOpen } = line;
  const label = (
    <>
      {name !== "" && <span class="json-name">{`${name}: `}</span>}
      <span class={`json-${kind}`}>{text}</span>
    </>
  );
  return (
    <div class="json-line" style={{ paddingLeft: `${8 + depth * 16}px` }}>
      {canOpen ? (
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => toggle(path)}>
          <span class="sign" aria-hidden="true">
            {isOpen ? "▾" : "▸"}
          </span>
          {label}
        </button>
      ) : (
        <span class="leaf">{label}</span>
      )}
    </div>
  );
}
