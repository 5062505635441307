"""The server of the page under load and under nonsense; ``server`` runs a real one."""
