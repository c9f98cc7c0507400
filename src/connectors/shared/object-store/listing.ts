/** Lists of folders that a store sends in pages. */
import { StorageError } from "../../../ports/storage.ts";
import type { HttpResponse } from "../../../ports/network.ts";
import type { Listed, StoredObject, UnfinishedUpload } from "./object-store.ts";
import { documentOf } from "./xml.ts";

const listedObjectsMax = 200_000;
/** A server may send pages without objects, each with the address of another one. */
const listedPagesMax = 2000;
const uploadsMax = 100_000;

export interface ListPage extends Listed {
  /** undefined for the last page. */
  readonly next: string | undefined;
}

/**
 * Pages of a list, of which the first is asked for with undefined. A server may repeat a page, or have pages without end: then `refuse` is
 * called, and the pages so far are all unless it throws.
 */
async function* pagesOf<Page extends { readonly next: string | undefined }>(
  pageAt: (token: string | undefined) => Promise<Page>,
  refuse: (reason: string) => void = () => undefined,
): AsyncGenerator<Page> {
  let token: string | undefined;
  for (let pages = 0; pages < listedPagesMax; pages++) {
    const page = await pageAt(token);
    yield page;
    if (page.next === undefined) {
      return;
    }
    if (page.next === token) {
      refuse("the server repeats a page of its list");
      return;
    }
    token = page.next;
  }
  refuse(`the list of a folder has more than ${listedPagesMax} pages`);
}

interface UploadPage {
  readonly uploads: readonly UnfinishedUpload[];
  /** undefined for the last page. */
  readonly next: string | undefined;
}

/** All pages of a folder. */
export async function listedPages(folder: string, pageAt: (token: string | undefined) => Promise<ListPage>): Promise<Listed> {
  const objects: StoredObject[] = [];
  const folders: string[] = [];
  const refuse = (reason: string): never => {
    throw new StorageError("IO", folder, reason);
  };
  for await (const page of pagesOf(pageAt, refuse)) {
    objects.push(...page.objects);
    folders.push(...page.folders);
    if (objects.length + folders.length > listedObjectsMax) {
      refuse(`a folder has more than ${listedObjectsMax} objects`);
    }
  }
  return { objects, folders };
}

/** Unfinished uploads, up to a bound: what is beyond it is found once these are gone. */
export async function listedUploads(pageAt: (token: string | undefined) => Promise<UploadPage>): Promise<readonly UnfinishedUpload[]> {
  const found: UnfinishedUpload[] = [];
  for await (const { uploads } of pagesOf(pageAt)) {
    found.push(...uploads);
    if (found.length >= uploadsMax) {
      break;
    }
  }
  return found;
}

/** A document that is cut short is not well-formed, and is asked for again. */
export function damagedDocument(what: "list" | "answer"): (response: HttpResponse) => string | undefined {
  return (response) => (response.status === 200 && documentOf(response) === undefined ? `the server sent a damaged ${what}` : undefined);
}
