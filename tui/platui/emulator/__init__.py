"""The embedded platform: a simulated company over real HTTP.

Imports nothing of the rest of platui but `core`, so that it and the client check each other.
"""
