"""Running pairs: lanes of killable workers, on this machine or others, and the tasks of these workers."""
