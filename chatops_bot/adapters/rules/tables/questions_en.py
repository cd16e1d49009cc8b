"""English words that ask something: per intent, patterns of what people type; reports of trouble, verbs of looking.

Data only. See `triggers_en` for the words of orders, and for how they are used.
"""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.tables.looking import DEPENDENTS
from chatops_bot.adapters.rules.tables.past import PASTS
from chatops_bot.adapters.rules.tables.surveying import SURVEYS

QUERIES: Final[dict[str, tuple[str, ...]]] = {
    "logs": (
        (
            r"logs|log(?!-| ?(?:in|out|on|off|into)\b)|log (?:lines?|output|messages?)|(?:console |container )?output|"
            r"stack ?traces?|stdout|stderr|log tail|kubectl logs"
        ),
        (
            r"(?:give|show|get|send|dump|paste|tail|pull|read|fetch|post|drop)(?: (?:me|us|up|out|here))*"
            r"(?: the)?(?: last| latest| final)? "
            r"(?:\d+|a few|some|ten|twenty|thirty|fifty|(?:a |one |two |three |five )?hundred|(?:a |one )?thousand) "
            r"lines|(?:\d+|ten|twenty|thirty|fifty|(?:a |one |two |three |five )?hundred|(?:a "
            r"|one )?thousand) lines (?:of|from|out of) (?:the )?(?:N|it)|"
            r"(?:see|have|want|need|get) (?:the )?(?:last|latest|final) (?:\d+ )?lines|grep(?= \S)|(?:only"
            r"|just) (?:the )?errors|errors only|tail(?= (?:it|N|the|-f|-n|\d))"
        ),
        (
            r"(?:what|which|list|show|group(?:ed)?|top|count|latest|recent|most (?:common|frequent)) (?:me )?(?:the |"
            r"its |all )?(?:errors|exceptions|error (?:lines|messages))|errors? (?:lines|messages|summary|groups)|"
            r"(?:errors|exceptions)(?= (?:in|from|over|during|within) (?:the )?(?:last|past))|(?:errors|"
            r"exceptions)(?= (?:of|in|from|for|on) (?:(?:the )?N|it\b)|\W*(?:please|pls|plz|now|$))|"
            r"what(?:'s| is| are| did| was| were| does| do| has| have)? (?:it|they|N|the "
            r"(?!events?\b)\w+(?: \w+)?)(?: has| have| is| are)?(?: been)? (?:currently )?(?:log"
            r"|logging|print|printing|say|saying|"
            r"throw|throwing|spit\w*|"
            r"complain\w*|spew\w*)(?: out| about)?|(?:it|N) logged|did (?:it|N) log|(?:last|latest|"
            r"final) \d+ (?:log )?lines"
        ),
    ),
    "events": (
        r"events?|(?:k8s|kube\w*|cluster|scheduler) (?:warnings?|messages)|warnings?(?= (?:on|for|from|about|in|of) )",
    ),
    "history": (
        r"(?:rollout|revision|deploy(?:ment)?|release|version|roll-out) (?:history|histories|list|log)",
        (
            r"(?:previous|old|past|older|earlier|available|all|which|what|list|how many|last few|recent|"
            r"show(?: me)?)(?: the| its|"
            r" our| all| past|"
            r" old| previous)* (?:revisions|versions|releases|rollouts|builds|deployments)|"
            r"revisions|history|rollouts(?= so far|\W*$)|(?:rollout |revision )?hist(?=\W*$| )"
        ),
        (
            r"what (?:was|is|went|changed)(?: there)? (?:in|into|with) (?:the )?(?:rev(?:ision)?|version|release) #?\d+"
            r"(?: (?:of|for|on) (?:the )?N)?|"
            r"which (?:version|revision|release|image|build|tag)|(?:current|latest|running|live) (?:revision|"
            r"version|release|image|tag|build)|what (?:can|could) (?:i|we) (?:roll|go|revert|get|"
            r"switch) (?:it |N )?back to|what(?:'s| was| is) (?:the |its )?(?:previous |last |"
            r"current )?(?:version|revision|image|tag)|what (?:build|tag)|what (?:version|revision|release|"
            r"image)|(?:version|revision|"
            r"image|tag) is (?:it|running|N)"
        ),
    ),
    "resources": (
        (
            r"disks?(?: space)?|cpu|memory|\bmem\b|ram|(?:resource|disk|cpu|memory) (?:usage|use|consumption|"
            r"requests?|limits?)|usage|"
            r"utili[sz]ation|(?:resource |memory |mem |cpu )?(?:limits|requests)(?= (?:of|on|for|does|do|and|n|has) |"
            r"\W*$)|"
            r"top(?= (?:for |of |on |in )?(?:the )?(?:N|pods|its?\b))|^\W*top\W*$|(?:using|eating"
            r"|burning|consuming|hogging)(?= (?:up )?(?:much|a lot|all|how))|"
            r"headroom|"
            r"resources?(?! hog)|metrics|requests and limits|top pods|kubectl top|how (?:much|heavy|loaded|hot|"
            r"hungry|busy)|"
            r"load average|throttl\w+"
        ),
        # What is charted; that something is high or spiking is a complaint, and asks for a diagnosis.
        (
            r"(?:latenc(?:y|ies)|(?:error|request|traffic) rates?|response times?|throughput|rps|qps|"
            r"p(?:50|9[059]|999))(?! (?:(?:of|on|for|in) N )?"
            r"(?:is|are|has|have|was|went|goes|jumped|keeps|seems|looks|spik\w+|through|off|climbing|rising|too|"
            r"very|so)\b)"
        ),
        r"graphs?|charts?|plot|draw|trend(?:s|line)?",
    ),
    "changes": (
        *PASTS[0],
        (
            r"(?:what|anything|something|nothing)(?:'s| has| have| is| was|'ve)? (?:been )?(?:changed?|different|new|"
            r"deployed|released|"
            r"shipped|pushed|rolled out|merged|touched)|"
            r"(?:was|were|has|have|did) (?:N|it|this) (?:been )?(?:recently |just |ever )?(?:chang|updat|deploy|"
            r"restart|scal|roll|touch|releas)\w*|"
            r"changes(?= (?:please|pls|plz|last|past|since|in the|over|today|recently|yesterday|and)\b|\W*$|\s*[+&;])|"
            r"(?:any ?one|any ?body|some ?one|some ?body) (?:deploy|change|touch|push|ship|restart|scale|release|"
            r"merge)\b|"
            r"(?:was|were|is|are) there (?:a |an |any )?(?:new |recent )*(?:release|deploy\w*|rollout|change|push|"
            r"update)s?|"
            r"what (?:did|have|has|had) (?:we|you|they|i|any ?one|any ?body|some ?one|some ?body|people|"
            r"the bot) (?:just |already |been )?"
            r"(?:done|do|doing|change[ds]?|deploy\w*|ship\w*|touch\w*|tr(?:y|ied)|run)(?: (?:to|on|with|in|"
            r"about) (?:it|N|this|that))?|what (?:we|you|they|i|people) (?:did|changed|have (?:done|changed))|"
            r"last (?:thing|change|action|operation)(?: (?:we|you|they|i|anyone) (?:did|"
            r"made|changed|ran))?|what(?:'s| has| was| had)(?: been)? done(?: (?:to|on|with) (?:it|N|this))?|"
            r"what (?:went|got) (?:out|in|"
            r"live|pushed|shipped)|"
            r"(?:any|recent|latest|last|list|show|what|what all|"
            r"the|of) (?:\w+ )?changes|"
            r"changes? (?:to|in|on|of|for)|(?:which|what) changes(?: (?:went|got|were|have|did|made|hit))*"
            r"(?: (?:out|in|to|into|live))*|changelog|diff"
        ),
        (
            r"(?:was|were|has|have|is|did) (?:anything|something|it|N|this|there|any ?(?:one|body)|some ?(?:one|"
            r"body))(?: [a-z]+){0,2}? "
            r"(?:alter(?:ed)?|modif(?:y|ied)|touch(?:ed)?|edit(?:ed)?|tweak(?:ed)?|tamper(?:ed)?|fiddl(?:e|ed)|"
            r"mess(?:ed)?|chang(?:e|"
            r"ed))(?: with| up)?|(?:who|which [a-z]+|who the [a-z]+|what [a-z]+)(?: [a-z]+)? (?:alter|modifi|touch|"
            r"edit|tweak|tamper|"
            r"fiddl|mess|chang|deploy|shipp|push|releas|bump|patch)ed(?: with| up)?|"
            r"what (?:all )?(?:actions|steps|operations|changes|measures|things) (?:have|has|were|was|did|got)(?: "
            r"been)?"
            r"(?: [a-z]+){0,2}"
        ),
        (
            r"(?:any|recent|latest|last|most recent) (?:recent |new )?(?:deploy(?:ment)?s?|releases?|rollouts?|"
            r"scale[- ]?ups?|restarts?|scaling)"
        ),
        (
            r"who (?:was|is) the (?:last|latest)(?: one| person)? to|who (?:all )?(?:the (?:hell|heck|f\w+) |"
            r"on earth )?(?:changed|deployed|shipped|made|touched|restarted|"
            r"scaled|"
            r"rolled|released|updated|did|last|broke|"
            r"has|ran|paused|"
            r"merged|pushed)"
        ),
        (
            r"when (?:was|did|were|is|has) .{0,30}?(?:restart|deploy|scale|scaled|update|updated|roll|change|releas|"
            r"last)\w*"
        ),
        (
            r"what (?:all )?(?:was|were|got|has been|have been) (?:deployed|changed|released|touched|done)|"
            r"audit(?: (?:logs?|trail))?|who's been"
        ),
        (
            r"(?:did|has|have) (?:any ?(?:one|body)|some ?(?:one|body)|we|they) (?:just |recently |already )?(?:been )?"
            r"(?:deploy|chang|touch|restart|scal|roll|releas|updat|merg|push|ship)\w*"
        ),
    ),
    "overview": (
        (
            r"(?:are|is) (?:we|anything|something|stuff|things|it) (?:[a-z]+ )?(?:down|broken|on fire|failing|degraded|"
            r"red|burning|hurting)"
            r" (?:anywhere|somewhere|elsewhere)|(?:any|some)thing(?:'s|s)? (?:broken|down|failing|red|unhealthy|wrong|"
            r"on fire|crashing|"
            r"dead|amiss|degraded)(?! (?:with|in|on|about) (?:N|it|this|that))|"
            r"(?:any|some)thing(?:'s| is)?(?: else)? (?:currently |also |still )?(?:limping|hurting|struggling|sick|"
            r"suffering|wobbly|flaky|"
            r"ailing|misbehaving|broken|down|dead|red|bleeding|smoking|burning|acting up|unwell)(?! (?:with|in|on) "
            r"(?:N|it|this|that))|"
            r"the (?:whole|entire|full|complete) (?:cluster|fleet|estate|platform|landscape|shebang)(?! (?:is|was|has|"
            r"went))|"
            r"overview|(?:the )?(?:big|overall|whole|full|general) picture|sit-?rep|"
            r"(?:the )?state of (?:the )?(?:world|union|prod\w*|staging)|"
            r"(?:is|are) (?:anything|something|any services) (?:\w+ )?(?:degraded|impacted|affected|slow|alerting|"
            r"off|broken|down)|how many (?:services|pods|apps|things|workloads) (?:are|is) (?:\w+ )?(?:unhealthy|"
            r"down|broken|failing|red|crashing|degraded)|(?:anything|something) (?:off|weird|odd|strange|suspicious|"
            r"fishy)|what needs (?:(?:my|our) )?attention|what all (?:is|"
            r"are) (?:broken|down|failing|red)|"
            r"(?:(?:which|what|any) (?:services?|pods|apps|workloads|things)|anything|what'?s?|whatever)"
            r"(?: (?:in|on|across) (?:the )?(?:(?:namespace|ns|cluster) )?(?!it\b|this\b|that\b)[a-z][\w-]*"
            r"(?: (?:namespace|ns|cluster))?)? (?:(?:is|are|has|have|got|been|currently|all) )*"
            r"(?:in trouble|(?:broke|broken|down|failing|failed|crashing|unhealthy|dead|red|sick)"
            r"(?= (?:in|on|across) (?:the )?(?:(?:namespace|ns|cluster) [a-z]|[\w-]+ (?:namespace|ns|cluster)\b)|\W*$))"
            r"(?! (?:with|in|on|about) (?:N|it|this|that)\b)|"
            r"whatever(?:'s| is) (?:broken|down|failing|red|unhealthy|"
            r"wrong)|(?:system|platform|fleet|site|overall) (?:status|health)|(?:summary|status|state|health|"
            r"rundown) of (?:everything|all\b|the whole)|"
            r"everything (?:still |all )?(?:ok|okay|fine|good|alright|healthy|green|up|down)\b(?! with (?:this|that|"
            r"it|N))(?! in (?:ns |namespace |the )?[\w-]+(?: ns| namespace)? with N)|any fires|what(?:'s|"
            r" is) the damage|"
            r"(?:status|health|state) of (?:the )?(?:[\w-]+ )?(?:cluster|namespace|ns)\b|(?:cluster|prod)[- ]?wide|"
            r"is it (?:only|just) (?:this|N|us|me)|"
            r"any (?:\w+ )?(?:service|pod|app|deployment|thing|workload)s? (?:\w+ )?(?:down|broken|failing|crashing|"
            r"unhealthy|affected|impacted|red)|"
            r"every(?:thing|one)(?: (?:that(?:'s|s| is)|which is))? (?:currently )?(?:down|broken|failing|unhealthy|"
            r"red|on fire|degraded|"
            r"not (?:ok|healthy|running|working))|"
            r"(?:any(?:thing)?|something|what|who|which)(?: services?)? else(?: (?:is|are|in|on|across|"
            r"around) (?:the )?(?:cluster|prod\w*|\w+))?"
            r"(?: (?:is|are))? (?:on fire|down|broken|failing|affected|impacted|red|unhealthy|wrong|hit|burning)|"
            r"(?:other|more) (?:services|things|apps|workloads|pods) (?:that are |also |are )?(?:affected|impacted|"
            r"down|broken|failing|hit|red)|"
            r"(?:is|are) (?:all of )?(?:prod|production|staging|the (?:whole )?cluster|the (?:\w+ )?namespace|"
            r"the rest(?: of (?:the |our )?\w+)?|the others?|"
            r"everything(?: else)?|all (?:the )?(?:services|systems)) (?:still |all )?(?:ok|okay|fine|up|down|"
            r"healthy|good|green|alive|broken|"
            r"running|affected|alright)|"
            r"(?:problems|trouble|issues|fires) (?:in|on|across) (?:the )?(?:cluster|prod|production|staging|"
            r"namespace)|(?:what(?:'s| is|s| services? (?:is|are))|anything|something|which (?:services?|pods|ones?|"
            r"workloads|apps|deployments|things|systems) (?:is|are)|"
            r"what services are|is anything|is something|are any (?:services|pods)) (?:currently |now |still |else )?"
            r"(?:broken|failing|down|wrong|unhealthy|on fire|burning|red|crashing|not (?:running|healthy|ok|working)|"
            r"going on|happening)"
            r"(?!.{0,12}(?:\bwith (?:it|N|this|that)|N|\bit\b))"
        ),
        (
            r"(?:all|every|list|show|unhealthy|failing|broken|crashing|list all|show all) (?:of )?(?:the |"
            r"our )?(?:services|workloads|deployments|apps|pods)"
            r"(?! of N| for N| of it)"
        ),
        (
            r"(?:cluster|namespace|overall|general|whole|entire) (?:status|health|state|overview|situation)|(?:status|"
            r"health|state) of (?:the )?(?:(?:rest|whole|remainder) of (?:the )?)?"
            r"(?:cluster|namespace|everything|all)|how bad is (?:it|this) (?:across|every|over)\w*|across the board|"
            r"(?:prod(?:uction)?|staging) (?:health|status|state)|how(?:'s| is| are) (?:everything|the cluster|"
            r"the fleet|the rest|"
            r"things|"
            r"all services|the (?:\w+ )?namespace|prod|production|staging)|"
            r"is everything (?:ok|okay|fine|up|healthy|running|alright|good)"
        ),
        *SURVEYS[0],
    ),
    "runbook": (
        (
            r"^\W*(?:the |our )?(?:tls |ssl )?cert(?:ificate)?s? (?:(?:has|have|is|are|just|about to) )*expir(?:ed|"
            r"ing|es?)(?: soon| today)?\W*$|"
            r"what (?:am|are|is) (?:we|i|one|people|somebody) (?:supposed|meant|expected) to do|"
            r"how (?:does|do|would|should|can) (?:one|anyone|anybody|people|somebody|a person) (?:even |best |properly "
            r"|usually )?[a-z]+|"
            r"(?:is|was) (?:it|this|that|any of (?:it|this)) (?:written down|documented|described)(?: (?:any|"
            r"some)where)?|"
            r"(?:is there|do we have|have we got|any|got) (?:an? |any )?(?:page|doc|guide|write-?up|checklist|cookbook|"
            r"recipe|how-?to)"
            r"(?: page)?|"
            r"man(?:ual)? pages?|run-?books?|play-?books?|procedures?|wiki|cheat ?sheet|(?:any |the |a )?docs?(?= "
            r"(?:for|on|about)|"
            r"\W*$)|remediation|"
            r"standard (?:fix|drill|procedure|steps)|what(?:'s| is) the (?:fix|drill|process|protocol|standard|"
            r"usual) (?:for|when|if|fix)|"
            r"\bsop\b|troubleshooting (?:guide|steps)|guide|documentation|\bdocs\b|"
            r"mitigation|post-?mortem guide|(?:walk|guide|take|talk|lead) (?:me|us) through|walk[- ]through|"
            r"(?:process|right way|steps) (?:to|for|of)|step[- ]by[- ]step"
        ),
        (
            r"how to (?!use\b|ask\b|talk\b|know\b|contact\b|reach\b|call\b|see\b|check\b|read\b)[a-z]+|"
            r"how (?:do|can|should|would|could|are|am) (?:i|we|one|people|somebody) (?:even |best |supposed to |"
            r"meant to |usually |normally )*"
            r"(?!use\b|ask\b|talk\b|know\b|look\b|reach\b|contact\b|page\b|call\b|get (?:a|hold|someone|somebody)\b|"
            r"looking\b|doing\b|"
            r"see\b|check\b|tell\b|read\b)(?![^,.;!?]*\bbot\b)[a-z]+|"
            r"how (?:do|can|should|would|could|to) (?:i |we |you |one |to )?(?:even )?(?:fix|handle|solve|debug|"
            r"troubleshoot|resolve|mitigate|recover|"
            r"deal with|restart|scale|roll ?back|drain|cordon|uncordon|investigate|diagnose|repair|rotate|clear|"
            r"restore|reset|fail ?over|"
            r"pause|resume|deploy|upgrade|delete|run|stop|respond|react)"
        ),
        (
            r"what (?:should (?:i|we) do|to do|do (?:i|we) do|can (?:i|we) do|steps|now|next)(?= (?:when|if|about|with|"
            r"for|in|on|to)|\?|$)|"
            r"steps (?:to|for)|best way to|instructions|known (?:issue|fix|problem)s?"
        ),
    ),
    "incident": (
        (
            r"(?:(?:raise|open|declare|start|create|file|call|log|make|report)(?: (?:this|it|me|us|"
            r"that))? (?:as )?)?(?:an? |the |another |new )*"
            r"incidents?(?: (?:status|state|summary|details?|timeline|report|ticket))?|"
            r"(?:raise|open|declare|start|create|file|call)(?: (?:this|it))? (?:as )?(?:an? )?(?:sev ?-?\d|p[0-4]\b|"
            r"outage|major)|"
            r"sev ?-?[0-5]|declare (?:it|this|one)|alerts?(?! manager)|what(?:'s| is) (?:firing|alerting)|firing|"
            r"pages?(?= (?:open|today))|"
            r"outages?|open (?:issues|pages)|on fire"
        ),
    ),
    "hand_off": (
        (
            r"(?:^|(?<=and )|(?<=then )|(?<=also )|(?<=please )|(?<=pls )|(?<=, )|(?<=; )|(?<=\. )|(?<=can you ))"
            r"(?:page|loop in|wake up) (?!(?:me|us|it|you|loads?|loading|sizes?|faults?|views?|the|an?|my|our|his|her|"
            r"on|in|by|for|at|is|was|and|not|again|when|if|as|everyone|everybody)\b)@?[a-z][\w.-]*(?=\s*(?:[,.;!?]|$|"
            r"and\b|please\b|pls\b|now\b|too\b))"
        ),
        r"(?:call|page|ping|notify|alert|get|tell|message|wake|loop in|pull in|bring in) @[\w.-]+",
        (
            r"(?<!the )(?:get|call|page|ping|wake|fetch|find|contact|reach|bring in|pull in|notify|summon|involve|"
            r"loop in|ask|"
            r"need|want|give me|connect me (?:to|with)|"
            r"put me through to|transfer (?:me |this )?to|pass (?:me |this |it )?(?:on |over )?to|hand (?:me |this |"
            r"it )?(?:off|over) to|talk to|speak (?:to|with)|"
            r"escalate (?:this |it )?to|assign (?:this |it )?to|chat with|let me (?:talk|speak) (?:to|with)|switch to|"
            r"forward (?:this |it |me )?to|bring) "
            r"(?:me |us |in |up )?(?:an? |the |some |somebody |someone |our |your |another |any )?(?:\w+ )?(?:real |"
            r"actual |live |human )?"
            r"(?:humans?|persons?|people|someone|somebody|(?:whoever(?:'s| is)? )?on-?call(?: engineer| person|"
            r" team)?|team[- ]?lead|lead|"
            r"manager|boss|owners?|dbas?|whoever (?:owns|is|runs)|operator|engineers?|sre|"
            r"support(?: team| agent)?|\w+ team|agent|expert|admin|"
            r"colleague|teammate|ops team|ops|representative|rep|staff)(?! (?:is|are|was|said|confirmed))"
        ),
        (
            r"(?:some ?(?:one|body)|a (?:person|human)|any ?(?:one|body)) (?:who|that|from) [^,.;!?\n]{3,40}? (?:come|"
            r"call|talk|speak|help|"
            r"join|take (?:over|this|a look)|to (?:come|call|talk|help|look|join))\b|humans?(?! (?:error|readable|"
            r"resource))|transfer me|(?:someone|somebody) from (?:the )?(?:sre|ops|"
            r"on-?call|support|team)|^(?:please )?(?:agent|operator|support|representative)(?: please)?$|"
            r"hand (?:this|it|me) (?:over )?to|escalate|hand (?:it |this |me )?(?:off|over)|hand-?off|"
            r"human(?: please)?(?=$|[.!?])|real person|(?:somebody|someone) (?:please |pls |else )?(?:take over|"
            r"take this|come)|take over from (?:here|me)|"
            r"page (?:on-?call|the on-?call|sre|them|him|her|it|someone|somebody)\b|need (?:a )?human|"
            r"(?:page|call|ping|get|wake|find|fetch|contact|grab|reach|summon|tell|alert|notify)(?: up"
            r"| out to)? (?:me )?(?:whoever|who ?ever|whomever|the (?:person|one|guy|engineer"
            r"|human)s? who)(?:'s| is| are)? (?:on[- ]?call|on duty|responsible|in charge|owns?|awake"
            r"|around|available|looks? after|runs?|maintains?)|"
            r"^\W*(?:the )?on-?call(?: (?:please|pls|plz|now))*\W*$|(?:an? |"
            r"some )?adult|"
            r"(?:call|page|ping|wake|get|phone|ring|fetch|contact|alert|summon|loop in|bring in|pull in|reach)(?: up|"
            r" out to)? (?:me )?(?:the |our )?"
            r"N(?:'s)? (?:on-?call|owners?|team|folks|people|guys|lead|engineers?|devs?|dbas?)|"
            r"N(?:'s)? on-?call(?: engineer| person)?(?! (?:is|was|said|runbook))|"
            r"(?:a |an )?human (?:being|agent|operator|help)|customer (?:service|support)|live (?:agent|person|support)"
        ),
    ),
    "help": (
        (
            r"(?:list|show|what(?:'s| are| is)?|which|tell|give|send)(?: [a-z]+){0,4}? (?:operations|actions|things|"
            r"commands|requests|"
            r"orders|tricks|tasks|jobs|stuff|verbs)(?: (?:that|which))? (?:you|u|this bot|the bot)(?: (?:can|could|are "
            r"able to|do|"
            r"actually))* (?:support|understand|know|do|take|offer|handle|perform|run|accept|respond to|listen to)s?|"
            r"what (?:kind|sort)s? of (?:things|stuff|questions|commands|changes)(?: (?:can|could|do) (?:you|u)(?: "
            r"[a-z]+){0,2})?|"
            r"how (?:do|can|should|would|to) (?:i |we |one |people )?(?:use|drive|operate|work|talk to|command|steer) "
            r"(?:you|u|this bot|"
            r"the bot|this thing)|what(?:'s| is) (?:in )?your (?:repertoire|skill ?set|menu|range)|"
            r"what (?:exactly |precisely |actually |else )?(?:can|all can|could|do|else can|else do|else could|are) "
            r"(?:you|u|i|we|ya) (?:able to |"
            r"allowed to )?(?:even |actually |really |all |possibly )*(?:do|"
            r"ask|say|type|"
            r"help|offer|support|know|use)\b(?! with N| about N)|"
            r"what (?:may|am|can|are) (?:i|we) (?:allowed |permitted |able )?(?:to )?(?:do|ask)|what (?:are|"
            r"is) you(?:r)? (?:commands|capabilities|features|"
            r"functions|abilities|for|skills|purpose)|how (?:do i|do we|does one|to|can i|should i) (?:use|talk to|"
            r"work with|ask|address|command|talk with) (?:you|this|it|the bot)|"
            r"what (?:can|does|could) (?:this|the|that) (?:bot|thing)|what (?:all )?(?:things )?you (?:can|could|"
            r"are able to) (?:do|help)|command list|list of (?:your )?commands|"
            r"(?:list|show)(?: me)?(?: the| your| all| available)* "
            r"(?:commands|help)|what (?:kind|sort)s? of (?:things|stuff|questions|commands)|how (?:does|do) (?:this|"
            r"the|your) (?:bot|thing)|how (?:do|can|should) (?:i|we) [^,.;!?]{0,20}\bbot\b|"
            r"what(?:'s| is) (?:this|your) (?:bot|job|purpose)|what (?:do|are) you (?:know|understand|good|capable|"
            r"able)|(?:your|bot) manual|"
            r"^/?help$|^help[, ]+(?:me )?(?:please|pls|plz)[ !.]*$|available commands|commands|who are you|"
            r"what are you|"
            r"how do you work|how does this work|"
            r"^help[ !.?]*$|^(?:please )?help(?: me)?[ !.?]*$|"
            r"^\?+$|help menu|usage info|my (?:permissions|rights)|am i allowed"
        ),
    ),
    "status": (
        DEPENDENTS[0],
        (
            r"status(?:es)?|state|health(?:y|iness)?|unhealthy|condition|situation|(?:are|is) (?:we|things|"
            r"everything here) (?:good|ok|okay|back|up|down|still|fine|alright|recovered)|how many (?:are|"
            r"of (?:them|its))\b|"
            r"how many (?:replicas|pods|instances|"
            r"copies)|replica count|number of (?:replicas|pods)|"
            r"pods?|replicas|instances|rollout(?: status)?|uptime|availability|restart counts?|latency|error rate|"
            r"throughput|qps|slow quer(?:y|ies)|traffic|(?:kubectl )?get (?:po|deploy|sts|ds|rs)\b|"
            r"connections?|queue (?:length|depth)|lag|hpa|autoscal(?:er|ing)"
        ),
        (
            r"how(?:'s| is| are| was|s) (?:it|this|that|N|things with|(?:the |our )?(?:service|app|database|db|"
            r"deployment|pods?|replicas))(?: doing| going|"
            r" looking| now| holding up)*"
        ),
        (
            r"(?:did|has|have) (?:we|it|that|this|N|they|the pods?|things) (?:\w+ )?(?:c[oa]me (?:back|up)|recover\w*|"
            r"start\w*|gone|go|settle\w*|"
            r"finish\w*|stabili[sz]\w*|roll\w*)(?: (?:back|up|out|through))?|(?:it )?back (?:yet|up|online|now)\b|"
            r"what(?:'s| is) the latest (?:on|with)|what(?:'s|s| is) with (?:N|it|this|that)|everything (?:ok|okay|"
            r"fine|good|alright) with (?:this|that|it|N)|is N (?:in|on) \w+ (?:still )?(?:up|ok|okay|fine|down|"
            r"alive|running|working|healthy|back)|(?<=[.,!?] )(?:up|better|good|back)(?: (?:yet|now|"
            r"again))?(?=\W*[?])|"
            r"^\W*(?:(?:ok|so|and|it|u|you|still|now|is it|N|are we|pods?) )*(?:up|better|good|ok|okay|fine|running|"
            r"working|down|stuck|stable|ready|"
            r"healthy|alive|recovered|fixed|done)(?: (?:yet|now|again|already))?(?=\W*[?])|"
            r"(?:is|are) (?:it|N|they|this|that) (?:\w+ )?(?:fixed|done|over|gone|resolved|sorted|normal|stable|"
            r"lagging|degraded|impacted|affected|overloaded|flapping|restarting|"
            r"finished|live|usable|available|recovering|holding|coping|serving|responding|answering|reachable|again|"
            r"yet|"
            r"working|moving)\b|"
            r"all (?:good|ok|okay|fine|clear|well)(?= here|\W*[?])|(?:sup|wassup|wazzup|what's good) (?:with|w)\b|"
            r"still (?:down|slow|failing|broken|up|alive|crash\w*|"
            r"bad|there|oom\w*|restarting|flapping|red|dead|"
            r"stuck|erroring|timing out|the same)|"
            r"(?:is|are) (?:all|any|some|most) (?:of )?(?:its|the|our|N) \w+|(?:is|are) all (?:pods"
            r"|replicas|instances)|whether (?:N|it) (?:is|works|runs|has)(?: \w+)?|how (?:N|it|the "
            r"(?:service|app|rest of N)) (?:is|are|was)(?: doing"
            r"| going| looking| holding up| now)*|"
            r"(?:did|has|does) (?:the )?(?:restart|rollback|scal(?:e|ing)(?:[- ]up)?|deploy|fix|change|"
            r"release) (?:\w+ )?(?:work|help|fix|do|change)\w*|"
            r"(?:did|has|does) (?:it|that|this|N) (?:work(?:ed)?|help(?:ed)?|fix(?:ed)? (?:it|that)|recover(?:ed)?)|"
            r"(?:any|is it) better|how long (?:has|was|is) (?:it|this|N) (?:been )?(?:down|broken|out|failing)|"
            r"what(?:'s| is|s| was| could be)? (?:wrong|up|going on|happening|the (?:matter|problem|issue|trouble|deal|"
            r"story)|broken|failing)"
            r"(?: (?:with |in |on |to )?(?:it|N|this|that))?"
        ),
        (
            r"what happened|is (?:it|N|this|that|the \w+|N \w+) (?:still |ok|okay|fine|up|down|alive|running|working|"
            r"healthy|slow|broken|stable|back|there|dead|"
            r"failing|crashing|responding|reachable|ready|recovered|good|stuck|sick|ill|dying|struggling|hosed|borked|"
            r"toast|crawling|"
            r"misbehaving)|what (?:does|do) (?:it|N|this|they) look like|how (?:does|do) (?:it|N|this|they) look|why "
            r"(?:do|does|is|are|did) (?:[a-z]+ ){1,4}(?:to|on|from|with|of|for|in) (?:it|N|this "
            r"one)(?!\w)|any (?:problems?|issues?|trouble|"
            r"errors?)"
        ),
        (
            r"what(?:'s| is) (?!call|us|point|run|us|go|com|block|tak)\w+ing (?:N|it)(?!\w)|"
            r"why (?:is|are|does|did|was|has|do|were|isn't|can't|doesn't) (?:it|N|this|that|the|its|all)(?!\w)"
        ),
        (
            r"why(?:'s| is) (?:it|this|that|N)|how(?:'s| is| are) (?:its|N) \w+|diagnos(?:e|is|tics?)|investigate|"
            r"triage|troubleshoot|debug|inspect|examine|analy[sz]e|root cause|"
            r"describe|details? (?:of|on|for|about)"
        ),
    ),
}

REPORTS: Final = (
    r"cert(?:ificate)?s? (?:(?:has|have|is|are|just|about to) )*expir(?:ed|ing|es?)|"
    r"(?:is|are|'s|'re|says|shows|returns|gives|looks?|seems?|keeps?|went|got|has been|still|was|feels?|be|gone|"
    r"being) (?:\w+ )?(?:down|slow|"
    r"failing|crashing|broken|stuck|dead|unresponsive|"
    r"unreachable|timing out|unstable|flapping|hanging|laggy|degraded|throwing|oom\w*|restarting|acting up|"
    r"misbehaving|not \w+|unhealthy|offline|"
    r"overloaded|erroring|returning \d+|unavailable|behaving|having)|time-?outs?|timed? out|times out|crash(?:ed|"
    r"es|loop\w*|ing)?|5\d\ds?|50x|"
    r"oom(?:kill\w*)?|(?:doesn't|does not|isn't|is not|not) (?:work|respond|start|respond)\w*|errors?|failed|fails|"
    r"failures?|hangs|hung|stuck|died|"
    r"(?:lots? of|many|high|too many|spike\w*|slow|bad) (?:\w+ )?(?:errors?|latency|load|queries|response\w*|restarts)"
)
"""What is said of a service in trouble. With nothing else asked for, it is a question for its status."""

LOOKING: Final = (
    r"dump|paste|compare|send(?: me| us)|check(?: out| on| up on)?|peek(?: at)?|take a "
    r"(?:quick )?peek(?: at)?|look (?:into|at|over|up|whether|if|how)|(?:please|pls|plz|just|you|and|then|to|quick|"
    r"can) look(?! like)|"
    r"have a look(?: at| into)?|take a (?:quick )?look(?: at|"
    r" into)?|show(?: me| us)?|see|view|"
    r"display|print|fetch|pull up|get(?: me)?|give me|tell me(?: about)?|monitor|watch|what about|how about|"
    r"kubectl (?:get|describe)|find(?: out)?|explain|summari[sz]e|report(?: on)?|bring up|list|read(?: me)?|name|hand "
    r"me|spell out|update me|fill me in|catch me up|brief me|let me see|let's see|"
    r"handle|help (?:me )?with|deal with|"
    r"work on|focus on|turn to|take care of|"
    r"i want to see"
)
"""Verbs of looking. With a service and nothing more exact in the clause, they ask for its status."""
