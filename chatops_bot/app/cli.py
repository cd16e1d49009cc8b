"""The command line of the bot."""

from importlib.metadata import version as installed_version

import typer

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.callback()
def root() -> None:
    """A Kubernetes operations bot that cannot act on the wrong service."""


@app.command()
def version() -> None:
    """Print the installed version."""
    typer.echo(installed_version("chatops-bot"))
