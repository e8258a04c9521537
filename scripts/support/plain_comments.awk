# SPDX-License-Identifier: BSD-2-Clause
# Contracts are plain text: what doxygen would take for a command or a tag in a "///" comment is escaped.
{
  at = index($0, "///")
  if (!at) { print; next }
  head = substr($0, 1, at + 2)
  text = substr($0, at + 3)
  if (substr(text, 1, 1) == "<") { head = head "<"; text = substr(text, 2) }
  gsub(/[\\@<&]/, "\\\\&", text)
  print head text
}
