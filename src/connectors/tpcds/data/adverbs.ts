/**
 * More words for the sentences of comments, in the format of words.ts.
 *
 * Source: the TPC-DS specification's data (dsdgen's distributions), in a format of this connector.
 */
export const adverbText = `
619 then
615 more
592 also
540 so
538 now
524 only
436 as
431 very
426 just
329 even
318 still
316 too
280 however
269 there
263 most,here
257 much
241 never
236 again
216 well
199 always
178 often
171 about
156 already
151 yet,perhaps,almost
150 quite
149 really
141 later
133 all
129 both
126 of course
119 at least
117 less
114 ever,enough
113 for example
111 together
107 therefore
106 over
105 probably
102 today
101 thus,particularly
100 far
95 rather
94 further
91 sometimes
87 yesterday,usually
85 indeed,ago
83 simply,especially
79 else
78 home
77 certainly
75 once
74 soon
70 clearly
68 either
66 long,away
65 better,actually
62 finally,at all
61 in order
57 recently,quickly
56 suddenly
54 generally
50 nearly,above
49 more than,forward
47 right
46 please,easily
45 immediately
44 highly,earlier
43 early
42 no longer,fully,exactly,eventually,directly
41 hardly,best,below,around
40 slightly,alone
39 otherwise,obviously,a little
38 slowly,completely
37 relatively
36 merely,maybe,high
35 normally,late,largely,instead
34 sure,nevertheless,little,carefully,apparently,anyway
33 tomorrow,previously,mainly,for instance,currently
32 increasingly,in particular,entirely,as well
31 possibly,extremely,equally
29 hard
28 surely,frequently,ahead
27 widely,twice,partly,fairly
26 somewhere,seriously,elsewhere,closely
25 straight,no doubt,neither,necessarily,before,all right
24 totally,tonight,properly,etc
23 meanwhile,hence,effectively
22 somewhat,similarly,rapidly,at first
21 under,strongly,moreover,in addition,at last
20 virtually,unfortunately,that is,somehow,significantly,rarely,perfectly,originally,low,inside,badly,afterwards
19 quietly,naturally,in general,heavily,gently,firmly,at once,and so on,absolutely
18 shortly,regularly,occasionally,mostly,initially,deeply,close,abroad
17 subsequently,specifically,short,gradually,aside
16 successfully,precisely,outside,once again,greatly,essentially,easy,apart,anywhere
15 respectively,pretty,open
14 truly,that,primarily,inevitably,furthermore,fast,constantly,briefly,at present,altogether,across,a bit
13 ultimately,reasonably,readily,presumably,newly,less than,everywhere,deliberately,considerably,automatically,approximately
12 thereby,surprisingly,sufficiently,softly,sharply,secondly,deep,commonly,behind
11 undoubtedly,purely,potentially,personally,once more,notably,near,ill,consequently,closer,barely,accordingly
10 wide,wholly,up to,typically,since,roughly,nowhere,namely,longer,good,easier,definitely,by now
9 traditionally,though,thoroughly,strictly,specially,sadly,physically,mentally,lightly,formally,desperately
8 substantially,steadily,sooner,solely,so as,simultaneously,severely,separately,scarcely,safely,politically,officially,locally,literally
in part,happily,from time to time,formerly,forever,fair,exclusively,direct,correctly,besides,basically,alternatively
7 upwards,upstairs,thereafter,socially,seldom,reportedly,remarkably,regardless,publicly,past,invariably,instantly,in short,hitherto,freely
fortunately,firstly,evidently,dramatically,downstairs,consistently,by no means,broadly,backwards,all but,actively
6 utterly,tight,tightly,thick,temporarily,swiftly,seemingly,repeatedly,predominantly,practically,positively,partially,openly,onwards,no
nowadays,nonetheless,independently,importantly,hopefully,genuinely,forwards,forth,for long,for ever,far from,explicitly,even so
differently,continually,as yet,as usual,accurately
5 worldwide,within,terribly,sincerely,silently,rightly,privately,permanently,overall,neatly,nearby,loudly,likewise,legally,just about
individually,indirectly,in full,in common,ideally,half,faster,efficiently,daily,comparatively,clear,bitterly,beyond,beautifully,annually
angrily,allegedly,alike,adequately,abruptly
4 wrong,worse,wild,vaguely,urgently,unusually,unexpectedly,under way,technically,supposedly,strangely,smoothly,slow,sideways,sharp
sexually,reluctantly,quick,public,promptly,principally,presently,poorly,plain,per annum,overseas,overnight,on board,jointly,ironically
incidentally,in public,honestly,hastily,harder,fundamentally,fiercely,false,extra,extensively,exceptionally,economically,duly,doubtless
distinctly,curiously,cool,continuously,comfortably,cheap,by far,but,as good as,as a whole,appropriately,aloud,all the same
3 wrongly,wildly,violently,vigorously,vice versa,upright,underneath,true,thoughtfully,this,thirdly,that is to say,systematically,suitably
sort of,secretly,radically,proudly,progressively,profoundly,preferably,politely,plainly,painfully,over there,oddly,none the less,nicely
nervously,nearer,nationally,narrowly,mutually,mildly,markedly,loud,loose,loosely,like,least,lately,kindly,internationally,interestingly
instinctively,indoors,incredibly,immensely,historically,highest,halfway,gmt,furiously,freshly,frankly,for the time being,for the most part
for once,for good,for certain,flat,finely,financially,faintly,evenly,enormously,emotionally,eagerly,due,downwards,deeper,dead,conversely
conveniently,consciously,commercially,clean,chiefly,centrally,cautiously,casually,calmly,bloody,big,bad,at large,at best,ashore,arguably
any longer,anxiously,admittedly
2 wonderfully,willingly,wearily,weakly,warmly,voluntarily,vividly,visually,vastly,usefully,unnecessarily,universally,uniquely,unduly
underway,understandably,underground,uncomfortably,unanimously,throughout,thinly,thereof,theoretically,thankfully,stiff,stiffly,steady
statistically,spontaneously,sometime,so much as,small,sensibly,satisfactorily,richly,professionally,powerfully,pleasantly,patiently
parallel,paradoxically,overwhelmingly,overhead,over here,outwards,ostensibly,notoriously,morally,momentarily,moderately,marginally,luckily
logically,live,likely,internally,intently,intensely,inherently,infinitely,indefinitely,in vain,in private,in between,implicitly
impatiently,illegally,hurriedly,hopelessly,higher,helplessly,grimly,great,generously,from now on,frantically,favourably,faithfully
extraordinarily,expressly,environmentally,enthusiastically,en route,drily,decidedly,dangerously,critically,confidently,collectively,coldly
cheerfully,cheaply,characteristically,briskly,brilliantly,brightly,beforehand,bc,at random,at length,as it were,anything but,alongside
additionally,acutely,accidentally
1 wryly,worst,without,wistfully,wisely,weekly,warily,vitally,visibly,vertically,vehemently,variously,upward,upstream,upside down,up front
unwittingly,unsuccessfully,unreasonably,unquestionably,uniformly,unhappily,unfairly,unequivocally,uneasily,unconsciously,uncertainly
triumphantly,tremendously,tragically,to and fro,time and again,thickly,therein,thence,tentatively,tenderly,sympathetically,sweetly
suspiciously,superficially,superbly,subtly,stubbornly,strikingly,strategically,sternly,steeply,squarely,speedily,solidly,solemnly,smartly
slower,skilfully,selectively,securely,scientifically,scarce,savagely,safer,ruthlessly,ruefully,routinely,rigorously,rigidly,resolutely
remotely,reliably,relentlessly,regrettably,real,realistically,ready,rationally,randomly,quicker,psychologically,prominently,prior
prematurely,predictably,popularly,pointedly,persistently,periodically,per se,per capita,peculiarly,peacefully,patently,passionately
part-time,overtly,outright,ordinarily,once and for all,ok,okay,offshore,objectively,not,noticeably,northwards,nominally,noisily,negatively
nationwide,mysteriously,monthly,modestly,mistakenly,miserably,miraculously,mercifully,mechanically,materially,massively,manually,lower
lovingly,legitimately,left,lazily,latterly,lastly,knowingly,kind of,keenly,justly,justifiably,jolly,irritably,inwards,inwardly
involuntarily,intrinsically,intimately,intermittently,inter alia,intentionally,intellectually,innocently,inland,infrequently,informally
inextricably,inexorably,indignantly,incorrectly,inadvertently,in vitro,in the main,in situ,in brief,idly,ibid,ibid.,huskily,hugely,hotly
horribly,horizontally,hesitantly,hereby,henceforth,harshly,half-way,half way,habitually,grudgingly,grossly,gravely,gratefully,graphically
gracefully,gloomily,gladly,gingerly,geographically,genetically,full,full-time,forthwith,forcibly,forcefully,for sure,flatly,fine,farther
falsely,externally,expertly,experimentally,excitedly,excessively,exceedingly,ever so,endlessly,emphatically,eminently,elegantly
electronically,effortlessly,eastwards,earnestly,drastically,downstream,downhill,doubtfully,doubly,double,disproportionately,discreetly
dimly,densely,delicately,defiantly,defensively,decisively,dearly,darkly,culturally,cruelly,crudely,crucially,crossly,correspondingly
coolly,convincingly,conventionally,conspicuously,conceivably,closest,clinically,cleverly,circa,chemically,carelessly,by and large,busily
brutally,bravely,boldly,bluntly,blindly,blankly,beneath,belatedly,awkwardly,awfully,at worst,at most,astonishingly,as a matter of fact
artificially,arbitrarily,approx,apologetically,anymore,anyhow,and so forth,amazingly,alternately,aloft,all of a sudden,alarmingly
aggressively,afield,affectionately,adversely,admirably,absently,aboard,aback,a.d.,a lot
`;

export const prepositionText = `
169586 in
84535 to
76889 for
60602 with
59030 on
49067 by
43557 at
39087 from
15239 into
11594 about
10556 as
8786 like
8703 between
6762 through
5897 after
5354 against
5319 under
5024 over
4393 out of
4351 without
4249 within
4243 during
3662 before
3161 such as
2732 towards
2445 up
2265 including
2259 among
2257 upon
2236 up to
2023 across
1949 behind
1819 off
1684 rather than
1650 around
1635 because of
1534 according to
1436 despite
1368 since
1305 down
1275 per
1245 near
1244 above
1132 throughout
1096 away from
1066 outside
1036 beyond
895 until
856 in terms of,due to
817 worth
787 along
781 on to
738 as to
661 inside
619 plus
592 apart from
589 in front of
569 together with
563 beside
549 below
522 onto
497 subject to
488 beneath
475 along with
472 past
456 via
428 in relation to
423 amongst
401 other than
331 in addition to
327 in favour of
309 unlike
306 aged
305 concerning
296 prior to
294 but for
275 in spite of
273 in respect of
266 alongside
265 next to
260 as for
246 ahead of
245 on behalf of
223 on top of
219 regarding
208 depending on
195 in response to,in accordance with
190 except for
170 in the light of,except
158 instead of
152 in charge of
151 with regard to,in connection with
149 by means of
148 on the part of
145 out,in view of
143 as opposed to
133 by way of
128 with respect to,contrary to
125 toward
122 in conjunction with
117 in line with
113 till,following
110 in touch with
109 amid
103 in support of
100 in search of
96 relative to
93 in return for
92 versus
82 let alone,irrespective of
81 besides
80 with a view to
79 considering
77 owing to,near to
77 in excess of
76 in place of,in need of,in common with
69 as of
65 underneath,outside of
64 excluding
59 up until,as regards
54 aboard
53 pending,on board,notwithstanding
51 adjacent to
49 on account of
48 amidst
44 in keeping with
43 opposite,in comparison with
42 pursuant to
41 as against
40 minus,in contact with,in association with
38 thanks to
37 unto
36 with reference to,for fear of
34 nearer to
33 in pursuit of
32 in possession of,in case of
31 by reason of
29 in between,aside from
28 in answer to
27 in aid of
25 in regard to,in proportion to,as from,as between
23 save,into line with
21 in defence of
20 save for,as well as
19 vice,in receipt of
18 pro
16 than
15 of,nearest to,in reply to,in consultation with
14 nearer,in lieu of,in accord with,atop
13 in defiance of
12 pertaining to,off of,given,astride
11 nearest,in light of
10 subsequent to,out of touch with,alias
9 respecting,a la
7 barring
6 vis-a-vis,times,in face of,but
5 out of line with,due
4 in cooperation with,excepting
3 thru
2 top of,prp,in-between,in favor of,ere,afore
1 terms of,saving,in quest of,apropos,addition to,according
`;
