"""The commands for games that are being played on a screen."""
