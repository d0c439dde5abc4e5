"""For mkdocs (see mkdocs.yml): pages that are not in docs/, and links that lead out of it."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parent.parent
# A file of the repository, and its page.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^)#:\s]+)((?:#[^)]*)?)\)")


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages of files outside docs/."""
    for name, page in PAGES.items():
        text = relinked((ROOT / name).read_text(), ".", ".")
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    uri = page.file.src_uri
    if uri in PAGES.values():
        return markdown
    folder = posixpath.dirname(uri)
    return relinked(markdown, posixpath.join("docs", folder), folder or ".")


def relinked(text: str, source: str, page: str) -> str:
    """The text of a file in the repository's folder `source`, as a page in `page`.

    Links to files that are not pages become text.
    """

    def replace(match: re.Match[str]) -> str:
        image, said, target, rest = match.groups()
        file = posixpath.normpath(posixpath.join(source, target))
        uri = PAGES.get(file, file.removeprefix("docs/") if file.startswith("docs/") else "")
        if not uri:
            return said
        return f"{image}[{said}]({posixpath.relpath(uri, page)}{rest})"

    return _LINK.sub(replace, text)
