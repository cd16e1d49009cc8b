"""English words that ask for something: per intent, patterns of what people type. Data only.

Actions match their order form alone (`restart`, not `restarted` or `restarting`). What stands before the
verb decides whether it is an order at all: see `ORDER_PREFIX` and `requests`.
"""

from __future__ import annotations

from typing import Final

_REPLICAS = r"(?:replicas?|pods?|instances?|copies)"
_ENV = r"(?:prod(?:uction)?|staging|stage|stg|dev|test|uat|canary|pre-?prod)"
_IT = (
    r"(?:(?:both )?(?:the )?N (?:and|&) (?:the )?N|"
    r"it|this|that|them|those|these|(?:the|this|that) (?:service|deployment|app|database|db|workload|pods?|"
    rf"replicas?)|(?:{_ENV} )?N(?: (?:(?:in|on) )?{_ENV})?)"
)
_ALERTS = r"(?:(?:the|this|that|these|all|our) )?(?:alert|notif|pag(?:e|ing)|monitoring|alarm)"
"""They are silenced elsewhere; nothing here pauses them."""
_REF = r"(?!\d{1,2}:\d\d(?![\w.-]))(?:[\w.-]+/)*[\w.-]+:[\w.-]*\d[\w.-]*"
_THING = r"(?:node |pod |pod/|po/|node/)?(?=[a-z][a-z0-9.]*-[a-z0-9.-]*\d)[a-z][a-z0-9.-]*[a-z0-9]"
"""A node or a pod by its name, which the catalog need not know."""
_OBJECT = rf"(?:N|{_THING})"
_NUM = (
    r"(?:\d+|zero|eleven|twelve|fifteen|twenty|one|two|three|four|five|six|seven|eight|nine|ten|a couple(?: of)?|"
    r"a dozen|an?)"
)

ACTIONS: Final[dict[str, tuple[str, ...]]] = {
    "scale": (
        rf"(?:(?:i|we) )?need {_IT} (?:to be )?(?:to|at|on|with) {_NUM}(?: {_REPLICAS})?\b",
        rf"go to {_NUM} {_REPLICAS}|^\W*(?:replicas?|pods|copies) ?: ?(?=N {_NUM})",
        rf"{_NUM} (?:pods|copies)(?=,? (?:please|pls|plz|now|go|thx|thanks)\b)|^\W*{_NUM} (?:pods|copies)\W*$",
        rf"^\W*N(?: {_ENV})? (?:\d+ ?)?(?:to|->|=>) ?{_NUM}(?=\W*$)",
        rf"(?:should|must|needs to|has to|ought to) (?:run|have|be at|be on|get) {_NUM} {_REPLICAS}",
        r"(?:up|down|re)?scale(?:[ -](?:up|down|out|in|back))?(?! down rollout)",
        r"scaling(?= (?:up|down|out|in) please)|(?<=mind )scaling(?: (?:up|down|out|in))?",
        (
            r"(?:re|up|down)size|(?:shrink|grow|expand|enlarge|beef up)(?= N| it\b| this\b)|reduce(?= N\W*$)"
            r"|(?<=\ue000 )[+-]\d+(?= (?:pods|replicas|instances)|\W*$)"
        ),
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
            rf"(?:add|remove|kill|drop|take away|take off|get rid of|shed|lose|start|spin up|launch|"
            rf"bring up) (?:another |up to )?{_NUM} (?:more |extra |"
            rf"additional |of the )?{_REPLICAS}"
        ),
        (
            rf"(?:add|give (?:it|me|us|N)|gimme|run|(?:(?:i|we) )?(?:want|need)) (?:another )?{_NUM} (?:more|extra|"
            rf"additional)?\s?{_REPLICAS}"
        ),
        (
            rf"add {_NUM} more(?: of (?:them|those))?|{_NUM} more of (?:them|those|these|it|N)|(?:(?:i|"
            rf"we) )?(?:need |want )?twice as many"
        ),
        rf"{_NUM} (?:more|fewer|less|extra|additional) {_REPLICAS}|{_NUM} {_REPLICAS} (?:more|fewer|less)",
        (
            rf"(?:double|triple|quadruple|halve|half(?! (?:the |of )+\w+ (?:are|is|were|was|have|had|keep|"
            rf"went))) (?:{_IT}|the {_REPLICAS}|{_REPLICAS}|the capacity|capacity|"
            rf"the number(?: of {_REPLICAS})?)"
        ),
        (
            rf"(?:set|put|make|bring|run|take|get) {_IT} (?:back |up |down )?(?:to|at|with|on) {_NUM}(?<!a)(?<!an)"
            rf"(?: {_REPLICAS})?(?![\d.:]*[.:/]\d)"
        ),
        (
            rf"(?:(?:bump|ramp|crank|dial|step|increase|decrease|raise|lower|reduce) (?:{_IT} )?(?:up |down |out |"
            rf"in )?|go (?:up|down) )(?:to|"
            rf"by) {_NUM}\b(?!\.)"
        ),
        rf"(?:up|down) to {_NUM}\b(?! (?:min|sec|hour|day))(?: {_REPLICAS})?",
        rf"(?:cut|chop|slice|split|bring|drop|reduce|take) (?:{_IT}|the {_REPLICAS}) (?:down )?(?:in|by) half",
        rf"make (?:that|{_IT})(?: (?:in|on) \w+)? {_NUM} {_REPLICAS}",
        (
            rf"(?:to |(?:only |just )?(?:needs?|wants?|gets?) (?:only |just )?|with )?{_NUM} (?:more |extra |"
            rf"additional )?(?:replicas|"
            rf"instances|copies)|(?:only |just )?(?:needs?|wants?|gets?) (?:only |just )?{_NUM} (?:more )?{_REPLICAS}"
        ),
        (
            rf"(?:need |want |get |add |give (?:it|me|us) )?(?:some |a few |a couple )?(?:more|fewer|extra|"
            rf"additional) (?:N )?"
            rf"(?:{_REPLICAS})"
        ),
        (
            rf"(?:--)?replicas?(?: count)?\s?(?:=|:)\s?\d+|{_REPLICAS}(?: count)? (?:to )?\d+(?=\W*$| (?:please|pls|"
            rf"now|for)\b)|"
            rf"(?<=\ue000 )from {_NUM} to {_NUM}\b(?! ?(?:am|pm|min|sec|hour|day|mb|gb))(?: {_REPLICAS})?"
        ),
    ),
    "restart": (
        (
            r"re-?starts?(?= please)|re-?start(?!(?:s|ed|ing)\b| (?:the |this |our |from )?(?:scratch|conversation|"
            r"session|chat|flow|dialog)| count| loop| polic| reason| histor| time)"
        ),
        (
            r"(?<=mind )(?:restarting|rebooting|bouncing|recycling)|reboot|bounce|recycle|rollout restart|"
            r"rolling[ -]restart|re-?deploy(?!ment|ed|ing|s\b)|re-?launch|re-?spin"
        ),
        (
            rf"give {_IT} (?:a|another) (?:\w+ )?(?:re-?start|bounce|kick|reboot)|"
            r"kick (?:it|N)|(?:cycle|roll) (?:(?:the )?(?:N )?pods|its pods|it\b(?! (?:out|on|back))|N"
            r"(?! out)|all pods)|turn(?:ing)? (?:it|"
            r"(?:the )?N(?: \w+)?) off and (?:back )?on(?: again)?|"
            r"(?:do )?(?:a |one |another |perform a |trigger a )(?:(?:rolling|rollout) )?restart(?= of| on| for|"
            r" please|$)|"
            r"(?:needs?|wants?|could (?:both |all )?use|deserves?) (?:a |another )?(?:\w+ )?"
            r"(?:re-?start(?:ing)?|reboot|bounce|"
            r"bouncing|kick)"
        ),
    ),
    "rollback": (
        (
            r"roll (?:it|this|N) (?:back )?to (?:the )?(?:one|version|release|revision) before|"
            r"roll (?:it|this|N) (?:back )?to (?:(?:rev(?:ision)?|version|number) )?#?\d+(?![\w.:/])|"
            r"put (?:the )?(?:old|previous|last|earlier) (?:version|release|image|one)(?: of (?:the )?N)? back|"
            r"go back to \d+(?=\W*$)"
        ),
        (
            r"(?:get|put|bring|take) (?:us|me|things|everything) back (?:to|on) (?:the )?(?:previous|last|old|prior|"
            r"earlier|stable)"
        ),
        (
            r"(?:roll(?:ing)?[ -]?back|revert) (?:it |this |N |the service )?to (?:the |its )?(?:previous|last|prior|"
            r"earlier) (?:deploy(?:ment)?|release|rollout|update|version|revision|change)"
        ),
        (
            r"roll (?:both )?(?:the )?N (?:and|&) (?:the )?N (?:both )?back|"
            r"roll[ -]?back|(?<=mind )(?:rolling back|reverting)|rolling[ -]?back(?= (?:please|pls|plz)\b)|"
            r"roll (?:it|this|that|them|(?:the )?N|"
            r"the (?:service|"
            r"deployment|release|image)) back|"
            rf"roll (?:the )?(?:\w+ )?back|roll N (?:(?:in|on) )?{_ENV} back|revert|rollout undo|"
            rf"undo (?:N|it)(?: (?:in )?{_ENV})?(?= (?:back )?to (?:rev|version|r?\d))"
        ),
        (
            r"(?:undo|back out|unship|take back) (?:(?:the|that|this|last|latest|previous) )*(?:deploy(?:ment)?|"
            r"release|"
            r"rollout|update|upgrade|change|version)|back (?:it|this|that) out"
        ),
        (
            r"(?:go|switch|get|put it|put N|bring it|take it|change(?: it)?|move(?: it)?) back to (?:the )?(?:previous|"
            r"last|old|prior|earlier|stable|"
            r"version|revision|release|v\d)"
        ),
        (
            rf"(?:go |switch |get |(?:put|bring|take|move|set) {_IT} )?back (?:to|on|onto) (?:the |its )?(?:previous|"
            rf"last|old|prior|"
            r"earlier|stable|version|revision|rev\b|release|build|one before|v\d|#\d)"
        ),
        r"(?:one|two|\d) (?:version|revision|release)s? back",
        rf"(?:go |roll |step |take {_IT} )?back (?:one|a|two|\d) (?:version|revision|release|step)s?",
        r"restore (?:the )?(?:previous|last|old|prior|earlier) (?:version|revision|release|image)",
        r"downgrade",
    ),
    "pause": (
        r"(?:stop|pause|hold|halt) rolling (?:it |N )?out",
        (
            rf"pause(?! before| {_ALERTS})|"
            rf"(?:hold(?: off)?|freeze|suspend|halt|stop|pause) (?:(?:the|its|that|this|N(?:'s)?|"
            rf"{_ENV}) )*(?:rollout|roll-out|"
            r"deploy(?:ment)?s?|"
            r"release|update|upgrade)(?: of| for)?|rollout pause|"
            r"put (?:(?:the|its|this|that|N(?:'s)?|it|rollout|roll-out|release|deploy|deployment|of|"
            r"\w+) ){1,6}on (?:hold|ice|pause)"
        ),
        rf"suspend(?! {_ALERTS})|(?:freeze|halt)(?= (?:the )?N)",
        r"(?:hit|press) pause(?: on)?|(?<=mind )pausing",
    ),
    "resume": (
        r"(?:carry on|continue|keep|resume|go on) rolling(?: it| N)?(?: out)?",
        r"restart (?:the |its )?(?:rollout|roll-out|deploy(?:ment)? rollout)",
        rf"(?:resume|un-?pause|un-?freeze|un-?suspend|unhold)(?! {_ALERTS})",
        (
            rf"(?:continue|carry on with|go on with|proceed with|finish|unblock|go ahead with|resume|"
            rf"keep going with) "
            rf"(?:(?:the|its|that|this|paused|halted|N(?:'s)?|{_ENV}) )*(?:rollout|roll-out|release|update|upgrade|"
            r"deploy(?:ment)?(?: rollout)?)|rollout resume"
        ),
        (
            r"let (?:(?:the|its|this|that|paused|N(?:'s)?) )*(?:rollout|roll-out|release|deploy(?:ment)?|update|"
            r"it)(?: of N)? "
            r"(?:continue|go on|proceed|finish|resume|carry on)|take (?:it|N|the rollout)(?: of N)? off hold|"
            r"(?:the (?:paused |halted |stopped |frozen )?)?(?:rollout|roll-out|release|deploy(?:ment)?) "
            r"(?:(?:can|may|should) )?(?:now )?(?:continue|go on|"
            r"proceed|resume|"
            r"carry on)"
        ),
    ),
    "set_image": (
        (
            r"set (?:the )?image|(?:update|change|upgrade|bump|switch|swap|replace|set|move|point) "
            r"(?:(?:the|its|their|our|my|N(?:'s)?) )*(?:container )?(?:image|tag|version)"
        ),
        (
            r"(?:update|change|upgrade|bump|switch|set|move|roll|put) (?:it|this|N|the \w+)(?:'s)?(?: \w+)? (?:image|"
            r"tag|version)"
        ),
        (
            r"(?:update|upgrade|bump|switch|deploy|move|roll out|ship|release|roll) (?:(?:both )?(?:the )?"
            r"N (?:and|&) (?:the )?N|"
            r"it|this|N|the \w+|"
            r"\w+)?\s?(?:forward )?"
            r"(?:to |onto |on |with )?(?:the )?(?:version |image |tag |release )?(?:[\w.-]+/[\w./-]+(?::[\w.-]+)?|"
            r"[\w.-]+:[\w.-]*\d[\w.-]*|v?\d+\.\d[\w.-]*|v\d+\b)"
        ),
        r"(?:deploy|ship|roll out|release) (?:the )?(?:version|image|tag)",
        r"(?:use|run|try) (?:the |this )?(?:image|tag|version)",
        r"(?:set|put|move|take|switch) (?:it|N) (?:to|at|on|onto) v?\d+\.\d[\w.-]*",
        rf"(?:set|point|move) (?:it|N) (?:to|at|on) {_REF}|(?:should )?(?:use|run|try|be on) {_REF}",
        r"(?:upgrade|update)(?= N(?!'s)(?! \w+ (?:status|state))| it\b| this\b)",
        (
            rf"(?:container )?(?:image|tag)(?: to|s)?\s?[=:]?\s?(?:{_REF}|v?\d+\.\d[\w.-]*)(?= (?:for|on|in) |\W*$|"
            rf" (?:please|pls|now)\b)"
        ),
        rf"(?:container )?image (?:to |= ?|: ?)?{_REF}",
        rf"(?:{_REF}|v?\d+\.\d+\.\d+[\w.-]*) (?:onto|on|to|for|into) (?:the )?N",
        rf"(?:put|pin|get|ship|push) (?:N |it )?(?:to |at |on )?(?:version |image |tag )?(?:{_REF}|v?\d+\.\d[\w.-]*)",
        rf"(?:to|onto) (?:{_REF}|v?\d+\.\d[\w.-]*)",
        r"new (?:image|tag|version|build)(?= (?:for|on) N)",
        r"(?:update|bump|switch|move|deploy|roll) (?:it|this|N) to (?:the )?(?:latest|stable)",
    ),
    "set_autoscaler": (
        (
            r"(?:set|put|attach|set up|change|update|adjust|configure|create|enable|turn on|raise|lower|increase|"
            r"bump|modify|add|make) "
            rf"(?:up )?(?:(?:the|an?|its|N(?:'s)?|{_ENV}) )*(?:min|max|minimum|maximum)?(?: (?:of|replicas (?:of|for|"
            r"on)) (?:the )?)?\s?"
            r"(?:hpa|autoscal\w+|auto-scal\w+|horizontal pod autoscaler)"
        ),
        r"auto-?scale",
        r"(?:give|get) (?:it|this|N) (?:(?:an|a|the|some) )?(?:hpa|autoscal\w+)",
        r"should (?:auto-?)?scale (?:by itself|itself|automatically|on its own)",
        (
            r"(?:set|change|raise|lower|increase|bump|put|adjust|make) (?:the |its )?(?:min|max|minimum|"
            r"maximum)(?:imum)?\b(?: replicas)?"
        ),
        r"(?:hpa|autoscaler|autoscaling)(?:'s)?(?= (?:to|min|max|between|from|at|of)|\s?[:=]?\s?(?:\d|min|max))",
        (
            rf"(?:hpa|autoscal(?:er|ing)) (?:(?:on|for|of) )?(?:the )?(?:N|it|this)(?: (?:in )?{_ENV})?"
            r"(?=[\s,:]+(?:to |of )?(?:min|max|between|from|\d))"
        ),
        r"(?:let|have|make) (?:N|it) autoscale",
        r"(?:hpa|autoscaler) (?:floor|ceiling|cap|minimum|maximum|lower bound|upper bound)",
        r"(?:cap|limit) (?:the |its |N )*(?:hpa|autoscal\w+)",
        (
            rf"(?:min|max)(?:imum)?(?: (?:replicas?|of|to|pods))*\s?[=:]?\s?{_NUM}\b"
            r"(?= (?:for|on) (?:the |its )?(?:hpa|autoscal))"
        ),
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
            r"(?:delete|kill|remove|evict|terminate|destroy|nuke|drop|recreate|(?:restart|bounce|recycle)"
            r"(?! (?:the |its |all |all the |\ue000+ )?pods\b)|get rid of|throw away) "
            r"(?:the |this |that |its |a |one )?(?:\w+ )?po(?:ds?)?(?: named| called)?(?=[ /]|$)(?! (?:to|by|from) \d)"
        ),
        rf"(?:delete|kill|evict|terminate|nuke|remove|zap|destroy|get rid of)(?= (?:the )?(?:{_OBJECT}|pod/|po/))",
        (
            r"(?:delete|kill|evict|terminate|nuke|remove|zap|destroy|get rid of)(?: (?:it|this one|that one)\b|(?=\W*$|"
            r" (?:please|pls)))"
        ),
    ),
    "cordon": (
        r"cordon(?: off)?",
        rf"keep (?:the )?(?:scheduler|new pods|pods|workloads) (?:away |off )(?:from |of )?(?:node )?{_OBJECT}",
        (
            rf"take {_OBJECT} out of (?:scheduling|rotation|service|the pool)|no (?:(?:new|more) pods|"
            rf"scheduling) (?:on|onto|to) {_OBJECT}|"
            rf"(?:don't|do not) (?:schedule|put) (?:anything|any pods|new pods|pods|any more pods|more pods|"
            rf"stuff)(?: else| new)? (?:on|onto|to) {_OBJECT}"
        ),
        (
            r"(?:make|mark|set) (?:the )?(?:node )?\S+ (?:as )?unschedulable|(?:disable|stop|prevent|block|"
            r"forbid) scheduling(?: "
            r"(?:pods|anything|stuff|workloads))?(?: on| to)?"
        ),
    ),
    "uncordon": (
        r"un-?cordon|(?:undo|remove|lift|take off) (?:the )?cordon(?: on| of| from)?",
        (
            rf"(?:put|bring|take) {_OBJECT} back(?: (?:in|into|to) (?:rotation|service|scheduling|the pool|use)|"
            rf" online)?(?=\W*$| (?:now|please|pls|again))"
        ),
        (
            rf"open {_OBJECT} (?:back )?(?:up )?(?:for|to) (?:scheduling|pods)|back to schedulable|schedulable again|"
            rf"let {_OBJECT} (?:take|have|get|run|accept) (?:new )?pods"
        ),
        (
            r"(?:make|mark|set) (?:the )?(?:node )?\S+ (?:as )?schedulable(?: again)?|(?:enable|allow|re-?enable|"
            r"resume) scheduling(?: on| to)?"
        ),
    ),
    "drain": (
        (
            r"(?:force(?:fully|-)?\s?)?(?:drain|evacuate)|needs? (?:draining|to be drained)|"
            r"empty (?:out )?(?:the )?node|"
            r"(?:move|kick|get|shift|push) (?:everything|everybody|all (?:the )?pods|the pods|pods|"
            r"all workloads) (?:off|out)(?: of)?|"
            rf"(?:empty|clear)(?: out)? {_OBJECT}|"
            r"evict (?:all|everything)(?: (?:the )?pods)?(?: from| on| off)?"
        ),
    ),
}

_POLITE = (
    r"please|pls|plz|kindly|quickly|both|yo|bruh|bro|dude|mate|aight|ngl|tbh|lowkey|no cap|gently|politely|promptly|"
    r"sharpish|"
    r"chop chop|listen|look|oi|guv|lads?|y'all|dear|folks|uh|er|hmm+|so uh|ok so|alrighty|righto|cheers|swiftly|do(?= "
    r"(?:restart|roll|"
    r"scale|pause|resume|drain|cordon|uncordon|bring|put|take|get|stop))|please to|do the needful(?: and)?|immediately|"
    r"asap|right away|right now|urgently|just|simply|also|again|now|then|"
    r"so|first(?:ly)?|second|third(?:ly)?|fourth|next|instead|finally|maybe|perhaps|"
    r"(?:time for|how about)|(?:ok|okay|good|safe|fine) to|do (?:a|one|another)|while|(?:we|you|u)(?:'re| are|"
    r"r)? (?:wait|waiting|at it|"
    r"there)|meanwhile|in the meantime|"
    r"lastly|secondly|ty|"
    r"thx|btw|"
    r"actually|ok|okay|yes|yeah|yep|sure|right|alright|all right|fine|cool|great|good|thanks|thank you|sorry|hey|"
    r"hi|hello|bot|guys|team|folks|and|but|or|well|oh|k|kk|"
    r"ah|um|uh|hmm|no|nope|wait|better|the|a|kubectl(?: --?[a-z][a-z-]*(?:[= ][\w./-]+)?)*|/ops|ops"
)
_ASKING = (
    r"(?:do|would) (?:you|u) mind|(?:can|could|would|will) (?:some ?(?:one|body)|smb|any ?(?:one|body))|"
    r"(?:can|could)(?: you| we| u)?|(?:would|will) (?:you|we|u)|be so kind(?: as)? to|"
    r"be a dear and|"
    r"you (?:can|could|should|need to|must|may)|"
    r"i(?:'d| would) (?:really )?(?:like|love|want|prefer)(?: for)?(?: you)?(?: to)?|i(?:'ll| will) need you to|"
    r"(?:i|we) (?:really |just )?"
    r"(?:want|need|wish)(?: you)?(?: to)?|go ahead and|go and|feel free to|try to|try and|let's|lets|let us|"
    r"help(?: me| us)?(?: to)?|time to|"
    r"need(?: you)? to|want(?: you)? to|how about (?:you|we)|you(?:'d| had) better|we(?:'d| had) better|"
    r"make sure(?: (?:that|you|to))?|ensure(?: that)?|see to it that|i(?:'m| am) asking you to|"
    r"your (?:job|task) is to|next step(?: is)?(?: to)?|(?:it is|it's) time to|i order you to|be sure to|try|"
    r"i(?:'d| would) rather|on second thought|in that case|what i (?:really |actually )?(?:want|"
    r"need)(?: is)?(?: to)?|never ?mind(?: that| it)?|forget (?:it|that)|"
    r"cancel (?:it|that)|(?:might|may|could|can|would) i (?:please )?(?:trouble|ask|bother|beg|persuade|prevail upon|"
    r"impose (?:up)?on) you(?: all)?"
    r"(?: to)?|(?:i|we)(?:'d| should| would) (?:be|feel) (?:(?:most|very|so|ever so|really|much|eternally) "
    r")*(?:obliged|grateful|glad|"
    r"happy|delighted|thankful|pleased|indebted)(?: if (?:you(?: could| would|'d)?))?|(?:if )?you (?:would|could) be "
    r"(?:a love|a star|a "
    r"legend|a dear|an angel|so kind)(?: and)?|be (?:a love|a star|a legend|an angel|good enough)(?: and| to)?|ffs|for "
    r"(?:god'?s|fuck'?s|heaven'?s) sake|(?:is|would) it (?:be )?(?:at all )?(?:possible|ok|"
    r"okay|feasible)"
    r"(?: for you)? to|(?<=\ue000 )is (?:what|the one(?: that)?)(?=\s*$)|"
    r"(?<=\ue000 )is the one (?:(?:i|we) (?:want|need)(?: you)? )?to|"
    r"any (?:chance|way) (?:you|we|u)(?: can| could|'d)?(?: to)?|any chance of|"
    r"(?:would|could) you be so (?:kind|"
    r"good)"
    r"(?: as to| and| to)?|do me (?:a|the|one) favou?r(?: and)?|i(?:'d| would) (?:be (?:grateful|glad|happy)|"
    r"appreciate it) if "
    r"(?:you(?: could| would|'d)?|we could)|(?:may|can|could) i (?:ask|trouble|bother|beg) you to|(?:i(?:'m| am) "
    r")?gonna need "
    r"you to|i (?:beg|implore|urge) you(?: to)?|dear(?: bot)?|there you go|off you go|go on|by all means|as agreed|"
    r"simply|"
    r"straight ?away|for me|it(?:'s| is| would be) (?:best|better|wise|nice|great) (?:to|if you(?: could| would)?)"
)
_OF_IT = (
    r"(?:rollout|release|deploy|update|upgrade|hpa|autoscaler|replicas?|image|tag|statefulset|daemonset|sts|ds|svc|"
    r"workload|pods)"
)
_SETTING = (
    r"(?:for|on|in|with|to|at|from) (?:the )?(?:N|prod|production|staging|stage|test|dev|canary|[\w-]+ (?:cluster|"
    r"namespace|ns|env|environment)|(?:namespace|ns) [\w-]+)|"
    r"-n [a-z][\w-]*|(?:namespace|ns) [a-z][\w-]*|N(?:'s)?|service|deployment|"
    r"database|db|app|pods? (?:of|for)|(?:pod|node)(?= N| [a-z0-9.]+-)|gimme|container [\w-]+(?: of| in)?|"
    rf"(?:(?<=\ue000 )|(?<=\ue000's ))(?:{_ENV}|{_OF_IT})|{_ENV}(?= N)|{_THING}"
)
ORDER_PREFIX: Final = rf"(?>(?:{_ASKING}|{_SETTING}|{_POLITE})(?![\w-])[\s,:>→\-\"'(]*)*+"
"""All that may stand before an order's verb in its clause. Anything else ("I will", "bob", "after the", "why did
it") makes it a statement, a question or a noun, and never an order."""

NEGATION: Final = (
    r"\b(?:don't|dont|do not|don t|never(?! ?mind)|not|no need|needn't|shouldn't|should not|must not|mustn't|won't|"
    r"can't|cannot|can not|without|avoid|refrain|"
    r"no(?=\s*$)|stop|instead of|rather than|no more|didn't|did not|haven't|hasn't|isn't|cancel the|no longer)\b"
)
"""Before an order's verb it forbids or denies it."""

CONDITION: Final = (
    r"\b(?:if(?! \ue000+ (?:could|might|would|can) (?:please )?be\b| you (?:could|would|can|please|don't mind|do not "
    r"mind|"
    r"may)\b| possible\b| i may\b)|unless|once|as soon "
    r"as|in case|whenever|provided|assuming|until|only when|when(?! was| did| is| were|"
    r" has| will)|after(?! all)|"
    r"before(?! (?:you|i forget|that|anything else))|later|tonight|tomorrow|next (?:week|time|month)|"
    r"in (?:an?|\d+|half an|ten|five|two|a few) (?:\w+ )?(?:sec\w*|min\w*|hours?|days?)|at (?:\d{1,2}(?::\d\d|"
    r" ?[ap]m)|noon|midnight)|on (?:monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday))\b"
)
PRONOUN: Final = (
    r"\b(?:it|this|that|them|these|those|its|(?:this|that|the|the same) (?:service|one|deployment|app|database|db|"
    r"workload|pod|node)|same one)\b"
    r"(?!'s (?:it|all|wrong|right))"
)
BREAK: Final = (
    r"(?<=\ue000) (?=(?:status|logs|events|history|changes)(?: (?:of|for|on|the))* \ue000)|"
    r"\bso(?= (?:what|how|why|which|who|show|tell|get|give|check|please|pls|let's|lets|go ahead"
    r"|the paused|you can|can you|make|restart|scale|roll|bounce|put|drain|"
    r"uncordon|cordon|pause|resume|set|open|bring|don't|dont|do not|stop|keep|take|move|kill|delete"
    r"|get rid|nothing|no new|no more)\b)|(?<![\w.])[a-e]\)\s|"
    r"[,;!?\n]|(?<![\w.])\d{1,2}\)\s|&(?=\s)|(?<=\s)nd?(?=\s)|"
    r"(?<!how)(?<!what)(?<!when)(?<!where)(?<!which)(?<!who)(?<!asked)(?<!said)(?<!says)(?<!told)(?<!ask)(?<!if)"
    r"(?<=\w) (?=(?:can|could) (?:you|we|u)\b)|"
    r"(?<!how)(?<!what)(?<!when)(?<!where)(?<!which)(?<!who)(?<!asked)(?<!said)(?<!says)(?<!ask)(?<!if)(?<!that)"
    r"(?<!think)(?<!hope)(?<!know)(?<!so)(?<!now)(?<!and)(?<!ok)(?<!then)(?<=\w) (?=(?:you|u) (?:may"
    r"|can|should|could) [a-z])|"
    r"(?<!asked)(?<!said)(?<!says)(?<!told)(?<!tell)(?<!you)(?<=\w) (?=(?:please|pls|plz|kindly) [a-z])|\.(?=\s|$)|"
    r"(?<!\ue000)(?<!hpa)(?<!autoscaler)(?<!replicas):(?=\s)(?! (?:set|make|put) (?:it|that) (?:to|at) \d)| - |"
    r"(?<=[a-z0-9\ue000\u4e00-\u9fff]) \+ (?=[a-z\ue000\u4e00-\u9fff])|"
    r" / (?=[a-z\ue000\u4e00-\u9fff])|(?<=\S) (?=[\[【]\ue000)|"
    r"\b(?:(?<!between \d )(?<!between \d\d )(?<!from \d )(?<!from \d\d )and(?! a (?:half|quarter)\b)|then|but|plus"
    r"|also|afterwards|after that|as well as|while)\b"
)
REASON: Final = (
    r"\b(?:because(?: of\b)?|since (?=it|we|the|there|they)|due to|as (?=it's|it is|the \w+ is)|the reason is|"
    r"reason:)\s*([^,;?!]+)"
)
