"""What must not change: kept before a change, and compared after it."""
