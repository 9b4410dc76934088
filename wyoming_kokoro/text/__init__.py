"""Text in, speakable sentences out. Pure."""
