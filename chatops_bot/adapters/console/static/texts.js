// Every word of the page itself, in Chinese and English. What people and the bot say comes from elsewhere.

const TEXTS = {
  skip: ["跳到输入框", "Skip to the message box"],
  rooms: ["房间", "Rooms"],
  room_region: ["房间", "Room"],
  messages: ["消息", "Messages"],
  cluster: ["集群", "Cluster"],
  close: ["关闭", "Close"],
  language: ["Switch to English", "切换为中文"],
  other_language: ["EN", "中文"],
  theme_auto: ["外观：跟随系统", "Appearance: as the system"],
  theme_light: ["外观：浅色", "Appearance: light"],
  theme_dark: ["外观：深色", "Appearance: dark"],
  live: ["实时", "Live"],
  connecting: ["正在连接…", "Connecting…"],
  offline: ["连接中断，正在重连…", "Connection lost, trying again…"],
  who_title: ["你是谁？", "Who are you?"],
  who_note: ["只对这个标签页有效。再开一个标签页，就可以是另一个人。", "For this tab only. Open another tab to be somebody else."],
  who_button: ["你是 {name}，点击更换", "You are {name}; change"],
  other_name: ["其他名字", "Another name"],
  enter: ["进入", "Enter"],
  bad_name: ["名字最多 40 个字，可用文字、数字、空格、点、横线和下划线。", "A name has up to 40 letters, digits, spaces, dots, hyphens or underscores."],
  bot_name: ["不能以机器人的名义发言。", "Nobody may speak as the bot."],
  placeholder: ["在 #{room} 发言", "Message #{room}"],
  placeholder_reply: ["回复这张卡片", "Answer this card"],
  placeholder_reply_person: ["回复 {name}", "Answer {name}"],
  mention_bot: ["提及机器人", "Mention the bot"],
  send: ["发送", "Send"],
  keys: ["Enter 发送 · Shift+Enter 换行", "Enter sends · Shift+Enter breaks the line"],
  leave_reply: ["不再回复（Esc）", "Leave the reply (Esc)"],
  reply: ["回复", "Reply"],
  reply_to_card: ["回复卡片：{title}", "Reply to the card: {title}"],
  reply_to_person: ["回复 {name}", "Reply to {name}"],
  quoted_gone: ["更早的消息", "an earlier message"],
  go_to_quoted: ["跳到：{title}", "Go to: {title}"],
  you: ["你", "you"],
  updated_at: ["{time} 更新", "updated {time}"],
  for_you: ["提到了你", "for you"],
  only_you: ["仅你可见", "only you see this"],
  sending: ["发送中…", "Sending…"],
  failed: ["未送达。", "Not delivered."],
  again: ["重试", "Try again"],
  below: ["{count} 条新消息", "{count} new"],
  to_bottom: ["回到最新", "Latest"],
  card_updated: ["已更新：{title}", "Updated: {title}"],
  announce_card: ["机器人：{text}", "The bot: {text}"],
  announce_updated: ["卡片已更新：{text}", "Card updated: {text}"],
  pressed_duplicate: ["这次点击已处理过。", "That click was already taken."],
  pressed_waiting: ["已收到，答复会在这张卡片上或下方。", "Received; the answer is on this card or below it."],
  error_network: ["连不上控制台，请稍后再试。", "The console cannot be reached. Try again in a moment."],
  error_not_accepted: ["机器人现在无法接收（存储不可用）。没有执行任何操作，请稍后再试。", "The bot cannot take this now (its store is away). Nothing was done; try again in a moment."],
  error_too_large: ["内容太长，没有发送。", "Too long; it was not sent."],
  error_other: ["没有成功：{detail}", "That did not work: {detail}"],
  empty_title: ["这里还没有消息", "Nothing here yet"],
  empty_note: ["提及机器人来提问，回复它的卡片即可继续；每张卡片是一个独立的对话。", "Mention the bot to ask. Answer its card to go on; every card is a conversation of its own."],
  try_status: ["@{bot} 看下 {service} 的状态", "@{bot} how is {service}?"],
  try_scale: ["@{bot} 把 {service} 扩容到 {count} 个副本", "@{bot} scale {service} to {count}"],
  try_logs: ["@{bot} 看下 {service} 的日志", "@{bot} show me the logs of {service}"],
  try_help: ["@{bot} 你能做什么？", "@{bot} what can you do?"],
  nodes: ["节点", "Nodes"],
  node_ready: ["就绪", "ready"],
  node_not_ready: ["未就绪", "not ready"],
  node_cordoned: ["停止调度", "cordoned"],
  all_ready: ["全部就绪", "all ready"],
  some_troubled: ["{count} 个异常", "{count} in trouble"],
  ready_of: ["{ready}/{replicas}", "{ready}/{replicas}"],
  ready_label: ["{replicas} 个副本中 {ready} 个就绪", "{ready} of {replicas} pods ready"],
  paused: ["已暂停", "paused"],
  not_ready: ["未就绪", "not ready"],
  restarts: ["重启 {count} 次", "{count} restarts"],
  restarts_one: ["重启 1 次", "1 restart"],
  show_pods: ["显示 {name} 的全部 Pod", "Show all pods of {name}"],
  stage: ["制造故障", "Stage a trouble"],
  pods_on_node: ["{count} 个 Pod", "{count} pods"],
  stage_for: ["给 {name} 制造故障", "Stage a trouble for {name}"],
  trouble_CrashLoopBackOff: ["反复崩溃", "crashes again and again"],
  trouble_OOMKilled: ["内存耗尽", "runs out of memory"],
  trouble_ImagePullBackOff: ["镜像拉不下来", "image cannot be pulled"],
  trouble_Pending: ["无法调度", "cannot be scheduled"],
  trouble_NotReady: ["就绪检查失败", "readiness check fails"],
  trouble_Running: ["恢复正常", "heals"],
  pane_empty: ["集群里没有工作负载。", "There are no workloads in this cluster."],
};

let language = "en";

export function currentLanguage() {
  return language;
}

// "zh" or "en": the one chosen before, else the browser's.
export function initialLanguage() {
  const chosen = localStorage.getItem("language");
  if (chosen === "zh" || chosen === "en") return chosen;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export function t(key, values = {}) {
  const pair = TEXTS[key];
  const template = pair ? pair[language === "zh" ? 0 : 1] : key;
  return template.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

export function has(key) {
  return key in TEXTS;
}

// Sets the language and writes the words that stand in the page from the start.
export function useLanguage(next) {
  language = next;
  document.documentElement.lang = next === "zh" ? "zh-CN" : "en";
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = t(node.dataset.text);
  for (const node of document.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", t(node.dataset.label));
    if (node.matches("button, select")) node.title = t(node.dataset.label);
  }
}

const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

export function timeOf(ms) {
  return new Date(ms).toLocaleTimeString(document.documentElement.lang, clock);
}

export function dayOf(ms) {
  return new Date(ms).toLocaleDateString(document.documentElement.lang, {
    weekday: "long", month: "long", day: "numeric",
  });
}
