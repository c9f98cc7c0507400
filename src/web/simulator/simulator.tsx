/** Simulator: shows traces of simulated runs, and fixtures and recordings of real clusters. The files never leave the browser. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { dataSizeText } from "../components/format.ts";
import { type ReadFile, RunView } from "./run-view.tsx";

const bytesMax = 512 * 1024 * 1024;

type State =
  | { readonly kind: "empty"; readonly failure: string }
  | { readonly kind: "open"; readonly files: readonly ReadFile[]; readonly text: string };

async function readFiles(files: readonly File[]): Promise<readonly ReadFile[]> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > bytesMax) {
    throw new Error(`The files have ${dataSizeText(size)}; at most ${dataSizeText(bytesMax)} can be shown`);
  }
  return Promise.all(files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
}

export function Simulator(): JSX.Element {
  const state = useSignal<State>({ kind: "empty", failure: "" });
  const isOver = useSignal(false);
  const open = (files: readonly File[]): void => {
    if (files.length > 0) {
      readFiles(files).then(
        (read) => {
          state.value = { kind: "open", files: read, text: "" };
        },
        (error: unknown) => fail(error instanceof Error ? error.message : String(error)),
      );
    }
  };
  const fail = (failure: string): void => {
    state.value = { kind: "empty", failure };
  };
  useDrop(open, (over) => {
    isOver.value = over;
  });
  const { value } = state;
  return (
    <div class={`simulator fill-page ${isOver.value ? "over" : ""}`}>
      <div class="page-head">
        <h1>Simulator</h1>
        {value.kind === "open" && (
          <>
            <span class="muted cut" role="status">
              {value.text === "" ? "Reading…" : value.text}
            </span>
            <OpenButton onFiles={open} text="Open other files" />
            <button type="button" onClick={() => fail("")}>
              Close
            </button>
          </>
        )}
      </div>
      {value.kind === "open" ? (
        <RunView
          key={value.files}
          files={value.files}
          onShown={(text) => {
            state.value = { ...value, text };
          }}
          onFailed={fail}
        />
      ) : (
        <Invitation failure={value.failure} onFiles={open} />
      )}
    </div>
  );
}

/** Files may be dropped anywhere on the page. */
function useDrop(onFiles: (files: readonly File[]) => void, onOver: (isOver: boolean) => void): void {
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files") === true) {
        event.preventDefault();
        onOver(true);
      }
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) {
        onOver(false);
      }
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      onOver(false);
      latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
}

function OpenButton({ onFiles, text, isPrimary }: { onFiles: (files: readonly File[]) => void; text: string; isPrimary?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = (): void => {
    onFiles([...(input.current?.files ?? [])]);
    if (input.current !== null) {
      // The same file may be chosen again.
      input.current.value = "";
    }
  };
  return (
    <>
      <button type="button" class={isPrimary === true ? "primary" : undefined} onClick={() => input.current?.click()}>
        {text}
      </button>
      <input ref={input} type="file" multiple hidden aria-label={text} onChange={onChange} />
    </>
  );
}

const sources: readonly { readonly what: string; readonly says: string; readonly command: string }[] = [
  { what: "Trace", says: "a run of the simulator, written as JSON lines", command: "npm run sim -- --seed 42 --trace run.jsonl" },
  {
    what: "Recording",
    says: "what one node of a real cluster received and sent; open those of all its nodes together",
    command: "npm start -- --record DIR",
  },
  { what: "Fixture", says: "the recordings of one incident in one file", command: "npm run sim -- import DIR" },
];

function Invitation({ failure, onFiles }: { readonly failure: string; readonly onFiles: (files: readonly File[]) => void }): JSX.Element {
  return (
    <>
      {failure !== "" && (
        <div class="failure" role="alert">
          {failure}
        </div>
      )}
      <div class="drop-zone">
        <p class="empty-title">Drop a trace, a fixture or recordings here</p>
        <p class="muted">The files stay in this browser. Two traces or fixtures are shown side by side.</p>
        <OpenButton onFiles={onFiles} text="Open files" isPrimary />
      </div>
      <dl class="sources">
        {sources.map(({ what, says, command }) => (
          <div key={what} class="card">
            <dt>{what}</dt>
            <dd>
              <p>{says}</p>
              <code>{command}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        A recording is shown as it was received and sent. To replay it against the engine, with every output compared, run{" "}
        <code>npm run sim -- replay FILE</code>: that needs the engine, which this page does not hold.
      </p>
    </>
  );
}
