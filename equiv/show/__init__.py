"""Output for people: pages of blocks on a terminal, in Markdown, in HTML."""
