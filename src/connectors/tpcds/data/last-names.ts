/**
 * Last names, in the format of words.ts; semicolons separate lines.
 *
 * Source: the TPC-DS specification's data (dsdgen's distributions), in a format of this connector.
 */
export const lastNameText = `
1006 Smith;810 Johnson;699 Williams;621 Jones,Brown;480 Davis;424 Miller;339 Wilson;312 Moore;311 Taylor,Anderson,Thomas;310 Jackson
279 White;275 Harris;273 Martin;269 Thompson;254 Garcia;234 Martinez;233 Robinson;231 Clark;229 Rodriguez;226 Lewis;220 Lee;219 Walker
200 Hall;199 Allen;193 Young;192 Hernandez;190 King;189 Wright;187 Lopez,Hill;185 Scott;183 Green;174 Adams;171 Baker;166 Gonzalez
162 Nelson,Carter;160 Mitchell;155 Perez;153 Roberts;152 Turner;149 Phillips,Campbell;146 Parker;141 Evans;137 Edwards;134 Collins
133 Stewart;130 Sanchez;125 Morris;123 Rogers;122 Reed;120 Cook;118 Morgan;117 Bell,Murphy;115 Bailey;113 Rivera,Cooper;112 Richardson
110 Cox,Howard;108 Ward,Torres;107 Peterson;106 Gray;105 Ramirez,James;103 Watson,Brooks;102 Kelly;100 Sanders;99 Price,Bennett;98 Wood
97 Barnes;96 Ross;95 Henderson,Coleman,Jenkins;94 Perry;93 Powell;92 Long,Patterson,Hughes,Flores,Washington;91 Butler,Simmons,Foster
87 Gonzales,Bryant;85 Alexander,Russell;84 Griffin,Diaz;83 Hayes,Myers;82 Ford,Hamilton,Graham;81 Sullivan,Wallace;80 Woods,Cole,West
78 Jordan,Owens,Reynolds;77 Fisher,Ellis;76 Harrison;75 Gibson,Mcdonald,Cruz,Marshall,Ortiz,Gomez;74 Murray,Freeman;73 Wells;72 Webb
70 Simpson,Stevens,Tucker;69 Porter,Hunter,Hicks;68 Crawford,Henry,Boyd,Mason;67 Morales,Kennedy,Warren;66 Dixon,Ramos,Reyes
65 Burns,Gordon,Shaw,Holmes;64 Rice,Robertson;63 Hunt,Black;62 Daniels,Palmer;61 Mills;60 Nichols,Grant,Knight
59 Ferguson,Rose,Stone,Hawkins;58 Dunn,Perkins,Hudson;57 Spencer,Gardner,Stephens,Payne;56 Pierce,Berry,Matthews,Arnold
55 Wagner,Willis,Ray,Watkins,Olson,Carroll,Duncan,Snyder;54 Hart,Cunningham,Bradley,Lane,Andrews,Ruiz,Harper
53 Fox,Riley,Armstrong,Carpenter,Weaver,Greene;52 Lawrence,Elliott,Chavez,Sims,Austin,Peters,Kelley
51 Franklin,Lawson,Fields,Gutierrez,Ryan,Schmidt,Carr,Vasquez,Castillo,Wheeler;50 Chapman,Oliver
49 Montgomery,Richards,Williamson,Johnston;48 Banks,Meyer,Bishop,Mccoy,Howell,Alvarez,Morrison;47 Hansen,Fernandez,Garza,Harvey
46 Little,Burton,Stanley,Nguyen,George,Jacobs,Reid;45 Kim,Fuller,Lynch,Dean,Gilbert,Garrett,Romero;44 Welch,Larson,Frazier,Burke
43 Hanson,Day,Mendoza,Moreno,Bowman;42 Medina,Fowler,Brewer,Hoffman,Carlson,Silva,Pearson,Holland
41 Douglas,Fleming,Jensen,Vargas,Byrd,Davidson,Hopkins;40 May,Terry,Herrera,Wade,Soto,Walters,Curtis
39 Neal,Caldwell,Lowe,Jennings,Barnett,Graves,Jimenez,Horton,Shelton,Barrett,Obrien,Castro;38 Sutton,Gregory,Mckinney,Lucas,Miles,Craig
37 Rodriquez,Chambers,Holt,Lambert,Fletcher,Watts,Bates,Hale,Rhodes,Pena,Beck;36 Newman,Haynes,Mcdaniel,Mendez,Bush,Vaughn
35 Parks,Dawson,Santiago,Norris,Hardy,Love,Steele,Curry,Powers,Schultz,Barker;34 Guzman,Page,Munoz,Ball,Keller,Chandler,Weber,Leonard
33 Walsh,Lyons,Ramsey,Wolfe,Schneider,Mullins,Benson,Sharp,Bowen,Daniel
32 Barber,Cummings,Hines,Baldwin,Griffith,Valdez,Hubbard,Salazar,Reeves
31 Warner,Stevenson,Burgess,Santos,Tate,Cross,Garner,Mann,Mack,Moss,Thornton,Dennis,Mcgee
30 Farmer,Delgado,Aguilar,Vega,Glover,Manning,Cohen,Harmon,Rodgers,Robbins,Newton,Todd,Blair,Higgins,Ingram,Reese,Cannon,Strickland
Townsend,Potter,Goodwin,Walton
29 Rowe,Hampton,Ortega,Patton,Swanson,Joseph,Francis,Goodman,Maldonado,Yates,Becker,Erickson,Hodges,Rios,Conner,Adkins
28 Webster,Norman,Malone,Hammond,Flowers,Cobb,Moody,Quinn,Blake,Maxwell,Pope
27 Floyd,Osborne,Paul,Mccarthy,Guerrero,Lindsey,Estrada,Sandoval,Gibbs,Tyler,Gross,Fitzgerald,Stokes,Doyle,Sherman,Saunders,Wise,Colon
Gill,Alvarado
26 Greer,Padilla,Simon,Waters,Nunez,Ballard,Schwartz,Mcbride,Houston,Christensen,Klein,Pratt,Briggs,Parsons,Mclaughlin,Zimmerman,French
Buchanan,Moran
25 Copeland,Roy,Pittman,Brady,Mccormick,Holloway,Brock,Poole,Frank,Logan,Owen,Bass,Marsh,Drake,Wong,Jefferson,Park,Morton,Abbott,Sparks
24 Patrick,Norton,Huff,Clayton,Massey,Lloyd,Figueroa,Carson,Bowers,Roberson,Barton,Tran,Lamb,Harrington,Casey,Boone,Cortez,Clarke,Mathis
Singleton,Wilkins,Cain,Bryan,Underwood,Hogan
23 Mckenzie,Collier,Luna,Phelps,Mcguire,Allison,Bridges,Wilkerson,Nash,Summers,Atkins,Wilcox,Pitts,Conley,Marquez,Burnett,Richard,Cochran
Chase,Davenport,Hood,Gates,Clay,Ayala,Sawyer,Roman,Vazquez,Dickerson
22 Hodge,Acosta,Flynn,Espinoza,Nicholson,Monroe,Wolf,Morrow,Kirk,Randall,Anthony,Whitaker,Oconnor,Skinner,Ware,Molina,Kirby,Huffman
Bradford,Charles,Gilmore,Dominguez,Oneal,Bruce
21 Lang,Combs,Kramer,Heath,Hancock,Gallagher,Gaines,Shaffer,Short,Wiggins,Mathews,Mcclain,Fischer,Wall,Small,Melton,Hensley,Bond,Dyer
Cameron,Grimes,Contreras,Christian,Wyatt,Baxter,Snow,Mosley,Shepherd,Larsen,Hoover
20 Beasley,Glenn,Petersen,Whitehead,Meyers,Keith,Garrison,Vincent,Shields,Horn,Savage,Olsen,Schroeder,Hartman,Woodard,Mueller,Kemp,Deleon
Booth,Patel,Calhoun,Wiley,Eaton,Cline,Navarro,Harrell,Lester,Humphrey,Parrish,Duran,Hutchinson,Hess,Dorsey,Bullock,Robles
19 Beard,Dalton,Avila,Vance,Rich,Blackwell,York,Johns,Blankenship,Trevino,Salinas,Campos,Pruitt,Moses,Callahan,Golden,Montoya,Hardin
Guerra,Mcdowell,Carey,Stafford,Gallegos,Henson,Wilkinson,Booker,Merritt,Miranda,Atkinson,Orr,Decker,Hobbs,Preston,Tanner,Knox,Pacheco
18 Stephenson,Glass,Rojas,Serrano,Marks,Hickman,English,Sweeney,Strong,Prince,Mcclure,Conway,Walter,Roth,Maynard,Farrell,Lowery,Hurst
Nixon,Weiss,Trujillo,Ellison,Sloan,Juarez,Winters,Mclean,Randolph,Leon,Boyer,Villarreal,Mccall,Gentry
17 Carrillo,Kent,Ayers,Lara,Shannon,Sexton,Pace,Hull,Leblanc,Browning,Velasquez,Leach,Chang,House,Sellers,Herring,Noble,Foley,Bartlett
Mercado,Landry,Durham,Walls,Barr,Mckee,Bauer,Rivers,Everett,Bradshaw,Pugh,Velez,Rush,Estes,Dodson,Morse,Sheppard,Weeks,Camacho,Bean,Barron
Livingston
16 Middleton,Spears,Branch,Blevins,Chen,Kerr,Mcconnell,Hatfield,Harding,Ashley,Solis,Herman,Frost,Giles,Blackburn,William,Pennington
Woodward,Finley,Mcintosh,Koch,Best,Solomon,Mccullough,Dudley,Nolan,Blanchard,Rivas,Brennan,Mejia,Kane,Benton,Joyce,Buckley,Haley,Valentine
Maddox,Russo,Mcknight,Buck,Moon,Mcmillan,Crosby,Berg,Dotson,Mays,Roach,Church,Chan,Richmond,Meadows,Faulkner,Oneill,Knapp
15 Kline,Barry,Ochoa,Jacobson,Gay,Avery,Hendricks,Horne,Shepard,Hebert,Cherry,Cardenas,Mcintyre,Whitney,Waller,Holman,Donaldson,Cantu
Terrell,Morin,Gillespie,Fuentes,Tillman,Sanford,Bentley,Peck,Key,Salas,Rollins,Gamble,Dickson,Battle,Santana,Cabrera,Cervantes,Howe,Hinton
Hurley,Spence,Zamora,Yang,Mcneil,Suarez,Case,Petty,Gould,Mcfarland,Sampson,Carver,Bray,Rosario,Macdonald,Stout,Hester,Melendez,Dillon
Farley,Hopper,Galloway,Potts,Bernard
14 Joyner,Stein,Aguirre,Osborn,Mercer,Bender,Franco,Rowland,Sykes,Benjamin,Travis,Pickett,Crane,Sears,Mayo,Dunlap,Hayden,Wilder,Mckay
Coffey,Mccarty,Ewing,Cooley,Vaughan,Bonner,Cotton,Holder,Stark,Ferrell,Cantrell,Fulton,Lynn,Lott,Calderon,Rosa,Pollard,Hooper,Burch,Mullen
Fry,Riddle,Levy,David,Duke,Odonnell,Guy,Michael,Britt,Frederick,Daugherty,Berger,Dillard,Alston,Jarvis,Frye,Riggs,Chaney
13 Odom,Duffy,Fitzpatrick,Valenzuela,Merrill,Mayer,Alford,Mcpherson,Acevedo,Donovan,Barrera,Albert,Cote,Reilly,Compton,Raymond,Mooney
Mcgowan,Craft,Cleveland,Clemons,Wynn,Nielsen,Baird,Stanton,Snider,Rosales,Bright,Witt,Stuart,Hays,Holden,Rutledge,Kinney,Clements
Castaneda,Slater,Hahn,Emerson,Conrad,Burks,Delaney,Pate,Lancaster,Sweet,Justice,Tyson,Sharpe,Whitfield,Talley,Macias,Irwin,Burris,Ratliff
Mccray,Madden,Kaufman,Beach,Goff,Cash,Bolton,Mcfadden,Levine,Good,Byers,Kirkland,Kidd,Workman,Carney,Dale,Mcleod,Holcomb,England,Finch
12 Head,Burt,Hendrix,Sosa,Haney,Franks,Sargent,Nieves,Downs,Rasmussen,Bird,Hewitt,Lindsay,Le,Foreman,Valencia,Oneil,Delacruz,Vinson
Dejesus,Hyde,Forbes,Gilliam,Guthrie,Wooten,Huber,Barlow,Boyle,Mcmahon,Buckner,Rocha,Puckett,Langley,Knowles,Cooke,Velazquez,Whitley,Noel
Vang,Shea,Rouse,Hartley,Mayfield,Elder,Rankin,Hanna,Cowan,Lucero,Arroyo,Slaughter,Haas,Oconnell,Minor,Kendrick,Shirley,Kendall,Boucher
Archer,Boggs,Odell,Dougherty,Andersen,Newell,Crowe,Wang,Friedman,Bland,Swain,Holley,Felix,Pearce,Childs,Yarbrough,Galvan,Proctor,Meeks
Lozano,Mora,Rangel,Bacon,Villanueva,Schaefer,Rosado,Helms,Boyce,Goss
11 Stinson,Smart,Lake,Ibarra,Hutchins,Covington,Reyna,Gregg,Werner,Crowley,Hatcher,Mackey,Bunch,Womack,Polk,Jamison,Dodd,Childress
Childers,Camp,Villa,Dye,Springer,Mahoney,Dailey,Belcher,Lockhart,Griggs,Costa,Connor,Brandt,Winter,Walden,Moser,Tracy,Tatum,Mccann,Akers
Lutz,Pryor,Law,Orozco,Mcallister,Lugo,Davies,Shoemaker,Madison,Rutherford,Newsome,Magee,Chamberlain,Blanton,Simms,Godfrey,Flanagan,Crum
Cordova,Escobar,Downing,Sinclair,Donahue,Krueger,Mcginnis,Gore,Farris,Webber,Corbett,Andrade,Starr,Lyon,Yoder,Hastings,Mcgrath,Spivey
Krause,Harden,Crabtree,Kirkpatrick,Hollis,Brandon,Arrington,Ervin,Clifton,Ritter,Mcghee,Bolden,Maloney,Gagnon,Dunbar,Ponce,Pike,Mayes
Heard,Beatty,Mobley,Kimball,Butts,Montes,Herbert,Grady,Eldridge,Braun,Hamm,Gibbons,Seymour,Moyer,Manley,Herron,Plummer,Elmore,Cramer,Gary
Rucker,Hilton,Blue,Pierson,Fontenot,Field,Rubio,Grace,Goldstein,Elkins
10 Wills,Novak,John,Hickey,Worley,Gorman,Katz,Dickinson,Broussard,Fritz,Woodruff,Crow,Christopher,Britton,Forrest,Nance,Lehman,Bingham
Zuniga,Whaley,Shafer,Coffman,Steward,Delarosa,Nix,Neely,Numbers,Mata,Manuel,Davila,Mccabe,Kessler,Emery,Bowling,Hinkle,Welsh,Pagan
Goldberg,Goins,Crouch,Cuevas,Quinones,Mcdermott,Hendrickson,Samuels,Denton,Bergeron,Lam,Ivey,Locke,Haines,Thurman,Snell,Hoskins,Byrne
Milton,Winston,Arthur,Arias,Stanford,Roe,Corbin,Beltran,Chappell,Hurt,Downey,Dooley,Tuttle,Couch,Payton,Mcelroy,Crockett,Groves,Clement
Leslie,Cartwright,Dickey,Mcgill,Dubois,Muniz,Erwin,Self,Tolbert,Dempsey,Cisneros,Sewell,Latham,Garland,Vigil,Tapia,Sterling,Rainey,Norwood
Lacy,Stroud,Meade,Amos,Tipton,Lord,Kuhn,Hilliard,Bonilla,Teague,Courtney,Gunn,Ho,Greenwood,Correa,Reece,Weston,Poe,Trent,Pineda,Phipps
Frey,Kaiser,Ames,Paige,Gunter,Schmitt,Milligan,Espinosa,Carlton,Bowden,Vickers,Lowry,Pritchard,Costello
9 Piper,Mcclellan,Lovell,Drew,Sheehan,Quick,Hatch,Dobson,Singh,Jeffries,Hollingsworth,Sorensen,Meza,Fink,Donnelly,Burrell,Bruno,Tomlinson
Colbert,Billings,Ritchie,Helton,Sutherland,Peoples,Mcqueen,Gaston,Thomason,Mckinley,Givens,Crocker,Vogel,Robison,Dunham,Coker,Swartz,Keys
Lilly,Ladner,Hannah,Willard,Richter,Hargrove,Edmonds,Brantley,Albright,Murdock,Boswell,Muller,Quintero,Padgett,Kenney,Daly,Connolly,Pierre
Inman,Quintana,Lund,Barnard,Villegas,Simons,Land,Huggins,Tidwell,Sanderson,Bullard,Mcclendon,Duarte,Draper,Meredith,Marrero,Dwyer,Abrams
Stover,Goode,Fraser,Crews,Bernal,Smiley,Godwin,Fish,Conklin,Mcneal,Baca,Esparza,Crowder,Bower,Nicholas,Chung,Brewster,Mcneill,Dick
Rodrigues,Leal,Coates,Raines,Mccain,Mccord,Miner,Holbrook,Swift,Dukes,Carlisle,Aldridge,Ackerman,Starks,Ricks,Holliday,Ferris,Hairston
Sheffield,Lange,Fountain,Marino,Doss,Betts,Kaplan,Carmichael,Bloom,Ruffin,Penn,Kern,Bowles,Sizemore,Larkin,Dupree,Jewell,Silver,Seals
Metcalf,Hutchison,Henley,Farr,Castle,Mccauley,Hankins,Gustafson,Deal,Curran,Ash,Waddell,Ramey,Cates,Pollock,Major,Irvin,Cummins,Messer
Heller,Dewitt,Lin,Funk,Cornett,Palacios,Galindo,Cano,Hathaway
8 Singer,Pham,Enriquez,Aaron,Salgado,Pelletier,Painter,Wiseman,Blount,Hand,Feliciano,Temple,Houser,Doherty,Mead,Mcgraw,Toney,Swan,Melvin
Capps,Blanco,Blackmon,Wesley,Thomson,Mcmanus,Fair,Burkett,Post,Gleason,Rudolph,Ott,Dickens,Cormier,Voss,Rushing,Rosenberg,Hurd,Dumas
Benitez,Arellano,Story,Marin,Caudill,Bragg,Jaramillo,Huerta,Gipson,Colvin,Biggs,Vela,Platt,Cassidy,Tompkins,Mccollum,Kay,Gabriel,Dolan
Daley,Crump,Street,Sneed,Kilgore,Grove,Grimm,Davison,Brunson,Prater,Marcum,Devine,Kyle,Dodge,Stratton,Rosas,Choi,Tripp,Ledbetter,Lay
Hightower,Haywood,Feldman,Epps,Yeager,Posey,Sylvester,Scruggs,Cope,Stubbs,Richey,Overton,Trotter,Sprague,Cordero,Butcher,Burger,Stiles
Burgos,Woodson,Horner,Bassett,Purcell,Haskins,Gee,Akins,Abraham,Hoyt,Ziegler,Spaulding,Hadley,Grubbs,Sumner,Murillo,Zavala,Shook,Lockwood
Jarrett,Driscoll,Dahl,Thorpe,Sheridan,Redmond,Putnam,Mcwilliams,Mcrae,Cornell,Felton,Romano,Joiner,Sadler,Hedrick,Hager,Hagen,Fitch
Coulter,Thacker,Mansfield,Langston,Guidry,Ferreira,Corley,Conn,Rossi,Lackey,Cody,Baez,Saenz,Mcnamara,Darnell,Michel,Mcmullen,Mckenna
Mcdonough,Link,Engel,Browne,Roper,Peacock,Eubanks,Drummond,Stringer,Pritchett,Parham,Mims,Landers,Ham,Grayson,Stacy,Schafer,Egan,Timmons
Ohara,Keen,Hamlin,Finn,Cortes,Mcnair,Louis,Clifford,Nadeau,Moseley,Michaud,Rosen,Oakes,Kurtz,Jeffers,Calloway,Beal,Bautista,Winn,Suggs
Stern,Stapleton,Lyles,Laird,Montano,Diamond,Dawkins,Roland,Hagan,Goldman,Bryson,Barajas,Lovett,Segura,Metz,Lockett,Langford,Hinson,Eastman
Rock,Hooks
7 Woody,Smallwood,Shapiro,Crowell,Whalen,Triplett,Hooker,Chatman,Aldrich,Cahill,Youngblood,Ybarra,Stallings,Sheets,Samuel,Reeder,Person
Pack,Lacey,Connelly,Bateman,Abernathy,Winkler,Wilkes,Masters,Hackett,Granger,Gillis,Schmitz,Sapp,Napier,Souza,Lanier,Gomes,Weir,Otero
Ledford,Burroughs,Babcock,Ventura,Siegel,Dugan,Clinton,Christie,Bledsoe,Atwood,Wray,Varner,Spangler,Otto,Anaya,Staley,Kraft,Fournier,Eddy
Belanger,Wolff,Thorne,Bynum,Burnette,Boykin,Swenson,Purvis,Pina,Khan,Duvall,Darby,Xiong,Kauffman,Ali,Yu,Healy,Engle,Corona,Benoit,Valle
Steiner,Spicer,Shaver,Randle,Lundy,Dow,Chin,Calvert,Staton,Neff,Kearney,Darden,Oakley,Medeiros,Mccracken,Crenshaw,Block,Beaver,Perdue,Dill
Whittaker,Tobin,Cornelius,Washburn,Hogue,Goodrich,Easley,Bravo,Dennison,Vera,Shipley,Kerns,Jorgensen,Crain,Abel,Villalobos,Maurer,Longoria
Keene,Coon,Sierra,Witherspoon,Staples,Pettit,Kincaid,Eason,Madrid,Echols,Lusk,Wu,Stahl,Currie,Thayer,Shultz,Sherwood,Mcnally,Seay,North
Maher,Kenny,Hope,Gagne,Barrow,Nava,Myles,Moreland,Honeycutt,Hearn,Diggs,Caron,Whitten,Westbrook,Stovall,Ragland,Queen,Munson,Meier,Looney
Kimble,Jolly,Hobson,London,Goddard,Culver,Burr,Presley,Negron,Connell,Tovar,Marcus,Huddleston,Hammer,Ashby,Salter,Root,Pendleton,Oleary
Nickerson,Myrick,Judd,Jacobsen,Elliot,Bain,Adair,Starnes,Sheldon,Matos,Light,Busby,Herndon,Hanley,Bellamy,Jack,Doty,Bartley,Yazzie,Rowell
Parson,Gifford,Cullen,Christiansen,Benavides,Barnhart,Talbot,Mock,Crandall,Connors,Bonds,Whitt,Gage,Bergman,Arredondo,Addison,Marion,Lujan
Dowdy,Jernigan,Huynh,Bouchard,Dutton,Rhoades,Ouellette,Kiser,Rubin,Herrington,Hare,Denny,Blackman,Babb,Allred,Rudd,Paulson,Ogden,Koenig
Jacob,Irving,Geiger,Begay,Parra,Champion,Lassiter,Hawk,Esposito,Cho,Waldron,Vernon,Ransom,Prather,Keenan,Jean,Grover,Chacon,Vick,Sands
Roark,Parr,Mayberry,Greenberg,Coley,Bruner,Whitman,Skaggs,Shipman,Means,Leary,Hutton,Romo,Medrano,Ladd,Kruse,Friend,Darling,Askew,Valentin
Schulz,Alfaro,Tabor,Mohr,Gallo,Bermudez,Pereira,Isaac,Bliss
6 Reaves,Flint,Comer,Boston,Woodall,Naquin,Guevara,Earl,Delong,Carrier,Pickens,Brand,Tilley,Schaffer,Read,Lim,Knutson,Fenton,Doran,Chu
Vogt,Vann,Prescott,Mclain,Landis,Corcoran,Ambrose,Zapata,Hyatt,Hemphill,Faulk,Call,Dove,Boudreaux,Aragon,Whitlock,Trejo,Tackett,Shearer
Saldana,Hanks,Gold,Driver,Mckinnon,Koehler,Champagne,Bourgeois,Pool,Keyes,Goodson,Foote,Early,Lunsford,Goldsmith,Flood,Winslow,Sams,Reagan
Mccloud,Hough,Esquivel,Naylor,Loomis,Coronado,Ludwig,Braswell,Bearden,Sherrill,Huang,Fagan,Ezell,Edmondson,Cyr,Cronin,Nunn,Lemon,Guillory
Grier,Dubose,Traylor,Ryder,Dobbins,Coyle,Aponte,Whitmore,Smalls,Rowan,Malloy,Cardona,Braxton,Borden,Humphries,Carrasco,Ruff,Metzger
Huntley,Hinojosa,Finney,Madsen,Hong,Hills,Ernst,Dozier,Burkhart,Bowser,Peralta,Daigle,Whittington,Sorenson,Saucedo,Roche,Redding,Loyd
Fugate,Avalos,Waite,Lind,Huston,Hay,Benedict,Hawthorne,Hamby,Boyles,Boles,Regan,Faust,Crook,Beam,Barger,Hinds,Gallardo,Elias,Willoughby
Willingham,Wilburn,Eckert,Busch,Zepeda,Worthington,Tinsley,Russ,Li,Hoff,Hawley,Carmona,Varela,Rector,Newcomb,Mallory,Kinsey,Dube,Whatley
Strange,Ragsdale,Ivy,Bernstein,Becerra,Yost,Mattson,Ly,Felder,Cheek,Luke,Handy,Grossman,Gauthier,Escobedo,Braden,Beckman,Mott,Hillman,Gil
Flaherty,Dykes,Doe,Stockton,Stearns,Lofton,Kitchen,Coats,Cavazos,Beavers,Barrios,Tang,Parish,Mosher,Lincoln,Cardwell,Coles,Burnham,Weller
Lemons,Beebe,Aguilera,Ring,Parnell,Harman,Couture,Alley,Schumacher,Redd,Dobbs,Blum,Blalock,Merchant,Ennis,Denson,Cottrell,Chester,Brannon
Bagley,Aviles,Watt,Sousa,Rosenthal,Rooney,Dietz,Blank,Paquette,Mcclelland,Duff,Velasco,Lentz,Grubb,Burrows,Barbour,Ulrich,Shockley,Rader
German,Beyer,Mixon,Layton,Altman,Alonzo,Weathers,Titus,Stoner,Squires,Shipp,Priest,Lipscomb,Cutler,Caballero,Zimmer,Willett,Thurston
Storey,Medley,Lyle,Epperson,Shah,Mcmillian,Baggett,Torrez,Laws,Hirsch,Dent,Corey,Poirier,Peachey,Jacques,Farrar,Creech,Barth,Trimble
France,Dupre,Albrecht,Sample,Lawler,Crisp,Conroy,Chadwick,Wetzel,Nesbitt,Murry,Jameson,Wilhelm,Patten,Minton,Matson,Kimbrough,Iverson
Guinn,Gale,Fortune,Croft,Toth,Pulliam,Nugent,Newby,Littlejohn,Dias,Canales,Bernier,Baron,Barney,Singletary,Renteria,Pruett,Mchugh,Mabry
Landrum,Brower,Weldon,Stoddard,Ruth,Cagle,Stjohn,Scales,Kohler,Kellogg,Hopson,Gant,Tharp,Gann,Zeigler,Pringle,Hammons,Fairchild,Deaton
Chavis,Carnes,Rowley,Matlock,Libby,Kearns,Irizarry,Carrington,Starkey,Pepper,Lopes,Jarrell,Fay,Craven,Beverly,Baum
5 Spain,Littlefield,Linn,Humphreys,Hook,High,Etheridge,Cuellar,Chastain,Chance,Bundy,Speer,Skelton,Quiroz,Pyle,Portillo,Ponder,Moulton
Machado,Liu,Killian,Hutson,Hitchcock,Ellsworth,Dowling,Cloud,Burdick,Spann,Pedersen,Levin,Leggett,Hayward,Hacker,Dietrich,Beaulieu
Barksdale,Wakefield,Snowden,Paris,Briscoe,Bowie,Berman,Ogle,Mcgregor,Laughlin,Helm,Burden,Wheatley,Schreiber,Pressley,Parris,Ng,Alaniz
Agee,Urban,Swann,Snodgrass,Schuster,Radford,Monk,Mattingly,Main,Lamar,Harp,Girard,Cheney,Yancey,Wagoner,Ridley,Lombardo,Lau,Hudgins
Gaskins,Duckworth,Coe,Coburn,Willey,Prado,Newberry,Magana,Hammonds,Elam,Whipple,Slade,Serna,Ojeda,Liles,Dorman,Diehl,Angel,Upton,Reardon
Michaels,Kelsey,Goetz,Eller,Bauman,Baer,Augustine,Layne,Hummel,Brenner,Amaya,Adamson,Ornelas,Dowell,Cloutier,Christy,Castellanos,Wing
Wellman,Saylor,Orourke,Moya,Montalvo,Kilpatrick,Harley,Durbin,Shell,Oldham,Kang,Garvin,Foss,Branham,Bartholomew,Templeton,Maguire,Holton
Alonso,Rider,Monahan,Mccormack,Beaty,Anders,Streeter,Nieto,Nielson,Moffett,Lankford,Keating,Heck,Gatlin,Delatorre,Callaway,Adcock,Worrell
Unger,Robinette,Nowak,Jeter,Brunner,Ashton,Steen,Parrott,Overstreet,Nobles,Montanez,Luther,Clevenger,Brinkley,Trahan,Quarles,Pickering
Pederson,Jansen,Grantham,Gilchrist,Crespo,Aiken,Schell,Schaeffer,Lorenz,Leyva,Harms,Dyson,Wallis,Pease,Leavitt,Hyman,Cheng,Cavanaugh,Batts
Warden,Seaman,Rockwell,Quezada,Paxton,Linder,Houck,Fontaine,Durant,Caruso,Adler,Pimentel,Mize,Lytle,Donald,Cleary,Cason,Acker,Switzer
Salmon,Isaacs,Higginbotham,Han,Waterman,Vandyke,Stamper,Sisk,Shuler,Riddick,Redman,Mcmahan,Levesque,Hatton,Bronson,Bollinger,Arnett,Okeefe
Gerber,Gannon,Farnsworth,Baughman,Silverman,Satterfield,Royal,Mccrary,Kowalski,Joy,Grigsby,Greco,Cabral,Trout,Rinehart,Mahon,Linton,Gooden
Curley,Baugh,Wyman,Weiner,Schwab,Schuler,Morrissey,Mahan,Coy,Bunn,Andrew,Thrasher,Spear,Waggoner,Shelley,Robert,Qualls,Purdy,Mcwhorter
Mauldin,Mark,Jordon,Gilman,Perryman,Newsom,Menard,Martino,Graf,Billingsley,Artis,Simpkins,Salisbury,Quintanilla,Gilliland,Fraley,Foust
Crouse,Scarborough,Ngo,Grissom,Fultz,Rico,Marlow,Markham,Madrigal,Lawton,Barfield,Whiting,Varney,Schwarz,Huey,Gooch,Arce,Wheat,Truong
Poulin,Mackenzie,Leone,Hurtado,Selby,Gaither,Fortner,Culpepper,Coughlin,Brinson,Boudreau,Barkley,Bales,Stepp,Holm,Tan,Schilling,Morrell
Kahn,Heaton,Gamez,Douglass,Causey,Brothers,Turpin,Shanks,Schrader,Meek,Isom,Hardison,Carranza,Yanez,Way,Scroggins,Schofield,Runyon
Ratcliff,Murrell,Moeller,Irby,Currier,Butterfield,Yee,Ralston,Pullen,Pinson,Estep,East,Carbone,Lance,Hawks,Ellington,Casillas,Spurlock
Sikes,Motley,Mccartney,Kruger,Isbell,Houle,Francisco,Burk,Bone,Tomlin,Shelby,Quigley,Neumann,Lovelace,Fennell,Colby,Cheatham,Bustamante
Skidmore,Hidalgo,Forman,Culp,Bowens,Betancourt,Aquino,Robb,Rea,Milner,Martel,Gresham,Wiles,Ricketts,Gavin,Dowd,Collazo,Bostic,Blakely
Sherrod,Power,Kenyon,Gandy,Ebert,Deloach,Cary,Bull,Allard,Sauer,Robins,Olivares,Gillette,Chestnut,Bourque,Paine,Lyman,Hite,Hauser,Devore
Crawley,Chapa,Vu,Tobias,Talbert,Poindexter,Millard,Meador,Mcduffie,Mattox,Kraus,Harkins,Choate,Bess,Wren,Sledge,Sanborn,Outlaw,Kinder
Geary,Cornwell,Barclay,Adam,Abney,Seward,Rhoads,Howland,Fortier,Easter,Benner,Vines,Tubbs,Troutman,Rapp,Noe,Mccurdy,Harder,Deluca
Westmoreland,South,Havens,Guajardo,Ely,Clary,Seal,Meehan,Herzog,Guillen,Ashcraft,Waugh,Renner,Milam,Jung,Elrod,Churchill,Buford,Breaux
Bolin,Asher,Windham,Tirado,Pemberton,Nolen,Noland,Knott,Emmons,Cornish,Christenson,Brownlee,Barbee
4 Waldrop,Pitt,Olvera,Lombardi,Gruber,Gaffney,Eggleston,Banda,Archuleta,Still,Slone,Prewitt,Pfeiffer,Nettles,Mena,Mcadams,Henning,Gardiner
Cromwell,Chisholm,Burleson,Box,Vest,Oglesby,Mccarter,Malcolm,Lumpkin,Larue,Grey,Wofford,Vanhorn,Thorn,Teel,Swafford,Stclair,Stanfield
Ocampo,Herrmann,Hannon,Arsenault,Roush,Mcalister,Hiatt,Gunderson,Forsythe,Duggan,Delvalle,Cintron,Wilks,Weinstein,Uribe,Rizzo,Noyes
Mclendon,Gurley,Bethea,Winstead,Maples,Harry,Guyton,Giordano,Alderman,Valdes,Polanco,Pappas,Lively,Grogan,Griffiths,Bobo,Arevalo,Whitson
Sowell,Rendon,Matthew,Julian,Fernandes,Farrow,Edmond,Benavidez,Ayres,Alicea,Stump,Smalley,Seitz,Schulte,Gilley,Gallant,Dewey,Casper
Canfield,Wolford,Omalley,Mcnutt,Mcnulty,Mcgovern,Hardman,Harbin,Cowart,Chavarria,Brink,Beckett,Bagwell,Armstead,Anglin,Abreu,Reynoso,Krebs
Jett,Hoffmann,Greenfield,Forte,Burney,Broome,Sisson,Parent,Jude,Younger,Trammell,Partridge,Marvin,Mace,Lomax,Lemieux,Gossett,Frantz,Fogle
Cooney,Broughton,Pence,Paulsen,Neil,Muncy,Mcarthur,Hollins,Edward,Beauchamp,Withers,Osorio,Mulligan,Hoyle,Foy,Dockery,Cockrell,Begley
Amador,Roby,Rains,Lindquist,Gentile,Everhart,Bohannon,Wylie,Thao,Sommers,Purnell,Palma,Fortin,Dunning,Breeden,Vail,Phelan,Phan,Marx,Cosby
Colburn,Chong,Boling,Biddle,Ledesma,Gaddis,Denney,Chow,Bueno,Berrios,Wicker,Tolliver,Thibodeaux,Nagle,Lavoie,Fisk,Do,Crist,Barbosa,Reedy
March,Locklear,Kolb,Himes,Behrens,Beckwith,Beckham,Weems,Wahl,Shorter,Shackelford,Rees,Muse,Free,Cerda,Valadez,Thibodeau,Saavedra,Ridgeway
Reiter,Mchenry,Majors,Lachance,Keaton,Israel,Ferrara,Falcon,Clemens,Blocker,Applegate,Paz,Needham,Mojica,Kuykendall,Hamel,Escamilla
Doughty,Burchett,Ainsworth,Wilbur,Vidal,Upchurch,Thigpen,Strauss,Spruill,Sowers,Riggins,Ricker,Mccombs,Harlow,Garnett,Buffington,Yi,Sotelo
Olivas,Negrete,Morey,Macon,Logsdon,Lapointe,Florence,Cathey,Bigelow,Bello,Westfall,Stubblefield,Peak,Lindley,Jeffrey,Hein,Hawes,Farrington
Edge,Breen,Birch,Wilde,Steed,Sepulveda,Reinhardt,Proffitt,Minter,Messina,Mcnabb,Maier,Keeler,Gamboa,Donohue,Dexter,Basham,Shinn,Orlando
Crooks,Cota,Borders,Bills,Bachman,Tisdale,Tavares,Schmid,Pickard,Jasper,Gulley,Fonseca,Delossantos,Condon,Clancy,Batista,Wicks,Wadsworth
New,Martell,Lo,Littleton,Ison,Haag,Folsom,Brumfield,Broyles,Brito,Mireles,Mcdonnell,Leclair,Hamblin,Gough,Fanning,Binder,Winfield
Whitworth,Soriano,Palumbo,Newkirk,Mangum,Hutcherson,Comstock,Cecil,Carlin,Beall,Bair,Wendt,Watters,Walling,Putman,Otoole,Oliva,Morley
Mares,Lemus,Keener,Jeffery,Hundley,Dial,Damico,Billups,Strother,Mcfarlane,Lamm,Eaves,Crutcher,Caraballo,Canty,Atwell,Taft,Siler,Rust,Rawls
Rawlings,Prieto,Niles,Mcneely,Mcafee,Hulsey,Harlan,Hackney,Galvez,Escalante,Delagarza,Crider,Charlton,Bandy,Wilbanks,Stowe,Steinberg
Samson,Renfro,Masterson,Massie,Lanham,Haskell,Hamrick,Fort,Dehart,Card,Burdette,Branson,Bourne,Babin,Aleman,Worthy,Tibbs,Sweat,Smoot,Slack
Paradis,Packard,Mull,Luce,Houghton,Gantt,Furman,Danner,Christianson,Burge,Broderick,Ashford,Arndt,Almeida,Stallworth,Shade,Searcy,Sager
Noonan,Mclemore,Mcintire,Maxey,Lavigne,Jobe,Ireland,Ferrer,Falk,Edgar,Coffin,Byrnes,Aranda,Apodaca,Stamps,Rounds,Peek,Olmstead,Lewandowski
Kaminski,Her,Dunaway,Bruns,Brackett,Amato,Reich,Mcclung,Lacroix,Koontz,Herrick,Hardesty,Flanders,Cousins,Close,Cato,Cade,Vickery,Shank
Nagel,Dupuis,Croteau,Cotter,Cable,Stuckey,Stine,Porterfield,Pauley,Nye,Moffitt,Lu,Knudsen,Hardwick,Goforth,Dupont,Blunt,Barrows,Barnhill
Shull,Rash,Ralph,Penny,Lorenzo,Loftis,Lemay,Kitchens,Horvath,Grenier,Fuchs,Fairbanks,Culbertson,Calkins,Burnside,Beattie,Ashworth
Albertson,Wertz,Vo,Vaught,Vallejo,Tyree,Turk,Tuck,Tijerina,Sage,Picard,Peterman,Otis,Marroquin,Marr,Lantz,Hoang,Demarco,Daily,Cone,Berube
Barnette,Wharton,Stinnett,Slocum,Scanlon,Sander,Pinto,Mancuso,Lima,Judge,Headley,Epstein,Counts,Clarkson,Carnahan,Brice,Boren,Arteaga
Adame,Zook,Whittle,Whitehurst,Wenzel,Saxton,Rhea,Reddick,Puente,Hazel,Handley,Haggerty,Earley,Devlin,Dallas,Chaffin,Cady,Ahmed,Acuna
Solano,Sigler,Pollack,Pendergrass,Ostrander,Janes,Francois,Fine,Crutchfield,Cordell,Chamberlin,Brubaker,Baptiste,Willson,Reis,Neeley
Mullin,Mercier,Lira,Layman,Keeling,Higdon,Guest,Forrester,Espinal,Dion,Chapin,Carl,Warfield,Toledo,Pulido,Peebles,Nagy,Montague,Mello,Lear
Jaeger,Hogg,Graff,Furr,Derrick,Cave,Canada,Soliz,Poore,Mendenhall,Mclaurin,Maestas,Low,Gable,Belt,Barraza,Tillery,Snead,Pond,Neill
Mcculloch,Mccorkle,Lightfoot,Hutchings,Holloman,Harness,Dorn,Council,Bock,Zielinski,Turley,Treadwell,Stpierre,Starling,Somers,Oswald
Merrick,Marquis,Ivory,Easterling,Bivens,Truitt,Poston,Parry,Ontiveros,Olivarez,Neville,Moreau,Medlin,Ma,Lenz,Knowlton,Fairley,Cobbs
Chisolm,Bannister,Woodworth,Toler,Ocasio,Noriega,Neuman,Moye,Milburn,Mcclanahan,Lilley,Hanes,Flannery,Dellinger,Danielson,Conti,Blodgett
Beers,Weatherford,Strain,Karr,Hitt,Denham,Custer,Coble,Clough,Casteel,Bolduc,Batchelor,Ammons,Whitlow,Tierney,Staten,Sibley,Seifert
Schubert,Salcedo,Mattison,Laney,Haggard,Grooms,Dix,Dees,Cromer,Cooks,Colson,Caswell,Zarate,Swisher,Stacey,Shin,Ragan,Pridgen,Mcvey,Matheny
Leigh,Lafleur,Franz,Ferraro,Dugger,Whiteside,Rigsby,Mcmurray,Lehmann,Large,Jacoby,Hildebrand,Hendrick,Headrick,Goad,Fincher,Drury,Borges
Archibald,Albers,Woodcock,Trapp,Soares,Seaton,Richie,Monson,Luckett,Lindberg,Kopp,Keeton,Hsu,Healey,Garvey,Gaddy,Fain,Burchfield,Badger
Wentworth,Strand,Stack,Spooner,Saucier,Sales,Ruby,Ricci,Plunkett,Pannell,Ness,Leger,Hoy,Freitas,Fong,Elizondo,Duval,Chun,Calvin,Beaudoin
Urbina,Stock,Rickard,Partin,Moe,Mcgrew,Mcclintock,Ledoux,Forsyth,Faison,Devries,Bertrand
3 Wasson,Tilton,Scarbrough,Pride,Oh,Leung,Larry,Irvine,Garber,Denning,Corral,Colley,Castleberry,Bowlin,Bogan,Beale,Baines,True,Trice
Rayburn,Parkinson,Pak,Nunes,Mcmillen,Leahy,Lea,Kimmel,Higgs,Fulmer,Carden,Bedford,Taggart,Spearman,Register,Prichard,Morrill,Koonce,Heinz
Hedges,Guenther,Grice,Findley,Earle,Dover,Creighton,Boothe,Bayer,Arreola,Vitale,Valles,See,Raney,Peter,Osgood,Lowell,Hanlon,Burley,Bounds
Worden,Weatherly,Vetter,Tanaka,Stiltner,Sell,Nevarez,Mosby,Montero,Melancon,Harter,Hamer,Goble,Gladden,Gist,Ginn,Akin,Zaragoza,Towns
Tarver,Sammons,Royster,Oreilly,Muir,Morehead,Luster,Kingsley,Kelso,Grisham,Glynn,Baumann,Alves,Yount,Tamayo,Tam,Paterson,Oates,Menendez
Longo,Hargis,Greenlee,Gillen,Desantis,Conover,Breedlove,Wayne,Sumpter,Scherer,Rupp,Reichert,Heredia,Fallon,Creel,Cohn,Clemmons,Casas
Bickford,Belton,Bach,Williford,Whitcomb,Tennant,Sutter,Stull,Sessions,Mccallum,Manson,Langlois,Keel,Keegan,Emanuel,Dangelo,Dancy,Damron
Clapp,Clanton,Bankston,Trinidad,Oliveira,Mintz,Mcinnis,Martens,Mabe,Laster,Jolley,Irish,Hildreth,Hefner,Glaser,Duckett,Demers,Brockman
Blais,Back,Alcorn,Agnew,Toliver,Tice,Song,Seeley,Najera,Musser,Mcfall,Laplante,Galvin,Fajardo,Doan,Coyne,Copley,Clawson,Cheung,Barone
Wynne,Woodley,Tremblay,Stoll,Sparrow,Sparkman,Schweitzer,Sasser,Samples,Roney,Ramon,Legg,Lai,Joe,Heim,Farias,Concepcion,Colwell,Christman
Bratcher,Alba,Winchester,Upshaw,Southerland,Sorrell,Shay,Sells,Mount,Mccloskey,Martindale,Luttrell,Loveless,Lovejoy,Linares,Latimer,Holly
Embry,Coombs,Bratton,Bostick,Boss,Venable,Tuggle,Toro,Staggs,Sandlin,Jefferies,Heckman,Griffis,Crayton,Clem,Button,Browder,Allan,Thorton
Sturgill,Sprouse,Royer,Rousseau,Ridenour,Pogue,Perales,Peeples,Metzler,Mesa,Mccutcheon,Mcbee,Jay,Hornsby,Heffner,Corrigan,Armijo,Vue,Romeo
Plante,Peyton,Paredes,Macklin,Hussey,Hodgson,Granados,Frias,Carman,Brent,Becnel,Batten,Almanza,Turney,Teal,Sturgeon,Meeker,Mcdaniels,Limon
Keeney,Kee,Hutto,Holguin,Gorham,Fishman,Fierro,Blanchette,Rodrigue,Reddy,Osburn,Oden,Lerma,Kirkwood,Keefer,Haugen,Hammett,Chalmers,Carlos
Brinkman,Baumgartner,Zhang,Valerio,Tellez,Steffen,Shumate,Sauls,Ripley,Kemper,Jacks,Guffey,Evers,Craddock,Carvalho,Blaylock,Banuelos
Balderas,Wooden,Wheaton,Turnbull,Shuman,Pointer,Mosier,Mccue,Ligon,Kozlowski,Johansen,Ingle,Herr,Briones,Southern,Snipes,Rickman,Pipkin
Peace,Pantoja,Orosco,Moniz,Lawless,Kunkel,Hibbard,Galarza,Enos,Bussey,Settle,Schott,Salcido,Perreault,Mcdougal,Mccool,Haight,Garris,Ferry
Easton,Conyers,Atherton,Wimberly,Utley,Stephen,Spellman,Smithson,Slagle,Skipper,Ritchey,Rand,Petit,Osullivan,Oaks,Nutt,Mcvay,Mccreary
Mayhew,Knoll,Jewett,Harwood,Hailey,Cardoza,Ashe,Arriaga,Andres,Zeller,Wirth,Whitmire,Stauffer,Spring,Rountree,Redden,Mccaffrey,Martz
Loving,Larose,Langdon,Humes,Gaskin,Faber,Doll,Devito,Cass,Almond,Wingfield,Wingate,Villareal,Tyner,Smothers,Severson,Reno,Pennell,Maupin
Leighton,Janssen,Hassell,Hallman,Halcomb,Folse,Fitzsimmons,Fahey,Cranford,Bolen,Battles,Battaglia,Wooldridge,Weed,Trask,Rosser,Regalado
Mcewen,Keefe,Fuqua,Echevarria,Domingo,Dang,Caro,Boynton,Andrus,Wild,Viera,Vanmeter,Taber,Spradlin,Seibert,Provost,Prentice,Oliphant
Laporte,Hwang,Hatchett,Hass,Greiner,Freedman,Covert,Chilton,Byars,Wiese,Venegas,Swank,Shrader,Roderick,Roberge,Mullis,Mortensen,Mccune
Marlowe,Kirchner,Keck,Isaacson,Hostetler,Halverson,Gunther,Griswold,Gerard,Fenner,Durden,Blackwood,Bertram,Ahrens,Sawyers,Savoy,Nabors
Mcswain,Mackay,Loy,Lavender,Lash,Labbe,Jessup,Hubert,Fullerton,Donnell,Cruse,Crittenden,Correia,Centeno,Caudle,Canady,Callender,Alarcon
Ahern,Winfrey,Tribble,Tom,Styles,Salley,Roden,Musgrove,Minnick,Fortenberry,Carrion,Bunting,Bethel,Batiste,Woo,Whited,Underhill,Stillwell
Silvia,Rauch,Pippin,Perrin,Messenger,Mancini,Lister,Kinard,Hartmann,Fleck,Broadway,Wilt,Treadway,Thornhill,Speed,Spalding,Sam,Rafferty
Pitre,Patino,Ordonez,Linkous,Kelleher,Homan,Holiday,Galbraith,Feeney,Dorris,Curtin,Coward,Camarillo,Buss,Bunnell,Bolt,Beeler,Autry,Alcala
Witte,Wentz,Stidham,Shively,Nunley,Meacham,Martins,Lemke,Lefebvre,Kaye,Hynes,Horowitz,Hoppe,Holcombe,Estrella,Dunne,Derr,Cochrane,Brittain
Bedard,Beauregard,Torrence,Strunk,Soria,Simonson,Shumaker,Scoggins,Packer,Oconner,Moriarty,Leroy,Kuntz,Ives,Hutcheson,Horan,Hales,Garmon
Fitts,Dell,Bohn,Atchison,Worth,Wisniewski,Will,Vanwinkle,Sturm,Sallee,Prosser,Moen,Lundberg,Kunz,Kohl,Keane,Jorgenson,Jaynes,Funderburk
Freed,Frame,Durr,Creamer,Cosgrove,Candelaria,Berlin,Batson,Vanhoose,Thomsen,Teeter,Sommer,Smyth,Sena,Redmon,Orellana,Maness,Lennon,Heflin
Goulet,Frick,Forney,Dollar,Bunker,Asbury,Aguiar,Talbott,Southard,Pleasant,Mowery,Mears,Lemmon,Krieger,Hickson,Gracia,Elston,Duong
Delgadillo,Dayton,Dasilva,Conaway,Catron,Bruton,Bradbury,Bordelon,Bivins,Bittner,Bergstrom,Beals,Abell,Whelan,Travers,Tejada,Pulley,Pino
Norfleet,Nealy,Maes,Loper,Held,Gerald,Gatewood,Frierson,Freund,Finnegan,Cupp,Covey,Catalano,Boehm,Bader,Yoon,Walston,Tenney,Sipes,Roller
Rawlins,Medlock,Mccaskill,Mccallister,Marcotte,Maclean,Hughey,Henke,Harwell,Gladney,Gilson,Dew,Chism,Caskey,Brandenburg,Baylor,Villasenor
Veal,Van,Thatcher,Stegall,Shore,Petrie,Nowlin,Navarrete,Muhammad,Lombard,Loftin,Lemaster,Kroll,Kovach,Kimbrell,Kidwell,Hershberger,Fulcher
Eng,Cantwell,Bustos,Boland,Bobbitt,Binkley,Wester,Weis,Verdin,Tong,Tiller,Sisco,Sharkey,Seymore,Rosenbaum,Rohr,Quinonez,Pinkston,Nation
Malley,Logue,Lessard,Lerner,Lebron,Krauss,Klinger,Halstead,Haller,Getz,Burrow,Brant,Alger,Victor,Shores,Scully,Pounds,Pfeifer,Perron,Nelms
Munn,Mcmaster,Mckenney,Manns,Knudson,Hutchens,Huskey,Goebel,Flagg,Cushman,Click,Castellano,Carder,Bumgarner,Blaine,Bible,Wampler,Spinks
Robson,Neel,Mcreynolds,Mathias,Maas,Loera,Kasper,Jose,Jenson,Florez,Coons,Buckingham,Brogan,Berryman,Wilmoth,Wilhite,Thrash,Shephard
Seidel,Schulze,Roldan,Pettis,Obryan,Maki,Mackie,Hatley,Frazer,Fiore,Falls,Chesser,Bui,Bottoms,Bisson,Benefield,Allman,Wilke,Trudeau,Timm
Shifflett,Rau,Mundy,Milliken,Mayers,Leake,Kohn,Huntington,Horsley,Hermann,Guerin,Fryer,Frizzell,Foret,Flemming,Fife,Criswell,Carbajal
Bozeman,Boisvert,Archie,Antonio,Angulo,Wallen,Tapp,Silvers,Ramsay,Oshea,Orta,Moll,Mckeever,Mcgehee,Luciano,Linville,Kiefer,Ketchum
Howerton,Groce,Gaylord,Gass,Fusco,Corbitt,Blythe,Betz,Bartels,Amaral,Aiello,Yoo,Weddle,Troy,Sun,Sperry,Seiler,Runyan,Raley,Overby,Osteen
Olds,Mckeown,Mauro,Matney,Lauer,Lattimore,Hindman,Hartwell,Fredrickson,Fredericks,Espino,Clegg,Carswell,Cambell,Burkholder,August,Woodbury
Welker,Totten,Thornburg,Theriault,Stitt,Stamm,Stackhouse,Simone,Scholl,Saxon,Rife,Razo,Quinlan,Pinkerton,Olivo,Nesmith,Nall,Mattos,Leak
Lafferty,Justus,Giron,Geer,Fielder,Eagle,Drayton,Dortch,Conners,Conger,Chau,Boatwright,Billiot,Barden,Armenta,Antoine,Tibbetts,Steadman
Slattery,Sides,Rinaldi,Raynor,Rayford,Pinckney,Pettigrew,Nickel,Milne,Matteson,Halsey,Gonsalves,Fellows,Durand,Desimone,Cowley,Cowles
Brill,Barham,Barela,Barba,Ashmore,Withrow,Valenti,Tejeda,Spriggs,Sayre,Salerno,Place,Peltier,Peel,Merriman,Matheson,Lowman,Lindstrom
Hyland,Homer,Ha,Giroux,Fries,Frasier,Earls,Dugas,Damon,Dabney,Collado,Briseno,Baxley,Andre,Word,Whyte,Wenger,Vanover,Vanburen,Thiel
Schindler,Schiller,Rigby,Pomeroy,Passmore,Marble,Manzo,Mahaffey,Lindgren,Laflamme,Greathouse,Fite,Ferrari,Calabrese,Bayne,Yamamoto,Wick
Townes,Thames,Steel,Reinhart,Peeler,Naranjo,Montez,Mcdade,Mast,Markley,Marchand,Leeper,Kong,Kellum,Hudgens,Hennessey,Hadden,Guess,Gainey
Coppola,Borrego,Bolling,Beane,Ault,Slaton,Poland,Pape,Null,Mulkey,Lightner,Langer,Hillard,Glasgow,Fabian,Ethridge,Enright,Derosa,Baskin
Alfred,Weinberg,Turman,Tinker,Somerville,Pardo,Noll,Lashley,Ingraham,Hiller,Hendon,Glaze,Flora,Cothran,Cooksey,Conte,Carrico,Apple,Abner
Wooley,Swope,Summerlin,Sturgis,Sturdivant,Stott,Spurgeon,Spillman,Speight,Roussel,Popp,Nutter,Mckeon,Mazza,Magnuson,Lanning,Kozak
Jankowski,Heyward,Forster,Corwin,Callaghan,Bays,Wortham,Usher,Theriot,Sayers,Sabo,Rupert,Poling,Nathan,Loya,Lieberman,Levi,Laroche,Labelle
Howes,Harr,Garay,Fogarty,Everson,Durkin,Dominquez,Chaves,Chambliss,Alfonso,Witcher,Wilber,Vieira,Vandiver,Terrill,Stoker,Schreiner,Nestor
Moorman,Liddell,Lew,Lawhorn,Krug,Irons,Hylton,Hollenbeck,Herrin,Hembree,Hair,Goolsby,Goodin,Gilmer,Foltz,Dinkins,Daughtry,Caban,Brim
Briley,Bilodeau,Bear,Wyant,Vergara,Tallent,Swearingen,Stroup,Sherry,Scribner,Roger,Quillen,Pitman,Monaco,Mccants,Maxfield,Martinson,Landon
Holtz,Flournoy,Brookins,Brody,Baumgardner,Angelo,Straub,Sills,Roybal,Roundtree,Oswalt,Money,Mcgriff,Mcdougall,Mccleary,Maggard,Gragg
Gooding,Godinez,Doolittle,Donato,Cowell,Cassell,Bracken,Appel,Ahmad,Zambrano,Reuter,Perea,Olive,Nakamura,Monaghan,Mickens,Mcclinton
Mcclary,Marler,Kish,Judkins,Gilbreath,Freese,Flanigan,Felts,Erdmann,Dodds,Chew,Brownell,Brazil,Boatright,Barreto,Slayton,Sandberg,Saldivar
Pettway,Odum,Narvaez,Moultrie,Montemayor,Merrell,Lees,Keyser,Hoke,Hardaway,Hannan,Gilbertson,Fogg,Dumont,Deberry,Coggins,Carrera,Buxton
Bucher,Broadnax,Beeson,Araujo,Appleton,Amundson,Aguayo,Ackley,Yocum,Worsham,Shivers,Shelly,Sanches,Sacco,Robey,Rhoden,Pender,Ochs,Mccurry
Madera,Luong,Luis,Knotts,Jackman,Heinrich,Hargrave,Gault,Forest,Comeaux,Chitwood,Child,Caraway,Boettcher,Bernhardt,Barrientos,Zink,Wickham
Whiteman,Thorp,Stillman,Settles,Schoonover,Roque,Riddell,Rey,Pilcher,Phifer,Novotny,Maple,Macleod,Hardee,Haase,Grider,Fredrick,Earnest
Doucette,Clausen,Christmas,Bevins,Beamon,Badillo
2 Tolley,Tindall,Soule,Snook,Sebastian,Seale,Pitcher,Pinkney,Pellegrino,Nowell,Nemeth,Nail,Mondragon,Mclane,Lundgren,Ingalls,Hudspeth
Hixson,Gearhart,Furlong,Downes,Dionne,Dibble,Deyoung,Cornejo,Camara,Brookshire,Boyette,Wolcott,Tracey,Surratt,Sellars,Segal,Salyer,Reeve
Rausch,Philips,Labonte,Haro,Gower,Freeland,Fawcett,Eads,Driggers,Donley,Collett,Cage,Bromley,Boatman,Ballinger,Baldridge,Volz,Trombley
Stonge,Silas,Shanahan,Rivard,Rhyne,Pedroza,Matias,Mallard,Jamieson,Hedgepeth,Hartnett,Estevez,Eskridge,Denman,Chiu,Chinn,Catlett,Carmack
Buie,Book,Bechtel,Beardsley,Bard,Ballou,Windsor,Ulmer,Storm,Skeen,Robledo,Rincon,Reitz,Piazza,Pearl,Munger,Moten,Mcmichael,Loftus,Ledet
Kersey,Groff,Fowlkes,Folk,Crumpton,Collette,Clouse,Bettis,Villagomez,Timmerman,Strom,Saul,Santoro,Roddy,Phillip,Penrod,Musselman
Macpherson,Leboeuf,Harless,Haddad,Guido,Golding,Fulkerson,Fannin,Dulaney,Dowdell,Deane,Cottle,Ceja,Cate,Bosley,Benge,Albritton,Voigt
Trowbridge,Soileau,Seely,Rome,Rohde,Pearsall,Paulk,Orth,Nason,Mota,Mcmullin,Marquardt,Madigan,Hoag,Gillum,Gayle,Gabbard,Fenwick,Fender,Eck
Danforth,Cushing,Cress,Creed,Cazares,Casanova,Bey,Bettencourt,Barringer,Baber,Stansberry,Schramm,Rutter,Rivero,Race,Oquendo,Necaise,Mouton
Montenegro,Miley,Mcgough,Marra,Macmillan,Lock,Lamontagne,Jasso,Jaime,Horst,Hetrick,Heilman,Gaytan,Gall,Fried,Fortney,Eden,Dingle
Desjardins,Dabbs,Burbank,Brigham,Breland,Beaman,Banner,Arriola,Yarborough,Wallin,Treat,Toscano,Stowers,Reiss,Pichardo,Orton,Mitchel
Michels,Mcnamee,Mccrory,Leatherman,Kell,Keister,Jerome,Horning,Hargett,Guay,Friday,Ferro,Deboer,Dagostino,Clemente,Christ,Carper,Bowler
Blanks,Beaudry,Willie,Towle,Tafoya,Stricklin,Strader,Soper,Sonnier,Sigmon,Schenk,Saddler,Rodman,Pedigo,Mendes,Lunn,Lohr,Lahr,Kingsbury
Jarman,Hume,Holliman,Hofmann
`;
