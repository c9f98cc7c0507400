/** Lists of folders that a store sends in pages. */
import { StorageError } from "../../../ports/storage.ts";
import type { HttpResponse } from "../../../ports/network.ts";
import type { Listed, StoredObject } from "./object-store.ts";
import { documentOf } from "./xml.ts";

const listedObjectsMax = 200_000;
/** A server may send pages without objects, each with the address of another one. */
export const listedPagesMax = 2000;

export interface ListPage extends Listed {
  /** undefined for the last page. */
  readonly next: string | undefined;
}

/** All pages; `pageAt` is asked for the first one with undefined. */
export async function listedPages(folder: string, pageAt: (token: string | undefined) => Promise<ListPage>): Promise<Listed> {
  const objects: StoredObject[] = [];
  const folders: string[] = [];
  for (let token: string | undefined, pages = 0; pages === 0 || token !== undefined; pages++) {
    if (pages === listedPagesMax) {
      throw new StorageError("IO", folder, `the list of a folder has more than ${listedPagesMax} pages`);
    }
    const page = await pageAt(token);
    objects.push(...page.objects);
    folders.push(...page.folders);
    if (objects.length + folders.length > listedObjectsMax) {
      throw new StorageError("IO", folder, `a folder has more than ${listedObjectsMax} objects`);
    }
    if (page.next !== undefined && page.next === token) {
      throw new StorageError("IO", folder, "the server repeats a page of its list");
    }
    token = page.next;
  }
  return { objects, folders };
}

/** A document that is cut short is not well-formed, and is asked for again. */
export function damagedDocument(what: "list" | "answer"): (response: HttpResponse) => string | undefined {
  return (response) => (response.status === 200 && documentOf(response) === undefined ? `the server sent a damaged ${what}` : undefined);
}
