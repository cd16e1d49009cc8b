"""The command line of the bot.

Everything heavy is imported inside the command that needs it, so that `--help` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from enum import StrEnum
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from chatops_bot.app.audit_command import Wanted
    from chatops_bot.app.configuration import Configuration

Made = TypeVar("Made")


class ChatPlatform(StrEnum):
    """Where people talk with the bot."""

    console = "console"
    slack = "slack"
    feishu = "feishu"
    wecom = "wecom"


Config = Annotated[Path | None, typer.Option(help="Configuration file; else CHATOPS_CONFIG, else ./chatops-bot.yaml.")]
FromFile = Annotated[
    Path | None, typer.Option("--from", help="Read a copy or an export (JSON Lines) in place of the store.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
audit_app = typer.Typer(no_args_is_help=True, help="Read the audit log, or check that nobody has touched it.")
policy_app = typer.Typer(no_args_is_help=True, help="Look at what the policy means.")
switch_app = typer.Typer(no_args_is_help=True, help="Refuse every change at once, or allow changes again.")
incident_app = typer.Typer(no_args_is_help=True, help="Look at incidents, and draft their post-mortems.")
app.add_typer(audit_app, name="audit")
app.add_typer(incident_app, name="incident")
app.add_typer(policy_app, name="policy")
app.add_typer(switch_app, name="read-only")


@app.callback()
def root() -> None:
    """A Kubernetes operations bot that cannot act on the wrong service."""


@app.command()
def run(config: Config = None) -> None:
    """Run the bot until it is told to stop."""
    import asyncio

    from chatops_bot.app.process import StartError
    from chatops_bot.app.run import run as run_process

    configuration = _load(config)
    _configure_logging(configuration)
    try:
        asyncio.run(run_process(configuration))
    except StartError as error:
        typer.echo(f"The bot cannot run: {error}", err=True)
        raise typer.Exit(1) from None


@app.command()
def demo(
    script: Annotated[
        bool, typer.Option(help="Play the incident by itself and print it, instead of serving it.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port of the console; 0 takes any free one.")] = 8080,
) -> None:
    """Serve the web console with a sandbox cluster; nothing else is needed."""
    raise typer.Exit(_module("demo").main(script=script, port=port))


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(help="Transcripts.")],
    as_json: AsJson = False,
    cluster: Annotated[Path | None, typer.Option(help="Kubeconfig of a real cluster, in place of the sandbox.")] = None,
    bot_context: Annotated[
        str, typer.Option(help="Context of the kubeconfig that the bot acts under; else the current one.")
    ] = "",
    platform: Annotated[
        ChatPlatform, typer.Option(help="Whose adapter it goes through, over a fake of its wire.")
    ] = ChatPlatform.console,
    model: Annotated[
        Path | None, typer.Option(help="Configuration whose language model is asked beside the rules.")
    ] = None,
) -> None:
    """Play transcripts through the whole bot; 0 when every expectation holds."""
    if bot_context and cluster is None:
        raise typer.BadParameter("goes with --cluster only", param_hint="--bot-context")
    from chatops_bot.app.replay import main

    chosen = _load(model).settings.model if model is not None else None
    code = main(files, as_json=as_json, cluster=cluster, bot_context=bot_context, platform=platform.value, model=chosen)
    raise typer.Exit(code)


@app.command("eval")
def evaluate(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Labelled rows, transcripts, folders of them; else the bot's own rows.")
    ] = None,
    as_json: AsJson = False,
    misses: Annotated[bool, typer.Option("--misses", help="Print every row that was misunderstood.")] = False,
    runs: Annotated[int, typer.Option(min=1, max=100, help="How often each row is posed.")] = 1,
    config: Config = None,
    model: Annotated[
        bool | None, typer.Option("--model/--no-model", help="With the configured model beside; else if there is one.")
    ] = None,
) -> None:
    """Measure how well utterances are understood; 1 when something was confirmed or executed falsely."""
    from chatops_bot.app.evaluation.command import Wanted, main

    wanted = Wanted(as_json=as_json, misses=misses, runs=runs, config=config, model=model)
    complain = partial(typer.echo, err=True)
    raise typer.Exit(main(files or [], wanted, environ=os.environ, echo=typer.echo, complain=complain))


@app.command()
def settle(
    config: Config = None,
    day: Annotated[str, typer.Option(help="Only what ended up to the end of this day (UTC), such as 2026-01-31.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the verdicts, write nothing.")] = False,
    as_json: AsJson = False,
    grade: Annotated[bool | None, typer.Option(help="Have a model grade them; else as model.grades says.")] = None,
) -> None:
    """Judge how ended conversations ended: resolved or not, and why; 1 when a summary cannot be read."""
    from chatops_bot.app import settle_command

    until = _wanted(lambda: settle_command.day_of(day))
    configuration = _load(config)
    _configure_logging(configuration)
    chosen = configuration.settings.model
    model = chosen if _wanted(lambda: settle_command.graded(chosen, grade)) else None
    said = {"echo": typer.echo, "complain": partial(typer.echo, err=True)}
    work = partial(settle_command.settle, until=until, dry_run=dry_run, as_json=as_json, model=model)
    raise typer.Exit(_with_store(work, config, **said))


@app.command("lint-runbooks")
def lint_runbooks(
    folders: Annotated[list[Path] | None, typer.Argument(help="Folders of runbooks; else those of the bot.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say everything that is wrong with runbooks; 1 when something is, 2 when a folder cannot be read."""
    import datetime

    from chatops_bot.app.lint_runbooks import lint, shown
    from chatops_bot.ports.clock import SystemClock

    today = datetime.datetime.fromtimestamp(SystemClock().now(), datetime.UTC).date()
    linted = lint(folders or [], today=today)
    for line in shown(linted, as_json=as_json):
        typer.echo(line)
    raise typer.Exit(linted.code)


@app.command()
def diagram() -> None:
    """Print the dialogue's states and routes as a diagram."""
    from chatops_bot.app.diagram import render

    typer.echo(render())


@app.command()
def actions() -> None:
    """Print what the bot can change, as declared, as Markdown."""
    from chatops_bot.app.action_table import render

    typer.echo(render(), nl=False)


@app.command("check-config")
def check_config(
    config: Config = None,
    reference: Annotated[bool, typer.Option("--reference", help="Print all settings as Markdown instead.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print a JSON Schema of the file instead.")] = False,
) -> None:
    """Say everything that is wrong with the configuration, or what it amounts to."""
    if schema:
        from chatops_bot.app.schema import render as render_schema

        typer.echo(render_schema())
        return
    if reference:
        from chatops_bot.app.reference import render

        typer.echo(render(), nl=False)
        return
    from chatops_bot.app.check_config import summary

    for line in summary(_load(config)):
        typer.echo(line)


@app.command()
def doctor(config: Config = None, as_json: AsJson = False) -> None:
    """Look at the whole installation and say what to do; 1 when something is bad."""
    import asyncio

    from chatops_bot.app.doctor.findings import shown
    from chatops_bot.app.doctor_command import examine_all

    findings = asyncio.run(examine_all(_load(config)))
    for line in shown(findings, as_json=as_json):
        typer.echo(line)
    raise typer.Exit(1 if any(finding.severity == "bad" for finding in findings) else 0)


@app.command()
def version() -> None:
    """Print the installed version."""
    from importlib.metadata import version as installed_version

    typer.echo(installed_version("chatops-bot"))


Since = Annotated[str, typer.Option(help="30m, 2h, 7d, or a time such as 2026-01-05T10:00.")]
Until = Annotated[str, typer.Option(help="As --since: what came before that.")]
ByUser = Annotated[str, typer.Option("--user", help="An account as the policy names it, or a person of the policy.")]
OfService = Annotated[str, typer.Option("--service", help="Name of a service, or cluster/namespace/kind/name.")]
OfAction = Annotated[str, typer.Option("--action", help="Name of an action or query.")]
OfKind = Annotated[str, typer.Option("--kind", help="request, refusal, confirmation, execution …")]


@audit_app.command("list")
def audit_list(
    config: Config = None,
    since: Since = "",
    until: Until = "",
    user: ByUser = "",
    service: OfService = "",
    action: OfAction = "",
    kind: OfKind = "",
    as_json: AsJson = False,
    file: FromFile = None,
) -> None:
    """Print what was asked, decided, refused and done, by whom, oldest first."""
    from chatops_bot.app import audit_command

    wanted = _records(since=since, until=until, user=user, service=service, action=action, kind=kind)
    work = audit_command.list_records
    raise typer.Exit(_with_log(work, config, file, wanted=wanted, as_json=as_json, echo=typer.echo))


@audit_app.command("show")
def audit_show(
    wanted: Annotated[str, typer.Argument(help="A plan's token or its beginning, or the id of an event.")],
    config: Config = None,
    as_json: AsJson = False,
    file: FromFile = None,
) -> None:
    """Print everything on record about one plan: asked, shown, decided, sent, answered; 1 when there is nothing."""
    from chatops_bot.app import audit_show as showing

    raise typer.Exit(_with_log(showing.show, config, file, wanted=wanted, as_json=as_json, echo=typer.echo))


@audit_app.command("export")
def audit_export(
    config: Config = None,
    form: Annotated[str, typer.Option("--format", help="jsonl (JSON Lines, with the chain) or csv.")] = "jsonl",
    since: Since = "",
    until: Until = "",
    user: ByUser = "",
    service: OfService = "",
    action: OfAction = "",
    kind: OfKind = "",
    file: FromFile = None,
) -> None:
    """Print records for another program, with their links of the chain, one shard after the other."""
    from chatops_bot.app import audit_show as showing

    if form not in ("jsonl", "csv"):
        typer.echo(f"there is no format {form!r}; known are jsonl and csv", err=True)
        raise typer.Exit(2)
    wanted = _records(since=since, until=until, user=user, service=service, action=action, kind=kind)
    raise typer.Exit(_with_log(showing.export, config, file, wanted=wanted, form=form, echo=typer.echo))


@audit_app.command("verify")
def audit_verify(config: Config = None, as_json: AsJson = False, file: FromFile = None) -> None:
    """Compute the hash chains anew and say where they break; 1 when one does."""
    from chatops_bot.app import audit_command, audit_file

    work = audit_command.verify_chains if file is None else audit_file.verify_file
    raise typer.Exit(_with_log(work, config, file, as_json=as_json, echo=typer.echo))


@incident_app.command("list")
def incident_list(
    config: Config = None,
    room: Annotated[str, typer.Option(help="The platform's id of a room, or PLATFORM.TENANT:ID.")] = "",
    only_open: Annotated[bool, typer.Option("--open", help="Without those that are resolved.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print a line for each incident, the latest first."""
    from chatops_bot.app import incident_command

    work = incident_command.list_incidents
    raise typer.Exit(_with_store(work, config, room=room, only_open=only_open, as_json=as_json, echo=typer.echo))


IncidentId = Annotated[str, typer.Argument(help="Its id, such as inc-20260105-1.", metavar="ID")]
InLanguage = Annotated[str, typer.Option(help="zh or en; that in which it was declared if left out.")]


@incident_app.command("show")
def incident_show(
    wanted: IncidentId, config: Config = None, language: InLanguage = "", as_json: AsJson = False
) -> None:
    """Print one incident with its timeline; 2 when there is no such incident."""
    from chatops_bot.app import incident_command

    language = _wanted(lambda: incident_command.language_of(language))
    work = incident_command.show
    raise typer.Exit(_with_store(work, config, wanted=wanted, language=language, as_json=as_json, echo=typer.echo))


@incident_app.command("export")
def incident_export(
    wanted: IncidentId,
    config: Config = None,
    language: InLanguage = "",
    timezone: Annotated[str, typer.Option(help="Of all times, such as Asia/Shanghai.")] = "UTC",
) -> None:
    """Print the draft of a post-mortem as Markdown; 2 when there is no such incident."""
    from chatops_bot.app import incident_command

    language = _wanted(lambda: incident_command.language_of(language))
    zone = _wanted(lambda: incident_command.zone_of(timezone))
    work = incident_command.export
    raise typer.Exit(_with_store(work, config, wanted=wanted, language=language, zone=zone, echo=typer.echo))


@policy_app.command("explain")
def policy_explain(
    user: Annotated[
        str, typer.Option(help="slack:U…, feishu:…, wecom:…, a bare console name, or a person of the policy.")
    ],
    action: Annotated[str, typer.Option(help="Name of an action, or read or logs.")],
    service: Annotated[str, typer.Option(help="Name of a service of the catalog, or any with the options below.")],
    config: Config = None,
    cluster: Annotated[str, typer.Option(help="Where the catalog does not say.")] = "",
    namespace: Annotated[str, typer.Option(help="Where the catalog does not say.")] = "",
    environment: Annotated[str, typer.Option(help="Where the catalog does not say.")] = "",
    room: Annotated[str, typer.Option(help="Id of the room.")] = "",
    guest: Annotated[bool, typer.Option("--guest", help="As a guest, or from another organisation.")] = False,
    language: Annotated[str, typer.Option(help="zh or en.")] = "",
    at: Annotated[str, typer.Option(help="When, for change freezes: 2026-01-05T10:00; now if left out.")] = "",
) -> None:
    """Say what one person may do with one service, by which rule, and who else may."""
    from chatops_bot.app import policy_command

    question = policy_command.Question(
        user=user,
        action=action,
        service=service,
        cluster=cluster,
        namespace=namespace,
        environment=environment,
        room=room,
        guest=guest,
        language=language,
        at=at,
    )
    configuration = policy_command.with_groups(_load(config))
    for line in _wanted(lambda: policy_command.explain(configuration, question)):
        typer.echo(line)


@switch_app.command("on")
def read_only_on(
    reason: Annotated[str, typer.Argument(help="Shown to whoever is refused.")], config: Config = None
) -> None:
    """Refuse every change from now on, in every process on this store, approved plans included."""
    from chatops_bot.app import switch_command

    raise typer.Exit(_with_store(switch_command.turn_on, config, reason=reason, echo=typer.echo))


@switch_app.command("off")
def read_only_off(config: Config = None) -> None:
    """Allow changes again."""
    from chatops_bot.app import switch_command

    raise typer.Exit(_with_store(switch_command.turn_off, config, echo=typer.echo))


@switch_app.command("status")
def read_only_status(config: Config = None) -> None:
    """Say whether changes are refused, and why; 0 either way."""
    from chatops_bot.app import switch_command

    raise typer.Exit(_with_store(switch_command.status, config, echo=typer.echo))


def _records(*, since: str, until: str, user: str, service: str, action: str, kind: str) -> Wanted:
    """The filters of the audit commands, read."""
    from chatops_bot.app.audit_command import Wanted

    return _wanted(lambda: Wanted.of(since=since, until=until, user=user, service=service, action=action, kind=kind))


def _load(path: Path | None) -> Configuration:
    """The configuration, or all its problems on standard error and exit code 2."""
    from chatops_bot.app.configuration import ConfigurationError, config_path, load

    found = config_path(path, os.environ)
    try:
        return load(found, os.environ)
    except ConfigurationError as error:
        typer.echo(f"The configuration ({found or 'environment only'}) cannot be used:", err=True)
        for problem in error.problems:
            typer.echo(f"- {problem}", err=True)
        raise typer.Exit(2) from None


def _wanted(make: Callable[[], Made]) -> Made:
    """What `make` gives; a `ValueError` of it is a mistake in the options: told, exit code 2."""
    try:
        return make()
    except ValueError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None


def _with_log(work: Callable[..., Awaitable[int]], config: Path | None, file: Path | None, **arguments: object) -> int:
    """Run `work` on the audit log of the store, or on that of a file, for which no store and no configuration is
    needed; 2 and one sentence where there is none."""
    if file is None:
        return _with_store(work, config, **arguments)
    import asyncio

    from chatops_bot.app import audit_file

    store = _wanted(lambda: audit_file.read(file))
    if store.audit.other:
        typer.echo(f"{store.audit.other} lines of {file} are no entries of the audit log", err=True)

    async def on_file() -> int:
        return await work(store, **arguments)

    return asyncio.run(on_file())


def _with_store(work: Callable[..., Awaitable[int]], config: Path | None, **arguments: object) -> int:
    """Run `work` on the opened store; 2 and one sentence where there is none."""
    import asyncio

    from chatops_bot.adapters.redis.embedded import EmbeddedError
    from chatops_bot.app.opening import open_store
    from chatops_bot.ports.store import StoreUnavailable

    configuration = _load(config)

    async def on_store() -> int:
        async with open_store(configuration.settings.store, join=True, patience_s=0.5) as opened:
            return await work(opened, **arguments)

    try:
        return asyncio.run(on_store())
    except (StoreUnavailable, EmbeddedError) as error:
        typer.echo(f"The store cannot be used: {error}", err=True)
        return 2


def _configure_logging(configuration: Configuration) -> None:
    from chatops_bot.app.telemetry import configure_logging

    configure_logging(configuration.settings.log, stream=sys.stderr)


def _module(name: str) -> Any:
    return import_module(f"chatops_bot.app.{name}")
