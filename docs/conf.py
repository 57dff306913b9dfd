"""How Sphinx makes the pages: ``make docs`` writes build/docs/html. Nothing is fetched; warnings are errors.

The root of the project is the source folder, so that README.md, RULES.md and all others stand where they are
and their links lead from page to page. `api_pages` beside this file makes what is read out of the code.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ["COLUMNS"] = "80"  # of the usage lines

from numpydoc import xref

import wuhan_core
import wuhan_sim
from wuhan_sim.versions import versions

project = "wuhan-core"
author = "the wuhan-core authors"
copyright = "2026, the wuhan-core authors"
release = version = versions()["wuhan-core"]
language = "en"

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "api_pages",
]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "docs/**.rst", "examples/README.md", "notebooks/README.md"]
exclude_patterns = [".*", "build", "runs", "src", "sim", "tests", "benches", "docs/pictures", "docs/data"]

nitpicky = True
# Types of other projects have pages elsewhere, which are not looked up; `names` in docstrings are links where
# they can be.
nitpick_ignore_regex = [
    ("py:obj", ".*"),
    ("py:(class|exc)", r"(?!wuhan_).*"),
    (
        "py:class",
        r"wuhan_sim\.(contest|league|loading|quantities|reduction|sequences|stats|until)\.\w+",
    ),  # what results are made of
]
default_role = "py:obj"
add_module_names = True
python_maximum_signature_line_length = 88
autodoc_member_order = "bysource"
autodoc_docstring_signature = False
autodoc_typehints_format = "short"
autosummary_generate = False
numpydoc_show_class_members = False
numpydoc_xref_param_type = True
xref.DEFAULT_LINKS.clear()  # to Python's own pages, which are not looked up
numpydoc_xref_ignore = "all"  # but these
numpydoc_xref_aliases = {
    name: f"{package.__name__}.{name}"
    for package in (wuhan_sim, wuhan_core)
    for name in package.__all__
    if isinstance(getattr(package, name), type)
}
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

html_theme = "furo"
html_title = f"wuhan-core {release}"
html_show_sphinx = False
html_additional_pages = {"index": "to_index.html"}
html_static_path = ["_static"]
html_css_files = ["site.css"]
templates_path = ["_templates"]
html_copy_source = False
pygments_style = "friendly"

smartquotes = False  # --hands stays --hands
