/**
 * Draws sites. Each site has a random number of its own, from the mutation seed and its key; the site with the smallest number (divided by
 * its weight) comes first. Rooms take turns by their weights. The order is a pure function of seed and sources, a smaller sample is the
 * beginning of a larger one, and a change of the sources moves only the sites of the functions that it touches.
 */
import { type RoomName, rooms } from "./rooms.ts";
import type { Site } from "./sites.ts";

export interface Drawn {
  readonly room: RoomName;
  readonly site: Site;
}

/** Uniform in (0, 1], by a hash of the text. */
function uniformOf(text: string): number {
  let [a, b] = [0x9e3779b9, 0x85ebca6b];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
    b ^= b >>> 15;
  }
  const high = mixed(a ^ Math.imul(b, 0x27d4eb2f));
  const low = mixed(b ^ Math.imul(a, 0x165667b1));
  return ((high >>> 0) * 2 ** 21 + (low >>> 11) + 1) / 2 ** 53;
}

function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Orders the sites of one room. Sites with twice the weight come first twice as often. */
function ordered(sites: readonly Site[], mutationSeed: number): readonly Site[] {
  return sites
    .map((site) => ({ site, rank: -Math.log(uniformOf(`${mutationSeed}/${site.key}`)) / site.weight }))
    .sort((a, b) => a.rank - b.rank || (a.site.key < b.site.key ? -1 : 1))
    .map(({ site }) => site);
}

/**
 * Sites of all rooms in their final order: the room that is furthest behind its share takes its next site. `accept` decides whether a site
 * is a mutant; one that is not does not count as a turn of its room.
 */
export function* drawn(
  sitesByRoom: ReadonlyMap<RoomName, readonly Site[]>,
  mutationSeed: number,
  accept: (site: Site, room: RoomName) => boolean,
): Generator<Drawn, void, undefined> {
  const queues = rooms.flatMap(({ name, weight }) => {
    const sites = sitesByRoom.get(name) ?? [];
    return sites.length === 0 ? [] : [{ name, weight, sites: ordered(sites, mutationSeed), next: 0, turns: 0 }];
  });
  for (;;) {
    const [queue] = queues
      .filter(({ next, sites }) => next < sites.length)
      .sort((a, b) => (a.turns + 0.5) / a.weight - (b.turns + 0.5) / b.weight || (a.name < b.name ? -1 : 1));
    if (queue === undefined) {
      return;
    }
    const site = queue.sites[queue.next++];
    if (site !== undefined && accept(site, queue.name)) {
      queue.turns++;
      yield { room: queue.name, site };
    }
  }
}
