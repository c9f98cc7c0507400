/**
 * Names of cities, in the format of words.ts.
 *
 * Source: the TPC-DS specification's data (dsdgen's distributions), in a format of this connector.
 */
export const cityText = `
600 Midway,Fairview,Oak Grove,Five Points,Pleasant Hill,Riverside,Mount Pleasant,Centerville,Bethel,New Hope,Liberty,Union,Pleasant Valley
Oakland,Salem,Pleasant Grove,Greenwood,Shady Grove,Pine Grove,Shiloh,Oak Hill,Concord,Georgetown,Cedar Grove,Lakeview,Antioch,Glendale
Hopewell,Friendship,Sunnyside,Spring Hill,Lakewood,Springfield,Stringtown,Harmony,Riverview,Buena Vista,Highland,Highland Park,Franklin
Woodlawn,Mount Vernon,Lakeside,Glenwood,Fairfield,Oakdale,Spring Valley,Walnut Grove,Providence,Mount Zion,Greenville,Mount Olive,Wildwood
Hillcrest,Crossroads,Belmont,Wilson,Riverdale,Newport,Springdale,Mountain View,Forest Hills,Bridgeport,White Oak,Oakwood,Newtown,Macedonia
Five Forks,Edgewood,Arlington,Unionville,Red Hill,Clinton,Woodville,Summit,Jamestown,Hamilton,Clifton,Union Hill,Sulphur Springs,Lincoln
Lebanon,Farmington,Enterprise,Brownsville,Ashland,Woodland,Waterloo,Valley View,Oak Ridge,Maple Grove,Kingston,Jackson,Greenfield
Green Acres,Plainview,Marion,Florence,Deerfield,Bunker Hill
1 Smithville,Rockville,Melrose,Magnolia,Jefferson,Jacksonville,Hebron,Avondale,Petersburg,Needmore,Mount Carmel,Eureka,Eden,Dover,Corinth
Buffalo,Rosedale,Pleasant View,Milton,Independence,Grandview,Four Corners,Cloverdale,Westwood,Vernon,Sharon,Richland,Beulah,Williamsburg
Hollywood,Hillsdale,Ebenezer,Cross Roads,Winchester,Washington,Troy,Prospect,Oxford,Norwood,Mill Creek,Middletown,Jericho,Forest Hills
Columbia,Bethlehem,Anderson,Waverly,Watson,Rose Hill,Pine Hill,Monroe,Milltown,Manchester,Hilltop,Harrisburg,Dixie,Bellevue,Smyrna
Sherwood Forest,Pleasant Ridge,Forest Park,Dayton,Clayton,Chester,Webster,Warren,Somerset,Richmond,Milford,Johnson,Evergreen,Elmwood
Bloomfield,Bethany,Auburn,Williams,Walker,Rosemont,Millville,Mechanicsville,Liberty Hill,Huntington,Hillsboro,Hickory Grove,Germantown
Flat Rock,Douglas,Cleveland,Central,Brooklyn,Brighton,Alpine,Weston,Taylor,Sherwood Forest,Rockdale,Princeton,Preston,Nelson,Martin
Madison,Logan,Linwood,Hope,Holland,High Point,Goshen,Danville,Burlington,Wallace,Rock Creek,Oak Park,Meadowbrook,Locust Grove,Lexington
Howard,Henderson,Hanover,Hampton,Hamburg,Five Corners,Fairmount,Chapel Hill,Canton,Campbell,Berlin,Baker,Avon,Arcadia,Windsor,Westfield
Sardis,Russellville,Rogers,Rock Springs,Riverton,Randolph,Plymouth,Piney Grove,Pinehurst,Mount Hope,Montrose,Miller,Marshall,Lowell
Keystone,Indian Hills,Hudson,Geneva,Englewood,Cottonwood,Clyde,Cedar Hill,Bristol,Beechwood,Aurora,West Point,Trenton,Sunset,Sunrise
Spring Creek,Rolling Hills,Portland,Pine Ridge,Paradise,Monticello,Monterey,Mitchell,Midland,Jordan,Green Valley,Garfield,Garden City
Cold Spring,Clarksville,Cameron,Cambridge,Asbury,Adams,York,White Rock,Wakefield,Victoria,Unity,Twin Lakes,Three Forks,Sycamore
Springville,Russell,Ridgeway,Pisgah,Morgan,Mayfield,Maplewood,Longview,Linden,Lancaster,Harris,Good Hope,Gibson,Fulton,Deer Park
Charleston,Center,Canaan,Boston,Beverly Hills,Benton,Woodstock,White City,Westville,Waterford,Walnut Hill,Verona,Turner,Sterling,Sheridan
Sand Hill,Pumpkin Center,Powell,Poplar Grove,Perry,Parker,Old Town,Oakley,Newton,New Salem,Nashville,Lyons,Lone Star,Klondike,Johnstown
Holly Springs,Harrison,Garland,Foster,Egypt,Davis,Chestnut Hill,Camden,Buckeye,Brookside,Brentwood,Austin,Allen,Woodside,Stony Point
Stanley,Simpson,Silver Lake,Saint Paul,Rome,Rockland,Ridgewood,Raymond,Piedmont,Paris,Palmyra,Orange,Oakville,Montgomery,Lincoln Park
Laurel,Lake City,Kenwood,Jonesville,Huntsville,Hickory Hill,Grant,Fernwood,Enon,Columbus,Carlisle,Brookfield,Bradford,Boyd,Baldwin,Alton
Allendale,Whitehall,Westwood,Wayne,Utica,Union Grove,Thornton,Shirley,Robinson,Patterson,Palestine,Norton,Northwood,New Haven,Moscow
Lakeland,Indian Springs,Hillside,Helena,Harrisville,Green Acres,Fairfax,Ellis,Easton,Durham,Diamond,Dale,Cuba,Cooper,Cold Springs
Cherry Hill,Center Point,Cairo,Butler,Buckhorn,Beech Grove,Augusta,Athens,Albion,Winona,Willard,Westport,West End,Wellington,Ward,Victor
Sunset Beach,Stanton,Spencer,Smithfield,Slabtown,Sidney,Sherwood,Rock Hill,Ramsey,Porter,Poplar Springs,Perryville,Palmer,Newburg
Middleton,Mapleton,Lawrence,Lafayette,Jonestown,Jimtown,Hunter,Houston,Happy Valley,Hammond,Green Hill,Gordon,Glencoe,Elgin,Dundee,Duncan
Delta,Dalton,Crawford,Country Club Estates,Cedar Springs,Briarwood,Bradley,Bloomington,Arnold,Albany,Adamsville,Zion,Westover,Waterville
Upton,Trinity,Thompson,Thomas,Tanglewood,Sunshine,Sugar Grove,Stockton,Snow Hill,Sherman,Scotland,Roseville,Roosevelt,Rockport,Rochester
Plainfield,Osceola,Mulberry,Millwood,McDonald,Maysville,Mason,Marysville,Mansfield,Lodi,Livingston,Kirkwood,Kent,Ingleside,Hyde Park,Homer
Hickory Hills,Hawthorne,Hartford,Fredonia,Evansville,Etna,Edgemont,Dexter,Crestwood,Crescent,Covington,Country Club Estates,Coleman
Chelsea,Chapman,Cedarville,Burton,Bryant,Browntown,Beverly,Beaver,Baxter,Barton,Ashton,Armstrong,Afton,Warsaw,Viola,Uniontown,Twin Oaks
Sweetwater,Stonewall,Spring Lake,Sparta,Ruby,Roseland,Pleasantville,Pittsburg,Pioneer,Pineville,Oak Forest,Northfield,Mount Airy,Maxwell
Marietta,Lamont,Lake View,Knoxville,Idlewild,Holt,Hastings,Hancock,Gilbert,Gardner,Freedom,Emerson,Echo,Dixon,Denver,Denton,Curtis,Creston
Clark,Chesterfield,Cedar Point,Cedar Creek,Cascade,Brandon,Blaine,Bancroft,Avalon,Atwood,Alma,Wheatland,Wells,Sun Valley,State Line
Silver City,Seneca,Selma,Saint Joseph,Saint John,Ross,Roberts,Reynolds,Red Rock,Ogden,Newark,New London,Mineral Springs,Meridian,Lynn
Lisbon,Lamar,Knollwood,Kensington,Horton,Homewood,Homestead,Holiday Hills,Henry,Harper,Greenbriar,Granville,Graham,Grafton,Genoa,Fruitland
Fremont,Forest Hill,Forest Grove,Folsom,Flint Hill,Fillmore,Ferndale,Fayette,Fairmont,Eastwood,Dudley,Dublin,Dogtown,Dawson,Cunningham
Conway,Collins,College Park,Chestnut Grove,Cherry Grove,Cherokee,Chatham,Camelot,Brooks,Big Springs,Big Creek,Benson,Bedford,Bartlett
Bailey,Atlanta,Alpha,Woodland Hills,Winfield,Willow Springs,Willow Grove,Williamstown,Wheeler,Westchester,Walton,Tyler,Taylorsville
Stillwater,Shawnee,Shamrock,Scott,Sanford,Saint Charles,Rocky Hill,Rockford,Ripley,Pulaski,Phillips,Pearl,New Market,New Boston,Nebo
Mount Tabor,Morton,Moore,Long Branch,London,Lewisville,Lewiston,Jerusalem,Jasper,Hadley,Grove,Greenbrier,Gray,Glasgow,Fletcher,Fair Oaks
Essex,Elwood,Eldorado,Dunlap,Dunbar,Decatur,Darlington,Damascus,Crystal Springs,Crestview,Coldwater,Climax,Center Hill,Carrollton,Carlton
Caldwell,Byron,Browns Corner,Bridgewater,Bolton
30 Blue Springs,Bloomingdale,Blair,Bethesda,Belleville,Bear Creek,Bayview,Avoca,Argyle,Wyoming,Woodland Park,Wilton,White Hall,Watkins
Warwick,Walnut,Vienna,Union City,Texas,Sumner,Summerfield,Sugar Hill,Stratford,Springtown,Saratoga,San Jose,Saint Johns,Royal,Rosebud
Rockwood,Riley,Red Oak,Quincy,Pomona,Point Pleasant,Philadelphia,Peoria,Murray,Millbrook,Maywood,Macon,Lone Oak,Lewis,Leon,Lee,Jones
Hubbard,Gum Springs,Guilford,Galena,Frenchtown,Freeport,Frankfort,Fowler,Floyd,Fisher,Fairbanks,Evans,Empire,Elm Grove,Ellsworth,Edgewater
Dewey,Derby,Denmark,Cordova,Colonial Heights,Colfax,Clearview,Chestnut Ridge,Carthage,Carpenter,Calhoun,Brookwood,Brookville,Brentwood
Birmingham,Arcola,Andover,Aberdeen,Yorktown,Wright,Woodrow,Woodbury,Winslow,Whitney,Whispering Pines,Welcome,Webb,Washington Heights
Summerville,Sullivan,Stewart,Spring Grove,Silver Springs,Sheffield,Shannon,Scottsville,Saint George,Ryan,Ruth,Roy,Roxbury,Rosewood,Roscoe
Rocky Point,Richfield,Richardson,Proctor,Pinecrest,Pine Valley,Pierce,Perkins,Paxton,Omega,Nottingham,Montezuma,Montague,Milo,Milan
Martinsville,Maple Hill,Ludlow,Louisville,Longwood,Lewisburg,Lenox,Leesville,Leesburg,Lawrenceville,Kirkland,Kelly,Jerome,Jenkins
Indian Village,Hurricane,Howell,Hillcrest,Hidden Valley,Harvey,Harmon,Greendale,Granite,Glenville,Gladstone,Gilmore,Garrison,Freeman,Fox
Forestville,Flatwoods,Elkton,Elizabeth,Elba,Cumberland,Clearwater,Carter,California,Caledonia,Burns,Buckingham,Brunswick,Bennett,Bay View
Barnes,Arthur,Appleton,Amherst,Allison,Allentown,Acme,Woodbine,Wolf Creek,Williamsville,White Plains,Wesley,Weldon,Wayland,Tyrone,Tremont
Tracy,Tipton,Thompsonville,Tanglewood,Tabor,Sutton,Superior,Star,Stafford,Sleepy Hollow,Siloam,Shelby,Shaw,Sawyer,Saint James,Saint Clair
Red Bank,Rankin,Price,Peru,Page,Owens,Oneida,Northwood,Nichols,New Town,Murphy,Morris,Morgantown,Montpelier,Mechanicsburg,Lucas,Lone Pine
Littleton,Little River,Leland,Langdon,Lakeville,Lake Forest,La Grange,King,Kimball,Johnsonville,Highland Park,Hazelwood,Hartland,Hardy
Guthrie,Griffin,Gravel Hill,Golden,Globe,Gary,Frogtown,Four Points,Forest,Flint,Ferguson,Fayetteville,Farmersville,Ellisville,Edwards
Edgewood,Doyle,Delmar,Dallas,Crystal,Collinsville,Clifford,Church Hill,Cherry Valley,Cedar,Brookwood,Blanchard,Berea,Belleview,Belfast
Bayside,Bath,Avery,Ashley,Amity,Altamont,Adrian,Youngstown,Woodruff,Woodcrest,Willow,Willis,Wildwood,Whitesville,Westminster,Westgate
West Liberty,Vista,Vance,The Meadows,Taft,Springhill,Somerville,Snug Harbor,Smith,Silver Creek,Shore Acres,Rutland,Rossville,Rolling Hills
River Oaks,Ridgeville,Richville,Riceville,Reno,Redland,Prosperity,Post Oak,Plainville,Pinhook,Phoenix,Payne,Parkwood
`;
