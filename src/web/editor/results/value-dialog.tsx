/** Shows a value whole: a long text on its lines, JSON and nested values indented. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { JsonSyntaxError, parseJson, stringifyJson } from "../../../protocol/json.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import type { ColumnType } from "./column-types.ts";
import { valueText } from "./values.ts";

interface ValueDialogProps {
  readonly name: string;
  readonly value: unknown;
  readonly type: ColumnType;
  readonly onClose: () => void;
}

export function ValueDialog({ name, value, type, onClose }: ValueDialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const text = wholeText(value, type);
  return (
    <dialog class="sql-dialog" ref={dialog} aria-label={`Value of ${name}`} onClose={onClose}>
      <header>
        <h2>{name}</h2>
        <CopyButton text={text} what="Value" class="small" />
        <button type="button" class="small" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <pre tabIndex={0}>{text}</pre>
    </dialog>
  );
}

function wholeText(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) {
    return "NULL";
  }
  if (typeof value === "object") {
    return stringifyJson(value, 2);
  }
  return type.base === "json" && typeof value === "string" ? indented(value) : valueText(value, type);
}

function indented(json: string): string {
  try {
    return stringifyJson(parseJson(json), 2);
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      return json;
    }
    throw error;
  }
}
