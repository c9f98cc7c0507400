/**
 * Words for the sentences of comments. A number at the start of a line is the weight of its words; a line without one has the weight of the
 * line before. Commas separate words.
 *
 * Source: the TPC-DS specification's data (dsdgen's distributions), in a format of this connector.
 */
export const nounText = `
91 years
47 children
41 women
39 men
34 things
32 eyes,days
30 members
29 others
28 police
27 problems
25 times,services,months
24 words,areas
20 groups
19 hands,cases
18 systems,patients,hours,companies
17 terms,minutes,countries,changes
16 parents,conditions
15 workers,ways,students,schools,friends
14 weeks,studies,feet
13 rights,questions,parties,books,authorities
12 results,relations,rates,parts,levels,details,activities
11 teachers,reasons,products,points,numbers,issues,ideas,forces,events,effects,arms
10 standards,sales,rules,resources,prices,lines,interests,goods,figures,costs,circumstances
9 windows,types,policies,plans,needs,miles,methods,jobs,girls,forms,factors,animals
8 trees,subjects,shares,pupils,players,places,officers,matters,letters,individuals,houses,firms,features,families,differences,courses
cells,boys
7 views,values,users,units,sources,skills,proposals,plants,names,ministers,materials,lives,leaders,items,institutions,facilities,examples
difficulties,decisions,customers,clothes,cars,bodies,benefits,banks,aspects,affairs
6 walls,techniques,steps,states,sides,requirements,reports,relationships,records,purposes,programmes,principles,pp.,powers,pounds,patterns
papers,opportunities,operations,officials,measures,managers,legs,homes,grounds,games,funds,fingers,employees,elements,elections,efforts
courts,classes,buildings,arrangements,applications
5 visitors,troops,thousands,streets,sites,rooms,readers,projects,profits,processes,procedures,pieces,pictures,organisations,orders,notes
models,meetings,lips,laws,heads,governments,functions,flowers,fields,feelings,facts,developments,demands,colleagues,clients,charges
centres,birds,attitudes,arts,actions,accounts
4 weapons,unions,towns,thoughts,theories,thanks,tests,teeth,tears,teams,talks,structures,stories,statements,stars,stages,sports,societies
situations,signs,shoulders,shops,sections,seconds,seats,schemes,regulations,regions,provisions,properties,proceedings,practices,positions
persons,periods,payments,pages,owners,offices,objects,objectives,nations,movements,markets,machines,losses,lights,kinds,industries
implications,hundreds,horses,goals,farmers,employers,duties,drugs,doors,dogs,documents,doctors,directors,departments,contracts
consequences,communities,colours,claims,cities,characters,characteristics,artists,arguments
3 yards,writers,wages,vehicles,tools,tasks,symptoms,supporters,stones,stations,stairs,sons,soldiers,shows,shoes,shareholders,servants
sentences,scientists,roads,residents,representatives,prisoners,premises,politicians,photographs,personnel,partners,paintings,organizations
options,occasions,newspapers,neighbours,negotiations,mothers,moments,metres,leaves,languages,kids,instructions,images,guests,findings
films,faces,experts,experiments,experiences,expectations,eggs,ears,earnings,discussions,degrees,criteria,councils,copies,contents
computers,components,communications,comments,clubs,citizens,churches,centuries,categories,cards,candidates,businesses,brothers,branches
attempts,assets,articles,ages,agents,agencies,advantages,adults
2 wives,winners,wings,waves,waters,votes,voters,voices,villages,victims,versions,variations,variables,universities,trousers,trials,trends
transactions,topics,tonnes,titles,tickets,texts,taxes,tables,suggestions,styles,strategies,stores,spirits,speakers,sounds,sorts,songs
solutions,solicitors,ships,sheets,sets,sessions,securities,sectors,sciences,scenes,savings,samples,roots,roles,rocks,rivers,risks
restrictions,responsibilities,responses,researchers,relatives,refugees,reforms,references,recommendations,reactions,quantities,qualities
qualifications,publications,professionals,priorities,pressures,practitioners,posts,possibilities,passengers,participants,pairs,origins
offences,observations,obligations,nurses,nights,muscles,mountains,modules,minds,millions,messages,memories,mechanisms,meals,marks
manufacturers,males,magistrates,loans,lists,links,limits,libraries,lessons,lawyers,ladies,knees,keys,judges,islands,investors,instruments
injuries,initiatives,inches,improvements,humans,hotels,hospitals,hopes,holidays,holes,hills,guns,guidelines,glasses,germans,genes
generations,gardens,forests,foods,files,females,fees,fears,fans,expenses,estates,errors,ends,emotions,drivers,dreams,drawings,doubts
divisions,directions,devices,designs,democrats,decades,deaths,daughters,dates,cuts,customs,critics,controls,contributions,consumers
considerations,conservatives,connections,conclusions,concerns,concepts,concentrations,complaints,committees,colleges,chemicals,chapters
causes,cattle,calls,boxes,boundaries,boots,bones,bonds,boats,boards,blocks,bits,bills,beliefs,beds,bars,bands,babies,awards,authors
attacks,assumptions,associations,approaches,answers,amounts,americans,aims,agreements,acts,accidents
1 youngsters,writings,wounds,worlds,workshops,woods,witnesses,wishes,wines,winds,wheels,weekends,weaknesses,wars,volunteers,volumes,visits
videos,vessels,vegetables,varieties,uses,twins,trusts,trustees,troubles,travellers,trains,traditions,trades,traders,tracks,toys,tourists
tories,tons,tiles,ties,threats,themes,territories,tensions,tenants,temperatures,telecommunications,technologies,targets,tanks,tales
tactics,symbols,surveys,surroundings,surfaces,supplies,suppliers,sums,successes,substances,subsidies,strings,strengths,strangers,stocks
stands,spots,speeches,specimens,specialists,spaces,sizes,sisters,signals,shots,shelves,shapes,shadows,settlements,settings,sequences
senses,seeds,secrets,seasons,scots,scores,scholars,scales,sanctions,russians,runs,rumours,rows,routes,rounds,roses,rivals,rises,rewards
revenues,restaurants,respondents,respects,reserves,reservations,requests,republics,representations,remarks,remains,reductions,recordings
rebels,rats,ranks,railways,races,quarters,pubs,publishers,provinces,protests,proteins,prospects,proportions,programs,producers,prizes
privileges,prisons,priests,presents,preparations,preferences,prayers,potatoes,ports,populations,pools,polls,policemen,poles,poets,poems
pockets,plates,planes,pilots,phrases,phenomena,phases,performances,perceptions,peoples,pensions,pensioners,penalties,peasants,paths
passages,particles,parameters,panels,pains,packages,outcomes,organs,organisms,organisers,opponents,opinions,operators,offers,offenders
odds,occupations,observers,objections,novels,notions,networks,nerves,musicians,museums,movies,moves,motives,molecules,modes,mistakes
missiles,mines,miners,minerals,mice,metals,merchants,measurements,meanings,matches,masters,masses,margins,maps,mammals,makers,magazines
lovers,looks,locations,limitations,liabilities,lengths,lectures,leads,layers,lands,lakes,lads,laboratories,kings,kilometres,journals
journalists,jews,jeans,investments,investigations,interviews,intervals,interpretations,interactions,intentions,instances,insects
inhabitants,ingredients,influences,indicators,indians,increases,incomes,incidents,incentives,imports,illustrations,husbands,households
honours,holders,historians,heroes,heels,hearts,habits,guards,grants,governors,gods,gifts,gentlemen,gates,gaps,galleries,gains,futures
fruits,frames,fragments,foundations,fortunes,foreigners,followers,folk,floors,flights,flats,flames,fires,fathers,farms,falls,failures
factories,eyebrows,expressions,exports,explanations,exhibitions,exercises,executives,exchanges,exceptions,examinations,evenings,estimates
equations,environments,entries,enterprises,enquiries,engines,engineers,enemies,emissions,edges,economies,drinks,dollars,districts,disputes
dishes,diseases,disciplines,dimensions,developers,detectives,designers,descriptions,deputies,depths,deposits,demonstrations,delegates
definitions,defendants,defences,debts,deals,dealers,databases,dangers,damages,curtains,cups,cultures,crowds,crops,criticisms,crimes,crews
creditors,creatures,couples,counties,councillors,corporations,corners,conventions,contexts,contacts,consultants,constraints,conflicts
conferences,concessions,competitors,comparisons,communists,commitments,commentators,combinations,columns,colonies,collections,coins,clouds
clergy,circles,cigarettes,christians,choices,chips,chiefs,cheeks,charts,channels,champions,championships,chairs,chains,cats,casualties
carers,careers,camps,campaigns,cameras,calculations,buyers,businessmen,buses,budgets,breasts,bottles,borders,bombs,blues,blacks,bishops
beings,bedrooms,beans,beaches,bases,barriers,balls,bags,bacteria,backs,auditors,audiences,assessments,aspirations,armies,architects
appointments,applicants,appearances,appeals,angles,ambitions,alternatives,allowances,allies,allegations,advisers,advertisements,advances
addresses,actors,acres,acids,achievements,accountants,abilities
`;

export const verbText = `
523 make
487 see
464 get
436 take
409 go
359 know
281 say
273 find
265 give
238 think
235 come
209 help
177 use,look
168 want
167 tell
166 keep
161 like
158 work
157 provide
129 become
123 put
114 pay
112 feel
107 need
103 leave
102 meet
101 bring
100 ask
98 understand
97 show
94 mean
93 play
91 try
89 believe
87 hear,ensure
82 stop,move,allow
81 seem
80 continue
79 produce
77 talk,change
76 stay
74 buy
73 live,let
72 run
71 start,consider
69 accept
68 turn
66 remember,develop
64 lead,include,hold,avoid
63 carry
62 offer,create
61 speak,expect,appear
60 follow,explain
59 prevent,happen,call
57 win,support,achieve
56 reduce
55 write,set,return,learn
54 increase
53 stand,join
51 read,improve,apply
50 sell,remain,reach,build
49 prove
48 receive
47 deal
46 begin
45 spend,raise,form,establish
44 decide
43 wait,protect,lose,fall
42 maintain,act
41 send,discuss
40 suggest,save,cover,cause,break
39 sit,identify,eat
38 obtain,face,choose,add
37 encourage,enable,agree
36 require,pass,enjoy,draw,afford
35 open,end,control,answer
34 walk,visit,seek,enter,cut
33 serve,occur,kill,imagine,grow,forget,cope
32 die,bear
31 worry,wish,watch,determine,care,affect
30 share,pick,catch
29 mind,love,gain,fight,exist,examine,clear
28 manage,fit,describe,attend
27 sleep,introduce,drive,check
26 result,involve
25 survive,replace,remove,promote,operate,claim,argue,admit
24 rise,respond,recognise,realise,escape,discover
23 wear,study,represent,reflect,perform,matter,listen,indicate,extend,contain,complete,assume
22 present,marry,last,fill,depend,assess
21 secure,pull,mention,concentrate,close,benefit,assist
20 travel,prepare,persuade,lie,investigate,hope,handle,express,cost
19 treat,teach,suffer,sound,miss,fly,attract
18 supply,settle,reveal,retain,report,place,notice,match,explore,collect,adopt
17 throw,succeed,rely,refer,recover,point,force,defend,contribute,confirm,beat,arrive,arise,appreciate
16 touch,test,solve,sign,satisfy,resist,justify,influence,ignore,hide,drop,distinguish,deny,demonstrate,deliver,define,contact,blame
attempt
15 suit,rest,pursue,proceed,note,finish,drink,destroy,compete,arrange,acquire
14 vote,vary,trust,recognize,press,prefer,overcome,lay,impose,hit,generate,focus,fail,expand,exercise,advise,address,account
13 undertake,suppose,restore,refuse,record,recall,participate,mark,feed,emerge,date,alter
12 withdraw,tackle,ring,regard,preserve,plan,order,measure,laugh,judge,implement,earn,comply,compare,communicate,bother,attack,appeal
accommodate
11 wonder,strike,resolve,release,relate,realize,observe,limit,lift,invest,inform,hurt,hang,experience,enhance,detect,cry,cross,count
comment,challenge,back
10 welcome,view,transfer,sustain,strengthen,stick,state,sort,sing,select,ride,review,repeat,remind,relax,question,purchase,publish,predict
own,negotiate,monitor,launch,interpret,guarantee,exclude,convince,climb,celebrate,behave,analyse,acknowledge
9 thank,tend,submit,step,spread,specify,search,score,risk,reply,reject,recommend,qualify,push,permit,organise,light,land,issue,imply
illustrate,fulfil,finance,exploit,employ,display,demand,convey,construct,conclude,commit,approach,announce,abandon
8 train,switch,stimulate,slip,shoot,shake,separate,rule,resign,react,pretend,please,name,market,link,lend,jump,intervene,interfere,insist
guess,grant,free,facilitate,evaluate,engage,enforce,eliminate,ease,disappear,direct,convert,consult,conduct,complain,combine,clean,borrow
boost,belong
7 wash,warn,wake,trace,sue,spare,smile,shift,retire,restrict,register,practise,possess,kiss,incorporate,head,gather,forgive,fix,fetch
exceed,dry,differ,design,damage,constitute,compensate,charge,cease,capture,burn,breathe,approve,appoint,adjust,adapt,accompany
6 yield,waste,undermine,transform,trade,swim,stress,steal,smell,shut,sense,resume,relieve,reinforce,propose,paint,lower,locate,knock
invite,intend,hate,guide,function,fear,emphasise,doubt,dominate,dismiss,delay,declare,dare,dance,correct,cook,consist,conform,combat
clarify,calculate,blow,balance,aid
5 upset,tolerate,threaten,stretch,store,spot,speed,slow,sink,shout,rush,roll,reverse,respect,rescue,repay,repair,render,regain,recruit
reassure,protest,print,pray,phone,organize,oppose,occupy,obey,modify,minimise,list,kick,integrate,install,induce,impress,highlight,harm
halt,grasp,flow,fire,favour,extract,estimate,drag,divide,disturb,disclose,derive,counter,confront,conceal,coincide,co-operate,cancel,block
assure,assert,amount,aim,advance,absorb
4 wipe,undergo,translate,tie,tear,taste,swallow,suspect,surrender,surprise,suppress,supplement,struggle,stare,split,spell,smoke,shed,shape
seize,sail,safeguard,revive,reproduce,renew,regulate,regret,reform,reconcile,quote,quit,provoke,promise,progress,pose,plant,perceive
penetrate,opt,object,murder,mount,mix,maximise,manipulate,lack,knit,inspect,initiate,house,hire,hesitate,hand,greet,grab,foster,formulate
figure,feature,expose,exert,exchange,entertain,endure,emphasize,embrace,effect,dress,dream,double,distribute,dispose,discourage,dig,devote
devise,deter,defeat,decline,cure,curb,cool,contemplate,connect,concern,command,collapse,co-ordinate,cast,calm,breed,bind,ban,ascertain
arrest,anticipate,admire,administer,abolish
3 witness,withstand,widen,weigh,weaken,warm,wander,upgrade,update,unite,transport,track,top,terminate,telephone,tax,swing,sweep,suspend
supervise,summon,suffice,stir,stem,steer,squeeze,spoil,speculate,slide,signal,ship,service,scream,ruin,round,retrieve,restrain,request
reconsider,rebuild,race,punish,project,profit,prevail,pour,postpone,pack,offset,merge,master,manufacture,lock,isolate,interview,inspire
inhibit,indulge,hurry,hunt,honour,heal,guard,govern,frighten,flourish,flee,fish,fancy,fade,experiment,exhibit,execute,excuse,evolve,entail
endorse,encounter,elect,drift,divert,disrupt,disguise,discriminate,diminish,deserve,decrease,criticise,crack,correspond,copy,contract
contend,consolidate,confuse,confess,condemn,conceive,concede,compromise,comprehend,complement,commence,comfort,cheer,cater,bury,burst,bite
bet,bend,base,attain,attach,associate,assemble,apologise,allocate,alleviate,advertise,accelerate
2 zero,withhold,wind,weep,wave,warrant,verify,venture,urge,uphold,underline,underestimate,trouble,trigger,trap,transmit,tour,total,tighten
thrive,tempt,target,tap,swear,sum,substitute,subscribe,strip,spring,soften,snap,smooth,simplify,silence,signify,shrink,shop,shine,seal
sample,sacrifice,rub,rid,reward,revise,revert,retreat,reserve,resemble,research,rent,remedy,refrain,rectify,reconstruct,reclaim,rate,range
rally,rain,quantify,prosecute,prescribe,preclude,preach,practice,post,portray,pop,plead,pin,persist,pause,park,panic,owe,overthrow
override,overlook,outline,offend,obscure,oblige,no,notify,neglect,muster,minimize,melt,march,lunch,long,load,lessen,leap,lean,invoke
invent,invade,interrupt,interact,insure,instruct,insert,inherit,inflict,infer,incur,import,imitate,host,heat,glance,gauge,freeze,foresee
float,file,export,explode,evoke,evade,erect,eradicate,equip,envisage,enquire,encompass,emulate,embark,elicit,educate,edit,dwell,drown
drain,draft,divorce,distract,distort,dissolve,dispense,discharge,discern,disagree,differentiate,dictate,detail,descend,deprive,depart
deceive,debate,cultivate,criticize,creep,credit,counteract,cooperate,contest,consume,conserve,consent,conquer,congratulate,conflict
confine,confer,comprise,commemorate,cling,classify,chat,chase,campaign,brush,broaden,bolster,boil,boast,bid,betray,beg,award,await,avert
attribute,assign,articulate,arouse,amend,alert,adhere,activate,accuse,accumulate,accomplish,access,abide
1 wriggle,wreck,wrap,worship,worsen,wield,whisper,weave,waive,volunteer,visualize,visualise,violate,veto,vanish,validate,utter,utilise
unveil,unravel,unlock,unload,undo,underpin,uncover,twist,tune,tuck,trip,trim,tremble,tread,transcend,topple,tip,tidy,tick,thwart,testify
tender,tease,swell,sweat,swap,survey,summarize,summarise,suck,succumb,substantiate,subsidise,subdue,stumble,stuff,stroke,strive,stray
strain,straighten,stifle,steady,star,starve,stamp,staff,stabilize,stabilise,square,sponsor,spin,spill,specialise,spawn,soothe,soar,soak
sniff,sneak,snatch,smash,skip,simulate,shrug,shoulder,shorten,shore,shock,shield,shelter,shave,sharpen,seduce,screw,screen,scratch,scrap
scrape,scramble,scare,scan,scale,savour,sanction,salvage,sack,rouse,rot,rotate,root,rock,rob,roam,rival,rip,rewrite,revoke,rethink
retaliate,restructure,restart,resort,reside,resent,replicate,reopen,renounce,remark,relocate,relish,relinquish,rejoin,reinstate,rehearse
refute,refine,redress,redeem,recycle,recur,recreate,recoup,reckon,recite,recapture,reassess,reassert,rear,reap,reappear,re-open
re-establish,ratify,rape,rank,quell,quarrel,punch,pump,publicise,prosper,prop,pronounce,prompt,prolong,prohibit,procure,proclaim,probe
privatise,prise,presume,prejudice,precipitate,precede,praise,position,poison,plunge,plug,plough,plot,placate,pitch,pinpoint,picture
photograph,perpetuate,perfect,peer,overwhelm,overturn,overtake,overlap,outweigh,oust,omit,obstruct,nominate,nod,necessitate,near,navigate
narrow,multiply,mould,motivate,modernise,moderate,model,mobilize,mitigate,mislead,mimic,migrate,mess,merit,mend,mediate,maximize,mature
mate,materialise,mask,map,manoeuvre,manifest,lure,loose,loosen,lodge,lobby,linger,lighten,lick,license,liberate,liaise,levy,level
legislate,lecture,labour,label,jeopardise,jail,iron,intrude,intimidate,intercept,intensify,instil,inquire,injure,inject,impede,impart
impair,illuminate,hook,heed,haunt,haul,hasten,harness,harden,harbour,hammer,grip,grind,grieve,glimpse,generalize,generalise,gaze,furnish
fuck,frustrate,frame,forgo,forge,forestall,forecast,fool,fold,flush,flower,flood,flash,filter,fend,fathom,fast,fashion,faint,expire,expel
excite,exaggerate,evacuate,escort,equate,envy,entitle,entice,ensue,enrich,enlist,enlarge,endeavour,endanger,enclose,enact,empty,emigrate
embody,embarrass,elucidate,elaborate,echo,dust,dump,duck,drill,donate,dodge,document,dive,diversify,dissuade,disregard,dispute,displace
disperse,dispel,dismantle,dislodge,dislike,disentangle,discredit,discount,discipline,discard,disarm,disappoint,dip,dine,digest,diagnose
detract,deteriorate,detain,detach,despise,despair,desire,designate,desert,depress,deposit,deploy,depict,denounce,denote,demolish,delight
delete,delegate,defy,defuse,defraud,deflect,defer,deepen,deduce,decorate,decipher,decay,dash,curtail,curl,crush,crumble,crawl,crash
correlate,coordinate,convict,convene,contrast,contradict,constrain,conjure,confide,compose,complicate,compile,compel,commission,commend
colour,collaborate,clinch,cite,circumvent,circulate,choke,chew,cheat,chart,characterize,characterise,channel,chair,carve,capitalise,camp
bypass,bump,budge,browse,broadcast,brighten,breach,boycott,bow,bowl,bounce,boot,bomb,board,blind,blend,beware,bat,battle,bar,bargain
banish,average,avail,authorise,augment,assimilate,aspire,appropriate,applaud,appease,apologize,annoy,anger,amuse,allay,alienate,affirm
advocate,accrue,accord,abuse
`;

export const adjectiveText = `
116 other
108 new
59 good
49 old
43 different
41 local
40 social,small
39 great
36 important
35 national
33 british
32 possible,large
29 political
28 young,public
27 high
26 available,able
24 full
22 only,major,main,economic
21 real,long,likely,international
20 special
19 particular,difficult,certain,black,big
18 little,general,free,clear
17 white,similar,necessary,english,early,central
16 personal,common
15 true,strong,single,recent,private,foreign,financial,american
14 various,royal,poor,open,european
13 whole,simple,right,natural
12 sure,short,modern,legal,human,following,final
11 significant,serious,prime,previous,normal,industrial,current,bad
10 wrong,successful,specific,red,popular,military,low,labour,dead,concerned,basic,appropriate,alone
9 useful,traditional,scottish,professional,present,physical,original,individual,happy,fine,effective,easy,considerable,complete,aware
8 wide,total,responsible,ready,obvious,medical,left,interesting,independent,heavy,hard,existing,essential,direct,civil,blue
7 western,top,separate,relevant,regular,practical,powerful,positive,nuclear,light,late,huge,hot,future,french,extra,environmental,complex
commercial,close,chief,beautiful,annual,active
6 working,very,usual,unable,technical,soviet,sorry,sexual,rich,religious,regional,primary,ordinary,nice,male,internal,inc,impossible,fresh
formal,famous,excellent,domestic,dark,cultural,average,additional
5 warm,urban,upper,unlikely,tiny,suitable,sufficient,substantial,strange,soft,senior,scientific,safe,rural,reasonable,proper,perfect,past
mental,key,joint,interested,immediate,historical,german,familiar,expensive,equal,empty,educational,due,detailed,democratic,deep,dangerous
critical,correct,cold,christian,bright,apparent,alternative,afraid,actual
4 wonderful,wild,vital,vast,unknown,united,unique,typical,thin,tall,subsequent,standard,southern,severe,secondary,russian,rare,quiet
potential,permanent,parliamentary,official,northern,narrow,minor,massive,long-term,limited,liberal,level,leading,italian,irish,inner
initial,increased,growing,grey,green,fundamental,front,female,far,fair,external,extensive,entire,elderly,eastern,dry,crucial,criminal
corporate,contemporary,constant,careful,capable,busy,broad,brief,attractive,angry,ancient,academic
3 yellow,wooden,willing,widespread,welsh,weak,voluntary,visual,video-taped,valuable,used,unusual,tired,terrible,temporary,surprising
supreme,sudden,subject,statutory,spanish,solid,slow,silent,sharp,sensitive,sad,running,rough,remarkable,remaining,relative,rapid,quick
pure,proposed,pale,overall,odd,numerous,negative,married,lucky,lovely,living,literary,keen,just,japanese,indian,healthy,guilty,golden
global,glad,genuine,friendly,firm,federal,expected,exciting,enormous,emotional,electronic,efficient,dramatic,double,distinct,dependent
daily,conventional,conservative,confident,comprehensive,competitive,coming,comfortable,clean,classical,capital,brown,back,alive
agricultural,african,administrative,adequate,acceptable,absolute
2 written,wet,vulnerable,visible,violent,victorian,valid,urgent,universal,unexpected,unemployed,underlying,ultimate,trying,tough,tory
thick,theoretical,sweet,surprised,stupid,strategic,statistical,spiritual,specialist,sound,sophisticated,sole,so-called,smooth,slight
silver,silly,sensible,secret,satisfactory,round,roman,revolutionary,residential,remote,reliable,related,raw,rational,radical,psychological
proud,principal,pretty,presidential,pregnant,precise,pleasant,pink,patient,overseas,outstanding,outside,outer,organic,opposite,occasional
net,nervous,mutual,musical,multiple,moving,moral,monetary,modest,minute,middle,mere,mean,maximum,material,mass,marginal,mad,logical,live
linguistic,like,liable,known,junior,judicial,jewish,isolated,involved,intense,informal,inevitable,increasing,inadequate,impressive,ill
illegal,identical,ideal,honest,holy,historic,helpful,head,grateful,grand,gold,given,gentle,generous,gastric,fun,funny,frequent,forward
flexible,flat,fixed,favorite,fat,fast,false,extreme,extraordinary,experimental,exact,evident,everyday,ethnic,electric,electrical,electoral
dominant,distinctive,distant,disabled,dirty,determined,desperate,desirable,dear,deaf,curious,creative,controversial,continuous
constitutional,consistent,conscious,clinical,chinese,chemical,cheap,catholic,broken,brilliant,bloody,blind,bitter,bare,awful,automatic
australian,assistant,asleep,armed,anxious,advanced,adult,acute,accurate
1 worthy,worthwhile,worried,working-class,wise,well-known,welcome,weekly,wealthy,waste,waiting,vocational,vertical,variable,vague,useless
unpleasant,unnecessary,unlike,unhappy,unfair,uncomfortable,unchanged,uncertain,unaware,unacceptable,ugly,twin,turkish,tropical,tremendous
tragic,toxic,tight,thorough,thinking,territorial,tender,teenage,technological,systematic,sympathetic,symbolic,swiss,suspicious,supposed
super,superior,superb,successive,subtle,subjective,structural,strict,straight,straightforward,still,steep,steady,static,star,stable,square
splendid,spectacular,specified,spatial,spare,solar,socialist,smart,slim,skilled,sick,shy,short-term,sheer,shared,shallow,semantic,select
selective,secure,satisfied,sacred,ruling,routine,romantic,rigid,ridiculous,retail,resulting,respective,respectable,required,representative
reluctant,regulatory,redundant,reduced,realistic,random,racial,psychiatric,provincial,protective,prospective,prominent,progressive
profound,profitable,productive,probable,primitive,prepared,premier,preliminary,precious,post-war,polite,polish,pleased,planned,plain
philosophical,persistent,peculiar,peaceful,payable,passive,partial,part-time,parental,palestinian,painful,outdoor,orthodox,organisational
orange,oral,optimistic,operational,opening,olympic,old-fashioned,occupational,objective,novel,notable,noble,neutral,neighbouring,neat
nearby,naval,native,nasty,naked,mysterious,monthly,molecular,model,mixed,misleading,miserable,minimum,minimal,mild,middle-class
metropolitan,medium,mediterranean,medieval,mechanical,mature,mathematical,marvellous,marked,marine,manufacturing,managerial,magnificent
magnetic,magic,ltd.,loyal,lost,loose,lonely,lively,linear,lexical,lesser,lengthy,legitimate,legislative,large-scale,lacking,kind,islamic
irrelevant,invisible,intimate,intermediate,interior,intensive,intelligent,intellectual,integrated,intact,insufficient,institutional
innocent,inland,inherent,influential,indirect,incredible,inappropriate,improved,implicit,imperial,immense,imaginative,ideological,hungry
hostile,horrible,horizontal,hidden,harsh,handsome,gross,grim,greek,gradual,gothic,glorious,giant,geographical,genetic,gay,furious
functional,full-time,fortunate,forthcoming,formidable,fond,fit,fiscal,fierce,fellow,favorable,fatal,fashionable,fascinating,faint,extended
explicit,expert,experienced,exotic,executive,exclusive,excessive,exceptional,evolutionary,evil,eventual,ethical,estimated,established
equivalent,enthusiastic,endless,encouraging,empirical,eligible,elegant,elected,elaborate,eager,dynamic,dutch,dull,dual,dreadful,doubtful
divine,diverse,distinguished,disciplinary,disastrous,diplomatic,digital,developing,demanding,delightful,delighted,delicious,delicate
deliberate,definite,defensive,decisive,decent,darling,damp,cruel,crude,crazy,costly,corresponding,cool,convincing,convenient,contrary
continuing,continued,continental,content,confidential,concrete,compulsory,complicated,competent,compatible,comparative,comparable
communist,combined,colourful,coloured,colonial,collective,coherent,cognitive,coastal,closed,clever,classic,chronic,chosen,cheerful
charming,changing,cautious,causal,casual,capitalist,canadian,burning,brave,bottom,boring,bold,blank,bizarre,biological,beneficial,base
awkward,autonomous,atomic,atlantic,associated,asian,ashamed,artistic,artificial,arbitrary,arab,appointed,applicable,anonymous,ambitious
amazing,alleged,aggressive,advisory,adverse,adjacent,added,accused,accessible,abstract,absent,above
`;
