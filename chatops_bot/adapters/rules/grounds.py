"""Why somebody agrees, said beside a yes: trouble that presses, work that was checked, impatience. Data of the guard.

None of it confirms by itself; it may stand beside what does, where nothing is left over. What is told has to speak for
the plan: that the errors rise speaks for a restart, that they are gone speaks against it, and confirms nothing then.

- `PRESSING` speaks for a cure, `MENDED` for going on, `CHECKED` and `EAGER` for anything;
- those of `ASSURED` are closed phrases that hold a word which the guard lets through nowhere else ("别耽误",
  "can't wait any longer");
- `AROUND` may stand around them and says nothing alone.
"""

from __future__ import annotations

from typing import Final

CURES: Final = frozenset(
    {"restart", "rollback", "pause", "abort", "drain", "cordon", "delete_pod", "scale up", "scale", "set_autoscaler"}
)
"""Plans that trouble speaks for."""

STEPS: Final = frozenset({"resume", "uncordon", "scale down", "scale", "set_image"})
"""Plans that good order speaks for."""

_N = r"(?:\d+|[一二两三四五六七八九十半]+)"
_SPAN = rf"{_N}(?:个)?(?:多|半)?(?:分钟|小时|钟头|天|秒)"

ASSURED_EN: Final = (
    r"has (?:the|a) (?:fix|bug|leak|problem)|(?:customers?|users?|people|everyone|the team|(?:the )?hardware team|"
    r"qa|ops|the boss|product|the business|support|vendor|the vendor) (?:is|are) (?:all |still |"
    r"already )*waiting(?: (?:on|for) (?:us|this|it))?|"
    r"(?:(?:we|i) )?(?:can't|cant|cannot|can not|couldn't|won't|don't|dont|do not|no need to|no time to|"
    r"no point in|stop|quit|enough) (?:be )?(?:wait(?:ing)?|hesitat(?:e|ing)|delay(?:ing)?|stall(?:ing)?|"
    r"dawdl(?:e|ing)|ask(?:ing)?|overthink(?:ing)?)(?: (?:it|about it|on this|any ?more|any longer|me|again|"
    r"twice|around|so much))*|"
    r"what (?:are|r) (?:you|u|we) waiting for|(?:that|this|it)(?:'s| is) what we (?:agreed|discussed|"
    r"decided)(?: on)?|no brainer|not a (?:moment|second) too soon|"
    r"(?:no|without) (?:more |further )?(?:delays?|questions?|doubts?|worries|objections?|blockers?|"
    r"concerns?)(?: (?:from|on) (?:me|us|my (?:side|end)))?|"
    r"(?:no|zero|hardly any|barely any) (?:one|body|traffic|users?|load|customers?)(?: (?:is |are )?(?:on|"
    r"using) (?:it|this|that))?(?: (?:there|now|tonight|anyway|at this hour))*|nobody (?:is |'s )?(?:using|"
    r"on) (?:it|this)"
)
ASSURED_ZH: Final = (
    r"(?:现在|这会儿?|半夜|凌晨|夜里|晚上|这个点)?(?:也|都|又|基本|反正|本来)*没(?:有|啥|什么|几个)?人(?:用|在|访问|"
    r"看|下单)?(?:了)?|"
    r"先(?=暂停|停|扩|缩|重启|回|退|排|封|圈|标|删|放|恢复|换|升|调|设)|"
    r"先(?:别|不)让它(?:再)?(?:接|跑|调度|收)(?:新)?(?:pod|流量|请求|单)?(?:了)?|"
    r"(?:也|就|都|请|快|你|那)?(?:别|不要|不用|甭|莫|不必|无需|没空|没时间)(?:再|在)?(?:等(?:了|审批|谁|别人|"
    r"他们|人|下去)*|耽误(?:了|时间)*|耽搁(?:了)?|磨蹭(?:了)?|磨叽(?:了)?|墨迹(?:了)?|拖(?:了|着|延|下去)*|"
    r"[啰罗]嗦(?:了)?|犹豫(?:了)?|废话(?:了)?|纠结(?:了)?|问(?:了|来问去|东问西|我)*|担心(?:了)?|客气(?:了)?|"
    r"浪费时间(?:了)?|愣着(?:了)?|发呆(?:了)?)(?:啦|哈|啊|呀)?|"
    r"(?:没法|不能|来不及|等不)(?:再)?(?:等|拖|及|了)+(?:了|啦)?|刻不容缓|事不宜迟|迫不及待|少废话|"
    r"不(?:解释|啰嗦|多说|废话)(?:了)?|没(?:啥|什么)好(?:说|问)的|没得说|没跑(?:了)?|"
    r"(?:现在|这会儿?|半夜|凌晨|夜里|晚上|线上|上面|这个点|目前)?(?:也|都|又|基本|反正|本来就)*(?:没|没有|没啥|"
    r"没什么|没多少)(?:啥|什么|多少)?(?:流量|人用|人在用|请求|量|用户|业务|单子|负载)(?:了|的)?|"
    r"(?:也|都)?(?:不会|不|没)(?:有)?影响(?:业务|用户|线上)?(?:了|的)?|不碍事|不成问题|不差这一会儿?|"
    r"(?:先|赶紧)?(?:跑|扩|拉|救|弄|搞|干|上|撑|顶|回|重启)(?:起来|上去|上来|完|掉|下来|了)+再说|"
    r"先(?:圈|封|停|隔离|止|救|扩|撑|顶|拉|稳|排|放|回)(?:起来|住|掉|上去?|一波|下来|了|血|命|火)+|反正先止血|"
    r"没错(?:的|了|啊)?|没毛病|(?:点个|一个|个)?确认(?:还|都)?要?问(?:几|多少|好几)遍(?:啊|呀)?|问这么多(?:干嘛|"
    r"干啥|干什么)|还?等什么(?:呢|啊)?"
)
ASSURED_PRESSING: Final = (
    r"(?:都|已经|快|真|完全|根本|实在|又)*(?:扛|顶|撑|挺|熬|挡|吃|压|跑|hold|绷|稳|忍|兜)不(?:住|动|下)(?:了|"
    r"啦)?|(?:受|忍)不了(?:了|啦)?|"
    r"(?:都|已经|又|完全|根本|全)*(?:起|登|连|上|刷|打|付|下|加载|拉|调)不(?:起来|来|上|去|上去|出来|开|了单|"
    r"了款|了|动|通)(?:了|啦)?|"
    r"(?:处理|消费|忙|转|跟)不(?:过来|动|上)(?:了)?|没救(?:了)?|没反应(?:了)?|没响应(?:了)?|不(?:健康|正常|工作|"
    r"可用|响应|通|动)(?:了)?|"
    r"别(?:再)?往外(?:滚|发|推|放)(?:了)?|别(?:再)?(?:让它|让|叫它)(?:滚|发|跑|接流量|接客|扩散|调度)(?:了|"
    r"下去)*|"
    r"(?:主板|硬盘|内存条?|电源|网卡|风扇|机器|件)(?:要|得|该|必须|等着)换(?:了)?(?!成|为|到|个)|"
    r"再(?:拖|晚)(?:下去|一会儿?)?(?:就|要|可|得)*(?:炸|崩|挂|死|完|出事|爆|凉)(?:了|蛋了?)?"
)
ASSURED_MENDED: Final = (
    r"(?:已经|都|全|刚|刚刚)*换(?:好|完|过)了|(?:内存条?|主板|硬盘|电源|网卡|风扇|配件)(?:已经|都|也)*换了|(?:也|都|"
    r"已经|再)*没(?:有|啥|什么)?(?:报错|告警|报警|异常|积压|毛刺|抖动|超时)(?:了|的)?|no (?:more )?(?:errors?|"
    r"alerts?)"
)

VOUCHED_EN: Final = (
    r"(?:just )?(?:do|run|apply|execute|go with) (?:exactly )?what(?:ever)? (?:you|u|the card|the plan|"
    r"it) (?:just )?(?:said|says?|proposed?|showed|shows?|shown|described?|suggest(?:ed|s)?|listed|wrote|"
    r"planned)|"
    r"(?:that's|that is|this is|is|it's|it is) (?:exactly |just |precisely )*what (?:we|i|the team) (?:want|"
    r"need|wanted|needed|meant|asked for|agreed(?: on)?|planned|decided)|exactly what (?:we|i) (?:want|need|"
    r"wanted|needed|meant|asked for)|"
    r"(?:as|like) (?:you|u) (?:said|say|proposed?|suggest(?:ed)?)|without (?:a )?doubt|no doubt(?: about it)?|"
    r"nothing (?:to add|against it)|i have no objections?|go,? don't ask"
)
"""Closed phrases that agree, likewise."""

VOUCHED_ZH: Final = (
    r"没(?:有)?二话|没(?:有)?啥(?:问题|意见)|没(?:什么|多大|任何)(?:问题|意见)|一点(?:儿)?(?:问题|毛病)(?:都|"
    r"也)?没有|我(?:们)?(?:这边|这里)?(?:也)?没(?:啥|有|什么)?(?:意见|异议|问题)|"
    r"(?:所以|那)?就?(?:按|照)(?:着)?(?:你|您)(?:这个|这|说的)(?:来|办|做|弄|执行|搞)(?:吧)?|"
    r"(?:这)?(?:还)?用(?:得着)?问(?=\W*$|[,.!~ ])|"
    r"不(?:用|必)(?:再)?(?:确认|问)了?[,. ]*(?=执行|干|搞|上|跑|直接)"
)

PRESSING_EN: Final = (
    r"(?:getting |being |needs to be )?(?:replaced|decommissioned|retired|swapped)|"
    r"(?:completely|totally|utterly) (?:dead|broken|down|stuck)|"
    r"traffic (?:just |has |has just )?(?:doubled|tripled|spiked|exploded|jumped)(?: in the last (?:hour|minutes?|"
    r"few minutes))?|"
    r"(?:getting|being) (?:hammered|slammed|pounded|crushed|killed|flooded|hit hard)|"
    r"stuck for (?:an?|\d+|two|half an?) (?:hours?|minutes?|min)|"
    r"rising|climbing|growing|spiking|exploding|skyrocketing|piling up|stacking up|backing up|building up|"
    r"going up|through the roof|off the charts|dying|dead|crashing|crashloopbackoff|stuck|wedged|hung|hanging|"
    r"frozen|broken|busted|borked|toast|fried|hosed|screwed|doomed|leaking|failing|flapping|timing out|on fire|"
    r"melting|melting down|bleeding|overloaded|saturated|degraded|drowning|struggling|suffering|misbehaving|"
    r"unresponsive|unhealthy|notready|unreachable|complaining|screaming|shouting|yelling|urgent|a mess|"
    r"a disaster|bad|awful|terrible|horrible|garbage|rubbish|behind|panicking|panicing|hot|full|slow as hell|"
    r"crash(?:es|ed)?(?: |-)?loop(?:ing|s)?|oom(?:ing|ed|killed|s)?|throttl(?:ed|ing)|burning(?: down)?|"
    r"maxed(?: out)?|"
    r"(?:losing|dropping) (?:orders|users|customers|data|requests|packets)|(?:waking|killing|driving) (?:me|"
    r"us)(?: (?:up|crazy|nuts|insane))?|"
    r"(?:needs?|has|have|must|should have|deserves?) (?:to )?(?:go|die|be (?:replaced|fixed|rebooted)|a (?:kick|"
    r"reboot|restart))|"
    r"(?:errors?|5xx|50\ds?|latency|load|traffic|lag|alerts?|queue|backlog|cpu|memory) (?:(?:is|are|keeps?|"
    r"still|all|just|now|went|shot|going|way) )*(?:up|everywhere|high|huge|insane|crazy)|"
    r"(?:it|everything|site|website|checkout|login|prod|production|service|app|search|payments?|db|"
    r"\ue000+)(?:'s| is| are|'re) (?:(?:all|totally|completely|already|still) )*down|"
    r"(?:queue|backlog|lag|latency|error rate|errors|cpu|memory|disk|load|qps|traffic|depth|p99|p95|"
    r"heap) (?:(?:is|are|was|now|already|still|at|over|above|past|hit|near|about|like) )*\d[\d.,]*(?: ?(?:k|m|g|"
    r"gb|ms|s|sec|seconds|min|minutes|percent|h|hours|rps))?%?|"
    r"\d+ ?(?:h|hrs?|hours?|min|minutes?|m|k|messages|msgs) (?:behind|late|lagging)|(?:\w{3,5} )?pages (?:about|"
    r"for|from) (?:it|this)|"
    r"(?<=ing )(?:for|since) (?:(?:like|about|around|over|the (?:last|past)) )*(?:\d+|an?|half an|one|two|three|"
    r"four|five|ten|last|this|midnight|ages|hours|yesterday) ?(?:h|hrs?|hours?|min|minutes?|m|night|morning|am|"
    r"pm)?(?: (?:in the morning|now|already))*"
)
MENDED_EN: Final = (
    r"all green|all healthy|all clean|"
    r"fixed|healthy|green|clean|stable|fine|good|ok|okay|done|finished|over|passed|passing|tested|verified|"
    r"validated|replaced|repaired|swapped|recovered|resolved|ready|quiet|low|idle|empty|caught up|calm|normal|"
    r"drained|complete|completed|merged|built|pushed|released|happy|tiny|bored|looks clean|all clear|"
    r"back (?:up|online|to normal|in shape)|(?:is|are|it's) back|"
    r"(?:errors?|5xx|50\ds?|latency|load|traffic|lag|queue|backlog) (?:(?:is|are|has|have|now|all|"
    r"went) )*(?:down|gone|low|dropped|flat|zero)"
)
CHECKED_EN: Final = (
    r"(?:is|was|'s) the (?:good|right|correct|last good|known good|stable|healthy) (?:one|version|revision|build)|"
    r"(?:it|it'll|it will|they|they'll|pods?(?: will)?)(?: will|'ll)? (?:just |simply )?(?:come back|be recreated|"
    r"recreate|reschedule|be rescheduled|respawn|be fine|recover)|"
    r"(?:is |are )?(?:plenty|enough|sufficient|more than enough)(?: (?:at night|for now|at this hour|for tonight))?|"
    r"(?:saves?|saving) (?:us )?(?:some |a lot of )?(?:money|cash|cost)|has the fix|false alarm|"
    r"(?:customers?|users?|people|everyone|the team|hardware team|the hardware team|qa|ops|the boss|product|"
    r"the business|support) (?:is|are) (?:all |still |already )*waiting(?: (?:on|for) (?:us|this|it))?|"
    r"(?:(?:has|have|had|is|was|are|got|been|already|all|just|both|they) )*(?:approved|signed off|reviewed|"
    r"checked|double[- ]?checked|cross[- ]?checked|agreed|discussed|aware|informed|notified|announced|"
    r"in the loop|on board)(?: (?:on|with|by|it|this|that|us|me|the (?:team|call|bridge)|in the (?:call|meeting|"
    r"ticket)))*|"
    r"(?:we're|we are|still|already|now) (?:in|inside|within) the (?:change |maintenance )?window|window (?:is|"
    r"'s) open|as (?:agreed|discussed|planned|shown|proposed|described|displayed|stated|listed|above|is)|"
    r"what we (?:agreed|discussed|want|wanted|need|needed|said|planned)(?: on)?|exactly what (?:we|i) (?:want|"
    r"wanted|need|asked for|meant)|"
    r"(?:what )?i was (?:about|going) to (?:type|say|ask|write)(?: (?:it|that|this|the same))?|"
    r"my thoughts? exactly|what i had in mind|"
    r"match(?:es|ing) (?:the |our )?(?:runbook|plan|capacity plan|ticket|cab|change|numbers?)(?: (?:we|i|@\S+|"
    r"they) (?:posted|made|wrote|agreed))?|"
    r"(?:thumbs up|ok|okay|green light|go|nod|blessing|approval|"
    r"sign[- ]?off) from (?:the )?[a-z]{2,12}(?: (?:team|lead|folks|guys|owner|manager))?|"
    r"(?:chg|chg-|inc-|cr-|jira-)\d+|change (?:is )?approved|(?:correct|right) (?:numbers?|one|service|pod|node|"
    r"version|revision|target|image|tag)|"
    r"(?:(?:we're|we are|it's|it is) )?(?:burning|wasting|losing|bleeding) (?:our |a lot of |so much )?(?:money|"
    r"cash)(?: here)?|costs? (?:us )?(?:a )?(?:money|fortune|lot)|"
    r"(?:i|we) (?:already )?(?:checked|verified|tested|looked(?: at)?|reviewed|compared|went through)(?: (?:it|"
    r"that|this|the (?:numbers?|diff|logs?|graphs?|metrics)|twice|already|both))*|"
    r"@\S+ (?:(?:has|already|just|also) )*(?:approved|signed off|reviewed|agreed|checked|posted)(?: (?:it|this|"
    r"on it))?"
)
EAGER_EN: Final = (
    r"hurry|hurry up|quick|quickly|fast|asap|chop chop|come on|c'mon|cmon|get on with it|ffs|jesus|damn|damn it|"
    r"dammit|finally|at last|right now|sooner the better|on me|my call|my responsibility|on my head|mate|buddy|"
    r"pal|dude|bro|man|boss|chief|captain|my friend|good bot|about time|long overdue|better late than never|"
    r"i checked|i verified|just do it|pronto|sorry for the delay|just saw this|just saw it|"
    r"for (?:god|christ|heaven|fuck|pete)'?s? sake|this (?:minute|second|instant)|💥+|🔥+|⚡+|💪+|😤+|🙃+|😅+|"
    r"😭+|🏃+|"
    r"i(?:'ll| will) (?:take|own) (?:it|the (?:blame|heat|risk)|responsibility)|(?:i'm|im|i am|we're|"
    r"we are) (?:watching|monitoring|here|on it)(?: (?:the )?(?:graphs?|dashboards?|metrics|logs?|it|closely))*"
)
AROUND_EN: Final = (
    r"lead|on-call lead|the on-call|new pods|sessions|session|"
    r"the|a|an|this|that|these|those|it|it's|its|that's|thats|is|are|r|was|were|be|been|being|i|i'm|im|i've|ive|"
    r"we|we're|we've|our|my|us|me|still|just|now|way|too|very|really|so|totally|completely|pretty|again|and|as|"
    r"at|on|of|from|for|with|by|over|here|there|anyway|keeps|keep|getting|looks|look|exactly|like|about|around|"
    r"nearly|almost|lots of|tons of|in|to|get|got|traffic|errors|error|error rate|error rates|latency|p99|p95|"
    r"queue|queues|backlog|lag|memory|cpu|disk|disks|load|alerts|alert|alarms|pager|pagers|pages|metrics|graphs|"
    r"graph|dashboards|dashboard|canary|pod|pods|node|nodes|kernel|kubelet|board|dimm|ram|nic|psu|fan|hardware|"
    r"customers|customer|users|user|clients|people|folks|support|marketing|sales|business|product|team|teams|qa|"
    r"sre|dba|oncall|on-call|manager|security|change|ticket|runbook|numbers|number|values|index|"
    r"build|test|smoke test|smoke tests|load test|checks|pipeline|5xx|4xx|500s|502s|503s|504s|timeouts|"
    r"release|hotfix|fix|patch|version|image|tag|digest|batch|job|jobs|month end|sale|campaign|peak|rush|db|"
    r"database|replication|backup|backups|orders|requests|connections|threads|heap|gc|site|page|app|service|"
    r"thing|stuff|call|meeting|bridge|guys|y'all|all tests|all checks|all alerts|version|build|revision|burn-in|"
    r"memtest|disk check|fsck|reindex|migration|"
    r"(?:\d+|two|five|ten|a few) (?:min(?:ute)?s?|hours?) ago|last night|this morning"
)
PRESSING_ZH: Final = (
    r"(?:卡|挂|堵|报|停|崩|涨|拖|断|坏|响|闹|吵|烧|抖|慢)(?:死|住|着)?(?:了)?(?:半天|好久|好半天|一晚上|一宿|一上午|"
    r"一下午|好一会儿?)了|"
    r"(?:在|往上|一直|还在|都在|直线|又|蹭蹭)*(?:涨|飙|飙升|飙高|升高|上升|攀升|暴涨|暴增)(?:了|"
    r"得[\u4e00-\u9fff]{1,3}|疯了|到顶了?|起来了?)?|往上[走窜冲]|"
    r"(?:快|要|都|就要|已经|全|又|马上|彻底|直接)*(?:爆|炸|挂|崩|死|堵|卡|坏|断|凉|瘫|宕|歇|躺|废|满|糊|疯|"
    r"红)(?:了|死了?|住了?|着|掉了?|机了?|满了?|啦|菜了?|平了?|的)+|"
    r"打满|打满了|写满了|打爆|打爆了|撑爆了|卡死|卡住|hang住|hang住了|超时|报错|在报|告警|报警|告急|飘红|全红|"
    r"一片红|白屏|泄漏|泄露|漏内存|漏得厉害|oom|oom了|反复重启|变卡|出问题|出问题了|有问题|有bug|有毛病|异常|"
    r"受影响|受损|掉单|丢单|积压|堆积|要命|火烧眉毛|十万火急|着火|着火了|起火了|炸锅了|烦死|烦死人|烦死了|受够|"
    r"受够了|"
    r"抖(?:动|得(?:厉害|很))?|(?:一直|反复|不停)+(?:重启|crash|崩溃)(?:循环)?|堆(?:了|着|到|积|"
    r"满)[\u4e00-\u9fff]{0,4}|[堵排]到[\u4e00-\u9fff]{1,4}|"
    r"(?:在|都|又|开始|一直)*(?:催|骂|投诉|吵|闹)(?:娘|街|人)?(?:了|得紧|命|个不停|死了?|疯了)*|(?:急|等)(?:死|"
    r"疯)(?:了|人)|急(?:着|得很)|看着(?:就)?(?:烦|闹心|来气|难受)|"
    r"早(?:就|该|都)+(?:[\u4e00-\u9fff]{1,3})?了|拖(?:了)?(?:太|好|很)?久了|该(?:换|下|停|退|扔|修|重|回|扩|"
    r"排)了|(?:要|得|该|等着)(?:修|走|退役|送修|报废|维修)(?:了)?|(?:今晚|今天)(?:要|得|必须)下(?:线)?|"
    rf"(?:卡|挂|堵|报|停|崩|涨|拖|断|坏|响|闹|吵|烧|抖)了?(?:都|已经|快|有|整整|足足|将近|差不多)*{_SPAN}(?:多|"
    rf"了)*|已经{_SPAN}了|"
    r"(?:队列|积压|堆积|错误率|延迟|内存|cpu|磁盘|负载|水位|连接数|qps|rt|p99)(?:都|已经|现在|快|到|在|了|是|有|"
    r"飙|涨|干|超|过|高达)*\d[\d.]*(?:%|ms|s|秒|k|w|万|千|百万|条|个|g|gb|m)*(?:了)?"
)
MENDED_ZH: Final = (
    r"(?:都|全|也|已经)+过了|"
    r"(?:已经|都|全|早就|也|刚|刚刚)*(?:修好|换好|弄好|搞好|备好|装好|调好|处理好|准备好|备份好|恢复|正常|稳|"
    r"稳定|好转|消停|搞定|完成|结束|解决|修复|搞完|跑完|做完|换完|打完|修完|换|修|测完|验完)(?:了|啦)|"
    r"(?:很|挺|都|也|一切)*(?:正常|稳|稳定|健康|干净|平稳|就绪)(?:得很|的|着呢)?|就绪|(?:是)?好的|好了|绿了|"
    r"全绿|通过(?:了)?|达标(?:了)?|空闲|空着|闲着|很?低|低峰(?:期)?|余量(?:够|足|充足)|够用|足够|"
    r"(?:都|也|已经)*(?:降下来|掉下来|回落|下去|下来|降|过去)了|(?:高峰期?|峰值|大促|活动|压测|跑批|"
    r"批处理)(?:已经|都|早)*(?:过|过去|结束|完|跑完)了"
)
CHECKED_ZH: Final = (
    r"(?:它|pod|上面的pod)?(?:都)?(?:会|能|可以)(?:自己|自动)*(?:重建|恢复|起来|拉起来?|好|补上|重新调度|漂移|飘走|"
    r"漂走|迁走|调度走|再起一个)(?:的)?|"
    r"省(?:点|些)?(?:钱|资源|成本)|节(?:约|省)(?:点|些)?(?:成本|资源|钱)?|(?:够用|够|足够|正好|刚好|合适)(?:了|的)?|"
    r"(?:刚才|之前)?(?:是|都是)?(?:误报|虚惊一场)(?:了)?|"
    r"(?:已经|都|也|刚|刚刚|早就|自己|亲自|仔细|又|再三|反复|@\S+ ?)*(?:code ?review|review|看|检查|核对|核实|"
    r"核|对|验|验证|测|测试|确认|评审|评估|压测|回归|演练|试|通知|沟通|商量|讨论|报备|知会|打招呼|备份|"
    r"同步)(?:过|好|完|到位)(?:一遍|两遍|好几遍)?(?:了)+|"
    r"(?:已经|都|也|刚|刚刚|早就|在(?:电话|群|会|会上|会议)里?|口头|书面|邮件)*(?:同意|批|批准|点头|拍板|签字|"
    r"授权|通知到位|知道|知情|认可|答应|放行|许可|审批通过|签)了|"
    r"(?:也|都)+(?:知道|同意|清楚|认可|在)(?:了)?|打过招呼(?:了)?|(?:已经|现在|正好|正)(?:是|在)?(?:变更|维护|"
    r"发布|操作)?窗口(?:期)?(?:内|里|中|时间|期间)?|窗口到了|到(?:点|时间|窗口)了|时间到了|窗口(?:已经)?开了|"
    r"有(?:变更单|工单|审批|单子|备份|授权)|(?:走|提)(?:过|了|完)(?:流程|审批|变更|工单|单子)(?:了)?|(?:单子|"
    r"工单|审批|变更单?)(?:已经|都|也)*(?:批|过|提|走完)了|"
    r"[那这](?:个)?版(?:本)?(?:是|挺|很|最)*(?:好的|稳(?:定|的)?|没问题|干净|ok)(?:的)?|断网了|掉线了|(?:才|"
    r"刚)(?:才)?看到(?:消息)?|来晚了|跟你(?:说的)?一样|正合我意|我也是这么想的|我就是这个意思|就是这个意思|"
    r"跟我想的一样"
)
EAGER_ZH: Final = (
    r"快+(?:点|些|点儿|的|一点)?(?:吧|啊|呀)?|急+|速度+|火速|赶紧+的?|赶快|抓紧(?:时间)?|麻溜(?:的|儿)*|立马|"
    r"即刻|救命(?:啊|呀)*|救火|求(?:你|求)了?|拜托(?:了|啦)?|"
    r"大哥|大佬|老铁|兄弟|哥们儿?|亲|宝|宝贝|宝子|老弟|哥|姐|您|老师傅|"
    r"(?:出(?:了)?|有)(?:事儿?|问题|啥事|锅)(?:都)?(?:算我的?|我(?:来)?(?:负责|担|扛|兜|背|顶)(?:着|底)?)|"
    r"(?:这?锅|责任|后果)(?:都)?(?:算我的|我(?:来)?(?:背|担|扛|负|接|负责))|算我的|"
    r"我(?:来)?(?:负责|担责|背锅|兜底|兜着|扛|扛着|担着|盯着|看着|守着|在盯|在看|在线|在呢?|全程盯)(?:大盘|监控|"
    r"曲线|日志|指标|着|全程|呢)*|我这边(?:盯着|看着|也在盯)|"
    r"废话|那?必须(?:的)?|干就完了|完事儿?|就对了|"
    r"它?自己会(?:起来|恢复|重建|拉起来?|好|补上)(?:的)?|反正(?:它|也|都|就)*|你?(?:放心|大胆|尽管)(?:弄|干|搞|"
    r"上|执行|操作)?(?:吧)?"
)
AROUND_ZH: Final = (
    r"全是|都是|问题|故障|毛病|全部接口|"
    r"刚才|刚刚|刚|已经|昨天|昨晚|现在|目前|这会儿|这会|早就|早|一直|又|还在|还|正在|"
    r"在|都|也|就|真|真的|真是|确实|毕竟|这么|那么|特别|非常|很|太|挺|死|从|这边|那边|这里|那里|上面|下面|外面|"
    r"里面|后面|前面|这个|那个|这台|那台|这版|那版|这次|那|这|它|它的|咱|咱们|我|我们|你|呃|额|诶|哎|哎呀|嗯|啊|"
    r"然后|所以|那就|于是|流量|错误率|错误|延迟|耗时|响应|响应时间|队列|消息|请求|连接|连接数|内存|内存条|cpu|"
    r"磁盘|硬盘|负载|水位|qps|tps|rt|日志|监控|大盘|曲线|数据库|库|缓存|接口|页面|首页|服务|机器|节点|主机|实例|"
    r"容器|副本|pod|pods|进程|线程|版本|新版|新版本|老版|老版本|旧版本|镜像|配置|代码|补丁|热修|变更|变更单|"
    r"工单|审批|流程|方案|预案|客户|用户|客服|电话|群里|大促|活动|高峰|早高峰|晚高峰|峰值|业务|业务方|业务侧|"
    r"业务那边|订单|支付|登录|搜索|主板|网卡|电源|风扇|机房|机房那边|发布|灰度|金丝雀|压测|测试|回归|验证|备份|"
    r"主从|数据|老大|老板|领导|主管|经理|组长|值班|同学|同事|产品|运营|开发|研发|前端|后端|dba|sre|运维|安全|"
    r"老师|消费者|告警群|的|了|啊|呀|哈|得|着|过|里|上|中|内|和|跟|给|被|有|是|行|还行|门口|断网|断网了|掉线|"
    r"才看到|刚看到|看到|什么的|"
    r"(?:凌晨|半夜|夜里|早上|下午|晚上)(?:\d{1,2}|[一二两三四五六七八九十]+)点(?:半|多)?了|[45]xx|50\d|"
    r"(?:刚)?看了(?:一下|眼|下|看)?"
)
