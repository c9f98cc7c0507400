/** Cancels a query. A second click within a few seconds confirms it. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { request, RequestFailure } from "../api/request.ts";
import { showToast } from "../components/toast.tsx";

const confirmMs = 4000;

async function cancelQuery(queryId: string): Promise<void> {
  try {
    await request(`v1/query/${encodeURIComponent(queryId)}`, { method: "DELETE" });
    showToast(`Query ${queryId} is canceled`);
  } catch (error) {
    const isGone = error instanceof RequestFailure && (error.status === 404 || error.status === 410);
    showToast(isGone ? `Query ${queryId} has ended` : `Query ${queryId} was not canceled: ${String(error)}`, isGone ? "neutral" : "bad");
  }
}

export function CancelButton({ queryId, onCanceled }: { readonly queryId: string; readonly onCanceled: () => void }): JSX.Element {
  const isAsked = useSignal(false);
  useEffect(() => {
    if (!isAsked.value) {
      return undefined;
    }
    const timer = setTimeout(() => {
      isAsked.value = false;
    }, confirmMs);
    return () => clearTimeout(timer);
  }, [isAsked.value]);
  const click = (): void => {
    isAsked.value = !isAsked.value;
    if (!isAsked.value) {
      void cancelQuery(queryId).then(onCanceled);
    }
  };
  return (
    <button type="button" class="small danger" aria-label={`${isAsked.value ? "Confirm: cancel" : "Cancel"} ${queryId}`} onClick={click}>
      {isAsked.value ? "Sure?" : "Cancel"}
    </button>
  );
}
