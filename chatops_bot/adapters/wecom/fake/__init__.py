"""A WeCom on the loopback: a corporation with rooms and people, its server API, its callbacks and its long connection.

It is told what people do and shows what they see, holds every limit of WeCom's pages, and fails on request. Methods of
its API are called as WeCom calls them: `gettoken`, `message/send`, `message/update_template_card`, `user/get`,
`agent/get`, `response_url`, and over the connection `connect`, `aibot_subscribe`, `ping`, `aibot_respond_msg`,
`aibot_respond_update_msg`, `aibot_send_msg`.
"""
