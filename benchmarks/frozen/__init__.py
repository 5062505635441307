"""What must not change unnoticed: results, kept and compared after a change."""
