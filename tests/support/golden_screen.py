"""Screens of the client held against files in tests/screens/.

With UPDATE_SCREENS=1 in the environment the files are written anew.
"""

import os
import re
import time

SCREENS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "screens")


def masked(screen):
    """Masks what differs each time: the number of the match, the space up to the name at the right end,
    ports, dates, and what would follow a better move."""
    screen = re.sub(r"(localhost|127.0.0.1):\d+", r"\1:#####", screen)
    screen = re.sub(r"20\d\d-\d\d-\d\d", "####-##-##", screen)
    screen = re.sub(r"match \d+", "match #", screen)
    screen = re.sub(r"(Better: \w+)[ \w]*$", r"\1", screen, flags=re.M)
    return re.sub(r"(match #[^\n]*?)  +", r"\1  ", screen, count=1)


def expect_screen(full, name):
    """Waits until the screen equals the file."""
    path = os.path.join(SCREENS, name + ".txt")
    if os.environ.get("UPDATE_SCREENS"):
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            full.read_some(end)
        with open(path, "w", encoding="utf-8") as file:
            file.write(masked(full.screen) + "\n")
    with open(path, encoding="utf-8") as file:
        wanted = masked(file.read()).rstrip("\n")
    full.until(lambda screen: masked(screen).rstrip("\n") == wanted, f"not {name}:\n{wanted}")
