"""What people say inside a flow, both languages: leave it, wait, doubt, ask, change, end. Data only."""

from __future__ import annotations

from typing import Final

OPENERS: Final = (
    r"(?:(?:ok|okay|k|kk|yes|yeah|yep|no|nope|nah|well|so|oh|ah|um|uh|hmm|hm|hey|hi|sorry|actually|wait|and|but|please|"
    r"pls|you know what|on second thought|"
    r"alright|right|thanks|thank you|sure|then|just|bot|ai|damn|oops|guys|great|cool|good|好的?|好了|好吧|嗯++|额|呃|"
    r"那个|那就|那|哎|诶|唉|哦|噢|行|对|是的|不|请|麻烦|还是|我们?|要不|等等|等一下|抱歉|不好意思|"
    r"对不起)(?![a-z'])[\s,.!:;-]*){0,6}"
)
"""Little words that may come first."""

_OBJECT = (
    r"(?: (?:it|this|that|everything|all|all of (?:it|them|that)|both|them|the (?:\w+ ){0,2}(?:plan|plans|"
    r"operation|operations|action|request|change|changes|scaling|scale|scale-up|restart|rollback|"
    r"rollout|process|job|task|command|order|deployment|thing|whole thing|flow|session|execution|pending \w+)|"
    r"my (?:\w+ )?(?:request|command|order)|(?:this|that|current|last|pending|previous) (?:\w+ )?"
    r"(?:plan|operation|flow|session|conversation|dialog|thread|action|request|"
    r"change|scaling|scale|restart|rollback|process|job|task|command|order|one|thing)|N))?"
)
CANCEL_EN: Final = (
    r"no (?:rollback|restart|scaling|drain|pause|delete|cordon|change|upgrade|deploy)(?: (?:necessary|needed|"
    r"required|please|pls|today|now))*|hands off(?: (?:the )?\w+)?(?: please)?|never ?mind (?:the )?\w+|oops,? no|"
    r"nein|abbrechen|let it (?:finish|complete)|"
    r"keep (?:it|that|this|the (?:pod|node|image|tag|version|current \w+))(?: (?:as (?:it )?is|for now|running))?|"
    r"leave (?:the |that |this )?\w+ (?:alone|be|in peace)|ignore(?: me| it| that| this)?|(?:it|that|"
    r"this) was a mistake|my mistake|mistake|doesn't count|"
    rf"(?:cancel|abort|scrap|discard|abandon|drop|terminate|kill|void|revoke|withdraw|reject|decline|deny|veto|"
    rf"scratch|halt|quit|stop|undo|rescind|call off|nix|can|bin|forget|forget about|ditch|"
    rf"back out of|cease|skip|park|shelve|dismiss|close|end|exit|leave|exit from|get out of){_OBJECT}(?: (?:now|"
    rf"please|pls|plz|"
    rf"immediately|right (?:now|away)|for now|then|entirely|completely|altogether|request|all|alone|off|be|"
    rf"as (?:it )?is|for today|asap))*"
    r"|cancell?ed|aborted|rejected|declined|denied|refused|vetoed|never ?mind(?: (?:that|it|this|then|about (?:it|"
    r"that|this)|all that))?|nvm|forget (?:it|that|about it|about that|this)|no thanks?(?: you)?|no thank you|"
    r"not now|not today|nope|nah|no|no no+|no way|hell no|no go|n|nay|negative|negatory|absolutely not|"
    r"definitely not|certainly not|of course not|not really|not happening|not this time|not going to happen|"
    rf"(?:please )?(?:do not|don't|dont|don t) (?:do|run|execute|apply|proceed|continue|go ahead|go on|touch|scale|"
    rf"restart|bother|start|perform|make|roll ?back|roll|deploy|pause|drain|cordon|delete|want|launch|change|carry|"
    rf"confirm|approve)"
    rf"(?: (?:with|out))?{_OBJECT}(?: (?:up|down|back|out|in|anymore|any more|please|at all|again|now|changes?|"
    rf"anything|to|it|that))*|(?:please )?don't(?: please)?|do not|"
    r"(?:i |we )?(?:don't|do not|no longer|dont) (?:want|need) (?:this|that|it|to|to (?:do|proceed|continue|run|"
    r"scale|restart|go)|anymore|to \w+ (?:it|that|this)|any of (?:this|that))(?: (?:anymore|any more|any longer|"
    r"now|ahead|with (?:it|this|that)|after all|up|down))*|"
    r"(?:i |i've |i have |we )?changed? (?:my|our) minds?|leave (?:it|things|everything|that|them|N)(?: (?:alone|"
    r"as (?:it )?(?:is|are)|be|like (?:that|this)|there|the way it is|for now))?|call (?:it|this|that|"
    r"the whole thing) off|"
    r"no,? (?:don't|do not|stop|cancel)(?: do)?(?: (?:it|that|this))?|let's not(?: do (?:it|that|this))?|let it be|"
    r"better not|rather not|i'd rather not|i(?:'ll| will) pass|ill pass|pass|hard pass|stop right there|"
    r"(?:pls |plz |please )?(?:dont|don t|don't)|(?:so |there's |there is |now )?no (?:\w+ ){0,2}(?:needed|"
    r"necessary|required|more)|no need (?:to|for) (?:\w+ ?){1,3}|cancel+ed|nopes?|noo+|nooo+|hold fire|"
    r"abort mission|scratch it|kill this|kill the plan|leave (?:it|that|this|the )?(?:\w+ )?(?:as|like|where|"
    r"how) (?:it|they) (?:is|was|are|were)|"
    r"disregard(?: (?:it|that|this|the \w+|my last \w+))?|ignore (?:it|that|this|my (?:last )?\w+)|"
    r"not needed(?: anymore)?|no need(?: anymore| for (?:it|this|that)| to)?|it's not needed|not necessary|"
    r"unnecessary|false alarm|my bad|wrong (?:channel|chat|window)|"
    r"roll (?:that|it) off the table|pull the plug|stand down|no deal|don't go (?:ahead|through)(?: with (?:it|that))?"
)
EXIT_EN: Final = (
    r"exit|esc(?:ape)?|quit|leave|end (?:the |this |our )?(?:session|chat|conversation|talk|flow|dialog(?:ue)?|"
    r"thread|call)|"
    r"(?:close|finish|terminate|stop|leave|exit|kill) (?:the |this |our )?(?:session|chat|conversation|ticket|flow|"
    r"dialog(?:ue)?|thread|case|wizard|menu)|"
    r"start (?:over|again|from scratch|afresh|anew|fresh)|reset(?: (?:everything|the (?:session|conversation|chat|"
    r"flow)|this|session|it all))?|begin again|restart (?:the )?(?:session|conversation|chat|flow)|"
    r"back to (?:the )?(?:start|beginning|main menu|menu|main)|main menu|"
    r"go back|(?:good ?)?bye(?: bye)?|see (?:you|ya)(?: later)?|that(?:'s| is|'ll be| will be) (?:all|it|"
    r"enough)(?: for (?:now|today))?|(?:i'm|i am|we're|we are) (?:done|finished|out|leaving)(?: (?:here|with this|"
    r"for (?:now|today)))?|(?:get|let) me out(?: of (?:here|this))?|"
    r"i(?:'m| am) out|i want (?:out|to (?:exit|quit|leave|stop))|stop (?:talking|chatting|bothering me|this chat)|"
    r"we're done here|take me (?:back|out)|new (?:session|conversation|topic)|nothing (?:else|more)|log ?out|"
    r"sign ?out|cya|farewell|enough"
)
CANCEL_ZH: Final = (
    r"不用(?:再)?(?:停|扩|缩|重启|回滚|回|换|删|排|封|放|滚)了?|别滚了?|哎?算(?:啦|喇)(?:算(?:啦|喇))*|唔(?:好|要|"
    r"使|换|扩|缩|停|删|排)(?:扩|缩|换|停|删|排|郁)?(?:住|啦|喇|了)*|取消佢|当我(?:冇|没)(?:讲|说)过?|撤(?:回|了|销|"
    r"掉)(?:吧|这条|这个)*|"
    r"保持(?:原样|现状|不变)|维持(?:原样|现状|不变)|不动它?|取消(?:恢复|暂停|发布|排空|封锁|删除|更新|升级|"
    r"调整)(?:吧|了)?|"
    r"(?:刚才|这)?(?:那个|个|条)?不(?:算|作数)(?:数|了)?|不(?:回|退)(?:滚|去|了)*|别(?:回|退)(?:滚|去|了)*|"
    r"取消(?:掉|吧|了|它|一下|这个|该|此|本次|这次|刚才的?|刚刚的?|上面的?|所有|全部)*(?:操作|计划|请求|变更|扩容|"
    r"缩容|重启|回滚|任务|申请|执行|指令)*(?:吧|了|掉)?|算了(?:吧|算了)?|不用了?(?:吧|啦|弄了?|扩了?|重启了?|"
    r"执行了?|做了?|改了?|管了?)?|不要了?(?:吧|执行|操作|做|弄|扩容?|缩容?|重启|回滚|动|搞|继续|改)?(?:了|它|吧)?|"
    r"不(?:换|升级?|删除?|排空?|封锁?|放开?|恢复|暂停|停|跑|调|设|上|下|整|来|推|拉|迁|赶|解封|隔离|碰|加|减|扔|杀|"
    r"圈|执行|操作|扩容?|缩容?|重启|回滚|做|弄|搞|干|继续|动|改|发|同意|批准|批|通过|允许|许可|确认|可以|行|成|"
    r"必|需要|想(?:要|扩|弄|做|执行|重启)*|打算(?:扩|弄|做|执行|重启)*)了?(?:吧|啦|它)?|"
    r"(?:先|千万|还是|都|就|请)?(?:别|甭|勿|莫)(?:再)?(?:drain|restart|scale|pause|resume|rollback|delete|kill|"
    r"cordon|换|升级?|删除?|排空?|封锁?|放开?|恢复|暂停|停|调|设|下|整|来|推|拉|迁|赶|解封|隔离|加|减|扔|杀|圈|执行|"
    r"操作|扩容?|缩容?|重启|回滚|做|弄|搞|干|继续|动|改|发|"
    r"了|跑|提交|这么|这样|碰|点|上)(?:做|干|弄|搞|了|它|吧|手|这个)*|"
    r"(?:先|暂时|还是|就|我们?)+(?:不|别)(?:要|用|执行|操作|扩容?|缩容?|重启|回滚|做|弄|搞|动|改|发|了)?(?:执行|"
    r"操作|扩容?|缩容?|重启|回滚|做|弄|搞|动|改)?(?:了|它|吧)?|"
    r"别(?:了|啊|呀)?|停(?:止|下|掉|手|一停)?(?:执行|操作|扩容|重启|它|吧|下来?|这个(?:操作)?)?|终止(?:操作|执行|"
    r"流程|它|吧|"
    r"这个(?:操作)?)?|中(?:止|断)(?:操作|执行|流程|它|吧)?|放弃(?:了|吧|操作|执行|本次|这个|这次|扩容|计划)*|"
    r"撤销?(?:回|掉|了|吧|它)?(?:这个|本次|这次|该|此|刚才的?)*(?:操作|计划|请求|变更|扩容|申请)?|"
    r"(?:这个|本次|这次|该|此)?(?:操作|计划|请求|变更|申请)?(?:就)?作废(?:了|吧|掉)?|驳回(?:吧|了|这个(?:操作|申请|"
    r"请求)?)?|拒绝(?:执行|操作|了|吧|这个(?:操作|请求|申请)?)?|否决(?:了|吧)?|否|不|不了|不啦|不不+|no|打住|收手|"
    r"大可不必|不许(?:动|弄|重启|执行)?(?:生产|线上)?|不准(?:动|弄|执行|重启|扩|缩|回滚|发)|使不得|要不得|万万不可|"
    r"疯了吧?|开什么玩笑|开玩笑呢?|你敢|住手|刹车|手滑(?:了)?|手抖(?:了)?|(?:点|按|发|输|打|搞|弄|看|选)错(?:了|群|"
    r"人|窗口|频道)*|误(?:触|操作|会|发)(?:了)?|"
    r"忽略(?:我|它|这条?|上(?:一)?条|掉)*|无视(?:我|它)?|达咩|哒咩|唔使(?:喇|啦|了|郁)?|唔好(?:郁)?|唔要|唔得|"
    r"莫(?:搞|动|弄|整)(?:了)?|甭(?:管|弄|搞|扩|动)?了?|撤(?:了|吧|回|销|掉)+|回绝|谢绝|拒(?:了|绝)*|不批|"
    r"不予(?:通过|批准)|毙(?:了|掉)|打住|qx|pass掉?|"
    r"免了|罢了|拉倒(?:吧)?|作罢|没必要(?:了|扩了?)?|不必了?|无需(?:执行|操作|扩容)?|"
    r"搁置(?:吧)?|丢弃|废弃|删(?:掉|除)这个(?:计划|请求|操作)|当我没说|忘了(?:吧|它|这事)?|发错了?(?:群|了|人)?|"
    r"搞错了?(?:群|了|人)?|弄错了|改主意了|我改主意了?|反悔了?|还是算了(?:吧)?|到此为止|不干了|叫停(?:吧)?|"
    r"关掉(?:它|这个(?:计划|操作)?)?|退回(?:吧)?|打回(?:去|吧)?"
)
EXIT_ZH: Final = (
    r"退出(?:吧|机器人(?:模式)?|[\u4e00-\u9fff]{0,4}模式|流程|对话|会话|当前(?:流程|对话|会话|操作)|这个(?:流程|"
    r"对话|会话)|了)?|(?:结束|关闭|关掉|终止|中止|"
    r"停止|离开)(?:掉|当前|这个|本次|这次|该|此|了|吧|一下)*(?:工单)?(?:的)?(?:对话|会话|流程|聊天|工单|话题|任务|"
    r"菜单)(?:吧|了)?|结束(?:吧|了)?|关闭(?:吧|了)?|退了(?:吧)?|"
    r"重新(?:开始|来|来过|走一遍|发起)(?:吧|一次|一遍)?|重来(?:吧|一遍|一次)?|从头(?:开始|来|再来)(?:吧|一遍)?|"
    r"返回(?:主菜单|首页|上一级|上级|菜单|主页|初始状态)?|回到?(?:主菜单|首页|开头|起点|菜单|最开始|初始状态)|"
    r"主菜单|"
    r"不(?:聊|说|谈|玩|问)了|再见|拜拜?|白白|88+|回见|先这样吧?|就到这(?:里|儿)?(?:吧)?|没(?:别的)?事了|走了|"
    r"下线了?|我走了|溜了|跳出(?:流程|去)?|离开(?:吧)?|exit|esc(?:ape)?|quit|bye|重置(?:会话|对话|一下)?"
)

EXIT_ANYWHERE: Final = (
    r"\b(?:exit|quit|leave|end|close|stop|terminate|get out of|finish|abandon|abort|kill|clear|wipe|reset|"
    r"restart) (?:\w+ ){0,3}?"
    r"(?:session|chat|conversation|flow|dialog(?:ue)?|ticket|wizard|context|everything)\b|"
    r"\b(?:back|return) to (?:the |our )?(?:\w+ )?(?:menu|start|beginning)\b|\bfrom (?:the beginning|scratch)\b|"
    r"\bstart(?:ing)? over\b|"
    r"\bnew (?:chat|session|conversation)\b|\b(?:signing|logging) off\b|\b(?:all )?done here\b|\bstop here\b|"
    r"^(?:ok |no |well |please )*(?:can i |could i |may i |i want to |i |want to |let's |let me )?(?:exit|quit)\b|"
    r"(?:退出|结束|关闭|关掉|关了|终止|中止|离开|退|跳过|不走).{0,8}(?:对话|会话|流程|工单|聊天|聊|菜单|话题)|"
    r"(?:对话|会话|流程|工单|聊天).{0,6}(?:结束|关闭|关掉|关了|终止|到此|不走)|(?:清空|清除|清掉|重置|忘掉|"
    r"忘记)(?:一?下)?(?:上下文|对话|会话|重来|刚才|之前|记录|所有)|"
    r"(?:新|重新)开(?:一)?个?(?:新的?)?(?:会话|对话|话题)|开个新的?(?:会话|对话|话题)|"
    r"(?:我|先)(?:先)?(?:撤|走|下|溜|退|闪)了|下班了|到此(?:结束|为止)|(?:先|就)到(?:这|此)|重新来(?:一遍|过)?|"
    r"从头再?来|^(?:走人|闪人|闪了|退|over|完毕)$|"
    r"回到?(?:开始|首页|主页|最初|最开始|上一步|上一层|上一级|起点)|返回(?:上一步|上一层|上一级|首页|主菜单|上级)|"
    r"不用你了|机器人(?:退下|走开|闭嘴)|"
    r"不想?再?(?:继续|聊|弄|处理|走|办)了"
)
"""What ends the talk wherever it stands in a message that is no question."""

SWITCH: Final = (
    r"\b(?:(?:something|anything) else|another (?:task|issue|problem|topic|question|incident|thing|matter|request)|"
    r"(?:a )?(?:different|new) (?:task|topic|issue|thing|request|problem|matter|subject)|"
    r"(?:change|switch) (?:the )?(?:topic|subject|task|context|tasks|topics|gears))\b|"
    r"换个?(?:一个)?(?:话题|任务|事|问题|操作)|(?:做|处理|看|弄|搞|说|聊)(?:点|一下|下|个)?(?:别的|其他|另一个|另外)|"
    r"另一个(?:问题|任务|事|故障|告警|操作)|(?:别的|其他)(?:事|问题|任务|操作)"
)
"""Turning to something else without saying what."""

CORRECTION: Final = (
    r"^(?:(?:no+|nope|nah|actually|sorry|i'm sorry|wait|oh|well|hmm|ok|okay|hi|hey)[\s,.!;:-]+)*(?:please |kindly )*"
    r"(?:i(?:'d| would|'ll| will)?(?: actually| really| rather| also| only| just)* (?:want|need|like|prefer|meant?|"
    r"said|have|take|go with|wish)\b"
    r"|(?:let's |let me )?(?:make|change|try|set|put|switch|move|adjust|modify|update) |(?:it|that|this|"
    r"the \w+(?: \w+)?) (?:should|needs to|has to|must|is supposed to) be\b"
    r"|(?:can|could|would) you (?:\w+ )?(?:make|change|try|set|use|switch|move|do|get|put|find|book|play|reserve|"
    r"adjust|modify)\b|(?:just|only|for|on|in|at|with) )"
    r"(?!.*\b(?:cancel|stop|don't|not (?:sure|do|to)|human|person|someone|exit|quit|wait|think|check|see|know|ask|"
    r"confirm|leave|time|minute|sec\w*|moment|help|lunch|a while|a bit)\b)"
    r"|^(?:(?:no+|nope|nah|actually|sorry|wait)[\s,.!;:-]+)+.*\binstead\b|\b(?:i (?:have )?changed my (?:mind|"
    r"plans?)|change of plans?)\b.*\b(?:i|make|it|to|let's|want|need)\b"
)
"""A correction whose content cannot be placed: it changes something, and the bot asks what."""

HOLD_EN: Final = (
    r"bear with (?:me|us)|give (?:it|them|us|him|her|me) (?:a |an |another |some |\d+ )?(?:sec|second|min|minute|"
    r"moment|few|time|bit)\w*|let (?:it|them|him|her) (?:finish|do|run|bake|soak|complete)|pinged|paging|calling|"
    r"asking|gah|emm+|ehh+|meh|yikes|wait wait|ask me|ask again|wait(?:ing)?|hold(?: on| up| off| it| that thought|"
    r" your horses)?|hang on|hmm+|hm+|umm*|uhh*|erm*|huh|"
    r"one (?:sec(?:ond)?|moment|minute|min)|(?:a|just a|gimme a|give me a|give me one|need a|just one|half a) "
    r"(?:sec(?:ond)?|moment|minute|min|bit|while|mo)|moment(?: please)?|(?:give me|need|wait) (?:\d+|a few|two|"
    r"five|ten|some|more) ?(?:sec\w*|min\w*|time)|let me (?:check|think|see|look|verify|ask|confirm|read|double|"
    r"have|take|get|consult|talk|finish)|"
    r"(?:i'm |i am )?(?:still )?(?:not (?:so |quite |entirely |really |very |100% |too |that |completely |"
    r"totally )?(?:sure|certain|convinced|confident|clear)|unsure|undecided|thinking|checking|looking|reading|"
    r"considering|hesitant|on the fence|torn)|maybe|perhaps|possibly|probably|"
    r"i guess|i suppose|i think so|might be|could be|not yet|later|brb|bbl|afk|dunno|(?:i )?don't know|do not know|"
    r"idk|no idea|lol|lmao|haha+|hehe+|rofl|interesting|need to (?:think|ask|check|talk)|waiting (?:for|on)|"
    r"stand ?by|"
    r"pause|ready when|patience|slow down|easy|not so fast|whoa|woah|hesitat\w+|in a (?:bit|sec|minute|moment|"
    r"while)|soon|after (?:lunch|the|my|i)|wow|ugh|oops|ping me|remind me|get back to (?:you|this|it)|"
    r"not confirmed|unconfirmed|haven't (?:confirmed|decided)|has (?:not|n't) confirmed|pending (?:my|his|her|"
    r"their|lee)|needs? (?:more )?(?:time|thought|review|discussion)|depends|either|whatever|up to you|your call|"
    r"you decide|doesn't matter|don't care|don't mind"
)
HOLD_ZH: Final = (
    r"dd(?![a-z])|emm+|啊这|唉|呃|额|哎|先(?:放|别急|缓|停一停|等|观察|观望)|缓|慢|容我|等|稍(?:等|候|后|微等)|且慢|"
    r"慢着|慢点|慢一点|别急|不急|不着急|莫急|我(?:先)?(?:看|想|考虑|确认|问|查|研究|"
    r"琢磨|核对|对一下|了解|评估|商量|讨论|盯)(?:看|想|问|查|一下|下|一看|一想|一眼)?|让我|容我|考虑|想想|想一想|"
    r"不(?:太|是很|大|怎么)?(?:确定|清楚|知道|了解|明白|好说|敢|肯定|放心)|也许|可能|大概|或许|应该|好像|似乎|"
    r"估计|说不(?:好|准|定)|嗯|呃|额|唔|哈哈|呵呵|嘿嘿|嘻嘻|哦|噢|在看|正在|看(?:下|看|一下|着)监控|晚点|待会|一会|"
    r"回头|还没|未确认|没确认|先放|缓一缓|缓缓|暂缓|再说|再等|再看看?|再想想?|再确认|观望|观察|犹豫|纠结|随便|都行|"
    r"都可以|无所谓|你定|你决定|看情况|看着办|不好说|"
    r"先不急|先看看?|先确认|问问|问一下|商量|讨论|开会|吃饭|马上回来|等我|等他|等她|等领导|领导|老板|暂停一下|"
    r"停一下再|辛苦|666|牛|厉害|笑死|哇"
)
DOUBT: Final = (
    r"\b(?:i guess|i suppose|i think so|maybe|perhaps|probably|possibly|not sure|unsure|not certain|might|hopefully|"
    r"i hope|seems (?:ok|okay|fine|right|good)|should be (?:ok|okay|fine|good|right))\b|好像|似乎|应该(?:可以|行|"
    r"没问题|是|对|没)|也许|大概|可能|或许|估计|不(?:太)?确定|说不准|吧\?"
)
OTHERS_CONFIRM: Final = (
    r"\b(?:he|she|they|\w+) (?:has |have |had |just |already |said |says |is |are |will |would |should |must |"
    r"needs to |still |also )*(?:confirm(?:ed|s)?|approv(?:ed|es?)|agreed|agrees|okayed|said (?:yes|ok|okay|no|go|"
    r"it's)|says (?:yes|ok|okay|no|go)|signed off)\b|"
    r"\bdid (?:he|she|they|\w+) (?:confirm|approve|agree|ok|say)|\bhas (?:he|she|they|anyone|somebody|"
    r"\w+) (?:confirmed|approved|agreed)|(?:waiting|wait) (?:for|on) .{0,30}(?:confirm|approv|ok)|"
    r"(?:他|她|他们|谁|有人|领导|老板|同事|主管|经理|值班|小\w|老\w|[\u4e00-\u9fff]{1,3}(?:总|哥|姐|工|"
    r"经理))(?:已经|刚|刚刚|说|还没|"
    r"没|都|也|昨天|今天|好像|是不是|有没有)*(?:确认|同意|批准|批|答应|通过|点头|说(?:可以|行|好|不行))|"
    r"等.{0,8}(?:确认|批准|同意|点头|审批)"
)
QUESTION_EN: Final = (
    r"(?:what(?! i (?:really |actually )?(?:want|need|mean))(?:'s|s|'re|'ll| if)?|why|when|who(?:'s|se|m)?|which|"
    r"where(?:'s)?|how(?:'s)?|is(?:n't)?|are(?:n't)?|"
    r"was(?:n't)?|were|does(?:n't)?|do(?:n't)? (?:you|we|i|they|the)|did(?:n't)?|can(?:'t)? (?:i|we|it|this|"
    r"that|they|the)|could (?:i|we|it|this|that|they)|"
    r"will(?! do\b)|would (?:it|this|that|they|i|we)|won't|should(?! (?:be|read|say|have|point|"
    r"go)\b)(?!'ve)(?:n't)?|has(?:n't)?|have (?:you|we|they|"
    r"i)|am i|"
    r"may i|any(?:thing|one|body)?|"
    r"tell me|explain|remind me (?:what|which|why|how|who|when|where)|describe|show me what|i (?:wonder|"
    r"was wondering)|wondering|"
    r"curious|just curious|quick question|question|(?:i )?(?:want|need|would like|'d like) to know|let me know|"
    r"do tell|define|clarify|elaborate|repeat|say (?:that|it) again|come again|pardon|sorry what|"
    r"in which|on which|for which|at what|by how|from where|to which|since when|confirm (?:which|what|that|whether|"
    r"if|how|the (?:details?|cluster|namespace|number|env\w*|target|service)|why|who|when|where)|double-check|"
    r"verify|check (?:whether|if|that)|make sure)\b"
)
QUESTION_ANYWHERE: Final = (
    r"\?|吗|么\s*[.!~]*$|呢\s*[.!~]*$|么(?=[,.\s])|几(?=\W*$)|[是到了之]几(?![\u4e00-\u9fff]?[年天])|(?:是|会|要|用|"
    r"走|从|按|选|给|能|在)[^,.!?;]{1,14}还是(?!算|别|不|先|改|用|得|让|我|请)|什么(?!都)|啥(?!都)|哪(?!怕)|谁|"
    r"几(?:个|点|台|分|次|号|时)|"
    r"多少|多久|多长|多大|多快|怎么(?!都)|怎样|咋|为何|为什么|为啥|如何|何时|干嘛|干啥|是不是|会不会|能不能|要不要|"
    r"有没有|可不可以|行不行|好不好|对不对|是否|能否|可否|该不该|用不用|需不需要|(?<!不)够不够|算不算|"
    r"\b(?:what|why|who|which|where) (?:is|are|was|does|did|do|will|would|about|else|if|happens|cluster|namespace|"
    r"env\w*|version|image|service|time|kind|one|replicas)\b|\bhow (?:many|much|long|come|about|does|do|did|is|are|"
    r"will|far|often|soon|risky|safe)\b|\bor not\b|确认(?:一下|下)(?:是|几|哪|这|现在|目标|参数|有|会|影响)|解释|"
    r"说明一下|介绍一下|讲讲|想知道|想问|请问|问一下(?!题)|告诉我"
)
MODIFY_EN: Final = (
    r"(?:change|modify|edit|adjust|alter|update|tweak|correct|fix|amend|revise|rework|switch)(?: (?:it|that|this|"
    r"the (?:number|count|replicas?|target|service|env\w*|plan|value|parameters?|cluster|namespace|amount|reason)|"
    r"something|a few things|one thing|the name))?|"
    r"(?:the )?(?:number|count|replicas?|target|service|env\w*|cluster|namespace|name|value) (?:is|are|'s|"
    r"looks) (?:wrong|incorrect|not right|off|too (?:high|low|many|few|much|big|small))|wrong (?:number|target|"
    r"env\w*|cluster|namespace|count|one|name|value)|"
    r"that's (?:too (?:many|few|much|high|low)|not the right \w+)|too (?:many|few|much|high|low)|(?:more|fewer|"
    r"less) (?:please|than that|replicas|pods)|another (?:way|number|env\w*|cluster|target)|"
    r"(?:do it )?(?:differently|another way|some other way)|"
    r"but (?:do|with|in|on|use|only|not|first|make|to|use|for|without|change|as|another|different)\b|except"
)
MODIFY_ZH: Final = (
    r"改(?:一?下|改|成|为|到|动|个|掉)|修改|调整|换(?:成|个|一个|为|到|一下)|(?:副本|数量|目标|环境|集群|服务|参数|"
    r"名字|数字|个数)(?:数)?(?:写|填|弄|搞|选|输|说)?(?:错|不对|有误|不正确|多了|少了|太多|太少|偏多|偏少)|(?:写|"
    r"填|弄|选|输|说)错了?(?:服务|环境|集群|数量|目标|副本|名字)?|"
    r"太多了?|太少了?|多了点?|少了点?|不够|换种(?:方式|方法)|另一种(?:方式|方法)|但是?(?:要|得|只|先|用|换|改|别)|"
    r"不过(?:要|得|只|先|用|换|改|别)"
)
BESIDE: Final = r"\b(?:also|by the way|btw|meanwhile|and)\b|顺便|另外|还有|对了"

DONE: Final = (
    r"(?>(?:ok|okay|great|good|cool|perfect|nice|awesome|fine|alright|yes|yep|no|nope|got it|i see|understood|well|"
    r"excellent|wonderful|super|lovely|sweet|solved|fixed|done|all good|all set|that's all|that is all|"
    r"that will be all|nothing else|bye|goodbye|good bye|see you|cheers|"
    r"thanks|thank you|thank u|thx|ty|tks|many thanks|much appreciated|appreciated?|so much|very much|a lot|again|"
    r"for (?:the|your|all the) (?:help|info|information|update|answer|support|assistance|quick \w+)|for (?:helping|"
    r"checking|looking|that|this|now|today)|you're (?:great|awesome|the best)|"
    r"it works(?: now)?|it's (?:fine|ok|good|back|working|fixed|solved)(?: now| again)?|problem solved|resolved|"
    r"no more|that's it|that's enough|we're good|we are good|i'm good|all done|i'm done|bot|everyone|folks|guys|"
    r"man|mate|indeed|you helped|👍+|🙏+|❤+|👌+|🎉+|😊|"
    r"好的?|好了|行|行了|嗯+|ok了?|谢谢(?:你|您|啦|了|大家)?|多谢|感谢|谢了|谢啦|辛苦(?:了|你了|啦)?|没事了|"
    r"没问题了|可以了|搞定了?|解决了|恢复了|正常了|好啦|知道了|明白了?|了解了?|收到|懂了|就这样|先这样|就这些|"
    r"没别的了?|没有了|没了|不用了|再见|拜拜|结束|完事了?|吧|哈|啦|呀|啊|的|了|那|已经)(?![a-z])[\s,.!~;:]*)++"
)
DONE_CORE: Final = (
    r"thank|thx|\bty\b|tks|cheers|appreciat|that's all|that is all|that will be all|nothing else|bye|see you|"
    r"solved|fixed|resolved|done|all (?:good|set)|that's (?:it|enough)|(?:we're|we are|i'm) good|works|谢|辛苦|"
    r"没事了|没问题了|可以了|搞定|解决了|恢复了|正常了|好了|好啦|行了|"
    r"就这样|先这样|就这些|没别的|没有了|没了|不用了|再见|拜拜|结束|完事|知道了|明白|了解|收到|懂了|👍|🙏|🎉|👌|"
    r"got it|understood|i see"
)
FEEDBACK: Final = (
    r"\b(?:(?:not |very |so |really |quite |super |un)?(?:helpful|useful|useless|accurate|inaccurate|incorrect)|"
    r"(?:that|this|it|you|your (?:answer|diagnosis|analysis|summary|conclusion))(?:'s| is| was|'re| are| were|"
    r" got it| got that)? (?:just |simply |completely |totally |all |not |so |very |spot )*(?:wrong|right|correct|"
    r"good|bad|great|nonsense|rubbish|stupid|"
    r"outdated|stale|misleading|true|on|off|awesome|perfect|smart|amazing|dumb|terrible|awful|nice)|good (?:bot|"
    r"job|work|answer|analysis|catch)|nice (?:work|job|one|catch)|well done|great (?:job|work|answer)|bad (?:bot|"
    r"answer)|wrong answer|not (?:right|correct|true|what i (?:asked|meant|wanted))|you (?:misunderstood|"
    r"got it wrong|are wrong)|makes no sense)\b|"
    r"(?:没|没有|很|非常|挺|真|太|不太|不)(?:用|有用|准|准确|对|有帮助|靠谱|给力|聪明|棒|好用|智能)|说错了|答错了|"
    r"诊断(?:错|得?不对|得?对|得?准)|答非所问|不是我要的|不是这个意思|理解错了|误报|干得(?:好|漂亮)|做得好|厉害|牛|"
    r"给力|靠谱|有用|有帮助|赞|👎|胡说|瞎说|乱说"
)
REFRESH: Final = (
    r"(?:please |ok |and |now |can you |could you |just )*(?:refresh(?: (?:it|this|that|please|the (?:card|status|"
    r"data|view|page|result)|now|status))*|reload(?: it| this)?|re-?check(?: it| this| that)?|check (?:it |this |"
    r"that )?(?:once )?(?:again|one more time|once more)|(?:look|try|show|run|get|pull)(?: (?:it|that|this|"
    r"me))? (?:again|once more|one more time)|again|once more|one more time|update(?: (?:me|it|this|the (?:status|"
    r"card)))?|"
    r"(?:and |how about |what about |how is it |how's it |is it )?now|any (?:update|updates|news|change|progress|"
    r"improvement)s?|latest(?: status| data)?|current(?: status)?|what's the latest|still(?: (?:the same|down|"
    r"broken|failing))?|same again|how(?:'s| is) it (?:now|going|doing|looking)(?: now)?|status now|retry|"
    r"re-?run(?: it)?)(?: please| now| again)*|"
    r"(?:再|重新|帮我|给我|请|麻烦|你|现在|能)*(?:刷新|更新)(?:一?下|下|状态|数据|卡片|结果|看看|吧)*|(?:再|"
    r"重新)(?:帮我|给我)?(?:看|查|检查|诊断|跑|来|试|拉|获取)(?:一?下|一?遍|一?次|看|查|一看|一眼|状态)*(?:吧)?|"
    r"(?:那|它|他)?(?:现在|目前|这会儿?)(?:呢|怎么样了?|如何了?|好了吗|什么情况了?|咋样了?|状态呢?)?(?:了)?|"
    r"最新(?:的)?(?:状态|情况|数据|进展|结果)?(?:呢)?|有(?:什么|啥)?(?:进展|变化|更新|好转)(?:吗|没有?|么)?|"
    r"好(?:点|些)?了(?:吗|没|么)|恢复了(?:吗|没|么)"
)
RESUME: Final = (
    r"\b(?:resume|continue|carry on|take over(?: again)?|come back|you(?:'re| are) back|back to (?:the |"
    r"you,? )?(?:bot|you)|bot,? (?:continue|resume|help|come back|take over)|unpause|"
    r"hand (?:it )?back(?: to (?:the )?(?:bot|you))?|release|i'm done,? (?:bot|continue)|wake up|your turn|"
    r"(?:the )?bot (?:can|may) (?:continue|resume|take over)|back to you|(?:give|hand) (?:it|this) back|"
    r"(?:all )?yours again)\b|"
    r"恢复(?:机器人|自动|会话|对话|服务|处理)?|继续(?:吧|机器人|自动|处理)?|机器人(?:继续|回来|接着|接手|来|处理|"
    r"接管|可以继续)|交(?:还|回)?(?:给)?机器人|你(?:继续|来吧|接着|可以继续|回来)|接着(?:来|处理|干)|还给机器人|"
    r"(?:交还|还|转回|交回)给?你|转回(?:机器人|自动)|人工(?:处理)?(?:结束|完成|好)了?"
)
CANCEL_HAND_OFF: Final = (
    r"\b(?:cancel|stop|undo|abort|forget|withdraw|revoke|end) (?:the |this |that |my |it)?\s?(?:hand[- ]?off|"
    r"hand-?over|escalation|request|transfer|page)?\b|no (?:longer )?need(?: for| of)? (?:a |an |the )?(?:human|"
    r"person|on-?call|hand-?off)|(?:don't|do not) need (?:a |an |the )?(?:human|person|on-?call|engineer|anyone|"
    r"them|help)|never ?mind|nvm|forget it|"
    r"(?:取消|不用|不要|不需要|别|撤销|停止|结束|无需)(?:了)?(?:转)?(?:人工|转接|值班|找人|叫人|呼叫|升级|人)了?|"
    r"不用(?:人工)?了|算了|取消"
)
ALL: Final = (
    r"\b(?:all|both|every(?:thing| one)|all of (?:them|those|these)|each|the lot)\b|都|全部|所有|两个都|全都|一起"
)
OTHER: Final = (
    r"\b(?:the )?other (?:one|env(?:ironment)?|namespace|cluster)\b"
    r"(?! (?:is|was|are|looks?|works?|seems?|said|has|can|stays?)\b)|"
    r"\bthe other(?=\W*$|\s*[,.;!]| (?:please|pls|plz|instead|then|of|i|if|bot|thanks|thx|pod)\b)|"
    r"\banother one(?=\W*$| (?:please|pls|instead))(?<!and another one)(?<!yet another one)|"
    r"^\W*(?:(?:no|nope|sorry|oops|the|try|use|take|i me?ant?|"
    r"not that),? )*other \ue000+(?= (?:please|pls|plz|then)|\W*$)|"
    r"\bthe second one instead\b|\bother(?=\W*$| (?:pls|plz|please)\b)(?<!each other)|剩下的?那?一?[个套边台]|"
    r"另外?(?:的)?(?:那)?一?[个套边组台](?!问题|任务|事|故障|告警|操作|办法|方式|数字|版本|镜像|人|群|服务|同事)|"
    r"另外?(?:的)?(?:那个|一(?=[ ,.]|$))|换(?:成)?(?:另外?的?)?一?个?(?:环境|集群|命名空间)$|"
    r"换(?:一个|那个)|其他那个|别的那个|第二个那"
)
"""The other one of two is meant; telling something of it ("the other one is fine") does not."""
_ORDINAL_ALONE: Final = (
    r"^\W*(?:(?:with|take|use|pick|choose|go|do|it'?s|is|it|um+|uh+|er+|hm+|yes|yeah|yep|ok|okay|please|pls|i|mean|"
    r"want|for|in|"
    r"to|on|probably|just|bot|say|that|would|be)\b\W*)*"
)
_ORDINAL_ENDS: Final = r"(?=\W*(?:(?:please|pls|plz|thanks|thx|then|i think|i guess|bot)\W*)*$)"


def _nth(words: str) -> str:
    """A bare "first" chooses only by itself: "we look at the db first" tells what comes first."""
    said = rf"(?:{words})"
    return rf"{_ORDINAL_ALONE}{said}{_ORDINAL_ENDS}|\bthe {said}\b|\b{said} (?:one|option|choice)\b"


ORDINALS: Final[tuple[tuple[str, int], ...]] = (
    (
        (
            rf"{_nth('first|1st')}|"
            r"\b(?:option|choice|number|no\.?|#)\s*(?:1|one)\b|"
            r"第一(?:个|项|种)?|第1(?:个|项)?|选项?1|头一个|①|前者|\bformer\b"
        ),
        0,
    ),
    (
        (
            rf"{_nth('second|2nd')}|"
            r"\b(?:option|choice|number|no\.?|#)\s*(?:2|two)\b|"
            r"第二(?:个|项|种)?|第2(?:个|项)?|选项?2|②|后者|\blatter\b"
        ),
        1,
    ),
    (
        (
            rf"{_nth('third|3rd')}|"
            r"\b(?:option|choice|number|no\.?|#)\s*(?:3|three)\b|"
            r"第三(?:个|项|种)?|第3(?:个|项)?|选项?3|③"
        ),
        2,
    ),
    (
        (
            rf"{_nth('fourth|4th')}|"
            r"\b(?:option|choice|number)\s*(?:4|four)\b|第四(?:个|项)?|"
            r"第4(?:个|项)?|选项?4"
        ),
        3,
    ),
    (
        (
            rf"{_nth('fifth|5th')}|"
            r"\b(?:option|choice|number)\s*(?:5|five)\b|第五(?:个|项)?|"
            r"第5(?:个|项)?|选项?5"
        ),
        4,
    ),
    (r"\b(?:the )?last(?: one| option)\b|\blast\b$|最后(?:一个|那个|一项)?$", -1),
)
"""Which of several choices an ordinal means; -1 is the last."""
