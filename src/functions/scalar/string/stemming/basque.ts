/**
 * Basque stemmer: the algorithm published by Snowball.
 */
import { behindFirst, longestSuffix, regions, type SuffixStep, suffixStep } from "./suffixes.ts";

/** Action on a suffix that lies in the region. A step is repeated on the part before the suffix. */
interface Action {
  readonly region?: "R1" | "R2" | "RV";
  /** Replacement; undefined keeps the suffix. */
  readonly by?: string;
}

const inRV: Action = { region: "RV", by: "" };
const inR1: Action = { region: "R1", by: "" };
const inR2: Action = { region: "R2", by: "" };
const stays: Action = {};

const vowels = "aeiou";

/** Verb suffixes. */
const aditzak = suffixStep<Action>([
  [
    inRV,
    `le la tzaile aldatu atu tzailea taile tailea pera gale galea gura kura kor korra or orra tun tuna gaitz gaitza kaitz kaitza ezin
    ezina tezin tezina errez erreza karri karria tzaga tzaka tzake tzeke ez eza tzez keta eta etan pen pena tze atze kuntza kunde kundea
    kune kunea kuna kera era kizun kizuna dura tura men mena go ago tio taldi taldia aldi aldia gune gunea bide bidea pide pidea gai
    gaia ki kin rekin kina kari karia ari tari etari gailu gailua kide kidea ide idea du ka kan an ean tu lari tatu rean tarazi arazi
    tzat bera dako`,
  ],
  [inR2, "garri garria tza"],
  [stays, "atseden arabera baditu"],
]);

/** Noun suffixes. */
const izenak = suffixStep<Action>([
  [
    inRV,
    `ari aria bizia kari karia lari laria tari taria zain zaina tzain tzaina zale zalea tzale tzalea aizun orde ordea burua ohi ohia
    kintza gintzo gintzu tzu tzua tzo tzoa kuntza talde taldea eria keria teria di za ada tara etara tra ta tegi tegia keta z zko zkoa
    ti tia tsu tsua zu zua bera pera zto ztoa asi asia gile gilea estu estua larri larria nahi nahia koi koia oi oia goi min mina dun
    duna duru durua duri duria os osa oso osoa ar ara tar dar dara tiar tiara liar liara gabe gabea kabe kabea ga ge kada tasun tasuna
    asun asuna go mendu mendua mentu mentua mendi mendia zio zioa zino zinoa zione zionea ezia degi degia egi egia toki tokia leku lekua
    gintza alde aldea kalde kaldea gune gunea une unea una pe pea gibel gibela ondo ondoa arte artea aurre aurrea etxe etxea ola ontzi
    ontzia gela denda taldi taldia aldi aldia te tea zaro zaroa taro taroa oro oroa aro aroa ero eroa eroz eroza ka kan kana tako etako
    takoa kote kotea tzar tzarra handi handia kondo kondoa skila no noa ño ñoa ska xka zka tila to toa tto ttoa txo txoa txu txua anda
    anga urren urrena gai gaia gei geia eme emea kume kumea sa ko eko koa ena enea ne nea kor korra ez eza eta etan ki kia kin kina tu
    tua du dua ek tarik tariko tan ordu ordua oste ostea tzara ra antza behar ro giro ak zp ket kail kaila ail kirri kirria ngo ngoa ñi
    sko sta koitz koitza na garren garrena kera gerren gerrena garna kide tz tuko`,
  ],
  [inR2, "ora garri garria or buru ren tza"],
  [{ by: "jok" }, "joka"],
  [inR1, "tzen ten en tatu"],
  [{ by: "tra" }, "trako"],
  [{ by: "minutu" }, "minutuko"],
  [stays, "zehar geldi igaro aurka"],
]);

/** Adjective suffixes. */
const adjektiboak = suffixStep<Action>([
  [inRV, "era ero go tate tade date dade keria ki to ro la gi larik lanik ik ztik rik"],
  [{ by: "z" }, "zlea"],
]);

/** Start of the region in which most suffixes must lie: after the second letter or later. */
function regionOfVowel(word: string): number {
  const isVowel = (at: number): boolean => vowels.includes(word.charAt(at));
  const end = word.length;
  if (end < 2) {
    return end;
  }
  if (isVowel(0)) {
    const behind = isVowel(1) ? behindFirst(word, 2, vowels, false) : behindFirst(word, 2, vowels, true);
    return behind ?? end;
  }
  if (isVowel(1)) {
    return Math.min(3, end);
  }
  return behindFirst(word, 2, vowels, true) ?? end;
}

class BasqueWord {
  #text: string;
  /** Position at which the next suffix must end; the text after it is kept. */
  #end: number;
  readonly #begins: Readonly<Record<"R1" | "R2" | "RV", number>>;

  constructor(word: string) {
    const [R1, R2] = regions(word, vowels);
    this.#text = word;
    this.#end = word.length;
    this.#begins = { R1, R2, RV: regionOfVowel(word) };
  }

  get text(): string {
    return this.#text;
  }

  /** Returns whether the step found a suffix. */
  apply(step: SuffixStep<Action>): boolean {
    const found = longestSuffix(step, this.#text, this.#end);
    if (found === undefined) {
      return false;
    }
    const { start, action } = found;
    if (action.region !== undefined && start < this.#begins[action.region]) {
      return false;
    }
    if (action.by !== undefined) {
      this.#text = this.#text.slice(0, start) + action.by + this.#text.slice(this.#end);
    }
    this.#end = start;
    return true;
  }
}

export function stemBasque(word: string): string {
  const stem = new BasqueWord(word);
  for (const step of [aditzak, izenak]) {
    let changed = true;
    while (changed) {
      changed = stem.apply(step);
    }
  }
  stem.apply(adjektiboak);
  return stem.text;
}
