/** Completion for CodeMirror. Keywords appear at once; names when they have been fetched. Typing never waits for either. */
import type { Completion, CompletionContext as EditorContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import { statementAt } from "../sql/statements.ts";
import { type Candidate, keywordCandidates, nameCandidates, type Surroundings } from "./candidates.ts";
import { type CompletionContext, completionContext } from "./context.ts";
import type { Metadata } from "./metadata.ts";

export interface SourceOptions {
  readonly metadata: Metadata;
  readonly surroundings: () => Surroundings;
}

export function completionSources({ metadata, surroundings }: SourceOptions): readonly CompletionSource[] {
  return [
    (editor) => resultOf(editor, (context) => Promise.resolve(keywordCandidates(context))),
    (editor) => resultOf(editor, (context) => nameCandidates(context, metadata, surroundings())),
  ];
}

async function resultOf(
  editor: EditorContext,
  find: (context: CompletionContext) => Promise<readonly Candidate[]>,
): Promise<CompletionResult | null> {
  const text = editor.state.doc.toString();
  const statement = statementAt(text, editor.pos);
  const start = statement !== undefined && editor.pos > statement.regionTo ? statement.regionTo : (statement?.regionFrom ?? 0);
  const end = statement !== undefined && editor.pos <= statement.regionTo ? statement.regionTo : text.length;
  const context = completionContext(text.slice(start, end).replace(/;\s*$/, ""), editor.pos - start);
  const isAsked = editor.explicit || context.prefix !== "" || context.qualifier.length > 0 || context.isQuoted;
  if (context.place === "none" || !isAsked) {
    return null;
  }
  const candidates = await find(context);
  if (candidates.length === 0 || editor.aborted) {
    return null;
  }
  return {
    from: start + context.from,
    options: candidates.map((candidate) => optionOf(candidate, context)),
    // While the word grows, the same candidates are filtered.
    validFor: context.isQuoted ? /^"[^"]*$/ : /^[A-Za-z_][\w@]*$/,
  };
}

function optionOf({ kind, label, text, detail, info, rank }: Candidate, { isQuoted }: CompletionContext): Completion {
  const quoted = isQuoted && !text.startsWith('"') ? `"${text}"` : text;
  return {
    label: isQuoted ? `"${label}` : label,
    displayLabel: label,
    boost: rank * 10,
    apply: (view, completion, from, to) => insert(view, { completion, from, to, text: quoted, isCall: kind === "function" }),
    ...(detail === undefined ? {} : { detail }),
    ...(info === undefined || info === "" ? {} : { info: () => infoNode(info) }),
  };
}

interface Insertion {
  readonly completion: Completion;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly isCall: boolean;
}

/** A quote that closes the completed name is replaced. The cursor is left between the brackets of a call. */
function insert(view: EditorView, { from, to, text, isCall }: Insertion): void {
  const after = view.state.sliceDoc(to, to + 1);
  const end = text.endsWith('"') && after === '"' ? to + 1 : to;
  const brackets = isCall && after !== "(" ? "()" : "";
  view.dispatch({
    changes: { from, to: end, insert: text + brackets },
    selection: { anchor: from + text.length + (brackets === "" ? 0 : 1) },
    userEvent: "input.complete",
    scrollIntoView: true,
  });
}

/** Text only: descriptions come from the server. */
function infoNode(text: string): Node {
  const node = document.createElement("div");
  node.className = "completion-info";
  for (const line of text.split("\n")) {
    const paragraph = document.createElement("div");
    paragraph.textContent = line;
    node.append(paragraph);
  }
  return node;
}
