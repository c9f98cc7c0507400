/**
 * word_stem of Catalan and Basque against words and stems of an independent implementation of Snowball's algorithms (its Python package,
 * 3.1.1).
 */
import { expect, test } from "vitest";
import { stem, stemmedLanguages } from "../../../../src/functions/scalar/string/stemming/stemming.ts";

/** `word stem`, pair by pair. */
const vocabularies: Readonly<Record<string, string>> = {
  ca: `llengua llengu, llengües llengu, nació nac, nacions nacion, nacional nacion, nacionals nacion, nacionalisme nacional,
    nacionalista nacional, cantar cant, cantava cant, cantaven cant, cantaré cant, cantaria cant, cantant cant, canto cant,
    canta cant, cantes cant, casa cas, cases case, caseta cas, gat gat, gata gat, gats gat, gates gat, petit pet, petita pet,
    petits pet, petites pet, història histor, històries histor, històric historic, històrica historic, ràpid rap, ràpida rap,
    ràpidament rapid, feliç feliç, felicitat felic, ciutat ciut, ciutats ciut, ciutadà ciutad, ciutadans ciutadan,
    ciutadania ciutadan, universitat univer, universitats univer, universitari univers, escola esc, escoles esc, escolar escol,
    treball treb, treballs trebal, treballar treball, treballador treball, treballadora treball, treballadors treball,
    treballen treball, política politic, polítiques politic, polític politic, bonic bonic, bonica bonic, boniques bon, antic antic,
    antiga antig, lògica logic, biologia biolog, biologies biolog, tecnologia tecnolog, tecnologies tecnolog, geologia geolog,
    donar-me don, parlar-li parl, dona'm don, l'amic l'amic, s'ha s'ha, bellíssim bell, bellíssima bell, riquíssim riqu,
    riquíssima riquissim, organització organ, organitzacions organ, organitzar organ, organitzava organ, possible possib,
    possibles possib, possibilitat poss, possibilitats poss, intel·ligent intel.lig, intel·ligència intel.lig, col·legi col.leg,
    col·legis col.leg, anys any, any any, mà ma, mans man, llibre llib, llibres llibr, llibreria llibr, llibreries llibr,
    muntanya muntany, muntanyes muntany, corrent corr, corria corr, corrien corr, corregueren corregu, dormir dorm, dormia dorm,
    dormint dorm, fugint fug, serviria serv, servirien serv, patissin pat, llegeix lleg, llegeixen lleg, llegeixes lleg, agraït agr,
    agraïda agr, agraïments agra, país pais, països pais, rei rei, reis reis, veí vei, veïna vein, veïns vein, aigües aigu,
    següent segu, preguntés pregunt, pregunta pregunt, preguntes pregunt, qüestió quest, qüestions quest, blanc blanc, blanca blanc,
    blanques blan, groc groc, grogues grogu, jove jov, joves jov, bo bo, bona bon, bons bon, bones bon, és es, són son, era er,
    érem er, fóssim fossim, aquesta aquest, aquests aquest, aquell aqu, nosaltres nosaltr, vosaltres vosaltr, contemplació contempl,
    contemplatiu contempl, contemplativa contempl, admirable admirab, admirablement admirabl`,
  eu: `zaldi zaldi, zaldia zaldia, zaldiak zaldi, zaldiari zaldi, mendi mendi, mendia mendia, mendiak mendi, mendiari mendi,
    mendian mendi, etxe etxe, etxea etxea, etxean etxean, etxeak etxe, etxeko etxeko, etxera etxe, etxetik etxet, liburu liburu,
    liburua liburua, liburuak liburu, liburutegi liburu, liburutegia liburu, hiri hiri, hiria hiria, hiriko hiri, hirian hiri,
    gizon gizon, gizona gizo, gizonak gizon, emakume ema, emakumea ema, emakumeak ema, ume ume, umea umea, umeak ume, lan lan,
    lana lana, lanak lan, langile lan, langilea lan, lankide lan, ikasle ikas, ikaslea ikaslea, ikasleak ikasle, ikastola ikas,
    ikasi ikasi, ikasten ikas, ikastea ikas, irakasle irakas, irakaslea irakaslea, irakasleak irakasle, irakurri irakurri,
    irakurtzen irakur, idatzi idatzi, idazten ida, idazle ida, idazlea idaz, hizkuntza hiz, hizkuntzak hizkun, euskara eusk,
    euskaraz eusk, euskaldun euskal, euskaldunak euskal, herri herri, herria herria, herriak herri, herriko herri, herritar herri,
    herritarrak herritarr, maite mai, maitasun mai, maitasuna mai, eder eder, ederra eder, ederki eder, handi handi, handia handia,
    handiak handi, txiki txi, txikia txi, txikiak txi, zahar zah, zaharra zah, berri berri, berria berria, berriak berri,
    berrikuntza berri, politika poli, politikari poli, politikariak poli, ekonomia ekonomia, ekonomiko ekonomi, gobernu gobernu,
    gobernua gobernua, gobernuak gobernu, legebiltzar legebil, kultura kul, kulturala kul, musika musi, musikaria musi,
    musikariak musi, abesti abes, abestia abes, abeslari abes, abeslaria abes, kirol kirol, kirola kiro, kirolari kiro,
    kirolariak kiro, futbol futbol, jokatu jok, jokalari jok, jokalaria jok, joka jok, jaten jaten, jan jan, edan edan, edaten eda,
    egin egin, egiten egi, egitea egi, etorri etorri, etortzen etor, joan joan, joaten joaten, ibili ibili, ibiltzen ibil, esan esan,
    esaten esa, nahi nahi, nahiko nahi, nahia nahia, behar behar, beharra behar, arabera arabera, zehar zehar, aurka aur,
    igaro igaro, atseden atseden, geldi geldi, minutuko minutu, trako tra, lurralde lurr, lurraldea lurr, itsaso itsaso,
    itsasoa itsasoa, ibai ibai, ibaia ibaia, zubi zubi, zubia zubia, eguzki egu, eguzkia egu, ilargi ilar, urte urte, urtea urtea,
    urteak urte, hilabete hilabe, egun egun, eguna eguna, egunak egun, gaur gaur, bihar bih, atzo atzo`,
};

for (const [language, vocabulary] of Object.entries(vocabularies)) {
  test(`the vocabulary of ${language}`, () => {
    const pairs = vocabulary.split(",").map((pair) => pair.trim().split(" ") as [string, string]);
    expect(pairs.length).toBeGreaterThan(150);
    expect(pairs.map(([word]) => `${word} ${stem(word, language)}`)).toEqual(pairs.map((pair) => pair.join(" ")));
  });
}

test("the twenty languages of Presto", () => {
  expect(stemmedLanguages.join(" ")).toBe("ca da de en es eu fi fr hu hy ir it lt nl no pt ro ru sv tr");
  expect(() => stem("test", "xx")).toThrow("Unknown stemmer language: xx");
});

test("non-words and long words", () => {
  for (const language of ["ca", "eu", "en"]) {
    expect(stem("", language)).toBe("");
    expect(stem("x", language)).toBe("x");
    expect(stem("\u{1f600}", language)).toBe("\u{1f600}");
    expect(stem("ba".repeat(500_000), language).length).toBeGreaterThan(900_000);
  }
  // Repeated suffixes: each is examined once.
  expect(stem(`ba${"etxea".repeat(100_000)}`, "eu").length).toBeLessThan(10);
});
