/** What a coordinator answers that shares a directory with others: only the owner of the lease serves statements and workers. */
import type { HttpRequest, HttpResponse } from "../../ports/network.ts";
import { textResponse } from "../../protocol/http/http.ts";
import type { Lease } from "./lease.ts";

/** Resources that say what this process is. */
const ownPath = /^(?:https?:\/\/[^/]+)?\/(?:livez|readyz|v1\/info|v1\/status)(?:[/?]|$)/;

/**
 * The answer holds if this coordinator is the owner after it was made: the next owner finds all that the answer depends on. Otherwise it is
 * 503, and the client asks again.
 */
export async function answerAsOwner(lease: Lease, request: HttpRequest, answer: () => Promise<HttpResponse>): Promise<HttpResponse> {
  if (ownPath.test(request.url)) {
    return answer();
  }
  if (lease.epoch > 0 && (await lease.held())) {
    const response = await answer();
    if (await lease.held()) {
      return response;
    }
  }
  return textResponse(503, "Coordinator is on stand-by: another coordinator is active", { "retry-after": "1" });
}
