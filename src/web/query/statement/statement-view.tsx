/** The statement, colored, as written or formatted, with the place of its error. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { JSX } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { coloredCharsMax, coloredLines, hasComments, type Piece, type Place } from "./coloring.ts";

interface StatementProps {
  readonly text: string;
  readonly error: Place | undefined;
}

export function StatementView({ text, error }: StatementProps): JSX.Element {
  const formatted = useFormatted(text);
  // The place of an error is one in the original, and comments are only there.
  const [choice, setChoice] = useState<"original" | "formatted">();
  const shown = choice ?? (error !== undefined || hasComments(text) ? "original" : "formatted");
  const isFormatted = shown === "formatted" && formatted !== undefined;
  const lines = useMemo(
    () => coloredLines(isFormatted ? formatted : text, isFormatted ? undefined : error),
    [isFormatted, formatted, text, error?.lineNumber, error?.columnNumber],
  );
  const isDifferent = formatted !== undefined && formatted !== text;
  return (
    <section class="query-statement" aria-label="Statement">
      <header>
        <h2>Statement</h2>
        {isDifferent && (
          <div class="choice" role="group" aria-label="Text of the statement">
            <button type="button" aria-pressed={!isFormatted} onClick={() => setChoice("original")}>
              As written
            </button>
            <button type="button" aria-pressed={isFormatted} onClick={() => setChoice("formatted")}>
              Formatted
            </button>
          </div>
        )}
        <CopyButton text={isFormatted ? formatted : text} what="Statement" class="quiet" />
      </header>
      <Lines lines={lines} />
    </section>
  );
}

/** Undefined until the parser is loaded, if the text does not parse, or if it is too long. */
function useFormatted(text: string): string | undefined {
  const [formatted, setFormatted] = useState<{ readonly text: string; readonly result: string | undefined }>();
  useEffect(() => {
    let left = false;
    if (text.length <= coloredCharsMax) {
      void import("./format-statement.ts").then(({ formatStatement }) => left || setFormatted({ text, result: formatStatement(text) }));
    }
    return () => {
      left = true;
    };
  }, [text]);
  return formatted?.text === text ? formatted.result : undefined;
}

/** Lines beyond this are not numbered, and are one text. */
const numberedLinesMax = 3000;

function Lines({ lines }: { readonly lines: readonly (readonly Piece[])[] }): JSX.Element {
  if (lines.length > numberedLinesMax) {
    return (
      <pre class="code" tabIndex={0}>
        {lines.map((line) => line.map(({ text }) => text).join("")).join("\n")}
      </pre>
    );
  }
  return (
    <pre class="code numbered" tabIndex={0} style={{ "--digits": String(String(lines.length).length) }}>
      {lines.map((line, index) => (
        <span key={index} class={`code-line ${line.some(({ isMarked }) => isMarked) ? "wrong" : ""}`}>
          {line.map((piece, at) => (
            <PieceView key={at} piece={piece} />
          ))}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function PieceView({ piece: { kind, text, isMarked } }: { readonly piece: Piece }): JSX.Element {
  if (isMarked) {
    return (
      <mark class={`code-${kind}`} title="The error is here">
        {text === "" ? " " : text}
      </mark>
    );
  }
  return kind === "plain" ? <>{text}</> : <span class={`code-${kind}`}>{text}</span>;
}
