"""Where pairs are checked: lanes of killable workers, on this machine or others, and what runs in them."""
