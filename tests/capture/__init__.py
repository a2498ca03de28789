"""Captures of the real cluster: fixtures, the packaged demo and recorded scheduler messages.

`python -m tests.capture [WORD…]` brings each scenario of tests/live whose id has one of the words onto a cluster of
its own and writes what kubectl shows of it to tests/fixtures. `python -m tests.capture.demo` and
`python -m tests.capture.messages` write whypending/demo and tests/recorded.
"""
