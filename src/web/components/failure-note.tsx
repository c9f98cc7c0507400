/** Says that the shown data are not current. */
import type { RequestFailure } from "../api/request.ts";

export function FailureNote({ failure }: { readonly failure: RequestFailure | undefined }) {
  return failure === undefined ? null : (
    <p class="failure" role="alert">
      {failure.message}
    </p>
  );
}
