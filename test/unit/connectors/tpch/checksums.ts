/**
 * The output of the TPC's dbgen 2: rows, bytes and SHA-256 of each .tbl file, its first and its last line.
 */

export interface Checksum {
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly first: string;
  readonly last: string;
}

export const tinyChecksums: Readonly<Record<string, Checksum>> = {
  region: {
    rows: 5,
    bytes: 389,
    sha256: "6022658d673924389b54dcb70fa8c3d6da1b0d7afa3c1c017bab62a019df404f",
    first: "0|AFRICA|lar deposits. blithely final packages cajole. regular waters are final requests. regular accounts are according to |",
    last: "4|MIDDLE EAST|uickly special accounts cajole carefully blithely close requests. carefully final asymptotes haggle furiousl|",
  },
  nation: {
    rows: 25,
    bytes: 2224,
    sha256: "66f96949939fa8fdf1c4ffed1e5f6c2842fe11a14b51fdc6ed1e17460031e8c5",
    first: "0|ALGERIA|0| haggle. carefully final deposits detect slyly agai|",
    last: "24|UNITED STATES|1|y final packages. slow foxes cajole quickly. quickly silent platelets breach ironic accounts. unusual pinto be|",
  },
  supplier: {
    rows: 100,
    bytes: 13795,
    sha256: "9dc1002ee774699a092ed83ba278caf466d62a15d7e35bb6ed9293475528734b",
    first: "1|Supplier#000000001| N kD4on9OM Ipw3,gf0JBoQDd7tgrzrddZ|17|27-918-335-1736|5755.94|each slyly above the careful|",
    last: "100|Supplier#000000100|rIlN li8zvW22l2slbcx ECP4fL|21|31-351-324-5062|3191.70|es. regular instructions sleep carefully. slyly ironic packages across the foxes boost |",
  },
  customer: {
    rows: 1500,
    bytes: 240990,
    sha256: "6b690cce995cb715861ebf2c77aa02c61406e3a0ddcd3326d1ecfa969b9163f8",
    first:
      "1|Customer#000000001|IVhzIApeRb ot,c,E|15|25-989-741-2988|711.56|BUILDING|to the even, regular platelets. regular, ironic epitaphs nag e|",
    last: "1500|Customer#000001500|4zaoUzuWUTNFiNPbmu43|5|15-200-872-4790|6910.79|MACHINERY|s boost blithely above the fluffily ironic dolphins! ironic accounts|",
  },
  part: {
    rows: 2000,
    bytes: 237134,
    sha256: "896e14465325110dd9cf05a16972028a58be0010959262176ecd97f4db1702f8",
    first: "1|goldenrod lavender spring chocolate lace|Manufacturer#1|Brand#13|PROMO BURNISHED COPPER|7|JUMBO PKG|901.00|ly. slyly ironi|",
    last: "2000|wheat blush green puff tan|Manufacturer#1|Brand#12|PROMO ANODIZED STEEL|46|SM BAG|902.00|ajole carefully|",
  },
  partsupp: {
    rows: 8000,
    bytes: 1161705,
    sha256: "5947b5ebab042b49148f82c1324ad122f7e0d98cfadcbef12da0a5e239e09e79",
    first:
      "1|2|3325|771.64|, even theodolites. regular, final theodolites eat after the carefully pending foxes. furiously regular deposits sleep slyly. carefully bold realms above the ironic dependencies haggle careful|",
    last: "2000|33|8414|798.67|yly ironic dependencies. blithely final theodolites sleep. furiously ironic accounts wake carefully across the express, regular requests. carefully regul|",
  },
  orders: {
    rows: 15000,
    bytes: 1659137,
    sha256: "07cc8b362fda6d0b503c4d6c5d228817548e0688a3b21b590c52bb47b7b79c0f",
    first: "1|370|O|172799.49|1996-01-02|5-LOW|Clerk#000000951|0|nstructions sleep furiously among |",
    last: "60000|1426|P|299401.61|1995-04-21|2-HIGH|Clerk#000000194|0|usual frets use alongside of the furiou|",
  },
  lineitem: {
    rows: 60175,
    bytes: 7264250,
    sha256: "ee411d23efcd2943ef70489799e37dfc24543dbd03b461a88e16fd82a95765e4",
    first: "1|1552|93|1|17|24710.35|0.04|0.02|N|O|1996-03-13|1996-02-12|1996-03-22|DELIVER IN PERSON|TRUCK|egular courts above the|",
    last: "60000|836|3|6|45|78157.35|0.04|0.08|N|O|1995-07-23|1995-07-17|1995-07-24|DELIVER IN PERSON|TRUCK|ke final packages. carefully final fo|",
  },
};

export const sf1Checksums: Readonly<Record<string, Checksum>> = {
  region: {
    rows: 5,
    bytes: 389,
    sha256: "6022658d673924389b54dcb70fa8c3d6da1b0d7afa3c1c017bab62a019df404f",
    first: "0|AFRICA|lar deposits. blithely final packages cajole. regular waters are final requests. regular accounts are according to |",
    last: "4|MIDDLE EAST|uickly special accounts cajole carefully blithely close requests. carefully final asymptotes haggle furiousl|",
  },
  nation: {
    rows: 25,
    bytes: 2224,
    sha256: "66f96949939fa8fdf1c4ffed1e5f6c2842fe11a14b51fdc6ed1e17460031e8c5",
    first: "0|ALGERIA|0| haggle. carefully final deposits detect slyly agai|",
    last: "24|UNITED STATES|1|y final packages. slow foxes cajole quickly. quickly silent platelets breach ironic accounts. unusual pinto be|",
  },
  supplier: {
    rows: 10000,
    bytes: 1409184,
    sha256: "9b99cf155974e6db8773970b40746bfccfa64fa078169574165f3e19e2158391",
    first: "1|Supplier#000000001| N kD4on9OM Ipw3,gf0JBoQDd7tgrzrddZ|17|27-918-335-1736|5755.94|each slyly above the careful|",
    last: "10000|Supplier#000010000|aTGLEusCiL4F PDBdv665XBJhPyCOB0i|19|29-578-432-2146|8968.42|ly regular foxes boost slyly. quickly special waters boost carefully ironi|",
  },
  customer: {
    rows: 150000,
    bytes: 24346144,
    sha256: "4483680548a965833877c911ed43e795f4d3543c7a3f7d1dba9ccb24ea5989d6",
    first:
      "1|Customer#000000001|IVhzIApeRb ot,c,E|15|25-989-741-2988|711.56|BUILDING|to the even, regular platelets. regular, ironic epitaphs nag e|",
    last: "150000|Customer#000150000|DD7m6OBUJqlbTpiYmzK9SYuJBG266UKoAsKH|10|20-354-401-2016|2530.68|AUTOMOBILE|kages nag quickly for the regular theodolites. carefully even pin|",
  },
  part: {
    rows: 200000,
    bytes: 24135125,
    sha256: "f0e4ccdfb5f6d19428ce54f9c84b17037d20f00ac8d2b2272c8d43b18a0b4880",
    first: "1|goldenrod lavender spring chocolate lace|Manufacturer#1|Brand#13|PROMO BURNISHED COPPER|7|JUMBO PKG|901.00|ly. slyly ironi|",
    last: "200000|peach royal cornsilk sky sandy|Manufacturer#5|Brand#53|MEDIUM ANODIZED TIN|22|LG CAN|1100.00|xes sleep quick|",
  },
  partsupp: {
    rows: 800000,
    bytes: 118984616,
    sha256: "43c37f99918f06d4de6b99b05c0a28d5c46f71d66424cffcc595cb059a499254",
    first:
      "1|2|3325|771.64|, even theodolites. regular, final theodolites eat after the carefully pending foxes. furiously regular deposits sleep slyly. carefully bold realms above the ironic dependencies haggle careful|",
    last: "200000|7558|2583|996.65|ests affix slyly carefully unusual deposits. packages print blithely. slyly express requests wake c|",
  },
  orders: {
    rows: 1500000,
    bytes: 171952161,
    sha256: "8709061d7bbc81932356fdfc664f8d582252747c2d7e204ae6d3cde624586357",
    first: "1|36901|O|173665.47|1996-01-02|5-LOW|Clerk#000000951|0|nstructions sleep furiously among |",
    last: "6000000|110063|O|37625.29|1996-08-31|2-HIGH|Clerk#000000411|0|ess pinto beans boost slyly regular accounts! furiously even|",
  },
  lineitem: {
    rows: 6001215,
    bytes: 759863287,
    sha256: "96d555e07a1ae8cf5196387d9edd9427f9af70c56fa5f4b18affee5555ddb184",
    first: "1|155190|7706|1|17|21168.23|0.04|0.02|N|O|1996-03-13|1996-02-12|1996-03-22|DELIVER IN PERSON|TRUCK|egular courts above the|",
    last: "6000000|96127|6128|2|28|31447.36|0.01|0.02|N|O|1996-09-22|1996-10-01|1996-10-21|NONE|AIR|ooze furiously about the pe|",
  },
};
