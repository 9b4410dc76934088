"""What `doctor` looks at. Each check says what it found, and what to do where that is not as it should be."""
