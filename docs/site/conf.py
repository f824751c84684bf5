"""The site: the project's Markdown as it lies in the tree, under one table of contents. `make site` builds it."""

project = "Fencepost"
root_doc = "index"
extensions = ["myst_parser"]
# GitHub's anchors of headings, so that one link works in both places.
myst_heading_anchors = 4
myst_enable_extensions = ["strikethrough"]
# A block without a language is what a command prints, not Python.
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]
html_theme = "furo"
html_title = "Fencepost"
html_theme_options = {"navigation_with_keys": True}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
