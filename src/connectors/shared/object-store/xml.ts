/** Documents of object stores in XML. */
import { parseXml, type XmlElement, XmlElement as Element } from "@rgrove/parse-xml";
import type { HttpResponse } from "../../../ports/network.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";

/** The root; undefined if the body is no XML. */
export function documentOf({ body }: HttpResponse): XmlElement | undefined {
  try {
    return parseXml(decodeUtf8(body)).root ?? undefined;
  } catch {
    return undefined;
  }
}

/** The code alone: messages and other elements of an error repeat the request, with its access key. */
export function codeOf(response: HttpResponse): string | undefined {
  const root = response.body.length === 0 ? undefined : documentOf(response);
  const code = root === undefined ? undefined : textIn(root, "Code");
  return code !== undefined && /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : undefined;
}

export function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child): child is XmlElement => child instanceof Element && child.name === name);
}

export function textIn(element: XmlElement, name: string): string | undefined {
  return childrenOf(element, name)[0]?.text;
}

/** `+` is a space as well in these texts. Text that is not well-formed stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", "%20"));
  } catch {
    return text;
  }
}
