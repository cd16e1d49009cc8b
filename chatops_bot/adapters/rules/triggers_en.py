"""English words that ask for something: per intent, patterns of what people type. Data only.

Actions match their order form alone (`restart`, not `restarted` or `restarting`). What stands before the
verb decides whether it is an order at all: see `ORDER_PREFIX` and `requests`.
"""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.looking import DEPENDENTS
from chatops_bot.adapters.rules.past import PASTS
from chatops_bot.adapters.rules.surveying import SURVEYS

_REPLICAS = r"(?:replicas?|pods?|instances?|copies)"
_IT = (
    r"(?:it|this|that|them|those|these|(?:the|this|that) (?:service|deployment|app|database|db|workload|pods?|"
    r"replicas?)|N)"
)
_ALERTS = r"(?:(?:the|this|that|these|all|our) )?(?:alert|notif|pag(?:e|ing)|monitoring|alarm)"
"""They are silenced elsewhere; nothing here pauses them."""
_REF = r"(?:[\w.-]+/)*[\w.-]+:[\w.-]*\d[\w.-]*"
_ENV = r"(?:prod(?:uction)?|staging|stage|stg|dev|test|uat|canary|pre-?prod)"
_THING = r"(?:node |pod |pod/|po/|node/)?[a-z][a-z0-9.]*(?:-[a-z0-9.]+)*-(?=[a-z0-9.-]*\d)[a-z0-9.-]+"
"""A node or a pod by its name, which the catalog need not know."""
_OBJECT = rf"(?:N|{_THING})"
_NUM = r"(?:\d+|zero|eleven|twelve|fifteen|twenty|one|two|three|four|five|six|seven|eight|nine|ten|a couple(?: of)?|a dozen|an?)"

ACTIONS: Final[dict[str, tuple[str, ...]]] = {
    "scale": (
        r"(?:up|down|re)?scale(?:[ -](?:up|down|out|in|back))?(?! down rollout)",
        r"scaling(?= (?:up|down|out|in) please)",
        r"(?:re|up|down)size|(?:shrink|grow|expand|enlarge|beef up)(?= N| it\b| this\b)",
        (
            rf"(?:increase|decrease|raise|lower|reduce|bump|grow|shrink|cut|change|update|adjust|modify|set|bring|drop|"
            rf"put|get(?! (?:(?:the|its|all|my) )*(?:replicas?|pods?)\b(?! (?:up|down|back|to|at|count)\b))|keep|take) "
            rf"(?:up |down )?(?:the |its |N(?:'s)? |{_IT} )?(?:number of |count of |desired )?(?:{_REPLICAS})(?: count|"
            rf" number)?"
        ),
        (
            rf"(?:increase|decrease|raise|lower|reduce|bump|grow|shrink|bring|drop|cut|take) (?:up |down )?{_IT} "
            r"(?:up |down |back )?(?:to|by)\b"
        ),
        (
            rf"(?:add|remove|kill|drop|start|spin up|launch|bring up) (?:another |up to )?{_NUM} (?:more |extra |"
            rf"additional |of the )?{_REPLICAS}"
        ),
        rf"(?:add|give (?:it|me|us|N)|run|want|need) (?:another )?{_NUM} (?:more|extra|additional)?\s?{_REPLICAS}",
        rf"add {_NUM} more(?: of (?:them|those))?",
        rf"{_NUM} (?:more|fewer|less|extra|additional) {_REPLICAS}",
        rf"(?:double|triple|quadruple|halve) (?:{_IT}|the {_REPLICAS}|{_REPLICAS}|the capacity|capacity|the number)",
        (
            rf"(?:set|put|make|bring|run|take) {_IT} (?:back |up |down )?(?:to|at|with|on) (?:\d+|zero|one|two|three|"
            rf"four|five|six|eight|ten)"
            rf"(?: {_REPLICAS})?(?![\d.:]*[.:/]\d)"
        ),
        rf"(?:bump|ramp|crank|dial|step|go) (?:{_IT} )?(?:up |down |out |in )?(?:to|by) {_NUM}\b(?!\.)",
        rf"(?:up|down) to {_NUM}\b(?! (?:min|sec|hour|day))(?: {_REPLICAS})?",
        rf"(?:cut|chop|slice|split|bring|drop|reduce|take) (?:{_IT}|the {_REPLICAS}) (?:down )?(?:in|by) half",
        rf"make (?:it|that|N)(?: (?:in|on) \w+)? {_NUM} {_REPLICAS}",
        rf"(?:to |(?:only |just )?(?:needs?|wants?|gets?) (?:only |just )?|with )?{_NUM} (?:more |extra |additional )?(?:replicas|"
        rf"instances|copies)|(?:only |just )?(?:needs?|wants?|gets?) (?:only |just )?{_NUM} (?:more )?{_REPLICAS}",
        rf"(?:need |want |get |add |give (?:it|me|us) )?(?:some |a few |a couple )?(?:more|fewer|extra|additional) (?:N )?"
        rf"(?:{_REPLICAS})",
        r"(?:--)?replicas?(?: count)?\s?(?:=|:)\s?\d+",
    ),
    "restart": (
        (
            r"re-?starts?(?= please)|re-?start(?!(?:s|ed|ing)\b| (?:the |this |our |from )?(?:scratch|conversation|"
            r"session|chat|flow|dialog)| count| loop| polic| reason| histor| time)"
        ),
        r"reboot|bounce|recycle|rollout restart|rolling[ -]restart|re-?deploy(?!ment|ed|ing|s\b)|re-?launch|re-?spin",
        (
            rf"give {_IT} (?:a|another) (?:\w+ )?(?:re-?start|bounce|kick|reboot)|"
            r"kick (?:it|N)|(?:cycle|roll) (?:the pods|its pods|it\b|N|all pods)|turn(?:ing)? (?:it|N) off and (?:back )?on(?: again)?|"
            r"(?:a |do a |another |perform a |trigger a )(?:rolling )?restart(?= of| on| for| please|$)|"
            r"(?:needs?|wants?|could use|deserves) (?:a |another )?(?:\w+ )?(?:re-?start(?:ing)?|reboot|bounce|bouncing|kick)"
        ),
    ),
    "rollback": (
        (
            r"(?:roll(?:ing)?[ -]?back|revert) (?:it |this |N |the service )?to (?:the |its )?(?:previous|last|prior|"
            r"earlier) (?:deploy(?:ment)?|release|rollout|update|version|revision|change)"
        ),
        (
            r"roll(?:ing)?[ -]?back|roll (?:it|this|that|them|N|the (?:service|deployment|release|image)) back|"
            rf"roll (?:the )?(?:\w+ )?back|roll N {_ENV} back|revert|rollout undo"
        ),
        (
            r"(?:undo|back out|unship|take back) (?:(?:the|that|this|last|latest|previous) )*(?:deploy(?:ment)?|release|"
            r"rollout|update|upgrade|change|version)|back (?:it|this|that) out"
        ),
        (
            r"(?:go|switch|get|put it|put N|bring it|take it|change(?: it)?|move(?: it)?) back to (?:the )?(?:previous|"
            r"last|old|prior|earlier|stable|"
            r"version|revision|release|v\d)"
        ),
        (
            rf"(?:go |switch |get |(?:put|bring|take|move|set) {_IT} )?back (?:to|on|onto) (?:the |its )?(?:previous|last|old|prior|"
            r"earlier|stable|version|revision|rev\b|release|build|one before|v\d|#\d)"
        ),
        rf"(?:go |roll |step |take {_IT} )?back (?:one|a|two|\d) (?:version|revision|release|step)s?",
        r"restore (?:the )?(?:previous|last|old|prior|earlier) (?:version|revision|release|image)",
        r"downgrade",
    ),
    "pause": (
        (
            rf"pause(?! before| {_ALERTS})|"
            rf"(?:hold|freeze|suspend|halt|stop|pause) (?:(?:the|its|that|this|N(?:'s)?|{_ENV}) )*(?:rollout|roll-out|"
            r"deploy(?:ment)?s?|"
            r"release|update|upgrade)(?: of| for)?|rollout pause|"
            r"put (?:(?:the|its|this|that|N(?:'s)?|it|rollout|roll-out|release|deploy|deployment|of|\w+) ){1,6}on (?:hold|ice|pause)"
        ),
        rf"suspend(?! {_ALERTS})|freeze(?= N)",
    ),
    "resume": (
        rf"(?:resume|unpause|un-pause|unfreeze|unsuspend)(?! {_ALERTS})",
        (
            rf"(?:continue|restart|carry on with|go on with|proceed with|finish|unblock|go ahead with|resume|keep going with) "
            rf"(?:(?:the|its|that|this|paused|halted|N(?:'s)?|{_ENV}) )*(?:rollout|roll-out|release|update|upgrade|"
            r"deploy(?:ment)?(?: rollout)?)|rollout resume"
        ),
        (
            r"let (?:(?:the|its|this|that|paused|N(?:'s)?) )*(?:rollout|roll-out|release|deploy(?:ment)?|update|it)(?: of N)? "
            r"(?:continue|go on|proceed|finish|resume|carry on)|take (?:it|N|the rollout)(?: of N)? off hold"
        ),
    ),
    "set_image": (
        (
            r"set (?:the )?image|(?:update|change|upgrade|bump|switch|swap|replace|set|move|point) (?:the )?"
            r"(?:container )?(?:image|tag|version)"
        ),
        (
            r"(?:update|change|upgrade|bump|switch|set|move|roll|put) (?:it|this|N|the \w+)(?:'s)?(?: \w+)? (?:image|"
            r"tag|version)"
        ),
        (
            r"(?:update|upgrade|bump|switch|deploy|move|roll out|ship|release|roll) (?:it|this|N|the \w+|"
            r"\w+)?\s?(?:forward )?"
            r"(?:to |onto |on |with )?(?:the )?(?:version |image |tag |release )?(?:[\w.-]+/[\w./-]+(?::[\w.-]+)?|"
            r"[\w.-]+:[\w.-]*\d[\w.-]*|v?\d+\.\d[\w.-]*|v\d+\b)"
        ),
        r"(?:deploy|ship|roll out|release) (?:the )?(?:version|image|tag)",
        r"(?:use|run|try) (?:the |this )?(?:image|tag|version)",
        r"(?:upgrade|update)(?= N(?!'s)(?! \w+ (?:status|state))| it\b| this\b)",
        rf"(?:container )?image (?:to |= ?|: ?)?{_REF}",
        rf"(?:put|pin|get|ship|push) (?:N |it )?(?:to |at |on )?(?:version |image |tag )?(?:{_REF}|v?\d+\.\d[\w.-]*)",
        rf"(?:to|onto) (?:{_REF}|v?\d+\.\d[\w.-]*)",
        r"new (?:image|tag|version|build)(?= (?:for|on) N)",
        r"(?:update|bump|switch|move|deploy|roll) (?:it|this|N) to (?:the )?(?:latest|stable)",
    ),
    "set_autoscaler": (
        (
            r"(?:set|change|update|adjust|configure|create|enable|turn on|raise|lower|increase|bump|modify|add|make) "
            rf"(?:up )?(?:(?:the|an?|its|N(?:'s)?|{_ENV}) )*(?:min|max|minimum|maximum)?(?: (?:of|replicas (?:of|for|"
            r"on)) (?:the )?)?\s?"
            r"(?:hpa|autoscal\w+|auto-scal\w+|horizontal pod autoscaler)"
        ),
        r"auto-?scale",
        (
            r"(?:set|change|raise|lower|increase|bump|put|adjust|make) (?:the |its )?(?:min|max|minimum|"
            r"maximum)(?:imum)?\b(?: replicas)?"
        ),
        r"(?:hpa|autoscaler|autoscaling)(?:'s)?(?= (?:to|min|max|between|from|at|of)|\s?[:=]?\s?\d)",
        r"(?:let|have|make) (?:N|it) autoscale",
        rf"(?:min|max)(?:imum)?(?: (?:replicas?|of|to|pods))*\s?[=:]?\s?{_NUM}\b(?= (?:for|on) (?:the |its )?(?:hpa|autoscal))",
        r"scale (?:it |N )?(?:automatically )?between(?= \w+ and)",
        r"min(?:imum)? (?:of )?\d+\D{1,12}max(?:imum)? (?:of )?\d+",
    ),
    "abort": (
        (
            r"abort (?:the |its |that |this |N(?:'s)? )?(?:canary |argo |current |running )?(?:rollout|roll-out|canary|"
            r"update|release|deploy(?:ment)?|promotion)(?: of| for)?"
        ),
        r"abort(?= N)",
    ),
    "delete_pod": (
        (
            r"(?:delete|kill|remove|evict|terminate|destroy|nuke|drop|recreate|restart|bounce|get rid of|throw away|"
            r"recycle) "
            r"(?:the |this |that |its |a |one )?(?:\w+ )?po(?:ds?)?(?: named| called)?(?=[ /]|$)(?! (?:to|by|from) \d)"
        ),
        rf"(?:delete|kill|evict|terminate|nuke|remove|zap|destroy|get rid of)(?= (?:the )?(?:{_OBJECT}|pod/|po/))",
        r"(?:delete|kill|evict|terminate|nuke|remove|zap|destroy|get rid of) (?:it|this one|that one)\b",
    ),
    "cordon": (
        r"cordon(?: off)?",
        rf"take {_OBJECT} out of (?:scheduling|rotation|service|the pool)|no (?:new|more) pods (?:on|onto|to) {_OBJECT}|"
        rf"(?:don't|do not) (?:schedule|put) (?:anything|any pods|new pods|pods|any more pods|more pods|stuff)(?: else| new)? (?:on|onto|to) {_OBJECT}",
        (
            r"(?:make|mark|set) (?:the )?(?:node )?\S+ (?:as )?unschedulable|(?:disable|stop|prevent) scheduling(?: "
            r"(?:pods|anything|stuff|workloads))?(?: on| to)?"
        ),
    ),
    "uncordon": (
        r"un-?cordon",
        rf"(?:put|bring|take) {_OBJECT} back(?: (?:in|into|to) (?:rotation|service|scheduling|the pool|use)| online)?(?=\W*$| (?:now|please|pls|again))",
        rf"let {_OBJECT} (?:take|have|get|run|accept) (?:new )?pods",
        (
            r"(?:make|mark|set) (?:the )?(?:node )?\S+ (?:as )?schedulable(?: again)?|(?:enable|allow|re-?enable|"
            r"resume) scheduling(?: on| to)?"
        ),
    ),
    "drain": (
        (
            r"(?:force(?:fully|-)?\s?)?(?:drain|evacuate)|needs? (?:draining|to be drained)|empty (?:out )?(?:the )?node|"
            r"(?:move|kick|get|shift|push) (?:everything|everybody|all (?:the )?pods|the pods|pods|all workloads) (?:off|out)(?: of)?|"
            rf"(?:empty|clear)(?: out)? (?={_THING})|"
            r"evict (?:all|everything)(?: (?:the )?pods)?(?: from| on| off)?"
        ),
    ),
}

QUERIES: Final[dict[str, tuple[str, ...]]] = {
    "logs": (
        r"logs|log(?! ?(?:in|out|on|off|into)\b)|log (?:lines?|output|messages?)|(?:console |container )?output|stack ?traces?|stdout|stderr|log tail|kubectl logs",
        r"tail(?= (?:it|N|the|-f|-n|\d))",
        (
            r"(?:what|which|list|show|group(?:ed)?|top|count|latest|recent|most (?:common|frequent)) (?:me )?(?:the |"
            r"its |all )?(?:errors|exceptions|error (?:lines|messages))|errors? (?:lines|messages|summary|groups)|"
            r"(?:errors|exceptions)(?= (?:of|in|from|for|on) (?:N|it\b)|\W*(?:please|pls|plz|now|$))|"
            r"what(?:'s| is| did| was| does)? (?:it|N|the \w+(?: \w+)?) (?:log|logging|print|printing|say|saying|throw|throwing|spit\w*|"
            r"complain\w*|spew\w*)(?: out| about)?|did (?:it|N) log|(?:last|latest|final) \d+ (?:log )?lines"
        ),
    ),
    "events": (r"events?",),
    "history": (
        r"(?:rollout|revision|deploy(?:ment)?|release|version|roll-out) (?:history|histories|list|log)",
        (
            r"(?:previous|old|past|older|earlier|available|all|which|what|list|how many|show(?: me)?)(?: the| its| our| all| past|"
            r" old| previous)* (?:revisions|versions|releases|rollouts|builds|deployments)|"
            r"revisions|history"
        ),
        (
            r"which (?:version|revision|release|image|build|tag)|what (?:build|tag)|what (?:version|revision|release|image)|(?:version|revision|"
            r"image|tag) is (?:it|running|N)"
        ),
    ),
    "resources": (
        (
            r"cpu|memory|\bmem\b|ram|(?:resource|disk|cpu|memory) (?:usage|use|consumption|requests?|limits?)|usage|"
            r"utili[sz]ation|(?:resource |memory |mem |cpu )?(?:limits|requests)(?= (?:of|on|for|does|do|and|n|has) |\W*$)|"
            r"top(?= N)|(?:using|eating|burning|consuming|hogging)(?= (?:up )?(?:much|a lot|all|how))|headroom|"
            r"resources?(?! hog)|metrics|requests and limits|top pods|kubectl top|how (?:much|heavy|loaded|hot|hungry|busy)|"
            r"load average|throttl\w+"
        ),
        # What is charted; that something is high or spiking is a complaint, and asks for a diagnosis.
        (
            r"(?:latenc(?:y|ies)|(?:error|request|traffic) rates?|response times?|throughput|rps|qps|"
            r"p(?:50|9[059]|999))(?! (?:(?:of|on|for|in) N )?"
            r"(?:is|are|has|have|was|went|goes|jumped|keeps|seems|looks|spik\w+|too|very|so)\b)"
        ),
        r"graphs?|charts?|plot|draw|trend(?:s|line)?",
    ),
    "changes": (
        (
            r"(?:what|anything|something|nothing)(?:'s| has| have| is| was|'ve)? (?:been )?(?:changed?|different|new|deployed|released|"
            r"shipped|pushed|rolled out|merged|touched)|"
            r"(?:was|were|is|are) there (?:a |an |any )?(?:new |recent )*(?:release|deploy\w*|rollout|change|push|update)s?|"
            r"what (?:did|have|has|had) (?:we|you|they|i|any ?one|any ?body|some ?one|some ?body|people|the bot) (?:just |already |been )?"
            r"(?:done|do|doing|change[ds]?|deploy\w*|ship\w*|touch\w*|tr(?:y|ied)|run)(?: (?:to|on|with|in|about) (?:it|N|this|that))?|"
            r"what(?:'s| has| was| had)(?: been)? done(?: (?:to|on|with) (?:it|N|this))?|what (?:went|got) (?:out|in|live|pushed|shipped)|"
            r"(?:any|recent|latest|last|list|show|"
            r"the|of) (?:\w+ )?changes|"
            r"changes? (?:to|in|on|of|for)|changelog|diff"
        ),
        (
            r"(?:any|recent|latest|last|most recent) (?:recent |new )?(?:deploy(?:ment)?s?|releases?|rollouts?|"
            r"scale[- ]?ups?|restarts?|scaling)"
        ),
        (
            r"who (?:changed|deployed|touched|restarted|scaled|rolled|released|updated|did|last|broke|has|ran|paused|"
            r"merged|pushed)"
        ),
        (
            r"when (?:was|did|were|is|has) .{0,30}?(?:restart|deploy|scale|scaled|update|updated|roll|change|releas|"
            r"last)\w*"
        ),
        r"what (?:was|got) (?:deployed|changed|released)|audit|who's been",
        (
            r"(?:did|has|have) (?:any ?(?:one|body)|some ?(?:one|body)|we|they) (?:just |recently |already )?(?:been )?"
            r"(?:deploy|chang|touch|restart|scal|roll|releas|updat|merg|push|ship)\w*"
        ),
        *PASTS[0],
    ),
    "overview": (
        (
            r"overview|(?:the )?(?:big|overall|whole|full|general) picture|sit-?rep|(?:the )?state of (?:the )?(?:world|union|prod\w*|staging)|"
            r"every(?:thing|one)(?: (?:that(?:'s|s| is)|which is))? (?:currently )?(?:down|broken|failing|unhealthy|red|on fire|degraded|"
            r"not (?:ok|healthy|running|working))|"
            r"(?:any(?:thing)?|something|what|who|which)(?: services?)? else(?: (?:is|are|in|on|across|around) (?:the )?(?:cluster|prod\w*|\w+))?"
            r"(?: (?:is|are))? (?:on fire|down|broken|failing|affected|impacted|red|unhealthy|wrong|hit|burning)|"
            r"(?:other|more) (?:services|things|apps|workloads|pods) (?:that are |also |are )?(?:affected|impacted|down|broken|failing|hit|red)|"
            r"(?:is|are) (?:all of )?(?:prod|production|staging|the (?:whole )?cluster|the (?:\w+ )?namespace|the rest|the others?|"
            r"everything(?: else)?|all (?:the )?(?:services|systems)) (?:still |all )?(?:ok|okay|fine|up|down|healthy|good|green|alive|broken|"
            r"running|affected|alright)|"
            r"(?:problems|trouble|issues|fires) (?:in|on|across) (?:the )?(?:cluster|prod|production|staging|namespace)|(?:what(?:'s| is|s| services? (?:is|are))|anything|something|which (?:services?|pods|ones?|"
            r"workloads|apps|deployments) (?:is|are)|"
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
            r"health|state) of (?:the )?"
            r"(?:cluster|namespace|everything|all)|how(?:'s| is| are) (?:everything|the cluster|the fleet|the rest|things|"
            r"all services|the (?:\w+ )?namespace|prod|production|staging)|"
            r"is everything (?:ok|okay|fine|up|healthy|running|alright|good)"
        ),
        *SURVEYS[0],
    ),
    "runbook": (
        (
            r"run-?books?|play-?books?|procedures?|wiki|cheat ?sheet|(?:any |the |a )?docs?(?= (?:for|on|about)|\W*$)|remediation|"
            r"standard (?:fix|drill|procedure|steps)|what(?:'s| is) the (?:fix|drill|process|protocol|standard|usual) (?:for|when|if|fix)|"
            r"\bsop\b|troubleshooting (?:guide|steps)|guide|documentation|\bdocs\b|"
            r"mitigation|post-?mortem guide|(?:walk|guide|take|talk|lead) (?:me|us) through|walk[- ]through|"
            r"step[- ]by[- ]step"
        ),
        (
            r"how (?:do|can|should|would|could|are|am) (?:i|we|one|people|somebody) (?:even |best |supposed to |meant to |usually |normally )*"
            r"(?!use\b|ask\b|talk\b|know\b|look\b|reach\b|contact\b|page\b|call\b|get (?:a|hold|someone|somebody)\b|looking\b|doing\b|"
            r"see\b|check\b|tell\b|read\b)[a-z]+|"
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
            r"(?:(?:raise|open|declare|start|create|file|call|log|make|report)(?: (?:this|it|me|us|that))? (?:as )?)?(?:an? |the |another |new )*"
            r"incidents?(?: (?:status|state|summary|details?|timeline|report|ticket))?|"
            r"(?:raise|open|declare|start|create|file|call)(?: (?:this|it))? (?:as )?(?:an? )?(?:sev ?-?\d|p[0-4]\b|outage|major)|"
            r"sev ?-?[0-5]|declare (?:it|this|one)|alerts?(?! manager)|what(?:'s| is) (?:firing|alerting)|firing|pages?(?= (?:open|today))|"
            r"outages?|open (?:issues|pages)|on fire"
        ),
    ),
    "hand_off": (
        (
            r"(?:get|call|page|ping|wake|fetch|find|contact|reach|bring in|pull in|notify|summon|involve|loop in|ask|"
            r"need|want|give me|connect me (?:to|with)|"
            r"put me through to|transfer (?:me |this )?to|pass (?:me |this |it )?(?:on |over )?to|hand (?:me |this |"
            r"it )?(?:off|over) to|talk to|speak (?:to|with)|"
            r"escalate (?:this |it )?to|assign (?:this |it )?to|chat with|let me (?:talk|speak) (?:to|with)|switch to|"
            r"forward (?:this |it |me )?to|bring) "
            r"(?:me |us |in |up )?(?:an? |the |some |somebody |someone |our |your |another |any )?(?:\w+ )?(?:real |"
            r"actual |live |human )?"
            r"(?:humans?|persons?|people|someone|somebody|(?:whoever(?:'s| is)? )?on-?call(?: engineer| person| team)?|team[- ]?lead|lead|"
            r"manager|boss|owners?|dbas?|whoever (?:owns|is|runs)|operator|engineers?|sre|"
            r"support(?: team| agent)?|agent|expert|admin|"
            r"colleague|teammate|ops team|ops|representative|rep|staff)(?! (?:is|are|was|said|confirmed))"
        ),
        (
            r"humans?(?! (?:error|readable|resource))|transfer me|(?:someone|somebody) from (?:the )?(?:sre|ops|"
            r"on-?call|support|team)|^(?:please )?(?:agent|operator|support|representative)(?: please)?$|"
            r"hand (?:this|it|me) (?:over )?to|escalate|hand (?:it |this |me )?(?:off|over)|hand-?off|"
            r"human(?: please)?(?=$|[.!?])|real person|"
            r"page (?:on-?call|the on-?call|sre|them|him|her|it|someone|somebody)\b|need (?:a )?human|(?:an? |some )?adult|"
            r"(?:call|page|ping|wake|get|phone|ring|fetch|contact|alert|summon|loop in|bring in|pull in|reach)(?: up| out to)? (?:me )?(?:the |our )?"
            r"N(?:'s)? (?:on-?call|owners?|team|folks|people|guys|lead|engineers?|devs?|dbas?)|"
            r"N(?:'s)? on-?call(?: engineer| person)?(?! (?:is|was|said|runbook))|"
            r"(?:a |an )?human (?:being|agent|operator|help)|customer (?:service|support)|live (?:agent|person|support)"
        ),
    ),
    "help": (
        (
            r"what (?:can|could|do|else can|are) (?:you|u|i|we) (?:able to |allowed to )?(?:even )?(?:do|ask|say|type|"
            r"help|offer|support|know|use)\b(?! with N| about N)|"
            r"what (?:may|am|can|are) (?:i|we) (?:allowed |permitted |able )?(?:to )?(?:do|ask)|what (?:are|"
            r"is) you(?:r)? (?:commands|capabilities|features|"
            r"functions|abilities|for|skills|purpose)|how (?:do i|does one|to|can i) use (?:you|this|it|the bot)|"
            r"(?:list|show)(?: me)?(?: the| your| all| available)* "
            r"(?:commands|help)|what (?:kind|sort)s? of (?:things|stuff|questions|commands)|how (?:does|do) (?:this|the|your) (?:bot|thing)|"
            r"what(?:'s| is) (?:this|your) (?:bot|job|purpose)|what (?:do|are) you (?:know|understand|good|capable|able)|(?:your|bot) manual|"
            r"^help[, ]+(?:me )?(?:please|pls|plz)[ !.]*$|available commands|commands|who are you|what are you|how do you work|how does this work|"
            r"^help[ !.?]*$|^(?:please )?help(?: me)?[ !.?]*$|"
            r"^\?+$|help menu|usage info|my (?:permissions|rights)|am i allowed"
        ),
    ),
    "status": (
        DEPENDENTS[0],
        (
            r"status(?:es)?|state|health(?:y|iness)?|unhealthy|condition|situation|how many (?:replicas|pods|instances|"
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
            r"(?:did|has|have) (?:it|that|this|N|they|the pods?|things) (?:\w+ )?(?:c[oa]me (?:back|up)|recover\w*|start\w*|gone|go|settle\w*|"
            r"finish\w*|stabili[sz]\w*|roll\w*)(?: (?:back|up|out|through))?|(?:it )?back (?:yet|up|online|now)\b|(?:up|better|good|ok|okay|fine|"
            r"healthy|alive|recovered|fixed|done)(?: (?:yet|now|again|already))?(?=\W*[?])|"
            r"still (?:down|slow|failing|broken|up|alive|crash\w*|bad|there|oom\w*|restarting|flapping|red|dead|stuck|erroring|timing out|the same)|"
            r"(?:is|are) (?:all|any|some|most) (?:of )?(?:its|the|our|N) \w+|"
            r"(?:did|has|does) (?:it|that|this|N) (?:work(?:ed)?|help(?:ed)?|fix(?:ed)? (?:it|that)|recover(?:ed)?)|"
            r"(?:any|is it) better|how long (?:has|was|is) (?:it|this|N) (?:been )?(?:down|broken|out|failing)|"
            r"what(?:'s| is|s| was| could be)? (?:wrong|up|going on|happening|the (?:matter|problem|issue|trouble|deal|"
            r"story)|broken|failing)"
            r"(?: (?:with |in |on |to )?(?:it|N|this|that))?"
        ),
        (
            r"what happened|is (?:it|N|this|that|the \w+|N \w+) (?:still |ok|okay|fine|up|down|alive|running|working|"
            r"healthy|slow|broken|stable|back|there|dead|"
            r"failing|crashing|responding|reachable|ready|recovered|good|stuck)|any (?:problems?|issues?|trouble|"
            r"errors?)"
        ),
        r"why (?:is|are|does|did|was|has|do|were|isn't|can't|doesn't) (?:it|N|this|that|the|its|all)\b",
        (
            r"why(?:'s| is) (?:it|this|that|N)|how(?:'s| is| are) (?:its|N) \w+|diagnos(?:e|is|tics?)|investigate|triage|troubleshoot|debug|inspect|examine|analy[sz]e|root cause|"
            r"describe|details? (?:of|on|for|about)"
        ),
    ),
}

REPORTS: Final = (
    r"(?:is|are|looks?|seems?|keeps?|went|got|has been|still|was|feels?|be|gone|being) (?:\w+ )?(?:down|slow|"
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
    r"check(?: out| on| up on)?|peek(?: at)?|take a (?:quick )?peek(?: at)?|look(?: into| at| over)?|have a look(?: at| into)?|take a (?:quick )?look(?: at|"
    r" into)?|show(?: me| us)?|see|view|"
    r"display|print|fetch|pull up|get(?: me)?|give me|tell me(?: about)?|monitor|watch|what about|how about|"
    r"kubectl (?:get|describe)|find(?: out)?|explain|summari[sz]e|report(?: on)?|bring up|let me see|let's see|"
    r"handle|help (?:me )?with|deal with|"
    r"work on|focus on|turn to|take care of|"
    r"i want to see"
)
"""Verbs of looking. With a service and nothing more exact in the clause, they ask for its status."""

_POLITE = (
    r"please|pls|plz|kindly|quickly|immediately|asap|right away|right now|urgently|just|simply|also|again|now|then|"
    r"so|first|next|instead|finally|maybe|perhaps|"
    r"actually|ok|okay|yes|yeah|yep|sure|right|alright|all right|fine|cool|great|good|thanks|thank you|sorry|hey|"
    r"hi|hello|bot|guys|team|folks|and|but|or|well|oh|k|kk|"
    r"ah|um|uh|hmm|no|nope|wait|better|the|a|kubectl|/ops|ops"
)
_ASKING = (
    r"(?:can|could|would|will)(?: you| we| u)?|(?:do|would) you mind|be so kind(?: as)? to|be a dear and|"
    r"you (?:can|could|should|need to|must|may)|"
    r"i(?:'d| would) (?:really )?(?:like|love|want|prefer)(?: for)?(?: you)?(?: to)?|i(?:'ll| will) need you to|"
    r"(?:i|we) (?:really |just )?"
    r"(?:want|need|wish)(?: you)?(?: to)?|go ahead and|go and|feel free to|try to|try and|let's|lets|let us|"
    r"help(?: me| us)?(?: to)?|time to|"
    r"need(?: you)? to|want(?: you)? to|how about (?:you|we)|you(?:'d| had) better|we(?:'d| had) better|"
    r"make sure (?:you|to)|i(?:'m| am) asking you to|"
    r"your (?:job|task) is to|next step(?: is)?(?: to)?|(?:it is|it's) time to|i order you to|be sure to|try|"
    r"i(?:'d| would) rather|on second thought|in that case|what i (?:really |actually )?(?:want|"
    r"need)(?: is)?(?: to)?|never ?mind(?: that| it)?|forget (?:it|that)|"
    r"cancel (?:it|that)"
)
_OF_IT = (
    r"(?:rollout|release|deploy|update|upgrade|hpa|autoscaler|replicas?|image|tag|statefulset|daemonset|sts|ds|svc|"
    r"workload|pods)"
)
_SETTING = (
    r"(?:for|on|in|with|to|at|from) (?:the )?(?:N|prod|production|staging|stage|test|dev|canary|[\w-]+ (?:cluster|"
    r"namespace|env|environment))|N(?:'s)?|service|deployment|"
    r"database|db|app|pods? (?:of|for)|"
    rf"(?:(?<=\ue000 )|(?<=\ue000's ))(?:{_ENV}|{_OF_IT})|{_ENV}(?= N)|{_THING}"
)
ORDER_PREFIX: Final = rf"(?>(?:{_ASKING}|{_SETTING}|{_POLITE})(?![\w-])[\s,:>\-\"'(]*)*+"
"""All that may stand before an order's verb in its clause. Anything else ("I will", "bob", "after the", "why did
it") makes it a statement, a question or a noun, and never an order."""

NEGATION: Final = (
    r"\b(?:don't|dont|do not|don t|never(?! ?mind)|not|no need|needn't|shouldn't|should not|must not|mustn't|won't|"
    r"can't|cannot|can not|without|avoid|refrain|"
    r"stop|instead of|rather than|no more|didn't|did not|haven't|hasn't|isn't|cancel the|no longer)\b"
)
"""Before an order's verb it forbids or denies it."""

CONDITION: Final = (
    r"\b(?:if|unless|once|as soon as|in case|whenever|provided|assuming|until|only when|when(?! was| did| is| were|"
    r" has| will)|after(?! all)|"
    r"before(?! you)|later|tonight|tomorrow|next (?:week|time|month)|"
    r"in (?:an?|\d+|half an|ten|five|two|a few) (?:\w+ )?(?:sec\w*|min\w*|hours?|days?)|at (?:\d{1,2}(?::\d\d|"
    r" ?[ap]m)|noon|midnight)|on (?:monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday))\b"
)
PRONOUN: Final = (
    r"\b(?:it|this|that|them|these|those|its|(?:this|that|the|the same) (?:service|one|deployment|app|database|db|"
    r"workload|pod|node)|same one)\b"
    r"(?!'s (?:it|all|wrong|right))"
)
BREAK: Final = r"[,;!?\n]|\.(?=\s|$)|:(?=\s)| - |\b(?:and|then|but|plus|also|afterwards|after that|as well as|while)\b"
REASON: Final = (
    r"\b(?:because(?: of\b)?|since (?=it|we|the|there|they)|due to|as (?=it's|it is|the \w+ is)|the reason is|"
    r"reason:)\s*([^,;]+)"
)
