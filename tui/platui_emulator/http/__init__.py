"""The company over HTTP: both APIs of the spec, their neighbours, and plain web pages."""
