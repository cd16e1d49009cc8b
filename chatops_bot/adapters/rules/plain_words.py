"""Everyday words that tell how bad things are, for a sentence of its own beside a yes. Data of the guard.

"go ahead, the boss is calling every minute" changes nothing of the plan. What could change something, or put it off, is
not here: no numbers, names, places, times to come, parts ("half", "all", "another"), manners ("slowly", "by hand"),
wishes, tests, versions, backups, approvals, and nothing that says that the trouble is over (`grounds` has that, where
it has to fit the plan). A sentence needs one of `TELLS`.
"""

from __future__ import annotations

from typing import Final

TELLS_EN: Final = (
    "is are was were been being it's that's there's they're we're i'm everyone's everybody's got gets getting keeps "
    "kept "
    "doubled tripled quadrupled jumped spiked exploded grew climbed tanked crashed died froze stalled blew hammered "
    "pounded "
    "slammed flooded swamped burned burnt calls calling called complains complained screams yells pings pinging pinged "
    "paging paged texted calling yelling shouting screaming hurts costs costing loses eats eating leaks hogs hogging"
    " blocks blocking breaks fails failing "
    "struggles suffers happened happens started has have had hates"
)
PLAIN_EN: Final = (
    "the a an this that these those it its i we you our my your us me of from for by on in to at and so "
    "really very totally completely absolutely literally basically honestly seriously clearly obviously already stil"
    "l just "
    "even ever since always constantly again too quite pretty super way all every single nonstop forever ages "
    "traffic load loads latency latencies error errors rate rates queue queues backlog lag memory cpu disk disks hea"
    "p gc "
    "swap io network packets bandwidth connection connections thread threads session sessions cache caches database "
    "replica consumer consumers producer producers broker kafka redis mysql postgres nginx api endpoint endpoints site "
    "website page pages homepage login logins signup signups cart payment payments orders order requests request calls "
    "response responses users user customer customers client clients people folks person team teams boss manager "
    "director cto ceo vp support sales marketing finance legal product business owner owners lead leads engineer eng"
    "ineers "
    "dev devs developers sre sres dba dbas ops oncall on-call security hardware infra platform vendor datacenter pow"
    "er fan "
    "fans psu nic board boards dimm dimms ram kernel driver firmware temperature container containers host machine m"
    "achines "
    "server servers vm app apps bug bugs regression issue issues problem problems incident outage metrics metric graph "
    "graphs dashboard dashboards chart charts alert alerts alarm alarms pager log logs slo slos error-budget money c"
    "ash "
    "revenue phone phones inbox twitter reviews complaint complaints channel slack everything everyone everybody any"
    "way god "
    "gosh hell heck damn crap shit fuck fucking freaking bloody man dude mate bro buddy guys ugh argh oof crazy insa"
    "ne nuts "
    "wild ugly nasty painful annoying loud red high huge massive heavy big much many lots tons bunch tired sick angr"
    "y furious "
    "upset pissed mad impatient awake up mess disaster nightmare top fire flames smoke through roof over place out o"
    "f hand "
    "control time timing timeout timeouts 5xx 4xx 500s 502s 503s 504s 500 502 503 504 oom ooms half-dead reconciliat"
    "ion screen screens white blank everywhere dead slow s"
    "tuck "
    "broken failing panicking hot full dying crawling"
)
TELLS_ZH: Final = "了 都 是 很 太 着 被 还在 已经 一直 全是 都是 都在 特别 非常 超级 不停 反复"
PLAIN_ZH: Final = (
    "的 啊 呀 啦 哎 唉 额 呃 哦 噢 那 这 那个 这个 它 我 我们 咱 咱们 大家 就 因为 所以 然后 反正 毕竟 其实 确实 真 "
    "真的 实在 刚 刚才 刚刚 现在 目前 这会儿 "
    "这会 昨天 昨晚 一晚上 一整晚 好久 半天 好几个 好多 很多 又 也 在 快 正 "
    "流量 错误率 错误 报错 延迟 耗时 响应 超时 队列 消息 请求 连接 连接数 内存 磁盘 硬盘 负载 水位 日志 监控 大盘 曲"
    "线 指标 数据库 从库 缓存 接口 页面 首页 网站 服务 机器 主机 "
    "物理机 宿主机 节点 实例 容器 进程 线程 客户 用户 客服 电话 群 群里 告警群 大群 大促 活动 业务 业务方 业务侧 订"
    "单 下单 支付 登录 注册 主板 网卡 电源 风扇 内存条 机房 老大 老板 领导 "
    "主管 经理 组长 值班 同学 同事 产品 产品经理 运营 研发 开发 前端 后端 运维 安全 老师 消费者 商家 商户 司机 骑手 "
    "学生 家长 公司 部门 隔壁 团队 投诉 工单 舆情 微博 热搜 钱 成本 资源 预算 费用 "
    "容量 带宽 网络 入口 毛病 故障 事故 异常 抖动 毛刺 打 打爆 催 骂 吵 闹 急 涨 飙 升 跌 爆 满 挂 崩 死 卡 堵 坏 断"
    " 凉 瘫 宕 废 疯 炸 漏 泄漏 泄露 烧 热 高 大 多 严重 厉害 明显 线程池 连接池 "
    "句柄 端口 证书 内核 驱动 固件 坏块 坏道 坏盘 过保 oom cpu qps tps rt gc dba sre crash bug fullgc redis mysql ka"
    "fka 5xx 4xx 500 502 503 504 404 得 上 里 到处 全网 全站 样子 情况 玩意 玩意儿 破 老 说实话 "
    "简直 根本 完全 彻底 活活 眼看 眼瞅着 连"
)
