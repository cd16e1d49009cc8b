"""Words that decide whether a word of a message is the name of a service. Data only; used by `names`."""

from __future__ import annotations

import re
from typing import Final


def of_words(text: str) -> frozenset[str]:
    """The words of a text, for tables that are longer than they are interesting."""
    return frozenset(text.split())


KINDS: Final = of_words(
    "service services svc deployment deployments deploy statefulset statefulsets sts daemonset daemonsets ds "
    "pod pods node nodes app apps application database databases db workload workloads component container "
    "containers instance instances replica replicas server servers cluster namespace job microservice "
    "backend frontend"
)
"""Words for what a thing is. Beside a name they are not part of it; alone they are no name."""

MEASURES: Final = of_words(
    "logs log latency lag status state health errors error queue metrics events cpu memory usage replicas backlog "
    "throughput traffic connections queries rollout alerts dashboard consumer consumers topic"
)
"""What is looked at of a service: "the kafka lag"."""

SAID_OF: Final = MEASURES | of_words(
    "history histories changes mem usage pods pod charts chart graph is are was has keeps looks seems down up slow "
    "failing crashing broken again fails crashed died flapping unhealthy healthy ok okay fine"
)
"""What is looked at of a service, or said of it, behind a word that may be short for its name."""

LOOKS: Final = of_words("show get see check view give me the tail any recent latest is are was why does did how hows")
"""What may stand before such a word."""

ABOUT: Final = of_words("in of for with on about is are hows")
"""Behind these such a word ends what is asked."""

CHINESE_LOOKED_AT: Final = re.compile(
    r"\s*的?(?:最近的?|最新的?)?(?:日志|状态|事件|历史|变更|资源|内存|cpu|指标|图表?|曲线)"
)

CHINESE_KINDS: Final = (
    *("微服务", "服务", "应用", "数据库", "部署", "节点", "组件", "系统", "集群", "容器", "实例", "工作负载", "副本"),
    *("机器", "项目", "模块", "中间件", "库"),
)

ANSWER_WORDS: Final = of_words(
    "yes y yep yeah no n nope ok okay k sure go confirm approve reject cancel stop abort undo wait help modify all "
    "both it this that the a an and or to is in on of for me my up down show check get list"
)
"""Words that answer, leave, point or join. A service that bears one is named only quoted or behind a kind word:
"stop" must stop, whatever the catalog holds."""

CHINESE_COMMON: Final = of_words(
    "确认 确定 执行 取消 算了 停 停止 是 是的 好 好的 行 可以 不 不要 同意 批准 驳回 撤销 它 这个 那个 全部 所有 服务 "
    "状态 日志 事件 重启 扩容 缩容 回滚 帮助 刷新 修改 继续"
)
"""Likewise in Chinese, with the words of requests: as an alias they count only quoted."""

RESOURCES: Final = {
    "deployment": "deployment",
    "deployments": "deployment",
    "deploy": "deployment",
    "statefulset": "statefulset",
    "statefulsets": "statefulset",
    "sts": "statefulset",
    "daemonset": "daemonset",
    "daemonsets": "daemonset",
    "ds": "daemonset",
    "rollout": "rollout",
    "rollouts": "rollout",
    "ro": "rollout",
    "service": "",
    "services": "",
    "svc": "",
    "app": "",
    "workload": "",
}
"""What may stand before the slash of `deployment/name`; empty where it does not tell the kind."""

INTENT_WORDS: Final = of_words(
    "status state health logs log events event history resources resource changes change overview runbook "
    "incident incidents alert alerts scale restart rollback roll pause resume image autoscaler hpa delete "
    "cordon uncordon drain confirm cancel modify approve reject undo refresh help stop yes no ok all it "
    "up down show check get list the a an this that and or to is in on of for me my"
)
"""Words that a service may bear as its name, but that mean something else nearly always: they name it
only beside a kind word, behind a slash, or in backticks."""

VERBS: Final = of_words(
    "restart reboot bounce recycle scale upscale downscale resize rollback revert redeploy pause resume "
    "unpause drain cordon uncordon autoscale check inspect diagnose investigate debug describe restarting "
    "troubleshoot use try"
)
"""Verbs whose object is a service."""

AFTER_OBJECT: Final = of_words(
    "to by and or please now then again with from on in for is are has ok up down back instead because if when asap"
)
"""What goes on after the object of a verb; any other word behind a word for what a thing is may be its name."""

BEFORE_KIND_NAME: Final = of_words("of about back up down out")
"""Behind these, as behind a verb, such a word is a name where a service bears it: "status of db", "roll back db"."""

CHINESE_POINTS: Final = re.compile(r"(?:这个?|那个?|该|它的?|我们的?|整个|哪个|的|个|台)\s*$")
"""Before such a word: it points at what is talked of, and names nothing."""

PAIRS: Final = frozenset(
    {
        *(("look", word) for word in ("at", "into")),
        *(("roll", word) for word in ("back",)),
        *(("scale", word) for word in ("up", "down", "out", "in", "back")),
        *(("switch", word) for word in ("to", "over")),
        *(("change", word) for word in ("to",)),
        *(("about", word) for word in ("the",)),
        *(("what", word) for word in ("about",)),
        *(("how", word) for word in ("about",)),
        *(("wrong", word) for word in ("with",)),
        *(("up", word) for word in ("with",)),
        *(("happening", word) for word in ("with", "to", "in")),
        *(("going", word) for word in ("on",)),
        *(
            (noun, word)
            for noun in (
                *("logs", "log", "status", "state", "health", "events", "history", "revisions", "pods"),
                *("replicas", "usage", "memory", "cpu", "metrics", "resources", "rollout", "image"),
                *("changes", "runbook", "latency", "errors", "version"),
            )
            for word in ("of", "for", "from", "on", "in")
        ),
    }
)
"""Two words behind which a service is named."""

BEFORE_IDENTIFIER: Final = of_words(
    "of for on with to at about into is are was has did does if not and or the in from set update upgrade "
    "bump give add move run kill stop start deploy show get see tail put target instead with service "
    "deployment app workload name database statefulset daemonset svc db my our how why meant mean it said want need be"
)
"""Words behind which an identifier (`order-api`) is taken for a name; a plain word is not."""

AFTER_IDENTIFIER: Final = of_words(
    "is are was has keeps looks seems down up status logs log events instead service deployment database "
    "app statefulset daemonset pods pod replicas slow failing crashing broken again please to s now not "
    "fails crashed died flapping unhealthy health first"
)

NO_NAMES: Final = of_words(
    # little words
    "a an the this that these those it its them they he she we you i me him her us my your our their one "
    "ones all both each every everything anything nothing something any some none another other others "
    "same such what which who whom whose when where why how there here and or but nor so yet if unless "
    "until while as than then also too just only even still again once twice now later soon today tomorrow "
    "yesterday tonight immediately asap please pls plz thanks thank first second third last next previous "
    "more less few fewer many much most least enough not no yes ok okay sure yeah yep nope right wrong "
    "up down out in on off over under of for to from with without within by at about into onto after "
    "before during through between since because though although back away around instead rather "
    "is are was were be been being am do does did done doing have has had having will would can could "
    "shall should may might must need needs want wants let lets got get gets go goes going gone "
    # what things are, and what is said of them
    "service services svc pod pods node nodes deployment deployments statefulset daemonset app apps "
    "application database databases db workload workloads cluster clusters namespace namespaces container "
    "containers replica replicas instance instances server servers job jobs image images version versions "
    "revision revisions release releases rollout rollouts build deploy deploys config configs configmap "
    "secret secrets ingress volume volumes disk disks network dns host hosts machine machines vm thing "
    "things stuff status state health logs log events event history resources resource metrics metric "
    "usage memory mem cpu load latency traffic requests request errors error failures failure timeout "
    "timeouts alert alerts incident incidents issue issues problem problems runbook runbooks playbook "
    "dashboard dashboards graph graphs monitor monitoring grafana prometheus kibana console slack channel "
    "card message button ticket thread room docs documentation code branch pr commit git pipeline ci "
    "hpa pdb oom oomkilled crashloop crashloopbackoff k8s kubernetes kubectl qps rps tps p99 p95 p50 sla slo "
    "prod production staging stage stg test testing dev development canary uat preprod live env environment "
    "new old latest current stable failed failing broken bad good healthy unhealthy slow stuck down idle "
    "running pending ready evicted terminating crashed crashing dead big small whole entire full half "
    "double twice triple zero two three four five six seven eight nine ten dozen times time minutes minute "
    "min mins hours hour seconds second secs sec days day week weeks month year percent number numbers "
    "count limit limits max minimum maximum "
    # verbs and manners that follow a verb
    "restart restarts scale rollback roll drain cordon uncordon pause resume delete kill remove check "
    "look see show tell give take make set add use try wait stop start run help fix debug inspect "
    "investigate diagnose describe list watch ask confirm cancel approve reject undo refresh modify change "
    "changes update upgrade mind sure out way ahead whether properly gracefully carefully quickly slowly "
    "manually automatically everybody everyone anyone someone somebody people team folks guys mode policy "
    "weather lunch coffee dinner meeting call plan plans idea thoughts morning afternoon evening night "
    "life work working day things world job home hell heck case point part side end beginning start top "
    "bottom list details detail info information question questions answer answers option options reason "
    "reasons numbers value values default defaults settings setting progress rest best worst "
    "it's that's there's what's let's don't can't won't "
    # what is left of such words before their apostrophe, or without it
    "didn doesn don isn aren wasn weren won hasn haven hadn couldn shouldn wouldn "
    "didnt doesnt dont isnt arent wasnt werent wont hasnt havent hadnt couldnt shouldnt wouldnt cant "
    # what is asked for, or called
    "overview autoscaler oncall tag commands rev revs img repl "
    # particles of Singapore
    "lah leh lor liao hor meh sia already past within lately half itself entire kindly bro dude mate sir"
)
"""Ordinary words that stand where a name could stand."""

NO_IDENTIFIERS: Final = of_words(
    "on-call follow-up roll-back re-check real-time pre-prod non-prod up-to-date third-party double-check "
    "re-run re-try re-deploy re-start scale-up scale-down scale-out scale-in post-mortem read-only "
    "write-ahead end-to-end so-called well-known long-running high-risk low-risk self-service roll-out "
    "run-book play-book e-mail t-shirt by-the-way ok-ish uh-huh u-turn x-ray on-prem off-hours a-ok "
    "half-open all-hands one-off back-up start-up shut-down check-in check-out sign-off hands-off "
    "hand-off heads-up walk-through work-around lock-step in-flight in-place"
)
"""Hyphenated words of plain English."""

CHINESE_BEFORE = re.compile(
    r"(?:重启|重新启动|重起|拉起|扩容|缩容|扩|缩|伸缩|回滚|回退|暂停|恢复|驱逐|排空|封锁|隔离|升级|更新|部署|"
    r"看|查|瞧|瞅|检查|诊断|排查|分析|关注|处理|换|用|选|拉|换成|改成|换到|改到|切到|切换到|目标是|目标换成|改为|换为)"
    r"(?:一下|一眼|一看|一查|下|看|查|到|个)?(?:\s*(?:服务|应用|数据库|部署|节点|组件))?\s*[:]?\s*$"
    r"|(?:把|将|给|对|关于|那|是|说的是|和|跟|以及|帮我重启|是不是|服务|应用|数据库|部署)\s*$"
)
CHINESE_AFTER = re.compile(
    r"\s*(?:的|这个服务|服务|应用|数据库|怎么|咋|是不是|是否|有没有|有问题|挂|崩|炸|宕|超时|报错|异常|状态|日志|"
    r"事件|扩|缩|重启|回滚|慢|卡|现在|最近|为什么|为啥|不可用|正常吗|健康吗|还好吗|什么情况|啥情况|副本|延迟)"
)
CHINESE_STRONG = re.compile(
    r"(?:重启|重新启动|扩容|缩容|回滚|回退|换成|换到|切到|切换到|看(?:一下|下|看|一眼)|查(?:一下|下|看|一查)|"
    r"检查(?:一下|下)?|"
    r"看|查|目标是|目标换成|诊断(?:一下|下)?|处理(?:一下|下)?|拉(?:一下|下)?|排查(?:一下|下)?)\s*(?:服务|应用)?\s*$"
)
"""Directly behind these even a plain word (`redis`) is taken for a name."""

CHINESE_STATE = re.compile(
    r"\s*(?:这个)?(?:服务|应用)?\s*(?:挂|崩|炸|宕|超时|报错|怎么样|怎么了|咋|正常吗|还好吗|不可用|重启|扩|缩|回滚|升级|"
    r"的(?:日志|状态|事件|副本|告警|延迟|镜像|版本|内存|cpu|错误率|积压))"
)
"""Directly before these as well."""

CHINESE_NAME = re.compile(
    r"(?:重启|重新启动|扩容|缩容|回滚|回退|暂停|恢复|升级|更新|看(?:一下|下|看|一眼)?|查(?:一下|下|看|一查)?|"
    r"检查(?:一下|下)?|"
    r"排查(?:一下|下)?|诊断(?:一下|下)?|处理(?:一下|下)?|把|将|给|换成|改成|切到|目标是|那|还有|和|跟)\s*"
    r"(?P<name>[\u4e00-\u9fff]{2,4}?(?:微服务|服务|网关|中心|数据库|系统|后台|平台|应用))"
)
CHINESE_LONGER = re.compile(
    r"(?:网关|中心|后台|平台|前端|后端|宝|中台|引擎|渠道|回调|对账|结算)(?:服务|系统|库|数据库)?"
)
"""Directly behind a name these make the name of something else of it (`支付` in "支付网关")."""

CHINESE_NO_NAME = re.compile(
    r"[这那该此本哪每各某其它他她你我的了吗呢吧是有没不在和跟把给几个些全所什么怎样下]|全部|所有|整个|其他|别的|"
    r"相关|多少|问题|"
    r"生产|测试|预发|线上|开发|环境|集群|副本|日志|状态|回滚|重启|扩容|缩容|业务系统|操作系统|监控系统|配置中心的"
)
"""What makes of such a phrase an ordinary one ("这个服务", "所有服务", "有问题的服务")."""

DISMISSED_BEFORE = re.compile(
    r"(?:\b(?:never ?mind|nvm|forget(?: about)?|ignore|skip|leave|park|no longer|instead of|rather than|"
    r"enough (?:of|about|with)|done with|(?:don't|do not) (?:care|worry|bother) (?:about|with)|"
    r"(?<!why )(?<!is )(?<!are )(?<!or )not)\s+(?:about\s+)?(?:the\s+)?(?:service\s+|deployment\s+|database\s+)?"
    r"|(?:先?(?:不|别|甭|不用|不要|不必|无需)管|先?(?:不|别|不用|不要)(?:看|查|弄|处理|关注|说|提|理)|忽略|跳过|"
    r"先放(?:下|着|一放|一边)|(?<!是)不是)\s*(?:那个|这个)?(?:服务|应用|数据库)?\s*)[\"'`(]?$",
    re.IGNORECASE,
)
DISMISSED_AFTER = re.compile(
    r"[\"'`)]?\s*(?:services?\b|deployment\b|服务|那边|这边)?\s*"
    r"(?:can wait|doesn't matter|does not matter|is not important|"
    r"alone\b|(?:先|暂时|就)*(?:放着|放一放|放一边|放一下|放下|搁置|搁着|不管|不看|不用管|不用看|不弄|不查|不处理|"
    r"别管|别看|别查)"
    r"|算了|就算了|不重要|(?:晚点|回头|等会儿?|待会儿?|稍后)再(?:说|看|弄|查))",
    re.IGNORECASE,
)
JOINED = re.compile(r"\s*(?:\+|and|or|和|跟|与|以及|及|或)\s*(?:the\s+)?", re.IGNORECASE)
ONLY_PLACED = re.compile(
    r"(?:[\s\"'`():@]|\b(?:in|on|at|for|to|the|our|of|from|with|env|environment|namespace|ns|cluster|region|side|one|"
    r"please|pls|plz|ok|"
    r"okay|so|hey|now|and|only|just|there|here|is|it's|its|i mean|this is|bot|do|use)\b|环境|集群|命名空间|空间|机房|"
    r"那边|这边|那里|这里|里面?|上面?|"
    r"中|的|在|是|请|先|到|用|就|对|给|嗯|好|把|去|麻烦|帮我?|我说的是|呢|哈|吧|啊|下面?|侧)*"
)
"""What may stand beside a place that a clause only names."""
CLAUSES = re.compile(
    r"[,;!?\n]|\.(?=\s|$|[^\x00-\x7f])|:(?=\s)|\b(?:and|then|but|while|plus)\b|然后|接着|再(?!次)|并且?|同时|顺便|"
    r"还有|但是?"
)
