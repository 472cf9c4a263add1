"""The examples of server/OPERATING.md, for tests that run them."""
import os
import re
import textwrap

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "server", "OPERATING.md")


def example(name):
    """Returns the block of code below the paragraph that begins with that name."""
    with open(PAGE) as file:
        found = re.search(rf"^\*\*{name}\*\*[^\n]*\n\n((?:    [^\n]*\n|\n)+)", file.read(), re.MULTILINE)
    return textwrap.dedent(found[1]).strip()
