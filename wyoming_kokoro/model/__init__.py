"""The words as pure data: standard library only, no input or output, no event loop."""
