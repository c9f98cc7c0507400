/** The page that shows runs, in a frame of its own: its keys and styles stay there. The files go to it as messages, not to the server. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isDark } from "../app/theme.ts";

export interface ReadFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What the frame says. */
interface Answer {
  readonly kind: "ready" | "shown" | "failed";
  readonly text: string;
}

interface RunViewProps {
  readonly files: readonly ReadFile[];
  readonly onShown: (text: string) => void;
  readonly onFailed: (reason: string) => void;
}

/** Named by the build, because the name holds a hash of the frame's content. */
function frameAddress(): string {
  const name = document.querySelector<HTMLMetaElement>('meta[name="run-view"]')?.content ?? "";
  return new URL(name, document.baseURI).href;
}

export function RunView({ files, onShown, onFailed }: RunViewProps): JSX.Element {
  const frame = useRef<HTMLIFrameElement>(null);
  const theme = isDark.value;
  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent<Answer>): void => {
      if (source !== frame.current?.contentWindow || source === null || origin !== location.origin) {
        return;
      }
      switch (data.kind) {
        case "ready":
          frame.current?.contentWindow?.postMessage({ kind: "open", files, isDark: isDark.peek() }, location.origin);
          break;
        case "shown":
          onShown(data.text);
          break;
        case "failed":
          onFailed(data.text);
          break;
      }
    };
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, [files]);
  useEffect(() => {
    frame.current?.contentWindow?.postMessage({ kind: "theme", isDark: theme }, location.origin);
  }, [theme]);
  return <iframe class="run-view" title="Lanes, messages and faults of the run" src={frameAddress()} ref={frame} />;
}
