/**
 * First names: the name, after a point its weight among men, then its weight among women (after a colon if both are present).
 *
 * Source: the TPC-DS specification's data (dsdgen's distributions), in a format of this connector.
 */
export const firstNameText = `
Aaron.240:2 Abbey4 Abbie8 Abby16 Abdul.7 Abe.6 Abel.19 Abigail25 Abraham.35 Abram.5 Ada57 Adah1 Adalberto.5 Adaline2 Adam.259:1 Adan.8
Addie26 Adela14 Adelaida4 Adelaide8 Adele25 Adelia3 Adelina7 Adeline18 Adell5 Adella3 Adelle3 Adena1 Adina3 Adolfo.14 Adolph.11 Adria3
Adrian.69:9 Adriana25 Adriane4 Adrianna4 Adrianne7 Adrien1 Adriene2 Adrienne39 Afton3 Agatha7 Agnes98 Agnus1 Agripina1 Agueda1 Agustin.15
Agustina3 Ahmad.6 Ahmed.5 Ai1 Aida23 Aide1 Aiko1 Aileen16 Ailene1 Aimee27 Aisha9 Aja3 Akiko2 Akilah1 Al.23 Alaina5 Alaine1 Alan.204
Alana12 Alane1 Alanna4 Alayna1 Alba9 Albert.314:1 Alberta52 Albertha3 Albertina2 Albertine3 Alberto.53 Albina4 Alda4 Alden.6 Aldo.7
Alease1 Alec.6 Alecia7 Aleen1 Aleida2 Aleisha1 Alejandra12 Alejandrina2 Alejandro.43 Alena3 Alene7 Alesha4 Aleshia1 Alesia4 Alessandra1
Aleta4 Aletha6 Alethea3 Alethia2 Alex.115:2 Alexa6 Alexander.132:2 Alexandra39 Alexandria14 Alexia3 Alexis.11:30 Alfonso.38 Alfonzo.6
Alfred.162 Alfreda9 Alfredia1 Alfredo.54 Ali.12:2 Alia2 Alica2 Alice357 Alicia146 Alida3 Alina6 Aline11 Alisa20 Alise2 Alisha27 Alishia2
Alisia2 Alison50 Alissa11 Alita1 Alix2 Aliza2 Alla2 Allan.61 Alleen1 Allegra2 Allen.174:2 Allena1 Allene8 Allie13 Alline2 Allison92 Allyn1
Allyson13 Alma111 Almeda3 Almeta2 Alona1 Alonso.4 Alonzo.22 Alpha5 Alphonse.7 Alphonso.11 Alta19 Altagracia4 Altha2 Althea12 Alton.33
Alva.7:6 Alvaro.12 Alvera2 Alverta1 Alvin.105 Alvina6 Alyce10 Alycia3 Alysa1 Alyse2 Alysha2 Alysia3 Alyson9 Alyssa31 Amada3 Amado.5 Amal1
Amalia10 Amanda404 Amber160 Amberly1 Ambrose.4 Amee1 Amelia52 America3 Ami4 Amie13 Amiee1 Amina2 Amira1 Ammie2 Amos.20 Amparo9 Amy451 An1
Ana120 Anabel4 Analisa1 Anamaria1 Anastacia3 Anastasia10 Andera1 Anderson.7 Andra5 Andre.76:2 Andrea.6:236 Andreas.4 Andree2 Andres.34
Andrew.537:2 Andria5 Andy.49 Anette2 Angel.82:35 Angela468 Angele2 Angelena2 Angeles2 Angelia17 Angelic2 Angelica39 Angelika2 Angelina37
Angeline17 Angelique9 Angelita9 Angella3 Angelo.39:2 Angelyn1 Angie54 Angila1 Angla1 Angle2 Anglea3 Anh4 Anibal.5 Anika3 Anisa1 Anisha1
Anissa5 Anita162 Anitra3 Anja1 Anjanette2 Anjelica1 Ann364 Anna440 Annabel3 Annabell2 Annabelle12 Annalee2 Annalisa2 Annamae2 Annamaria1
Annamarie5 Anne228 Anneliese3 Annelle1 Annemarie6 Annett2 Annetta6 Annette125 Annice2 Annie216 Annika1 Annis2 Annita1 Annmarie9
Anthony.721:3 Antione.4 Antionette8 Antoine.16 Antoinette48 Anton.13 Antone.5 Antonetta1 Antonette5 Antonia.4:35 Antonietta2 Antonina3
Antonio.190:2 Antony.8 Antwan.6 Anya2 Apolonia1 April154 Apryl2 Ara1 Araceli10 Aracelis2 Aracely4 Arcelia3 Archie.33 Ardath1 Ardelia1
Ardell2 Ardella2 Ardelle1 Arden.4 Ardis4 Ardith4 Aretha6 Argelia1 Argentina1 Ariana5 Ariane2 Arianna2 Arianne1 Arica1 Arie2 Ariel.7:7
Arielle3 Arla2 Arlean1 Arleen7 Arlen.4 Arlena2 Arlene94 Arletha1 Arletta2 Arlette3 Arlie.4 Arlinda1 Arline10 Arlyne1 Armand.12 Armanda2
Armandina1 Armando.58 Armida4 Arminda2 Arnetta2 Arnette1 Arnita2 Arnold.72 Arnoldo.4 Arnulfo.7 Aron.6 Arron.8 Art.9 Arthur.335:2 Artie4
Arturo.43 Arvilla2 Asa.4 Asha3 Ashanti1 Ashely3 Ashlea1 Ashlee13 Ashleigh8 Ashley.14:303 Ashli2 Ashlie3 Ashly3 Ashlyn2 Ashton4 Asia5
Asley1 Assunta2 Astrid4 Asuncion2 Athena7 Aubrey.19 Audie2 Audra15 Audrea2 Audrey127 Audria1 Audrie1 Audry3 August.15 Augusta10 Augustina2
Augustine.7 Augustus.5 Aundrea2 Aura5 Aurea3 Aurelia10 Aurelio.9 Aurora24 Aurore1 Austin.44 Autumn17 Ava14 Avelina2 Avery.11 Avis13 Avril1
Awilda3 Ayako1 Ayana2 Ayanna2 Ayesha3 Azalee1 Azucena2 Azzie1 Babara2 Babette2 Bailey3 Bambi4 Bao1 Barabara1 Barb6 Barbar2 Barbara980
Barbera2 Barbie3 Barbra15 Bari1 Barney.9 Barrett.5 Barrie1 Barry.134 Bart.14 Barton.6 Basil.10 Basilia1 Bea3 Beata1 Beatrice130 Beatris1
Beatriz18 Beau.9 Beaulah1 Bebe1 Becki1 Beckie2 Becky66 Bee1 Belen5 Belia2 Belinda59 Belkis1 Bell1 Bella6 Belle7 Belva6 Ben.78 Benedict.4
Benita13 Benito.15 Benjamin.270 Bennett.8 Bennie.32 Benny.30 Benton.4 Berenice3 Berna1 Bernadette39 Bernadine14 Bernard.127 Bernarda1
Bernardina1 Bernardine1 Bernardo.10 Berneice2 Bernetta2 Bernice128 Bernie.8 Berniece6 Bernita4 Berry.6 Bert.22 Berta10 Bertha143 Bertie9
Bertram.5 Beryl9 Bess7 Bessie96 Beth110 Bethanie1 Bethann2 Bethany39 Bethel2 Betsey2 Betsy34 Bette19 Bettie23 Bettina6 Betty666 Bettyann1
Bettye15 Beula1 Beulah48 Bev2 Beverlee2 Beverley8 Beverly267 Bianca15 Bibi1 Bill.112 Billi1 Billie.17 Billy.248 Billye2 Birdie7 Birgit2
Blaine.15 Blair.8 Blake.36 Blanca41 Blanch4 Blanche55 Blondell1 Blossom1 Blythe2 Bo.5 Bob.55 Bobbi16 Bobbie.10 Bobby.223 Bobbye3 Bobette1
Bok1 Bong1 Bonita26 Bonnie223 Bonny4 Booker.8 Boris.6 Boyce.4 Boyd.19 Brad.73 Bradford.21 Bradley.159 Bradly.5 Brady.14 Brain.13 Branda2
Brande1 Brandee3 Branden.8 Brandi55 Brandie8 Brandon.260 Brandy70 Brant.6 Breana1 Breann1 Breanna6 Breanne3 Bree3 Brenda455 Brendan.19
Brendon.5 Brenna5 Brent.90 Brenton.6 Bret.18 Brett.82 Brian.736 Briana10 Brianna14 Brianne7 Brice.5 Bridget45 Bridgett9 Bridgette15
Brigette4 Brigid2 Brigida2 Brigitte9 Brinda2 Britany2 Britney9 Britni2 Britt.4 Britta1 Brittaney1 Brittani4 Brittanie1 Brittany117
Britteny1 Brittney24 Brittni2 Brittny1 Brock.9 Broderick.4 Bronwyn2 Brook4 Brooke39 Brooks.7 Bruce.263 Bruna1 Brunilda2 Bruno.10 Bryan.190
Bryanna1 Bryant.26 Bryce.16 Brynn2 Bryon.12 Buck.4 Bud.5 Buddy.14 Buena1 Buffy3 Buford.8 Bula1 Bulah1 Bunny1 Burl.5 Burma1 Burt.6
Burton.14 Buster.4 Byron.52 Caitlin23 Caitlyn4 Calandra1 Caleb.23 Calista1 Callie16 Calvin.115 Camelia2 Camellia1 Cameron.37 Cami3 Camie1
Camila1 Camilla8 Camille28 Cammie2 Cammy1 Candace51 Candance3 Candelaria4 Candi5 Candice46 Candida6 Candie2 Candis3 Candra1 Candy22
Candyce2 Caprice2 Cara25 Caren7 Carey.13 Cari7 Caridad6 Carie2 Carin3 Carina4 Carisa2 Carissa9 Carita1 Carl.346 Carla107 Carlee1 Carleen4
Carlena1 Carlene12 Carletta2 Carley2 Carli1 Carlie2 Carline2 Carlita1 Carlo.9 Carlos.229 Carlota3 Carlotta4 Carlton.37 Carly10 Carlyn3
Carma3 Carman4 Carmel6 Carmela18 Carmelia1 Carmelina2 Carmelita6 Carmella12 Carmelo.9 Carmen.11 Carmina1 Carmine.7 Carmon2 Carol.6 Carola1
Carolann3 Carole71 Carolee4 Carolin1 Carolina21 Caroline85 Caroll1 Carolyn385 Carolyne2 Carolynn3 Caron3 Caroyln1 Carri3 Carrie171
Carrol.4 Carroll.26 Carry1 Carson.8 Carter.9 Cary.19 Caryl4 Carylon1 Caryn8 Casandra9 Casey.54 Casie2 Casimira1 Cassandra72 Cassaundra1
Cassey1 Cassi1 Cassidy3 Cassie23 Cassondra1 Cassy1 Catalina14 Catarina2 Caterina2 Catharine6 Catherin1 Catherina1 Catherine373 Cathern1
Catheryn1 Cathey2 Cathi3 Cathie4 Cathleen17 Cathrine6 Cathryn9 Cathy137 Catina4 Catrice1 Catrina7 Cayla1 Cecelia32 Cecil.78 Cecila2
Cecile19 Cecilia55 Cecille1 Cecily3 Cedric.29 Cedrick.4 Celena2 Celesta1 Celeste25 Celestina2 Celestine7 Celia44 Celina8 Celinda1 Celine2
Celsa1 Ceola1 Cesar.34 Chad.165 Chadwick.7 Chae1 Chan1 Chana3 Chance.7 Chanda4 Chandra14 Chanel5 Chanell1 Chanelle1 Chang.5 Chantal5
Chantay1 Chante2 Chantel7 Chantell2 Chantelle3 Chara1 Charis1 Charise2 Charissa3 Charisse4 Charita1 Charity18 Charla6 Charleen5 Charlena1
Charlene97 Charles.1523 Charlesetta1 Charlette3 Charley.9 Charlie.90 Charline5 Charlott1 Charlotte169 Charlsie1 Charlyn1 Charmain1
Charmaine11 Charolette3 Chas.4 Chase.16 Chasidy1 Chasity10 Chassidy1 Chastity5 Chau2 Chauncey.5 Chaya2 Chelsea38 Chelsey8 Chelsie4 Cher1
Chere1 Cheree1 Cherelle1 Cheri25 Cherie22 Cherilyn1 Cherise3 Cherish2 Cherly4 Cherlyn1 Cherri3 Cherrie3 Cherry9 Cherryl2 Chery1 Cheryl315
Cheryle4 Cheryll2 Chester.78 Chet.5 Cheyenne3 Chi.5 Chia1 Chieko1 Chin2 China1 Ching1 Chiquita5 Chloe7 Chong.4 Chris.197 Chrissy4
Christa23 Christal6 Christeen2 Christel3 Christen7 Christena2 Christene3 Christi17 Christia1 Christian.65 Christiana3 Christiane3
Christie34 Christin7 Christina275 Christine382 Christinia1 Christoper.6 Christopher.1035 Christy77 Chrystal11 Chu1 Chuck.16 Chun3 Chung.5
Ciara3 Cicely2 Ciera2 Cierra3 Cinda3 Cinderella1 Cindi7 Cindie1 Cindy192 Cinthia4 Cira1 Clair.8 Claire61 Clara153 Clare12 Clarence.197
Claretha1 Claretta1 Claribel3 Clarice18 Clarinda1 Clarine2 Claris1 Clarisa1 Clarissa14 Clarita2 Clark.26 Classie1 Claud.4 Claude.68
Claudette17 Claudia90 Claudie1 Claudine11 Claudio.6 Clay.21 Clayton.60 Clelia1 Clemencia1 Clement.10 Clemente.4 Clementina2 Clementine5
Clemmie2 Cleo.9 Cleopatra2 Cleora2 Cleotilde1 Cleta3 Cletus.5 Cleveland.16 Cliff.12 Clifford.123 Clifton.50 Clint.24 Clinton.65 Clora1
Clorinda1 Clotilde2 Clyde.95 Codi1 Cody.63 Colby.9 Cole.10 Coleen9 Coleman.6 Colene1 Coletta2 Colette11 Colin.31 Colleen92 Collen2
Collene1 Collette5 Collin.9 Colton.4 Columbus.5 Concepcion14 Conception1 Concetta9 Concha1 Conchita2 Connie.5 Conrad.22 Constance91
Consuela2 Consuelo22 Contessa1 Cora58 Coral4 Coralee1 Coralie1 Corazon3 Cordelia5 Cordell.4 Cordia1 Cordie2 Coreen2 Corene3 Coretta2
Corey.98 Cori6 Corie2 Corina10 Corine11 Corinna4 Corinne24 Corliss2 Cornelia15 Cornelius.21 Cornell.8 Corrie5 Corrin1 Corrina3 Corrine14
Corrinne1 Cortez.4 Cortney8 Cory.68 Courtney.19 Coy.10 Craig.206 Creola1 Cris1 Criselda2 Crissy2 Crista2 Cristal5 Cristen2 Cristi3
Cristie2 Cristin3 Cristina33 Cristine4 Cristobal.4 Cristopher.4 Cristy6 Cruz.9 Crysta1 Crystal207 Crystle1 Cuc1 Curt.15 Curtis.180 Cyndi3
Cyndy1 Cynthia469 Cyril.7 Cyrstal1 Cyrus.7 Cythia3 Dacia1 Dagmar2 Dagny1 Dahlia2 Daina1 Daine1 Daisey2 Daisy62 Dakota1 Dale.184 Dalene1
Dalia6 Dalila2 Dallas.24 Dalton.8 Damaris6 Damian.16 Damien.14 Damion.5 Damon.34 Dan.101 Dana.42 Danae2 Dane.12 Danelle5 Danette7 Dani3
Dania2 Danial.8 Danica3 Daniel.974 Daniela7 Daniele3 Daniell1 Daniella4 Danielle149 Danika2 Danille1 Danilo.4 Danita5 Dann1 Danna7
Dannette2 Dannie.5 Dannielle3 Danny.190 Dante.10 Danuta2 Danyel1 Danyell1 Danyelle3 Daphine2 Daphne19 Dara7 Darby2 Darcel1 Darcey1 Darci4
Darcie3 Darcy12 Darell.4 Daren.8 Daria4 Darin.20 Dario.5 Darius.13 Darla29 Darleen5 Darlena1 Darlene142 Darline3 Darnell.20 Daron.4
Darrel.22 Darrell.108 Darren.64 Darrick.5 Darrin.19 Darron.4 Darryl.67 Darwin.14 Daryl.50 Dave.53 David.2363 Davida3 Davina3 Davis.10
Dawn202 Dawna4 Dawne2 Dayle2 Dayna8 Daysi1 Deadra1 Dean.104 Deana16 Deandra2 Deandre.6 Deandrea1 Deane2 Deangelo.4 Deann8 Deanna76
Deanne11 Deb3 Debbi2 Debbie157 Debbra3 Debby7 Debera1 Debi5 Debora22 Deborah494 Debra408 Debrah5 Debroah2 Dede1 Dedra3 Dee.5 Deeann2
Deeanna1 Deedee1 Deedra1 Deena10 Deetta1 Deidra8 Deidre10 Deirdre10 Deja1 Del.4 Delaine1 Delana2 Delbert.31 Delcie1 Delena2 Delfina5
Delia29 Delicia2 Delila1 Delilah7 Delinda2 Delisa2 Dell2 Della43 Delma7 Delmar.9 Delmer.5 Delmy1 Delois6 Deloise1 Delora3 Deloras1
Delores95 Deloris25 Delorse1 Delpha2 Delphia3 Delphine7 Delsie1 Delta2 Demarcus.5 Demetra3 Demetria7 Demetrice2 Demetrius.17 Dena22 Denae1
Deneen3 Denese2 Denice8 Denis.14 Denise264 Denisha2 Denisse1 Denita2 Denna3 Dennis.415 Dennise2 Denny.10 Denver.9 Denyse1 Deon.6 Deonna1
Derek.112 Derick.11 Derrick.103 Deshawn.4 Desirae3 Desire2 Desiree35 Desmond.14 Despina1 Dessie8 Destiny7 Detra2 Devin.28 Devon.14 Devona2
Devora2 Devorah2 Dewayne.18 Dewey.23 Dewitt.6 Dexter.21 Dia1 Diamond2 Dian4 Diana216 Diane359 Diann9 Dianna36 Dianne69 Dick.9 Diedra2
Diedre2 Diego.11 Dierdre1 Digna2 Dillon.5 Dimple2 Dina22 Dinah7 Dino.6 Dinorah1 Dion.10 Dione2 Dionna2 Dionne9 Dirk.8 Divina1 Dixie28
Dodie1 Dollie11 Dolly16 Dolores129 Doloris2 Domenic.4 Domenica3 Dominga6 Domingo.19 Dominic.32 Dominica1 Dominick.19 Dominique.8 Dominque2
Domitila1 Domonique2 Don.145 Dona14 Donald.931 Donella1 Donetta2 Donette1 Dong.4 Donita4 Donn.6 Donna583 Donnell.10 Donnetta1 Donnette1
Donnie.41 Donny.9 Donovan.10 Donte.5 Donya2 Dora84 Dorathy2 Dorcas5 Doreatha1 Doreen35 Dorene5 Doretha8 Dorethea1 Doretta1 Dori4 Doria1
Dorian.6 Dorie2 Dorinda4 Dorine2 Doris335 Dorla1 Dorotha3 Dorothea21 Dorothy727 Dorris6 Dorsey.4 Dortha5 Dorthea3 Dorthey1 Dorthy25 Dot2
Dottie7 Dotty1 Doug.40 Douglas.367 Douglass.4 Dovie5 Doyle.22 Dreama2 Drema2 Drew.24 Drucilla2 Drusilla2 Duane.77 Dudley.9 Dulce5 Dulcie1
Duncan.7 Dung2 Dusti1 Dustin.103 Dusty.7 Dwain.5 Dwana1 Dwayne.59 Dwight.58 Dyan2 Dylan.16 Earl.193 Earle.6 Earlean2 Earleen2 Earlene12
Earlie1 Earline14 Earnest.31 Earnestine12 Eartha3 Easter5 Eboni3 Ebonie1 Ebony27 Echo2 Ed.32 Eda3 Edda2 Eddie.144 Eddy.10 Edelmira3 Eden3
Edgar.80 Edgardo.6 Edie4 Edison.4 Edith179 Edmond.19 Edmund.30 Edmundo.4 Edna197 Edra1 Edris1 Eduardo.47 Edward.779 Edwardo.8 Edwin.148
Edwina11 Edyth1 Edythe8 Effie24 Efrain.17 Efren.6 Ehtel1 Eileen105 Eilene1 Ela1 Eladia1 Elaina4 Elaine173 Elana3 Elane1 Elanor2 Elayne2
Elba8 Elbert.22 Elda8 Elden.4 Eldon.17 Eldora3 Eldridge.4 Eleanor150 Eleanora3 Eleanore7 Elease2 Elena37 Elene1 Eleni2 Elenor4 Elenora2
Elenore1 Eleonor1 Eleonora1 Eleonore1 Elfreda1 Elfrieda1 Elfriede3 Eli.16 Elia7 Eliana2 Elias.22 Elicia2 Elida7 Elidia1 Elijah.19 Elin1
Elina1 Elinor12 Elinore1 Elisa27 Elisabeth23 Elise19 Eliseo.6 Elisha.4 Elissa6 Eliz1 Eliza15 Elizabet1 Elizabeth937 Elizbeth2 Elizebeth4
Elke2 Ella101 Ellamae1 Ellan1 Ellen173 Ellena1 Elli1 Ellie6 Elliot.14 Elliott.14 Ellis.24 Ellsworth.4 Elly2 Ellyn2 Elma17 Elmer.74 Elmira3
Elmo.6 Elna3 Elnora14 Elodia2 Elois2 Eloisa7 Eloise32 Elouise6 Eloy.6 Elroy.4 Elsa28 Else2 Elsie110 Elsy1 Elton.16 Elva24 Elvera3 Elvia10
Elvie2 Elvin.13 Elvina2 Elvira29 Elvis.10 Elwanda1 Elwood.13 Elyse6 Elza1 Ema2 Emanuel.19 Emelda2 Emelia3 Emelina1 Emeline1 Emely1
Emerald1 Emerita1 Emerson.8 Emery.10 Emiko2 Emil.19 Emile.6 Emilee2 Emilia13 Emilie8 Emilio.19 Emily208 Emma165 Emmaline1 Emmanuel.18
Emmett.19 Emmie2 Emmitt.4 Emmy2 Emogene3 Emory.8 Ena4 Enda1 Enedina3 Eneida2 Enid9 Enoch.5 Enola2 Enrique.46 Enriqueta4 Epifania2 Era4
Erasmo.4 Eric.544 Erica130 Erich.7 Erick.23 Ericka14 Erik.68 Erika61 Erin.7 Erinn2 Erlene2 Erlinda6 Erline2 Erma41 Ermelinda2 Erminia2
Erna9 Ernest.215 Ernestina7 Ernestine38 Ernesto.37 Ernie.15 Errol.8 Ervin.23 Erwin.15 Eryn1 Esmeralda13 Esperanza21 Essie29 Esta2
Esteban.13 Estefana1 Estela14 Estell2 Estella24 Estelle36 Ester19 Esther166 Estrella3 Etha1 Ethan.17 Ethel174 Ethelene2 Ethelyn3 Ethyl2
Etsuko1 Etta24 Ettie1 Eufemia1 Eugena1 Eugene.230 Eugenia23 Eugenie3 Eugenio.7 Eula33 Eulah1 Eulalia5 Eun3 Euna1 Eunice54 Eura1 Eusebia1
Eusebio.4 Eustolia1 Eva159 Evalyn3 Evan.42 Evangelina9 Evangeline11 Eve13 Evelia3 Evelin2 Evelina2 Eveline2 Evelyn322 Evelyne2 Evelynn1
Everett.57 Everette.6 Evette6 Evia1 Evie4 Evita1 Evon3 Evonne4 Ewa1 Exie2 Ezekiel.4 Ezequiel.4 Ezra.7 Fabian.12 Fabiola5 Fae2 Fairy1
Faith28 Fallon3 Fannie50 Fanny9 Farah2 Farrah4 Fatima7 Fatimah1 Faustina2 Faustino.6 Fausto.4 Faviola1 Fawn4 Fay21 Faye58 Fe2 Federico.10
Felecia8 Felica3 Felice3 Felicia68 Felicidad1 Felicita6 Felicitas4 Felipa4 Felipe.32 Felisa3 Felisha4 Felix.58 Felton.4 Ferdinand.7
Fermin.5 Fermina1 Fern24 Fernanda2 Fernande1 Fernando.65 Ferne3 Fidel.12 Fidela1 Fidelia1 Filiberto.4 Filomena6 Fiona3 Flavia2 Fleta1
Fletcher.8 Flo2 Flor6 Flora49 Florance2 Florence200 Florencia2 Florencio.5 Florene3 Florentina2 Florentino.4 Floretta2 Floria1 Florida4
Florinda2 Florine9 Florrie1 Flossie14 Floy5 Floyd.107 Fonda3 Forest.7 Forrest.27 Foster.6 Fran11 France2 Francene1 Frances.5 Francesca9
Francesco.4 Franchesca1 Francie2 Francina2 Francine25 Francis.160 Francisca24 Francisco.124 Francoise2 Frank.581 Frankie.23 Franklin.77
Franklyn.4 Fransisca1 Fred.251 Freda34 Fredda1 Freddie.46 Freddy.16 Frederic.9 Frederica2 Frederick.154 Fredericka2 Fredia2 Fredric.5
Fredrick.43 Fredricka1 Freeda2 Freeman.7 Freida9 Frida1 Frieda17 Fritz.6 Fumiko2 Gabriel.73 Gabriela18 Gabriele2 Gabriella5 Gabrielle17
Gail.6 Gala1 Gale.8 Galen.9 Galina1 Garfield.5 Garland.17 Garnet4 Garnett2 Garret.4 Garrett.29 Garry.32 Garth.7 Gary.650 Gaston.4 Gavin.10
Gay12 Gaye5 Gayla8 Gayle.4 Gaylene2 Gaylord.4 Gaynell3 Gaynelle1 Gearldine2 Gema1 Gemma3 Gena10 Genaro.8 Gene.87 Genesis1 Geneva59
Genevie1 Genevieve51 Genevive1 Genia2 Genie2 Genna1 Gennie2 Genny1 Genoveva5 Geoffrey.32 Georgann1 George.927 Georgeann1 Georgeanna1
Georgene2 Georgetta3 Georgette11 Georgia91 Georgiana5 Georgiann1 Georgianna5 Georgianne1 Georgie4 Georgina15 Georgine2 Gerald.309
Geraldine141 Geraldo.5 Geralyn3 Gerard.40 Gerardo.32 Gerda4 Geri8 Germaine8 German.8 Gerri5 Gerry.11 Gertha2 Gertie5 Gertrud2 Gertrude103
Gertrudis1 Gertude1 Ghislaine1 Gia2 Gianna1 Gidget1 Gigi2 Gil.6 Gilbert.89 Gilberte1 Gilberto.24 Gilda9 Gillian6 Gilma1 Gina99 Ginette1
Ginger34 Ginny5 Gino.6 Giovanna3 Giovanni.7 Gisela6 Gisele3 Giselle4 Gita1 Giuseppe.5 Giuseppina1 Gladis3 Glady2 Gladys205 Glayds1 Glen.94
Glenda88 Glendora2 Glenn.167 Glenna18 Glennie2 Glennis2 Glinda2 Gloria335 Glory3 Glynda2 Glynis1 Golda3 Golden1 Goldie23 Gonzalo.11
Gordon.104 Grace189 Gracia2 Gracie18 Graciela19 Grady.21 Graham.12 Graig.4 Grant.36 Granville.4 Grayce1 Grazyna1 Greg.104 Gregg.29
Gregoria5 Gregorio.14 Gregory.441 Greta14 Gretchen32 Gretta3 Gricelda1 Grisel1 Griselda7 Grover.16 Guadalupe.26 Gudrun2 Guillermina7
Guillermo.31 Gus.11 Gussie8 Gustavo.25 Guy.60 Gwen31 Gwenda2 Gwendolyn74 Gwenn2 Gwyn2 Gwyneth1 Ha2 Hae2 Hai.4 Hailey4 Hal.13 Haley14
Halina2 Halley1 Hallie9 Han1 Hana2 Hang1 Hanh2 Hank.5 Hanna7 Hannah45 Hannelore2 Hans.15 Harlan.14 Harland.4 Harley.17 Harmony2 Harold.371
Harriet56 Harriett13 Harriette6 Harris.9 Harrison.14 Harry.251 Harvey.72 Hassan.5 Hassie1 Hattie56 Haydee6 Hayden.4 Hayley5 Haywood.4
Hazel161 Heath.17 Heather337 Hector.94 Hedwig3 Hedy2 Hee2 Heide2 Heidi88 Heidy1 Heike1 Helaine1 Helen663 Helena21 Helene24 Helga9 Hellen5
Henrietta31 Henriette2 Henry.365 Herb.4 Herbert.155 Heriberto.10 Herlinda5 Herma1 Herman.97 Hermelinda4 Hermila1 Hermina2 Hermine2
Herminia8 Herschel.7 Hershel.6 Herta1 Hertha1 Hester9 Hettie3 Hiedi1 Hien1 Hilaria2 Hilario.5 Hilary14 Hilda75 Hilde2 Hildegard5
Hildegarde2 Hildred2 Hillary13 Hilma2 Hilton.5 Hipolito.5 Hiram.10 Hiroko2 Hisako1 Hoa3 Hobert.4 Holley2 Holli4 Hollie9 Hollis.9 Holly117
Homer.40 Honey2 Hong.4 Hope34 Horace.36 Horacio.5 Hortencia7 Hortense4 Hortensia3 Hosea.4 Houston.8 Howard.230 Hoyt.4 Hsiu1 Hubert.39 Hue1
Huey.5 Hugh.60 Hugo.23 Hui3 Hulda3 Humberto.18 Hung.8 Hunter.9 Huong3 Hwa1 Hyacinth2 Hye2 Hyman.4 Hyo1 Hyon2 Hyun2 Ian.56 Ida118 Idalia3
Idell2 Idella5 Iesha2 Ignacia2 Ignacio.23 Ike.4 Ila14 Ilana2 Ilda2 Ileana4 Ileen1 Ilene11 Iliana3 Illa1 Ilona3 Ilse4 Iluminada2 Ima5
Imelda10 Imogene19 In3 Ina23 India6 Indira2 Inell2 Ines9 Inez53 Inga3 Inge4 Ingeborg3 Inger2 Ingrid23 Inocencia2 Iola7 Iona7 Ione6 Ira.35
Iraida1 Irena3 Irene252 Irina2 Iris55 Irish2 Irma79 Irmgard2 Irvin.20 Irving.26 Irwin.9 Isa2 Isaac.51 Isabel57 Isabell6 Isabella8
Isabelle19 Isadora1 Isaiah.11 Isaias.5 Isaura2 Isela3 Isiah.6 Isidra2 Isidro.9 Isis2 Ismael.24 Isobel1 Israel.28 Isreal.4 Issac.10 Iva23
Ivan.53 Ivana2 Ivelisse1 Ivette7 Ivey1 Ivonne5 Ivory.6 Ivy16 Izetta1 Izola1 Ja1 Jacalyn3 Jacelyn1 Jacinda1 Jacinta3 Jacinto.4 Jack.315
Jackeline3 Jackelyn1 Jacki2 Jackie.43 Jacklyn9 Jackqueline1 Jackson.12 Jaclyn18 Jacob.165 Jacqualine2 Jacque5 Jacquelin5 Jacqueline228
Jacquelyn41 Jacquelyne2 Jacquelynn2 Jacques.8 Jacquetta1 Jacqui1 Jacquie1 Jacquiline2 Jacquline7 Jacqulyn2 Jada4 Jade8 Jadwiga2 Jae.4
Jaime.55 Jaimee1 Jaimie4 Jake.25 Jaleesa2 Jalisa1 Jama1 Jamaal.6 Jamal.14 Jamar.6 Jame.8 Jamee1 Jamel.7 James.3318 Jamey.5 Jami14 Jamie.66
Jamika1 Jamila4 Jamison.5 Jammie3 Jan.19 Jana31 Janae3 Janay2 Jane250 Janean1 Janee1 Janeen4 Janel7 Janell9 Janella1 Janelle24 Janene3
Janessa2 Janet379 Janeth2 Janett2 Janetta2 Janette22 Janey3 Jani1 Janice285 Janie51 Janiece1 Janina4 Janine20 Janis34 Janise1 Janita2
Jann2 Janna10 Jannet1 Jannette5 Jannie9 January1 Janyce1 Jaqueline7 Jaquelyn1 Jared.71 Jarod.4 Jarred.6 Jarrett.7 Jarrod.14 Jarvis.10
Jasmin8 Jasmine38 Jason.660 Jasper.15 Jaunita3 Javier.65 Jay.118 Jaye1 Jayme6 Jaymie1 Jayna1 Jayne18 Jayson.10 Jazmin3 Jazmine2 Jc.4
Jean.35 Jeana5 Jeane4 Jeanelle1 Jeanene2 Jeanett1 Jeanetta4 Jeanette115 Jeanice1 Jeanie13 Jeanine17 Jeanmarie1 Jeanna7 Jeanne109
Jeannetta1 Jeannette46 Jeannie28 Jeannine16 Jed.5 Jeff.166 Jefferey.5 Jefferson.10 Jeffery.166 Jeffie1 Jeffrey.591 Jeffry.12 Jen2 Jena7
Jenae1 Jene1 Jenee1 Jenell2 Jenelle4 Jenette2 Jeneva1 Jeni2 Jenice2 Jenifer23 Jeniffer4 Jenine2 Jenise2 Jenna30 Jennefer2 Jennell1
Jennette4 Jenni4 Jennie73 Jennifer932 Jenniffer3 Jennine1 Jenny68 Jerald.19 Jeraldine3 Jeramy.4 Jere.4 Jeremiah.42 Jeremy.242 Jeri15
Jerica1 Jerilyn3 Jerlene1 Jermaine.28 Jerold.6 Jerome.108 Jeromy.4 Jerrell.4 Jerri12 Jerrica1 Jerrie4 Jerrod.6 Jerrold.5 Jerry.432
Jesenia2 Jesica5 Jess.18 Jesse.209 Jessenia2 Jessi2 Jessia1 Jessica490 Jessie.65 Jessika1 Jestine1 Jesus.155 Jesusa2 Jesusita1 Jetta1
Jettie3 Jewel.4 Jewell.4 Ji1 Jill142 Jillian21 Jim.118 Jimmie.58 Jimmy.191 Jin2 Jina2 Jinny1 Jo83 Joan.8 Joana3 Joane1 Joanie4 Joann136
Joanna55 Joanne150 Joannie1 Joaquin.14 Joaquina1 Jocelyn19 Jodee2 Jodi51 Jodie17 Jody.24 Joe.321 Joeann2 Joel.152 Joella2 Joelle5 Joellen4
Joesph.12 Joetta3 Joette1 Joey.43 Johana2 Johanna28 Johanne1 John.3271 Johna1 Johnathan.34 Johnathon.9 Johnetta3 Johnette1 Johnie.7
Johnna5 Johnnie.52 Johnny.195 Johnsie1 Johnson.4 Joi3 Joie1 Jolanda2 Joleen4 Jolene19 Jolie2 Joline1 Jolyn1 Jolynn3 Jon.115 Jona2 Jonah.5
Jonas.7 Jonathan.313 Jonathon.32 Jone1 Jonell2 Jonelle2 Jong1 Joni19 Jonie1 Jonna3 Jonnie4 Jordan.56 Jordon.4 Jorge.104 Jose.613 Josef.6
Josefa10 Josefina28 Josefine1 Joselyn2 Joseph.1404 Josephina4 Josephine177 Josette5 Josh.23 Joshua.435 Josiah.6 Josie24 Joslyn2 Jospeh.4
Josphine1 Josue.8 Jovan1 Jovita5 Joy91 Joya1 Joyce364 Joycelyn4 Joye2 Juan.316 Juana46 Juanita164 Jude.4 Judi8 Judie3 Judith297 Judson.6
Judy276 Jule1 Julee2 Julene1 Jules.6 Juli5 Julia223 Julian.52 Juliana11 Juliane2 Juliann3 Julianna5 Julianne12 Julie348 Julieann1
Julienne2 Juliet9 Julieta3 Julietta1 Juliette10 Julio.63 Julissa3 Julius.42 June125 Jung6 Junie1 Junior.16 Junita2 Junko1 Justa1
Justin.311 Justina8 Justine17 Jutta2 Ka1 Kacey3 Kaci3 Kacie3 Kacy2 Kai1 Kaila1 Kaitlin9 Kaitlyn8 Kala4 Kaleigh1 Kaley2 Kali2 Kallie1
Kalyn1 Kam2 Kamala1 Kami4 Kamilah1 Kandace3 Kandi3 Kandice3 Kandis1 Kandra1 Kandy3 Kanesha1 Kanisha1 Kara41 Karan3 Kareem.6 Kareen1
Karen667 Karena1 Karey2 Kari36 Karie3 Karima1 Karin24 Karina13 Karine2 Karisa1 Karissa4 Karl.69 Karla44 Karleen2 Karlene3 Karly1 Karlyn1
Karma2 Karmen2 Karol5 Karole1 Karoline1 Karolyn4 Karon5 Karren2 Karri3 Karrie7 Karry1 Kary1 Karyl2 Karyn9 Kasandra3 Kasey.4 Kasha1 Kasi1
Kasie2 Kassandra4 Kassie2 Kate29 Katelin1 Katelyn10 Katelynn1 Katerine1 Kathaleen2 Katharina2 Katharine17 Katharyn1 Kathe2 Katheleen1
Katherin2 Katherina1 Katherine313 Kathern2 Katheryn9 Kathey2 Kathi8 Kathie11 Kathleen424 Kathlene3 Kathline1 Kathlyn3 Kathrin1 Kathrine11
Kathryn234 Kathryne3 Kathy272 Kathyrn3 Kati2 Katia2 Katie113 Katina9 Katlyn2 Katrice2 Katrina61 Kattie2 Katy12 Kay71 Kayce1 Kaycee1 Kaye11
Kayla51 Kaylee3 Kayleen2 Kayleigh2 Kaylene2 Kazuko2 Kecia3 Keeley1 Keely4 Keena2 Keenan.5 Keesha2 Keiko3 Keila1 Keira1 Keisha19 Keith.308
Keitha1 Keli3 Kelle2 Kellee2 Kelley.4 Kelli46 Kellie29 Kelly.63 Kellye2 Kelsey24 Kelsi1 Kelsie3 Kelvin.34 Kemberly1 Ken.55 Kena2 Kenda1
Kendal1 Kendall.16 Kendra38 Kendrick.13 Keneth.4 Kenia1 Kenisha2 Kenna3 Kenneth.826 Kennith.7 Kenny.39 Kent.48 Kenton.5 Kenya11 Kenyatta3
Kenyetta2 Kera1 Keren1 Keri18 Kermit.13 Kerri24 Kerrie6 Kerry.36 Kerstin1 Kesha5 Keshia5 Keturah1 Keva1 Keven.5 Kevin.671 Khadijah1
Khalilah1 Kia5 Kiana2 Kiara3 Kiera2 Kiersten1 Kiesha2 Kieth.6 Kiley2 Kim.28 Kimber2 Kimberely3 Kimberlee8 Kimberley21 Kimberli2 Kimberlie2
Kimberly504 Kimbery2 Kimbra1 Kimi1 Kimiko2 Kina1 Kindra2 King.4 Kip.5 Kira6 Kirby.9 Kirk.49 Kirsten18 Kirstie1 Kirstin3 Kisha6 Kit1
Kittie1 Kitty8 Kiyoko1 Kizzie1 Kizzy3 Klara1 Korey.4 Kori4 Kortney1 Kory.5 Kourtney2 Kraig.4 Kris.11 Krishna1 Krissy1 Krista40 Kristal6
Kristan3 Kristeen1 Kristel2 Kristen111 Kristi55 Kristian3 Kristie27 Kristin99 Kristina65 Kristine51 Kristle1 Kristofer.4 Kristopher.25
Kristy48 Kristyn3 Krysta2 Krystal37 Krysten1 Krystin1 Krystina1 Krystle7 Krystyna3 Kum3 Kurt.62 Kurtis.9 Kyla5 Kyle.160 Kylee3 Kylie6 Kym2
Kymberly2 Kyoko1 Kyong4 Kyra4 Kyung4 Lacey18 Lachelle1 Laci3 Lacie4 Lacresha1 Lacy.4 Ladawn1 Ladonna16 Lady2 Lael1 Lahoma1 Lai3 Laila2
Laine1 Lajuana1 Lakeesha1 Lakeisha10 Lakendra1 Lakenya1 Lakesha8 Lakeshia4 Lakia1 Lakiesha1 Lakisha11 Lakita1 Lala1 Lamar.21 Lamonica1
Lamont.17 Lan5 Lana29 Lance.63 Landon.8 Lane.9 Lanell2 Lanelle1 Lanette3 Lang1 Lani3 Lanie1 Lanita3 Lannie1 Lanny.6 Lanora1 Laquanda1
Laquita5 Lara16 Larae2 Laraine2 Laree1 Larhonda2 Larisa2 Larissa6 Larita1 Laronda2 Larraine1 Larry.598 Larue3 Lasandra2 Lashanda4
Lashandra1 Lashaun1 Lashaunda1 Lashawn7 Lashawna1 Lashawnda1 Lashay1 Lashell1 Lashon1 Lashonda8 Lashunda2 Lasonya1 Latanya8 Latarsha1
Latasha26 Latashia2 Latesha2 Latia2 Laticia2 Latina1 Latisha15 Latonia5 Latonya22 Latoria2 Latosha4 Latoya43 Latoyia1 Latrice7 Latricia5
Latrina2 Latrisha1 Launa2 Laura510 Lauralee1 Lauran1 Laure2 Laureen4 Laurel24 Lauren.4 Laurena1 Laurence.24 Laurene3 Lauretta6 Laurette4
Lauri9 Laurice2 Laurie114 Laurinda1 Laurine2 Lauryn1 Lavada3 Lavelle1 Lavenia1 Lavera2 Lavern.6 Laverna2 Laverne.8 Laveta1 Lavette1
Lavina4 Lavinia3 Lavon4 Lavona1 Lavonda3 Lavone1 Lavonia2 Lavonna1 Lavonne11 Lawana2 Lawanda11 Lawanna2 Lawerence.5 Lawrence.282 Layla2
Layne1 Lazaro.7 Le2 Lea17 Leah72 Lean1 Leana2 Leandra3 Leandro.4 Leann15 Leanna9 Leanne16 Leanora1 Leatha3 Leatrice4 Lecia1 Leda3 Lee.162
Leeann8 Leeanna2 Leeanne2 Leena1 Leesa3 Leia1 Leida1 Leif.4 Leigh.4 Leigha1 Leighann2 Leila15 Leilani5 Leisa4 Leisha1 Lekisha1 Lela28
Lelah1 Leland.27 Lelia9 Lemuel.6 Len.4 Lena77 Lenard.5 Lenita1 Lenna2 Lennie3 Lenny.5 Lenora24 Lenore14 Leo.106 Leola19 Leoma1 Leon.112
Leona69 Leonard.186 Leonarda2 Leonardo.15 Leone5 Leonel.8 Leonia1 Leonida1 Leonie2 Leonila2 Leonor10 Leonora5 Leonore2 Leontine1
Leopoldo.6 Leora7 Leota6 Lera2 Leroy.125 Les.6 Lesa8 Lesha1 Lesia2 Leslee3 Lesley.4 Lesli3 Leslie.81 Lessie10 Lester.91 Leta8 Letha14
Leticia40 Letisha1 Letitia8 Lettie6 Letty2 Levi.25 Lewis.99 Lexie2 Lezlie2 Li3 Lia5 Liana3 Liane3 Lianne1 Libbie1 Libby8 Liberty2 Librada2
Lida4 Lidia14 Lien2 Lieselotte1 Ligia2 Lila29 Lili2 Lilia12 Lilian11 Liliana10 Lilla2 Lilli1 Lillia1 Lilliam1 Lillian211 Lilliana1
Lillie90 Lilly14 Lily17 Lin3 Lina11 Lincoln.8 Linda1035 Lindsay.4 Lindsey.7 Lindsy1 Lindy5 Linette3 Ling2 Linh3 Linn1 Linnea4 Linnie4
Lino.4 Linsey3 Linwood.9 Lionel.24 Lisa704 Lisabeth1 Lisandra1 Lisbeth2 Lise4 Lisette4 Lisha2 Lissa3 Lissette4 Lita3 Livia2 Liz9 Liza12
Lizabeth4 Lizbeth4 Lizeth1 Lizette5 Lizzette1 Lizzie18 Lloyd.112 Loan2 Logan.17 Loida2 Lois220 Loise1 Lola48 Lolita9 Loma2 Lon.7 Lona7
Londa1 Long.4 Loni2 Lonna2 Lonnie.64 Lonny.4 Lora36 Loraine13 Loralee1 Lore2 Lorean1 Loree2 Loreen3 Lorelei3 Loren.32 Lorena29 Lorene28
Lorenza4 Lorenzo.36 Loreta1 Loretta115 Lorette1 Lori248 Loria1 Loriann2 Lorie16 Lorilee1 Lorina1 Lorinda3 Lorine5 Loris1 Lorita1 Lorna22
Lorraine135 Lorretta3 Lorri6 Lorriane1 Lorrie12 Lorrine1 Lory2 Lottie24 Lou.5 Louann5 Louanne2 Louella8 Louetta1 Louie.18 Louis.243
Louisa12 Louise229 Loura1 Lourdes24 Lourie1 Louvenia2 Love1 Lovella2 Lovetta1 Lovie4 Lowell.29 Loyce2 Loyd.11 Lu3 Luana3 Luann11 Luanna1
Luanne5 Luba1 Lucas.31 Luci1 Lucia28 Luciana3 Luciano.7 Lucie4 Lucien.7 Lucienne3 Lucila5 Lucile16 Lucilla1 Lucille153 Lucina2 Lucinda25
Lucio.6 Lucius.4 Lucrecia2 Lucretia7 Lucy103 Ludie2 Ludivina1 Lue3 Luella17 Luetta1 Luigi.4 Luis.189 Luisa16 Luise2 Luke.40 Lula48 Lulu4
Luna2 Lupe.5 Lupita3 Lura6 Lurlene1 Lurline2 Luther.43 Luvenia2 Luz49 Lyda3 Lydia86 Lyla3 Lyle.38 Lyman.6 Lyn6 Lynda53 Lyndia1 Lyndon.5
Lyndsay3 Lyndsey4 Lynell2 Lynelle2 Lynetta1 Lynette33 Lynn.38 Lynna1 Lynne43 Lynnette10 Lynsey2 Lynwood.4 Ma8 Mabel78 Mabelle1 Mable38
Mac.5 Machelle3 Macie2 Mack.25 Mackenzie4 Macy2 Madalene1 Madaline2 Madalyn2 Maddie1 Madelaine1 Madeleine9 Madelene1 Madeline52 Madelyn10
Madge11 Madie2 Madison3 Madlyn2 Madonna6 Mae63 Maegan3 Mafalda1 Magali1 Magaly2 Magan2 Magaret2 Magda5 Magdalen2 Magdalena15 Magdalene4
Magen2 Maggie51 Magnolia4 Mahalia1 Mai9 Maia2 Maida2 Maile1 Maira3 Maire1 Maisha1 Maisie1 Major.7 Majorie5 Makeda1 Malcolm.34 Malcom.4
Malena1 Malia3 Malik.4 Malika2 Malinda13 Malisa2 Malissa7 Malka1 Mallie1 Mallory12 Malorie1 Malvina1 Mamie48 Mammie2 Man.4 Mana2 Manda2
Mandi6 Mandie1 Mandy29 Manie1 Manual.4 Manuel.181 Manuela16 Many1 Mao1 Maple2 Mara9 Maragaret1 Maragret1 Maranda4 Marc.87 Marcel.12
Marcela6 Marcelene1 Marcelina4 Marceline2 Marcelino.9 Marcell1 Marcella37 Marcelle5 Marcellus.4 Marcelo.5 Marcene1 Marchelle1 Marci10
Marcia90 Marcie12 Marco.33 Marcos.25 Marcus.124 Marcy16 Mardell1 Maren2 Marg1 Margaret768 Margareta2 Margarete3 Margarett2 Margaretta2
Margarette4 Margarita59 Margarite2 Margarito.6 Margart2 Marge6 Margene1 Margeret2 Margert1 Margery11 Marget2 Margherita1 Margie72 Margit2
Margo16 Margorie2 Margot8 Margret17 Margrett1 Marguerita2 Marguerite56 Margurite2 Margy1 Marhta1 Mari11 Maria.5 Mariah5 Mariam5 Marian86
Mariana9 Marianela1 Mariann4 Marianna7 Marianne42 Mariano.8 Maribel20 Maribeth3 Marica1 Maricela11 Maricruz1 Marie379 Mariel2 Mariela3
Mariella1 Marielle1 Marietta10 Mariette1 Mariko1 Marilee4 Marilou3 Marilu2 Marilyn241 Marilynn7 Marin1 Marina27 Marinda1 Marine1 Mario.125
Marion.48 Maris1 Marisa18 Marisela7 Marisha1 Marisol18 Marissa24 Marita4 Maritza16 Marivel1 Marjorie173 Marjory6 Mark.938 Marketta1
Markita2 Markus.5 Marla26 Marlana2 Marleen2 Marlen2 Marlena5 Marlene88 Marlin.12 Marline1 Marlo3 Marlon.19 Marlyn5 Marlys5 Marna2 Marni2
Marnie4 Marquerite4 Marquetta2 Marquis.6 Marquita9 Marquitta1 Marry3 Marsha78 Marshall.49 Marta28 Marth1 Martha412 Marti4 Martin.216
Martina16 Martine3 Marty.24 Marva10 Marvel4 Marvella1 Marvin.171 Marvis1 Marx1 Mary.9 Marya2 Maryalice2 Maryam2 Maryann50 Maryanna1
Maryanne11 Marybelle1 Marybeth7 Maryellen9 Maryetta1 Maryjane7 Maryjo3 Maryland1 Marylee3 Marylin4 Maryln1 Marylou13 Marylouise1 Marylyn3
Marylynn1 Maryrose1 Masako2 Mason.12 Matha1 Mathew.64 Mathilda3 Mathilde2 Matilda15 Matilde6 Matt.38 Matthew.657 Mattie81 Maud5 Maude23
Maudie7 Maura9 Maureen92 Maurice.97 Mauricio.10 Maurine7 Maurita1 Mauro.5 Mavis16 Max.59 Maxie4 Maxima1 Maximina1 Maximo.5 Maxine79
Maxwell.10 May29 Maya6 Maybell2 Maybelle4 Maye2 Mayme6 Maynard.10 Mayola1 Mayra18 Mazie3 Mckenzie2 Mckinley.5 Meagan15 Meaghan4 Mechelle3
Meda1 Mee3 Meg3 Megan147 Meggan2 Meghan32 Meghann2 Mei5 Mel.5 Melaine2 Melani1 Melania1 Melanie116 Melany2 Melba27 Melda1 Melia1 Melida1
Melina4 Melinda94 Melisa13 Melissa462 Melissia2 Melita1 Mellie2 Mellisa8 Mellissa6 Melodee1 Melodi1 Melodie6 Melody50 Melonie3 Melony4
Melva11 Melvin.162 Melvina5 Melynda2 Mendy1 Mercedes33 Mercedez1 Mercy3 Meredith33 Meri2 Merideth1 Meridith2 Merilyn2 Merissa1 Merle.21
Merlene2 Merlin.9 Merlyn1 Merna2 Merri2 Merrie1 Merrilee1 Merrill.9 Merry7 Mertie1 Mervin.7 Meryl3 Meta4 Mi5 Mia14 Mica1 Micaela5 Micah.17
Micha1 Michael.2629 Michaela8 Michaele1 Michal.4 Michale.4 Micheal.123 Michel.12 Michele145 Michelina1 Micheline2 Michell8 Michelle519
Michiko2 Mickey.16 Micki2 Mickie3 Miesha1 Migdalia7 Mignon1 Miguel.122 Miguelina2 Mika2 Mikaela1 Mike.189 Mikel.5 Miki1 Mikki2 Mila2
Milagro2 Milagros13 Milan.4 Milda1 Mildred313 Miles.17 Milford.6 Milissa3 Millard.11 Millicent9 Millie17 Milly1 Milo.5 Milton.80 Mimi5
Min2 Mina8 Minda1 Mindi3 Mindy29 Minerva14 Ming1 Minh.5 Minna2 Minnie89 Minta1 Miquel.4 Mira3 Miranda28 Mireille2 Mirella1 Mireya4
Miriam66 Mirian4 Mirna6 Mirta3 Mirtha2 Misha1 Miss1 Missy6 Misti5 Mistie1 Misty63 Mitch.6 Mitchel.7 Mitchell.72 Mitsue1 Mitsuko1 Mittie4
Mitzi11 Mitzie1 Miyoko1 Modesta3 Modesto.4 Mohamed.5 Mohammad.8 Mohammed.7 Moira3 Moises.13 Mollie20 Molly55 Mona35 Monet1 Monica166
Monika8 Monique51 Monnie1 Monroe.8 Monserrate2 Monte.15 Monty.12 Moon1 Mora1 Morgan.18 Moriah1 Morris.51 Morton.7 Mose.4 Moses.20 Moshe.5
Mozell3 Mozella2 Mozelle5 Mui2 Muoi1 Muriel38 Murray.15 My3 Myesha1 Myles.7 Myong3 Myra40 Myriam4 Myrl1 Myrle2 Myrna26 Myron.30 Myrta1
Myrtice3 Myrtie2 Myrtis5 Myrtle78 Myung2 Na1 Nada3 Nadene1 Nadia11 Nadine36 Naida1 Nakesha1 Nakia5 Nakisha3 Nakita2 Nam1 Nan8 Nana2
Nancee1 Nancey1 Nanci4 Nancie2 Nancy669 Nanette11 Nannette4 Nannie13 Naoma2 Naomi71 Napoleon.6 Narcisa2 Natacha1 Natalia10 Natalie98
Natalya1 Natasha57 Natashia1 Nathalie5 Nathan.185 Nathanael.4 Nathanial.4 Nathaniel.81 Natisha1 Natividad4 Natosha2 Neal.37 Necole1 Ned.12
Neda1 Nedra5 Neely1 Neida1 Neil.66 Nelda14 Nelia2 Nelida3 Nell21 Nella3 Nelle3 Nellie89 Nelly8 Nelson.61 Nena4 Nenita1 Neoma2 Neomi1
Nereida5 Nerissa2 Nery1 Nestor.9 Neta2 Nettie27 Neva13 Nevada1 Neville.4 Newton.5 Nga2 Ngan1 Ngoc2 Nguyet1 Nia3 Nichelle3 Nichol3
Nicholas.275 Nichole38 Nicholle1 Nick.43 Nicki5 Nickie2 Nickolas.10 Nickole2 Nicky.4 Nicol2 Nicola4 Nicolas.24 Nicolasa3 Nicole281
Nicolette3 Nicolle2 Nida1 Nidia3 Niesha1 Nieves2 Nigel.6 Niki5 Nikia2 Nikita5 Nikki24 Nikole2 Nila4 Nilda7 Nilsa3 Nina72 Ninfa3 Nisha1
Nita12 Noah.22 Noble.5 Nobuko1 Noe.11 Noel.30 Noelia3 Noella2 Noelle8 Noemi12 Nohemi1 Nola14 Nolan.13 Noma2 Nona11 Nora73 Norah2
Norbert.13 Norberto.6 Noreen13 Norene3 Noriko1 Norine3 Norma218 Norman.177 Normand.6 Norris.11 Nova4 Novella4 Nu1 Nubia1 Numbers.8 Nydia4
Nyla2 Obdulia2 Ocie3 Octavia8 Octavio.8 Oda1 Odelia1 Odell.10 Odessa13 Odette3 Odilia2 Odis.5 Ofelia15 Ok4 Ola20 Olen.5 Olene1 Oleta5
Olevia1 Olga70 Olimpia1 Olin.6 Olinda1 Oliva3 Olive30 Oliver.40 Olivia49 Ollie.10 Olympia2 Oma7 Omar.36 Omega2 Omer.5 Ona5 Oneida2 Onie1
Onita1 Opal50 Ophelia11 Ora27 Oralee1 Oralia6 Oren.5 Oretha1 Orlando.37 Orpha4 Orval.5 Orville.24 Oscar.122 Ossie2 Osvaldo.6 Oswaldo.4
Otelia1 Otha.4 Otilia3 Otis.41 Otto.18 Ouida3 Owen.26 Ozell1 Ozella2 Ozie1 Pa1 Pablo.36 Page3 Paige19 Palma3 Palmer.4 Palmira1 Pam46
Pamala8 Pamela416 Pamelia2 Pamella2 Pamila1 Pamula1 Pandora2 Pansy8 Paola3 Paris.4 Parker.6 Parthenia1 Particia2 Pasquale.8 Pasty1 Pat.22
Patience2 Patria1 Patrica21 Patrice26 Patricia.4 Patrick.389 Patrina2 Patsy76 Patti29 Pattie7 Patty43 Paul.948 Paula217 Paulene1 Pauletta2
Paulette36 Paulina6 Pauline165 Paulita1 Paz1 Pearl94 Pearle2 Pearlene2 Pearlie13 Pearline6 Pearly1 Pedro.103 Peg1 Peggie4 Peggy208 Pei1
Penelope13 Penney2 Penni2 Pennie4 Penny71 Percy.21 Perla5 Perry.49 Pete.32 Peter.381 Petra19 Petrina2 Petronila1 Phebe1 Phil.21 Philip.197
Phillip.213 Phillis6 Philomena5 Phoebe9 Phung1 Phuong4 Phylicia1 Phylis4 Phyliss4 Phyllis219 Pia2 Piedad2 Pierre.16 Pilar6 Ping1 Pinkie3
Piper2 Pok1 Polly22 Porfirio.5 Porsche1 Porsha2 Porter.4 Portia7 Precious5 Preston.34 Pricilla6 Prince.5 Princess5 Priscila1 Priscilla71
Providencia1 Prudence4 Pura1 Qiana2 Queen9 Queenie2 Quentin.15 Quiana2 Quincy.10 Quinn.5 Quintin.5 Quinton.13 Quyen1 Rachael38 Rachal1
Racheal7 Rachel242 Rachele2 Rachell2 Rachelle19 Racquel3 Rae14 Raeann2 Raelene1 Rafael.81 Rafaela6 Raguel1 Raina2 Raisa1 Raleigh.5
Ralph.282 Ramiro.22 Ramon.90 Ramona62 Ramonita2 Rana2 Ranae2 Randa3 Randal.20 Randall.138 Randee2 Randell.7 Randi15 Randolph.32 Randy.232
Ranee1 Raphael.12 Raquel31 Rashad.4 Rasheeda2 Rashida3 Raul.79 Raven5 Ray.153 Raye2 Rayford.4 Raylene2 Raymon.4 Raymond.488 Raymonde1
Raymundo.8 Rayna2 Rea1 Reagan1 Reanna1 Reatha2 Reba24 Rebbeca2 Rebbecca2 Rebeca7 Rebecca430 Rebecka1 Rebekah25 Reda2 Reed.10 Reena1
Refugia1 Refugio.6 Regan3 Regena2 Regenia2 Reggie.12 Regina133 Reginald.84 Regine1 Reginia1 Reid.7 Reiko2 Reina6 Reinaldo.6 Reita1 Rema1
Remedios2 Remona1 Rena27 Renae8 Renaldo.4 Renata5 Renate5 Renato.4 Renay1 Renda1 Rene.48 Renea3 Renee120 Renetta2 Renita6 Renna1 Ressie1
Reta6 Retha7 Retta2 Reuben.15 Reva10 Rex.37 Rey.4 Reyes.5 Reyna9 Reynalda1 Reynaldo.18 Rhea9 Rheba1 Rhett.4 Rhiannon4 Rhoda14 Rhona1
Rhonda162 Ria1 Ricarda1 Ricardo.93 Rich.7 Richard.1703 Richelle5 Richie.5 Rick.91 Rickey.35 Ricki1 Rickie.11 Ricky.141 Rico.6 Rigoberto.11
Rikki2 Riley.10 Rima1 Rina3 Risa2 Rita204 Riva1 Rivka1 Rob.13 Robbi1 Robbie.16 Robbin7 Robby.8 Robbyn1 Robena1 Robert.3143 Roberta117
Roberto.97 Robin.32 Robt.5 Robyn39 Rocco.11 Rochel1 Rochell2 Rochelle32 Rocio8 Rocky.16 Rod.13 Roderick.36 Rodger.17 Rodney.180 Rodolfo.30
Rodrick.6 Rodrigo.11 Rogelio.22 Roger.322 Roland.72 Rolanda3 Rolande1 Rolando.21 Rolf.4 Rolland.5 Roma5 Romaine2 Roman.20 Romana3 Romelia2
Romeo.10 Romona5 Ron.72 Rona4 Ronald.725 Ronda26 Roni2 Ronna3 Ronni2 Ronnie.113 Ronny.7 Roosevelt.28 Rory.12 Rosa194 Rosalba5 Rosalee7
Rosalia8 Rosalie39 Rosalina5 Rosalind18 Rosalinda12 Rosaline3 Rosalva3 Rosalyn14 Rosamaria1 Rosamond2 Rosana2 Rosann2 Rosanna9 Rosanne10
Rosaria3 Rosario.5 Rosaura3 Roscoe.13 Rose296 Roseann10 Roseanna4 Roseanne6 Roselee1 Roselia1 Roseline1 Rosella10 Roselle1 Roselyn5
Rosemarie35 Rosemary107 Rosena1 Rosenda1 Rosendo.6 Rosetta22 Rosette1 Rosia2 Rosie55 Rosina4 Rosio1 Rosita7 Roslyn11 Ross.50 Rossana1
Rossie1 Rosy1 Rowena9 Roxana6 Roxane4 Roxann5 Roxanna6 Roxanne40 Roxie11 Roxy1 Roy.273 Royal.6 Royce.16 Rozanne1 Rozella2 Ruben.82 Rubi1
Rubie2 Rubin.6 Ruby221 Rubye4 Rudolf.4 Rudolph.34 Rudy.34 Rueben.4 Rufina3 Rufus.25 Rupert.5 Russ.7 Russel.15 Russell.224 Rusty.12 Ruth562
Rutha1 Ruthann4 Ruthanne1 Ruthe1 Ruthie14 Ryan.328 Ryann1 Sabina5 Sabine3 Sabra3 Sabrina57 Sacha1 Sachiko2 Sade3 Sadie39 Sadye1 Sage1
Sal.5 Salena2 Salina4 Salley1 Sallie24 Sally135 Salome2 Salvador.49 Salvatore.29 Sam.92 Samantha124 Samara2 Samatha6 Samella1 Samira2
Sammie.12 Sammy.25 Samual.4 Samuel.306 Sana1 Sanda1 Sandee1 Sandi6 Sandie1 Sandra629 Sandy.7 Sanford.9 Sang.6 Sanjuana4 Sanjuanita4
Sanora2 Santa6 Santana2 Santiago.22 Santina2 Santo.4 Santos.19 Sara229 Sarah508 Sarai1 Saran1 Sari2 Sarina2 Sarita3 Sasha10 Saturnina1
Sau1 Saul.20 Saundra13 Savanna2 Savannah10 Scarlet2 Scarlett4 Scot.10 Scott.546 Scottie.7 Scotty.13 Sean.197 Season1 Sebastian.10 Sebrina2
See1 Seema1 Selena12 Selene2 Selina8 Selma16 Sena1 Senaida1 September1 Serafina1 Serena13 Sergio.49 Serina2 Serita1 Seth.48 Setsuko1
Seymour.7 Sha2 Shad.4 Shae1 Shaina4 Shakia1 Shakira2 Shakita1 Shala1 Shalanda1 Shalon1 Shalonda4 Shameka4 Shamika4 Shan1 Shana18 Shanae1
Shanda6 Shandi1 Shandra3 Shane.93 Shaneka2 Shanel1 Shanell3 Shanelle2 Shani3 Shanice2 Shanika3 Shaniqua1 Shanita3 Shanna21 Shannan3
Shannon.40 Shanon5 Shanta4 Shantae1 Shantay1 Shante4 Shantel5 Shantell3 Shantelle1 Shanti1 Shaquana1 Shaquita1 Shara4 Sharan1 Sharda1
Sharee3 Sharell1 Sharen3 Shari28 Sharice1 Sharie1 Sharika1 Sharilyn1 Sharita2 Sharla4 Sharleen2 Sharlene8 Sharmaine1 Sharolyn1 Sharon522
Sharonda5 Sharri1 Sharron14 Sharyl2 Sharyn5 Shasta3 Shaun.39 Shauna17 Shaunda1 Shaunna2 Shaunta1 Shaunte1 Shavon2 Shavonda1 Shavonne2
Shawana2 Shawanda3 Shawanna1 Shawn.200 Shawna27 Shawnda2 Shawnee2 Shawnna2 Shawnta1 Shay3 Shayla6 Shayna4 Shayne.4 Shea2 Sheba1 Sheena17
Sheila175 Sheilah2 Shela2 Shelba2 Shelby.11 Sheldon.23 Shelia43 Shella1 Shelley49 Shelli5 Shellie7 Shelly62 Shelton.8 Shemeka1 Shemika2
Shena3 Shenika1 Shenita2 Shenna1 Shera1 Sheree10 Sherell1 Sheri42 Sherice1 Sheridan1 Sherie4 Sherika1 Sherill1 Sherilyn3 Sherise1 Sherita4
Sherlene1 Sherley2 Sherly2 Sherlyn2 Sherman.28 Sheron3 Sherrell2 Sherri62 Sherrie26 Sherril1 Sherrill4 Sherron3 Sherry178 Sherryl3
Sherwood.4 Shery2 Sheryl59 Sheryll1 Shiela7 Shila1 Shiloh1 Shin1 Shira2 Shirely1 Shirl1 Shirlee3 Shirleen2 Shirlene4 Shirley.5 Shirly3
Shizue1 Shizuko1 Shon.4 Shona2 Shonda7 Shondra1 Shonna2 Shonta1 Shoshana2 Shu2 Shyla1 Sibyl3 Sid.4 Sidney.52 Sierra8 Signe2 Sigrid3
Silas.9 Silva2 Silvana2 Silvia29 Sima1 Simon.26 Simona3 Simone15 Simonne1 Sina1 Sindy2 Siobhan3 Sirena1 Siu1 Sixta1 Skye2 Slyvia2 So2
Socorro16 Sofia13 Soila1 Sol.5 Solange2 Soledad7 Solomon.13 Somer1 Sommer2 Son.12 Sona1 Sondra18 Song2 Sonia68 Sonja29 Sonny.8 Sonya51
Soo2 Sook2 Soon4 Sophia32 Sophie29 Soraya2 Sparkle1 Spencer.30 Spring2 Stacee1 Stacey.11 Staci17 Stacia5 Stacie25 Stacy.17 Stan.15
Stanford.5 Stanley.186 Stanton.4 Star3 Starla4 Starr4 Stasia1 Stefan.9 Stefani3 Stefania2 Stefanie21 Stefany1 Steffanie2 Stella85
Stepanie1 Stephaine3 Stephan.18 Stephane2 Stephani3 Stephania1 Stephanie400 Stephany5 Stephen.540 Stephenie5 Stephine3 Stephnie1
Sterling.16 Steve.246 Steven.780 Stevie.7 Stewart.22 Stormy3 Stuart.44 Su3 Suanne1 Sudie2 Sue111 Sueann2 Suellen2 Suk2 Sulema1 Sumiko1
Summer17 Sun7 Sunday1 Sung.5 Sunni1 Sunny5 Sunshine3 Susan794 Susana19 Susann3 Susanna10 Susannah4 Susanne20 Susie49 Susy1 Suzan6 Suzann2
Suzanna5 Suzanne145 Suzette11 Suzi1 Suzie3 Suzy3 Svetlana1 Sybil16 Syble3 Sydney.7 Sylvester.28 Sylvia177 Sylvie1 Synthia2 Syreeta2 Ta1
Tabatha13 Tabetha2 Tabitha27 Tad.5 Tai1 Taina1 Taisha1 Tajuana1 Takako1 Takisha2 Talia3 Talisha2 Talitha2 Tam2 Tama1 Tamala2 Tamar3
Tamara92 Tamatha3 Tambra1 Tameika2 Tameka13 Tamekia2 Tamela6 Tamera9 Tamesha2 Tami27 Tamica2 Tamie3 Tamika22 Tamiko3 Tamisha1 Tammara2
Tammera1 Tammi11 Tammie26 Tammy259 Tamra9 Tana6 Tandra1 Tandy1 Taneka1 Tanesha3 Tangela3 Tania13 Tanika3 Tanisha12 Tanja2 Tanna2 Tanner.6
Tanya89 Tara107 Tarah2 Taren1 Tari1 Tarra1 Tarsha3 Taryn7 Tasha30 Tashia2 Tashina1 Tasia1 Tatiana5 Tatum1 Tatyana1 Taunya1 Tawana7
Tawanda4 Tawanna3 Tawna1 Tawny2 Tawnya4 Taylor.24 Tayna1 Ted.64 Teddy.18 Teena4 Tegan1 Teisha1 Telma1 Temeka2 Temika1 Tempie1 Temple1
Tena5 Tenesha1 Tenisha3 Tennie2 Tennille2 Teodora3 Teodoro.5 Teofila1 Tequila2 Tera7 Tereasa2 Terence.22 Teresa336 Terese4 Teresia1
Teresita7 Teressa4 Teri33 Terica1 Terina1 Terisa1 Terra8 Terrance.48 Terrell.20 Terrence.47 Terresa2 Terri105 Terrie14 Terrilyn1 Terry.311
Tesha2 Tess3 Tessa10 Tessie7 Thad.7 Thaddeus.12 Thalia2 Thanh.5 Thao2 Thea5 Theda5 Thelma175 Theo.5 Theodora7 Theodore.123 Theola2
Theresa271 Therese22 Theresia2 Theressa1 Theron.8 Thersa3 Thi1 Thomas.1380 Thomasena1 Thomasina3 Thomasine2 Thora1 Thresa2 Thu2 Thurman.12
Thuy4 Tia14 Tiana5 Tianna2 Tiara6 Tien1 Tiera1 Tierra4 Tiesha2 Tifany1 Tiffaney1 Tiffani6 Tiffanie4 Tiffany195 Tiffiny3 Tijuana1 Tilda1
Tillie7 Tim.104 Timika1 Timmy.19 Timothy.640 Tina220 Tinisha1 Tiny2 Tisa1 Tish1 Tisha9 Titus.4 Tobi1 Tobias.5 Tobie1 Toby.19 Toccara1
Tod.5 Todd.213 Toi1 Tom.117 Tomas.23 Tomasa6 Tomeka4 Tomi1 Tomika2 Tomiko1 Tommie.20 Tommy.112 Tommye1 Tomoko2 Tona1 Tonda2 Tonette1
Toney.4 Toni64 Tonia18 Tonie2 Tonisha1 Tonita1 Tonja5 Tony.190 Tonya102 Tora1 Tori8 Torie1 Torri1 Torrie1 Tory.5 Tosha5 Toshia1 Toshiko2
Tova1 Towanda2 Toya4 Tracee3 Tracey.7 Traci38 Tracie24 Tracy.48 Tran1 Trang2 Travis.166 Treasa1 Treena1 Trena4 Trent.18 Trenton.9 Tresa4
Tressa4 Tressie3 Treva7 Trevor.40 Trey.6 Tricia30 Trina24 Trinh1 Trinidad.5 Trinity2 Trish3 Trisha24 Trista5 Tristan.8 Troy.138 Trudi2
Trudie2 Trudy21 Trula2 Truman.9 Tu1 Tuan.4 Tula1 Tuyet2 Twana2 Twanda1 Twanna1 Twila9 Twyla5 Ty.11 Tyesha2 Tyisha1 Tyler.89 Tynisha1 Tyra5
Tyree.5 Tyrell.5 Tyron.5 Tyrone.64 Tyson.14 Ula1 Ulrike1 Ulysses.10 Un1 Una6 Ursula18 Usha2 Ute1 Vada6 Val.4 Valarie14 Valda2 Valencia6
Valene1 Valentin.7 Valentina5 Valentine.5 Valeri1 Valeria11 Valerie149 Valery2 Vallie2 Valorie5 Valrie1 Van.19 Vance.14 Vanda2 Vanesa2
Vanessa111 Vanetta1 Vania1 Vanita2 Vanna1 Vannesa1 Vannessa2 Vashti1 Vasiliki1 Vaughn.11 Veda7 Velda5 Velia3 Vella2 Velma66 Velva3 Velvet2
Vena2 Venessa5 Venetta1 Venice2 Venita4 Vennie1 Venus6 Veola2 Vera98 Verda7 Verdell2 Verdie2 Verena2 Vergie4 Verla5 Verlene2 Verlie2
Verline1 Vern.10 Verna48 Vernell6 Vernetta2 Vernia1 Vernice7 Vernie3 Vernita3 Vernon.97 Verona3 Veronica142 Veronika1 Veronique1 Versie2
Vertie1 Vesta6 Veta2 Vi1 Vicenta3 Vicente.17 Vickey4 Vicki109 Vickie82 Vicky43 Victor.222 Victoria180 Victorina1 Vida7 Viki1 Vikki5
Vilma10 Vina3 Vince.10 Vincent.168 Vincenza2 Vincenzo.4 Vinita1 Vinnie2 Viola86 Violet65 Violeta5 Violette2 Virgen1 Virgie15 Virgil.49
Virgilio.4 Virgina7 Virginia430 Vita3 Vito.9 Viva3 Vivan2 Vivian118 Viviana5 Vivien2 Vivienne2 Von.4 Voncile1 Vonda8 Vonnie3 Wade.45 Wai2
Waldo.5 Walker.5 Wallace.56 Wally.4 Walter.399 Walton.4 Waltraud2 Wan1 Wanda226 Waneta1 Wanetta1 Wanita3 Ward.10 Warner.4 Warren.110 Wava1
Waylon.4 Wayne.249 Wei2 Weldon.9 Wen1 Wendell.42 Wendi10 Wendie1 Wendolyn1 Wendy185 Wenona1 Werner.5 Wes.4 Wesley.104 Weston.6 Whitley1
Whitney.5 Wilber.4 Wilbert.27 Wilbur.36 Wilburn.7 Wilda9 Wiley.11 Wilford.8 Wilfred.23 Wilfredo.14 Wilhelmina7 Wilhemina1 Will.18 Willa16
Willard.50 Willena1 Willene3 Willetta1 Willette2 Willia2 William.2451 Williams.13 Willian.4 Willie.302 Williemae1 Willis.35 Willodean1
Willow1 Willy.5 Wilma99 Wilmer.8 Wilson.28 Wilton.6 Windy4 Winford.4 Winfred.9 Winifred27 Winnie16 Winnifred4 Winona7 Winston.19 Winter1
Wm.33 Wonda2 Woodrow.25 Wyatt.6 Wynell1 Wynona3 Xavier.13 Xenia1 Xiao1 Xiomara4 Xochitl1 Xuan1 Yadira5 Yaeko1 Yael1 Yahaira1 Yajaira1 Yan2
Yang2 Yanira2 Yasmin4 Yasmine1 Yasuko1 Yee2 Yelena1 Yen2 Yer1 Yesenia11 Yessenia1 Yetta3 Yevette1 Yi2 Ying2 Yoko3 Yolanda115 Yolande2
Yolando2 Yolonda4 Yon1 Yong.6 Yoshie1 Yoshiko4 Youlanda1 Young.7 Yu3 Yuette1 Yuk1 Yuki1 Yukiko2 Yuko2 Yulanda1 Yun2 Yung1 Yuonne1 Yuri1
Yuriko1 Yvette50 Yvone1 Yvonne126 Zachariah.5 Zachary.99 Zachery.8 Zack.4 Zackary.4 Zada1 Zaida3 Zana1 Zandra3 Zane.7 Zelda8 Zella6
Zelma13 Zena3 Zenaida6 Zenia1 Zenobia3 Zetta1 Zina3 Zita2 Zoe6 Zofia2 Zoila6 Zola4 Zona3 Zonia1 Zora3 Zoraida4 Zula3 Zulema2 Zulma3
`;
