"""Systems and runs held against each other, item by item."""
