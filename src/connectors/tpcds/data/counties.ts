/**
 * Counties with their states. The kind is Parish in Louisiana and County elsewhere, unless marked: `*` city, `+` Borough, `=` Census Area,
 * `!` none.
 *
 * Source: the TPC-DS specification's data (dsdgen's distributions), in a format of this connector.
 */
export const countyText = `
Williamson TN,Ziebach SD,Walker AL,Fairfield SC,Richland OH,Franklin LA,Daviess MO,Barrow GA,Luce MI,Jefferson Davis LA,San Miguel NM
Huron MI,Dauphin PA,Bronx NY,Kittitas WA,Mobile AL,Oglethorpe GA,Wadena MN,Marshall IN,Pennington MN,Levy FL,Raleigh WV,Jackson NC,Mesa CO
Gage NE,Maverick TX,Gogebic MI,Perry IL,Sumner TN,Sierra NM,Harper KS,Essex VT,Adams IN,Harmon OK,Contra Costa CA,Anderson KY,Arthur NE
Saginaw MI,Orange TX,Terrell GA,Coal OK,Hubbard MN,Appanoose IA,Terry TX,Salem NJ,Montgomery KS,Quay NM,Dade GA,Brazos TX,Karnes TX
Stillwater MT,Pulaski KY,Mariposa CA,Green Lake WI,West Feliciana LA,Baltimore MD,Cocke TN,Reagan TX,Halifax NC,Abbeville SC,Surry VA
Lunenburg VA,Pipestone MN,Tehama CA,Chambers TX,Lea NM,Wilkinson GA,Miller GA,Van Buren MI,Warren IN,Carter OK,Nuckolls NE,Klamath OR
Somerset MD,Camden GA,Red River LA,Harding NM,Grant KS,Henry VA,Nowata OK,Furnas NE,Murray GA,Richland WI,McHenry ND,La Crosse WI,Price WI
Piute UT,Ford KS,Itawamba MS,Jefferson ID,Conecuh AL,Lincoln NE,Warren VA,Hinds MS,Jack TX,Box Butte NE,Alamosa CO,Mercer WV,Burnett WI
Sibley MN,Porter IN,Denali+ AK,Orangeburg SC,Allen KY,Big Horn MT,Delta CO,Morgan IN,Carter KY,Tallapoosa AL,Tolland CT,Perry OH,Greene PA
Rush KS,Fergus MT,Campbell SD,Schley GA,Stafford VA,Pickens AL,Dutchess NY,Brown NE,Tompkins NY,Sandusky OH,Forsyth GA,Dillingham= AK
Appomattox VA,Galax* VA,Lake IL,Kendall IL,Hoke NC,Jefferson WA,Belknap NH,Val Verde TX,Kootenai ID,Ashley AR,Hancock OH,Warren OH
Montgomery PA,Wasco OR,Newton MS,Garza TX,Pulaski IL,Houston GA,Clayton GA,Musselshell MT,Lassen CA,Washington MD,Bon Homme SD,Kenosha WI
Baldwin AL,Knox ME,Richardson NE,Gilpin CO,Quitman MS,Crockett TN,Montcalm MI,Plymouth MA,Mohave AZ,Mingo WV,Crawford IL,Franklin NC
Roger Mills OK,Red Lake MN,Cumberland IL,Grant MN,Chattahoochee GA,Stevens MN,Jasper IL,Seward NE,Rowan NC,Mercer NJ,Hickman TN,Shawano WI
Miner SD,Cook GA,Buncombe NC,Martin KY,Broome NY,Pinal AZ,Platte MO,Polk FL,Randolph NC,Northumberland VA,Humboldt IA,Anderson KS,Union NC
Crittenden AR,Franklin KS,Haines+ AK,White IN,Monroe GA,Cambria PA,Carter MO,Pike IL,Austin TX,Orleans LA,Murray OK,Boone KY,Dubuque IA
Maries MO,Amherst VA,LaMoure ND,Nez Perce ID,Calhoun MI,Caldwell NC,Lake and Peninsula+ AK,Elmore ID,Roosevelt MT,Arenac MI,Fulton GA
Fayette IL,Clinton MO,Wolfe KY,Medina OH,Erie OH,Johnson IL,Tippecanoe IN,Twin Falls ID,Washita OK,Polk GA,Boone IA,Marion IA,Scott KS
Forest PA,Hartley TX,Wallace KS,Roane TN,Lincoln MO,Carbon MT,Pacific WA,Dale AL,Giles VA,Stanislaus CA,Marshall MS,Fentress TN
Marshall AL,Suffolk MA,Turner GA,Cumberland VA,District of Columbia! DC,Cherokee KS,Wood WV,Crane TX,Fulton KY,Blair PA,Newport RI
Jones IA,Preble OH,Cheboygan MI,Montgomery IN,Alleghany NC,Walworth SD,Scotland NC,Yell AR,Grayson KY,Winnebago WI,Gratiot MI,Pender NC
Lake OR,Dickens TX,Bottineau ND,Onondaga NY,Kiowa CO,Kandiyohi MN,Adams WA,Lincoln NM,Ellis KS,Dixon NE,Leslie KY,Walton GA,Neshoba MS
Hitchcock NE,Jackson KS,Pike OH,Becker MN,Pawnee KS,Washington IL,Clarke AL,Johnston NC,Lamar GA,Pulaski IN,Vermilion IL,Marion SC
Dickey ND,Missoula MT,York SC,Saline KS,Union LA,Liberty TX,Lauderdale TN,Butler PA,Dewey SD,Harrison OH,Travis TX,Terrell TX
Charlottesville* VA,Hill MT,Gem ID,Iberville LA,Knox IL,Houghton MI,Duplin NC,Somerset ME,Geary KS,Sullivan NY,Rockcastle KY,Smith KS
Tioga PA,Monroe MO,Lancaster PA,Robertson TX,Lake IN,Nassau FL,Lincoln WI,Power ID,Heard GA,Franklin MA,Sarpy NE,Cumberland PA,Jackson MS
Person NC,Metcalfe KY,Henrico VA,Pratt KS,Tuolumne CA,Poinsett AR,Daniels MT,Defiance OH,Yakutat+ AK,Bossier LA,Laclede MO,Pinellas FL
Cayuga NY,Oconee SC,Forest WI,Warren MO,Posey IN,Aroostook ME,San Patricio TX,Cherokee GA,Wilcox AL,Baraga MI,Union AR,Issaquena MS
Shelby MO,Thurston NE,Portsmouth* VA,Union MS,Tangipahoa LA,Erie NY,Sullivan MO,Thayer NE,Union IA,Sutter CA,Hamlin SD,Lincoln TN
Carter MT,Doniphan KS,Clark NV,San Francisco CA,Fountain IN,Moore TN,Jessamine KY,Texas OK,Tyrrell NC,Jefferson AR,Pierce WI,Clallam WA
Augusta VA,Inyo CA,Vermillion IN,Polk IA,Audubon IA,Grady OK,Breathitt KY,White IL,Jackson CO,Cecil MD,Limestone TX,Monona IA,Randall TX
Clay IN,Adams ID,Scott KY,Bedford VA,Harding SD,Washington WI,Floyd IA,Wells IN,Barnes ND,Madison GA,Fulton AR,Marshall TN,Davidson TN
Howard IN,El Dorado CA,Jackson AR,Seminole FL,Oneida ID,Lake MI,Umatilla OR,Lanier GA,Sherburne MN,Putnam GA,Henry IL,Powder River MT
Merrick NE,Bucks PA,Rogers OK,Clayton IA,Whitman WA,Clay AR,Madison NE,Cassia ID,Santa Rosa FL,Ector TX,Upton TX,Suffolk NY,Wayne MI
Jackson AL,Knox KY,Van Zandt TX,Hunterdon NJ,Nicollet MN,Knox MO,Douglas OR,Wheeler OR,Clay MS,Meade KY,Bourbon KY,Winnebago IA,Iron MI
Lincoln GA,Andrew MO,Fayette GA,Anderson SC,Berkshire MA,Hardee FL,Yukon-Koyukuk= AK,Kings CA,Norman MN,Oneida NY,Lake MT
Kenai Peninsula+ AK,Leon TX,Adair OK,Trigg KY,Lee SC,Concordia LA,Leon FL,Berrien MI,Leavenworth KS,Terrebonne LA,Jackson IA,Tooele UT
Red River TX,Effingham GA,Glascock GA,Jay IN,Chesterfield SC,Page IA,Clinton KY,Dent MO,Van Buren AR,Northwest Arctic+ AK,Fayette AL
Taylor WV,Calhoun GA,Lake OH,Guthrie IA,Douglas IL,Douglas MN,Otoe NE,Dyer TN,Attala MS,Knox OH,Webster MO,Putnam WV,Sumter AL,Talbot MD
Fayette WV,Ohio WV,Dixie FL,Wilcox GA,Macon GA,Oscoda MI,Rutland VT,Otsego MI,McIntosh ND,Watonwan MN,Pickett TN,Parke IN,Beaver UT
Shackelford TX,Orleans NY,Limestone AL,Houston TN,Wayne NC,Dunklin MO,Jefferson LA,Clear Creek CO,Oceana MI,Yankton SD,Cheyenne KS
Storey NV,Washington NY,Saline AR,Bland VA,Ward TX,Carroll MS,Tarrant TX,Worcester MA,Troup GA,Stephenson IL,Rensselaer NY,Marion MO
Calhoun AR,Pike MO,Davison SD,McMullen TX,Washington MS,Gove KS,Waupaca WI,Madison AR,Palo Pinto TX,Middlesex MA,Northampton VA,Quitman GA
Ward ND,Scott TN,Rio Grande CO,Trimble KY,Roberts TX,Wallowa OR,Ramsey MN,Butler KY,Putnam MO,Cumberland NJ,Pike IN,Toombs GA,Chilton AL
Franklin ID,Rich UT,Turner SD,Pima AZ,Saratoga NY,Lawrence SD,New Castle DE,Howard AR,Green KY,Colquitt GA,Escambia FL,Page VA,Sangamon IL
Monroe IL,Placer CA,Phillips MT,Gila AZ,Winston AL,Columbia GA,Olmsted MN,Logan OK,Douglas WI,Monmouth NJ,Kankakee IL,Nacogdoches TX
Cumberland ME,Franklin IN,Lamar AL,Livingston LA,Wayne IN,Wilkinson MS,Schleicher TX,West Carroll LA,Ouray CO,Williamsburg* VA
Prince William VA,Weakley TN,Haskell TX,Foster ND,Gates NC,Russell AL,Dakota MN,Granville NC,Chester TN,Greene MS,Carroll IL,Portage OH
Merced CA,Greenwood KS,Fulton IL,Schoharie NY,Bryan OK,Hamilton IL,Monroe MS,Coleman TX,Crawford MI,Marshall MN,Caroline VA,Woodford KY
Madison MO,El Paso TX,Linn MO,McIntosh GA,Hancock KY,Holmes MS,Wapello IA,Richmond NC,Nash NC,Carroll IA,Shelby KY,Avoyelles LA,Crosby TX
Choctaw OK,Wayne MS,Fremont ID,Fairfield OH,Golden Valley MT,Cortland NY,Fremont WY,Reynolds MO,Marion GA,Bulloch GA,Davis UT,Valley ID
Hawaii HI,Madison AL,Itasca MN,Owyhee ID,Russell VA,Ontario NY,Bacon GA,Coffee GA,Gulf FL,Buchanan IA,Lewis TN,Larimer CO,Perry MO
Martinsville* VA,Matagorda TX,Brooks GA,Lucas OH,Hooker NE,Washakie WY,Washington FL,Gooding ID,Gilliam OR,Codington SD,Wagoner OK
Sawyer WI,Morrow OR,Hutchinson TX,Nelson KY,Park MT,Kingman KS,Carlisle KY,Harrisonburg* VA,Douglas SD,McCracken KY,Rock Island IL
Shelby TX,Choctaw MS,Tate MS,Pickens SC,New Hanover NC,Baker GA,Mercer MO,Louisa IA,Jackson SD,Holt NE,Louisa VA,Iron UT,Hopkins KY
Plaquemines LA,Johnson IA,Clark OH,Lee IA,Orange CA,Allen LA,Clinton IA,Glades FL,Pulaski VA,Albany WY,Worth MO,Lincoln CO,Alleghany VA
Lewis NY,Hood TX,Nelson VA,Bradford FL,Kearney NE,Sherman TX,Collin TX,Montezuma CO,Rockingham VA,Bedford TN,Union FL,Danville* VA
Henry KY,Forsyth NC,Santa Clara CA,Smith TX,Box Elder UT,San Jacinto TX,Franklin PA,Lawrence TN,Washington OR,Stephens OK,Coles IL
Calvert MD,Muskegon MI,Addison VT,Wood WI,Wayne UT,Hancock IL,Brookings SD,Wake NC,Catawba NC,Northampton NC,Waushara WI,Logan AR
Somerset NJ,Yuba CA,Craighead AR,Borden TX,Frederick VA,San Benito CA,Dunn WI,Washington IA,Millard UT,Tyler WV,Miller AR,Burleson TX
Fannin GA,Jim Wells TX,Camas ID,Burt NE,Prince Edward VA,Cowlitz WA,Franklin ME,Van Buren IA,Fairbanks North Star+ AK,Van Wert OH
Monroe WV,Benton WA,Middlesex NJ,Essex MA,Medina TX,Spalding GA,Luna NM,Radford* VA,Cook MN,Douglas NE,Shasta CA,Ouachita AR,Chenango NY
Gloucester NJ,Koochiching MN,Marinette WI,Bowie TX,Hamilton NY,Barry MO,San Juan UT,Anson NC,Brule SD,Sagadahoc ME,Andrews TX,Massac IL
McCreary KY,Hamilton TX,Dorchester MD,Cedar NE,McCormick SC,Dooly GA,Logan WV,Fulton PA,Williams OH,Audrain MO,Yates NY,McLeod MN
Colonial Heights* VA,Maricopa AZ,Blaine ID,Fremont CO,Liberty FL,Yuma CO,Lehigh PA,Las Animas CO,Jefferson MS,Suffolk* VA,Somerset PA
Bosque TX,Cape Girardeau MO,Vanderburgh IN,Clark KY,Bell TX,Bristol Bay+ AK,Newton IN,Bernalillo NM,Polk WI,Hampshire MA,Creek OK
Gilmer WV,Flathead MT,Missaukee MI,Scott IA,Hillsdale MI,Grundy IA,Summit OH,Sussex VA,Buckingham VA,Franklin WA,McDowell NC,Bradley TN
Breckinridge KY,Granite MT,Baldwin GA,Echols GA,Elliott KY,Redwood MN,Powell MT,Garfield OK,Lincoln WY,Cass MO,Lee AL,Lake CA,Bibb GA
Swift MN,Elk KS,Snyder PA,Spink SD,Butler KS,San Mateo CA,Wasatch UT,Lewis ID,Warrick IN,Clinton NY,Reno KS,Barber KS,Craven NC,Lincoln ME
Hancock IN,Hardin OH,Cass IL,Stoddard MO,Bennett SD,Livingston MO,Sumter GA,Garvin OK,Lander NV,Schenectady NY,DeSoto FL,Callahan TX
Rusk TX,Hawkins TN,Meagher MT,Nevada AR,Chattooga GA,Benton IN,Montgomery TN,Steuben NY,Kent RI,Ripley IN,Anderson TX,Grand UT
White Pine NV,Palo Alto IA,Oxford ME,Franklin AR,Chowan NC,Milwaukee WI,Sublette WY,Ripley MO,Judith Basin MT,Crenshaw AL,Trinity CA
Montgomery AL,Pulaski MO,Kingfisher OK,Iowa IA,White AR,Jackson MI,Jenkins GA,Harford MD,Dickson TN,Simpson MS,Aitkin MN,Graham AZ
Effingham IL,Otero NM,King WA,Montgomery MO,Chesapeake* VA,Upshur TX,Polk AR,Wade Hampton= AK,Allamakee IA,Decatur KS,Vilas WI
Newport News* VA,Smith MS,Schuyler IL,Cooper MO,Bartholomew IN,Ochiltree TX,Neosho KS,Lee TX,Lee AR,DeBaca NM,Dorchester SC,Polk TX
Coos NH,Carteret NC,Pocahontas WV,Canyon ID,Covington AL,Clay IA,Colbert AL,Kinney TX,Mason WV,Coweta GA,Delaware IN,Doddridge WV
Caroline MD,Scotland MO,Goochland VA,Barbour AL,McDuffie GA,Etowah AL,Seward KS,Yoakum TX,Dallas AR,Harrison MO,Oktibbeha MS,Camden NJ
Steele MN,Door WI,Jasper IN,Webster MS,Penobscot ME,Meriwether GA,Hertford NC,Kodiak Island+ AK,Young TX,Jackson TN,Miller MO,Riley KS
Perry AL,Clatsop OR,Chautauqua NY,Vigo IN,Daggett UT,Hardin IA,Ontonagon MI,Brown KS,Houston TX,Buchanan MO,Parmer TX,Jefferson NE
Montgomery MD,Pawnee NE,Jefferson IL,Erie PA,Carroll MD,Kaufman TX,Refugio TX,Sunflower MS,Muhlenberg KY,Oakland MI,Jackson OR,Hardeman TN
Wayne WV,Loudon TN,Greenbrier WV,Barbour WV,Hamilton FL,Sanders MT,DeSoto MS,Worth IA,Pushmataha OK,Bowman ND,Little River AR,Butts GA
Currituck NC,Des Moines IA,Johnson TX,Summers WV,Floyd TX,Madison NC,Fayette IN,Boyd KY,Glasscock TX,Kane IL,Kanawha WV,Taliaferro GA
Morris NJ,Lee VA,Le Flore OK,Emmet IA,Titus TX,Fleming KY,Cass IN,Socorro NM,Adams CO,Sullivan NH,Custer OK,Greensville VA,Hopkins TX
Blaine OK,Franklin NY,Decatur TN,Walworth WI,Hill TX,Worth GA,Robertson KY,Putnam TN,Simpson KY,Oklahoma OK,Queen Anne MD,Woodford IL
Marshall IA,Curry NM,Barren KY,Washington KY,Long GA,Bienville LA,McPherson NE,Haakon SD,Bannock ID,Navajo AZ,Dare NC,Cass TX,Clark IL
Manitowoc WI,Madison ID,Saunders NE,Rio Arriba NM,Tuscaloosa AL,Bonneville ID,Washburn WI,Clark ID,Marion TN,Wilson NC,Mason KY
Livingston NY,Clay GA,Sumner KS,Ottawa KS,New Kent VA,Fremont IA,Laurens SC,Marshall KS,Imperial CA,Goodhue MN,Kimball NE,Dewey OK,Holt MO
Jasper GA,Crockett TX,McDowell WV,Swisher TX,Stark ND,Gladwin MI,Windsor VT,Sully SD,Pike AL,Holmes FL,Newton MO,Stanly NC,Grays Harbor WA
Garrett MD,Traill ND,Jackson IN,Montrose CO,Eddy ND,Christian MO,Winn LA,Holmes OH,Cheshire NH,Madison NY,Hamilton IA,Adair MO,Fayette TX
Philadelphia PA,Morgan TN,Morgan IL,Henderson IL,Benewah ID,Starr TX,Sebastian AR,Cass ND,Montgomery IL,Tunica MS,Grundy TN,Crook WY
Union OH,Estill KY,Beaver PA,Dunn ND,Oconto WI,Waynesboro* VA,Johnson IN,Atoka OK,Moore TX,Jasper SC,Marion OH,Claiborne LA,Gordon GA
Apache AZ,Nueces TX,Switzerland IN,Hood River OR,Crow Wing MN,Lafayette WI,Union KY,Los Angeles CA,Todd KY,Logan OH,Lenawee MI,Tripp SD
Payne OK,Rock WI,Moffat CO,Kenedy TX,Norfolk* VA,Wright MO,Wheatland MT,Camden NC,Hampshire WV,Franklin IL,Taylor TX,Harrison TX,Dallas IA
Bristol RI,Grayson TX,Pulaski AR,Aransas TX,Clark MO,Emmet MI,Whiteside IL,Fresno CA,Mason TX,Mecklenburg VA,Howard NE,Essex NY,Ogemaw MI
Greene IN,Saline NE,Chautauqua KS,Zavala TX,Lawrence KY,Angelina TX,Greene MO,Anoka MN,Bath VA,San Bernardino CA,Twiggs GA,Carroll NH
Erath TX,Greenville SC,Jefferson KS,Emery UT,Webb TX,Clinton OH,Caldwell KY,Alpine CA,Benton TN,Whitley IN,Assumption LA,Real TX,Citrus FL
Oregon MO,Pitkin CO,Lawrence IN,Niagara NY,Dinwiddie VA,Newton AR,Volusia FL,Henderson NC,Clay WV,Beltrami MN,Cedar MO,Pershing NV
New London CT,Mille Lacs MN,Fall River SD,Harney OR,Utah UT,Union IN,Aleutians East+ AK,Lowndes AL,Cass IA,Orleans VT,Cleveland NC
Manatee FL,Robeson NC,Lyon KS,Rolette ND,Solano CA,Cumberland TN,Stone AR,Jasper TX,Copiah MS,Sheridan KS,Chelan WA,Gonzales TX
Columbia WA,Whatcom WA,Wharton TX,Nobles MN,Freestone TX,Duchesne UT,Langlade WI,Charleston SC,Hamblen TN,Lampasas TX,Wilson KS
Washtenaw MI,Calhoun WV,Boone IL,Cumberland NC,Franklin MS,Chippewa MN,Hinsdale CO,Roberts SD,Custer CO,Major OK,Menominee MI,Sussex NJ
Howard MD,Pamlico NC,Shelby TN,Grant ND,Josephine OR,Allegheny PA,Franklin* VA,Lonoke AR,Cherokee OK,Williamsburg SC,Fairfax VA,Elbert CO
Garland AR,Nicholas KY,Chickasaw IA,Lavaca TX,Shawnee KS,Ottawa OH,Steuben IN,Marion IL,Gallatin IL,Carbon WY,Emporia* VA,Hickory MO
Cheyenne CO,Clark SD,Adams OH,De Kalb IN,Chariton MO,McCurtain OK,Stevens KS,Kimble TX,Cross AR,Crook OR,Jefferson GA,Madison TX,Otsego NY
Amelia VA,Beaver OK,Dawson GA,Brown TX,Dawson MT,Lamoille VT,Jefferson MO,Kent TX,Yamhill OR,Centre PA,Hart GA,Adams IA,Greeley NE
Bennington VT,Decatur IA,Eastland TX,Lee FL,Candler GA,Hempstead AR,Crawford IN,Kalkaska MI,Wheeler NE,Barnstable MA,Garfield WA,Wells ND
Putnam IN,Russell KY,Thurston WA,Santa Barbara CA,Daviess IN,Grimes TX,Moultrie IL,McPherson KS,Comanche OK,Hamilton IN,Ralls MO,Scott IL
Mitchell TX,Washington NC,Sampson NC,Hunt TX,Park WY,Lexington* VA,Linn OR,Morrill NE,Hemphill TX,Rapides LA,Lowndes MS,Durham NC,Boone MO
Wilson TX,Republic KS,Lane OR,Hancock WV,Wheeler TX,Dallas TX,Marion MS,Pemiscot MO,Ada ID,Jerome ID,Riverside CA,Dearborn IN,Luzerne PA
Ashland WI,Monroe IN,Grant KY,Hughes SD,Clarendon SC,Sherman KS,Stearns MN,Henry OH,Alger MI,Sevier AR,Webster WV,Fredericksburg* VA
Jo Daviess IL,Gaines TX,Marion KS,Sherman OR,Floyd GA,Greenup KY,Santa Cruz CA,Scott MN,Henderson TN,San Juan WA,Cibola NM,Woodbury IA
Jerauld SD,Todd MN,Carson TX,Stewart TN,Montour PA,Grant IN,Benzie MI,Morgan MO,Brantley GA,Warren GA,Preston WV,Custer SD,Ascension LA
Huerfano CO,McMinn TN,Clay AL,Lubbock TX,Weld CO,Tallahatchie MS,Costilla CO,Lamb TX,Johnson MO,Ellis OK,Trempealeau WI,Webster LA
Buena Vista IA,Cannon TN,Montgomery KY,Trousdale TN,Deuel NE,Story IA,Randolph IL,DeKalb IL,Jefferson OK,White TN,Marion AR,Hodgeman KS
Gwinnett GA,Monroe AR,Spartanburg SC,McCone MT,Lincoln AR,Valley MT,Kalamazoo MI,San Diego CA,Ness KS,Valley NE,Fayette IA,Johnson TN
Benton AR,Corson SD,Bamberg SC,Phelps NE,Bullock AL,Amador CA,Pettis MO,Telfair GA,Jefferson IA,Wayne IL,Harvey KS,Calcasieu LA
Mellette SD,Warren KY,Teton MT,Houston MN,Strafford NH,Smith TN,Providence RI,Boise ID,Johnson WY,Henry AL,Toole MT,Spotsylvania VA
Bullitt KY,Okmulgee OK,Taylor FL,Nottoway VA,Mississippi MO,Washington AL,Douglas CO,Waukesha WI,Obion TN,Huntingdon PA,Brown SD,Warren IL
Warren NJ,Grenada MS,Putnam NY,Juniata PA,Logan KS,Pope AR,Bryan GA,Sanpete UT,Barton MO,Kiowa KS,Lincoln OK,Live Oak TX,King TX
Mitchell NC,Floyd IN,Loup NE,Kendall TX,Madison IN,Cass MN,Perry IN,Garfield MT,Walton FL,Idaho ID,Beaufort SC,Morton KS,Dolores CO
Wabash IN,Wyandot OH,Monroe FL,Stone MS,Spencer IN,Iroquois IL,Clarke VA,Hand SD,Clinton PA,Wabash IL,Coshocton OH,Randolph AL
Los Alamos NM,Madison MS,Stanley SD,Lowndes GA,Charles Mix SD,Sac IA,Beauregard LA,Poweshiek IA,Lewis WA,Greene AR,Sullivan IN,Kewaunee WI
Berkeley SC,Deschutes OR,Owsley KY,Cleburne AL,Wyoming PA,San Joaquin CA,Atchison MO,Blaine NE,Chatham NC,Evangeline LA,Palm Beach FL
Coffee AL,DeWitt TX,Morgan WV,Overton TN,Osceola MI,Pittsburg OK,Columbus NC,Freeborn MN,Noxubee MS,Cherokee TX,Rock NE,Wright IA,Rhea TN
Allegany MD,Richmond NY,Oldham KY,Winston MS,Rutherford TN,Bremer IA,Multnomah OR,Washington PA,Arlington VA,De Soto LA,Keokuk IA
Screven GA,Morton ND,Benton IA,Branch MI,Norton* VA,Ketchikan Gateway+ AK,Mora NM,Franklin MO,Grant LA,Lincoln WV,Macon NC,Ford IL
Alamance NC,Walsh ND,Lebanon PA,Marion IN,Botetourt VA,Shenandoah VA,Harrison IN,Carroll VA,Highland VA,Douglas KS,Fillmore NE
Montgomery NY,Atchison KS,Robertson TN,Brewster TX,Prairie AR,Tuscola MI,Hanson SD,Cameron TX,Gallatin KY,Lawrence PA,Edwards TX
Buffalo WI,Adams PA,Dubois IN,Osceola IA,Douglas NV,Windham VT,Lexington SC,Martin FL,Meade SD,Lake MN,Comanche KS,Livingston KY,Butler IA
Parker TX,Ferry WA,Windham CT,Marion TX,Menifee KY,Lincoln WA,Kossuth IA,Craig OK,Charlotte VA,Stephens TX,Silver Bow MT,Randolph WV
Menominee WI,Ohio KY,Jackson MN,Baca CO,Monterey CA,Phelps MO,Douglas MO,Monroe OH,Hale TX,Stephens GA,Polk MO,Orange NY,Crawford IA
Lyman SD,Okaloosa FL,Ozark MO,Culberson TX,Blackford IN,Cotton OK,Foard TX,Lamar MS,Logan IL,Burke ND,Gentry MO,Dona Ana NM,Loudoun VA
Humboldt CA,Perry KY,Wichita KS,Escambia AL,Jackson LA,Carbon PA,Nye NV,Washoe NV,Nemaha NE,Denton TX,Vinton OH,Clearwater MN,Jefferson OH
Prowers CO,Cache UT,Adams NE,Lewis MO,Barnwell SC,Fulton NY,Izard AR,Carroll OH,Renville ND,Saguache CO,Day SD,Otero CO,Taylor KY
Garfield NE,Middlesex CT,Otter Tail MN,Potter TX,DeKalb TN,Armstrong TX,Milam TX,Brown WI,Adair KY,Latimer OK,Mills TX,Osborne KS
Bladen NC,Warren IA,Calhoun FL,Meigs OH,Stokes NC,Vernon WI,Coos OR,Hayes NE,Chatham GA,Roscommon MI,Iron MO,Childress TX,McKinley NM
Gadsden FL,Monroe TN,Edgar IL,Stanton KS,Dickinson IA,Gasconade MO,Salt Lake UT,Muscogee GA,Mercer ND,Teton ID,Mercer PA,Love OK,Osage MO
Henderson TX,Harper OK,Decatur IN,Marlboro SC,Madison VA,Marion AL,Orange NC,Henry IA,Warren NC,Liberty MT,East Feliciana LA,Richland IL
Lawrence OH,Washington LA,Kerr TX,Marion FL,Caldwell TX,Banks GA,Roanoke* VA,Barton KS,Hart KY,Floyd VA,Mayes OK,Jones SD,Ramsey ND
Greer OK,Marion OR,Jefferson TN,Golden Valley ND,Woodward OK,Coahoma MS,Wilbarger TX,Columbia WI,Rutherford NC,Shelby IN,Butler AL
Transylvania NC,Osage KS,Franklin KY,Calaveras CA,Montgomery MS,Kent MI,Coffey KS,Ashland OH,Lake of the Woods MN,King George VA,Brown OH
Pleasants WV,Bracken KY,Johnston OK,Morgan OH,Vance NC,Stewart GA,Monroe AL,Decatur GA,Columbia OR,Uintah UT,Brunswick VA,Tippah MS
Snohomish WA,Pottawatomie OK,Crawford WI,Iosco MI,Pottawattamie IA,Cochise AZ,Warren NY,Grant SD,Lake FL,Lemhi ID,Edgefield SC,Lyon KY
Cattaraugus NY,Bandera TX,Mahnomen MN,Dickinson KS,Iredell NC,Trego KS,Staunton* VA,Rockingham NC,Laramie WY,Fairfax* VA,Baker FL,Deuel SD
James City VA,Plumas CA,Gray KS,Hall TX,Wise VA,Tulsa OK,Iberia LA,Kitsap WA,Allendale SC,Elk PA,Knox TX,Greene VA,Miami IN,Grundy MO
Pasquotank NC,Jefferson PA,Claiborne TN,Shelby IL,Washington RI,Calhoun AL,Morgan CO,Adams WI,Menard IL,Knox TN,Mercer KY,Wayne NE
Steele ND,Williamson TX,Dane WI,Sheridan NE,Wyoming WV,Seminole OK,Mason MI,Baltimore* MD,Clermont OH,Mifflin PA,Hancock ME,Elkhart IN
Fort Bend TX,Curry OR,Geneva AL,Pierce WA,Llano TX,Jackson WI,Cavalier ND,Passaic NJ,Leelanau MI,Eureka NV,Ballard KY,Brown MN,Hansford TX
Harrison WV,Unicoi TN,Noble OK,Esmeralda NV,La Plata CO,Galveston TX,Cherry NE,Waldo ME,Weber UT,Ventura CA,Todd SD,Champaign IL
Mississippi AR,Smyth VA,Isabella MI,Grant WI,Ionia MI,Towns GA,Juneau WI,Hamilton KS,Union SC,Hanover VA,Livingston MI,Cochran TX,Grant NE
Piatt IL,Florence WI,Cooke TX,Marquette WI,Westmoreland VA,New Haven CT,Crowley CO,Clay IL,Mecosta MI,Edgecombe NC,Bell KY,Lincoln MN
Lafayette MO,Garfield UT,Boone IN,Dodge WI,Orange VA,Perry PA,Boyle KY,Greenlee AZ,Chase NE,Lynn TX,Marshall OK,Jefferson TX,Campbell VA
Powhatan VA,Falls TX,Blount AL,Rappahannock VA,Shiawassee MI,Kosciusko IN,Rooks KS,Glacier MT,Panola TX,Gloucester VA,Douglas GA,Duval FL
Licking OH,Wayne NY,Henry MO,Hillsborough NH,Bee TX,McNairy TN,Tazewell VA,Sumter SC,Monroe PA,Randolph AR,Jones TX,East Carroll LA
Frio TX,Christian IL,La Paz AZ,Lewis WV,Forrest MS,Spencer KY,Ohio IN,Webster GA,Allen IN,Converse WY,Lincoln KS,Whitley KY,Wayne OH
Schuylkill PA,Tift GA,Dillon SC,East Baton Rouge LA,Pope IL,Northampton PA,Gregg TX,Noble IN,Dallas MO,Essex VA,Sioux IA,Pike KY
Hamilton NE,Madison FL,Bond IL,Hardeman TX,Meade KS,De Witt IL,Columbia FL,Benton MO,Brown IL,O-Brien IA,McLennan TX,Pulaski GA
Jefferson FL,Montgomery NC,Clarke MS,Carver MN,Madison MT,Kearny KS,Fulton OH,Texas MO,Delaware IA,Haskell OK,Keya Paha NE,Allen OH
Martin TX,Kay OK,Hyde NC,Morris KS,Petroleum MT,Mendocino CA,Bolivar MS,King William VA,Juneau+ AK,Sandoval NM,Peach GA,Morrow OH
Blount TN,Chickasaw MS,Tattnall GA,Manistee MI,Crisp GA,Wilkes GA,Alachua FL,Marshall WV,Will IL,Brooke WV,Westmoreland PA,Merrimack NH
Fillmore MN,Comal TX,Covington MS,Sierra CA,Fisher TX,Washington TX,Dodge GA,Victoria TX,Osage OK,Greene TN,Vernon MO,Sauk WI,Franklin NE
Winkler TX,Broadwater MT,Graham KS,Cherokee SC,Hamilton OH,Big Horn WY,Lumpkin GA,Davis IA,Custer MT,Tucker WV,Nemaha KS,Bertie NC
Taylor WI,Habersham GA,Blanco TX,Latah ID,Charlevoix MI,Jones NC,Carroll AR,Dallam TX,Tillman OK,Midland MI,Tipton IN,Oldham TX
Pend Oreille WA,Calhoun SC,Union PA,Wichita TX,Fallon MT,Elmore AL,Stutsman ND,Perry AR,Coke TX,Tama IA,Taney MO,York NE,Trumbull OH
Potter SD,Divide ND,Cobb GA,Clearwater ID,Monongalia WV,Franklin VT,Churchill NV,Henry TN,Bay MI,Ben Hill GA,Guernsey OH,Conway AR
Clinton IN,Sanborn SD,Montgomery VA,Anderson TN,Harrison KY,Lyon MN,Natchitoches LA,Wayne GA,Fayette KY,Wabasha MN,Baker OR,Treutlen GA
Franklin TN,La Salle TX,Bureau IL,Wexford MI,McIntosh OK,Hays TX,Billings ND,Chicot AR,Hettinger ND,Greene GA,Thomas KS,Polk NC,Monroe WI
Beadle SD,Madison OH,Jackson TX,Osceola FL,Lee NC,Pecos TX,Virginia Beach* VA,Jackson OK,Irwin GA,Lane KS,Canadian OK,Greene IA,Hampden MA
Yavapai AZ,Madison TN,Washington IN,Barron WI,McDonough IL,McLean IL,Burke GA,Santa Cruz AZ,Nicholas WV,Monroe IA,Graves KY,Pembina ND
Cedar IA,Daviess KY,Covington* VA,Delaware PA,Boone AR,Pike PA,Woods OK,White GA,Madison LA,Pepin WI,Harrison MS,Williams ND,Okeechobee FL
Faribault MN,Callaway MO,Haskell KS,Sacramento CA,Bourbon KS,Lee KY,Muskogee OK,San Juan NM,Champaign OH,Craig VA,Pontotoc OK,Tyler TX
Huron OH,Tishomingo MS,Monroe KY,Clark KS,Richland MT,Aiken SC,Logan NE,Hopewell* VA,McKenzie ND,Logan CO,Hardin IL,Matanuska-Susitna+ AK
Prentiss MS,Gosper NE,Cottle TX,Bradley AR,Washington OK,DeKalb MO,Miami OH,Cleveland AR,Desha AR,Knox IN,Benson ND,Kershaw SC,Lake TN
Pueblo CO,Lauderdale AL,Sweet Grass MT,Dakota NE,Loving TX,Catahoula LA,Aleutians West= AK,Prairie MT,Perkins NE,Madera CA,Owen IN
McLean KY,Sumter FL,Union IL,Warren MS,West Baton Rouge LA,Alameda CA,Clark IN,Yellow Medicine MN,Calhoun IL,Chambers AL,Duval TX,Mono CA
Catron NM,Searcy AR,Portage WI,Marshall KY,Dodge NE,Hughes OK,Clark AR,Jefferson OR,Piscataquis ME,Franklin GA,Sioux NE,Ray MO,Kennebec ME
Chisago MN,Kiowa OK,Oneida WI,Linn IA,Klickitat WA,Grant WV,McLean ND,Choctaw AL,Clay KY,Litchfield CT,Cimarron OK,Carroll IN,Knott KY
Jackson IL,Haywood TN,Island WA,Guadalupe NM,Dawson NE,Valencia NM,Hennepin MN,Stark OH,Chemung NY,Avery NC,Washington TN,Lawrence AR
Mackinac MI,Hardy WV,Hampton SC,Humphreys TN,Lauderdale MS,Donley TX,Fairfield CT,Mercer OH,Dawes NE,Mountrail ND,Stanton NE,Monroe MI
Wayne KY,Dade MO,Prince George VA,Clay FL,Martin IN,Sevier UT,La Salle LA,Clay MN,Pointe Coupee LA,Lee IL,Dallas AL,Perry TN,Phillips AR
Lenoir NC,Adams MS,Kenton KY,Calhoun TX,Lake SD,Motley TX,Kent DE,Belmont OH,Schuyler MO,Buffalo SD,Washington GA,Bledsoe TN,Keweenaw MI
San Saba TX,Bedford* VA,Runnels TX,Richmond* VA,Frontier NE,Cheyenne NE,George MS,Crawford MO,Gray TX,Montague TX,Lancaster NE,Early GA
Scott MO,Caddo LA,Ellis TX,Goliad TX,Oswego NY,Carroll KY,San Augustine TX,DuPage IL,Washington MN,Pennington SD,Reeves TX,Delaware OH
Somervell TX,Henderson KY,Mecklenburg NC,Garden NE,Fayette PA,Delaware NY,Lafayette MS,Harris TX,Hancock MS,Yadkin NC,Taylor IA
Paulding GA,Sevier TN,Bergen NJ,Johnson AR,Lipscomb TX,Richland SC,Wibaux MT,Poquoson* VA,Jersey IL,Colleton SC,Hickman KY,Darlington SC
Edwards KS,Tazewell IL,Phillips CO,Manassas* VA,Blue Earth MN,Skagit WA,Hancock IA,Grady GA,Rains TX,Martin NC,Webster KY,Guilford NC
Routt CO,Pendleton KY,Johnson KY,Mower MN,Washington CO,Archuleta CO,Seneca NY,Fluvanna VA,Haywood NC,Iowa WI,Pope MN,Shannon SD,Orange IN
Gregory SD,Cheatham TN,Summit CO,Antelope NE,Edmunds SD,Horry SC,Dodge MN,Bradford PA,Calhoun IA,Maury TN,Colorado TX,Walthall MS
Hot Spring AR,Davie NC,Grand Traverse MI,Accomack VA,Charles City VA,Deer Lodge MT,Baylor TX,Caldwell LA,Bristol MA,Franklin FL,Yazoo MS
DeKalb AL,Chesterfield VA,Cameron LA,Stafford KS,Chouteau MT,Brazoria TX,Sussex DE,Natrona WY,Bailey TX,Cerro Gordo IA,Colfax NM
Clarion PA,Columbiana OH,Albany NY,Cottonwood MN,Susquehanna PA,Sargent ND,Fannin TX,Anne Arundel MD,Sabine LA,Wright MN,Shelby AL
Moniteau MO,Huntington IN,Lincoln MS,Taos NM,Broward FL,Grayson VA,Shannon MO,Gillespie TX,Mercer IL,Delaware OK,Henry IN,Jefferson WV
Randolph IN,Rankin MS,Florence SC,Sterling TX,Howell MO,Yancey NC,Oliver ND,Perkins SD,Bartow GA,Southampton VA,Bollinger MO,Johnson NE
Cuming NE,Laurel KY,Adams ND,Fayette OH,Nevada CA,Allen KS,Nolan TX,Morgan GA,Chaffee CO,Ashtabula OH,Panola MS,Campbell WY,Highlands FL
Lancaster SC,Muskingum OH,Boyd NE,Adair IA,Dukes MA,Presque Isle MI,Platte NE,Ottawa MI,San Miguel CO,Glenn CA,Washington ME,Teton WY
King and Queen VA,Sitka+ AK,Tillamook OR,Chaves NM,Greene OH,Gibson TN,Lewis and Clark MT,Jewell KS,Drew AR,Frederick MD,Greene IL
Chippewa WI,Irion TX,Macon TN,Jefferson IN,Warren TN,Bonner ID,Torrance NM,Schoolcraft MI,Lafayette AR,Washington UT,Franklin VA
Livingston IL,Conejos CO,Hall NE,Santa Fe NM,Wise TX,Rockwall TX,Ellsworth KS,Tensas LA,Clay NE,Lyon IA,Humphreys MS,Mitchell IA
Cherokee NC,Pierce NE,Richland LA,Gunnison CO,Sheridan WY,Buena Vista* VA,Montmorency MI,Meigs TN,Mason IL,Lawrence MS,Linn KS,Ocean NJ
Harlan NE,Halifax VA,Greeley KS,Union SD,Mahaska IA,Westchester NY,Falls Church* VA,Kemper MS,Lincoln KY,Lancaster VA,Taylor GA,Greene NY
Newaygo MI,Essex NJ,Williamson IL,Putnam IL,Washington NE,Wilkes NC,Ashe NC,Suwannee FL,Washington MO,Campbell KY,Okanogan WA,Pondera MT
Talladega AL,Rabun GA,Faulkner AR,Evans GA,Perry MS,Ritchie WV,Collier FL,Franklin IA,Franklin TX,Montgomery TX,Polk MN,Clinton MI
Miami KS,Wayne IA,Cole MO,Tioga NY,Scioto OH,Sarasota FL,Charles MD,Spokane WA,Bedford PA,Macoupin IL,Columbia PA,Faulk SD,Upshur WV
Lagrange IN,Yuma AZ,Morgan UT,Black Hawk IA,Coosa AL,Hartford CT,Randolph MO,Leflore MS,Franklin OH,Wicomico MD,Darke OH,Logan KY
Herkimer NY,Johnson GA,Eagle CO,Brown IN,Henry GA,Seneca OH,Cumberland KY,Yakima WA,Atkinson GA,DeKalb GA,Greene NC,Chase KS,Autauga AL
Ingham MI,Camp TX,Ida IA,Wood OH,Pickens GA,Chippewa MI,Butler MO,Hancock TN,Martin MN,Muscatine IA,Cabell WV,Rockdale GA,Indian River FL
Butler NE,Gibson IN,Ransom ND,Howard MO,Cleburne AR,Pike AR,Hampton* VA,Hale AL,Auglaize OH,Manassas Park* VA,Isanti MN,Colfax NE
Patrick VA,Magoffin KY,Hall GA,Marengo AL,Meeker MN,Outagamie WI,El Paso CO,Mills IA,Greene AL,Edwards IL,Scott IN,Sedgwick CO,Swain NC
Scotts Bluff NE,Potter PA,Adams IL,Prince George MD,Orange FL,Scott VA,Independence AR,Ogle IL,Benton MN,Pontotoc MS,Letcher KY
Culpeper VA,Carter TN,Grand CO,Cook IL,Crawford GA,Newton GA,Winnebago IL,Rice MN,Putnam OH,Winneshiek IA,Woodson KS,Anchorage+ AK
Jefferson Davis MS,Midland TX,Madison IA,San Juan CO,Graham NC,Clay NC,Colusa CA,Gaston NC,Uinta WY,Georgetown SC,Wythe VA,Clinton IL
Newberry SC,Cascade MT,Rockbridge VA,Roseau MN,Trinity TX,Winona MN,Hamilton TN,Buchanan VA,Hudspeth TX,Marquette MI,Hancock GA
Guadalupe TX,Lincoln SD,Sonoma CA,Brevard FL,Cameron PA,Tipton TN,Menard TX,Maui HI,Green WI,Lincoln MT,Johnson KS,Pickaway OH,Ringgold IA
Morehouse LA,Collingsworth TX,Geauga OH,Payette ID,Wood TX,Boone NE,Cuyahoga OH,Lafayette LA,Ross OH,Valdez-Cordova= AK,Petersburg* VA
Indiana PA,Kent MD,Okfuskee OK,Jones MS,Malheur OR,Queens NY,Shoshone ID,Mineral CO,Lewis KY,Bayfield WI,Norfolk MA,Lycoming PA,Flagler FL
Hudson NJ,Mason WA,Sherman NE,McPherson SD,Banner NE,Emmons ND,Wayne TN,Dickenson VA,Peoria IL,Chittenden VT,Christian KY,Polk NE,Union NM
Grant WA,Clay KS,Minnehaha SD,Thomas NE,Russell KS,Kit Carson CO,Caswell NC,Racine WI,Uvalde TX,Lafourche LA,Washington KS,Seminole GA
Acadia LA,Athens OH,Hardin KY,McKean PA,Jones GA,Mahoning OH,Comanche TX,Grainger TN,Honolulu HI,Appling GA,Sheridan MT,Washington AR
Garfield CO,Jackson GA,Saline MO,Minidoka ID,Hardin TX,Boundary ID,Larue KY,York ME,Rock MN,Madison IL,Scott MS,Perquimans NC,Harris GA
Juab UT,Slope ND,Laurens GA,Kane UT,Monroe NY,Eaton MI,Montgomery AR,Charlotte FL,Charlton GA,Rice KS,Lamar TX,Camden MO,Lafayette FL
Wayne MO,Stonewall TX,Labette KS,York VA,Shelby OH,Vermilion LA,Lorain OH,Asotin WA,Starke IN,Delta MI,Blaine MT,Columbia AR,Bent CO
Middlesex VA,Walker TX,Jackson FL,Keith NE,Calloway KY,Sharkey MS,Scott AR,Park CO,Pine MN,Wahkiakum WA,Nome= AK,Rowan KY,Davidson NC
Beaufort NC,Caledonia VT,Dickinson MI,Del Norte CA,Rusk WI,Lincoln LA,Deaf Smith TX,Le Sueur MN,Crawford OH,Alexander NC,Bath KY
Arapahoe CO,Salem* VA,New York NY,Alcona MI,Gilchrist FL,Rockingham NH,Kauai HI,Sullivan TN,Washington VA,Sheboygan WI,Hendry FL
Alexandria* VA,Casey KY,Nance NE,Traverse MN,Burlington NJ,Bay FL,Carroll TN,Cherokee IA,Randolph GA,Sharp AR,Carlton MN,Sutton TX
Grafton NH,Butler OH,Columbia NY,Union OR,Clarke GA,Jeff Davis TX,Jefferson WI,Allegany NY,Richmond VA,Kidder ND,Hidalgo TX
Lac qui Parle MN,Calumet WI,Delta TX,Dougherty GA,Shelby IA,Douglas WA,Howard IA,Jefferson AL,Brooks TX,Liberty GA,Finney KS,Waseca MN
Webster IA,Amite MS,Eddy NM,Scurry TX,Cowley KS,Isle of Wight VA,New Madrid MO,Atascosa TX,Houston AL,Pocahontas IA,Clay SD,Tulare CA
Lawrence AL,Presidio TX,Ottawa OK,La Porte IN,Hillsborough FL,Sioux ND,York PA,Jefferson CO,Montgomery GA,Roosevelt NM,Fond du Lac WI
Wheeler GA,Ware GA,Kittson MN,Napa CA,Jackson WV,Carroll MO,Grant NM,Bastrop TX,Alexander IL,Floyd KY,Norton KS,Throckmorton TX
Bear Lake ID,Jackson OH,Siskiyou CA,Nassau NY,Schuyler NY,Dundy NE,Pitt NC,Bristol* VA,Roane WV,Wetzel WV,Woodruff AR,McDonald MO
Sequoyah OK,Richmond GA,Cass MI,Kingsbury SD,Beaverhead MT,Marin CA,Hockley TX,Atlantic NJ,Bexar TX,Moody SD,Rawlins KS,Baxter AR
Mineral NV,Thomas GA,Mitchell KS,Jasper MO,Saluda SC,Lawrence IL,Lapeer MI,Lincoln NV,Aurora SD,Crittenden KY,Pierce GA,Dawson TX
Harnett NC,Washington OH,Wilson TN,Grant AR,Hutchinson SD,Newton TX,Briscoe TX,Brunswick NC,Whitfield GA,Berkeley WV,Union GA,Kings NY
Wayne PA,Red Willow NE,Jasper MS,Teller CO,Harrison IA,Montgomery IA,Clackamas OR,Berks PA,Antrim MI,Boulder CO,Sanilac MI,Gallatin MT
Archer TX,Lake CO,Coffee TN,Rosebud MT,Grant OK,Sheridan ND,Harlan KY,Cloud KS,Eau Claire WI,Jefferson KY,Wyoming NY,Worcester MD
Wyandotte KS,Treasure MT,Cherokee AL,Wabaunsee KS,Weston WY,Union TN,Pasco FL,Lee MS,Clay MO,Yellowstone MT,Polk TN,Lincoln NC,Renville MN
Boone WV,Clearfield PA,Humboldt NV,Hidalgo NM,Tuscarawas OH,Sedgwick KS,Walker GA,Summit UT,Stevens WA,Carbon UT,Lincoln ID,Crawford KS
Cabarrus NC,Pierce ND,Morrison MN,Winchester* VA,Pendleton WV,Crawford AR,Hocking OH,Denver CO,Jim Hogg TX,Haralson GA,Barry MI,Yolo CA
Clarke IA,Marshall IL,Jackson MO,Howard TX,Morgan AL,Bethel= AK,Marathon WI,Clifton Forge* VA,Catoosa GA,Washington VT,Sweetwater WY
Morgan KY,Zapata TX,Coconino AZ,Genesee NY,Alpena MI,Grundy IL,Fulton IN,Mitchell GA,Kleberg TX,Richland ND,Chester PA,Pike GA
Walla Walla WA,Edmonson KY,Cape May NJ,Cleveland OK,Clay TN,Modoc CA,Chester SC,Sullivan PA,Wirt WV,Butte CA,Custer ID,Oconee GA
Mineral WV,Genesee MI,Glynn GA,Caldwell MO,Elbert GA,Venango PA,Alcorn MS,Iron WI,Mathews VA,Kanabec MN,Pottawatomie KS,Nantucket MA
Lucas IA,Burleigh ND,Lincoln OR,Grand Isle VT,Giles TN,Bibb AL,Pittsylvania VA,Fauquier VA,Castro TX,Highland OH,North Slope+ AK,Goshen WY
Saline IL,Wilkin MN,Benton MS,Calhoun MS,Putnam FL,Custer NE,La Salle IL,Van Buren TN,Clinch GA,McHenry IL,Vernon LA,Navarro TX,Macon IL
Albemarle VA,Macon AL,Braxton WV,Montgomery OH,Hernando FL,Watauga NC,Beckham OK,Hendricks IN,Lackawanna PA,Niobrara WY,Jasper IA
Ozaukee WI,Onslow NC,Logan ND,Mineral MT,Clay TX,Morris TX,Talbot GA,Grand Forks ND,Pearl River MS,McCulloch TX,Grant OR,Armstrong PA
Webster NE,Surry NC,Cass NE,Butte ID,McClain OK,Madison KY,Lyon NV,Powell KY,Berrien GA,Nodaway MO,Bleckley GA,Northumberland PA,Warren PA
Knox NE,Waller TX,Sabine TX,Pike MS,Rio Blanco CO,Gallia OH,Stone MO,McCook SD,Emanuel GA,Paulding OH,San Luis Obispo CA,Wakulla FL
Skamania WA,Gilmer GA,Greenwood SC,Elko NV,Clark WI,Jeff Davis GA,Allegan MI,Yalobusha MS,Fayette TN,Jefferson NY,Macon MO,Cullman AL
Stark IL,Sequatchie TN,Tom Green TX,Rush IN,Lynchburg* VA,Androscoggin ME,Towner ND,Butte SD,Carson City! NV,Hyde SD,Arkansas AR,Caddo OK
Clare MI,Marion KY,Dimmit TX,Burke NC,Owen KY,Crawford PA,Clark WA,Noble OH,Griggs ND,Phillips KS,Nelson ND,Orange VT,Upson GA,Ravalli MT
Coryell TX,Macomb MI,Campbell TN,Union NJ,Garrard KY,Benton OR,Lawrence MO,Hot Springs WY,Roanoke VA,Jennings IN,Hardin TN,Willacy TX
Big Stone MN,Moore NC,Carroll GA,Rockland NY,Ouachita LA,Bingham ID,Burnet TX,Concho TX,Marshall SD,Jefferson MT,Bates MO,Alfalfa OK
Jackson KY,Pawnee OK,Kern CA,Platte WY,Claiborne MS,Lee GA,Leake MS,Ulster NY,Buffalo NE,Marion WV,Murray MN,Plymouth IA,Caribou ID
Polk OR,Franklin AL,Washington ID
`;
