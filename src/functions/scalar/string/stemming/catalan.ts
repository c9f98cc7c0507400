/**
 * Catalan stemmer: the algorithm published by Snowball.
 */
import { longestSuffix, regions, type SuffixStep, suffixStep } from "./suffixes.ts";

/** Action on a suffix that lies in the region. */
interface Action {
  readonly region: "R1" | "R2";
  readonly by: string;
}

const inR1: Action = { region: "R1", by: "" };
const inR2: Action = { region: "R2", by: "" };

const vowels = "aeiouáàéèíïóòúü";

const attachedPronouns = suffixStep<Action>([
  [inR1, "'s 'hi 'ho 'l 'ls 'n 'ns 'm 't -ls -la -les -li -nos -us -n -ns -me -m -te"],
  [inR1, "vos se nos us li lo los me sela selo selas selos le la las les ens ho hi"],
]);

const standardSuffixes = suffixStep<Action>([
  [
    inR1,
    `ar atge formes icte ictes ell ells ella és ès esc essa et ets eta eres eries ers ina ines able ls ió itat itats itzar iva ives
    ivisme ius fer ment amen ament aments ments ot sfera al als era ana iste aire eria esa eses esos or ícia ícies icis ici íci ícis
    ària àries alla ció cions nça nces ó dor all il ístic enc enca ís issa issos íssem íssiu issem isseu ísseu ós osa dora dores dors
    adura ble bles ívol ívola dís egar ejar ificar itar ables adors idores idors adora ació doras dur dures allengües ant ants ancia
    ancies atòria atòries tori toris ats ions ota isam ors ora ores isament bilitat bilitats ivitat ivitats ari aris ionisme ionista
    ionistes ialista ialistes ialisme ialismes ud uts uds encia encies ència ències ïtat ïtats atiu atius atives ativa ativitat
    ativitats ible ibles assa asses assos ent ents íssim íssima íssims íssimes ìssem ìsseu ìssin ims ima imes isme ista ismes istes inia
    inies íinia ínies ita ites triu trius oses osos ient otes ots`,
  ],
  [inR2, "acions ada ades"],
  [{ region: "R2", by: "log" }, "logía logíes logia logies logi logis lógica lógics lógiques"],
  [{ region: "R2", by: "ic" }, "ic ica ics iques"],
  [{ region: "R1", by: "c" }, "quíssim quíssims quíssimes quíssima"],
]);

const verbSuffixes = suffixStep<Action>([
  [
    inR1,
    `ador adora adors adores re ie ent ents udes arà eren ará arían arías arán arás aríais aria arian arien aries aràs aría aréis aríamos
    aremos ara aré arés erían erías erán erás eríais ería eréis eríamos eremos erá eré er erau erass irían irías irán irás iríais iría
    iréis iríamos iremos irá iré írem íreu íeu ia ies íem ìeu ien at ut uda ava aves avem ávem àvem àveu áveu aven au ats asseu esseu
    eresseu àsseu àssem àssim àssiu essen esses assen asses assim assiu éssen ésseu éssim éssiu éssem í ares àrem àreu àren aríem aríeu
    areu aren ant ïm ïu és ïen en es em am ams ïa ïes dre eix eixer tzar eixes ides ïdes it ït ïda aba ada ades ida ía iera ad ed its id
    ids ase iese aste iste an aban ían aran ieran asen iesen aron ieron ado ido iendo ió ar ir as ieu ii io ià ess essin essis ass assin
    assis essim èssim èssiu abas adas idas ías aras ieras ases ieses ís áis abais íais arais ierais aseis ieseis asteis isteis ados idos
    amos ábamos íamos imos ques áramos iéramos iésemos ásemos ira iran irem iren ires ireu iria irien iries irà iràs irè irìem irìeu
    isquen iguem igueu esqui esquin esquis eixi eixin eixis eixen eixo isin isis esques sis sin int iríem iríeu isc atges esca esquen
    issen isses issin issis isca issiu issim ïsc ïsca ïssin íssiu íssim ïssis ïguem ïgueu ïra ïren ïres ïsquen ïsques ïssen ïsses ïxo
    ïxen ïxes ïx ixo ixen ixes ix ixa inin inis ini ineu itza itzi itzeu itzis itzo itz itzà arem in às iï iïn iïs`,
  ],
  [inR2, "ando"],
]);

const residualSuffixes = suffixStep<Action>([
  [inR1, "os a o á à í ó e é eu iu is i ir s ì itz ï ïn ïs it"],
  [{ region: "R1", by: "ic" }, "iqu"],
]);

const plainLetters: ReadonlyMap<string, string> = new Map(
  Object.entries({ á: "a", à: "a", é: "e", è: "e", í: "i", ì: "i", ï: "i", ó: "o", ò: "o", ú: "u", ü: "u", "·": "." }),
);

/** The word after the step; undefined if the step does nothing. Only the longest suffix counts, whichever region it lies in. */
function apply(step: SuffixStep<Action>, word: string, [r1, r2]: readonly [number, number]): string | undefined {
  const found = longestSuffix(step, word, word.length);
  if (found === undefined || found.start < (found.action.region === "R1" ? r1 : r2)) {
    return undefined;
  }
  return word.slice(0, found.start) + found.action.by;
}

export function stemCatalan(word: string): string {
  const begins = regions(word, vowels);
  const bare = apply(attachedPronouns, word, begins) ?? word;
  const stem = apply(standardSuffixes, bare, begins) ?? apply(verbSuffixes, bare, begins) ?? bare;
  const rest = apply(residualSuffixes, stem, begins) ?? stem;
  return Array.from({ length: rest.length }, (_, at) => plainLetters.get(rest.charAt(at)) ?? rest.charAt(at)).join("");
}
