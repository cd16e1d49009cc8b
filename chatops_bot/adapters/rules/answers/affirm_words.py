"""What a plain yes is made of, in both languages. Data of the strict guard; nothing here may mean anything but yes.

A message is affirmative when it is nothing but these parts and one of them decides:

- `YES`, `YES_SINGLE`, `JUDGED` decide, but not beside a word of having seen it: "确认收到" acknowledges;
- `GO` and `COMMAND` decide;
- `OKAY` decides alone, but not beside thanks, praise, a word of having seen it, or a bare name: "ok thanks", "oh ok",
  "ok great", "ok, web" end a talk as often as they agree;
- `ASKABLE` ("confirm") decides unless "please" makes a request of it: "please confirm" asks the bot to;
- `PRAISE`, `THANKS`, `SEEN`, `PLEASE`, `FILL` never decide.
"""

from __future__ import annotations

from typing import Final

YES: Final = (
    r"(?:you have|you've got|you got) (?:my|our|the) (?:approval|permission|blessing|ok|okay|go-ahead|confirma"
    r"tion|green light)|that(?:'s| is) what i (?:want|wanted|meant|asked for)(?: to do)?|"
    r"that'?s the (?:plan|tag|version|revision|node|pod|service|right one)|"
    r"(?:a |an )?(?:big|definite|hard|strong|firm|clear|resounding) yes|"
    r"(?:i'm |i am )(?:100% )?(?:sure|positive|certain)|(?:just )?what i (?:want|wanted|meant|need)|"
    r"i approve(?: (?:of )?(?:it|this|that))?|(?:obviously|for the love of god) yes|"
    r"(?<=\d )it (?:is|shall be)(?: then)?|that(?:'s| is) a (?:definite )?yes|"
    r"no objections?(?: here| from me)?|no issues?(?: here| from me)?|(?:yes+|yep|yeah|sure),? sir|"
    r"\[(?:ok|yes|好的|ok手势|是|好)\]|as you wish(?: captain)?|it(?:'s| is) a yes|(?<![a-z0-9] )y(?=\W*$)|"
    r"sounds good to me|perfect settings|correct settings|looks good to me|sure(?: thing)?|most definitely|"
    r"go(?:od)? to go|big green light|right settings|einverstanden|good settings|thank god yes|exactly right|"
    r"why of course|damn straight|hell ?yea+h?|aye(?: aye)?|by all means|i confirm it|yes they are|"
    r"green ?light|affirmative|as proposed|ten[- ]four|cleared hot|it shall be|second that|oh god yes|"
    r"absolutely|definitely|you got it|i vote yes|yes indeed|as planned|damn right|you betcha|okie dokie|"
    r"yes please|yas queen|certainly|of course|precisely|confirmed|i confirm|naturally|i say yes|yes it is|"
    r"thumbs up|hell yeah|fuck yeah|heck yeah|go signal|passt so|for sure|positive|i concur|approved|accepted|"
    r"i accept|yes i am|yes i do|hell yes|fuck yes|heck yes|yes boss|plus one|seconded|can can|can lah|omg yes|"
    r"god yes|ye+a*h*|exactly|correct|i agree|granted|you bet|totally|yuppers|yeppers|aye aye|oh yeah|sí dale|"
    r"si dale|machen|can do|y+e+s+|yessir|surely|affirm|indeed|agreed|yassir|betcha|oh yes|jawohl|genau|passt|"
    r"yass+|ye+p+|yu+p+|agree|yiss+|claro|mach|ojbk|okjb|yeha|yeap|yas+|lgtm|sgtm|yis+|yarp|10-4|dale|vale|"
    r"\+1+|los|ofc|ypp|yas|ya+|yah|yus|wfm|jep|oui|sim|tak|ja|si|sí|da|да|はい|✅+|✔+|☑+|🆗+|🫡+"
)
YES_SINGLE: Final = r"(?<![\u4e00-\u9fff])(?:嗯+\s?)?(?:是|对|行|好|成|中|妥|准|允|批|√|✓)(?![\u4e00-\u9fff])"
"""Single characters count only when they stand alone: inside words they mean anything (可是, 中断, 好慢)."""

NOD: Final = r"(?:嗯+|恩+|唔)(?![\u4e00-\u9fff]?吗)"
"""A nod: agrees where the plan's own verb follows it."""

YES_CHINESE: Final = (
    r"(?:我|俺)(?:们)?(?:也|都|完全)?(?:同意|确认|批准|赞成|支持|授权|确定|没意见|没异议)|"
    r"按(?:这个|此|计划|方案|你说的|上面的)(?:方案|计划)?(?:来|办|执行|做|走|操作)吧?|就?(?:按|照)(?:你|您)(?:这个|这|说的)(?:来|办|做|弄|执行|搞)?(?:吧)?|"
    r"(?:对|是)?就是(?=\s?[\d\ue000a-z一二两三四五六七八九十])|就这个(?:范围|数|数字|版本|节点|服务|配置|镜像)(?:吧)?|"
    r"照(?:这个|此|计划|办|做)(?:办|做|来|执行)?吧?|可(?:以)+(?:的|滴|哒|呀|啊|噻|撒|哈|捏)|我(?:也|完全)?(?:没问题|ok|可以)|"
    r"就按这个(?:来|办|执行|做|走)?吧?|确认(?:ok|可以|没问题|执行)|是这个(?:没错|服务|版本|节点)|对(?=就|把|将|给|按|照)|绝对(?:可以|没问题|的)|系(?=[,.!]|$)|"
    r"得(?=[,.!]|$)|百分百(?:同意|确认)|就这个(?:了|吧)?|系(?:呀|啊|嘅)|准(?:了|奏|许)|阔以(?:阔以)*|行得(?:很)?|确定以及肯定|就这么定了?|就这样办吧?|"
    r"就这样做吧?|没有任何问题|好的der|同意\+1|yes确认|完全没问题|就这么办吧|就这么着吧|就这么干吧|可以的呢|好der|okok|没错没错|要得要得|巴适得很|必须可以|确认无疑|ok确认|"
    r"么得问题|莫得问题|没得问题|没得问题|可以可以|没问题的|没问题哈|没有问题|没有意见|没有异议|毫无问题|木有问题|当然可以|欧克欧克|完全正确|就这么办|就这么着|就这么干|毫无异议|完全同意|非常同意|"
    r"完全可以|信息无误|确认无误|核对无误|如你所说|可以嘅|冇问题|中中中|是这台|就这台|就这版|妥妥的|ok的|ok呀|ok啊|对对对|是是是|行行行|好好好|可以的|可以啊|可以呀|可以滴|可以哒|没问题|"
    r"没毛病|没错的|没意见|没异议|无异议|无意见|冇问题|我确认|确认了|已确认|我确定|确定的|肯定的|必须的|必须滴|我同意|同意的|我批准|听你的|是这个|必须|允了|冇错|安逸|好嘅|好噶|附议|照准|"
    r"就它|妥妥|是的|是滴|是哒|是呀|是啊|对的|对滴|对哒|对头|对呀|对啊|对对|是是|行行|好好|行的|行啊|行呀|行嘞|行吧|行哈|行滴|成啊|成吧|成嘞|中啊|中嘞|中中|得嘞|得咧|得勒|妥的|妥嘞|"
    r"好滴|好嘞|好咧|好哒|好勒|好呀|好啊|好哇|好吧|好哈|要得|巴适|可以|没错|确认|确定|肯定|当然|同意|赞成|赞同|批准|准奏|允许|许可|认可|授权|支持|欧克|欧了|哦了|正确|正解|照办|依你|"
    r"无误|准确"
)
OKAY: Final = (
    r"(?:ok ){2,}ok|o+k+(?:a+y+)?|okk+|okie(?: dokie)?|oki+|okey(?:[- ]?dokey)?|(?<!\d )k+(?! ?\d)|kay|alright|"
    r"all right|fine|"
    r"alrighty|"
    r"righto|okay doke|"
    r"👍+|👌+|💯+|🙆[♀♂]?|\[(?:thumbsup|赞|强|点赞)\]"
)
OKAY_CHINESE: Final = r"好的|好的呢|好的呀|好的哈"
GO: Final = (
    r"go ahead (?:with (?:it|that|this)|and (?:(?:do|run|execute|apply|proceed with|launch|start) (?:i"
    r"t|that|this)|proceed|execute|apply|set it|do that))|"
    r"(?:please |pls |kindly |just |let's |lets )?(?:execute|run|apply|launch|start) (?:it|that|this|the plan|"
    r"the change)(?: now| already)?|"
    r"(?:you're|you are|ur|we're|we are) (?:cleared|clear|good|ok|okay)(?: (?:to go|to proceed|hot|for launch))|"
    r"(?:please |pls |just )?(?:go ahead|goahead|go right ahead|go for it)(?: (?:please|pls|now|then))?|"
    r"(?:you|u) (?:may|can) (?:now )?(?:proceed|go ahead|execute|continue|start|run it|do it|do that)|"
    r"(?:please |pls |kindly |just )?(?:do (?:it|so|that|this)|pull the trigger)(?: now| already)?|"
    r"go ahead and (?:do|run|execute|apply|proceed with|launch|start) (?:it|that|this)|"
    r"proceed (?:with (?:it|that|this|the plan)|as (?:shown|planned|proposed|discussed))|"
    r"(?:you|u) (?:may|can) (?:now )?(?:proceed|go ahead|execute|run it|do it|do that)|"
    r"(?:please |pls )?go ahead (?:please|pls|and set it|and run it|and do that)|"
    r"i(?:'d| would) (?:really )?(?:like|love) that(?: (?:a ?lot|very much))?|"
    r"proceed (?:as (?:shown|planned|proposed|discussed))|apply(?: (?:it|that|this|the change|the plan|now))?|"
    r"please (?:do|proceed|execute)(?: (?:so|it|that))?|feel free(?: to (?:proceed|go ahead|continue))?|"
    r"go ahead and (?:proceed|execute|apply)|please (?:proceed|continue|execute|run it|go)|"
    r"(?:please|just|kindly) (?:proceed|execute)|execute(?: (?:it|that|this|the plan|now))?|"
    r"run (?:it|that|this|with it|the plan|now)|(?:please |pls |kindly )?do the needful|"
    r"proceed with (?:it|that|this|the plan)|go ahead with (?:it|that|this)|let'?s do (?:it|this|that)|"
    r"clear to (?:proceed|go)|just do (?:it|that)|make that change|full steam ahead|make the change|"
    r"work your magic|good to proceed|let it go live|go for liftoff|get on with it|let'?s proceed|"
    r"make it happen|go for launch|execute order|do your thing|let'?s gooo+|(?:go ?){2,}|push it out|"
    r"roll it out|let'?s goo+|light it up|get it done|kick it off|let'?s roll|let it roll|let her rip|"
    r"i want that|bring it on|have at it|okay to go|let it rip|make it so|do{2,} it|let'?s go|i want it|"
    r"crack on|smash it|punch it|ok to go|continue|execute|proceed|do i+t+|go nuts|run run|push it|roll it|"
    r"roll on|ship it|send it|go{3,}|do eet|set it|hit it|engage|begin|start|ship|lfg|run|go|🚀+|▶+"
)
"""Imperatives that can only be meant of the plan."""

GO_CHINESE: Final = (
    r"(?:请|麻烦|劳烦)?(?:开始|立即|马上|立刻|赶紧|直接|现在就?|快|赶快|尽快|就)?(?:(?:执行|操作|实施|落地)(?:吧|一下吧?)|执行(?:呀|即可|就行|就好)?)|"
    r"(?:开始|立即|马上|立刻|赶紧|直接|现在就?|快|赶快|尽快|就)?(?:执行|操作|实施|落地|提交|启动)(?:吧|呀|啊|一下吧|即可|就行|就好)?|"
    r"就?(?:这么|这样|按这个|照这个)(?:弄|办|干|做|来|执行|操作)(?:吧)?|"
    r"(?<![\u4e00-\u9fff])(?:走|上|冲|干|搞|整|跑|弄|做|来|发)(?![\u4e00-\u9fff])|"
    r"(?:同意|批准|确认|允许|确定)(?:执行|操作|变更|提交|该操作|这个操作|此操作|方案|计划|变更方案|继续)+|"
    r"(?:请|麻烦|劳烦)?(?:帮忙|帮我|给我|替我|你|帮)?(?:执行|操作|弄)(?:一下|下)?(?:吧)?|"
    r"(?<![\u4e00-\u9fff])(?:赶紧|赶快|速度|麻利)(?![\u4e00-\u9fff])|"
    r"(?:请|麻烦|劳烦)(?:帮忙|帮我|给我|替我|你)?(?:执行|操作)(?:一下|下)?(?:吧)?|"
    r"按(?:这个|此|计划|方案|上面的?|卡片)(?:的)?(?:弄|办|执行)(?:吧)?|(?:go|run|do|ok|apply|ship|push|deploy|merge)\s?吧|"
    r"(?:执行|操作|提交|干|弄|搞|上|做|整|发|跑|走|冲|来|起)(?:吧|呗|起来?|它)|(?:同意|批准|确认|允许|确定)(?:执行|操作|实施|提交|该操作|这个操作|此操作)+|"
    r"(?:就|给我)?(?:这么|这样|按这个|照这个)(?:执行|操作)(?:吧)?|可以(?:执行|操作|开始|继续|搞|上|动手|干|做|走)(?:了|啦|吧)?|"
    r"可以(?:继续|接着)(?:发|跑|滚|走|放)?(?:了)?|可以(?:执行|操作|动手)(?:了|啦|吧)?|开始(?![\u4e00-\u9fff])|给我(?:冲|上|搞|干|跑)(?:吧)?|"
    r"请(?:执行|操作|继续|开始|确认执行)|放心(?:弄|上|做|整|操作|跑)吧?|(?:go|run|do|ok)吧|接着(?:来|干|弄|搞|走)|开始(?:搞|干|弄|执行)|"
    r"冲(?:冲|啊|鸭|鸭+)*|放心(?:干|执行|搞)吧?|麻烦执行(?:一下|下)?|快{3,}(?:点)?|跑+(?:吧|起来)?|麻溜(?:儿|的)+|郁(?:手)?啦|郁手(?:啦)?|动手吧?|"
    r"确认执行|搞起来?|走起来?|整起来?|干就完了|动手吧?|麻溜的?|快点吧?|继续执行|继续操作|冲+啊*|来一发|开始吧|安排上|安排吧|赶紧的|搞快点|继续吧|请继续|去做吧|往下走|走走走|冲冲冲|"
    r"认了|走着|走你|开整|开干|开搞|开冲|上车|安排|发车|发射|动手|速度|速速|继续|弄吧|干吧|上吧|搞吧|做吧|整吧|跑吧|放行|干活|开工|开动|开火|整|搞|干"
)
"""Likewise."""

JUDGED: Final = (
    r"it(?:'s| is)(?: (?:absolutely|exactly|totally|completely|quite))* (?:correct|right|accurate|confirmed)|"
    r"that(?:'s| is) fine by me|you(?:'ve)? got it(?: right| correctly)?|"
    r"that (?:all )?sounds (?:good|great|perfect|fine)(?: to me)?|that suits me(?: well| fine)?|"
    r"(?:the )?(?:image|tag|version|revision|target|name|count|number) (?:is|are|looks) (?:correct|right|fine|good|"
    r"ok|okay)|"
    r"(?:those|these|the) (?:numbers|values|bounds|limits) (?:are|look|seem) (?:fine|good|right|ok|okay|"
    r"correct|great)|"
    r"(?:(?:that|this|all (?:of )?(?:that|this|it)|the plan|this plan|your plan|the number|the info|all (?:the|"
    r"that) info(?:rmation)?|(?:all )?the details)"
    r"(?: all)?(?:'s| is|s| are| sounds?| looks?| would be| will be|'ll be|'d be| suits)|sounds?|looks?|"
    r"(?<=\d )is)"
    r"(?: (?:all|very|perfectly|absolutely|exactly|totally|quite|just|completely|really|definitely|100%|also))*"
    r" (?:correct|right|fine|ok|okay|accurate|confirmed|approved|acceptable|affirmative|alright|in order|"
    r"good to go|good enough|"
    r"what i (?:want|wanted|meant|asked for)|the right one)(?: (?:to|for|with|"
    r"by) me(?: too)?)?"
    r""
    r"|that(?:'ll| will| would|'d)? (?:works?|suits?)(?: (?:well|fine|perfectly|great|nicely|"
    r"just fine))?(?: for me| me(?: well| fine)?)?"
    r"|(?:that|this|it)(?:'d| would|'ll| will) be (?:great|perfect|awesome|wonderful|lovely|excellent|ideal|"
    r"fantastic|nice|good|fine|yes)"
    r"|(?:it|that|this|that answer|the answer|the statement|this statement)(?:'s| is)(?: (?:very|totally|indeed|"
    r"absolutely|so))* (?:a )?(?:yes|affirmative)"
    r""
    r"|(?:i'm|im|i am) (?:ok|okay|fine|good|happy|cool|on board|comfortable|satisfied) (?:with|w) (?:that|this|it|"
    r"the plan)|"
    r"works for me|suits me(?: well| fine)?|"
    r"(?:sounds|looks) (?:good|right|great|perfect|fine|correct|excellent|ok|okay|reasonable|like a plan|awesome|"
    r"wonderful|very good|amazing|nice|cool|lovely)(?: to me)?|"
    r"exactly (?:right|correct|that)|all (?:correct|right)|quite right|just right|right you are|spot on|"
    r"fine (?:by|with) me|"
    r"that is confirmed to proceed|correct and confirmed"
)
JUDGED_CHINESE: Final = (
    r"(?:这个|这样|方案|计划|参数|数量|信息|内容)(?:都|就)?(?:可以|没问题|没毛病|行|对|对的|ok|合适|正确|无误|没错|合理|同意|可行|"
    r"没有问题)(?:的|啊|呀)?"
)
PRAISE: Final = (
    r"(?:(?:that|this|it)(?:'s| is| would be| will be|'ll be|'d be| sounds| looks)? )?(?:(?:really|very|just|"
    r"absolutely|simply|so|pretty|that|quite) )*(?:perfect|great|excellent|wonderful|awesome|"
    r"nice|lovely|fantastic|amazing|cool|good|superb|brilliant|sweet|neat|well)(?: (?:for|to|with) me)?|that(?:'s|"
    r" is) (?:it|all of it)|is (?:perfect|great|good)|太好了|很好|挺好|不错|完美|漂亮|厉害|真棒|牛|赞|nice"
)
THANKS: Final = (
    r"thanks in advance|thank you in advance|tq|danke|merci|gracias|感谢感谢|谢谢谢谢|"
    r"thanks(?: (?:a lot|so much|very much|a bunch|a ton|again|much))*|(?:many|much) thanks|thank (?:you|u|"
    r"ya)(?: (?:very|so) much| a lot)?|thx|ty|tks|cheers|much appreciated|appreciated|appreciate it|"
    r"i appreciate it|"
    r"谢谢|谢谢你|谢谢啦|谢啦|谢了|多谢|感谢|谢谢哈|谢谢您|3q|🙏+|辛苦(?:了|啦|你了|您了|大家了)?"
)
PLEASE: Final = r"please|pls|plz|plse|kindly|pretty please|请|麻烦|麻烦你|劳烦"
ASKABLE: Final = r"approve(?: (?:it|this|that|the plan))?|confirm(?: the (?:plan|change|action|operation|execution))?"
SEEN: Final = (
    r"oh|ah|all good|no worries|got it|understood|roger(?: that)?|copy(?: that)?|noted|ack|i see|i understand|"
    r"no problem|"
    r"明白|明白了|收到|了解|了解了|知道了|懂了|可以了"
)
URGED: Final = (
    r"@bot|bot bot|bot|now|(?<=it )already|(?<=go )already|💪+|🔥+|🚢+|🟢+|🏃+|⚡+|💥+|🙌+|🤝+|"
    r"👊+|✊+|🎯+|😎+|bitte|schnell|immediately|asap|"
    r"(?:(?<=it )|(?<=go )|(?<=that )|(?<=yes )|(?<=ahead ))right (?:now|away)"
)
"""What presses on with a yes. It tells nothing of the plan or of how things are."""

URGED_CHINESE: Final = r"就|立刻|立即|赶紧|赶快|直接|这个|该操作|此操作|这个操作|该|此"

JOINED: Final = "and|then"

FILL: Final = (
    r"no notes|about (?:bloody |damn )?time|lah|leh|liao|omg|so|just|well|hey|for me|"
    r"(?<!it )(?<!that )(?<!this )(?<!go )(?:from me|from my side|on my (?:side|end))|"
    r"absolutely|totally|definitely|of course|indeed|you(?:'re| are) (?:right|correct)|for sure"
)
"""What goes with a plain yes only: beside a name or a judgement it may tell how things are ("finally web is good")."""

FILL_CHINESE: Final = (
    r"您好|你好|佢|嘅|噻|撒|捏|哩|哒|滴|喔|呗|儿|嘿|(?<=[\u4e00-\u9fff])(?:啊|呀|哈)|哦|噢|嗯|恩|哟|呐|那就|来"
)
