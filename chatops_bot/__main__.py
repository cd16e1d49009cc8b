"""Entry point of `chatops-bot` and of `python -m chatops_bot`."""


def main() -> None:
    """Run the command line; imported lazily, so that importing this module costs nothing."""
    from chatops_bot.app.cli import app

    app()


if __name__ == "__main__":
    main()
