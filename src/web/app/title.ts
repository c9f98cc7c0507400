/** The title of the browser's tab: page, cluster, product. */
import { effect, signal } from "@preact/signals";
import { serverInfo } from "../api/cluster-feed.ts";

const title = signal("");

export function setTitle(text: string): void {
  title.value = text;
}

export function keepTitle(): void {
  effect(() => {
    const environment = serverInfo.value?.environment;
    document.title = [title.value, environment === undefined ? "" : environment, "Orrery"].filter((part) => part !== "").join(" · ");
  });
}
