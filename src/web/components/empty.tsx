/** What a page shows in place of data: that there are none, that they are being loaded, or why they cannot be had. */
import type { ComponentChildren, JSX } from "preact";
import type { RequestFailure } from "../api/request.ts";

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Appears only after a moment, so that quick answers do not flicker. */
export function Loading({ what }: { readonly what: string }): JSX.Element {
  return (
    <div class="empty loading" role="status">
      <p>Loading {what}…</p>
    </div>
  );
}

/** Says that the shown data are not current. Renders nothing without a failure. */
export function FailureNote({ failure, onRetry }: { readonly failure: RequestFailure | undefined; readonly onRetry?: () => void }) {
  return failure === undefined ? null : (
    <div class="failure" role="alert">
      <span>{failure.message}</span>
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
