/**
 * format, word_stem and Jenkins's hash against the documentation of Java, of Snowball and of the hash's author.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixedPoint, digitsOfDouble, general, grouped, scientific } from "../../../../src/functions/scalar/string/format/numbers.ts";
import { allSteps } from "../../../../src/functions/runtime/steps.ts";
import { spookyInSteps } from "../../../../src/functions/scalar/binary/spooky-hash.ts";
import { stem, stemmedLanguages } from "../../../../src/functions/scalar/string/stemming/stemming.ts";
import { createWorld } from "../../execution/expressions/world.ts";
import { exampleResult } from "../analyzed.ts";

const world = createWorld();

describe("format", () => {
  it.each([
    ["format('%s', 1e0)", "1.0"],
    ["format('%.2f', pi())", "3.14"],
    ["format('%d', 8)", "8"],
    ["format('%+d|% d|%(d|%06d|%-6d|%6d', 8, 8, -8, -8, 8, 8)", "+8| 8|(8)|-00008|8     |     8"],
    ["format('%,d %,.2f', -1234567, 1234567.891)", "-1,234,567 1,234,567.89"],
    ["format('%x %X %#x %o %#o', 255, 255, 255, 8, 8)", "ff FF 0xff 10 010"],
    ["format('%x', -1)", "ffffffffffffffff"],
    ["format('%e %.3e %E', 123456.789e0, 0.00012345e0, 1e100)", "1.234568e+05 1.235e-04 1.000000E+100"],
    ["format('%g %g %g %.0g', 123456e0, 1234567e0, 0.00001e0, 2.5e0)", "123456 1.23457e+06 1.00000e-05 3"],
    ["format('%f %f %f', nan(), infinity(), -infinity())", "NaN Infinity -Infinity"],
    ["format('%010.3f|%-10.3f|%(.1f', 3.14159e0, 3.14159e0, -2.25e0)", "000003.142|3.142     |(2.3)"],
    ["format('%f', DECIMAL '123456789012345678901234567890.125')", "123456789012345678901234567890.125000"],
    ["format('%s', DECIMAL '1.10')", "1.10"],
    ["format('%b %b %B %b', true, CAST(NULL AS integer), false, 'x')", "true false FALSE true"],
    ["format('%s %d %S', CAST(NULL AS varchar), NULL, 'abc')", "null null ABC"],
    ["format('%5s|%-5s|%.2s', 'abc', 'abc', 'abc')", "  abc|abc  |ab"],
    ["format('%2$s %1$s %<s %s', 'a', 'b')", "b a a a"],
    ["format('100%%%n%5%', 1)", "100%\n    %"],
    ["format('%h %h', 'hello', true)", "5e918d2 4cf"],
    ["format('%tF %<tT.%<tL %<tB %<tA %<tj', TIMESTAMP '2020-05-10 12:34:56.789')", "2020-05-10 12:34:56.789 May Sunday 131"],
    ["format('%tD %<te %<ty %<tC %<tb %<ta', DATE '2006-07-04')", "07/04/06 4 06 20 Jul Tue"],
    ["format('%tr|%<tI|%<tl|%<tp|%<Tp|%<tN', TIME '15:04:05.25')", "03:04:05 PM|03|3|pm|PM|250000000"],
    ["format('%ts %<tz %<tQ', TIMESTAMP '1970-01-02 00:00:00 +01:00')", "82800 +0100 82800000"],
    ["format('%tc', TIMESTAMP '1969-07-20 16:17:00 UTC')", "Sun Jul 20 16:17:00 UTC 1969"],
    ["format('%s', TIMESTAMP '2020-05-10 12:34:56.100')", "2020-05-10T12:34:56.100"],
    ["format('%s', TIMESTAMP '2020-05-10 12:34:00')", "2020-05-10T12:34"],
    ["format('%s %s', DATE '2020-05-10', TIME '01:02:00')", "2020-05-10 01:02"],
    ["format('%s', TIMESTAMP '2020-05-10 12:34:56 Europe/Paris')", "2020-05-10T12:34:56+02:00[Europe/Paris]"],
    ["format('%s', JSON '{\"a\": 1}')", '{"a":1}'],
    ["format('%s', INTERVAL '2' DAY)", "2 00:00:00.000"],
    ["format(CAST(NULL AS varchar), 1)", null],
  ])("%s", async (sql, result) => {
    expect(await exampleResult(sql, world)).toBe(result);
  });

  it.each([
    ["format('%.4d', 8)", "Invalid format string: %.4d (IllegalFormatPrecision: 4)"],
    ["format('%s %d', 8)", "Invalid format string: %s %d (MissingFormatArgument: Format specifier '%d')"],
    ["format('%y', 8)", "Invalid format string: %y (UnknownFormatConversion: Conversion = 'y')"],
    ["format('%', 8)", "Invalid format string: % (UnknownFormatConversion: Conversion = '%')"],
    ["format('%d', 'x')", "Invalid format string: %d (IllegalFormatConversion: d != java.lang.String)"],
    ["format('%d', 1.5)", "Invalid format string: %d (IllegalFormatConversion: d != java.math.BigDecimal)"],
    ["format('%f', 8)", "Invalid format string: %f (IllegalFormatConversion: f != java.lang.Long)"],
    ["format('%c', 65)", "Invalid format string: %c (IllegalFormatConversion: c != java.lang.Long)"],
    ["format('%tH', DATE '2020-01-01')", "Invalid format string: %tH (IllegalFormatConversion: H != java.time.LocalDate)"],
    ["format('%-d', 8)", "Invalid format string: %-d (MissingFormatWidth: %-d)"],
    ["format('%+ d', 8)", "Invalid format string: %+ d (IllegalFormatFlags: Flags = '+ ')"],
    ["format('%0-,5G', 1)", "Invalid format string: %0-,5G (IllegalFormatFlags: Flags = '-^0,')"],
    ["format('%++d', 8)", "Invalid format string: %++d (DuplicateFormatFlags: Flags = '+')"],
    ["format('%#d', 8)", "Invalid format string: %#d (FormatFlagsConversionMismatch: Conversion = d, Flags = #)"],
    ["format('%9999999d', 8)", "Invalid format string: %9999999d (IllegalFormatWidth: 9999999)"],
    ["format('%a', 1e0)", "Conversion %a is not supported"],
    ["word_stem('x', 'xx')", "Unknown stemmer language: xx"],
  ])("%s fails", async (sql, message) => {
    expect(await exampleResult(sql, world)).toContain(message);
  });

  it("writes the digits of a double, rounded half up", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), fc.nat(8), (value, precision) => {
        const digits = digitsOfDouble(value);
        const unit = 10 ** -precision;
        expect(Math.abs(Number(fixedPoint(digits, precision)) - Math.abs(value))).toBeLessThanOrEqual(
          unit * 0.5000001 + Math.abs(value) * 1e-15,
        );
        expect(Number(scientific(digits, 16))).toBe(Math.abs(value));
        expect(Number(general(digits, 17))).toBe(Math.abs(value));
        expect(grouped(fixedPoint(digits, precision)).replaceAll(",", "")).toBe(fixedPoint(digits, precision));
      }),
    );
  });
});

/** From the vocabulary published with the algorithm. */
const stems: Readonly<Record<string, string>> = {
  consign: "consign",
  consigned: "consign",
  consigning: "consign",
  consignment: "consign",
  consist: "consist",
  consistency: "consist",
  consistently: "consist",
  consolation: "consol",
  consolations: "consol",
  consolatory: "consolatori",
  consoling: "consol",
  conspicuous: "conspicu",
  conspiracy: "conspiraci",
  conspirators: "conspir",
  constables: "constabl",
  constancy: "constanc",
  knack: "knack",
  knackeries: "knackeri",
  knavish: "knavish",
  kneaded: "knead",
  knightly: "knight",
  knitting: "knit",
  knives: "knive",
  knotty: "knotti",
  generous: "generous",
  generate: "generat",
  communism: "communism",
  skies: "sky",
  dying: "die",
  hoping: "hope",
  hopping: "hop",
  happily: "happili",
  cries: "cri",
  ties: "tie",
  by: "by",
  say: "say",
  "dog's": "dog",
  proceed: "proceed",
  exceeding: "exceed",
  yearly: "year",
};

describe("word_stem", () => {
  it.each(Object.entries(stems))("of %s is %s", (word, expected) => {
    expect(stem(word, "en")).toBe(expected);
  });

  it.each([
    ["indtage", "da", "indtag"],
    ["indtager", "da", "indtag"],
    ["indtagelse", "da", "indtag"],
    ["underste", "da", "underst"],
    ["undersøgelse", "da", "undersøg"],
    ["bestemt", "da", "bestemt"],
    ["bestemmelser", "da", "bestem"],
    ["frihedens", "da", "frihed"],
    ["kærligheden", "da", "kær"],
    ["løsere", "da", "løs"],
    ["løst", "da", "løst"],
    ["dygtigst", "da", "dygt"],
    ["bygget", "da", "byg"],
    ["husene", "da", "hus"],
    ["æblerne", "da", "æbl"],
    ["øl", "da", "øl"],
    ["вавиловка", "ru", "вавиловк"],
    ["вагнера", "ru", "вагнер"],
    ["вагонах", "ru", "вагон"],
    ["важная", "ru", "важн"],
    ["важнейшие", "ru", "важн"],
    ["важничал", "ru", "важнича"],
    ["валялась", "ru", "валя"],
    ["валяющихся", "ru", "валя"],
    ["вдохновение", "ru", "вдохновен"],
    ["книгами", "ru", "книг"],
    ["человеческих", "ru", "человеческ"],
    ["больший", "ru", "больш"],
    ["прочитавши", "ru", "прочита"],
    ["красивейшей", "ru", "красив"],
    ["радость", "ru", "радост"],
    ["ёлки", "ru", "елк"],
  ])("of %s in the language %s is %s", (word, language, expected) => {
    expect(stem(word, language)).toBe(expected);
  });

  const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    ca: { aplicacions: "aplic", biblioteca: "bibliotec" },
    de: { ungültige: "ungult", gefunden: "gefund", fehlgeschlagen: "fehlgeschlag", straße: "strass" },
    es: { opciones: "opcion", desplazamiento: "desplaz", desconocido: "desconoc", instrucciones: "instruccion" },
    eu: { etxeak: "etxe", liburuak: "liburu" },
    fi: { tasavalta: "tasav", odotettiin: "odotet", käytöstä: "käytö", uudelleen: "uude" },
    fr: { instructions: "instruct", utiliser: "utilis", république: "républ", informations: "inform" },
    hu: { érvénytelen: "érvénytel", sikertelen: "sikertel", szigetek: "sziget" },
    hy: { հանրապետություն: "հանրապետությ", հաջողվել: "հաջող", տառատեսակի: "տառատես" },
    ir: { dhéanamh: "déan", deireadh: "deir", tacaíocht: "tac", leathanach: "leathan" },
    it: { impossibile: "imposs", repubblica: "repubbl", informazioni: "inform", sconosciuto: "sconosc" },
    lt: { namuose: "nam", vaikai: "vaik", knygomis: "knyg" },
    nl: { ongeldige: "ongeld", bestanden: "bestand", waarschuwing: "waarschuw", gebruiken: "gebruik" },
    no: { republikken: "republikk", størrelse: "størr", gjeldende: "gjeld", kommandoer: "kommando" },
    pt: { impossível: "imposs", utilizador: "utiliz", autenticação: "autentic", necessária: "necessár" },
    ro: { fișierului: "fișier", utilizator: "utiliz", informații: "informaț", necesară: "neces" },
    sv: { ogiltigt: "ogilt", misslyckades: "misslyck", republiken: "republik", felaktig: "felakt" },
    tr: { başarısız: "başarıs", tarafından: "taraf", seçenekleri: "seçenek", kullanım: "kulla" },
  };

  it.each(Object.entries(others))("of words in the language %s", (language, words) => {
    expect(Object.fromEntries(Object.keys(words).map((word) => [word, stem(word, language)]))).toEqual(words);
  });

  it("knows each language that these tests name", () => {
    expect([...stemmedLanguages].sort()).toEqual([...Object.keys(others), "da", "en", "ru"].sort());
  });

  it("makes no word longer but in Turkish, where d, g and b call for a vowel, and is asked for each word anew", () => {
    const letters = fc.constantFrom(...Array.from("aeiouyäöüéíőçşğıřsntrlmkdhgbvеиаоятсвшщаеեիութն'\u{1f600}"));
    fc.assert(
      fc.property(fc.constantFrom(...stemmedLanguages), fc.array(fc.string({ unit: letters, maxLength: 20 })), (language, words) => {
        const stems = words.map((word) => stem(word, language));
        stems.forEach((found, at) => expect(found.length).toBeLessThanOrEqual((words[at] as string).length + (language === "tr" ? 1 : 0)));
        expect(words.toReversed().map((word) => stem(word, language))).toEqual(stems.toReversed());
      }),
      { numRuns: 2000 },
    );
  });
});

it("SpookyHash gives what its author publishes: the first 32 bits of so many bytes that count up from 128", () => {
  const published: Readonly<Record<number, string>> = {
    0: "6bf50919",
    1: "70de1d26",
    7: "f9f1a233",
    8: "ee193982",
    15: "83ec01f9",
    16: "f274736c",
    31: "027bca7c",
    32: "e5cfc8b6",
    63: "09c1afb4",
    191: "e13d9e19",
    192: "77e012bd",
    193: "2d05114c",
    288: "47880140",
    511: "cc1c8250",
  };
  const bytes = Uint8Array.from({ length: 512 }, (_, index) => index + 128);
  for (const [length, expected] of Object.entries(published)) {
    const hash = BigInt.asUintN(32, allSteps(spookyInSteps(bytes.subarray(0, Number(length)))));
    expect(hash.toString(16).padStart(8, "0")).toBe(expected);
  }
});
