BOT_NAMES: tuple[str, ...]
