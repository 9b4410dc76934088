"""PCM to stored and served formats, and back."""
