/**
 * The short lists of values. Pairs are `word weight`, with underscores for spaces; lines are separated by `|`.
 *
 * Source: the TPC-DS specification's data (dsdgen's distributions), in a format of this connector.
 */

function lines(text: string): readonly string[] {
  return text.split("|").map((line) => line.trim());
}

/**
 * Sentence forms: every combination of a head and a tail. Letters are kinds of words: N noun, V verb, J adjective, D adverb, X auxiliary, P
 * preposition, A article, T terminator. All other characters are literal. One head of the eighth tail differs.
 */
export const sentenceHeads = lines("N V|J N V|J, J N V|D J N V|N X V|J N X V|J, J N X V|D J N X V");
export const sentenceTails = ["T", ..." DT| P A NT| D P A NT| NT| D NT| J NT| D J NT| J, J NT| D J, J NT| D J NT| D D J NT".split("|")];
export const oddSentence = { index: 63, form: "D J N X V D J J NT" };

export const articles = "the 163 a 504 an 9 no 3 every 1";
export const terminators = ". 10 ; 2";
export const auxiliaries = `will 2 will_not 1 shall 2 shall_not 1 may 2 may_not 1 might 2 might_not 1 can 2 cannot 1 could 2 could_not 1
must 2 must_not 1 ought_to 2 used_to 2 should 2 should_not 1 would 2 would_not 1`;
export const syllables = lines("bar|ought|able|pri|ese|anti|cally|ation|eing|n st");

export const streetTypes = lines("Street|ST|Avenue|Ave|Boulevard|Blvd|Road|RD|Parkway|Pkwy|Way|Wy|Drive|Dr.|Circle|Cir.|Lane|Ln|Court|Ct.");
/** With the weights of a street's first name. */
export const streetNames = `_ 0 Church 4031 Central 2450 Center 3402 College 2468 Twelfth 489 12th 2957 South 3570 Lakeview 2487 West 3656
Miller 2488 Cherry 3669 Broadway 2511 Jackson 3725 Sycamore 2533 Elevnth 669 11th 3109 Hillcrest 2547 Railroad 3853 Fifteenth 240
15th 2317 Sunset 3929 Madison 2578 Mill 3975 Ash 2589 Willow 4017 Woodland 2615 Lincoln 4044 Locust 2618 Ridge 4048 Poplar 2645
North 4074 Green 2652 Spring 4165 Dogwood 2653 Tenth 879 10th 3492 Lee 2669 Walnut 4799 Williams 2682 Hill 4877 Birch 2754 Lake 4901
Davis 2769 9th 3793 Ninth 1115 Laurel 2780 Washington 4974 Spruce 2821 View 5202 14th 2536 Fourteenth 315 Elm 5233 Adams 2856 8th 4172
Eigth 1352 Franklin 2882 Cedar 5644 13th 2610 Thirteenth 367 Maple 6103 Chestnut 2994 Pine 6170 East 3056 7th 4635 Seventh 1742
Smith 3076 Oak 6946 Valley 3082 6th 5097 Sixth 2186 Meadow 3193 Main 7664 River 3220 5th 5532 Fifth 2654 Wilson 3268 Park 8926
Hickory 3297 4th 6183 Fourth 3007 Jefferson 3306 1st 6047 First 3851 Forest 3309 3rd 6564 Third 3567 Johnson 3325 2nd 6907
Second 3959 Highland 3347`;
/** Weights of a street's second name that differ; "" is the empty name. */
export const secondStreetWeights: Readonly<Record<string, number>> = { "": 317000, Willow: 2613 };

/** First digit of the zip codes of a state. */
export const zipPrefixes = `TN3 SD5 AL3 SC2 OH4 LA7 MO6 GA3 MI4 NM8 PA1 NY1 WA9 MN5 IN4 FL3 WV2 NC2 CO8 NE6 TX7 IL6 KS6 VT0 OK7 CA9 KY4 IA5
NJ0 MT6 WI5 MD2 VA2 OR9 UT8 MS5 ID8 ND5 AK9 CT0 MA0 ME0 NV8 DC2 RI0 AR7 AZ8 NH0 DE1 HI9 WY8`;
/** GMT offset in hours of states where all counties agree. */
export const stateOffsets = `AL-6 AK-9 AZ-7 AR-6 CA-8 CO-7 CT-5 DE-5 DC-5 FL-5 GA-5 HI-10 ID-7 IL-6 IN-5 IA-6 KS-6 LA-6 ME-5 MD-5 MA-5 MI-5
MN-6 MS-6 MO-6 MT-7 NV-8 NH-5 NJ-5 NM-7 NY-5 NC-5 ND-6 OH-5 OK-6 OR-8 PA-5 RI-5 SC-5 TX-6 UT-7 VT-5 VA-5 WA-8 WV-5 WI-6 WY-7`;
/** Other states: the offset of counties that sort before a name, that of the others, and the exceptions. */
export const splitOffsets: Readonly<
  Record<string, { readonly bound: string; readonly below: number; readonly above: number; readonly odd: Readonly<Record<string, number>> }>
> = {
  KY: { bound: "K", below: -6, above: -5, odd: { Woodford: -6 } },
  TN: { bound: "Jef", below: -5, above: -6, odd: { Williamson: -5, Wilson: -5 } },
  NE: { bound: "Ho", below: -6, above: -7, odd: { York: -6 } },
  SD: { bound: "H", below: -6, above: -7, odd: { Yankton: -6, Ziebach: -6 } },
};

export const countries = lines(
  `AFGHANISTAN|ALAND ISLANDS|ALBANIA|ALGERIA|AMERICAN SAMOA|ANDORRA|ANGOLA|ANGUILLA|ANTARCTICA|ANTIGUA AND BARBUDA|ARGENTINA|ARMENIA|ARUBA|
AUSTRALIA|AUSTRIA|AZERBAIJAN|BAHAMAS|BAHRAIN|BANGLADESH|BARBADOS|BELARUS|BELGIUM|BELIZE|BENIN|BERMUDA|BHUTAN|BOLIVIA|BOTSWANA|
BOUVET ISLAND|BRAZIL|BRUNEI DARUSSALAM|BULGARIA|BURKINA FASO|BURUNDI|CAMBODIA|CAMEROON|CANADA|CAPE VERDE|CAYMAN ISLANDS|CHILE|CHINA|
CHRISTMAS ISLAND|COMOROS|COSTA RICA|CÔTE D'IVOIRE|CROATIA|CUBA|CYPRUS|CZECH REPUBLIC|DENMARK|DJIBOUTI|DOMINICA|ECUADOR|EGYPT|
EL SALVADOR|EQUATORIAL GUINEA|ERITREA|ESTONIA|ETHIOPIA|FAROE ISLANDS|FIJI|FINLAND|FRANCE|FRENCH GUIANA|FRENCH POLYNESIA|GABON|GAMBIA|
GEORGIA|GERMANY|GHANA|GIBRALTAR|GREECE|GREENLAND|GRENADA|GUADELOUPE|GUAM|GUATEMALA|GUERNSEY|GUINEA|GUINEA-BISSAU|GUYANA|HAITI|HONDURAS|
HONG KONG|HUNGARY|ICELAND|INDIA|INDONESIA|IRAQ|IRELAND|ISLE OF MAN|ISRAEL|ITALY|JAMAICA|JAPAN|JERSEY|JORDAN|KAZAKHSTAN|KENYA|KIRIBATI|
KOREA, REPUBLIC OF|KUWAIT|KYRGYZSTAN|LATVIA|LEBANON|LESOTHO|LIBERIA|LIECHTENSTEIN|LITHUANIA|LUXEMBOURG|MACAO|MADAGASCAR|MALAWI|MALAYSIA|
MALDIVES|MALI|MALTA|MARSHALL ISLANDS|MARTINIQUE|MAURITANIA|MAURITIUS|MAYOTTE|MEXICO|MOLDOVA, REPUBLIC OF|MONACO|MONGOLIA|MONTENEGRO|
MONTSERRAT|MOROCCO|MOZAMBIQUE|MYANMAR|NAMIBIA|NAURU|NEPAL|NETHERLANDS|NETHERLANDS ANTILLES|NEW CALEDONIA|NEW ZEALAND|NICARAGUA|NIGER|
NIGERIA|NIUE|NORFOLK ISLAND|NORWAY|OMAN|PAKISTAN|PALAU|PANAMA|PAPUA NEW GUINEA|PARAGUAY|PERU|PHILIPPINES|PITCAIRN|POLAND|PORTUGAL|
PUERTO RICO|QATAR|RÉUNION|ROMANIA|RUSSIAN FEDERATION|RWANDA|SAINT HELENA|SAINT LUCIA|SAMOA|SAN MARINO|SAUDI ARABIA|SENEGAL|SERBIA|
SEYCHELLES|SIERRA LEONE|SINGAPORE|SLOVAKIA|SLOVENIA|SOLOMON ISLANDS|SOMALIA|SOUTH AFRICA|SPAIN|SRI LANKA|SUDAN|SURINAME|SWAZILAND|SWEDEN|
SWITZERLAND|SYRIAN ARAB REPUBLIC|TAJIKISTAN|THAILAND|TIMOR-LESTE|TOGO|TOKELAU|TONGA|TRINIDAD AND TOBAGO|TUNISIA|TURKEY|TURKMENISTAN|
TUVALU|UGANDA|UKRAINE|UNITED ARAB EMIRATES|UNITED KINGDOM|UNITED STATES|URUGUAY|UZBEKISTAN|VANUATU|VENEZUELA|VIET NAM|
VIRGIN ISLANDS, U.S.|WALLIS AND FUTUNA|WESTERN SAHARA|YEMEN|ZAMBIA|ZIMBABWE`,
);

/** Weights: uniform, men, women. */
export const salutations = lines("Mr.|Mrs.|Ms.|Miss|Sir|Dr.");
export const salutationWeights = { neutral: [10, 10, 10, 10, 10, 10], male: [10, 0, 0, 0, 10, 10], female: [0, 10, 10, 10, 0, 10] };
export const topDomains = lines("com|org|edu");
export const locationTypes = lines("single family|condo|apartment");

export const genders = lines("M|F");
export const maritalStatuses = lines("M|S|D|W|U");
export const educations = lines("Primary|Secondary|College|2 yr Degree|4 yr Degree|Advanced Degree|Unknown");
export const creditRatings = lines("Good|Low Risk|High Risk|Unknown");
export const buyPotentials = lines("0-500|501-1000|1001-5000|5001-10000|>10000|Unknown");
export const vehicleCounts: readonly number[] = [0, 1, 2, 3, 4, -1];

/** Weights of the hours of sales in stores and elsewhere. */
export const storeHourWeights: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 4, 8, 12, 7, 8, 9, 12, 4, 4, 12, 8, 8, 4, 0, 0, 0];
export const remoteHourWeights: readonly number[] = [1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 7, 5, 3, 4, 5, 6, 7, 8, 7, 5, 3, 1];
export const shifts = lines("third|first|second");
export const subShifts = lines("night|morning|afternoon|evening");

export const shipModeTypes = lines("REGULAR|EXPRESS|NEXT DAY|OVERNIGHT|TWO DAY|LIBRARY");
export const shipModeCodes = lines("AIR|SURFACE|SEA|BIKE|HAND CARRY|MESSENGER|COURIER");
export const shipModeCarriers = lines(
  `UPS|FEDEX|AIRBORNE|USPS|DHL|TBS|ZHOU|ZOUROS|MSC|LATVIAN|ALLIANCE|ORIENTAL|BARIAN|BOXBUNDLES|GREAT EASTERN|DIAMOND|RUPEKSA|GERMA|
HARMSTORF|PRIVATECARRIER`,
);
export const returnReasons: readonly string[] = [
  ...lines(
    `Package was damaged|Stopped working|Did not get it on time|Not the product that was ordred|Parts missing|
Does not work with a product that I have|Gift exchange|Did not like the color|Did not like the model|Did not like the make|
Did not like the warranty|No service location in my area|Found a better price in a store|Found a better extended warranty in a store|
Not working any more|Did not fit|Wrong size|Lost my job|unauthoized purchase|duplicate purchase|its is a boy|it is a girl`,
  ),
  // In dsdgen reason 30 has the name of reason 31.
  ...Array.from({ length: 53 }, (_, index) => `reason ${index + 23 === 30 ? 31 : index + 23}`),
];

export const callCenterNames = lines(
  `New England|NY Metro|Mid Atlantic|Southeastern|North Midwest|Central Midwest|South Midwest|Pacific Northwest|California|Southwest|
Hawaii/Alaska|Other`,
);
export const callCenterClasses = lines("small|medium|large");
export const openingHours = "8AM-4PM 10 8AM-12AM 2 8AM-8AM 1";
export const webPageTypes = lines("general|order|welcome|ad|feedback|protected|dynamic");
/** Share of the sales of bi-annual, quarterly and monthly catalogs. */
export const catalogTypeWeights: readonly number[] = [50, 25, 25];
export const catalogTypes = lines("bi-annual|quarterly|monthly");
